// How many cells a region has, and its shape as text.
//
//   {0 <= p0 < n, 0 <= p1 < 4}       4 * n            A[0:n, 0:4]
//   {0 <= p0 < n, p1 == p0 + 1}      n                A[p0, p0 + 1] where 0 <= p0 < n
//   {0 <= p0 < n, 0 <= p1 <= p0}     (n * n + n) // 2
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/regions/polynomial.h"
#include "analysis/regions/region.h"

namespace proviso::analysis {

// The ends of one coordinate that depend on no other coordinate: lo <= p <= hi, by steps from lo.
struct Span {
    Affine lo, hi;  // hi may be no member where the stride is not 1
    ir::Integer stride = 1;
    bool point() const { return lo == hi; }
};
// Of a coordinate with one lower and one upper end; none where another coordinate has a say, or
// there are several ends.
std::optional<Span> span_of(const RegionScope& scope, const Conjunction& part, ir::Expr coordinate);
// One for each coordinate: the part is a box.
std::optional<std::vector<Span>> box_of(const RegionScope& scope, const Conjunction& part);

// For all values of the parameters that the scope allows; none where it is not found. Of a part,
// or of the union of all of them.
std::optional<Polynomial> count(const RegionScope& scope, const Conjunction& part);
std::optional<Polynomial> count(const RegionScope& scope, const Region& region);

// The region at given values of its parameters.
Region with_values(const RegionScope& scope, const Region& region, const ir::Substitution& values);
// Members of a region; none where their number depends on parameters, that takes more than `budget`
// steps, or the region is not bounded.
std::optional<ir::Integer> count_cells(const RegionScope& scope, const Region& region,
                                       std::size_t budget = 1 << 16);

// A constant region as boxes that do not overlap, [lo, hi) by steps of 1 in each dimension, in
// order; none where they or the steps to find them would be more than so many.
struct CellBox {
    std::vector<ir::Integer> lo, hi;
};
std::optional<std::vector<CellBox>> cell_boxes(const RegionScope& scope, const Region& region,
                                               std::size_t most = 4096);

// "A[0:n, y]", "A[0:2, 0:2] + A[2:4, 2:4]", "A[p0, p0 + 1] where 0 <= p0 < n"; "nothing".
std::string region_text(const RegionScope& scope, const Region& region, const std::string& buffer);
std::string part_text(const RegionScope& scope, const Conjunction& part, const std::string& buffer);

}  // namespace proviso::analysis
