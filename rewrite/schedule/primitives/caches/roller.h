// How a buffer is rolled: the window that iterations of a loop share, and the steps that keep it
// alone. rolling_buffer.cpp says which. Nothing here is trusted.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/affine.h"
#include "rewrite/passes/proposer.h"

namespace proviso::rewrite {

// The dimension in which iterations of a loop overlap: its index is step * (rolls - begin) + walks
// + offset.
struct Window {
    std::size_t dimension = 0;
    ir::For rolls;  // around the stage and what reads it
    ir::For walks;  // of the stage: through one window
    ir::Integer step = 1;
    analysis::Affine offset;
    std::int64_t extent = 0;  // cells of a window
    ir::Integer begin = 0;    // of the loop that rolls
};

// The loops around a statement, outermost first.
std::vector<ir::For> loops_to(const ir::Function& f, const ir::Site& site);

class Roller {
  public:
    // The buffer is stored to at `store` alone.
    Roller(Proposer& p, ir::Buffer buffer, ir::Site store);

    const Window& window() const { return window_; }

    // The outermost loop in whose iterations windows overlap; false: there is none.
    bool find();
    // Where there is none: a loop that would be one if it began at a number.
    const std::optional<ir::For>& begins_anywhere() const { return begins_anywhere_; }

    // The steps, in this order; each gives its refusal.
    // An iteration computes what the one before has not.
    std::optional<Rejection> guard();
    // Room for a window, in front; each store is made there as well.
    std::optional<Rejection> store_twice(const nlohmann::json& names);
    // What reads the buffer reads the window.
    std::optional<Rejection> read_window();
    // The stores to the cells themselves go; the window is a buffer called `name`.
    std::optional<Rejection> keep_window(const std::string& name, const std::string& copy,
                                         const nlohmann::json& loops);

  private:
    ir::Buffer buffer() const;
    // Cell x + room as a cell of the window.
    ir::Expr in_window(ir::Expr index, const ir::Site& site);
    // A load of a cell that is not of the window.
    std::optional<analysis::Access> next_load();
    // Loops around the one that rolls; and with that one.
    std::vector<ir::Expr> outer_loops();
    std::vector<ir::Expr> outer();
    // Other loops of the stage, where it stores to a cell.
    ir::Substitution at_cell(const std::vector<ir::Expr>& cell,
                             const std::vector<ir::Expr>& shared);
    // Where a loop goes through this dimension in parts too, and another one through each part: a
    // cell is stored in the first part that it is in. False: there are no two such loops.
    bool in_overlapping_parts(const analysis::Affine& index, ir::Expr cell,
                              const std::vector<ir::Expr>& shared, const ir::Site& store,
                              ir::Substitution& out);
    // In which iteration cell `x` was stored: in the first one, or in the one that reached it.
    ir::Substitution turn_of(ir::Expr x, const std::vector<ir::Expr>& cell);
    // Of a load of a cell itself, or of the window.
    ir::Substitution turn_of(ir::Expr load, bool in_window);

    Proposer& p_;
    ir::Context& ctx_;
    ir::Site store_;
    std::string name_;
    Window window_;
    std::optional<ir::For> begins_anywhere_;
    ir::Substitution unrolled_;  // indices of the window -> the cells that they are of
};

}  // namespace proviso::rewrite
