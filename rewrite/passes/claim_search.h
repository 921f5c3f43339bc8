// Guessing claims about memory for a statement: which assume speaks of what it loads, which
// invariant its accumulator has, which store wrote or will overwrite a cell. Gives the JSON that
// rules take as arguments; see rewrite/kernel/arguments.h for the format.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "analysis/claims.h"
#include "analysis/prover.h"

namespace proviso::rewrite {

// Variables of the loops around a statement.
std::vector<ir::Expr> loops_around(const ir::Function& f, const ir::Site& site);

// {"statement": …, "at": {…}}
nlohmann::json witness_json(const ir::Site& statement, const ir::Substitution& at);

// Witnesses that a store other than those in `not_in` touches `cell` (over the scope at `site`):
// one or more for each such store, best first.
struct StoreWitness {
    ir::Site statement;
    ir::Substitution at;
    nlohmann::json json() const;
};
std::vector<StoreWitness> stores_touching(const analysis::MemoryModel& memory, ir::Buffer buffer,
                                          const std::vector<ir::Expr>& cell, const ir::Site& site,
                                          const std::vector<ir::Site>& not_in);

// Those of stores_touching that may run after the statement at `site`: candidates for overwriting
// what it wrote.
std::vector<StoreWitness> later_stores(const analysis::MemoryModel& memory,
                                       analysis::Prover& prover, ir::Buffer buffer,
                                       const std::vector<ir::Expr>& cell, const ir::Site& site,
                                       const std::vector<ir::Site>& not_in);

// A store that has written `cell` before the statement at `site` runs; the one for which that is
// easily shown, else the likeliest. None when no store touches such a cell.
std::optional<StoreWitness> written_before_witness(const analysis::MemoryModel& memory,
                                                   analysis::Prover& prover, ir::Buffer buffer,
                                                   const std::vector<ir::Expr>& cell,
                                                   const ir::Site& site);

// Claims for the loads of an expression evaluated by the statement at `site`: assumes that speak of
// them, and, for loads of a float buffer that the function accumulates in, that it never holds
// -0.0.
nlohmann::json claims_for(const analysis::MemoryModel& memory, analysis::Prover& prover, ir::Expr e,
                          const ir::Site& site);

}  // namespace proviso::rewrite
