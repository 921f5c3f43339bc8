#include "rewrite/simplify/simplifier.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ir/children.h"
#include "rewrite/simplify/arrange.h"
#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

using Chain = std::vector<RuleApplication>;
using FactsId = std::uint32_t;

struct Key {
    Expr expr;
    FactsId facts;
    bool operator==(const Key&) const = default;
};
struct KeyHash {
    std::size_t operator()(const Key& k) const {
        return (static_cast<std::size_t>(k.expr->id) << 20) ^ k.facts;
    }
};

// What a node became, and why.
struct Change {
    std::string rule;
    Expr after = nullptr;  // null: no change
};

bool is_sum_operator(Op op) {
    return op == Op::Add || op == Op::Sub || op == Op::Neg || op == Op::Mul;
}

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

}  // namespace

struct Simplifier::Impl {
    Impl(analysis::Prover& p, const RuleBook& b, SimplifyOptions o)
        : prover(p), ctx(p.context()), book(b), options(o) {}

    struct Done {
        Expr result;
        Chain chain;
    };

    analysis::Prover& prover;
    ir::Context& ctx;
    const RuleBook& book;
    SimplifyOptions options;
    std::map<std::vector<Expr>, FactsId> fact_ids;
    std::vector<std::vector<Expr>> fact_sets;
    std::unordered_map<Key, Done, KeyHash> done;
    std::unordered_map<Key, bool, KeyHash> proved;
    std::uint64_t steps = 0;
    bool cut = false;

    FactsId intern(const std::vector<Expr>& facts) {
        const auto [at, fresh] = fact_ids.emplace(facts, static_cast<FactsId>(fact_sets.size()));
        if (fresh) fact_sets.push_back(facts);
        return at->second;
    }
    FactsId with_fact(FactsId facts, Expr fact) {
        if (ir::is_true(fact)) return facts;
        std::vector<Expr> longer = fact_sets[facts];
        if (std::find(longer.begin(), longer.end(), fact) != longer.end()) return facts;
        longer.push_back(fact);
        return intern(longer);
    }
    // Facts that say nothing about a variable: for the scope where its name means another one.
    FactsId without(FactsId facts, Expr var) {
        std::vector<Expr> kept;
        for (Expr f : fact_sets[facts]) {
            if (!ir::occurs_free(var, f)) kept.push_back(f);
        }
        return intern(kept);
    }

    bool proves(FactsId facts, Expr claim) {
        if (ir::is_const(claim)) return ir::is_true(claim);
        const auto [at, fresh] = proved.emplace(Key{claim, facts}, false);
        if (fresh) {
            const bool holds = prover.proves_cheaply(fact_sets[facts], claim);
            proved[Key{claim, facts}] = holds;
            return holds;
        }
        return at->second;
    }

    Expr visit(Expr e, FactsId facts, Chain& chain);
    Expr visit_args(Expr e, FactsId facts, Chain& chain);
    Change change(Expr e, FactsId facts);
    Change fold(Expr e);
    Change inline_let(Expr e);
    Change spell_sum(Expr e);
    Change by_rules(Expr e, FactsId facts);
    Change by_facts(Expr e, FactsId facts);
};

Simplifier::Simplifier(analysis::Prover& prover, const RuleBook& book, SimplifyOptions options)
    : impl_(std::make_unique<Impl>(prover, book, options)) {}
Simplifier::~Simplifier() = default;

Simplified Simplifier::simplify(Expr e, const std::vector<Expr>& facts) {
    impl_->steps = 0;
    impl_->cut = false;
    Simplified out;
    out.result = impl_->visit(e, impl_->intern(facts), out.chain);
    out.fixpoint = !impl_->cut;
    return out;
}

// Arguments, then the node, until neither changes.
Expr Simplifier::Impl::visit(Expr e, FactsId facts, Chain& chain) {
    if (e->args.empty() && !e->type.is_bool()) return e;
    const auto found = done.find(Key{e, facts});
    if (found != done.end()) {
        chain.insert(chain.end(), found->second.chain.begin(), found->second.chain.end());
        return found->second.result;
    }
    Chain own;
    Expr current = e;
    while (!cut) {
        current = visit_args(current, facts, own);
        Change c = change(current, facts);
        if (c.after == nullptr || c.after == current) break;
        if (options.keep_chain) own.push_back({std::move(c.rule), current, c.after});
        current = c.after;
        if (++steps >= options.step_limit) cut = true;
    }
    chain.insert(chain.end(), own.begin(), own.end());
    if (!cut) {
        if (current != e) done.emplace(Key{current, facts}, Done{current, {}});
        done.emplace(Key{e, facts}, Done{current, std::move(own)});
    }
    return current;
}

Expr Simplifier::Impl::visit_args(Expr e, FactsId facts, Chain& chain) {
    if (e->args.empty()) return e;
    std::vector<Expr> args(e->args.begin(), e->args.end());
    args[0] = visit(args[0], facts, chain);
    switch (e->op) {
        case Op::And: args[1] = visit(args[1], with_fact(facts, args[0]), chain); break;
        case Op::Or: args[1] = visit(args[1], with_fact(facts, ctx.not_(args[0])), chain); break;
        case Op::IfThenElse:
            args[1] = visit(args[1], with_fact(facts, args[0]), chain);
            args[2] = visit(args[2], with_fact(facts, ctx.not_(args[0])), chain);
            break;
        case Op::Let:
            args[1] = visit(args[1], without(facts, ctx.var(*e->name, e->var_type)), chain);
            break;
        default:
            for (std::size_t i = 1; i < args.size(); ++i) args[i] = visit(args[i], facts, chain);
    }
    return ir::with_args(ctx, e, std::move(args));
}

Change Simplifier::Impl::change(Expr e, FactsId facts) {
    Change c = fold(e);
    if (c.after == nullptr) c = inline_let(e);
    if (c.after == nullptr) c = spell_sum(e);
    if (c.after == nullptr) c = by_rules(e, facts);
    if (c.after == nullptr) c = by_facts(e, facts);
    return c;
}

Change Simplifier::Impl::fold(Expr e) {
    switch (e->op) {
        case Op::Let:
        case Op::Load:
        case Op::CallExtern:
        case Op::Defined:
        case Op::Same: return {};
        case Op::Math:
            // libm's value of the others need not be that of a back end.
            if (!ir::math_fn_info(e->math_fn()).exact) return {};
            break;
        default: break;
    }
    if (e->args.empty() || !std::all_of(e->args.begin(), e->args.end(), ir::is_const)) return {};
    std::vector<ir::Value> values;
    for (Expr a : e->args) values.push_back(*ir::constant_value(a));
    const ir::Evaluated out = ir::eval_op(*e, values);
    if (!out.ok()) return {};
    return {"fold-constants", ir::constant_expr(ctx, e->type, out.value)};
}

// A constant or a variable is definite and cannot fault: naming it changes nothing.
Change Simplifier::Impl::inline_let(Expr e) {
    if (e->op != Op::Let) return {};
    Expr value = e->arg(0);
    if (!ir::is_const(value) && value->op != Op::Var) return {};
    Expr var = ctx.var(*e->name, e->var_type);
    return {"inline-let", ir::substitute(ctx, e->arg(1), {{var, value}})};
}

namespace {

// (x // c) * (c*k) + (x % c) * k is x * k: the rule floordiv-floormod-scaled anywhere in a sum.
bool join_digits(ir::Context& ctx, LinearForm& form) {
    for (const LinearTerm& high : form.terms) {
        if (high.monomial->op != Op::FloorDiv || !ir::is_int_const(high.monomial->arg(1))) continue;
        const ir::Integer divisor(high.monomial->arg(1)->int_value());
        if (divisor.sign() <= 0 || !floormod(high.coefficient, divisor).is_zero()) continue;
        const ir::Integer scale = floordiv(high.coefficient, divisor);
        Expr low = ctx.make(Op::FloorMod, {high.monomial->arg(0), high.monomial->arg(1)});
        for (const LinearTerm& t : form.terms) {
            if (t.monomial != low || !(t.coefficient == scale)) continue;
            LinearForm whole = linear_form(ctx, low->arg(0));
            for (LinearTerm& w : whole.terms) w.coefficient = w.coefficient * scale;
            whole.constant = whole.constant * scale;
            const LinearForm digits{
                form.type, {{high.monomial, high.coefficient}, {low, scale}}, ir::Integer(0)};
            LinearForm sorted{form.type, {digits.terms[0]}, ir::Integer(0)};
            sorted = sorted.plus({form.type, {digits.terms[1]}, ir::Integer(0)});
            form = form.minus(sorted).plus(whole);
            return true;
        }
    }
    return false;
}

}  // namespace

Change Simplifier::Impl::spell_sum(Expr e) {
    if (!e->type.is_exact_int() || !is_sum_operator(e->op)) return {};
    LinearForm form = linear_form(ctx, e);
    const bool joined = join_digits(ctx, form);
    Expr spelled = to_expr(ctx, form);
    if (spelled == nullptr || spelled == e) return {};
    return {joined ? "floordiv-floormod-scaled" : "linear-form", spelled};
}

Change Simplifier::Impl::by_rules(Expr e, FactsId facts) {
    const Arranger arranger{ctx, book, [this, facts](Expr claim) { return proves(facts, claim); }};
    if (auto arranged = arranger.arrange(e); arranged && arranged->after != e) {
        return {arranged->rule, arranged->after};
    }
    struct Attempt {
        Impl& self;
        Expr e;
        FactsId facts;
        Change change;
    } attempt{*this, e, facts, {}};
    book.matcher().match(e, [&attempt](const RuleInstance& rule, const Bindings& bindings) {
        Impl& self = attempt.self;
        if (!rule.rule->licences.empty()) return false;
        const auto needs = build_needs(self.ctx, rule, bindings);
        if (!needs) return false;
        for (Expr need : *needs) {
            if (!self.proves(attempt.facts, need)) return false;
        }
        Expr after = build(self.ctx, rule.right, bindings);
        if (after == nullptr || after == attempt.e) return false;
        attempt.change = {std::string(rule.rule->name), after};
        return true;
    });
    return attempt.change;
}

Change Simplifier::Impl::by_facts(Expr e, FactsId facts) {
    if (!is_claim(e)) return {};
    if (proves(facts, e)) return {"known-fact", ctx.true_()};
    if (proves(facts, ctx.not_(e))) return {"known-fact", ctx.false_()};
    return {};
}

}  // namespace proviso::rewrite
