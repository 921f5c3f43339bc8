#include "rewrite/simplify/lanes.h"

#include <algorithm>
#include <optional>

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;
using ir::ScalarType;

namespace {

using Value = std::int64_t;
using Mask = Lanes::Mask;

struct Ends {
    Value lo = INT64_MIN;
    Value hi = INT64_MAX;  // uint64 values beyond it are not known
};

Ends ends_of(ScalarType type) {
    if (type.bits >= 64) return {type.is_signed() ? INT64_MIN : 0, INT64_MAX};
    return {static_cast<Value>(type.min_value()), static_cast<Value>(type.max_value())};
}

constexpr Value kSmall = Value{1} << 30;

Mask within(const Lanes& a, const Ends& ends) {
    if (a.small && ends.lo <= -kSmall && kSmall <= ends.hi) return Lanes::kAll;
    Mask out = 0;
    Value outside = 0;
    for (const Value v : a.value) outside |= static_cast<Value>(v < ends.lo || ends.hi < v);
    if (outside == 0) return Lanes::kAll;
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        const bool in = ends.lo <= a.value[i] && a.value[i] <= ends.hi;
        out |= static_cast<Mask>(static_cast<unsigned>(in) << i);
    }
    return out;
}

// Lane by lane, where both are known; `f` gives nothing where there is no value.
template <typename F>
Lanes both(const Lanes& a, const Lanes& b, F f) {
    Lanes out;
    out.known = a.known & b.known;
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        if (!f(a.value[i], b.value[i], out.value[i])) {
            out.known &= static_cast<Mask>(~(1U << i));
        }
    }
    return out;
}

template <typename F>
Lanes compare(const Lanes& a, const Lanes& b, F f) {
    Lanes out;
    out.known = a.known & b.known;
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        out.value[i] = f(a.value[i], b.value[i]) ? 1 : 0;
    }
    return out;
}

bool divides(Value a, Value b) {
    return b != 0 && !(a == INT64_MIN && b == -1);
}

bool floor_quotient(Value a, Value b, Value& out) {
    if (!divides(a, b)) return false;
    out = a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    return true;
}

// A remainder faults where its quotient leaves the type's range: by -1, of the least value.
bool has_remainder(Value b) {
    return b != 0 && b != -1;
}

bool floor_remainder(Value a, Value b, Value& out) {
    if (!has_remainder(b)) return false;
    const Value r = a % b;
    out = r != 0 && (r < 0) != (b < 0) ? r + b : r;
    return true;
}

// Of small numbers, nearly all there are: without a check a lane.
template <typename F>
bool of_small(const Lanes& a, const Lanes& b, Lanes& out, F f) {
    for (std::size_t i = 0; i < Lanes::kCount; ++i) out.value[i] = f(a.value[i], b.value[i]);
    out.known = a.known & b.known;
    return true;
}

bool is_positive(const Lanes& a) {
    Value low = 0;
    for (const Value v : a.value) low |= v - 1;
    return low >= 0;
}

bool small_arithmetic(Op op, const Lanes& a, const Lanes& b, Lanes& out) {
    if (!a.small || !b.small) return false;
    switch (op) {
        case Op::Add: return of_small(a, b, out, [](Value x, Value y) { return x + y; });
        case Op::Sub: return of_small(a, b, out, [](Value x, Value y) { return x - y; });
        case Op::Mul: return of_small(a, b, out, [](Value x, Value y) { return x * y; });
        case Op::Min: return of_small(a, b, out, [](Value x, Value y) { return x < y ? x : y; });
        case Op::Max: return of_small(a, b, out, [](Value x, Value y) { return x < y ? y : x; });
        case Op::FloorDiv:
            return is_positive(b) && of_small(a, b, out, [](Value x, Value y) {
                       const auto n = static_cast<std::int32_t>(x);
                       const auto d = static_cast<std::int32_t>(y);
                       return Value{n / d} - (n % d < 0 ? 1 : 0);
                   });
        case Op::FloorMod:
            // By -1 it may fault: only what is surely positive.
            return is_positive(b) && of_small(a, b, out, [](Value x, Value y) {
                       const auto d = static_cast<std::int32_t>(y);
                       const std::int32_t r = static_cast<std::int32_t>(x) % d;
                       return Value{r < 0 ? r + d : r};
                   });
        default: return false;
    }
}

Lanes arithmetic(Op op, const Lanes& a, const Lanes& b) {
    Lanes quick;
    if (small_arithmetic(op, a, b, quick)) return quick;
    switch (op) {
        case Op::Add:
            return both(
                a, b, [](Value x, Value y, Value& z) { return !__builtin_add_overflow(x, y, &z); });
        case Op::Sub:
            return both(
                a, b, [](Value x, Value y, Value& z) { return !__builtin_sub_overflow(x, y, &z); });
        case Op::Mul:
            return both(
                a, b, [](Value x, Value y, Value& z) { return !__builtin_mul_overflow(x, y, &z); });
        case Op::FloorDiv: return both(a, b, floor_quotient);
        case Op::FloorMod: return both(a, b, floor_remainder);
        case Op::TruncDiv:
            return both(a, b, [](Value x, Value y, Value& z) {
                return divides(x, y) && (z = x / y, true);
            });
        case Op::TruncMod:
            return both(a, b, [](Value x, Value y, Value& z) {
                return has_remainder(y) && (z = x % y, true);
            });
        case Op::Min:
            return both(a, b, [](Value x, Value y, Value& z) { return z = std::min(x, y), true; });
        case Op::Max:
            return both(a, b, [](Value x, Value y, Value& z) { return z = std::max(x, y), true; });
        case Op::BitAnd:
            return both(a, b, [](Value x, Value y, Value& z) { return z = x & y, true; });
        case Op::BitOr:
            return both(a, b, [](Value x, Value y, Value& z) { return z = x | y, true; });
        case Op::BitXor:
            return both(a, b, [](Value x, Value y, Value& z) { return z = x ^ y, true; });
        default: return {};
    }
}

Lanes logic(Op op, const Lanes& a, const Lanes& b) {
    const bool decides = op == Op::Or;
    Lanes out;
    const Mask decided = lanes_where(a, decides);
    out.known = static_cast<Mask>(decided | (a.known & b.known));
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        out.value[i] = ((decided >> i) & 1U) != 0 ? (decides ? 1 : 0) : b.value[i];
    }
    return out;
}

Lanes choice(Op op, const Lanes& c, const Lanes& a, const Lanes& b) {
    Lanes out;
    const Mask yes = lanes_where(c, true);
    const Mask no = lanes_where(c, false);
    out.known = op == Op::Select ? c.known & a.known & b.known
                                 : static_cast<Mask>((yes & a.known) | (no & b.known));
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        out.value[i] = ((yes >> i) & 1U) != 0 ? a.value[i] : b.value[i];
    }
    return out;
}

// Whether the operator looks at its operands: then they must be in their types' ranges.
bool observes(Op op) {
    switch (op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg:
        case Op::Select:
        case Op::IfThenElse: return false;
        default: return true;
    }
}

Lanes comparison(Op op, const Lanes& a, const Lanes& b) {
    switch (op) {
        case Op::Eq:
        case Op::Same: return compare(a, b, [](Value x, Value y) { return x == y; });
        case Op::Ne: return compare(a, b, [](Value x, Value y) { return x != y; });
        case Op::Lt: return compare(a, b, [](Value x, Value y) { return x < y; });
        default: return compare(a, b, [](Value x, Value y) { return x <= y; });
    }
}

Lanes raw(Expr node, const std::array<const Lanes*, 3>& args) {
    switch (node->op) {
        case Op::Neg: return arithmetic(Op::Sub, Lanes{{}, Lanes::kAll, true}, *args[0]);
        case Op::Not: return compare(*args[0], *args[0], [](Value x, Value) { return x == 0; });
        case Op::Cast: return *args[0];
        case Op::Eq:
        case Op::Same:
        case Op::Ne:
        case Op::Lt:
        case Op::Le: return comparison(node->op, *args[0], *args[1]);
        case Op::And:
        case Op::Or: return logic(node->op, *args[0], *args[1]);
        case Op::Select:
        case Op::IfThenElse: return choice(node->op, *args[0], *args[1], *args[2]);
        default: return arithmetic(node->op, *args[0], *args[1]);
    }
}

}  // namespace

void Lanes::measure() {
    std::uint64_t high = 0;
    for (const Value v : value) high |= static_cast<std::uint64_t>(v) + kSmall;
    small = high >> 31 == 0;
}

Lanes lanes_of_constant(Expr literal) {
    Lanes out;
    const bool wide = literal->type.is_int() && !literal->type.is_signed() && literal->bits < 0;
    if (literal->op != Op::IntImm || wide) return out;
    out.value.fill(literal->bits);
    out.known = Lanes::kAll;
    out.measure();
    return out;
}

Lanes lanes_of_operator(Expr node, const std::array<const Lanes*, 3>& args) {
    const ScalarType type = node->type;
    const ScalarType operand = node->args.back()->type;
    if (type.is_float() || operand.is_float()) return {};
    Lanes out = raw(node, args);
    out.measure();
    if (observes(node->op) && operand.is_int()) {
        for (std::size_t i = 0; i < node->args.size(); ++i) {
            out.known &= within(*args[i], ends_of(node->arg(i)->type));
        }
    }
    // What an operation observes, it also gives in range.
    if (type.is_int() && (observes(node->op) || !type.is_exact_int())) {
        out.known &= within(out, ends_of(type));
    }
    if (node->op == Op::Cast && type.is_bool()) {
        for (Value& v : out.value) v = v != 0 ? 1 : 0;
    }
    return out;
}

void put_lanes_of_operator(Expr node, const std::array<const Lanes*, 3>& args, Lanes& out) {
    // Of small numbers nothing leaves its type's range that is looked at.
    const bool quick = node->args.size() == 2 && node->type.is_exact_int() &&
                       small_arithmetic(node->op, *args[0], *args[1], out);
    if (!quick) {
        out = lanes_of_operator(node, args);
        return;
    }
    out.measure();
}

namespace {

template <typename F>
Mask lanes_that(const Lanes& a, const Lanes& b, F f) {
    unsigned out = 0;
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        out |= static_cast<unsigned>(f(a.value[i], b.value[i])) << i;
    }
    return static_cast<Mask>(out);
}

Mask lanes_that(Op op, const Lanes& a, const Lanes& b) {
    switch (op) {
        case Op::Lt: return lanes_that(a, b, [](Value x, Value y) { return x < y; });
        case Op::Le: return lanes_that(a, b, [](Value x, Value y) { return x <= y; });
        case Op::Eq: return lanes_that(a, b, [](Value x, Value y) { return x == y; });
        default: return lanes_that(a, b, [](Value x, Value y) { return x != y; });
    }
}

}  // namespace

LaneOutcome outcome(Op op, ScalarType type, const Lanes& a, const Lanes& b, Mask points) {
    const Ends ends = ends_of(type);
    LaneOutcome out;
    out.known = points & a.known & b.known & within(a, ends) & within(b, ends);
    out.holds = out.known & lanes_that(op, a, b);
    return out;
}

namespace {

// `left(i)` and `right(i)` at the `mask`ed points.
template <typename L, typename R>
bool fails_somewhere(Op op, ScalarType type, Mask mask, L left, R right) {
    const bool strict = op == Op::Lt;
    const Ends ends = ends_of(type);
    const auto in_range = [&ends](Value v) { return ends.lo <= v && v <= ends.hi; };
    for (Mask rest = mask; rest != 0; rest &= static_cast<Mask>(rest - 1)) {
        const auto i = static_cast<std::size_t>(__builtin_ctz(rest));
        const Value a = left(i);
        const Value b = right(i);
        if ((strict ? b <= a : b < a) && in_range(a) && in_range(b)) return true;
    }
    return false;
}

}  // namespace

bool order_fails(Op op, ScalarType type, const Lanes& a, const Lanes& b, Mask points) {
    return fails_somewhere(
        op, type, points & a.known & b.known, [&](std::size_t i) { return a.value[i]; },
        [&](std::size_t i) { return b.value[i]; });
}

bool order_fails(Op op, ScalarType type, const Lanes& a, Value b, Mask points) {
    return fails_somewhere(
        op, type, points & a.known, [&](std::size_t i) { return a.value[i]; },
        [b](std::size_t) { return b; });
}

bool order_fails(Op op, ScalarType type, Value a, const Lanes& b, Mask points) {
    return fails_somewhere(
        op, type, points & b.known, [a](std::size_t) { return a; },
        [&](std::size_t i) { return b.value[i]; });
}

namespace {

template <typename F>
bool any_lane(Mask mask, F f) {
    for (Mask rest = mask; rest != 0; rest &= static_cast<Mask>(rest - 1)) {
        if (f(static_cast<std::size_t>(__builtin_ctz(rest)))) return true;
    }
    return false;
}

}  // namespace

bool differs_somewhere(const Lanes& a, const Lanes& b, Mask points) {
    return any_lane(points & a.known & b.known,
                    [&](std::size_t i) { return a.value[i] != b.value[i]; });
}

bool differs_somewhere(const Lanes& a, Value b, Mask points) {
    return any_lane(points & a.known, [&](std::size_t i) { return a.value[i] != b; });
}

Lanes::Mask lanes_where(const Lanes& truth, bool value) {
    Mask out = 0;
    for (std::size_t i = 0; i < Lanes::kCount; ++i) {
        out |= static_cast<Mask>(static_cast<unsigned>((truth.value[i] != 0) == value) << i);
    }
    return out & truth.known;
}

}  // namespace proviso::rewrite
