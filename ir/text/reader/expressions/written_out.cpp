// Functions of integers that TVM has an intrinsic for, written out in the operators that there are.
// An operand that is used more than once is bound to a name by a let.
#include "ir/text/reader/expressions/expr_binder.h"

namespace proviso::ir {

using python::Node;

namespace {

// 0x55…, 0x33…, 0x0f…: `count` low bits of every `2 * count`.
Int128 low_bits_of_pairs(int width, int count) {
    Int128 mask = 0;
    for (int i = 0; i < width; ++i) {
        if (i % (2 * count) < count) mask |= Int128{1} << i;
    }
    return mask;
}

}  // namespace

// `body` of the value, which is computed once.
Expr ExprBinder::named(const std::string& name, Expr value, const std::function<Expr(Expr)>& body) {
    if (value->args.empty() && value->op != Op::Load) return body(value);
    const std::size_t mark = names_.mark();
    Expr var = names_.bind_let(ctx_, name, value->type);
    Expr inner = body(var);
    names_.release(mark);
    return ctx_.let(var, value, inner);
}

// Of an unsigned value below 2**(2 * half), how many of these bits stand before its first 1. Where
// the upper half of the bits is 0, these are `half` bits and those before the 1 of the lower half;
// else the lower half plays no part.
Expr ExprBinder::leading_zeros(Expr value, std::int64_t half) {
    const ScalarType type = value->type;
    if (half == 0) return ctx_.sub(ctx_.i32(1), ctx_.cast(kInt32, value));
    Expr is_low = ctx_.lt(value, ctx_.int_imm(type, Int128{1} << half));
    Expr upper = ctx_.make(Op::Shr, {value, ctx_.int_imm(type, half)});
    Expr rest = named("bits", ctx_.select(is_low, value, upper),
                      [&](Expr bits) { return leading_zeros(bits, half / 2); });
    return ctx_.add(ctx_.select(is_low, ctx_.i32(half), ctx_.i32(0)), rest);
}

// T.clz(x) is int32, and 32 or 64 of 0, for which TVM promises nothing; T.popcount(x) has the type
// of x.
Expr ExprBinder::bind_bit_count(const Node& node, const std::string& name) {
    check_arguments(node, 1, 1);
    Expr x = bind(node.items[1]);
    const ScalarType type = x->type;
    if (!type.is_int()) {
        wrong(node.items[1], "`T." + name + "` takes integers, not " + type.str());
    }
    if (name == "clz" && type.bits < 32) {
        no_meaning(node, "`T.clz` of " + type.str() + " has no meaning here",
                   "TVM defines it for 32 and 64 bits: cast before");
    }
    const ScalarType plain = type.is_signed() ? ScalarType{TypeCode::UInt, type.bits} : type;
    Expr unsigned_x = type == plain ? x : ctx_.cast(plain, x);
    if (name == "clz") {
        return named("bits", unsigned_x,
                     [&](Expr bits) { return leading_zeros(bits, type.bits / 2); });
    }
    // Each pass adds neighbours: counts of 2 bits, then of 4, … From 8 on a count has room for all.
    const auto number = [&](Int128 value) { return ctx_.int_imm(plain, value); };
    const auto pass = [&](Expr bits, int count) {
        Expr above = ctx_.make(Op::Shr, {bits, number(count)});
        if (count >= 8) return ctx_.add(bits, above);
        Expr mask = number(low_bits_of_pairs(type.bits, count));
        return ctx_.add(ctx_.make(Op::BitAnd, {bits, mask}), ctx_.make(Op::BitAnd, {above, mask}));
    };
    const std::function<Expr(Expr, int)> total = [&](Expr bits, int count) {
        if (count < type.bits) {
            return named("bits", pass(bits, count),
                         [&](Expr sums) { return total(sums, 2 * count); });
        }
        // Above the total stand counts of parts. That it is not above the width is plain to see
        // with T.min, and hard to prove without.
        Expr low = ctx_.make(Op::BitAnd, {bits, number(2 * Int128{type.bits} - 1)});
        return ctx_.min(low, number(type.bits));
    };
    Expr sum = named("bits", unsigned_x, [&](Expr bits) { return total(bits, 1); });
    return type == plain ? sum : ctx_.cast(type, sum);
}

// T.q_multiply_shift(x, y, q, s), T.q_multiply_shift_per_axis(x, y, left, right, q, is_left,
// is_right): x * y * 2**(s - q), rounded to the nearest integer, halves up, as TVM's default rule
// computes it in int64. A multiplier of 2**30 has an arithmetic of its own there, in int32.
Expr ExprBinder::bind_fixed_point(const Node& node, const std::string& name) {
    const bool per_axis = name == "q_multiply_shift_per_axis";
    const std::size_t count = per_axis ? 7 : 4;
    if (!per_axis && name != "q_multiply_shift") unknown_call(node, "T." + name);
    check_arguments(node, count, count);
    const auto operand = [&](std::size_t place) {
        const Node& written = node.items[place];
        Expr e = bind(written, kInt32);
        if (e->type != kInt32) {
            no_meaning(written, "`T." + name + "` of " + e->type.str() + " has no meaning here",
                       "TVM defines it for int32");
        }
        return e;
    };
    const Expr zero = ctx_.i32(0);
    const Expr x = operand(1);
    const Expr y = operand(2);
    const Expr q = operand(per_axis ? 5 : 3);
    Expr left = zero;
    Expr right = zero;
    Expr is_left = ctx_.true_();
    if (per_axis) {
        left = operand(3);
        right = operand(4);
        is_left = bind_typed(node.items[6], kBool, "whether it shifts left");
        bind_typed(node.items[7], kBool, "whether it shifts right");
    } else {
        const Expr s = operand(4);
        if (!is_int_const(y)) {
            no_meaning(node.items[2], "a multiplier that is no number has no meaning here",
                       "TVM has T.q_multiply_shift_per_axis for it");
        }
        const bool half = y->int_value() == Int128{1} << 30;
        if (half && !is_int_const(s)) {
            no_meaning(node.items[4], "a shift that is no number has no meaning with 2**30 here",
                       "TVM asks for a number there");
        }
        if (half) {
            const auto shift = static_cast<std::int64_t>(s->int_value() - 1);
            if (shift == 0 || shift > 31 || shift < -31) {
                no_meaning(node.items[4], "this shift of a multiplier of 2**30 has no meaning",
                           "TVM would shift by less than 0, or by more bits than there are");
            }
            if (shift > 0) return ctx_.make(Op::Shl, {x, ctx_.i32(shift)});
            Expr rounded = ctx_.add(x, ctx_.i32(std::int64_t{1} << (-shift - 1)));
            return ctx_.make(Op::Shr, {rounded, ctx_.i32(-shift)});
        }
        if (is_int_const(s)) {
            const Int128 bits = s->int_value() > 0 ? s->int_value() : -s->int_value();
            if (bits > 63) no_meaning(node.items[4], "a shift by more than 63 bits has no meaning");
            (s->int_value() > 0 ? left : right) = ctx_.int_imm(kInt32, bits);
        } else {
            left = ctx_.max(s, zero);
            right = ctx_.max(ctx_.neg(s), zero);
        }
    }
    const bool known = is_int_const(right) && is_int_const(q);
    const Int128 by = known ? right->int_value() + q->int_value() : 1;
    if (by < 1 || by > 63) {
        no_meaning(node, "a shift to the right by " + std::to_string(static_cast<long long>(by)) +
                             " bits has no meaning here");
    }
    const auto wide = [&](Expr e) {
        return is_int_const(e) ? ctx_.int_imm(kInt64, e->int_value()) : ctx_.cast(kInt64, e);
    };
    Expr factor = wide(x);
    const bool shifts = !is_int_const(left, 0) && !is_false(is_left);
    if (shifts) {
        Expr shifted = ctx_.make(Op::Shl, {factor, wide(left)});
        factor = is_true(is_left) ? shifted : ctx_.if_then_else(is_left, shifted, factor);
    }
    Expr total =
        known ? ctx_.int_imm(kInt64, by) : wide(is_int_const(right, 0) ? q : ctx_.add(right, q));
    Expr half = known ? ctx_.int_imm(kInt64, Int128{1} << static_cast<int>(by - 1))
                      : ctx_.make(Op::Shl, {ctx_.i64(1), ctx_.sub(total, ctx_.i64(1))});
    Expr product = ctx_.add(ctx_.mul(factor, wide(y)), half);
    return ctx_.cast(kInt32, ctx_.make(Op::Shr, {product, total}));
}

}  // namespace proviso::ir
