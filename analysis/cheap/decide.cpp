#include "analysis/cheap/decide.h"

#include <algorithm>

#include "analysis/cheap/knowledge.h"
#include "ir/domains/number.h"

namespace proviso::analysis::cheap {

namespace {

constexpr int kDeepestSplit = 5;
constexpr int kMostBranches = 48;
constexpr std::uint32_t kLargestByNumbers = 1000;  // nodes

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

// Comparisons of wrapping integers, which have no linear forms: by what is known of their ranges,
// divisors and bits.
bool by_numbers(const Obligation& obligation) {
    const ir::Expr goal = obligation.goal;
    const bool compares = ir::op_info(goal->op).op_class == ir::OpClass::Comparison;
    if (!compares || !goal->arg(0)->type.is_wrapping_int() || !obligation.unbounded.empty()) {
        return false;
    }
    if (goal->size > kLargestByNumbers || ir::has_op(goal, ir::Op::Let)) return false;
    ir::NumberEval eval(ir::Reading::Formula);
    for (ir::Expr fact : obligation.facts) {
        if (fact->size <= kLargestByNumbers && !ir::has_op(fact, ir::Op::Let)) {
            ir::learn(eval, fact);
        }
    }
    return eval(goal).range.is_true();
}

}  // namespace

std::optional<std::string> decide(ir::Context& ctx, const Obligation& obligation) {
    if (ir::is_true(obligation.goal)) return "syntax";
    if (by_numbers(obligation)) return method_name(Method::KnownBits);
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
