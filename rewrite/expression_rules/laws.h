// Laws of integer arithmetic that proofs of rules use: what solvers do not find themselves where
// unknowns are multiplied. A law is a claim about all integers, proved as an obligation of its own
// (`law_obligation`; `proviso rules verify` gives it to both solvers). A proof of a rule names the
// law and the terms it is wanted for, and gets the law with those terms in place of its parameters:
// an instance of a proved claim. Trusted is the substitution, not the law.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/obligation.h"

namespace proviso::rewrite {

struct Law {
    std::string_view name;
    std::string_view terms;          // its parameters, "a b n"
    std::string_view premises = {};  // joined by ";"
    std::string_view claims = {};    // joined by ";"
    std::string_view lemmas = {};    // instances of earlier laws that its proof uses
    std::string_view note = {};

    std::vector<std::string> parameters() const;
};

// The laws, in a fixed order; names are unique.
std::span<const Law> laws();
const Law* find_law(std::string_view name);  // or null

// premises, earlier laws ⊢ claims, for all integers. `kind` is the exact integer type that the
// law's text is read for; the obligation is the same for both.
analysis::Obligation law_obligation(ir::Context& ctx, const Law& law, ir::ScalarType kind);

// premises ⇒ claims with `args`, of type `kind`, for the parameters.
ir::Expr law_instance(ir::Context& ctx, const Law& law, ir::ScalarType kind,
                      const std::vector<ir::Expr>& args);

}  // namespace proviso::rewrite
