// The wire of a language server: messages of JSON-RPC 2.0 behind a header, and positions as editors
// count them (Language Server Protocol 3.17, "Base Protocol" and "Position").
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/result.h"
#include "ir/text/reader/python/python.h"

namespace proviso::tools::lsp {

// Messages out of bytes as they come.
class Inbox {
  public:
    void add(std::string_view bytes) { bytes_.append(bytes); }
    // The next message's body; none: more bytes are needed. After an error nothing can be read any
    // more, since nobody knows where the next message begins.
    Result<std::optional<std::string>> next();

  private:
    std::string bytes_;
};

// A message with its header.
std::string framed(const nlohmann::json& message);

// The path of a "file:" URI, with escapes resolved; empty for any other.
std::string path_of_uri(std::string_view uri);
std::string uri_of_path(const std::string& path);

// A text by lines, and the two ways to count in it: ours, lines and code points from 1, and that of
// the protocol, lines and UTF-16 units from 0.
class Lines {
  public:
    explicit Lines(std::string_view text);
    std::size_t size() const { return lines_.size(); }
    // Without its end; empty where there is none. From 1.
    std::string_view line(int number) const;
    // {"line", "character"}; positions behind the end of a line or of the text are its end.
    nlohmann::json encoded(ir::python::Position at) const;
    ir::python::Position decoded(const nlohmann::json& at) const;
    // {"start", "end"}: from there so many code points of the line on.
    nlohmann::json range(ir::python::Position from, int length) const;
    // The name or number that begins there; at least 1.
    int word_length(ir::python::Position at) const;

  private:
    std::vector<std::string_view> lines_;
};

}  // namespace proviso::tools::lsp
