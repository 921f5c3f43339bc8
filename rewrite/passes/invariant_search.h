// Guessing store invariants: what every value stored to a buffer has in common. Candidates are
// read off the program (constants that it stores or compares with, cells that get a constant), and
// those that are inductive together are kept (Houdini, Flanagan and Leino 2001).
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "rewrite/passes/claim_search.h"

namespace proviso::rewrite {

enum class InvariantEffort : std::uint8_t {
    NotNegativeZero,  // of a float accumulator, the one property that sums need
    Hoped,            // the same, unproved: a step that needs it says what is missing
    All,
};

// What is found of the stores of one program, whichever load asks: many loads ask about the same
// stores.
struct InvariantsFound {
    // Of a load of the buffer in a stored value: which stores, or assumptions, came before.
    struct Coverage {
        struct Assumed {
            analysis::ClaimPoint point;
            std::vector<ir::Expr> cell;
            analysis::Witness witness;
        };
        std::vector<StoreWitness> by;
        bool covers = false;
        std::vector<Assumed> assumed;
    };
    std::map<std::tuple<ir::Site, ir::Expr, InvariantEffort>, Coverage> coverage;
    // What claims say of other buffers that the value reads.
    struct Lemmas {
        std::vector<nlohmann::json> claims;
        std::vector<ir::Expr> facts;
    };
    std::map<std::pair<ir::Site, ir::Buffer>, Lemmas> lemmas;
};

// The strongest property found of the cell that `load` reads just before the statement at `site`,
// knowing `known`, of which `extra` is what the facts of the site do not say: where that holds, the
// cell may have something to itself (the padding, where a guard is false). None when no candidate
// is inductive, or the cell is not known to be stored to.
std::optional<KnownMemory> invariant_claim(const analysis::MemoryModel& memory,
                                           analysis::Prover& prover, ir::Expr load,
                                           const ir::Site& site, const std::vector<ir::Expr>& known,
                                           const std::vector<ir::Expr>& extra,
                                           InvariantEffort effort, InvariantsFound& found);

}  // namespace proviso::rewrite
