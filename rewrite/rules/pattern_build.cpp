#include "rewrite/rules/pattern_build.h"

#include "analysis/formula.h"
#include "ir/children.h"

namespace proviso::rewrite {

using ir::Evaluated;
using ir::Expr;
using ir::Op;

Evaluated constant_under(Expr pattern, const Bindings& bindings) {
    if (pattern->op == Op::Var) {
        const auto slot = static_cast<std::size_t>(slot_of(pattern));
        return *ir::constant_value(bindings.terms[slot]);
    }
    std::array<ir::Value, 3> args;
    for (std::size_t i = 0; i < pattern->args.size(); ++i) {
        Evaluated a = constant_under(pattern->arg(i), bindings);
        if (!a.ok()) return a;
        const bool decides = (pattern->op == Op::And && !a.value.truth()) ||
                             (pattern->op == Op::Or && a.value.truth());
        if (decides) return a;
        args[i] = std::move(a.value);
    }
    return ir::eval_op(*pattern, std::span<const ir::Value>(args.data(), pattern->args.size()));
}

bool where_holds(const RuleInstance& rule, const Bindings& bindings) {
    if (rule.where == nullptr) return true;
    const Evaluated e = constant_under(rule.where, bindings);
    return e.ok() && e.value.truth();
}

namespace {

// A leaf of the patterns' context, made anew in `ctx`.
Expr copy_leaf(ir::Context& ctx, Expr leaf) {
    if (leaf->op == Op::IntImm) return ctx.int_imm(leaf->type, leaf->int_value());
    PROVISO_CHECK(leaf->op == Op::FloatImm, "a pattern with a strange leaf");
    return ctx.float_imm(leaf->type, leaf->float_value());
}

Expr build_constant(ir::Context& ctx, Expr pattern, const Bindings& bindings) {
    const Evaluated e = constant_under(pattern, bindings);
    return e.ok() ? ir::constant_expr(ctx, pattern->type, e.value) : nullptr;
}

}  // namespace

Expr build(ir::Context& ctx, Expr pattern, const Bindings& bindings) {
    if (pattern->op == Op::Var) return bindings.terms[static_cast<std::size_t>(slot_of(pattern))];
    if (pattern->args.empty()) return copy_leaf(ctx, pattern);
    if (is_constant_pattern(pattern)) return build_constant(ctx, pattern, bindings);
    std::vector<Expr> args;
    args.reserve(pattern->args.size());
    for (Expr a : pattern->args) {
        Expr built = build(ctx, a, bindings);
        if (built == nullptr) return nullptr;
        args.push_back(built);
    }
    return ir::with_args(ctx, pattern, std::move(args));
}

std::optional<std::vector<Expr>> build_needs(ir::Context& ctx, const RuleInstance& rule,
                                             const Bindings& bindings) {
    std::vector<Expr> out;
    for (const Need& need : rule.needs) {
        Expr e = build(ctx, need.pattern, bindings);
        if (e == nullptr) return std::nullopt;
        out.push_back(need_claim(ctx, need, e));
    }
    return out;
}

Expr need_claim(ir::Context& ctx, const Need& need, Expr e) {
    if (need.definite) return analysis::definite(ctx, e);
    return need.in_range ? analysis::in_range(ctx, e) : e;
}

}  // namespace proviso::rewrite
