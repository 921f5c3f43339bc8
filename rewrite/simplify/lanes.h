// Values of expressions at a few sample points, side by side: one lane a point. What is false at a
// point that satisfies the facts cannot follow from them, so a glance at the lanes saves most of
// the questions that would end in "don't know". Lanes never prove anything.
#pragma once

#include <array>
#include <cstdint>

#include "ir/expr.h"

namespace proviso::rewrite {

struct Lanes {
    static constexpr std::size_t kCount = 16;
    using Mask = std::uint16_t;  // a bit a point
    static constexpr Mask kAll = 0xffff;

    std::array<std::int64_t, kCount> value{};
    Mask known = 0;      // where it has that value, and nothing in it faults
    bool small = false;  // all values, known or not, are within 2^30 of 0: so are most

    bool has(std::size_t i) const { return ((known >> i) & 1U) != 0; }
    void measure();  // sets `small`
};

// A literal at all points; nothing is known of floats and of what leaves 64 bits.
Lanes lanes_of_constant(ir::Expr literal);

// The operator of `node` on the lanes of its arguments. Exact integers are computed in Z, beyond
// their type's range too; where such a value is observed, as where an operation that wraps leaves
// its range, the lane is not known. Nor is it for operators that are no functions of integers.
Lanes lanes_of_operator(ir::Expr node, const std::array<const Lanes*, 3>& args);
// The same, written to where it is to stay.
void put_lanes_of_operator(ir::Expr node, const std::array<const Lanes*, 3>& args, Lanes& out);

// At which of the points an operator that compares integers of the type has a value, and where it
// is true.
struct LaneOutcome {
    Lanes::Mask known = 0;
    Lanes::Mask holds = 0;
};
LaneOutcome outcome(ir::Op op, ir::ScalarType type, const Lanes& a, const Lanes& b,
                    Lanes::Mask points);

// Whether `a < b` or `a <= b` is false at one of the points; the same with a literal on one side.
bool order_fails(ir::Op op, ir::ScalarType type, const Lanes& a, const Lanes& b,
                 Lanes::Mask points);
bool order_fails(ir::Op op, ir::ScalarType type, const Lanes& a, std::int64_t b,
                 Lanes::Mask points);
bool order_fails(ir::Op op, ir::ScalarType type, std::int64_t a, const Lanes& b,
                 Lanes::Mask points);

// Whether the two have different values at one of the points.
bool differs_somewhere(const Lanes& a, const Lanes& b, Lanes::Mask points);
bool differs_somewhere(const Lanes& a, std::int64_t b, Lanes::Mask points);

// The lanes in which the truth value, or the comparison of integers, is false or true.
Lanes::Mask lanes_where(const Lanes& truth, bool value);

}  // namespace proviso::rewrite
