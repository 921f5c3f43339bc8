// What tensors cost that several operators read: who reads one in another layout than it was
// written in reads a copy, and those that want the same layout share it.
#pragma once

#include <functional>
#include <vector>

#include "rewrite/graph/select/costs.h"

namespace proviso::rewrite {

// An operator's variable, and for each of its values the layout, by number, that it writes or reads
// the tensor in.
struct LayoutChoice {
    std::size_t variable = 0;
    std::vector<std::size_t> layout;
};

// Adds to the problem, for each layout that some reader wants and the writer does not write, the
// cost `convert(from, to)` once, whoever shares it. For each layout there is a new variable: a copy
// in it is made (1) or not (0), as facilities are opened or not (Balinski, "Integer programming:
// methods, uses, computation", 1965). So no table is over more than three variables, however many
// readers there are. Layouts are numbered below `layouts`. Gives the first of the new variables,
// that of layout 0.
std::size_t add_conversions(
    CostProblem& problem, const LayoutChoice& writer, const std::vector<LayoutChoice>& readers,
    std::size_t layouts,
    const std::function<std::int64_t(std::size_t from, std::size_t to)>& convert);

}  // namespace proviso::rewrite
