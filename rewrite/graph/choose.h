// The cheapest assignment of values to variables under costs of several variables each, exactly, by
// bucket elimination.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/result.h"

namespace proviso::rewrite {

inline constexpr std::int64_t kNever = std::int64_t{1} << 60;    // a cost that nothing pays
inline constexpr std::size_t kMostCells = std::size_t{1} << 22;  // of one table

// A cost for each choice of the variables' values, the last variable's running fastest.
struct CostTable {
    std::vector<std::size_t> variables;  // ascending
    std::vector<std::int64_t> cells;
};

struct Cheapest {
    std::vector<std::size_t> values;
    std::int64_t cost = 0;
};

// Of equally cheap assignments, one with small values. An error: a table would be too large, or
// every assignment costs kNever.
Result<Cheapest> cheapest(const std::vector<std::size_t>& sizes,
                          const std::vector<CostTable>& tables);

// The sum of all tables there.
std::int64_t cost_at(const std::vector<std::size_t>& sizes, const std::vector<CostTable>& tables,
                     const std::vector<std::size_t>& values);

}  // namespace proviso::rewrite
