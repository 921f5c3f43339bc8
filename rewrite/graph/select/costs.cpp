#include "rewrite/graph/select/costs.h"

#include <algorithm>
#include <limits>
#include <string>

namespace proviso::rewrite {

Status check_table(const CostTable& t, const std::vector<std::size_t>& sizes) {
    for (std::size_t k = 0; k < t.variables.size(); ++k) {
        if (t.variables[k] >= sizes.size()) return error("it is over a variable that there is not");
        if (k > 0 && t.variables[k - 1] >= t.variables[k]) {
            return error("its variables must ascend");
        }
    }
    if (cells_over(t.variables, sizes, t.cells.size()) != t.cells.size()) {
        return error("it has not a cost for each choice of its variables' values");
    }
    const bool are_costs = std::all_of(t.cells.begin(), t.cells.end(), [](std::int64_t cost) {
        return cost >= 0 && cost <= kNever;
    });
    return are_costs ? Status(Unit{}) : Status(error("it has a cost that is none"));
}

Status check_costs(const CostProblem& problem) {
    const auto none = std::find(problem.sizes.begin(), problem.sizes.end(), 0U);
    if (none != problem.sizes.end()) {
        return error("variable " + std::to_string(none - problem.sizes.begin()) + " has no value");
    }
    std::int64_t most = 0;
    for (std::size_t number = 0; number < problem.tables.size(); ++number) {
        const CostTable& t = problem.tables[number];
        if (const Status form = check_table(t, problem.sizes); !form) {
            return error("table " + std::to_string(number) + ": " + form.error().message);
        }
        std::int64_t largest = 0;
        for (const std::int64_t cost : t.cells) {
            if (cost < kNever) largest = std::max(largest, cost);
        }
        most = plus(most, largest);
    }
    if (most >= kNever) return error("the costs are too large to be added up");
    return Unit{};
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
    return a >= kNever || b >= kNever ? kNever : std::min(kNever, a + b);
}

std::size_t cells_over(const std::vector<std::size_t>& variables,
                       const std::vector<std::size_t>& sizes, std::size_t most) {
    most = std::min(most, kMostCells);
    std::size_t out = 1;
    for (const std::size_t v : variables) {
        if (out > most / sizes[v]) return most + 1;
        out *= sizes[v];
    }
    return out;
}

std::size_t cell_at(const CostTable& t, const std::vector<std::size_t>& sizes,
                    const std::vector<std::size_t>& values) {
    std::size_t at = 0;
    for (const std::size_t v : t.variables) at = at * sizes[v] + values[v];
    return at;
}

std::int64_t cost_at(const CostProblem& problem, const std::vector<std::size_t>& values) {
    std::int64_t out = 0;
    for (const CostTable& t : problem.tables) {
        out = plus(out, t.cells[cell_at(t, problem.sizes, values)]);
    }
    return out;
}

}  // namespace proviso::rewrite
