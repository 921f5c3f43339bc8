#include "rewrite/schedule/reader/interpreter/unused.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/memory/access.h"

namespace proviso::rewrite {

using namespace ir;

void drop_unused(Proposer& p, const Site& site) {
    Site whole = site;
    for (Site up = site; !up.steps.empty();) {
        up = up.parent();
        const Result<Located> at = locate(p.current(), up);
        if (!at || at->stmt == nullptr || at->stmt->is<Seq>() || at->stmt->is<Allocate>()) break;
        whole = up;
    }
    p.try_apply("drop-empty", whole, nlohmann::json::object());
}

void drop_allocation(Proposer& p, Buffer buffer) {
    const std::vector<analysis::Access>& all = p.memory().all();
    const auto uses = [&](const analysis::Access& a) { return a.buffer == buffer; };
    if (std::any_of(all.begin(), all.end(), uses)) return;  // another stage has a use for it
    for (const auto& [site, stmt] : all_statements(p.current())) {
        const Allocate* n = stmt->as<Allocate>();
        if (n == nullptr || n->buffer != buffer) continue;
        p.try_apply("drop-empty", site, nlohmann::json::object());
        return;
    }
}

}  // namespace proviso::rewrite
