// Images: the set of values of index expressions as their variables range over a domain, as a union
// of strided ranges with symbolic ends, proved both ways.
//
//   i * 8 + j        i < 2, j < 6       {0..5} ∪ {8..13}
//   i // 4           i < n              {0..(n - 1) // 4}
//   i * s + 1        i < n, 0 < s       {1..n * s - s + 1 step s}
//
// Sets are proposed by analysis/sets, by enumeration and by looking at small sizes. That every
// value is a member, and that every member is a value (by a witness, the indices that have it), is
// proved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/solve/index_map.h"
#include "ir/result.h"

namespace proviso::analysis::solve {

// The numbers within [lo, hi] that differ from the anchor by multiples of the stride.
struct StridedRange {
    ir::Expr lo = nullptr;  // none: no end
    ir::Expr hi = nullptr;
    ir::Expr stride = nullptr;  // positive; none: 1
    ir::Expr anchor = nullptr;  // none: lo

    ir::Expr member(ir::Context& ctx, ir::Expr value) const;
    std::string str() const;  // "{0..12 step 4}", "{7}", "{n..}"
};

struct Image {
    Direction direction = Direction::Exact;  // Exact or Over
    std::vector<StridedRange> ranges;        // none: no value
    // There are more ranges than kMostPieces, and gaps between them were filled.
    bool hull = false;
    // Exact, given that every symbolic extent is at least 1: elsewhere there may be no value at
    // all.
    bool if_not_empty = false;
    ir::Expr member = nullptr;    // of `value`
    std::vector<Checked> checks;  // all of them proved
    std::vector<Checked> failed;  // Over: why it is not known to be exact
    std::string str() const;      // "{0..5} ∪ {8..13}"; "{}"
    // "exact", "exact where the domain is not empty", "over", "hull (of more than 16 ranges)"
    std::string kind() const;
};

// Values of several expressions together, where not every combination of their members occurs: a
// union of conjunctions of linear constraints (analysis/regions).
struct JointImage {
    Direction direction = Direction::Over;  // Exact or Over
    bool hull = false;                      // there are more parts than kMostParts
    bool if_not_empty = false;
    std::vector<ir::Expr> parts;  // conditions on the values; one of them holds
    ir::Expr member = nullptr;    // any of them
    std::vector<Checked> checks;  // all of them proved
    std::vector<Checked> failed;  // Over: why it is not known to be exact
    std::string str() const;      // "v0 < n and v1 == v0 + 1"
    std::string kind() const;     // as of Image
};

struct Images {
    std::vector<ir::Expr> values;  // a name for the values of each expression
    std::vector<Image> each;       // one an expression
    // Several expressions: whether every combination of members is reached together.
    Direction together = Direction::Exact;
    bool if_not_empty = false;
    std::vector<Checked> checks;
    std::optional<JointImage> joint;  // where not every combination is known to be reached
    bool exact() const { return (joint ? joint->direction : together) == Direction::Exact; }
};

// Of the map's results, one by one. Facts that speak of its variables narrow the domain. `names`:
// of the values; must not occur in the map. `jointly`: also Images::joint.
Result<Images> images(Prover& prover, const IndexMap& map, const std::vector<std::string>& names,
                      bool jointly = false);

// The exact image of a small constant domain, from its points; none where the domain is not
// constant, has too many points, or an expression has no value somewhere.
struct Listed {
    std::vector<std::vector<ir::Int128>> values;  // ascending, each once
};
std::optional<Listed> listed_image(const IndexMap& map);

}  // namespace proviso::analysis::solve
