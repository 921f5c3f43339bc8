#include "tools/support/solver_answers.h"

#include <algorithm>

#include "analysis/prover/effort.h"
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

namespace {

// What a solver that breaks down says of itself is for those who make it.
std::string in_our_words(std::string why) {
    for (const std::string solver : {"cvc5", "z3"}) {
        const std::size_t at = why.find(solver + ": ");
        if (at == std::string::npos) continue;
        const std::size_t said = at + solver.size();
        const std::size_t end = std::min(why.find(';', said), why.size());
        const std::string text = why.substr(said, end - said);
        if (text.find("fatal") == std::string::npos && text.find("Fatal") == std::string::npos) {
            continue;
        }
        why.replace(said, end - said, " ended abnormally");
    }
    return why;
}

}  // namespace

std::string why_unknown(const std::string& why) {
    std::string out = in_our_words(why);
    if (analysis::smt::was_stopped(why)) out += std::string("; ") + analysis::smt::kMoreSeconds;
    if (analysis::smt::was_too_large(why)) out += std::string("; ") + analysis::smt::kMoreMemory;
    const bool of_budgets = why.find("resource") != std::string::npos ||
                            why.find(analysis::kManyOpenQuestions) != std::string::npos;
    if (of_budgets) out += std::string("; ") + analysis::kMoreEffort;
    return out;
}

}  // namespace proviso::tools
