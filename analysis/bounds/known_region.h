// A region with the number of its cells, where loops around it are fixed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/regions/count.h"

namespace proviso::analysis {

// How many cells a region has. With loops fixed, the number may differ between their iterations.
struct CellCount {
    std::optional<Polynomial> formula;       // over parameters and fixed loops
    std::optional<ir::Integer> least, most;  // over all iterations; equal: the same everywhere
    // A condition on parameters and fixed loops decides: there is no cell, or as many as `formula`
    // says.
    bool or_none = false;
    // How it is known: "one part", "disjoint parts", "an injective index map", "counted"; "": it is
    // not known.
    std::string how;
    bool known() const { return formula.has_value() || most.has_value(); }
    std::string str() const;  // "12", "3 to 9", "4 * n", "0 or 4 * n", "?"
};

struct KnownRegion {
    Region region;
    std::shared_ptr<RegionScope> scope;
    CellCount cells;
    CellCount hull;  // of the box around it
    std::string text;
    std::string kind() const;  // "exact", "at most", "hull of more than 16 parts"
};

// A loop that is fixed, from the outside in.
struct FixedLoop {
    ir::Expr var, lo, hi;
};

// Fills in what is known of `r.region`. `only`: what the region is the image of, if of one access.
void measure(KnownRegion& r, const std::vector<FixedLoop>& fixed, const IndexedCells* only,
             const std::vector<ir::Expr>& known, const std::string& buffer);

}  // namespace proviso::analysis
