// Intervals of integers with infinite ends: constant bounds, proofs that nothing wraps.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ir/domains/abstract.h"
#include "ir/domains/integer.h"

namespace proviso::ir {

// The integers x with lo <= x <= hi; an absent end is infinite. Never empty. Of a bool: 0 and 1. Of
// a float it says nothing (both ends infinite).
struct Interval {
    std::optional<Integer> lo;
    std::optional<Integer> hi;

    static Interval all() { return {}; }
    static Interval at(const Integer& value) { return {value, value}; }
    static Interval between(const Integer& lo, const Integer& hi) { return {lo, hi}; }
    static Interval of(ScalarType type);  // every value of the type

    bool contains(const Integer& value) const {
        return (!lo || *lo <= value) && (!hi || value <= *hi);
    }
    bool within(const Interval& outer) const {
        return (!outer.lo || (lo && *lo >= *outer.lo)) && (!outer.hi || (hi && *hi <= *outer.hi));
    }
    bool is_constant() const { return lo && hi && *lo == *hi; }
    bool is_true() const { return is_constant() && *lo == 1; }  // of a bool
    bool is_false() const { return is_constant() && *lo == 0; }
    bool operator==(const Interval&) const = default;
    std::string str() const;  // "[0, 7]", "[-inf, 3]"
};

Interval join(const Interval& a, const Interval& b);
std::optional<Interval> meet(const Interval& a, const Interval& b);  // none: empty

struct IntervalDomain {
    using Value = Interval;
    static Interval top(ScalarType type) { return Interval::of(type); }
    static Interval constant(ScalarType type, const ir::Value& value);
    static std::optional<ir::Value> as_constant(const Interval& a);
    static std::optional<Interval> meet(const Interval& a, const Interval& b) {
        return ir::meet(a, b);
    }
    static Interval apply(const ExprNode& e, std::span<const Interval> args, Reading reading);
};

using IntervalEval = AbstractEval<IntervalDomain>;

// Takes a fact into account: bounds on both sides of its comparisons of exact integers and
// conjunctions of such, also through `+`, `-` and `*` by constants:  3 * x + 1 < 10  bounds x by 2.
// Other facts add nothing.
void learn(IntervalEval& eval, Expr fact);

// The same for one comparison, whoever keeps the knowledge: `value` says what is known of a term so
// far, `know` hears what follows for it.
void bounds_of_fact(Expr fact, const std::function<Interval(Expr)>& value,
                    const std::function<void(Expr, const Interval&)>& know);

}  // namespace proviso::ir
