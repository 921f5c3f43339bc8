#include "tools/support/support.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "ir/files/read.h"

namespace proviso::tools {

Result<std::string> read_file(const std::string& path, std::uint64_t most) {
    return path == "-" ? ir::read_standard_input(most) : ir::read_file(path, most);
}

int bad_input(const Diagnostic& diagnostic, bool json) {
    if (json) print_json({{"error", to_json(diagnostic)}});
    std::fprintf(stderr, "%s\n", diagnostic.str().c_str());
    return kBadInput;
}

nlohmann::json to_json(const Diagnostic& d) {
    nlohmann::json out = {{"message", d.message}};
    if (!d.file.empty()) out["file"] = d.file;
    if (d.line > 0) out["line"] = d.line;
    if (d.column > 0) out["column"] = d.column;
    if (!d.hint.empty()) out["hint"] = d.hint;
    if (!d.notes.empty()) out["notes"] = d.notes;
    return out;
}

void print_json(const nlohmann::json& value) {
    // Bytes of a user's text that are no UTF-8 are shown as U+FFFD.
    const auto replaced = nlohmann::json::error_handler_t::replace;
    std::printf("%s\n", value.dump(-1, ' ', true, replaced).c_str());
    std::fflush(stdout);
}

}  // namespace proviso::tools
