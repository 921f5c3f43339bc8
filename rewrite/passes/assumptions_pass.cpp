// Assumptions: which can never hold, and how they go.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/sweep.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

bool proved(Prover& prover, const std::vector<Expr>& facts, Expr goal) {
    return prover.prove(facts, goal).verdict == Verdict::Proved;
}

// What was stored last in the cells that `e` loads, where that can be shown.
void add_last_writes(Proposer& p, const MemoryModel& memory, const Site& site, Expr e,
                     std::vector<Expr>& facts) {
    for_each_node(e, [&](Expr load) {
        if (load->op != Op::Load) return;
        const std::vector<Expr> cell(load->args.begin(), load->args.end());
        for (const StoreWitness& w :
             stores_touching(memory, p.prover(), load->buffer, cell, site, {})) {
            const Result<Established> last = last_write(
                memory, claim_point(memory, site), load->buffer, cell, Witness{w.statement, w.at});
            if (!last) continue;
            const bool shown = std::all_of(
                last->obligations.begin(), last->obligations.end(), [&](const Obligation& o) {
                    return p.prover().prove(o).verdict == Verdict::Proved;
                });
            if (!shown) continue;
            facts.insert(facts.end(), last->facts.begin(), last->facts.end());
            return;
        }
    });
}

}  // namespace

std::optional<Diagnostic> impossible_assumption(Proposer& p) {
    const Function f = p.current();
    std::optional<MemoryModel> memory;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Assume* n = stmt->as<Assume>();
        if (n == nullptr || is_permission(n->cond)) continue;
        std::vector<Expr> facts = facts_at(p.ctx(), f, site);
        const std::vector<Buffer> read = loaded_buffers(n->cond);
        if (std::any_of(read.begin(), read.end(),
                        [&](Buffer b) { return p.index().is_stored(b); })) {
            if (!memory) memory.emplace(p.ctx(), f);
            add_last_writes(p, *memory, site, n->cond, facts);
        }
        if (!proved(p.prover(), facts, p.ctx().not_(n->cond))) continue;
        // Where nothing can be, everything is proved: not this assumption's fault.
        if (proved(p.prover(), facts, p.ctx().false_())) continue;
        return error("the assumption at " + site.str() + " can never hold: " + print(n->cond),
                     "every run that reaches it would be a fault");
    }
    return std::nullopt;
}

std::size_t lower_assumptions(Proposer& p, bool check, const std::string& block) {
    std::size_t steps = 0;
    Sweep sweep([](Stmt s) { return s->is<Assume>(); });
    for (bool changed = true; changed;) {
        const Function f = p.current();
        const PassScope scope(f, block);
        changed = sweep.find(f.body, [&](const Site& site, Stmt stmt) {
            if (!scope.contains(site)) return false;
            const json message = {{"message", "assumed: " + print(stmt->as<Assume>()->cond)}};
            return (check && p.try_apply("check-assume", site, message)) ||
                   p.try_apply("lower-assume", site, json::object());
        });
        steps += changed ? 1 : 0;
    }
    return steps;
}

}  // namespace proviso::rewrite
