#include "fuzz/gen/values.h"

#include <algorithm>
#include <limits>

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;

double ValueGen::float_constant(ScalarType type) {
    const std::size_t kind = choice_.weighted({60, 8, 8, 4, 4, 16});
    switch (kind) {
        case 0: return static_cast<double>(choice_.between(-8, 8));
        case 1: return 0.0;
        case 2: return -0.0;
        case 3: return std::numeric_limits<double>::infinity();
        case 4: return round_to_type(type, 1e-40);  // subnormal, or zero in a narrow type
        default: return round_to_type(type, static_cast<double>(choice_.between(-40, 40)) / 8.0);
    }
}

Int128 ValueGen::int_constant(ScalarType type) {
    if (choice_.chance(8) && type.is_wrapping_int()) {
        return choice_.chance(50) ? type.max_value() : type.min_value();
    }
    const Int128 value = choice_.between(type.is_signed() ? -9 : 0, 9);
    return value;
}

std::optional<Expr> ValueGen::index_from(const Variable& v, const Extent& extent) {
    const Ranged x = v.value;
    const ScalarType type = x.value->type;
    if (type != extent.value->type) return std::nullopt;
    const auto fits = [&](const Ranged& r) { return r.lo >= 0 && r.hi < extent.lo; };
    switch (choice_.weighted({50, 12, 10, 12, 8, 8})) {
        case 0:
            if (v.below == extent.value || fits(x)) return x.value;
            return std::nullopt;
        case 1: {
            const Ranged r = add(ctx_, x, constant(ctx_, type, choice_.between(-2, 2)));
            if (fits(r)) return r.value;
            return std::nullopt;
        }
        case 2: {
            const Ranged r = divide(ctx_, Op::FloorDiv, x, choice_.between(1, 4));
            if (fits(r)) return r.value;
            return std::nullopt;
        }
        case 3: {  // any variable, folded into the extent
            const Ranged scaled = mul(ctx_, x, constant(ctx_, type, choice_.between(1, 3)));
            return divide(ctx_, Op::FloorMod, scaled, extent.lo).value;
        }
        case 4: {  // mirrored
            const Ranged r = sub(ctx_, constant(ctx_, type, extent.lo - 1), x);
            if (fits(r)) return r.value;
            return std::nullopt;
        }
        default: {
            const Ranged low = max(ctx_, x, constant(ctx_, type, 0));
            return min(ctx_, low, constant(ctx_, type, extent.lo - 1)).value;
        }
    }
}

Expr ValueGen::index(const Extent& extent) {
    for (int attempt = 0; attempt < 6 && !variables.empty(); ++attempt) {
        const auto found = index_from(choice_.pick(variables), extent);
        if (found) return *found;
    }
    return ctx_.int_imm(extent.value->type, choice_.between(0, static_cast<int>(extent.lo) - 1));
}

Ranged ValueGen::load(const Readable& from) {
    std::vector<Expr> at;
    for (const Extent& e : from.shape) at.push_back(index(e));
    return tamed(ctx_, Ranged{ctx_.load(from.buffer, at), from.lo, from.hi});
}

// A load that is only made where its index exists: if_then_else(1 <= i and i < n, A[i - 1], c).
Expr ValueGen::guarded_load(const Readable& from, Ranged& range) {
    std::vector<Expr> at;
    std::vector<Expr> inside;
    for (const Extent& e : from.shape) {
        const ScalarType type = e.value->type;
        const Ranged x = variables.empty() ? Ranged{} : choice_.pick(variables).value;
        if (x.value == nullptr || x.value->type != type) {
            at.push_back(index(e));
            continue;
        }
        Expr shifted = add(ctx_, x, constant(ctx_, type, choice_.between(-2, 2))).value;
        at.push_back(shifted);
        inside.push_back(ctx_.le(ctx_.int_imm(type, 0), shifted));
        inside.push_back(ctx_.lt(shifted, e.value));
    }
    const Ranged other = leaf(from.buffer->type);
    Ranged cell = tamed(ctx_, Ranged{ctx_.load(from.buffer, at), from.lo, from.hi});
    range.lo = std::min(cell.lo, other.lo);
    range.hi = std::max(cell.hi, other.hi);
    return ctx_.if_then_else(ctx_.all_of(inside), cell.value, other.value);
}

Ranged ValueGen::leaf(ScalarType type) {
    std::vector<const Readable*> loadable;
    for (const Readable& r : readable) {
        if (r.buffer->type == type) loadable.push_back(&r);
    }
    if (!loadable.empty() && choice_.chance(75)) return load(*choice_.pick(loadable));
    std::vector<Ranged> known;
    for (const Ranged& r : named) {
        if (r.value->type == type) known.push_back(r);
    }
    for (const Variable& v : variables) {
        if (v.value.value->type == type) known.push_back(v.value);
    }
    if (!known.empty() && choice_.chance(60)) return choice_.pick(known);
    if (type.is_float()) return Ranged{ctx_.float_imm(type, float_constant(type)), 0, 0};
    if (type.is_bool()) return Ranged{ctx_.bool_imm(choice_.chance(50)), 0, 1};
    return constant(ctx_, type, int_constant(type));
}

Ranged ValueGen::value(ScalarType type, int depth) {
    if (type.is_bool()) return Ranged{depth <= 0 ? leaf(type).value : condition(depth), 0, 1};
    if (depth <= 0) return leaf(type);
    switch (choice_.weighted({25, 12, 6, 8, 8, 41})) {
        case 0: return leaf(type);
        case 1: return chosen(type, depth - 1);
        case 2: return let(type, depth - 1);
        case 3: return converted(type, depth - 1);
        case 4: {
            std::vector<const Readable*> loadable;
            for (const Readable& r : readable) {
                if (r.buffer->type == type) loadable.push_back(&r);
            }
            if (loadable.empty()) return leaf(type);
            Ranged range;
            range.value = guarded_load(*choice_.pick(loadable), range);
            return range;
        }
        default: return type.is_float() ? floating(type, depth - 1) : integer(type, depth - 1);
    }
}

Ranged ValueGen::integer(ScalarType type, int depth) {
    switch (choice_.weighted({22, 16, 12, 8, 8, 18, 8, 8})) {
        case 0: return tamed(ctx_, add(ctx_, value(type, depth), value(type, depth)));
        case 1: return tamed(ctx_, sub(ctx_, value(type, depth), value(type, depth)));
        case 2: {
            const auto small = [&](Ranged r) {  // so that no product leaves its type unobserved
                const Int128 limit = 2000;
                if (!type.is_exact_int() || (r.lo >= -limit && r.hi <= limit)) return r;
                return divide(ctx_, Op::TruncMod, r, 97);
            };
            return tamed(ctx_, mul(ctx_, small(value(type, depth)), small(value(type, depth))));
        }
        case 3: return min(ctx_, value(type, depth), value(type, depth));
        case 4: return max(ctx_, value(type, depth), value(type, depth));
        case 5: return division(type, depth);
        case 6: return bits(type, depth);
        default: return exact_detour(type, depth);
    }
}

// A sum whose parts leave the type's range while nobody looks: (x + C) - (C - y).
Ranged ValueGen::exact_detour(ScalarType type, int depth) {
    const Ranged x = value(type, depth);
    const Ranged y = value(type, depth);
    const Ranged far = constant(ctx_, type, type.max_value() - choice_.between(0, 3));
    return tamed(ctx_, sub(ctx_, add(ctx_, x, far), sub(ctx_, far, y)));
}

Ranged ValueGen::division(ScalarType type, int depth) {
    const Op op = choice_.pick({Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod});
    const Ranged x = value(type, depth);
    if (choice_.chance(70)) return divide(ctx_, op, x, choice_.between(1, 9));
    Expr divisor = nullptr;
    if (type.is_exact_int() && choice_.chance(50)) {  // negative
        divisor = ctx_.int_imm(type, choice_.between(-7, -1));
    } else {
        divisor = ctx_.max(value(type, depth).value, ctx_.int_imm(type, choice_.between(1, 3)));
    }
    Expr quotient = ctx_.make(op, {x.value, divisor});
    if (!type.is_exact_int()) return Ranged{quotient, type.min_value(), type.max_value()};
    // |x / y| <= |x|, and |x mod y| < |y|; both are below the operands' bounds.
    const Int128 m = std::max({x.hi, -x.lo, kWide});
    return tamed(ctx_, Ranged{quotient, -m, m});
}

Ranged ValueGen::bits(ScalarType type, int depth) {
    const Ranged x = value(type, depth);
    const Int128 mask = (Int128{1} << choice_.between(1, 5)) - 1;
    switch (choice_.between(0, 4)) {
        case 0: return Ranged{ctx_.make(Op::BitAnd, {x.value, ctx_.int_imm(type, mask)}), 0, mask};
        case 1: {
            const Int128 shift = choice_.between(0, 3);
            Expr e = ctx_.make(Op::Shr, {x.value, ctx_.int_imm(type, shift)});
            return Ranged{e, std::min(x.lo, Int128{0}), std::max(x.hi, Int128{0})};
        }
        case 2: {
            const Int128 shift = choice_.between(0, 3);
            Expr e = ctx_.make(Op::Shl, {x.value, ctx_.int_imm(type, shift)});
            if (!type.is_exact_int()) return Ranged{e, type.min_value(), type.max_value()};
            const Int128 factor = Int128{1} << shift;
            return tamed(ctx_, Ranged{e, x.lo * factor, x.hi * factor});
        }
        default: {
            const Ranged y = value(type, depth);
            const Op op = choice_.chance(50) ? Op::BitOr : Op::BitXor;
            Expr e = ctx_.make(op, {x.value, y.value});
            if (!type.is_exact_int()) return Ranged{e, type.min_value(), type.max_value()};
            // Within the least power of two that holds both.
            Int128 power = 1;
            while (power <= std::max({x.hi, y.hi, -x.lo, -y.lo})) power *= 2;
            return tamed(ctx_, Ranged{e, -power, power - 1});
        }
    }
}

Ranged ValueGen::floating(ScalarType type, int depth) {
    const auto operand = [&] { return value(type, depth).value; };
    Expr x = operand();
    switch (choice_.weighted({24, 16, 20, 8, 8, 8, 6, 10})) {
        case 0: return Ranged{ctx_.add(x, operand()), 0, 0};
        case 1: return Ranged{ctx_.sub(x, operand()), 0, 0};
        case 2: return Ranged{ctx_.mul(x, operand()), 0, 0};
        case 3: return Ranged{ctx_.make(Op::Div, {x, operand()}), 0, 0};
        case 4: return Ranged{ctx_.min(x, operand()), 0, 0};
        case 5: return Ranged{ctx_.max(x, operand()), 0, 0};
        case 6: return Ranged{ctx_.neg(x), 0, 0};
        default: {
            const MathFn fn = choice_.pick({MathFn::Abs, MathFn::Sqrt, MathFn::Floor, MathFn::Ceil,
                                            MathFn::Trunc, MathFn::Round});
            return Ranged{ctx_.math(fn, {x}), 0, 0};
        }
    }
}

Ranged ValueGen::chosen(ScalarType type, int depth) {
    const Ranged a = value(type, depth);
    const Ranged b = value(type, depth);
    Expr c = condition(depth);
    Expr e = choice_.chance(50) ? ctx_.select(c, a.value, b.value)
                                : ctx_.if_then_else(c, a.value, b.value);
    return Ranged{e, std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Ranged ValueGen::let(ScalarType type, int depth) {
    if (lets_ >= 3) return leaf(type);
    const Ranged bound = value(type, depth);
    ++lets_;
    Expr var = ctx_.var(fresh_name("t", names_), type);
    named.push_back(Ranged{var, bound.lo, bound.hi});
    const Ranged body = value(type, depth);
    named.pop_back();
    return Ranged{ctx_.let(var, bound.value, body.value), body.lo, body.hi};
}

Ranged ValueGen::converted(ScalarType type, int depth) {
    const ScalarType from =
        choice_.pick({kInt8, kInt32, kInt64, kUInt8, kUInt16, kFloat32, kFloat64, kFloat16, kBool});
    if (from == type) return leaf(type);
    const Ranged x = value(from, depth);
    if (type.is_float()) return Ranged{ctx_.cast(type, x.value), 0, 0};
    if (!from.is_float()) {
        Expr e = ctx_.cast(type, x.value);
        const bool fits = type.contains(x.lo) && type.contains(x.hi);
        if (fits) return tamed(ctx_, Ranged{e, x.lo, x.hi});
        return tamed(ctx_, Ranged{e, type.min_value(), type.max_value()});
    }
    // max(-100, NaN) is -100 (compare and select), so the clamp is definite and in range.
    const int low = type.is_signed() ? -100 : 0;
    Expr clamped = ctx_.min(ctx_.float_imm(from, 100.0),
                            ctx_.max(ctx_.float_imm(from, static_cast<double>(low)), x.value));
    return Ranged{ctx_.cast(type, clamped), low, 100};
}

Expr ValueGen::condition(int depth) {
    if (depth > 1 && choice_.chance(30)) {
        const std::size_t kind = choice_.weighted({45, 35, 20});
        Expr a = condition(depth - 1);
        if (kind == 2) return ctx_.not_(a);
        Expr b = condition(depth - 1);
        return kind == 0 ? ctx_.and_(a, b) : ctx_.or_(a, b);
    }
    ScalarType type = kInt32;
    if (choice_.chance(50) && !readable.empty()) {
        type = choice_.pick(readable).buffer->type;
    } else if (!variables.empty()) {
        type = choice_.pick(variables).value.value->type;
    }
    Expr a = value(type, depth - 1).value;
    Expr b = value(type, depth - 1).value;
    if (type.is_bool()) return choice_.chance(50) ? ctx_.eq(a, b) : a;
    return ctx_.make(choice_.pick({Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Lt, Op::Le}), {a, b});
}

}  // namespace proviso::fuzz
