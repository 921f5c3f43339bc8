// Linear forms of exact integer expressions: constant + Σ coefficient * monomial, where a monomial
// is a product of terms that are not sums. In exact integers re-association, distribution and
// cancellation are unconditional (docs/semantics.md), so an expression and its linear form are
// equal and fault alike on the same monomials; a monomial that cancels is no longer evaluated,
// which is allowed.
//
// The canonical spelling orders monomials by descending size of coefficient, then by structure,
// never by address: `i*16 + j*4 + k - 3`.
#pragma once

#include <optional>
#include <vector>

#include "ir/context.h"
#include "ir/domains/integer.h"

namespace proviso::rewrite {

// A total order on expressions of one context by their structure: operator, type, names, payload,
// arguments. -1, 0, 1; 0 only for one and the same handle.
int compare_structure(ir::Expr a, ir::Expr b);

struct LinearTerm {
    ir::Expr monomial = nullptr;
    ir::Integer coefficient;  // not 0
};

struct LinearForm {
    ir::ScalarType type;
    std::vector<LinearTerm> terms;  // ordered by structure, each monomial once
    ir::Integer constant;

    bool is_constant() const { return terms.empty(); }
    LinearForm negated() const;
    LinearForm plus(const LinearForm& other) const;
    LinearForm minus(const LinearForm& other) const { return plus(other.negated()); }
};

// The form of an expression of exact integer type.
LinearForm linear_form(ir::Context& ctx, ir::Expr e);

// The canonical spelling. Null when a coefficient or the constant is not a value of the type.
ir::Expr to_expr(ir::Context& ctx, const LinearForm& form);

// form = multiple * divisor + rest, term by term: the part of the terms whose coefficient `divisor`
// (> 0) divides, already divided, and the other terms. The constant is divided with a remainder in
// [0, divisor).
struct SplitForm {
    LinearForm multiple;
    LinearForm rest;
};
SplitForm split_by(const LinearForm& form, const ir::Integer& divisor);

}  // namespace proviso::rewrite
