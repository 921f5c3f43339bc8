// Polynomials with integer coefficients of any size over numbered atoms. Equal polynomials have
// equal numbers, so that terms and facts can be compared by number.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/certcheck/budget.h"

namespace proviso::certcheck {

using Integer = boost::multiprecision::cpp_int;
using AtomId = std::uint32_t;
using PolyId = std::uint32_t;
using MonomialId = std::uint32_t;  // 0: the constant 1

// Of the number: what a step of arithmetic on it costs, at least 1.
inline std::size_t words_in(const Integer& value) {
    return value.backend().size();
}

// Rounded down, `divisor` > 0.
Integer floor_divide(const Integer& dividend, const Integer& divisor);

class Polynomials {
  public:
    using Terms = std::vector<std::pair<MonomialId, Integer>>;  // by monomial; no zeros
    using Sum = std::map<MonomialId, Integer>;                  // under construction; zeros allowed

    explicit Polynomials(Budget& budget);

    PolyId constant(const Integer& value);
    PolyId atom(AtomId atom);
    PolyId product(PolyId a, PolyId b);
    // a * p + b
    PolyId scaled(PolyId p, const Integer& a, const Integer& b = 0);
    PolyId difference(PolyId a, PolyId b);
    // sum += p * factor
    void add(Sum& sum, PolyId p, const Integer& factor);
    PolyId make(const Sum& sum);

    const Terms& terms(PolyId p) const { return *polys_[p]; }
    // Sorted, repeated for powers.
    const std::vector<AtomId>& factors(MonomialId m) const { return *monomials_[m]; }
    std::optional<Integer> constant_value(PolyId p) const;
    // Of a polynomial that is one atom with coefficient 1.
    std::optional<AtomId> single_atom(PolyId p) const;

  private:
    using Monomial = std::vector<AtomId>;  // sorted, repeated for powers
    MonomialId monomial(const Monomial& m);
    std::map<Monomial, MonomialId> monomial_ids_;
    std::vector<const Monomial*> monomials_;
    std::map<Terms, PolyId> poly_ids_;
    std::vector<const Terms*> polys_;
    Budget& budget_;
};

}  // namespace proviso::certcheck
