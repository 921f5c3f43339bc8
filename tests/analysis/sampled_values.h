// An evaluator of formulas over integers and booleans, for property tests: written apart from
// everything that it tests. Exact integers are of any size, wrapping ones wrap, a division by zero
// or a shift out of range has no value.
#pragma once

#include <optional>
#include <unordered_map>

#include "ir/context.h"

namespace proviso::analysis {

class SampledValues {
  public:
    using Value = std::optional<ir::Int128>;

    std::unordered_map<ir::Expr, ir::Int128> variables;

    Value operator()(ir::Expr e) const {
        using ir::Op;
        switch (e->op) {
            case Op::IntImm: return e->int_value();
            case Op::Var: return variables.at(e);
            case Op::Not: return map(e, [](ir::Int128 a) { return a == 0 ? 1 : 0; });
            case Op::Neg: return in_type(e, map(e, [](ir::Int128 a) { return -a; }));
            case Op::Cast: return cast(e);
            case Op::And:
            case Op::Or: return connective(e);
            case Op::Select:
            case Op::IfThenElse: {
                const Value c = (*this)(e->arg(0));
                return c ? (*this)(e->arg(*c != 0 ? 1 : 2)) : Value();
            }
            case Op::Math: return map(e, [](ir::Int128 a) { return a < 0 ? -a : a; });
            default: break;
        }
        if (e->args.size() != 2) return std::nullopt;
        const Value a = (*this)(e->arg(0));
        const Value b = (*this)(e->arg(1));
        if (!a || !b) return std::nullopt;
        return in_type(e, binary(e, *a, *b));
    }

  private:
    template <typename F>
    Value map(ir::Expr e, F f) const {
        const Value a = (*this)(e->arg(0));
        return a ? Value(f(*a)) : std::nullopt;
    }

    // False beside what has no value is false, true likewise.
    Value connective(ir::Expr e) const {
        const ir::Int128 decides = e->op == ir::Op::Or ? 1 : 0;
        const Value a = (*this)(e->arg(0));
        if (a && *a == decides) return decides;
        const Value b = (*this)(e->arg(1));
        if (b && *b == decides) return decides;
        return a && b ? Value(1 - decides) : std::nullopt;
    }

    static Value wrap(ir::Int128 value, ir::ScalarType type) {
        const ir::Int128 modulus = ir::Int128{1} << type.bits;
        ir::Int128 r = (value - type.min_value()) % modulus;
        if (r < 0) r += modulus;
        return r + type.min_value();
    }

    static Value in_type(ir::Expr e, Value value) {
        if (!value || !e->type.is_wrapping_int()) return value;
        return wrap(*value, e->type);
    }

    Value cast(ir::Expr e) const {
        const Value a = (*this)(e->arg(0));
        if (!a) return std::nullopt;
        if (e->type.is_bool()) return *a != 0 ? 1 : 0;
        const ir::ScalarType from = e->arg(0)->type;
        const bool widens = from.is_exact_int() && e->type.is_exact_int();
        return widens && from.bits <= e->type.bits ? a : wrap(*a, e->type);
    }

    static Value binary(ir::Expr e, ir::Int128 a, ir::Int128 b) {
        using ir::Op;
        const ir::ScalarType type = e->arg(0)->type;
        const auto floor = [](ir::Int128 x, ir::Int128 y) {
            const ir::Int128 q = x / y;
            return x % y != 0 && ((x < 0) != (y < 0)) ? q - 1 : q;
        };
        switch (e->op) {
            case Op::Add: return a + b;
            case Op::Sub: return a - b;
            case Op::Mul: return a * b;
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::TruncDiv:
            case Op::TruncMod: {
                if (b == 0 || !type.contains(a) || !type.contains(b)) return std::nullopt;
                const bool floors = e->op == Op::FloorDiv || e->op == Op::FloorMod;
                const ir::Int128 q = floors ? floor(a, b) : a / b;
                if (!type.contains(q)) return std::nullopt;
                return e->op == Op::FloorDiv || e->op == Op::TruncDiv ? q : a - q * b;
            }
            case Op::Min: return b < a ? b : a;
            case Op::Max: return a < b ? b : a;
            case Op::Same:
            case Op::Eq: return a == b ? 1 : 0;
            case Op::Ne: return a != b ? 1 : 0;
            case Op::Lt: return a < b ? 1 : 0;
            case Op::Le: return a <= b ? 1 : 0;
            case Op::BitAnd:
            case Op::BitOr:
            case Op::BitXor:
                if (!type.contains(a) || !type.contains(b)) return std::nullopt;
                return e->op == Op::BitAnd ? a & b : e->op == Op::BitOr ? a | b : a ^ b;
            case Op::Shl:
            case Op::Shr:
                if (b < 0 || b >= type.bits || !type.contains(a)) return std::nullopt;
                return e->op == Op::Shl ? a * (ir::Int128{1} << b) : a >> b;
            default: return std::nullopt;
        }
    }
};

}  // namespace proviso::analysis
