// Index maps x -> f(x) on a box 0 <= x < extents, and what is asked of them by hand: domains as
// facts, all points of a small constant box.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "analysis/solve/checked.h"

namespace proviso::analysis::solve {

struct IndexMap {
    std::vector<ir::Expr> vars;     // variables of one exact integer type
    std::vector<ir::Expr> extents;  // one a variable; may be symbolic
    std::vector<ir::Expr> results;  // f(x), over vars and parameters, of the same type
    std::vector<ir::Expr> facts;    // of the parameters

    ir::ScalarType type() const { return vars.at(0)->type; }
    // The facts, and 0 <= v < extent for each variable.
    std::vector<ir::Expr> domain(ir::Context& ctx) const;
    // e with f(x) in the place of the variables `physical`.
    ir::Expr at_image(ir::Context& ctx, ir::Expr e, const std::vector<ir::Expr>& physical) const;
};

// 0 <= v and v < extent, one after the other.
std::vector<ir::Expr> box_conditions(ir::Context& ctx, const std::vector<ir::Expr>& vars,
                                     const std::vector<ir::Expr>& extents);

inline constexpr std::int64_t kMostPoints = 1 << 16;

// Calls `at` with every point of a box of constant extents, the last variable fastest, until it
// says false. False: the box is not constant or has more than kMostPoints points.
using Point = std::vector<ir::Int128>;
bool each_point(const std::vector<ir::Expr>& extents, const std::function<bool(const Point&)>& at);

// The value of an integer or bool expression at a point; none where it faults, is not definite or
// has other variables.
std::optional<ir::Int128> value_at(ir::Expr e, const std::vector<ir::Expr>& vars, const Point& at);

// The prover's answer; where it has none and the box is small and constant, the claim's value at
// every point ("enumeration"). `vars` are the only free variables then.
Checked check_on_box(Prover& prover, const std::string& purpose, const std::vector<ir::Expr>& facts,
                     const std::vector<ir::Expr>& vars, const std::vector<ir::Expr>& extents,
                     ir::Expr goal);

}  // namespace proviso::analysis::solve
