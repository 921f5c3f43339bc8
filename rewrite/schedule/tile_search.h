// The part of a buffer that one iteration of a loop accesses. What is found is a guess: rules prove
// that it is enough.
#pragma once

#include <optional>
#include <vector>

#include "analysis/memory/access.h"
#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

// The cells that indices reach over the loops inside: `low` and as many from there on. An index is
// taken to grow or fall with each loop.
struct Reach {
    ir::Expr low = nullptr;
    ir::Int128 extent = 0;  // 0: not constant
    // The lowest index with its clamps: as T.min and T.max with something fixed bring indices no
    // further apart, and keep their order, all cells are within `extent` from there on, too.
    ir::Expr clamped = nullptr;
};

class TileSearch {
  public:
    // Of the statement at `site`: the body of a loop.
    TileSearch(Proposer& p, const ir::Site& site);

    // Start and extent of dimension `d` over all loads of the buffer in the statement, or over all
    // accesses.
    Reach run(ir::Buffer buffer, std::size_t d, bool stores);

  private:
    Reach over_all(ir::Buffer buffer, std::size_t d, bool stores, bool open);
    std::optional<ir::Int128> difference(ir::Expr a, ir::Expr b);
    // The most that they differ by, of quotients: (9 * i + 8) // 6 and 9 * i // 6 by 2 at most, and
    // by 1 where that is proved.
    std::optional<ir::Int128> apart_at_most(ir::Expr high, ir::Expr low);
    // `T.min(T.max(i - 1, 0), n - 1)` as `i - 1`: of two operands the one that moves, with a loop
    // inside if both move with some loop.
    ir::Expr unclamped(const analysis::Access& a, std::size_t d);
    bool is_inside(ir::Expr var) const;
    // No remainder in it begins again while the loops inside run.
    bool keeps_order(ir::Expr index);
    // `index` is `clamped` without its clamps, or `clamped` itself.
    Reach reach(ir::Expr clamped, ir::Expr index);

    Proposer& p_;
    ir::Site site_;
    std::vector<const ir::For*> loops_;  // in the statement, outermost first
};

}  // namespace proviso::rewrite
