// Operators on Words, for the operands that nearly all operations have: integers within 64 bits and
// floats, where nothing is indeterminate and nothing faults. Each function gives what `eval_op`
// gives on the same values, or `not_quick`, and then eval_op is to be asked: it alone says what an
// operator means. tests/ir/quick_op_test.cpp compares the two on all 8-bit operands and at the
// borders of every type.
#pragma once

#include <cmath>

#include "ir/interp/word.h"

namespace proviso::ir {

inline constexpr Word not_quick = FaultKind::None;  // the only one that is not `ok`

namespace quick {

// The value of integer type that equals this one modulo 2^bits.
inline Word wrap(ScalarType type, std::int64_t value) {
    const auto unused = static_cast<unsigned>(64 - type.bits);
    const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
    if (type.is_signed()) return Word::of_int(static_cast<std::int64_t>(high) >> unused);
    return Word::of_unsigned(high >> unused);
}

inline Word rounded(ScalarType type, double value) {
    return Word::of_float(type.bits == 64 ? value : round_to_type(type, value));
}

template <typename F>
Word float_result(ScalarType type, double x, double y, F operation) {
    if (type.bits != 32) return rounded(type, operation(x, y));
    return Word::of_float(
        static_cast<double>(operation(static_cast<float>(x), static_cast<float>(y))));
}

// Min, Max and comparisons; `word` makes one of a number.
template <typename T, typename MakeWord>
Word chosen_or_compared(Op op, T x, T y, MakeWord word) {
    if (op == Op::Min) return word(y < x ? y : x);
    if (op == Op::Max) return word(x < y ? y : x);
    if (op == Op::Eq) return Word::of_bool(x == y);
    if (op == Op::Ne) return Word::of_bool(x != y);
    if (op == Op::Lt) return Word::of_bool(x < y);
    if (op == Op::Le) return Word::of_bool(x <= y);
    return not_quick;
}

inline Word floats(Op op, ScalarType type, double x, double y) {
    if (op == Op::Add) return float_result(type, x, y, [](auto p, auto q) { return p + q; });
    if (op == Op::Sub) return float_result(type, x, y, [](auto p, auto q) { return p - q; });
    if (op == Op::Mul) return float_result(type, x, y, [](auto p, auto q) { return p * q; });
    if (op == Op::Div) return float_result(type, x, y, [](auto p, auto q) { return p / q; });
    return chosen_or_compared(op, x, y, [](double v) { return Word::of_float(v); });
}

inline Word division(Op op, std::int64_t x, std::int64_t y) {
    if (y == 0 || y == -1) return not_quick;
    const std::int64_t rest = x % y;
    const bool below = rest != 0 && (rest < 0) != (y < 0);  // floor and truncation differ
    if (op == Op::FloorDiv) return Word::of_int(x / y - (below ? 1 : 0));
    if (op == Op::FloorMod) return Word::of_int(below ? rest + y : rest);
    return Word::of_int(op == Op::TruncDiv ? x / y : rest);
}

inline Word integers(Op op, ScalarType type, std::int64_t x, std::int64_t y) {
    const bool exact = type.is_exact_int();
    std::int64_t r = 0;
    const auto ring = [&](bool overflow) {
        if (overflow) return not_quick;
        return exact ? Word::of_int(r) : wrap(type, r);
    };
    if (op == Op::Add) return ring(__builtin_add_overflow(x, y, &r));
    if (op == Op::Sub) return ring(__builtin_sub_overflow(x, y, &r));
    if (op == Op::Mul) return ring(__builtin_mul_overflow(x, y, &r));
    // All others observe their operands.
    if (exact && (!fits_exact_int(type, x) || !fits_exact_int(type, y))) return not_quick;
    for (Op by : {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod}) {
        if (op == by) return division(op, x, y);
    }
    if (op == Op::BitAnd) return Word::of_int(x & y);
    if (op == Op::BitOr) return Word::of_int(x | y);
    if (op == Op::BitXor) return Word::of_int(x ^ y);
    if (op == Op::Shr) return y < 0 || y >= type.bits ? not_quick : Word::of_int(x >> y);
    if (op == Op::Shl) {
        if (y < 0 || y >= type.bits || y > 62) return not_quick;
        return ring(__builtin_mul_overflow(x, std::int64_t{1} << y, &r));
    }
    return chosen_or_compared(op, x, y, [](std::int64_t v) { return Word::of_int(v); });
}

inline Word cast(ScalarType from, ScalarType to, Word a) {
    if (a.is_int()) {
        const std::int64_t x = a.integer();
        if (from.is_exact_int() && !fits_exact_int(from, x)) return not_quick;
        if (to.is_bool()) return Word::of_bool(x != 0);
        if (to.is_int()) return wrap(to, x);
        const bool held = std::int64_t{-1} << 24 <= x && x <= std::int64_t{1} << 24;
        return held && to.bits >= 32 ? Word::of_float(static_cast<double>(x)) : not_quick;
    }
    if (!a.is_float()) return not_quick;
    if (to.is_float()) return rounded(to, a.real());
    if (to.is_bool()) return Word::of_bool(a.real() != 0.0);
    const double truncated = std::trunc(a.real());
    if (!(std::fabs(truncated) < 0x1p62)) return not_quick;
    const auto integer = static_cast<std::int64_t>(truncated);
    const Word held = wrap(to, integer);
    return held.is_int() && held.integer() == integer ? held : not_quick;
}

inline Word negation(ScalarType type, Word a) {
    if (a.is_float()) return Word::of_float(-a.real());
    return a.is_int() ? integers(Op::Sub, type, 0, a.integer()) : not_quick;
}

}  // namespace quick

// Of an operator on arguments of type `from` (its own, where it has none), with a result of type
// `to`; none of `args` is a fault.
inline Word quick_op(Op op, ScalarType from, ScalarType to, std::span<const Word> args) {
    if (args.size() == 2) {
        const Word a = args[0];
        const Word b = args[1];
        if (a.is_int() && b.is_int()) return quick::integers(op, from, a.integer(), b.integer());
        if (!a.is_float() || !b.is_float()) return not_quick;
        return quick::floats(op, from, a.real(), b.real());
    }
    if (op == Op::Cast) return quick::cast(from, to, args[0]);
    if (op == Op::Neg) return quick::negation(from, args[0]);
    if (op == Op::Not) return args[0].is_int() ? Word::of_bool(!args[0].truth()) : not_quick;
    if (op != Op::Select || !args[0].is_int()) return not_quick;
    // Wide ones wait for their release.
    if (args[1].tag == Word::Tag::Wide || args[2].tag == Word::Tag::Wide) return not_quick;
    return args[0].truth() ? args[1] : args[2];
}

}  // namespace proviso::ir
