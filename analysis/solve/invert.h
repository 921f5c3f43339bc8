// Index maps inverted: an inverse, the padding of the physical box in terms of the new indices, and
// whether the map is injective and surjective, each with its obligations and verdicts.
//
//   i -> ((i + 2) // 8, (i + 2) % 8) for i < n
//       inverse   (p0, p1) -> p0 * 8 + p1 - 2
//       padding   p0 * 8 + p1 < 2 or n + 2 <= p0 * 8 + p1
//   (i, j) -> (i, j ^ (i % 8))
//       inverse   (p0, p1) -> (p0, p1 ^ (p0 % 8)), no padding
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/solve/index_map.h"
#include "ir/result.h"

namespace proviso::analysis::solve {

struct Decided {
    Verdict verdict = Verdict::Unknown;
    std::string by;   // Proved, Refuted
    std::string why;  // Unknown
    // Refuted: what shows it. Injective: two points with one image, "i" and "i'". Surjective: a
    // physical point that no index goes to. Parameters, too.
    std::vector<std::pair<std::string, std::string>> example;
    bool everywhere = false;  // the example holds whatever the parameters are
};

struct Inversion {
    std::vector<ir::Expr> physical;  // p0, p1, ..
    std::vector<ir::Expr> shape;     // extents of the physical box
    std::string method;              // "equations", "bits"; empty: no inverse found
    std::vector<ir::Expr> inverse;   // one a variable, over `physical` and the parameters
    // p in the box is an image; null: not known. Known of some maps without an inverse, too.
    ir::Expr inside = nullptr;
    ir::Expr padding = nullptr;   // its opposite
    std::vector<Checked> checks;  // inverse, box, and that nothing needed was left out of inside
    Decided injective;
    Decided surjective;  // onto the box
    bool found() const { return !inverse.empty(); }
};

// `shape`: the physical extents; empty: the smallest box that is known to hold the image, a
// dimension that is a remainder as wide as its divisor. `names`: of the physical indices; must not
// occur in the map. Fails when the map is not one of exact integers of one type, or may leave the
// given shape.
Result<Inversion> invert(Prover& prover, const IndexMap& map, std::vector<ir::Expr> shape = {},
                         const std::vector<std::string>& names = {});

// The search alone, unproved: the first guess whose proof as an inverse would have to succeed.
std::vector<std::pair<std::string, std::vector<ir::Expr>>> inverse_candidates(
    Prover& prover, const IndexMap& map, const std::vector<ir::Expr>& physical);

}  // namespace proviso::analysis::solve
