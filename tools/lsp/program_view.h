// What an editor asks of a file of TVMScript. Each answer is that of the protocol: a JSON value,
// null where there is nothing to say.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ir/result.h"
#include "ir/text/reader/python/python.h"
#include "tools/lsp/protocol.h"

namespace proviso::tools::lsp {

// A file as the editor has it.
struct Document {
    std::string path;
    std::string text;
    bool operator==(const Document&) const = default;
};

// "Diagnostic" of the protocol: the message with its notes and its hint, at its place in `lines`;
// of another file, or without a place, at the start of `fallback`, with the place in the message.
// `severity`: 1 error, 2 warning, 3 information.
nlohmann::json told(const Diagnostic& d, const std::string& path, const Lines& lines, int fallback,
                    int severity);

nlohmann::json program_diagnostics(const Document& d);
// Of the expression, buffer or name there: its type, and what is known of its value.
nlohmann::json program_hover(const Document& d, ir::python::Position at);
// The place that the name there is bound at, in this file.
nlohmann::json program_definition(const Document& d, ir::python::Position at);
// Functions, and their blocks.
nlohmann::json program_symbols(const Document& d);
// One edit that leads to canonical form; none where that is what stands there.
nlohmann::json program_format(const Document& d);

// Where a block or a loop of that name is written in a program; none: nowhere.
std::optional<ir::python::Position> place_of_block(const ir::python::Module& program,
                                                   const std::string& name);
std::optional<ir::python::Position> place_of_loop(const ir::python::Module& program,
                                                  const std::string& name);

}  // namespace proviso::tools::lsp
