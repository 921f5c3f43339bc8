// What may change a node of an expression: arrangements, rules, facts, another arithmetic.
#include "ir/children.h"
#include "rewrite/simplify/by_rules.h"
#include "rewrite/simplify/computing.h"
#include "rewrite/simplify/definite.h"
#include "rewrite/simplify/elsewhere.h"
#include "rewrite/simplify/fold_constants.h"
#include "rewrite/simplify/simplifier_impl.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

bool is_claim(Expr e) {
    switch (e->op) {
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne:
        case Op::Var:
        case Op::Load: return e->type.is_bool();
        default: return false;
    }
}

// Says what had to hold.
void explain(Arranged& out, Expr condition) {
    out.why = std::make_unique<Arranged::Why>();
    out.why->conditions = {condition};
}

}  // namespace

Arranged Simplifier::Impl::change(Expr e, FactSet& s) {
    if (e->args.empty()) return {};
    const auto allowed = [&](const Arranged& c) {
        return c && !(met_memory && computes_with_more(e, c.after));
    };
    if (ir::is_const(e->arg(0))) {
        if (Expr c = fold_constants(ctx, e)) return {"fold-constants", c};
    }
    if (e->op == Op::Let) {
        Arranged c = let(e);
        if (!allowed(c)) c = {};
        return c;
    }
    // Where facts speak of variables one by one, what is arranged has a value if this has: then it
    // is enough to ask of what is left in the end.
    const bool first = e->type.is_int() && (s.occurring != 0 || !e->type.is_exact_int());
    if (first) {
        if (Arranged c = known_value(e, s); allowed(c)) return c;
    }
    bool settled = false;
    try {
        if (Arranged c = arranger.arrange(s, e); allowed(c)) return c;
        settled = (is_sum(e) && arranger.is_plain_sum(e)) || arranger.is_settled(s, e);
    } catch (const TooLarge&) {  // numbers that no value of a type can be: left as they are
        settled = false;
    }
    if (!first && e->type.is_int()) {
        if (Arranged c = known_value(e, s); allowed(c)) return c;
    }
    if (settled) return {};
    if (Arranged c = by_rules(ctx, book, surroundings, s, e, options.keep_chain); allowed(c))
        return c;
    if (Arranged c = by_facts(e, s); allowed(c)) return c;
    Arranged c = elsewhere(e, s);
    if (!allowed(c)) c = {};
    return c;
}

// Two comparisons of one number are often one claim, which shows before the second is simplified
// under the first: that takes a set of facts, and questions about them. `first` is what the first
// became. Null where they are no one claim.
Expr Simplifier::Impl::as_one_claim(Expr e, Expr first, FactSet& s, std::uint32_t trace) {
    constexpr std::uint32_t largest = 48;
    const auto compares = [](Expr x) {
        return is_comparison(x->op) && x->size > 3 && x->arg(0)->type.is_exact_int();
    };
    if (e->size > largest || !compares(first) || !compares(e->arg(1))) return nullptr;
    LinearForms& forms = surroundings.forms();
    const LinearForms::Occurring shared = forms.occurring(first) & forms.occurring(e->arg(1));
    if ((shared & ~LinearForms::kTwice) == 0 || !surely_definite(e)) return nullptr;
    const std::size_t told = trace == 0 ? 0 : traces[trace].items.size();
    Expr both = ctx.make(e->op, {first, visit(e->arg(1), s, trace)});
    Arranged one{};
    if (!both->arg(1)->args.empty()) {
        one = by_rules(ctx, book, surroundings, s, both, options.keep_chain);
        if (!one) one = one_claim(ctx, surroundings, s, both);
    }
    if (!one || one.after->size >= both->size) {
        if (trace != 0) traces[trace].items.resize(told);
        return nullptr;
    }
    ++steps;
    record(trace, s, both, one);
    return visit(one.after, s, trace);
}

// In another arithmetic, or among the claims that `and` and `or` join.
Arranged Simplifier::Impl::elsewhere(Expr e, FactSet& s) {
    const auto here = [this](Expr x, FactSet& facts) { return visit(x, facts, 0); };
    if (e->op == Op::And || e->op == Op::Or) {
        if (Arranged c = one_claim(ctx, surroundings, s, e)) return c;
        if (Arranged c = without_implied(ctx, surroundings, s, e, here)) return c;
        return regrouped(ctx, surroundings, s, e, here);
    }
    if (!e->arg(0)->type.is_int()) return {};
    if (e->arg(0)->type.is_exact_int()) return as_cast(ctx, arranger, s, e, here);
    return as_exact(ctx, surroundings, s, e, here);
}

// A constant, a variable, or a definite value that is used once may stand where its name does;
// naming it changed nothing. A name that is not used need not be there.
Arranged Simplifier::Impl::let(Expr e) {
    Expr value = e->arg(0);
    Expr var = ctx.var(*e->name, e->var_type);
    const bool plain = ir::is_const(value) || value->op == Op::Var;
    const int uses = plain ? 1 : uses_of(var, e->arg(1));
    if (uses == 0 && !makes_opaque_call(value)) return Arranged{"drop-let", e->arg(1)};
    // Putting a value into a large body again and again would be quadratic in a chain of lets.
    constexpr std::uint32_t largest_body = 200;
    const bool worth_it = plain || (e->arg(1)->size <= largest_body && surely_definite(value));
    if (uses != 1 || !worth_it) return {};
    return Arranged{"inline-let", ir::substitute(ctx, e->arg(1), {{var, value}})};
}

Arranged Simplifier::Impl::known_value(Expr e, FactSet& s) {
    // Where no variable has one value, a sum of such, each once, has more.
    const bool varies = is_sum(e) && !s.says_values && s.occurring == 0 && s.parent == nullptr &&
                        arranger.is_plain_sum(e);
    if (varies) return {};
    const Range r = surroundings.range(s, e);
    if (!r.is_point() || !e->type.contains(r.lo) || makes_opaque_call(e)) return {};
    Arranged out{"known-value", ctx.int_imm(e->type, r.lo)};
    if (options.keep_chain) explain(out, ctx.eq(e, out.after));
    return out;
}

Arranged Simplifier::Impl::by_facts(Expr e, FactSet& s) {
    // Comparisons of exact integers were decided when they were arranged.
    if (!is_claim(e) || (!e->args.empty() && e->arg(0)->type.is_exact_int() && e->op != Op::Load)) {
        return {};
    }
    std::optional<bool> known;
    if (surroundings.proves(s, e)) {
        known = true;
    } else if (surroundings.proves(s, ctx.not_(e))) {
        known = false;
    }
    if (!known) return {};
    Arranged out{"known-fact", ctx.bool_imm(*known)};
    if (options.keep_chain) explain(out, *known ? e : ctx.not_(e));
    return out;
}

}  // namespace proviso::rewrite
