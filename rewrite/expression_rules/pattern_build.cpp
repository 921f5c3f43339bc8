#include "rewrite/expression_rules/pattern_build.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "analysis/facts/formula.h"
#include "ir/children.h"

namespace proviso::rewrite {

using ir::Evaluated;
using ir::Expr;
using ir::Op;

namespace {

using Narrow = std::int64_t;

bool fits(ir::ScalarType type, Narrow value) {
    if (type.is_bool()) return value == 0 || value == 1;
    if (type.bits >= 64) return type.is_signed() || value >= 0;
    return type.contains(value);
}

}  // namespace

bool narrow_constant(Expr pattern, const Bindings& bindings, Narrow& out) {
    if (pattern->args.empty()) {
        Expr e = pattern->op == Op::Var ? bindings.terms[static_cast<std::size_t>(slot_of(pattern))]
                                        : pattern;
        out = e->bits;
        // A literal is in its type's range; only of uint64 it need not be one of int64.
        return e->op == Op::IntImm && (out >= 0 || e->type.is_signed());
    }
    if (pattern->type.is_float()) return false;
    Narrow a = 0;
    Narrow b = 0;
    if (pattern->args.size() > 2 || !narrow_constant(pattern->arg(0), bindings, a)) return false;
    if (pattern->op == Op::And || pattern->op == Op::Or) {
        const bool decided = (a != 0) == (pattern->op == Op::Or);
        out = a;
        return decided || narrow_constant(pattern->arg(1), bindings, out);
    }
    if (pattern->args.size() == 2 && !narrow_constant(pattern->arg(1), bindings, b)) return false;
    switch (pattern->op) {
        case Op::Not: out = a == 0 ? 1 : 0; return true;
        case Op::Eq: out = a == b ? 1 : 0; return true;
        case Op::Ne: out = a != b ? 1 : 0; return true;
        case Op::Lt: out = a < b ? 1 : 0; return true;
        case Op::Le: out = a <= b ? 1 : 0; return true;
        case Op::Min: out = std::min(a, b); return true;
        case Op::Max: out = std::max(a, b); return true;
        case Op::Neg: return !__builtin_sub_overflow(0, a, &out) && fits(pattern->type, out);
        case Op::Add: return !__builtin_add_overflow(a, b, &out) && fits(pattern->type, out);
        case Op::Sub: return !__builtin_sub_overflow(a, b, &out) && fits(pattern->type, out);
        case Op::Mul: return !__builtin_mul_overflow(a, b, &out) && fits(pattern->type, out);
        case Op::FloorDiv:
            if (b <= 0) return false;
            out = a / b - (a % b < 0 ? 1 : 0);
            return true;
        case Op::FloorMod:
            if (b <= 0) return false;
            out = a % b + (a % b < 0 ? b : 0);
            return true;
        default: return false;
    }
}

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
    Narrow known = 0;
    if (narrow_constant(rule.where, bindings, known)) return known != 0;
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
    Narrow known = 0;
    if (narrow_constant(pattern, bindings, known)) return ctx.int_imm(pattern->type, known);
    const Evaluated e = constant_under(pattern, bindings);
    return e.ok() ? ir::constant_expr(ctx, pattern->type, e.value) : nullptr;
}

}  // namespace

Expr build(ir::Context& ctx, Expr pattern, const Bindings& bindings) {
    if (pattern->op == Op::Var) return bindings.terms[static_cast<std::size_t>(slot_of(pattern))];
    if (pattern->args.empty()) return copy_leaf(ctx, pattern);
    if (is_constant_pattern(pattern)) return build_constant(ctx, pattern, bindings);
    std::array<Expr, 3> args{};
    const std::size_t count = pattern->args.size();
    for (std::size_t i = 0; i < count; ++i) {
        args[i] = build(ctx, pattern->arg(i), bindings);
        if (args[i] == nullptr) return nullptr;
    }
    return ir::with_args(ctx, pattern, std::span<const Expr>(args.data(), count));
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
