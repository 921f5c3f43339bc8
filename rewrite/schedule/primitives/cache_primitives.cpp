// Primitives that put a copy of a buffer before or after a stage.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/buffer_scope.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

Outcome Primitives::cache_read(const std::string& block, Buffer buffer, const std::string& scope) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    reserved_.clear();
    const std::string name = fresh(buffer->name + "_" + scope_as_name(scope));
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d)
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
    const std::string copy = fresh(name + "_load");
    const json args = {{"buffer", buffer->name},
                       {"name", name},
                       {"scope", scope},
                       {"names", loops},
                       {"block", copy}};
    if (auto no = step("stage-read", stage_of(p_.current(), *at), args)) return *no;
    return Names{copy};
}

Outcome Primitives::cache_write(const std::string& block, Buffer buffer, const std::string& scope) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse("there is no block '" + block + "' any more");
    const Site stage = stage_of(p_.current(), *at);
    bool inside = false;
    for_each_stmt(locate(p_.current(), stage)->stmt, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        inside = inside || (n != nullptr && n->buffer == buffer);
    });
    if (inside) {
        return refuse(buffer->name + " is allocated inside of the stage of " + block,
                      "it is a buffer of each iteration already; to copy it back after the stage, "
                      "write " +
                          buffer->name + " = T.alloc_buffer(…) before the outermost loop");
    }
    reserved_.clear();
    std::vector<Expr> cell;
    json args = whole_copy(buffer, buffer->name + "_" + scope, scope, cell);
    return write_through(std::move(args), buffer, cell, stage, "the stage of " + block);
}

json Primitives::whole_copy(Buffer buffer, const std::string& base, const std::string& scope,
                            std::vector<Expr>& cell) {
    const std::string name = fresh(base);
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
        cell.push_back(p_.ctx().var(loops.back().get<std::string>(), buffer->shape[d]->type));
    }
    return json{{"buffer", buffer->name},
                {"name", name},
                {"scope", scope},
                {"names", loops},
                {"block", fresh(name + "_store")}};
}

Outcome Primitives::write_through(json args, Buffer buffer, const std::vector<Expr>& cell,
                                  const Site& stage, const std::string& where) {
    const Function f = p_.current();
    const std::vector<Buffer> stored = stored_buffers(locate(f, stage)->stmt);
    if (std::find(stored.begin(), stored.end(), buffer) == stored.end()) {
        std::string names;
        for (Buffer b : stored) names += (names.empty() ? "" : ", ") + b->name;
        return refuse(where + " does not store to " + buffer->name,
                      (names.empty() ? "it stores to no buffer" : "it stores to " + names) +
                          "; sch.cache_read and sch.read_at copy what is read");
    }
    const std::string copy = args["block"].get<std::string>();
    const MemoryModel memory(p_.ctx(), f);
    json reads = json::object();
    for (const Access& a : memory.all()) {
        if (a.is_store || a.buffer != buffer || !stage.contains(a.statement)) continue;
        const Result<Located> load = locate(f, a.site);
        if (!load || load->expr == nullptr) continue;  // of a region or a domain: the rule refuses
        const auto before = written_before_witness(
            memory, p_.prover(), buffer, {load->expr->args.begin(), load->expr->args.end()},
            a.statement, {}, stage);
        if (before) reads[a.statement.str()].push_back(before->json());
    }
    if (!reads.empty()) args["reads"] = reads;
    std::optional<Rejection> why;
    for (const StoreWitness& w : stores_touching(memory, p_.prover(), buffer, cell, stage, {})) {
        if (!stage.contains(w.statement)) continue;
        args["writer"] = w.json();
        if (p_.try_apply("stage-write", stage, args, &why)) return Names{copy};
    }
    if (!why) {
        return refuse("no store in " + where + " covers every cell of " + buffer->name);
    }
    p_.derivation().record(*why);
    return refuse(*why);
}

}  // namespace proviso::rewrite
