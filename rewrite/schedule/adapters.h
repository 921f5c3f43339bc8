// Conversion code for the caller of a function whose parameters have another layout: for each such
// parameter `A`, pack (the caller's tensor into the physical one, padding as the relation promises
// it) and unpack (back), with a proof that unpack(pack(x)) = x for every x.
//
// The proof is a derivation. It starts at the copy of a tensor, A_back[x] = A[x], and its steps put
// the physical buffer in between: `stage-read` copies into it, `relayout` gives it each layout of
// the relation in turn, with the padding written. Its last program is pack, then unpack, and
// refines the copy: for every input the result is the same bits, without a fault. Pack and unpack
// are the two halves of that program, cut where the last loop nest begins.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::rewrite {

struct Adapter {
    std::string parameter;
    Derivation round_trip;  // of a copy of the parameter's tensor, through its physical buffer
    // Each starts at its half of the round trip, and ends lowered.
    Derivation pack;    // (A, A_physical, sizes)
    Derivation unpack;  // (A_physical, A, sizes)
};

// One for each parameter of `f` with a layout relation, in their order. Fails when a step is
// refused: the relation is not one that can be shown to be invertible. The functions are called
// NAME_pack_A and NAME_unpack_A, where `name` is NAME; empty: the function's own.
Result<std::vector<Adapter>> adapters(ir::Context& ctx, const ir::Function& f,
                                      analysis::Prover& prover, const std::string& name = {});

}  // namespace proviso::rewrite
