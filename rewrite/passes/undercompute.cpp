// remove_overcompute_through_branching: puts a guard around work that nobody notices, the reverse
// of remove_branching_through_overcompute. Guards are guessed from where a store's cell is no data
// (the padding of its buffer's layout), is overwritten later, or is not read; the guard stands at
// the outermost statement where its variables are known.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/cells_read.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr std::size_t kMostGuards = 3;  // of one store

// Conditions outside of which what a store writes may be missed by nobody, over its loops.
std::vector<Expr> guesses(Proposer& p, const MemoryModel& memory, const Access& store,
                          const Site& stage) {
    Context& ctx = p.ctx();
    std::vector<Expr> out;
    for (const Layout& layout : layouts_of(ctx, p.current(), store.buffer->name)) {
        out.push_back(layout.in_image(ctx, store.indices));
    }
    for (const StoreWitness& w : stores_touching(memory, p.prover(), store.buffer, store.indices,
                                                 store.statement, {stage})) {
        const Access* later = find_store(memory.all(), w.statement);
        const Instance over{later, w.at, {}};
        if (is_false(must_be_before(ctx, itself(store), over))) continue;
        out.push_back(
            ctx.not_(ctx.all_of({over.must(ctx), same_cell(ctx, store.indices, over.index(ctx))})));
    }
    if (Expr read = cells_read(memory, store)) out.push_back(read);
    const std::vector<Expr> facts = facts_at(ctx, p.current(), store.statement);
    std::vector<Expr> plain;
    for (Expr c : out) {
        c = p.simplified(c, facts);
        const bool known = std::find(plain.begin(), plain.end(), c) != plain.end();
        if (!known && !is_const(c) && loaded_buffers(c).empty()) plain.push_back(c);
    }
    return plain;
}

// The outermost statement around `site` at which everything in `c` is in scope, and that is in a
// loop that it needs.
std::optional<Site> place_for(Proposer& p, const Site& site, Expr c) {
    const Function& f = p.current();
    const std::vector<Expr> needed = free_vars(c);
    std::optional<Site> place;
    for (const PathStep& step : path_to(f, site).steps) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        const bool needs = loop != nullptr && step.label == "body" &&
                           std::find(needed.begin(), needed.end(), loop->var) != needed.end();
        if (needs) place = step.site.child("body");
    }
    return place;
}

json reasons(Proposer& p, const MemoryModel& memory, const Site& place, Expr c, bool all_same) {
    json how = json::object();
    json claims = json::array();
    std::vector<Buffer> own;  // nobody else sees what they hold
    for_each_stmt(locate(p.current(), place)->stmt, [&](Stmt s) {
        if (const Allocate* n = s->as<Allocate>()) own.push_back(n->buffer);
    });
    for (const auto& [where, s] : all_statements(p.current())) {
        const Store* store = s->as<Store>();
        if (store == nullptr || !place.contains(where)) continue;
        if (std::find(own.begin(), own.end(), store->buffer) != own.end()) continue;
        std::vector<Expr> facts = facts_at(p.ctx(), p.current(), where);
        facts.push_back(p.ctx().not_(c));
        if (p.prover().proves_cheaply(facts, p.ctx().false_())) {
            how[where.str()] = json{{"mode", "unreachable"}};
            continue;
        }
        const json writers = one_a_statement(
            later_stores(memory, p.prover(), store->buffer, store->indices, where, {place}));
        const bool parameter = p.current().find_buffer_param(store->buffer->name) == store->buffer;
        if (!all_same && (!writers.empty() || !parameter)) {
            how[where.str()] = json{{"mode", "dead"}, {"writers", writers}};
            continue;
        }
        how[where.str()] = json{{"mode", "same"}};
        ClaimOptions options;
        options.found = &p.invariants_found();
        options.extra = {p.ctx().not_(c)};
        for (json& claim : known_memory(memory, p.prover(), store->value, where, options).claims) {
            claims.push_back(std::move(claim));
        }
    }
    json args = {{"condition", print(c)}, {"stores", how}};
    if (!claims.empty()) args["claims"] = claims;
    return args;
}

bool guarded_already(Proposer& p, const Site& place, Expr c) {
    const std::vector<Expr> facts = facts_at(p.ctx(), p.current(), place);
    return p.prover().prove(facts, c).verdict == Verdict::Proved;
}

bool add_one(Proposer& p, const std::string& block, PassResult& out) {
    const Function f = p.current();
    const MemoryModel memory(p.ctx(), f);
    for (const auto& [site, stmt] : all_statements(f)) {
        if (!stmt->is<Store>() || !in_scope(f, site, block)) continue;
        const Access* store = find_store(memory.all(), site);
        for (Expr c : guesses(p, memory, *store, stage_of(f, site))) {
            const std::optional<Site> place = place_for(p, site, c);
            if (!place || guarded_already(p, *place, c) || guarded_already(p, site, c)) continue;
            for (const bool all_same : {false, true}) {
                std::optional<Rejection> why;
                const json args = reasons(p, memory, *place, c, all_same);
                if (p.try_apply("add-guard", *place, args, &why)) return true;
                out.refused.push_back(std::move(*why));
            }
        }
    }
    return false;
}

}  // namespace

PassResult remove_overcompute_through_branching(Proposer& p, const std::string& block) {
    PassResult out;
    std::size_t stores = 0;
    for (const auto& [site, stmt] : all_statements(p.current())) {
        stores += stmt->is<Store>() && in_scope(p.current(), site, block) ? 1 : 0;
    }
    // A guard that the prover does not see to be there already would be put in once more for ever.
    const std::size_t most = kMostGuards * stores;
    while (out.steps < most && add_one(p, block, out)) ++out.steps;
    if (out.steps == 0 || out.steps < most) return out;
    const std::size_t done = p.derivation().steps().size();
    if (add_one(p, block, out)) {
        p.derivation().roll_back(done);
        out.limit = "stopped at " + std::to_string(kMostGuards) + " guards a store";
    }
    return out;
}

}  // namespace proviso::rewrite
