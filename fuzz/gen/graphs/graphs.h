// Networks of 2 to 12 operators over R.call_tir, with schedules that lay their tensors out as
// `proviso graph` writes them (rewrite/graph/). What a tensor must look like is drawn: each
// operator may do only with some of its variants, so that neighbours agree, or a conversion stands
// between them.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/prover/prover.h"
#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {

struct GeneratedGraph {
    GeneratedPair pair;  // no schedule: nothing is to be changed
    std::string text;    // of the network
    std::size_t operators = 0;
    std::size_t conversions = 0;
    // Inner tensors in another layout that some reader takes as it is written: conversions to it
    // and back are not there.
    std::size_t cancelled = 0;
};

// The prover is asked which variants an operator has.
GeneratedGraph generate_graph(ir::Context& ctx, Choice& choice, analysis::Prover& prover);

}  // namespace proviso::fuzz
