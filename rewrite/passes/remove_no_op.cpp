// remove_no_op: tries, for each store, the three ways of `drop-store`, then drops what is left
// without effect.
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

bool drop_dead(Proposer& p, const MemoryModel& memory, const Site& site, const Store& store,
               std::optional<Rejection>& why) {
    if (p.current().find_buffer_param(store.buffer->name) != store.buffer &&
        drop(p, site, json{{"mode", "dead"}}, why)) {
        return true;
    }
    json every = json::array();
    std::optional<Site> last;
    for (const StoreWitness& w :
         later_stores(memory, p.prover(), store.buffer, store.indices, site, {site})) {
        if (drop(p, site, json{{"mode", "dead"}, {"writers", {w.json()}}}, why)) return true;
        if (!last || *last != w.statement) every.push_back(w.json());
        last = w.statement;
    }
    return every.size() > 1 && drop(p, site, json{{"mode", "dead"}, {"writers", every}}, why);
}

bool drop_same(Proposer& p, const MemoryModel& memory, const Site& site, const Store& store,
               std::optional<Rejection>& why) {
    Expr cell = p.ctx().load(store.buffer, store.indices);
    json claims = claims_for(memory, p.prover(), store.value, site);
    if (drop(p, site, json{{"mode", "same"}, {"claims", claims}}, why)) return true;
    json indices = json::array();
    for (Expr i : cell->args) indices.push_back(print(i));
    for (const StoreWitness& w :
         stores_touching(memory, store.buffer, store.indices, site, {site})) {
        json with = claims;
        with.push_back(json{{"kind", "last-write"},
                            {"buffer", store.buffer->name},
                            {"indices", indices},
                            {"writer", w.json()}});
        if (drop(p, site, json{{"mode", "same"}, {"claims", with}}, why)) return true;
    }
    return false;
}

bool drop_one(Proposer& p, const std::string& block) {
    const Function f = p.current();
    const MemoryModel memory(p.ctx(), f);
    for (const auto& [site, stmt] : all_statements(f)) {
        const Store* store = stmt->as<Store>();
        if (store == nullptr || !in_scope(f, site, block)) continue;
        std::optional<Rejection> why;
        if (drop_store(p, memory, site, why)) return true;
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
    while (drop_one(p, block)) ++out.steps;
    out.steps += decide_structure(p, block, StructureOptions{});
    return out;
}

}  // namespace proviso::rewrite
