#include "rewrite/simplify/simplifier.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/children.h"
#include "rewrite/simplify/computing.h"
#include "rewrite/simplify/definite.h"
#include "rewrite/simplify/simplifier_impl.h"
#include "rewrite/simplify/sum_walk.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

// Nodes within each other that are no sums. Deeper ones stay as they are.
constexpr int kDeepest = 1000;
// Choices inside each other would be looked at under every set of their conditions.
constexpr std::uint64_t kMostArmNodes = 100'000;

}  // namespace

bool is_sum(Expr e) {
    if (!e->type.is_exact_int()) return false;
    switch (e->op) {
        case Op::Add:
        case Op::Sub:
        case Op::Neg: return true;
        case Op::Mul: return ir::is_int_const(e->arg(0)) || ir::is_int_const(e->arg(1));
        default: return false;
    }
}

Simplifier::Simplifier(analysis::Prover& prover, const RuleBook& book, SimplifyOptions options)
    : impl_(std::make_unique<Impl>(prover, book, options)) {}
Simplifier::~Simplifier() = default;

Simplified Simplifier::simplify(Expr e, const std::vector<Expr>& facts) {
    impl_->steps_before += impl_->steps;
    impl_->steps = 0;
    impl_->cut = false;
    impl_->arm_nodes = 0;
    FactSet& s = impl_->surroundings.of(facts);
    Simplified out;
    std::uint32_t trace = 0;
    if (impl_->options.keep_chain) {
        trace = static_cast<std::uint32_t>(impl_->traces.size());
        impl_->traces.emplace_back();
    }
    out.result = impl_->pass(e, s, trace);
    out.fixpoint = !impl_->cut;
    out.contradictory = s.contradictory;
    if (trace != 0) {
        std::vector<bool> seen(impl_->traces.size(), false);
        impl_->flatten(trace, seen, out.chain);
    }
    return out;
}

Expr Simplifier::Impl::pass(Expr e, FactSet& s, std::uint32_t trace) {
    met_memory = false;
    root = e;
    lets_root = nullptr;
    return visit(e, s, trace);
}

SimplifyStats Simplifier::stats() const {
    return {impl_->steps_before + impl_->steps, impl_->surroundings.asked()};
}

void Simplifier::Impl::record(std::uint32_t trace, FactSet& s, Expr before, const Arranged& how) {
    if (trace == 0) return;
    SimplifierTrace::Item item;
    item.step = {how.rule, before, how.after, {}, {}, {}};
    if (how.why != nullptr) {
        item.step.conditions = how.why->conditions;
        for (const Binding& b : how.why->bindings) {
            item.step.bindings.emplace_back(b.name, b.value);
        }
        if (!how.why->conditions.empty()) item.step.facts = s.facts;
    }
    traces[trace].items.push_back(std::move(item));
}

// A trace that several nodes share is told once.
void Simplifier::Impl::flatten(std::uint32_t trace, std::vector<bool>& seen,
                               std::vector<RuleApplication>& out) {
    if (trace == 0 || seen[trace]) return;
    seen[trace] = true;
    for (const SimplifierTrace::Item& item : traces[trace].items) {
        if (item.child != 0) {
            flatten(item.child, seen, out);
        } else {
            out.push_back(item.step);
        }
    }
}

Expr Simplifier::Impl::visit(Expr e, FactSet& s, std::uint32_t trace) {
    if (e->type != met_type) {
        met_type = e->type;
        book.meet(met_type);
    }
    if (e->args.empty() && e->op != Op::Load && e->op != Op::CallExtern) {
        return is_plain_leaf(e, s) ? e : leaf(e, s, trace);
    }
    const std::uint32_t number = s.memory.number_of(e);
    Done out = s.memory.at(number).done();
    if (out.result == nullptr) {
        const bool outside = met_memory;
        met_memory = false;
        out = work(e, s, number);
        met_memory = outside;
    }
    met_memory |= out.memory;
    if (trace != 0 && out.trace != 0) traces[trace].items.push_back({out.trace, {}});
    return out.result;
}

// Arguments, then the node, until neither changes. The result is the smallest form on the way, the
// latest of equals. `number` is the node's in the memory of `s`.
FactSet::Done Simplifier::Impl::work(Expr e, FactSet& s, std::uint32_t number) {
    if (depth >= kDeepest) {
        cut = true;
        return {e, 0, true};
    }
    ++depth;
    met_memory = e->op == Op::Load || e->op == Op::CallExtern;
    std::uint32_t trace = 0;
    if (options.keep_chain) {
        trace = static_cast<std::uint32_t>(traces.size());
        traces.emplace_back();
    }
    Expr current = visit_args(e, s, trace);
    Expr best = current;
    std::size_t told = trace == 0 ? 0 : traces[trace].items.size();
    while (!cut) {
        const Arranged next = change(current, s);
        if (!next) break;
        if (trace != 0) record(trace, s, current, next);
        if (++steps >= options.step_limit) cut = true;
        surroundings.seen_equal(s, current, next.after);
        if (next.same_terms) Surroundings::keeps_range(s, current, next.after);
        current = next.after;
        const bool settled = current->args.empty() || s.done(current).result != nullptr;
        if (settled) {
            current = visit(current, s, trace);
        } else if (!next.same_terms) {
            current = visit_args(current, s, trace);
        }
        if (current->size <= best->size) {
            best = current;
            if (trace != 0) told = traces[trace].items.size();
        }
        if (settled) break;
    }
    --depth;
    if (trace != 0) {
        traces[trace].items.resize(told);
        if (told == 0) trace = 0;
    }
    if (!cut) {
        if (!best->args.empty() && best != e) {
            s.memory.at(s.memory.number_of(best)).set_done({best, 0, met_memory});
        }
        s.memory.at(number).set_done({best, trace, met_memory});
    }
    return {best, trace, met_memory};
}

// Of integer variables nothing is asked where the facts say no values, nor of literals.
bool Simplifier::Impl::is_plain_leaf(Expr e, const FactSet& s) {
    if (e->op == Op::IntImm) return true;
    if (e->op != Op::Var || !e->type.is_int()) return false;
    const FactSet& outside = s.root != nullptr ? *s.root : s;
    return !outside.says_values && outside.parent == nullptr;
}

// A variable of which the facts say outright that it has one value is that value. One that has it
// by what follows from several facts, or only where a condition within the expression guards, keeps
// its name, which says more: `j < 3 or A[j]` for j in [0, 4) is not `j < 3 or A[3]`.
Expr Simplifier::Impl::leaf(Expr e, FactSet& s, std::uint32_t trace) {
    if (e->op == Op::Undef) met_memory = true;
    if (e->op != Op::Var || s.facts.empty()) return e;
    FactSet& outside = s.root != nullptr ? *s.root : s;
    const bool bound = e->type.is_bool() || outside.says_values || outside.parent != nullptr;
    if (!bound || (!e->type.is_bool() && !surroundings.said_value(outside, e))) return e;
    const Arranged known = e->type.is_bool() ? by_facts(e, s) : known_value(e, outside);
    if (!known) return e;
    record(trace, s, e, known);
    return known.after;
}

Expr Simplifier::Impl::visit_args(Expr e, FactSet& s, std::uint32_t trace) {
    if (e->args.empty()) return e;
    if (is_sum(e)) return visit_sum(e, s, trace);
    if (e->op == Op::Let) return visit_let(e, s, trace);
    if (e->args.size() == 2 && e->op != Op::And && e->op != Op::Or) {
        Expr a = visit(e->arg(0), s, trace);
        Expr b = visit(e->arg(1), s, trace);
        if (a == e->arg(0) && b == e->arg(1)) return e;
        return ir::with_args(ctx, e, std::array<Expr, 2>{a, b});
    }
    boost::container::small_vector<Expr, 4> args(e->args.begin(), e->args.end());
    args[0] = visit(args[0], s, trace);
    if (e->op == Op::And || e->op == Op::Or) {
        if (Expr one = as_one_claim(e, args[0], s, trace)) return one;
    }
    switch (e->op) {
        case Op::And: args[1] = visit(args[1], surroundings.with(s, args[0]), trace); break;
        case Op::Or:
            args[1] = visit(args[1], surroundings.with(s, ctx.not_(args[0])), trace);
            break;
        case Op::IfThenElse:
            args[1] = visit(args[1], surroundings.with(s, args[0]), trace);
            args[2] = visit(args[2], surroundings.with(s, ctx.not_(args[0])), trace);
            break;
        default:
            for (std::size_t i = 1; i < args.size(); ++i) args[i] = visit(args[i], s, trace);
            if (e->op == Op::Select && surely_definite(args[0])) {
                args[1] = visit_arm(args[1], args[0], s, trace);
                args[2] = visit_arm(args[2], ctx.not_(args[0]), s, trace);
            }
    }
    if (std::equal(args.begin(), args.end(), e->args.begin())) return e;
    return ir::with_args(ctx, e, std::span<const Expr>(args.data(), args.size()));
}

// An arm of T.Select is evaluated whatever the condition, but matters only where that holds: it may
// become what it is there, if that evaluates nothing that could fault elsewhere.
Expr Simplifier::Impl::visit_arm(Expr arm, Expr condition, FactSet& s, std::uint32_t trace) {
    if (arm->args.empty() || ir::is_const(condition) || !surely_definite(arm)) return arm;
    LinearForms& forms = surroundings.forms();
    if ((forms.occurring(arm) & forms.occurring(condition) & ~LinearForms::kTwice) == 0) return arm;
    arm_nodes += arm->size;
    if (arm_nodes > kMostArmNodes) return arm;
    const std::size_t told = trace == 0 ? 0 : traces[trace].items.size();
    Expr there = visit(arm, surroundings.with(s, condition), trace);
    if (there->size < arm->size && evaluates_no_more(arm, there)) return there;
    if (trace != 0) traces[trace].items.resize(told);
    return arm;
}

// A sum so small that it may be gone through as it stands.
Expr Simplifier::Impl::visit_small_sum(Expr e, FactSet& s, std::uint32_t trace) {
    std::array<Expr, 2> args{};
    bool changed = false;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
        Expr a = e->arg(i);
        args[i] = a;
        if (is_plain_leaf(a, s)) continue;
        args[i] = is_sum(a) ? visit_small_sum(a, s, trace) : visit(a, s, trace);
        changed |= args[i] != a;
    }
    return changed ? ctx.make(e->op, std::span<const Expr>(args.data(), e->args.size())) : e;
}

// The terms of a sum: all of them at once, however they are bracketed.
Expr Simplifier::Impl::visit_sum(Expr e, FactSet& s, std::uint32_t trace) {
    constexpr std::uint32_t small = 48;
    if (e->size <= small) return visit_small_sum(e, s, trace);
    SumWalk<ir::Int128> walk;
    walk.push(e, 0);
    std::vector<Expr> inner;
    IdMap<Expr> after;
    bool changed = false;
    while (!walk.empty()) {
        Expr n = walk.pop().expr;
        if (is_sum(n)) {
            inner.push_back(n);
            for (Expr a : n->args) walk.push(a, 0);
            continue;
        }
        if (ir::is_const(n)) continue;
        Expr simpler = visit(n, s, trace);
        if (simpler == n) continue;
        changed = true;
        after.put(n, simpler);
    }
    if (!changed) return e;
    for (std::size_t i = inner.size(); i-- > 0;) {  // oldest first: arguments before users
        Expr n = inner[i];
        std::vector<Expr> args(n->args.begin(), n->args.end());
        bool any = false;
        for (Expr& a : args) {
            if (Expr* to = after.find(a)) {
                a = *to;
                any = true;
            }
        }
        if (any) after.put(n, ctx.make(n->op, args));
    }
    return *after.find(e);
}

// Names of lets differ as a rule. Then all of an expression's lets live in one set of facts, made
// for this expression; a name that means two things gets a set of its own.
Expr Simplifier::Impl::visit_let(Expr e, FactSet& s, std::uint32_t trace) {
    Expr var = ctx.var(*e->name, e->var_type);
    Expr value = visit(e->arg(0), s, trace);
    // An indeterminate value is frozen to any value whatever.
    const bool known = value->type.is_int() && surely_definite(value);
    const Range r = known ? surroundings.range(s, value) : Range{};
    if (lets_root != root) {
        lets_root = root;
        lets_of = {};
        names = {};
        for (Expr v : ir::free_vars(root)) names.put(v, {});
        for (Expr f : s.facts) {
            for (Expr v : ir::free_vars(f)) names.put(v, {});
        }
    }
    FactSet* within = nullptr;
    const Named* known_name = names.find(var);
    if (known_name == nullptr) {
        const bool mine = std::find(lets_of.begin(), lets_of.end(), &s) != lets_of.end();
        within = mine ? &s : &surroundings.inner(s);
        if (!mine) lets_of.push_back(within);
        Surroundings::name(*within, var, r);
        names.put(var, {value, &s, within});
    } else if (known_name->value == value && known_name->outside == &s) {
        within = known_name->within;
    } else {
        within = &surroundings.rebound(s, var, r);
    }
    Expr body = visit(e->arg(1), *within, trace);
    return value == e->arg(0) && body == e->arg(1) ? e : ctx.let(var, value, body);
}

}  // namespace proviso::rewrite
