#include "rewrite/graph/select/select.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace proviso::rewrite {

namespace {

std::vector<std::size_t> joined(const std::vector<std::size_t>& a,
                                const std::vector<std::size_t>& b) {
    std::vector<std::size_t> out;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
    return out;
}

class Elimination {
  public:
    Elimination(const CostProblem& problem, const SelectionLimits& limits)
        : problem_(problem), limits_(limits), sums_left_(limits.most_sums) {
        over_.resize(problem.sizes.size());
        values_.resize(problem.sizes.size(), 0);
        for (std::size_t t = 0; t < problem.tables.size(); ++t) {
            add({&problem.tables[t], t, std::nullopt});
        }
        around_.resize(problem.sizes.size());
        for (const CostTable& t : problem.tables) connect(t.variables);
    }

    Result<Selection> run() {
        for (std::size_t v = 0; v < problem_.sizes.size(); ++v) queue_.emplace(width(v), v);
        while (!queue_.empty()) eliminate(queue_.begin()->second);
        if (!constants_.empty()) add_cluster(constants_, {});
        Selection out;
        for (CostCluster& c : clusters_) {
            if (c.message.variables.empty()) {
                out.certificate.bound = plus(out.certificate.bound, c.message.cells[0]);
            }
        }
        if (out.certificate.bound >= kNever) return error("no choice has a cost");
        decode(out.values);
        out.cost = cost_at(problem_, out.values);
        if (out.cost > out.certificate.bound) improve(out);
        if (out.cost >= kNever) {
            return error("no choice that has a cost was found",
                         "tables of more cells, or fewer values of variables, may help");
        }
        out.exact = out.cost == out.certificate.bound;
        out.certificate.clusters = std::move(clusters_);
        return out;
    }

  private:
    // A table that is still to be added up: one of the problem, or a message.
    struct Live {
        const CostTable* table;
        std::optional<std::size_t> number;   // in the problem
        std::optional<std::size_t> cluster;  // that has sent it
    };
    const CostTable& table_of(const Live& l) const {
        return l.cluster ? clusters_[*l.cluster].message : *l.table;
    }

    void connect(const std::vector<std::size_t>& variables) {
        for (const std::size_t v : variables) {
            around_[v].insert(variables.begin(), variables.end());
        }
    }

    // The cells of the message that eliminating the variable now would make.
    std::size_t width(std::size_t v) const {
        std::size_t out = 1;
        for (const std::size_t w : around_[v]) {
            if (w == v) continue;
            if (out > kMostCells / problem_.sizes[w]) return kMostCells;
            out *= problem_.sizes[w];
        }
        return out;
    }

    // To be added up with the first of its variables that goes.
    void add(const Live& l) {
        const std::vector<std::size_t>& over = table_of(l).variables;
        for (const std::size_t v : over) over_[v].push_back(live_.size());
        (over.empty() ? constants_ : live_).push_back(l);
    }

    // The cells that a table of the bucket may have.
    std::size_t allowed(const std::vector<Live>& bucket) const {
        const std::size_t share = sums_left_ / (queue_.size() + 1) / bucket.size();
        std::size_t largest = 1;
        for (const Live& l : bucket) largest = std::max(largest, table_of(l).cells.size());
        return std::max(largest, std::min(share, limits_.most_cells));
    }

    void eliminate(std::size_t v) {
        queue_.erase({width(v), v});
        std::vector<Live> bucket;
        for (const std::size_t l : over_[v]) {
            if (!gone_.insert(l).second) continue;
            bucket.push_back(live_[l]);
        }
        if (bucket.empty()) {
            order_.push_back({v, std::nullopt});
            return;
        }
        const std::size_t most = allowed(bucket);
        // Mini-buckets: the largest tables first, each to the first one where it fits.
        std::stable_sort(bucket.begin(), bucket.end(), [&](const Live& a, const Live& b) {
            return table_of(a).cells.size() > table_of(b).cells.size();
        });
        std::vector<std::pair<std::vector<std::size_t>, std::vector<Live>>> parts;
        for (const Live& l : bucket) {
            const std::vector<std::size_t>& over = table_of(l).variables;
            auto fits = std::find_if(parts.begin(), parts.end(), [&](const auto& part) {
                return cells_over(joined(part.first, over), problem_.sizes, most) <= most;
            });
            if (fits == parts.end()) fits = parts.insert(parts.end(), {over, {}});
            fits->first = joined(fits->first, over);
            fits->second.push_back(l);
        }
        std::set<std::size_t> neighbours = std::move(around_[v]);
        neighbours.erase(v);
        for (const std::size_t w : neighbours) {
            queue_.erase({width(w), w});
            around_[w].erase(v);
        }
        for (auto& [over, tables] : parts) {
            const std::size_t sums = cells_over(over, problem_.sizes, most) * tables.size();
            sums_left_ -= std::min(sums_left_, sums);
            over.erase(std::find(over.begin(), over.end(), v));
            connect(over);
            const std::size_t cluster = add_cluster(tables, over, v);
            order_.push_back({v, cluster});
            if (!over.empty()) add({nullptr, std::nullopt, cluster});
        }
        for (const std::size_t w : neighbours) queue_.emplace(width(w), w);
    }

    // Adds up the tables and sends the least for each choice of the variables that stay.
    std::size_t add_cluster(const std::vector<Live>& tables, const std::vector<std::size_t>& stay,
                            std::optional<std::size_t> goes = std::nullopt) {
        const std::size_t number = clusters_.size();
        CostCluster cluster;
        cluster.to = number;  // until somebody takes it
        std::vector<const CostTable*> parts;
        for (const Live& l : tables) {
            parts.push_back(&table_of(l));
            if (l.number) cluster.tables.push_back(*l.number);
        }
        std::sort(cluster.tables.begin(), cluster.tables.end());
        cluster.message.variables = stay;
        std::vector<std::size_t>& values = values_;
        const std::vector<std::size_t> gone =
            goes ? std::vector<std::size_t>{*goes} : std::vector<std::size_t>{};
        for_all_values(stay, problem_.sizes, values, [&] {
            std::int64_t least = kNever;
            for_all_values(gone, problem_.sizes, values, [&] {
                std::int64_t sum = 0;
                for (const CostTable* t : parts) {
                    sum = plus(sum, t->cells[cell_at(*t, problem_.sizes, values)]);
                }
                least = std::min(least, sum);
            });
            cluster.message.cells.push_back(least);
        });
        senders_.emplace_back();
        for (const Live& l : tables) {
            if (!l.cluster) continue;
            clusters_[*l.cluster].to = number;
            senders_.back().push_back(*l.cluster);
        }
        clusters_.push_back(std::move(cluster));
        return number;
    }

    // In the opposite order, for each variable the value that is cheapest for its clusters.
    void decode(std::vector<std::size_t>& values) const {
        values.assign(problem_.sizes.size(), 0);
        for (std::size_t last = order_.size(); last > 0;) {
            const std::size_t v = order_[last - 1].variable;
            std::size_t first = last;
            while (first > 0 && order_[first - 1].variable == v) --first;
            std::int64_t least = kNever;
            std::size_t best = 0;
            for (std::size_t value = 0; value < problem_.sizes[v]; ++value) {
                values[v] = value;
                std::int64_t sum = 0;
                for (std::size_t k = first; k < last; ++k) {
                    if (order_[k].cluster) sum = plus(sum, received(*order_[k].cluster, values));
                }
                if (sum < least) {
                    least = sum;
                    best = value;
                }
            }
            values[v] = best;
            last = first;
        }
    }
    // What a cluster adds up, its message not taken away.
    std::int64_t received(std::size_t cluster, const std::vector<std::size_t>& values) const {
        std::int64_t out = 0;
        for (const std::size_t t : clusters_[cluster].tables) {
            const CostTable& table = problem_.tables[t];
            out = plus(out, table.cells[cell_at(table, problem_.sizes, values)]);
        }
        for (const std::size_t c : senders_[cluster]) {
            const CostTable& message = clusters_[c].message;
            out = plus(out, message.cells[cell_at(message, problem_.sizes, values)]);
        }
        return out;
    }

    // Variables that change together, and the tables that see it.
    struct Move {
        std::vector<std::size_t> variables;
        std::set<std::size_t> tables;
    };
    // How many costs are kNever, then the sum of the others.
    std::pair<std::size_t, std::int64_t> price(const Move& m,
                                               const std::vector<std::size_t>& values) const {
        std::pair<std::size_t, std::int64_t> out;
        for (const std::size_t t : m.tables) {
            const CostTable& table = problem_.tables[t];
            const std::int64_t cost = table.cells[cell_at(table, problem_.sizes, values)];
            if (cost >= kNever) {
                ++out.first;
            } else {
                out.second += cost;
            }
        }
        return out;
    }
    // Other values of one variable, or of the variables of one table, while that is cheaper.
    void improve(Selection& s) const {
        std::vector<std::set<std::size_t>> seen_by(problem_.sizes.size());
        for (std::size_t t = 0; t < problem_.tables.size(); ++t) {
            for (const std::size_t v : problem_.tables[t].variables) seen_by[v].insert(t);
        }
        std::vector<Move> moves;
        const auto add = [&](const std::vector<std::size_t>& variables) {
            moves.push_back({variables, {}});
            for (const std::size_t v : variables) {
                moves.back().tables.insert(seen_by[v].begin(), seen_by[v].end());
            }
        };
        for (std::size_t v = 0; v < problem_.sizes.size(); ++v) add({v});
        for (const CostTable& t : problem_.tables) {
            constexpr std::size_t most = 4096;  // choices of one move
            if (t.variables.size() > 1 && t.cells.size() <= most) add(t.variables);
        }
        bool better = true;
        for (std::size_t round = 0; round < limits_.rounds && better; ++round) {
            better = false;
            for (const Move& m : moves) {
                std::vector<std::size_t> values = s.values;
                auto least = price(m, values);
                for_all_values(m.variables, problem_.sizes, values, [&] {
                    const auto other = price(m, values);
                    if (other >= least) return;
                    least = other;
                    s.values = values;
                    better = true;
                });
            }
        }
        s.cost = cost_at(problem_, s.values);
    }

    struct Eliminated {
        std::size_t variable;
        std::optional<std::size_t> cluster;  // none: no table is over it
    };

    const CostProblem& problem_;
    const SelectionLimits& limits_;
    std::size_t sums_left_;
    std::vector<Live> live_;
    std::vector<Live> constants_;
    std::vector<std::vector<std::size_t>> over_;  // of each variable, the numbers of `live_`
    std::set<std::size_t> gone_;                  // likewise, those that were added up
    std::set<std::pair<std::size_t, std::size_t>> queue_;  // widths, and variables that are left
    std::vector<std::size_t> values_;
    std::vector<std::set<std::size_t>> around_;  // variables that a table has together with it
    std::vector<CostCluster> clusters_;
    std::vector<std::vector<std::size_t>> senders_;  // to each cluster
    std::vector<Eliminated> order_;
};

}  // namespace

Result<Selection> cheapest(const CostProblem& problem, const SelectionLimits& limits) {
    if (const Status ok = check_costs(problem); !ok) return ok.error();
    for (const CostTable& t : problem.tables) {
        if (t.cells.size() <= limits.most_cells) continue;
        return error("a table of " + std::to_string(t.cells.size()) + " costs is too large",
                     "at most " + std::to_string(limits.most_cells));
    }
    return Elimination(problem, limits).run();
}

}  // namespace proviso::rewrite
