#include "verify/check/map/carried.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

Carried take_carried(std::vector<Leaf>& was, const std::vector<Leaf>& now) {
    const auto assumes = [](const Leaf& leaf) { return leaf.stmt->is<Assume>(); };
    if (std::any_of(now.begin(), now.end(), assumes)) return {};
    const auto one_list = [](const Leaf& a, const Leaf& b) {
        return !a.at.steps.empty() && !b.at.steps.empty() && a.at.parent() == b.at.parent();
    };
    Carried out;
    std::vector<Leaf> rest;
    std::vector<Leaf> waiting;  // assumptions, one behind the other
    for (Leaf& leaf : was) {
        if (!waiting.empty() && !one_list(waiting.back(), leaf)) {
            std::move(waiting.begin(), waiting.end(), std::back_inserter(rest));
            waiting.clear();
        }
        if (assumes(leaf)) {
            waiting.push_back(std::move(leaf));
            continue;
        }
        if (!waiting.empty()) out[rest.size()] = std::exchange(waiting, {});
        rest.push_back(std::move(leaf));
    }
    std::move(waiting.begin(), waiting.end(), std::back_inserter(rest));
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k].number = k;
    was = std::move(rest);
    return out;
}

bool has_assumptions(const Function& f) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) { found = found || s->is<Assume>(); });
    return found;
}

bool drop_assumptions(Proposer& p, bool all) {
    std::set<Site> kept;
    std::vector<Site> dropped;
    for (const auto& [site, s] : all_statements(p.current())) {
        if (const Seq* list = s->as<Seq>(); list != nullptr && !all) {
            bool leaf = false;  // behind
            for (std::size_t k = list->body.size(); k-- > 0;) {
                Stmt one = list->body[k];
                if (!one->is<Assume>()) {
                    leaf = one->is<Store>() || one->is<Evaluate>() || one->is<Assert>();
                } else if (leaf) {
                    kept.insert(site.child(std::to_string(k)));
                }
            }
        }
        if (s->is<Assume>() && kept.count(site) == 0) dropped.push_back(site);
    }
    // From the last one on: the sites of those before stay.
    return std::all_of(dropped.rbegin(), dropped.rend(), [&](const Site& at) {
        return p.try_apply("lower-assume", at, nlohmann::json::object());
    });
}

}  // namespace proviso::verify
