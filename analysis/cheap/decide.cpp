#include "analysis/cheap/decide.h"

#include <algorithm>

#include "analysis/cheap/knowledge.h"

namespace proviso::analysis::cheap {

namespace {

constexpr int kDeepestSplit = 5;
constexpr int kMostBranches = 48;

// Whether the assumptions contradict each other, splitting on what is open. `strongest` is raised
// to the method that was needed.
bool refuted(Knowledge& k, int depth, int& branches, Method& strongest) {
    k.propagate();
    if (!k.contradiction()) k.eliminate();
    if (k.contradiction()) {
        strongest = std::max(strongest, k.method());
        return true;
    }
    if (depth == 0) return false;
    const std::optional<Disjunction> split = k.take_split();
    if (!split) return false;
    for (const Conjunction& arm : *split) {
        if (++branches > kMostBranches) return false;
        Knowledge inner = k.branch();
        inner.assume(arm);
        if (!refuted(inner, depth - 1, branches, strongest)) return false;
    }
    return true;
}

}  // namespace

std::optional<std::string> decide(ir::Context& ctx, const Obligation& obligation) {
    if (ir::is_true(obligation.goal)) return "syntax";
    try {
        Question question{ctx, {}, obligation.unbounded};
        Knowledge facts(question);
        for (ir::Expr f : obligation.facts) facts.assume(f, true);
        Method strongest = Method::Syntax;
        int branches = 0;
        facts.assume(obligation.goal, false);
        if (!refuted(facts, kDeepestSplit, branches, strongest)) return std::nullopt;
        return method_name(strongest);
    } catch (const GiveUp&) {
        return std::nullopt;
    }
}

}  // namespace proviso::analysis::cheap
