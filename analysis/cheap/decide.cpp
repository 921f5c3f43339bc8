#include "analysis/cheap/decide.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/cheap/floor_forms.h"
#include "analysis/cheap/knowledge.h"
#include "ir/children.h"
#include "ir/domains/number.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::Op;

namespace {

constexpr int kDeepestSplit = 5;
constexpr int kMostBranches = 48;
// Steps of work, not time: a question costs the same on every machine.
constexpr int kStepsAGoal = 4'000;
constexpr int kStepsAFact = 120;
constexpr int kMostSteps = 400'000;
constexpr std::uint32_t kLargestInParts = 20'000;  // nodes

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
    for (const Conjunction& arm : split->arms) {
        if (++branches > kMostBranches) return false;
        Knowledge inner = k.branch();
        inner.assume(arm);
        if (!refuted(inner, depth - 1, branches, strongest)) return false;
    }
    return true;
}

// A variable, or one and a constant: x + 3.
bool nearly_leaf(Expr e) {
    if (e->args.empty()) return true;
    const bool sum = e->op == Op::Add || e->op == Op::Sub;
    return sum && e->arg(0)->args.empty() && ir::is_const(e->arg(1));
}

// Bounds come first, then what gives atoms another form, then the rest: so terms are read with most
// known of them.
int rank(Expr fact) {
    const bool compares = !fact->args.empty() && fact->arg(0)->type.is_int();
    if (!compares) return 2;
    if (fact->op == Op::Lt || fact->op == Op::Le) {
        return nearly_leaf(fact->arg(0)) && nearly_leaf(fact->arg(1)) ? 0 : 2;
    }
    return fact->op == Op::Eq || fact->op == Op::Same ? 1 : 2;
}

// Comparisons of wrapping integers by what is known of their ranges, divisors and bits.
bool by_numbers(std::span<const Expr> facts, Expr goal, std::span<const Expr> unbounded) {
    constexpr std::uint32_t largest = 1000;  // nodes
    const bool compares = ir::op_info(goal->op).op_class == ir::OpClass::Comparison;
    if (!compares || !goal->arg(0)->type.is_wrapping_int() || !unbounded.empty()) return false;
    if (goal->size > largest || ir::has_op(goal, Op::Let)) return false;
    ir::NumberEval eval(ir::Reading::Formula);
    for (const Expr fact : facts) {
        if (fact->size <= largest && !ir::has_op(fact, Op::Let)) ir::learn(eval, fact);
    }
    return eval(goal).range.is_true();
}

// What the goal is a conjunction of: many claims; a <= min(x, y, …) is a <= x and a <= y and so on,
// and so with max(x, y, …) <= a, where there are many of them.
std::vector<Expr> parts_of(ir::Context& ctx, Expr goal) {
    if (goal->op == Op::And) {
        std::vector<Expr> parts = ir::conjuncts(goal);
        if (parts.size() > std::size_t{kMostBranches}) return parts;
        return {goal};  // where what comes first may help with what comes later
    }
    const bool order = goal->op == Op::Le || goal->op == Op::Lt;
    if (!order || !goal->arg(0)->type.is_int()) return {goal};
    std::vector<Expr> out;
    if (goal->arg(1)->op == Op::Min) {
        for (const Expr x : many_operands(goal->arg(1))) {
            out.push_back(ctx.make(goal->op, {goal->arg(0), x}));
        }
    } else if (goal->arg(0)->op == Op::Max) {
        for (const Expr x : many_operands(goal->arg(0))) {
            out.push_back(ctx.make(goal->op, {x, goal->arg(1)}));
        }
    }
    return out.empty() ? std::vector<Expr>{goal} : out;
}

// Twice the same where it stands twice: an undefined value and a call are not.
bool is_one_value(Expr e) {
    return !ir::has_op(e, Op::Undef) && !ir::has_op(e, Op::CallExtern) && !ir::has_op(e, Op::Let);
}

bool is_bits(Expr e) {
    return e->op == Op::BitAnd || e->op == Op::BitOr || e->op == Op::BitXor;
}

bool computes_bits(Expr e) {
    bool found = false;
    ir::for_each_node(e, [&](Expr n) { found = found || is_bits(n); });
    return found;
}

// With the operands of `&`, `|` and `^` in one order; terms that are very large stay as they are.
Expr bits_in_order(ir::Context& ctx, Expr e) {
    if (e->size > kLargestInParts || ir::has_op(e, Op::Let)) return e;
    return ir::rewrite_expr(ctx, e, [&](Expr n) {
        if (!is_bits(n) || n->arg(0)->id <= n->arg(1)->id) return n;
        return ctx.make(n->op, {n->arg(1), n->arg(0)});
    });
}

// An equality of integers whose sides are the same but for the order of factors. Linear forms
// multiply products out, which is too long where there are many sums among the factors.
bool same_factors(ir::Context& ctx, Expr goal) {
    constexpr std::size_t most = 256;  // factors of a product
    const bool equality = goal->op == Op::Eq || goal->op == Op::Same;
    if (!equality || !goal->arg(0)->type.is_int() || !is_one_value(goal)) return false;
    if (goal->size > kLargestInParts || !ir::has_op(goal, Op::Mul)) return false;
    const Expr ordered = ir::rewrite_expr(ctx, goal, [&](Expr n) {
        if (n->op != Op::Mul || !n->type.is_int()) return n;
        std::vector<Expr> factors{n->arg(0), n->arg(1)};
        for (std::size_t i = 0; i < factors.size() && factors.size() < most;) {
            if (factors[i]->op != Op::Mul) {
                ++i;
                continue;
            }
            factors.push_back(factors[i]->arg(1));
            factors[i] = factors[i]->arg(0);
        }
        std::sort(factors.begin(), factors.end(), [](Expr a, Expr b) { return a->id < b->id; });
        Expr out = factors.front();
        for (std::size_t i = 1; i < factors.size(); ++i) out = ctx.mul(out, factors[i]);
        return out;
    });
    return ordered->args.size() == 2 && ordered->arg(0) == ordered->arg(1);
}

// Runs `work`, which may give up: what it found until then is true, and stays.
template <typename Work>
void as_far_as_possible(const Work& work) {
    try {
        work();
    } catch (const GiveUp&) {
        return;
    }
}

int saturated(std::uint64_t steps) {
    return static_cast<int>(std::min<std::uint64_t>(steps, kMostSteps));
}

}  // namespace

// What one list of facts says.
struct Decider::Base {
    Base(ir::Context& ctx, std::span<const Expr> facts, std::span<const Expr> unbounded)
        : question{ctx, {}, {unbounded.begin(), unbounded.end()}}, known(question) {
        std::vector<Expr> parts = ir::conjuncts(facts);
        for (const Expr part : parts) {
            if (is_one_value(part)) given.insert(part);
        }
        std::stable_sort(parts.begin(), parts.end(),
                         [](Expr a, Expr b) { return rank(a) < rank(b); });
        question.most_steps = saturated(kStepsAGoal + kStepsAFact * parts.size());
        for (const Expr f : parts) {
            as_far_as_possible([&] { known.assume(f, true); });
        }
        as_far_as_possible([&] { known.propagate(); });
        known.seal();
        atoms = question.atoms.size();
        steps_a_goal = kStepsAGoal + 4 * parts.size();
    }

    void begin(Expr goal) {
        question.steps = 0;
        question.depth = 0;
        question.most_steps = saturated(steps_a_goal + 2 * std::uint64_t{goal->size});
    }
    void end() { question.atoms.shrink(atoms); }

    Question question;
    Knowledge known;
    std::unordered_set<Expr> given;  // the facts, conjunctions taken apart
    std::size_t atoms = 0;
    std::uint64_t steps_a_goal = 0;
    std::optional<bool> contradictory;  // as far as splitting and elimination tell
};

Decider::Decider(ir::Context& ctx) : ctx_(ctx) {}
Decider::~Decider() = default;

Decider::Base& Decider::base_of(std::span<const Expr> facts, std::span<const Expr> unbounded) {
    constexpr std::size_t most_kept = 200;
    std::vector<std::uint32_t> key{static_cast<std::uint32_t>(facts.size())};
    for (const Expr f : facts) key.push_back(f->id);
    for (const Expr v : unbounded) key.push_back(v->id);
    const auto found = bases_.find(key);
    if (found != bases_.end()) return *found->second;
    if (bases_.size() >= most_kept) bases_.clear();
    auto& made = bases_[std::move(key)];
    made = std::make_unique<Base>(ctx_, facts, unbounded);
    return *made;
}

std::optional<Decision> Decider::decide(std::span<const Expr> facts, Expr goal,
                                        std::span<const Expr> unbounded) {
    if (facts.empty() && ir::is_true(goal)) return Decision{"syntax", false};
    Base& base = base_of(facts, unbounded);
    if (base.known.contradiction()) return Decision{method_name(base.known.method()), true};
    if (ir::is_true(goal)) return Decision{"syntax", false};
    std::optional<Decision> out = decide_all(base, parts_of(ctx_, goal));
    // A claim of several parts is harder as a whole where no part helps another.
    if (!out && goal->op == Op::And && goal->size <= kLargestInParts) {
        out = decide_all(base, ir::conjuncts(goal));
    }
    if (!out && by_numbers(facts, goal, unbounded)) {
        out = Decision{method_name(Method::KnownBits), false};
    }
    if (!out && same_factors(ctx_, goal)) out = Decision{method_name(Method::Syntax), false};
    if (out) return out;
    // What only its spelling keeps apart: x ^ y and y ^ x, x // y and what it is lowered to.
    const auto holds = [&](Expr claim) {
        Method needed = Method::Syntax;
        return base.given.count(claim) != 0 || refutes_opposite(base, claim, needed);
    };
    const bool bits = computes_bits(goal);
    const auto spelled_alike = [&](Expr e) {
        const Expr shorter = with_floor_forms(ctx_, e, holds);
        return bits ? bits_in_order(ctx_, shorter) : shorter;
    };
    const Expr again = spelled_alike(goal);
    if (again == goal && !bits) return std::nullopt;
    std::vector<Expr> alike;
    for (const Expr f : facts) alike.push_back(spelled_alike(f));
    const bool same = again == goal && std::equal(facts.begin(), facts.end(), alike.begin());
    return same ? std::nullopt : decide(alike, again, unbounded);
}

std::optional<Decision> Decider::decide_all(Base& base, const std::vector<Expr>& parts) {
    Method strongest = Method::Syntax;
    int steps = 0;
    const int most_steps = kMostSteps + saturated(kStepsAFact * parts.size());
    for (const Expr part : parts) {
        if (base.given.count(part) != 0) continue;
        if (steps >= most_steps || !refutes_opposite(base, part, strongest)) return std::nullopt;
        steps += base.question.steps;
    }
    return Decision{method_name(strongest), false};
}

bool Decider::refutes_opposite(Base& base, Expr goal, Method& strongest) {
    bool out = false;
    base.begin(goal);
    as_far_as_possible([&] {
        int branches = 0;
        Knowledge opposite = base.known.branch();
        opposite.assume(goal, false);
        out = refuted(opposite, kDeepestSplit, branches, strongest);
    });
    base.end();
    return out;
}

bool Decider::contradictory(std::span<const Expr> facts, std::span<const Expr> unbounded) {
    Base& base = base_of(facts, unbounded);
    if (base.known.contradiction()) return true;
    if (!base.contradictory) {
        base.contradictory = decide(facts, ctx_.false_(), unbounded).has_value();
    }
    return *base.contradictory;
}

std::optional<std::string> decide(ir::Context& ctx, const Obligation& obligation) {
    const std::optional<Decision> out = Decider(ctx).decide(obligation);
    return out ? std::optional<std::string>(out->method) : std::nullopt;
}

}  // namespace proviso::analysis::cheap
