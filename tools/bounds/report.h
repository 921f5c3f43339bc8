// `proviso bounds`: what is printed of inferred bounds (analysis/bounds/bounds.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/bounds/bounds.h"
#include "ir/result.h"

namespace proviso::tools {

// The attach paths as a tree, then buffer after buffer.
std::string bounds_text(const ir::Function& f, const analysis::Bounds& bounds);
nlohmann::json bounds_json(const ir::Function& f, const analysis::Bounds& bounds);
// Graphviz DOT: stages and buffers, with what is computed and needed in all on the edges.
std::string bounds_dot(const ir::Function& f, const analysis::Bounds& bounds);
// A picture of each buffer of two dimensions: what is computed, and what each consumer requests, in
// all. An error where there is none, or sizes are not known.
Result<std::string> bounds_svg(const ir::Function& f, const analysis::Bounds& bounds);

// Whether every region is exact.
bool all_exact(const analysis::Bounds& bounds);

// "2.50 (computed 240, needed 96), 144 computed again", "none"; empty: not known.
std::string loss_text(const analysis::BufferBounds& b);
// "1.33", of numbers; empty: not known.
std::string loss_ratio(const analysis::BufferBounds& b);

// "for i in range(12)", "for tx in range(32) on threadIdx.x".
std::string loop_text(const ir::For& loop);
// "in all", "one y, x".
std::string level_text(const std::vector<analysis::StageLoop>& loops, std::size_t fixed);

}  // namespace proviso::tools
