#include "rewrite/graph/select/certificate.h"

#include <algorithm>
#include <set>
#include <string>

namespace proviso::rewrite {

namespace {

Diagnostic wrong(std::size_t cluster, const std::string& what) {
    return error("cluster " + std::to_string(cluster) + ": " + what);
}

}  // namespace

Status check_certificate(const CostProblem& problem, const CostCertificate& certificate,
                         std::size_t most_cells) {
    if (const Status form = check_costs(problem); !form) return form.error();
    const std::vector<CostCluster>& clusters = certificate.clusters;
    std::vector<std::vector<const CostTable*>> taken(clusters.size());
    std::vector<bool> used(problem.tables.size(), false);
    std::int64_t bound = 0;
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        for (const std::size_t t : clusters[c].tables) {
            if (t >= problem.tables.size()) return wrong(c, "there is no such table");
            if (used[t]) return wrong(c, "table " + std::to_string(t) + " is taken twice");
            used[t] = true;
            taken[c].push_back(&problem.tables[t]);
        }
        const CostTable& message = clusters[c].message;
        const Status form = check_table(message, problem.sizes);
        if (!form) return wrong(c, "its message is no table: " + form.error().message);
        if (clusters[c].to == c) {
            if (!message.variables.empty())
                return wrong(c, "what goes into the bound is no number");
            bound = plus(bound, message.cells[0]);
        } else if (clusters[c].to < c || clusters[c].to >= clusters.size()) {
            return wrong(c, "its message goes to no later cluster");
        } else {
            taken[clusters[c].to].push_back(&message);
        }
    }
    for (std::size_t t = 0; t < used.size(); ++t) {
        if (!used[t]) return error("table " + std::to_string(t) + " is left out");
    }
    if (bound != certificate.bound) return error("the bound is another one");
    std::vector<std::size_t> values(problem.sizes.size(), 0);
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        const CostTable& message = clusters[c].message;
        std::set<std::size_t> all(message.variables.begin(), message.variables.end());
        for (const CostTable* t : taken[c]) all.insert(t->variables.begin(), t->variables.end());
        const std::vector<std::size_t> variables(all.begin(), all.end());
        if (cells_over(variables, problem.sizes, most_cells) > std::min(most_cells, kMostCells)) {
            return wrong(c, "too large to be added up");
        }
        bool below = false;
        for_all_values(variables, problem.sizes, values, [&] {
            std::int64_t sum = 0;
            for (const CostTable* t : taken[c]) {
                sum = plus(sum, t->cells[cell_at(*t, problem.sizes, values)]);
            }
            below = below || sum < message.cells[cell_at(message, problem.sizes, values)];
        });
        if (below) return wrong(c, "it sends more than it has");
    }
    return Unit{};
}

}  // namespace proviso::rewrite
