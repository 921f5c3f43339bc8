#include "rewrite/rules/schema.h"

#include <functional>
#include <unordered_map>

#include "analysis/formula.h"
#include "ir/children.h"
#include "rewrite/rules/pattern_build.h"

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

// What formula.h is asked about in place of the pattern variable `name`.
Expr stand_in(ir::Context& ctx, const std::string& name, ScalarType type) {
    Expr at = ctx.var(name + "_at", ir::kInt32);
    Expr load = free_load(ctx, name + "_cell", type, at);
    if (!type.is_exact_int()) return load;
    return ctx.mul(load, free_load(ctx, name + "_unobserved", type, at));
}

class Schema {
  public:
    Schema(ir::Context& ctx, const RuleInstance& rule) : ctx_(ctx), rule_(rule) {
        for (Expr v : ir::free_vars(rule.left)) bind(v);
    }

    analysis::Obligation obligation() {
        analysis::Obligation out;
        out.purpose = "rule " + std::string(rule_.rule->name) + " for " + rule_.kind.str();
        const Expr left = build(ctx_, rule_.left, bindings_);
        const Expr right = with_computed_constants(rule_.right, out.facts);
        if (rule_.where != nullptr) out.facts.push_back(plain(rule_.where));
        for (const Need& need : rule_.needs) {
            Expr e = with_computed_constants(need.pattern, out.facts);
            out.facts.push_back(generalise(need.in_range ? analysis::in_range(ctx_, e) : e));
        }
        out.facts.push_back(generalise(analysis::no_fault(ctx_, left)));
        const Expr agree = ctx_.all_of({generalise(analysis::definite(ctx_, right)),
                                        ctx_.same(generalise(left), generalise(right))});
        const Expr definite_left = generalise(analysis::definite(ctx_, left));
        out.goal = ctx_.all_of(
            {generalise(analysis::no_fault(ctx_, right)),
             ir::is_true(definite_left) ? agree : ctx_.or_(ctx_.not_(definite_left), agree)});
        out.unbounded = unbounded_;
        return out;
    }

  private:
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
        becomes_[term] = variable;
        if (variable->type.is_exact_int()) unbounded_.push_back(variable);
    }

    // A constant pattern as mathematics: no stand-ins in it, nothing computed.
    Expr plain(Expr pattern) {
        if (pattern->op == Op::Var) return ctx_.var(*pattern->name, pattern->type);
        if (pattern->args.empty()) return build(ctx_, pattern, bindings_);
        std::vector<Expr> args;
        for (Expr a : pattern->args) args.push_back(plain(a));
        return ir::with_args(ctx_, pattern, std::move(args));
    }

    // The pattern under the bindings; each operator over constants only becomes a variable that is
    // equal to it.
    Expr with_computed_constants(Expr pattern, std::vector<Expr>& facts) {
        if (pattern->args.empty()) return build(ctx_, pattern, bindings_);
        if (is_constant_pattern(pattern)) {
            const std::string name = "k" + std::to_string(computed_++);
            Expr constant = ctx_.var(name, pattern->type);
            facts.push_back(ctx_.eq(constant, plain(pattern)));
            return constant;
        }
        std::vector<Expr> args;
        for (Expr a : pattern->args) args.push_back(with_computed_constants(a, facts));
        return ir::with_args(ctx_, pattern, std::move(args));
    }

    // Each stand-in's value becomes its variable; Defined atoms and bounds of its index stay.
    Expr generalise(Expr e) {
        const auto found = becomes_.find(e);
        if (found != becomes_.end()) return found->second;
        if (e->op == Op::Defined || e->args.empty()) return e;
        PROVISO_CHECK(e->op != Op::Load, "a schema looks into a stand-in");
        std::vector<Expr> args;
        for (Expr a : e->args) args.push_back(generalise(a));
        Expr out = ir::with_args(ctx_, e, std::move(args));
        becomes_[e] = out;
        return out;
    }

    ir::Context& ctx_;
    const RuleInstance& rule_;
    Bindings bindings_;
    std::unordered_map<Expr, Expr> becomes_;
    std::vector<Expr> unbounded_;
    int computed_ = 0;
};

}  // namespace

analysis::Obligation rule_schema(ir::Context& ctx, const RuleInstance& rule) {
    return Schema(ctx, rule).obligation();
}

PlainSides plain_sides(ir::Context& ctx, const RuleInstance& rule) {
    const std::function<Expr(Expr)> copy = [&](Expr pattern) -> Expr {
        if (pattern->op == Op::Var) return ctx.var(*pattern->name, pattern->type);
        if (pattern->args.empty()) return build(ctx, pattern, Bindings{});
        std::vector<Expr> args;
        for (Expr a : pattern->args) args.push_back(copy(a));
        return ir::with_args(ctx, pattern, std::move(args));
    };
    return {copy(rule.left), copy(rule.right)};
}

}  // namespace proviso::rewrite
