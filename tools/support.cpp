#include "tools/support.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "analysis/proof_cache.h"
#include "analysis/smt/bit_work.h"
#include "analysis/smt/watchdog.h"
#include "ir/files/read.h"
#include "rewrite/rules/expression_rule.h"
#include "verify/log/format.h"

namespace proviso::tools {

Result<std::string> read_file(const std::string& path, std::uint64_t most) {
    return path == "-" ? ir::read_standard_input(most) : ir::read_file(path, most);
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

std::string why_unknown(const std::string& why) {
    std::string out = why;
    if (analysis::smt::was_stopped(why)) out += std::string("; ") + analysis::smt::kMoreSeconds;
    if (analysis::smt::was_too_large(why)) out += std::string("; ") + analysis::smt::kMoreMemory;
    return out;
}

Status write_file(const std::string& path, const std::string& bytes) {
    const std::filesystem::path target(path);
    std::error_code code;
    if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), code);
    // A link is replaced, and so is what stands in the way of the file beside it.
    if (!std::filesystem::is_symlink(target, code)) {
        if (const Status ok = ir::check_target(path); !ok) return ok;
    }
    const std::string beside = path + ".part";
    std::filesystem::remove(beside, code);
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

int limit_met(const Diagnostic& diagnostic, bool json) {
    bad_input(diagnostic, json);
    return kUnknown;
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
