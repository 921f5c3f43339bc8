// Conjunctions of linear constraints over integers, with congruences: the integer points of a
// polyhedron on a lattice. The forms are over loop variables, coordinates of cells and parameters
// alike; what is a variable is for the caller to say.
//
//   0 <= p0, p0 <= n - 1, p1 == p0 + 1          a diagonal of n cells
//   i <= p0, p0 <= i + 10, p0 - i == 0 (mod 5)  three cells that lie 5 apart
//
// Variables are eliminated as by Fourier and Motzkin, with the exact and dark shadows of the Omega
// test (Pugh, 1991): an elimination says whether it is exact for integers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/affine.h"

namespace proviso::analysis {

struct Congruence {
    Affine form;  // == 0 modulo
    ir::Integer modulus;
    bool operator==(const Congruence&) const = default;
};

// Constraints are kept normal: divided by their common factor, of parallel ones the tightest, two
// that meet as an equality. The same constraints added in the same order give the same object.
class Conjunction {
  public:
    Conjunction& equal(Affine form);     // form == 0
    Conjunction& at_least(Affine form);  // form >= 0
    Conjunction& congruent(Affine form, ir::Integer modulus);
    Conjunction& add(const Conjunction& other);

    const std::vector<Affine>& equalities() const { return equal_; }
    const std::vector<Affine>& inequalities() const { return at_least_; }
    const std::vector<Congruence>& congruences() const { return congruent_; }
    std::size_t size() const { return equal_.size() + at_least_.size() + congruent_.size(); }
    // A constraint without variables that does not hold was added: there is no point.
    bool contradictory() const { return contradictory_; }
    bool mentions(ir::Expr variable) const;
    // All terms of the forms, each once, by first use.
    std::vector<ir::Expr> variables() const;

    // With each form replaced.
    Conjunction mapped(const std::function<Affine(const Affine&)>& f) const;
    Conjunction substituted(ir::Expr variable, const Affine& value) const;

    // Every constraint as an equality (twice), inequality or congruence of its own, so that the
    // conjunction of the negations' alternatives covers what is outside.
    std::vector<Conjunction> single() const;

    // As a condition on values of that type; null where a number does not fit it.
    ir::Expr formula(ir::Context& ctx, ir::ScalarType type) const;

  private:
    std::vector<Affine> equal_;
    std::vector<Affine> at_least_;
    std::vector<Congruence> congruent_;
    bool contradictory_ = false;
};

// The alternatives that hold where a single constraint (of Conjunction::single) does not; none
// where they would be more than 16.
std::optional<std::vector<Conjunction>> negated(const Conjunction& single);

// Where there is a value of the variable with which the conjunction holds.
struct Elimination {
    Conjunction rest;
    bool exact = true;  // else `rest` holds at least there
};
// Without `decide` it is not found out whether what is not obviously exact is exact.
Elimination eliminated(const Conjunction& c, ir::Expr variable, bool decide = true);

// There is no point, as far as elimination of all variables shows it. False: not known.
bool known_empty(const Conjunction& c);
// Wherever `c` holds, `form >= 0` does.
bool known_at_least_zero(const Conjunction& c, const Affine& form);

// Simpler constraints with the same points, without what the rest and `given` imply.
Conjunction tidied(const Conjunction& c, const Conjunction& given);

// The constant ends that constraints on the variable alone give.
struct ConstantRange {
    std::optional<ir::Integer> lo, hi;
};
ConstantRange constant_range(const Conjunction& c, ir::Expr variable);

}  // namespace proviso::analysis
