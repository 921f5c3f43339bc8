#include "rewrite/schedule/primitives/stored_value.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/memory/claims.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

Rejection cannot_stand(const LoadAt& load, Diagnostic why) {
    Rejection out;
    out.rule = "replace";
    out.site = load.site;
    out.diagnostic = std::move(why);
    return out;
}

// A buffer that the value is read from and whose scope the place is not in; null: none.
Buffer out_of_scope(const Function& f, Expr value, const Site& place) {
    const std::vector<Buffer> read = loaded_buffers(value);
    for (const auto& [site, s] : all_statements(f)) {
        const Allocate* n = s->as<Allocate>();
        if (n == nullptr || site.contains(place)) continue;
        if (std::find(read.begin(), read.end(), n->buffer) != read.end()) return n->buffer;
    }
    return nullptr;
}

}  // namespace

std::optional<Rejection> put_stored_value(Proposer& p, const LoadAt& load, const Site& store) {
    const std::vector<Expr> cell(load.expr->args.begin(), load.expr->args.end());
    json indices = json::array();
    for (Expr i : cell) indices.push_back(print(i));
    const MemoryModel& memory = p.memory();
    const Access* written = find_store(memory.all(), store);
    const Store& stored = *locate(p.current(), store)->stmt->as<Store>();
    if (Buffer b = out_of_scope(p.current(), stored.value, load.statement)) {
        return cannot_stand(load, error("what " + print(load.expr) + " was computed from, " +
                                            b->name + ", is allocated for another stage",
                                        "everything that reads " + b->name +
                                            " stands in one list with the stage that computes it"));
    }
    std::optional<Rejection> why;
    for (const StoreWitness& w :
         stores_touching(memory, p.prover(), load.expr->buffer, cell, load.statement, {})) {
        if (w.statement != store) continue;
        const json claim = {{"kind", "last-write"},
                            {"buffer", load.expr->buffer->name},
                            {"indices", indices},
                            {"writer", w.json()}};
        Expr value = p.simplified(Instance{written, w.at, {}}.value(p.ctx()), load.statement);
        json args = {{"to", print(value)}, {"claims", json::array({claim})}};
        std::optional<Rejection> no;
        if (p.try_apply("replace", load.site, args, &no)) return std::nullopt;
        // That the store has stored it tells that it could be computed.
        json observed = w.json();
        observed["kind"] = "observed";
        observed["unchanged"] = json::array();
        for (Buffer b : loaded_buffers(written->value)) observed["unchanged"].push_back(b->name);
        args["claims"].push_back(std::move(observed));
        std::optional<Rejection> still;
        if (!written->value->args.empty() && p.try_apply("replace", load.site, args, &still)) {
            return std::nullopt;
        }
        keep_more_telling(why, std::move(no));
    }
    if (!why) {
        why = cannot_stand(load, error("no iteration of the store at " + store.str() + " writes " +
                                       print(load.expr)));
    }
    return why;
}

}  // namespace proviso::rewrite
