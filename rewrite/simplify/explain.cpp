#include "rewrite/simplify/explain.h"

namespace proviso::rewrite {

using analysis::Answer;
using analysis::Verdict;
using ir::Expr;

namespace {

Why why(analysis::Prover& prover, const std::vector<Expr>& facts, Expr condition) {
    Why out{condition, "", {}};
    Answer answer = prover.prove(facts, condition);
    if (answer.verdict != Verdict::Proved) return out;
    // Leaves out one fact after another, as long as the rest suffices.
    std::vector<Expr> kept = facts;
    for (std::size_t i = kept.size(); i-- > 0;) {
        std::vector<Expr> fewer = kept;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (!prover.proves_cheaply(fewer, condition)) continue;
        kept = std::move(fewer);
    }
    const Answer smaller = prover.prove(kept, condition);
    if (smaller.verdict == Verdict::Proved) answer = smaller;
    out.by = answer.by;
    out.facts = std::move(kept);
    return out;
}

}  // namespace

std::vector<Why> explain(analysis::Prover& prover, const RuleApplication& step) {
    std::vector<Why> out;
    for (Expr condition : step.conditions) {
        if (!ir::is_true(condition)) out.push_back(why(prover, step.facts, condition));
    }
    return out;
}

}  // namespace proviso::rewrite
