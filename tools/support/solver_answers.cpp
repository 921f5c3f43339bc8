#include "tools/support/solver_answers.h"

#include "analysis/prover/proof_cache.h"
#include "analysis/smt/bit_work.h"
#include "analysis/smt/watchdog.h"
#include "rewrite/expression_rules/expression_rule.h"
#include "verify/log/format.h"

namespace proviso::tools {

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

}  // namespace proviso::tools
