// Sizes at which two programs of symbolic extents are compared. What goes wrong at one size only
// does so around a number that one of the programs mentions: a tile, a bound, a special case. So
// sizes are taken from around every constant, from both sides of every condition on sizes, and a
// few besides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "verify/harness/contract.h"
#include "verify/tv/validate.h"

namespace proviso::verify {

struct SizeChoices {
    std::vector<ir::Expr> variables;  // those that are chosen; empty: nothing is symbolic
    std::vector<Sizes> chosen;        // with what was given; one element if nothing is symbolic
    bool all = false;          // every value that the declared bounds allow, nothing was given
    std::size_t left_out = 0;  // further choices, over the limit of their number
};

struct SizeLimits {
    std::size_t most = 48;            // choices
    std::size_t cells = 1 << 16;      // of one buffer
    std::uint64_t steps = 3'000'000;  // of one execution
};

// A function of its arguments. `given`: sizes that are not to be chosen. Where the bounds that
// `before` declares allow no more than `most` choices, all of them. Else for each constant c of the
// programs (also in asserts, assumptions and bounds) c - 1, c, c + 1, 2c and 2c + 1, then 0, 1, 2,
// a prime as large as the limits allow, and values that make conditions on sizes true and false; of
// several variables all alike, one after the other, and mixed. At least twelve choices, unless the
// bounds allow fewer.
SizeChoices choose_sizes(ir::Context& ctx, const ir::Function& before, const ir::Function& after,
                         analysis::Prover& prover, const Sizes& given,
                         const SizeLimits& limits = {});

// "n = 8, m = 5", of `variables` in this order.
std::string sizes_text(const std::vector<ir::Expr>& variables, const Sizes& sizes);

}  // namespace proviso::verify
