// Index maps that are linear over bits: every bit of the result is an XOR of bits of the indices.
// XOR swizzles, Gray codes, bit reversals and transpositions of bits are such maps; their inverse
// is the inverse of a matrix over GF(2). A guess: invert.h proves it.
#pragma once

#include <optional>
#include <vector>

#include "analysis/solve/index_map.h"

namespace proviso::analysis::solve {

// x over `physical`, as XORs of shifted and masked indices; none where extents are no powers of
// two, the map is not linear over bits, or two indices have one image.
std::optional<std::vector<ir::Expr>> invert_bits(ir::Context& ctx, const IndexMap& map,
                                                 const std::vector<ir::Expr>& physical);

}  // namespace proviso::analysis::solve
