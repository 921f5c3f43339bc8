#include "analysis/cheap/differences.h"

#include <deque>
#include <optional>
#include <unordered_map>

namespace proviso::analysis::cheap {

namespace {

constexpr std::size_t kMostSeeds = 12;

struct Edge {
    int from;
    int to;
    Int128 length;  // from <= to + length
};

class Graph {
  public:
    explicit Graph(const std::vector<Form>& constraints) {
        edges_.reserve(constraints.size());
        for (const Form& f : constraints) {
            Form up;
            Form down;
            for (const Term& t : f.terms) {
                if (t.factor > 0)
                    up.terms.push_back(t);
                else
                    down.terms.push_back({t.atom, checked_neg(t.factor)});
            }
            edges_.push_back({node(down), node(up), f.constant});
        }
        // Edges by the node that they leave.
        first_.assign(sums_.size() + 1, 0);
        for (const Edge& e : edges_) ++first_[static_cast<std::size_t>(e.from) + 1];
        for (std::size_t n = 1; n < first_.size(); ++n) first_[n] += first_[n - 1];
        leaving_.resize(edges_.size());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            leaving_[next[static_cast<std::size_t>(edges_[e].from)]++] = e;
        }
    }

    // Whether a path leads from the end of `seed` back to its start, short enough to make the whole
    // negative. Bellman and Ford's method with a queue (Moore 1957).
    bool closes(std::size_t seed) {
        const Edge& s = edges_[seed];
        std::vector<std::optional<Int128>> distance(sums_.size());
        std::vector<char> queued(sums_.size(), 0);
        std::deque<int> queue{s.to};
        distance[static_cast<std::size_t>(s.to)] = 0;
        std::size_t budget = 16 * edges_.size() + 64;
        while (!queue.empty()) {
            const auto at = static_cast<std::size_t>(queue.front());
            queue.pop_front();
            queued[at] = 0;
            for (std::size_t k = first_[at]; k < first_[at + 1]; ++k) {
                if (budget-- == 0) return false;
                const Edge& e = edges_[leaving_[k]];
                Int128 length = 0;
                if (__builtin_add_overflow(*distance[at], e.length, &length)) continue;
                std::optional<Int128>& known = distance[static_cast<std::size_t>(e.to)];
                if (known && *known <= length) continue;
                known = length;
                Int128 whole = 0;
                const bool too_big = __builtin_add_overflow(length, s.length, &whole);
                if (e.to == s.from && !too_big && whole < 0) return true;
                char& waits = queued[static_cast<std::size_t>(e.to)];
                if (waits == 0) queue.push_back(e.to);
                waits = 1;
            }
        }
        return false;
    }

    // A constraint between a sum and itself that is negative.
    bool closes_itself(std::size_t seed) const {
        return edges_[seed].from == edges_[seed].to && edges_[seed].length < 0;
    }

  private:
    int node(const Form& sum) {
        std::vector<int>& like = by_hash_[hash_of_terms(sum)];
        for (const int n : like) {
            if (same_terms(sums_[static_cast<std::size_t>(n)], sum)) return n;
        }
        like.push_back(static_cast<int>(sums_.size()));
        sums_.push_back(sum);
        return like.back();
    }

    std::vector<Form> sums_;
    std::unordered_map<std::uint32_t, std::vector<int>> by_hash_;
    std::vector<Edge> edges_;
    std::vector<std::size_t> first_;
    std::vector<std::size_t> leaving_;
};

}  // namespace

bool contradictory_differences(const std::vector<Form>& constraints,
                               const std::vector<char>& fresh) {
    Graph graph(constraints);
    std::size_t seeds = 0;
    for (std::size_t i = constraints.size(); i-- > 0;) {
        if (fresh[i] == 0) continue;
        if (graph.closes_itself(i) || graph.closes(i)) return true;
        if (++seeds >= kMostSeeds) break;
    }
    return false;
}

}  // namespace proviso::analysis::cheap
