// Polynomials over parameters, with a common denominator: numbers of cells. n * (n + 1) / 2 is
// (n * n + n) // 2, which is an integer at every integer.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/affine.h"
#include "ir/children.h"

namespace proviso::analysis {

class Polynomial {
  public:
    Polynomial() = default;
    Polynomial(const ir::Integer& constant);  // implicit: numbers are polynomials
    Polynomial(int constant) : Polynomial(ir::Integer(constant)) {}
    static Polynomial of(const Affine& form);

    friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
    friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
    friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
    Polynomial over(const ir::Integer& divisor) const;

    std::size_t degree_in(ir::Expr variable) const;
    // Of variable ** power: a polynomial without the variable.
    Polynomial coefficient(ir::Expr variable, std::size_t power) const;
    // Terms that mention the variable otherwise than as itself, as n // i does.
    bool hides(ir::Expr variable) const;

    std::optional<ir::Integer> constant() const;
    // With values for variables; none where one has none.
    std::optional<ir::Integer> at(ir::Context& ctx, const ir::Substitution& values) const;
    std::string str() const;  // "n * m + 2 * n", "(n * n + n) // 2"

  private:
    using Monomial = std::vector<ir::Expr>;  // by increasing handle; repeated for powers
    struct ByContent {
        bool operator()(const Monomial& a, const Monomial& b) const;
    };
    void add(const Monomial& monomial, const ir::Integer& factor);
    void reduce();

    std::map<Monomial, ir::Integer, ByContent> terms_;  // factors are not 0
    ir::Integer divisor_ = 1;
};

// The sum of f over lo <= variable <= hi, for hi >= lo - 1 and f of degree 2 at most; none beyond.
std::optional<Polynomial> sum_over(const Polynomial& f, ir::Expr variable, const Polynomial& lo,
                                   const Polynomial& hi);

// A form with values for its variables; terms that are not known stay.
Affine with_values(ir::Context& ctx, const Affine& form, const ir::Substitution& values);

}  // namespace proviso::analysis
