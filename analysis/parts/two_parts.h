// A function in two parts: what depends on some of its parameters only, the weights, is computed
// once, into packed buffers; the rest runs any number of times.
//
//   f(x, w, y)        P = alloc; Q = alloc; P := … w …; Q := … x …; y := … P, Q …
//   prepare(w, P)     P := … w …
//   run(x, y, P, Q)   Q := … x …; y := … P, Q …
//
// Checked, of a function without blocks:
//   1. weights are buffers that it never stores to; it has no assert and no opaque call;
//   2. its statements at the top (top_level.h), each of which runs once, go to one part each;
//   3. `prepare` reads weights and buffers that `prepare` alone stores to, and no scalar; it stores
//      to buffers that are allocated at the top only;
//   4. what `run` reads of these buffers, all statements that store to it came before.
// So no statement of `run` stores to what one of `prepare` touches (1, 3), and by 4 the order among
// them does not matter: f does what `P, Q = alloc; prepare(w, P); run(x, y, P, Q)` does, fault for
// fault, since nothing stops it in between (1). `prepare` depends on the weights alone, and `run`
// stores to none of them and to no packed buffer; the other buffers come with any contents, as
// fresh ones do. So after one `prepare`, each of any number of runs with the same weights leaves
// what f leaves.
#pragma once

#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::analysis {

struct TwoParts {
    std::vector<ir::Buffer> weights;    // that `prepare` reads, in the order of the parameters
    std::vector<ir::Buffer> packed;     // stored to by `prepare`, read by `run`
    std::vector<ir::Buffer> kept;       // temporaries of `prepare`
    std::vector<ir::Buffer> workspace;  // the other buffers at the top
    // Parameters: the weights, then the packed buffers.
    ir::Function prepare;
    // Parameters: those of f but for weights that it does not read, then packed buffers, then the
    // workspace.
    ir::Function run;
};

// Which statements go where follows from the names of the weights; nothing may be left for
// `prepare`. Fails where 1 does not hold, and where a size is not constant.
Result<TwoParts> two_parts(ir::Context& ctx, const ir::Function& f,
                           const std::vector<std::string>& weights);

// The sentence that a theorem about f ends in, where it is called like this.
std::string two_parts_text(const ir::Function& f, const TwoParts& parts);

}  // namespace proviso::analysis
