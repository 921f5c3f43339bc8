#include "rewrite/expression_rules/measure.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

struct OperatorWeight {
    std::int64_t factor;
    std::int64_t constant;
};

// The choices below are what orients the tables: min and max weigh less than the choice or the
// comparison they come from, `not` doubles so that it moves inwards and away, truncating divisions
// weigh more than flooring ones, == and != less than an order.
// On truth values what may turn into `not` doubles too.
OperatorWeight first_weight(Expr e) {
    const std::int64_t doubled = e->args.back()->type.is_bool() ? 2 : 1;
    switch (e->op) {
        case Op::FloorDiv:
        case Op::FloorMod: return {2, 2};
        case Op::TruncDiv:
        case Op::TruncMod: return {2, 3};
        case Op::Not: return {2, 0};
        case Op::Neg: return {1, 0};
        case Op::Lt:
        case Op::Le: return {1, 2};
        case Op::Eq:
        case Op::Ne: return {doubled, 1};
        case Op::Select:
        case Op::IfThenElse: return {2, 4};
        // More than the remainder that a mask becomes, and the product that a shift becomes.
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return {2, 5};
        case Op::Min:
        case Op::Max: return {1, 1};
        case Op::Cast: return {doubled, 3};
        default: return {1, 0};
    }
}

OperatorWeight second_weight(Expr e) {
    switch (e->op) {
        case Op::Mul: return {2, 0};
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return {2, 1};
        case Op::Shl:
        case Op::Shr: return {2, 1};
        case Op::Math: return {1, 3};
        case Op::Neg: return {1, 2};
        case Op::Not: return {2, 0};
        case Op::Sub: return {1, 2};
        default: return {1, 1};
    }
}

Weight weigh(Expr pattern, std::int64_t constant, OperatorWeight (*weight_of)(Expr)) {
    Weight out;
    if (pattern->op == Op::Var && !is_constant_slot(slot_of(pattern))) {
        out.factors[static_cast<std::size_t>(slot_of(pattern))] = 1;
        return out;
    }
    if (is_constant_pattern(pattern)) {
        out.constant = constant;
        return out;
    }
    const OperatorWeight op = weight_of(pattern);
    out.constant = op.constant;
    for (Expr a : pattern->args) {
        const Weight w = weigh(a, constant, weight_of);
        out.constant += op.factor * w.constant;
        for (std::size_t i = 0; i < w.factors.size(); ++i) {
            out.factors[i] += op.factor * w.factors[i];
        }
    }
    return out;
}

}  // namespace

std::optional<std::int64_t> Weight::least_over(const Weight& other, std::int64_t least_size) const {
    std::int64_t out = constant - other.constant;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const std::int64_t factor = factors[i] - other.factors[i];
        if (factor < 0) return std::nullopt;
        out += factor * least_size;
    }
    return out;
}

Weight first_measure(Expr pattern) {
    return weigh(pattern, 1, first_weight);
}

Weight second_measure(Expr pattern) {
    return weigh(pattern, 0, second_weight);
}

bool is_decreasing(Expr before, Expr after) {
    const auto first = first_measure(before).least_over(first_measure(after), 1);
    if (!first || *first < 0) return false;
    if (*first > 0) return true;
    const auto second = second_measure(before).least_over(second_measure(after), 0);
    return second && *second > 0;
}

bool is_decreasing(const RuleInstance& rule) {
    return is_decreasing(rule.left, rule.right);
}

}  // namespace proviso::rewrite
