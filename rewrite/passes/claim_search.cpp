#include "rewrite/passes/claim_search.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "rewrite/passes/witness.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

std::vector<Expr> loops_around(const Function& f, const Site& site) {
    std::vector<Expr> out;
    for (const PathStep& step : path_to(f, site).steps) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (loop != nullptr && step.label == "body") out.push_back(loop->var);
    }
    return out;
}

json witness_json(const Site& statement, const Substitution& at) {
    json values = json::object();
    for (const auto& [var, value] : at) values[*var->name] = print(value);
    return json{{"statement", statement.str()}, {"at", values}};
}

nlohmann::json StoreWitness::json() const {
    return witness_json(statement, at);
}

std::vector<StoreWitness> stores_touching(const MemoryModel& memory, Buffer buffer,
                                          const std::vector<Expr>& cell, const Site& site,
                                          const std::vector<Site>& not_in) {
    std::vector<StoreWitness> out;
    const std::vector<Expr> shared = loops_around(memory.function(), site);
    for (const Access& a : memory.all()) {
        if (!a.is_store || a.buffer != buffer) continue;
        const bool excluded = std::any_of(not_in.begin(), not_in.end(),
                                          [&](const Site& s) { return s.contains(a.statement); });
        if (excluded) continue;
        for (const Substitution& at : iterations_touching(memory.ctx(), a, cell, shared)) {
            out.push_back(StoreWitness{a.statement, at});
        }
    }
    return out;
}

std::vector<StoreWitness> later_stores(const MemoryModel& memory, Prover& prover, Buffer buffer,
                                       const std::vector<Expr>& cell, const Site& site,
                                       const std::vector<Site>& not_in) {
    Context& ctx = memory.ctx();
    const Access* here = find_store(memory.all(), site);
    const std::vector<Expr> facts = facts_at(ctx, memory.function(), site);
    std::vector<StoreWitness> out = stores_touching(memory, buffer, cell, site, not_in);
    std::erase_if(out, [&](const StoreWitness& w) {
        const Access* other = find_store(memory.all(), w.statement);
        Expr later = must_be_before(ctx, itself(*here), Instance{other, w.at});
        return is_false(later) || prover.proves_cheaply(facts, ctx.not_(later));
    });
    return out;
}

std::optional<StoreWitness> written_before_witness(const MemoryModel& memory, Prover& prover,
                                                   Buffer buffer, const std::vector<Expr>& cell,
                                                   const Site& site) {
    const std::vector<StoreWitness> all = stores_touching(memory, buffer, cell, site, {});
    const ClaimPoint point = claim_point(memory, site);
    for (const StoreWitness& w : all) {
        const Result<Established> shown =
            written_before(memory, point, buffer, cell, Witness{w.statement, w.at});
        if (!shown) continue;
        const bool easy = std::all_of(
            shown->obligations.begin(), shown->obligations.end(),
            [&](const Obligation& o) { return prover.proves_cheaply(o.facts, o.goal); });
        if (easy) return w;
    }
    for (const StoreWitness& w : all) {
        if (w.statement != site) return w;
    }
    return all.empty() ? std::nullopt : std::optional<StoreWitness>(all[0]);
}

namespace {

// Loads of an expression, each once, in evaluation order.
std::vector<Expr> loads_of(Expr e) {
    std::vector<Expr> out;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Load) out.push_back(n);
    });
    return out;
}

std::vector<Expr> indices_of(Expr load) {
    return {load->args.begin(), load->args.end()};
}

json index_texts(Expr load) {
    json out = json::array();
    for (Expr i : load->args) out.push_back(print(i));
    return out;
}

void assume_claims(const MemoryModel& memory, Expr load, const Site& site, json& out) {
    Context& ctx = memory.ctx();
    for (const auto& [where, stmt] : all_statements(memory.function())) {
        const Assume* assume = stmt->as<Assume>();
        if (assume == nullptr || is_permission(assume->cond)) continue;
        for (Expr known : loads_of(assume->cond)) {
            if (known->buffer != load->buffer) continue;
            Access position = point_at(ctx, memory.function(), where);
            position.indices = indices_of(known);
            const auto at = iterations_touching(ctx, position, indices_of(load),
                                                loops_around(memory.function(), site), 1);
            if (at.empty()) continue;
            json claim = witness_json(where, at[0]);
            claim["kind"] = "assume";
            claim["point"] = site.str();
            out.push_back(std::move(claim));
            break;
        }
    }
}

// For each store to the buffer whose value loads it: a store that came before, the first candidate
// for each load.
json coverage(const MemoryModel& memory, Prover& prover, Buffer buffer) {
    json out = json::object();
    for (const auto& [where, stmt] : all_statements(memory.function())) {
        const Store* store = stmt->as<Store>();
        if (store == nullptr || store->buffer != buffer) continue;
        json list = json::array();
        for (Expr load : loads_of(store->value)) {
            if (load->buffer != buffer) continue;
            const auto before =
                written_before_witness(memory, prover, buffer, indices_of(load), where);
            if (before) list.push_back(before->json());
        }
        if (!list.empty()) out[where.str()] = list;
    }
    return out;
}

void invariant_claim(const MemoryModel& memory, Prover& prover, Expr load, const Site& site,
                     json& out) {
    if (!load->type.is_float()) return;
    const auto before =
        written_before_witness(memory, prover, load->buffer, indices_of(load), site);
    if (!before) return;
    out.push_back(json{{"kind", "invariant"},
                       {"point", site.str()},
                       {"buffer", load->buffer->name},
                       {"indices", index_texts(load)},
                       {"property", "not same(v, T." + load->type.str() + "(-0.0))"},
                       {"writer", before->json()},
                       {"coverage", coverage(memory, prover, load->buffer)}});
}

}  // namespace

json claims_for(const MemoryModel& memory, Prover& prover, Expr e, const Site& site) {
    json out = json::array();
    const Store* store = locate(memory.function(), site)->stmt->as<Store>();
    for (Expr load : loads_of(e)) {
        assume_claims(memory, load, site, out);
        if (store != nullptr && store->buffer == load->buffer) {
            invariant_claim(memory, prover, load, site, out);
        }
    }
    return out;
}

}  // namespace proviso::rewrite
