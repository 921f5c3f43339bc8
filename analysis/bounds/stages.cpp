#include "analysis/bounds/stages.h"

#include <algorithm>
#include <map>
#include <set>

namespace proviso::analysis {

using ir::Buffer;
using ir::Site;
using ir::Stmt;

namespace {

// Calls `at` with each statement on the way to `site`, from the root, and its own site.
void walk(const ir::Function& f, const Site& site,
          const std::function<void(Stmt, const Site&)>& at) {
    Site here;
    Stmt s = f.body;
    at(s, here);
    for (const std::string& step : site.steps) {
        Stmt next = nullptr;
        for (const ir::Child& c : ir::children(s)) {
            if (c.label == step) next = c.stmt;
        }
        if (next == nullptr) return;  // an expression from here on
        here = here.child(step);
        s = next;
        at(s, here);
    }
}

// The innermost block around the statement, or the statement.
Site stage_site(const ir::Function& f, const Site& statement) {
    Site out = statement;
    walk(f, statement, [&](Stmt s, const Site& here) {
        const ir::Block* block = s->as<ir::Block>();
        const bool root = block != nullptr && block->iters.empty() && block->name == "root";
        if (block != nullptr && !root) out = here;
    });
    return out;
}

std::string stage_name(const ir::Function& f, const Site& site) {
    const ir::Located there = *ir::locate(f, site);
    if (const auto* block = there.as<ir::Block>()) return block->name;
    if (const auto* store = there.as<ir::Store>()) return store->buffer->name;
    if (there.as<ir::IfElse>() != nullptr) return "if";
    if (there.as<ir::For>() != nullptr) return "for";
    return "statement";
}

void remember(std::vector<Buffer>& all, Buffer b) {
    if (std::find(all.begin(), all.end(), b) == all.end()) all.push_back(b);
}

}  // namespace

std::vector<StageLoop> loops_around(const ir::Function& f, const Site& site) {
    std::vector<StageLoop> out;
    walk(f, site, [&](Stmt s, const Site& here) {
        const ir::For* loop = s->as<ir::For>();
        if (loop != nullptr && here != site) out.push_back({here, loop});
    });
    return out;
}

StageMap stages_of(ir::Context& ctx, const ir::Function& f) {
    StageMap out;
    out.accesses = accesses(ctx, f);
    std::map<Site, std::size_t> numbers;
    std::set<std::string> names;
    for (std::size_t k = 0; k < out.accesses.size(); ++k) {
        const Access& a = out.accesses[k];
        const Site site = stage_site(f, a.statement);
        const auto [at, is_new] = numbers.emplace(site, out.stages.size());
        if (is_new) {
            Stage stage;
            stage.site = site;
            const std::string base = stage_name(f, site);
            stage.name = base;
            for (int n = 2; !names.insert(stage.name).second; ++n) {
                stage.name = base + "#" + std::to_string(n);
            }
            stage.loops = loops_around(f, site);
            out.stages.push_back(std::move(stage));
        }
        Stage& stage = out.stages[at->second];
        (a.is_store ? stage.stores : stage.loads).push_back(k);
        if (a.is_store) remember(stage.produces, a.buffer);
    }
    for (Stage& stage : out.stages) {
        // An accumulation reads the cell that it stores to.
        const auto own = [&](std::size_t load) {
            const Access& a = out.accesses[load];
            return std::any_of(stage.stores.begin(), stage.stores.end(), [&](std::size_t store) {
                const Access& b = out.accesses[store];
                return a.buffer == b.buffer && a.statement == b.statement && a.indices == b.indices;
            });
        };
        std::erase_if(stage.loads, own);
        for (const std::size_t k : stage.loads) remember(stage.consumes, out.accesses[k].buffer);
    }
    return out;
}

std::size_t shared_loops(const Stage& a, const Stage& b) {
    std::size_t n = 0;
    while (n < a.loops.size() && n < b.loops.size() && a.loops[n] == b.loops[n]) ++n;
    return n;
}

}  // namespace proviso::analysis
