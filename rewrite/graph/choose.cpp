#include "rewrite/graph/choose.h"

#include <algorithm>
#include <set>

namespace proviso::rewrite {

namespace {

std::int64_t plus(std::int64_t a, std::int64_t b) {
    return std::min(kNever, a + b);
}

std::size_t cell_of(const CostTable& t, const std::vector<std::size_t>& sizes,
                    const std::vector<std::size_t>& values) {
    std::size_t at = 0;
    for (const std::size_t v : t.variables) at = at * sizes[v] + values[v];
    return at;
}

// Calls `f` for all values of the variables; `values` has them.
template <typename F>
void for_all(const std::vector<std::size_t>& variables, const std::vector<std::size_t>& sizes,
             std::vector<std::size_t>& values, F&& f) {
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

class Elimination {
  public:
    Elimination(const std::vector<std::size_t>& sizes, std::vector<CostTable> tables)
        : sizes_(sizes), tables_(std::move(tables)) {}

    Result<Cheapest> run() {
        std::set<std::size_t> left;
        for (std::size_t v = 0; v < sizes_.size(); ++v) left.insert(v);
        while (!left.empty()) {
            std::size_t best = *left.begin();
            for (const std::size_t v : left) {
                if (cells(neighbours(v)) < cells(neighbours(best))) best = v;
            }
            if (cells(neighbours(best)) > kMostCells) {
                return error("the decision needs a table of more than " +
                                 std::to_string(kMostCells) + " costs",
                             "try fewer layouts: --templates NAME,…");
            }
            eliminate(best);
            left.erase(best);
        }
        Cheapest out;
        for (const CostTable& t : tables_) out.cost = plus(out.cost, t.cells[0]);
        if (out.cost >= kNever) return error("no choice of variants has a cost");
        out.values.assign(sizes_.size(), 0);
        for (auto step = order_.rbegin(); step != order_.rend(); ++step) {
            out.values[step->variable] =
                step->best.cells.empty()
                    ? 0
                    : static_cast<std::size_t>(
                          step->best.cells[cell_of(step->best, sizes_, out.values)]);
        }
        return out;
    }

  private:
    struct Step {
        std::size_t variable = 0;
        CostTable best;  // its value for each choice of its neighbours
    };

    std::vector<std::size_t> neighbours(std::size_t v) const {
        std::set<std::size_t> out;
        for (const CostTable& t : tables_) {
            if (std::find(t.variables.begin(), t.variables.end(), v) == t.variables.end()) continue;
            out.insert(t.variables.begin(), t.variables.end());
        }
        out.erase(v);
        return {out.begin(), out.end()};
    }

    std::size_t cells(const std::vector<std::size_t>& variables) const {
        std::size_t out = 1;
        for (const std::size_t v : variables) out = std::min(out * sizes_[v], kMostCells + 1);
        return out;
    }

    void eliminate(std::size_t v) {
        std::vector<CostTable> mine;
        std::vector<CostTable> others;
        for (CostTable& t : tables_) {
            const bool has =
                std::find(t.variables.begin(), t.variables.end(), v) != t.variables.end();
            (has ? mine : others).push_back(std::move(t));
        }
        tables_ = std::move(mine);
        CostTable message{neighbours(v), {}};
        Step step{v, {message.variables, {}}};
        std::vector<std::size_t> values(sizes_.size(), 0);
        for_all(message.variables, sizes_, values, [&] {
            std::int64_t least = kNever;
            std::size_t best = 0;
            for (values[v] = 0; values[v] < sizes_[v]; ++values[v]) {
                std::int64_t sum = 0;
                for (const CostTable& t : tables_) {
                    sum = plus(sum, t.cells[cell_of(t, sizes_, values)]);
                }
                if (sum < least) {
                    least = sum;
                    best = values[v];
                }
            }
            message.cells.push_back(least);
            step.best.cells.push_back(static_cast<std::int64_t>(best));
        });
        tables_ = std::move(others);
        tables_.push_back(std::move(message));
        order_.push_back(std::move(step));
    }

    const std::vector<std::size_t>& sizes_;
    std::vector<CostTable> tables_;
    std::vector<Step> order_;
};

}  // namespace

Result<Cheapest> cheapest(const std::vector<std::size_t>& sizes,
                          const std::vector<CostTable>& tables) {
    return Elimination(sizes, tables).run();
}

std::int64_t cost_at(const std::vector<std::size_t>& sizes, const std::vector<CostTable>& tables,
                     const std::vector<std::size_t>& values) {
    std::int64_t out = 0;
    for (const CostTable& t : tables) out = plus(out, t.cells[cell_of(t, sizes, values)]);
    return out;
}

}  // namespace proviso::rewrite
