#include "tools/support.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "analysis/proof_cache.h"
#include "rewrite/rules/expression_rule.h"
#include "verify/log/format.h"

namespace proviso::tools {

Result<std::string> read_file(const std::string& path) {
    std::stringstream out;
    if (path == "-") {
        out << std::cin.rdbuf();
        return out.str();
    }
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) return error(path + " is a folder");
    std::ifstream in(path, std::ios::binary);
    if (!in) return error("cannot read " + path, "does the file exist?");
    out << in.rdbuf();
    if (in.bad()) return error("cannot read " + path);
    return out.str();
}

std::string cache_folder(const CacheOptions& options) {
    if (options.off) return "";
    const std::string base =
        options.folder.empty() ? analysis::default_cache_folder() : options.folder;
    if (base.empty()) return "";
    constexpr std::size_t prefix = 7;  // "sha256:"
    return base + "/semantics-" + std::to_string(verify::kSemanticsVersion) + "-rules-" +
           rewrite::rule_table_digest().substr(prefix, 16);
}

Status write_file(const std::string& path, const std::string& bytes) {
    const std::filesystem::path target(path);
    std::error_code code;
    if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), code);
    const std::string beside = path + ".part";
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        out << bytes;
        out.flush();
        if (!out) {
            std::filesystem::remove(beside, code);
            return error("cannot write " + path);
        }
    }
    std::filesystem::rename(beside, target, code);
    if (code) return error("cannot write " + path + ": " + code.message());
    return Unit{};
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
