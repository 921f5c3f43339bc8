// How the interface of one program is that of another one in other words: parameters with other
// names or in another order, buffers in another layout; and what callers grant to both. Told by
// whoever compares them: a comparison holds under what is told here, and says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::verify {

struct InterfaceRelation {
    // Names of parameters in `before`, and what `after` calls them. Parameters that are not named
    // keep their name.
    std::vector<std::pair<std::string, std::string>> names;
    bool by_position = false;  // the k-th parameter of the one is the k-th of the other
    bool flat = false;         // a buffer of one dimension is that of `before`, row by row
    // "lambda i, j: [i // 4, j, i % 4], pad_value=0.0": where `after` keeps cell [i, j] of the
    // buffer, and what its other cells hold (nothing that is defined, where it is not said). The
    // caller provides what the padding holds unless the program writes the buffer only.
    std::vector<std::pair<std::string, std::string>> layouts;  // by the name in `before`
    std::vector<std::string> licences;                         // "reassociate"
    // Buffers of either program that its caller lends: what they hold in the end means nothing, and
    // nothing is known of what they hold at the start.
    std::vector<std::string> workspaces;
    // Sizes and other integers that callers pass are at most this: what only the ends of their
    // types tell apart is left out.
    std::optional<std::int64_t> at_most;
    // No operation of `before` on integers that wrap leaves its type: an axiom (no_overflow.h).
    bool no_overflow = false;

    bool empty() const {
        return names.empty() && !by_position && !flat && layouts.empty() && licences.empty() &&
               workspaces.empty() && !at_most && !no_overflow;
    }
};

// The programs with one interface: `after` with the names, the order and the relations of layouts
// that are told, both with the licences. An error where they do not fit.
struct RelatedPrograms {
    ir::Function before;
    ir::Function after;
    std::vector<std::string> told;    // what the comparison rests on, a sentence each
    std::vector<std::string> axioms;  // the names of those of them that are axioms: "N1"
};
Result<RelatedPrograms> relate(const ir::Function& before, const ir::Function& after,
                               const InterfaceRelation& relation, analysis::Prover& prover);

}  // namespace proviso::verify
