#include "tools/page/page.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "ir/files/read.h"
#include "tools/page/files.h"
#include "tools/page/html.h"
#include "tools/support/write_file.h"

namespace proviso::tools {

namespace {

const char* tone_name(Tone t) {
    switch (t) {
        case Tone::Good: return "good";
        case Tone::Bad: return "bad";
        case Tone::Open: return "open";
    }
    return "open";
}

// The template with the words in {{…}} replaced, each place once: what is put in is not looked at.
std::string filled(std::string_view text, const std::map<std::string_view, std::string>& words) {
    std::string out;
    for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{")) {
        const std::size_t end = text.find("}}", at);
        out += text.substr(0, at);
        out += words.at(text.substr(at + 2, end - at - 2));
        text.remove_prefix(end + 2);
    }
    return out + std::string(text);
}

}  // namespace

std::string page(const PageHead& head, const nlohmann::json& data, const nlohmann::json& texts) {
    return filled(kPageHtml, {{"title", html_text(head.title)},
                              {"heading", html_text(head.heading)},
                              {"tone", tone_name(head.tone)},
                              {"verdict", html_text(head.verdict)},
                              {"body", head.body},
                              {"style-hash", policy_hash(kPageStyle)},
                              {"script-hash", policy_hash(kPageScript)},
                              {"style", std::string(kPageStyle)},
                              {"script", std::string(kPageScript)},
                              {"data", script_json(data)},
                              {"texts", script_json(texts)}});
}

Status write_page(const std::string& file, const std::string& html) {
    if (file != "-") return write_file(file, html);
    const bool whole = std::fwrite(html.data(), 1, html.size(), stdout) == html.size();
    if (whole && std::fflush(stdout) == 0) return Unit{};
    return error("cannot write the page to standard output");
}

}  // namespace proviso::tools
