#include "rewrite/expression_rules/schema.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/facts/formula.h"
#include "ir/children.h"
#include "rewrite/expression_rules/laws.h"
#include "rewrite/expression_rules/pattern_build.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

namespace {

// A load that may be out of bounds, and so fault, and whose cell may be indeterminate.
Expr free_load(ir::Context& ctx, const std::string& name, ScalarType type, Expr at) {
    ir::Buffer cells = ctx.buffer(name, type, {ctx.i32(1)});
    return ctx.load(cells, {at});
}

// What formula.h is asked about in place of the pattern variable `name`: in exact integers what is
// in range wherever it is evaluated, or a product, which is definite and of any size.
Expr stand_in(ir::Context& ctx, const std::string& name, ScalarType type) {
    Expr at = ctx.var(name + "_at", ir::kInt32);
    Expr load = free_load(ctx, name + "_cell", type, at);
    if (!type.is_exact_int()) return load;
    return ctx.if_then_else(ctx.var(name + "_fits", ir::kBool), load, ctx.mul(load, load));
}

// The terms of a float sum, each with its sign, in an order of their own.
std::vector<std::pair<Expr, bool>> summands(Expr e, bool negative) {
    if (e->type.is_float() && (e->op == Op::Add || e->op == Op::Sub)) {
        auto out = summands(e->arg(0), negative);
        const bool subtracted = e->op == Op::Sub;
        for (const auto& term : summands(e->arg(1), negative != subtracted)) out.push_back(term);
        return out;
    }
    if (e->type.is_float() && e->op == Op::Neg) return summands(e->arg(0), !negative);
    return {{e, negative}};
}

bool same_summands(Expr a, Expr b) {
    auto left = summands(a, false);
    auto right = summands(b, false);
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    return left == right;
}

class Schema {
  public:
    Schema(ir::Context& ctx, const RuleInstance& rule) : ctx_(ctx), rule_(rule) {
        for (Expr v : ir::free_vars(rule.left)) bind(v);
    }

    analysis::Obligation obligation() {
        analysis::Obligation out;
        out.purpose.words = "rule " + std::string(rule_.rule->name) + " for " + rule_.kind.str();
        const Expr left = build(ctx_, rule_.left, bindings_);
        const Expr right = with_computed_constants(rule_.right, out.facts);
        if (rule_.where != nullptr) {
            out.facts.push_back(plain(rule_.where));
            const Expr evaluates = where_evaluates(ctx_, out.facts.back());
            if (!ir::is_true(evaluates)) out.facts.push_back(evaluates);
        }
        for (const Need& need : rule_.needs) {
            Expr e = with_computed_constants(need.pattern, out.facts);
            out.facts.push_back(generalise(need_claim(ctx_, need, e)));
        }
        for (Expr fits : fits_) out.facts.push_back(fits);
        out.facts.push_back(generalise(analysis::no_fault(ctx_, left)));
        for (const LawUse& use : rule_.lemmas) out.facts.push_back(instance(use));
        agreement_ = agreement(generalise(left), generalise(right));
        const Expr agree = ctx_.all_of({generalise(analysis::definite(ctx_, right)), agreement_});
        const Expr definite_left = generalise(analysis::definite(ctx_, left));
        out.goal = ctx_.all_of(
            {generalise(analysis::no_fault(ctx_, right)),
             ir::is_true(definite_left) ? agree : ctx_.or_(ctx_.not_(definite_left), agree)});
        out.unbounded = unbounded_;
        return out;
    }

    RuleSteps steps() {
        RuleSteps out;
        out.rest = obligation();
        out.agreement = {
            {.words = out.rest.purpose.words + ": the sides agree"}, {}, agreement_, unbounded_};
        for (Expr f : ir::conjuncts(out.rest.facts)) {
            if (of_values_only(f)) out.agreement.facts.push_back(f);
        }
        out.rest.facts.push_back(agreement_);
        return out;
    }

  private:
    // Speaks neither of definiteness nor of where a stand-in faults.
    bool of_values_only(Expr fact) const {
        if (ir::has_op(fact, Op::Defined)) return false;
        const std::vector<Expr> used = ir::free_vars(fact);
        return std::none_of(used.begin(), used.end(), [&](Expr v) {
            return std::find(places_.begin(), places_.end(), v) != places_.end();
        });
    }

    Expr agreement(Expr left, Expr right) {
        if (rule_.licensed("reassociate")) {
            // Over the patterns: a computed constant is the sum of its parts.
            return ctx_.bool_imm(same_summands(rule_.left, rule_.right));
        }
        const Expr same = ctx_.same(left, right);
        const bool zeros = left->type.is_float() && rule_.licensed("no_signed_zero");
        return zeros ? ctx_.or_(same, ctx_.eq(left, right)) : same;
    }

    Expr instance(const LawUse& use) {
        std::vector<Expr> args;
        for (Expr a : use.args) args.push_back(value_of(a));
        return law_instance(ctx_, *find_law(use.law), rule_.kind, args);
    }

    // A term of a lemma: variables for stand-ins, the computed constants that the rule has.
    Expr value_of(Expr pattern) {
        const auto found = computed_.find(pattern);
        if (found != computed_.end()) return found->second;
        if (pattern->args.empty()) return plain(pattern);
        std::vector<Expr> args;
        for (Expr a : pattern->args) args.push_back(value_of(a));
        return ir::with_args(ctx_, pattern, args);
    }

    void bind(Expr pattern_variable) {
        const int slot = slot_of(pattern_variable);
        const std::string& name = *pattern_variable->name;
        Expr variable = ctx_.var(name, pattern_variable->type);
        Expr& term = bindings_.terms[static_cast<std::size_t>(slot)];
        if (is_constant_slot(slot)) {
            term = variable;
            return;
        }
        term = stand_in(ctx_, name, variable->type);
        places_.push_back(ctx_.var(name + "_at", ir::kInt32));
        becomes_[term] = variable;
        if (!variable->type.is_exact_int()) return;
        unbounded_.push_back(variable);
        Expr fits = term->arg(0);
        Expr of_any_size = term->arg(2);
        places_.push_back(fits);
        becomes_[of_any_size] = variable;
        fits_.push_back(ctx_.implies(fits, generalise(analysis::in_range(ctx_, of_any_size))));
    }

    // A constant pattern as mathematics: no stand-ins in it, nothing computed.
    Expr plain(Expr pattern) {
        if (pattern->op == Op::Var) return ctx_.var(*pattern->name, pattern->type);
        if (pattern->args.empty()) return build(ctx_, pattern, bindings_);
        std::vector<Expr> args;
        for (Expr a : pattern->args) args.push_back(plain(a));
        return ir::with_args(ctx_, pattern, args);
    }

    // The pattern under the bindings; each operator over constants only becomes a variable that is
    // equal to it.
    Expr with_computed_constants(Expr pattern, std::vector<Expr>& facts) {
        if (pattern->args.empty()) return build(ctx_, pattern, bindings_);
        if (is_constant_pattern(pattern)) {
            const auto [at, is_new] = computed_.emplace(pattern, nullptr);
            if (!is_new) return at->second;
            const std::string name = "k" + std::to_string(computed_.size() - 1);
            Expr constant = ctx_.var(name, pattern->type);
            at->second = constant;
            // One value, not an equal one: -0.0 is not 0.0.
            const bool is_float = pattern->type.is_float();
            facts.push_back(is_float ? ctx_.same(constant, plain(pattern))
                                     : ctx_.eq(constant, plain(pattern)));
            return constant;
        }
        std::vector<Expr> args;
        for (Expr a : pattern->args) args.push_back(with_computed_constants(a, facts));
        return ir::with_args(ctx_, pattern, args);
    }

    // Each stand-in's value becomes its variable; Defined atoms and bounds of its index stay.
    Expr generalise(Expr e) {
        const auto found = becomes_.find(e);
        if (found != becomes_.end()) return found->second;
        if (e->op == Op::Defined || e->args.empty()) return e;
        PROVISO_CHECK(e->op != Op::Load, "a schema looks into a stand-in");
        std::vector<Expr> args;
        for (Expr a : e->args) args.push_back(generalise(a));
        Expr out = ir::with_args(ctx_, e, args);
        becomes_[e] = out;
        return out;
    }

    ir::Context& ctx_;
    const RuleInstance& rule_;
    Bindings bindings_;
    std::unordered_map<Expr, Expr> becomes_;
    std::vector<Expr> unbounded_;
    std::vector<Expr> fits_;                   // what stand-ins in range are
    std::vector<Expr> places_;                 // where the stand-ins are read, and which kind
    std::unordered_map<Expr, Expr> computed_;  // constant patterns, and their variables
    Expr agreement_ = nullptr;
};

}  // namespace

analysis::Obligation rule_schema(ir::Context& ctx, const RuleInstance& rule) {
    return Schema(ctx, rule).obligation();
}

Expr where_evaluates(ir::Context& ctx, Expr where) {
    std::vector<Expr> out;
    for (Expr part : ir::conjuncts(where)) {  // all are evaluated, since `where` is true
        bool bits = false;
        ir::for_each_node(
            part, [&](Expr e) { bits = bits || ir::op_info(e->op).op_class == ir::OpClass::Bits; });
        if (bits) out.push_back(analysis::no_fault(ctx, part));
    }
    return ctx.all_of(out);
}

RuleSteps rule_steps(ir::Context& ctx, const RuleInstance& rule) {
    return Schema(ctx, rule).steps();
}

}  // namespace proviso::rewrite
