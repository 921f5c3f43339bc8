#include "rewrite/graph/select/conversions.h"

#include <algorithm>

namespace proviso::rewrite {

namespace {

// A table over these variables, in any order, whose costs are those of `cost` for their values.
CostTable table_of(
    const std::vector<std::size_t>& sizes, std::vector<std::size_t> variables,
    const std::function<std::int64_t(const std::vector<std::size_t>& values)>& cost) {
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    CostTable out{std::move(variables), {}};
    std::vector<std::size_t> values(sizes.size(), 0);
    for_all_values(out.variables, sizes, values, [&] { out.cells.push_back(cost(values)); });
    return out;
}

}  // namespace

std::size_t add_conversions(
    CostProblem& problem, const LayoutChoice& writer, const std::vector<LayoutChoice>& readers,
    std::size_t layouts,
    const std::function<std::int64_t(std::size_t from, std::size_t to)>& convert) {
    const std::size_t first = problem.sizes.size();
    problem.sizes.resize(first + layouts, 2);
    for (std::size_t to = 0; to < layouts; ++to) {
        const std::size_t made = first + to;
        const auto written = [&](const std::vector<std::size_t>& values) {
            return writer.layout[values[writer.variable]];
        };
        problem.tables.push_back(table_of(
            problem.sizes, {writer.variable, made}, [&](const std::vector<std::size_t>& values) {
                // A copy in the layout that is there costs nothing, and is none.
                return values[made] == 0 || written(values) == to ? 0
                                                                  : convert(written(values), to);
            }));
        for (const LayoutChoice& reader : readers) {
            problem.tables.push_back(table_of(
                problem.sizes, {writer.variable, reader.variable, made},
                [&](const std::vector<std::size_t>& values) {
                    const bool wanted = reader.layout[values[reader.variable]] == to;
                    return wanted && written(values) != to && values[made] == 0 ? kNever : 0;
                }));
        }
    }
    return first;
}

}  // namespace proviso::rewrite
