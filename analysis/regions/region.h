// Regions: sets of cells of several dimensions, jointly. A region is a union of at most 16
// conjunctions over the coordinates of a cell; ends are linear in parameters. Boxes, strided boxes,
// diagonals, bands and the rows of a fused loop are one conjunction each.
//
//   A[i, i + 1]            i < n              {0 <= p0 <= n - 1, p1 == p0 + 1}
//   A[f // 6, f % 6]       9 k <= f < 9 k + 9 {9 k <= 6 p0 + p1 <= 9 k + 8, 0 <= p1 <= 5}
//   T[y - 1, x], T[y, x]   at one y, x        {p0 == y - 1, p1 == x} + {p0 == y, p1 == x}
//
// A region is exact, or says that it may hold more cells; after 16 conjunctions it becomes a hull,
// and says so. Nothing here is trusted: what is found serves searches and reports.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/regions/conjunction.h"

namespace proviso::analysis {

inline constexpr std::size_t kMostParts = 16;

struct Region {
    std::vector<Conjunction> parts;  // none: no cell. They may overlap.
    bool exact = true;               // every member is a cell of what was asked for
    bool hull = false;               // the limit on parts was reached

    bool empty() const { return parts.empty(); }
};

// Cells f(x), where `condition` holds of x. What depends on data, or is not linear, makes the
// region inexact.
struct IndexedCells {
    std::vector<ir::Expr> varying;  // x
    ir::Expr condition = nullptr;
    std::vector<ir::Expr> indices;  // f
    bool over = false;              // the condition holds at least where it should
};

// Different x give different cells, as far as elimination shows it.
bool known_injective(ir::Context& ctx, const IndexedCells& cells,
                     const std::vector<ir::Expr>& known);

class RegionScope {
  public:
    // `coordinates`: a variable for each dimension. `known`: facts of the parameters.
    RegionScope(ir::Context& ctx, std::vector<ir::Expr> coordinates,
                const std::vector<ir::Expr>& known);

    ir::Context& ctx() const { return ctx_; }
    const std::vector<ir::Expr>& coordinates() const { return coordinates_; }
    const Conjunction& known() const { return known_; }

    Region image(const IndexedCells& cells);
    // All cells of a box [0, extents).
    Region box(const std::vector<ir::Expr>& extents);

    Region unite(const Region& a, const Region& b) const;
    // What is in `a` and not in `b`, as parts that do not overlap; none: not known. The result may
    // have more than kMostParts parts.
    std::optional<Region> subtract(const Region& a, const Region& b) const;
    Region intersect(const Region& a, const Region& b) const;
    // The same cells in parts that do not overlap.
    std::optional<Region> disjoint(const Region& a) const;
    // Every member of `a` is known to be one of `b`.
    bool within(const Region& a, const Region& b) const;
    bool known_empty(const Conjunction& part) const;
    // Fewer parts with the same members.
    Region merged(Region a) const;
    // The smallest box of ends that some part has: one part, each constraint on one coordinate.
    Region bounding_box(const Region& a) const;

  private:
    std::pair<std::vector<Conjunction>, bool> projected(Conjunction c,
                                                        std::vector<ir::Expr> variables) const;
    std::optional<Conjunction> joined(const Conjunction& a, const Conjunction& b) const;
    Region limited(Region a) const;

    ir::Context& ctx_;
    std::vector<ir::Expr> coordinates_;
    Conjunction known_;
};

}  // namespace proviso::analysis
