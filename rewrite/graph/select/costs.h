// What a choice costs: a sum of tables, each over a few of the variables (a cost function network,
// or weighted constraint satisfaction problem: Cooper et al., "Soft arc consistency revisited",
// 2010).
#pragma once

#include <cstdint>
#include <vector>

#include "ir/result.h"

namespace proviso::rewrite {

// A cost that nothing pays; sums do not go beyond.
inline constexpr std::int64_t kNever = std::int64_t{1} << 60;

// A cost for each choice of the variables' values, the last variable's running fastest.
struct CostTable {
    std::vector<std::size_t> variables;  // ascending; none: a constant
    std::vector<std::int64_t> cells;     // from 0 to kNever
    bool operator==(const CostTable&) const = default;
};

struct CostProblem {
    std::vector<std::size_t> sizes;  // how many values each variable has
    std::vector<CostTable> tables;
};

// That a table is over variables that there are, each once and ascending, and has a cost for each
// choice of their values.
Status check_table(const CostTable& t, const std::vector<std::size_t>& sizes);
// That each variable has a value, tables are over variables that there are, each once and
// ascending, with a cell for each choice, and that no sum of costs is lost: those below kNever add
// up to less than it.
Status check_costs(const CostProblem& problem);

// `a + b`, where either may be kNever.
std::int64_t plus(std::int64_t a, std::int64_t b);
// No table has more cells.
inline constexpr std::size_t kMostCells = std::size_t{1} << 40;
// The number of cells of a table over these variables; `most + 1` for more than `most`, which is at
// most kMostCells.
std::size_t cells_over(const std::vector<std::size_t>& variables,
                       const std::vector<std::size_t>& sizes, std::size_t most);
// Where a table has its cost for these values, one for each variable of the problem.
std::size_t cell_at(const CostTable& t, const std::vector<std::size_t>& sizes,
                    const std::vector<std::size_t>& values);
// The sum of all tables there.
std::int64_t cost_at(const CostProblem& problem, const std::vector<std::size_t>& values);

// Calls `f` for all values of the variables, the last one's running fastest; `values` has them.
template <typename F>
void for_all_values(const std::vector<std::size_t>& variables,
                    const std::vector<std::size_t>& sizes, std::vector<std::size_t>& values,
                    F&& f) {
    for (const std::size_t v : variables) values[v] = 0;
    while (true) {
        f();
        std::size_t k = variables.size();
        while (k > 0 && ++values[variables[k - 1]] == sizes[variables[k - 1]]) {
            values[variables[--k]] = 0;
        }
        if (k == 0) return;
    }
}

}  // namespace proviso::rewrite
