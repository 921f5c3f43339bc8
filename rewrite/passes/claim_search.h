// Guessing claims about memory for a statement: which assume speaks of what it loads, which store
// wrote or will overwrite a cell, what every value of a buffer has in common. Gives the JSON that
// rules take as arguments; see rewrite/kernel/arguments.h for the format.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "analysis/memory/claims.h"
#include "analysis/prover/prover.h"
#include "rewrite/passes/observation_search.h"

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
std::vector<StoreWitness> stores_touching(const analysis::MemoryModel& memory,
                                          analysis::Prover& prover, ir::Buffer buffer,
                                          const std::vector<ir::Expr>& cell, const ir::Site& site,
                                          const std::vector<ir::Site>& not_in);

// Those of stores_touching that may run after the statement at `site`: candidates for overwriting
// what it wrote.
std::vector<StoreWitness> later_stores(const analysis::MemoryModel& memory,
                                       analysis::Prover& prover, ir::Buffer buffer,
                                       const std::vector<ir::Expr>& cell, const ir::Site& site,
                                       const std::vector<ir::Site>& not_in);
// The best witness of each statement among them.
nlohmann::json one_a_statement(const std::vector<StoreWitness>& stores);

// Stores in `within` that have written `cell` before the statement at `site` runs, where `extra`
// holds too: the one for which that is shown, else several that may have together. Empty when there
// is none.
std::vector<StoreWitness> stores_before(const analysis::MemoryModel& memory,
                                        analysis::Prover& prover, ir::Buffer buffer,
                                        const std::vector<ir::Expr>& cell, const ir::Site& site,
                                        const std::vector<ir::Expr>& extra = {},
                                        const ir::Site& within = {});
// The first of them; where there is none, any store of the buffer, so that a step which names it is
// refused for what is wrong.
std::optional<StoreWitness> written_before_witness(const analysis::MemoryModel& memory,
                                                   analysis::Prover& prover, ir::Buffer buffer,
                                                   const std::vector<ir::Expr>& cell,
                                                   const ir::Site& site,
                                                   const std::vector<ir::Expr>& extra = {},
                                                   const ir::Site& within = {});
nlohmann::json witnesses_json(const std::vector<StoreWitness>& stores);  // one: itself

// Iterations at which an assumption, not of permission, speaks of the cell that `load` reads: one
// or more for each place where one does, best first.
std::vector<StoreWitness> assumptions_of(const analysis::MemoryModel& memory,
                                         analysis::Prover& prover, ir::Expr load,
                                         const ir::Site& site, std::size_t limit = 2);

// Claims, each of which has been proved, and what they give at the statement.
struct KnownMemory {
    std::vector<nlohmann::json> claims;
    std::vector<ir::Expr> facts;
    bool hoped = false;  // some of them were asked for although they are not proved
};

struct InvariantsFound;  // rewrite/passes/invariant_search.h

// What is asked for. `extra` holds at the statement, too.
struct ClaimOptions {
    std::vector<ir::Expr> extra = {};
    bool stored_values = true;  // what earlier stages stored
    bool of_itself = true;      // that what a store accumulates in is never -0.0
    bool hope = false;          // that, and assumptions, unproved: a refusal says what is missing
    bool properties = false;    // every property of a buffer that can be found
    // Statements that have run, as far as they tell something new.
    std::vector<Observation> observations = {};
    // What was found of stores of this program, kept for the next search; null: nothing is kept.
    InvariantsFound* found = nullptr;
};

// What can be known of the loads of an expression that the statement at `site` evaluates, and of
// the names in it.
KnownMemory known_memory(const analysis::MemoryModel& memory, analysis::Prover& prover, ir::Expr e,
                         const ir::Site& site, const ClaimOptions& options = {});

// Every obligation is proved.
bool all_proved(analysis::Prover& prover, const std::vector<analysis::Obligation>& obligations);

}  // namespace proviso::rewrite
