// Proposes where barriers stand: which ways between phases need one, and the fewest places that
// cover them, counted as often as a thread passes them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/passes/barriers.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/race_free.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

constexpr std::uint64_t kUnknownTrips = 16;  // iterations of a loop of symbolic extent
constexpr std::uint64_t kMostTrips = std::uint64_t{1} << 20;
constexpr std::size_t kSearchBudget = 20'000;

// How often a thread passes a place: the iterations of the serial loops around it.
std::uint64_t passed(const Function& f, const Site& place) {
    std::uint64_t out = 1;
    for (Site at = place; !at.steps.empty();) {
        at = at.parent();
        const For* n = locate(f, at)->stmt->as<For>();
        if (n == nullptr || is_bound(*n)) continue;
        std::uint64_t trips = kUnknownTrips;
        if (is_int_const(n->lo) && is_int_const(n->hi)) {
            const Int128 extent = n->hi->int_value() - n->lo->int_value();
            trips = static_cast<std::uint64_t>(std::clamp<Int128>(extent, 1, kMostTrips));
        }
        out = std::min(out * trips, kMostTrips);
    }
    return out;
}

using Places = std::set<std::size_t>;

// The cheapest set of places that meets each of `needs`; starts from `best`, which does.
class Cover {
  public:
    Cover(std::vector<Places> needs, std::vector<std::uint64_t> costs, Places best)
        : needs_(std::move(needs)), costs_(std::move(costs)), best_(std::move(best)) {
        for (std::size_t p : best_) best_cost_ += costs_[p];
    }

    Places run() {
        Places chosen;
        search(chosen, 0);
        return best_;
    }

  private:
    void search(Places& chosen, std::uint64_t cost) {
        if (cost >= best_cost_ || budget_ == 0) return;
        --budget_;
        const Places* open = nullptr;
        for (const Places& need : needs_) {
            const bool met = std::any_of(need.begin(), need.end(),
                                         [&](std::size_t p) { return chosen.count(p) != 0; });
            if (!met && (open == nullptr || need.size() < open->size())) open = &need;
        }
        if (open == nullptr) {
            best_ = chosen;
            best_cost_ = cost;
            return;
        }
        for (std::size_t p : *open) {
            chosen.insert(p);
            search(chosen, cost + costs_[p]);
            chosen.erase(p);
        }
    }

    std::vector<Places> needs_;
    std::vector<std::uint64_t> costs_;
    Places best_;
    std::uint64_t best_cost_ = 0;
    std::size_t budget_ = kSearchBudget;
};

// Ways that need a barrier. The shortest are asked first: a longer one passes what a shorter one
// needs anyway.
std::vector<Places> needed(const MemoryModel& memory, const BlockLevel& level, Prover& prover) {
    std::vector<const BlockLevel::Way*> ways;
    for (const BlockLevel::Way& way : level.ways()) ways.push_back(&way);
    std::stable_sort(ways.begin(), ways.end(), [](const auto* a, const auto* b) {
        return a->passes.size() < b->passes.size();
    });
    std::vector<Places> out;
    for (const BlockLevel::Way* way : ways) {
        const bool covered = std::any_of(out.begin(), out.end(), [&](const Places& need) {
            return std::includes(way->passes.begin(), way->passes.end(), need.begin(), need.end());
        });
        if (covered) continue;
        for (const Obligation& o : threads_need_not_wait(memory, level, *way)) {
            if (prover.prove(o).verdict == Verdict::Proved) continue;
            out.push_back(way->passes);
            break;
        }
    }
    return out;
}

}  // namespace

PassResult place_barriers(Proposer& p) {
    PassResult out;
    const Function& f = p.current();
    const MemoryModel memory(p.ctx(), f);
    std::set<Site> usual;
    std::set<Site> chosen;
    for (const Site& kernel : kernel_sites(f)) {
        const Result<BlockLevel> level = BlockLevel::of(f, kernel);
        if (!level) return out;  // it has no form for a GPU; the back end says why
        const std::set<Site> all = after_every_phase(*level);
        usual.insert(all.begin(), all.end());
        std::vector<std::uint64_t> costs;
        Places start;
        for (std::size_t k = 0; k < level->places().size(); ++k) {
            costs.push_back(passed(f, level->places()[k]));
            if (all.count(level->places()[k]) != 0) start.insert(k);
        }
        for (std::size_t k : Cover(needed(memory, *level, p.prover()), costs, start).run()) {
            chosen.insert(level->places()[k]);
        }
    }
    if (chosen == usual && f.attrs.count(kBarriersAttr) == 0) return out;
    nlohmann::json after = nlohmann::json::array();
    for (const Site& place : chosen) after.push_back(place.str());
    std::optional<Rejection> why;
    if (p.try_apply("sync", Site{}, {{"after", after}}, &why)) {
        ++out.steps;
    } else if (why) {
        out.refused.push_back(*why);
    }
    return out;
}

}  // namespace proviso::rewrite
