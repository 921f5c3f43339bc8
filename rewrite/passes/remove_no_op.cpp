// remove_no_op: tries, for each store, the three ways of `drop-store`; then, for each statement
// with stores in it, that they are missed by nobody but itself (`add-guard` with a condition that
// is false); then drops what is left without effect.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// One try; a refusal that tells more than those before it is kept.
bool drop(Proposer& p, const Site& site, const json& args, std::optional<Rejection>& why) {
    std::optional<Rejection> no;
    if (p.try_apply("drop-store", site, args, &no)) return true;
    keep_more_telling(why, std::move(no));
    return false;
}

bool is_parameter(const Function& f, Buffer b) {
    return f.find_buffer_param(b->name) == b;
}

bool drop_dead(Proposer& p, const MemoryModel& memory, const Site& site, const Store& store,
               std::optional<Rejection>& why) {
    if (!is_parameter(p.current(), store.buffer) && drop(p, site, json{{"mode", "dead"}}, why)) {
        return true;
    }
    const std::vector<StoreWitness> later =
        later_stores(memory, p.prover(), store.buffer, store.indices, site, {site});
    for (const StoreWitness& w : later) {
        if (drop(p, site, json{{"mode", "dead"}, {"writers", {w.json()}}}, why)) return true;
    }
    const json every = one_a_statement(later);
    return every.size() > 1 && drop(p, site, json{{"mode", "dead"}, {"writers", every}}, why);
}

bool drop_same(Proposer& p, const MemoryModel& memory, const Site& site, const Store& store,
               std::optional<Rejection>& why) {
    // What the cell holds, and what the value is.
    Expr cell = p.ctx().load(store.buffer, store.indices);
    Expr both = p.ctx().same(cell, store.value);
    ClaimOptions options;
    options.of_itself = false;
    const KnownMemory known = known_memory(memory, p.prover(), both, site, options);
    return drop(p, site, json{{"mode", "same"}, {"claims", known.claims}}, why);
}

// Tries each store once, in textual order; gives the number of those that went. A store that went
// may be why an earlier one had to stay: that is for the next sweep.
std::size_t drop_stores(Proposer& p, const std::string& block) {
    std::size_t dropped = 0;
    std::size_t tried = 0;  // stores, from the top, that stay
    for (bool again = true; again;) {
        again = false;
        const Function f = p.current();
        const MemoryModel memory(p.ctx(), f);
        const PassScope scope(f, block);
        std::size_t position = 0;
        for (const auto& [site, stmt] : all_statements(f)) {
            if (!stmt->is<Store>() || position++ < tried) continue;
            std::optional<Rejection> why;
            again = scope.contains(site) && drop_store(p, memory, site, why);
            if (again) break;
            ++tried;
        }
        dropped += again ? 1 : 0;
    }
    return dropped;
}

// Why nobody misses what the statement at `nest` stores, if it does not run at all: each cell is
// overwritten by what comes after, or leaves its scope. Null: some store has no such reason.
std::optional<json> all_dead(Proposer& p, const MemoryModel& memory, const Site& nest) {
    const Function f = p.current();
    Stmt body = locate(f, nest)->stmt;
    if (contains_assert(body) || contains_extern_call(body)) return std::nullopt;
    std::vector<Buffer> own;
    bool knows = false;
    for_each_stmt(body, [&](Stmt s) {
        if (const Allocate* n = s->as<Allocate>()) own.push_back(n->buffer);
        knows |= s->is<Assume>();
    });
    if (knows) return std::nullopt;
    json how = json::object();
    for (const auto& [where, s] : all_statements(f)) {
        const Store* store = s->as<Store>();
        if (store == nullptr || !nest.contains(where)) continue;
        if (std::find(own.begin(), own.end(), store->buffer) != own.end()) continue;
        if (store->value->op == Op::Undef) {
            how[where.str()] = json{{"mode", "indet"}};
            continue;
        }
        const json writers = one_a_statement(
            later_stores(memory, p.prover(), store->buffer, store->indices, where, {nest}));
        if (writers.empty() && is_parameter(f, store->buffer)) return std::nullopt;
        how[where.str()] = json{{"mode", "dead"}, {"writers", writers}};
    }
    if (how.empty()) return std::nullopt;
    return json{{"condition", "False"}, {"stores", how}};
}

// A whole loop nest, branch or block: it may read what it wrote.
bool drop_nest(Proposer& p, const std::string& block) {
    const Function f = p.current();
    const MemoryModel memory(p.ctx(), f);
    const PassScope scope(f, block);
    for (const auto& [site, stmt] : all_statements(f)) {
        if (!stmt->is<For>() && !stmt->is<IfElse>() && !stmt->is<Block>()) continue;
        if (!scope.contains(site)) continue;
        const std::optional<json> why = all_dead(p, memory, site);
        if (!why || !p.try_apply("add-guard", site, *why)) continue;
        PROVISO_CHECK(p.try_apply("decide-branch", site, json::object()), "a branch on False");
        return true;
    }
    return false;
}

}  // namespace

bool drop_store(Proposer& p, const MemoryModel& memory, const Site& site,
                std::optional<Rejection>& why) {
    const Store store = *locate(p.current(), site)->stmt->as<Store>();
    if (store.value->op == Op::Undef) return drop(p, site, json{{"mode", "indet"}}, why);
    return drop_dead(p, memory, site, store, why) || drop_same(p, memory, site, store, why);
}

PassResult remove_no_op(Proposer& p, const std::string& block) {
    PassResult out;
    // A pass over a stage that disappears ends there: without its block, the scope is gone.
    for (bool again = true; again;) {
        const std::size_t dropped = drop_stores(p, block);
        out.steps += dropped;
        again = dropped != 0;
        if (!again && drop_nest(p, block)) {
            again = true;
            out.steps += 2;
        }
    }
    out.steps += decide_structure(p, block, StructureOptions{});
    return out;
}

}  // namespace proviso::rewrite
