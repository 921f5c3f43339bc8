// Guesses at images: from the points of small domains, from sets of values, from the corners of the
// domain at small sizes. image.h proves them.
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/image.h"

namespace proviso::analysis::solve {

struct ImageGuess {
    std::vector<StridedRange> ranges;
    bool hull = false;
};

// The image of the map's result number k: the most precise guess first; none: nothing is known.
std::vector<ImageGuess> image_guesses(Prover& prover, const IndexMap& map, std::size_t k);

// As few ranges as hold just these numbers (ascending), or one with the gaps filled when they are
// more than kMostPieces.
ImageGuess ranges_of(ir::Context& ctx, ir::ScalarType type, const std::vector<ir::Int128>& values);

}  // namespace proviso::analysis::solve
