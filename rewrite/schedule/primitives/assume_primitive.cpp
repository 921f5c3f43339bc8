// sch.assume: knowledge that is proved where it is written down.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/primitives/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The range of a variable that indexes a dimension of a buffer is that dimension.
Expr extent_of(Expr condition, Expr var) {
    Expr out = nullptr;
    for_each_node(condition, [&](Expr e) {
        if (e->op != Op::Load || out != nullptr) return;
        for (std::size_t d = 0; d < e->args.size(); ++d) {
            if (e->arg(d) == var && out == nullptr) out = e->buffer->shape[d];
        }
    });
    return out;
}

// Lists of claims worth trying: none, what assumptions say, and what was stored last.
std::vector<json> claim_lists(Proposer& p, const MemoryModel& memory, Expr condition,
                              const Site& site) {
    std::vector<json> out = {json::array()};
    const KnownMemory known = known_memory(memory, p.prover(), condition, site);
    if (!known.claims.empty()) out.push_back(known.claims);
    for_each_node(condition, [&](Expr load) {
        if (load->op != Op::Load) return;
        json indices = json::array();
        for (Expr i : load->args) indices.push_back(print(i));
        const std::vector<Expr> cell(load->args.begin(), load->args.end());
        for (const StoreWitness& w :
             stores_touching(memory, p.prover(), load->buffer, cell, site, {})) {
            out.push_back(json::array({json{{"kind", "last-write"},
                                            {"buffer", load->buffer->name},
                                            {"indices", indices},
                                            {"writer", w.json()}}}));
        }
    });
    return out;
}

// Where the condition is assumed first.
std::optional<Site> site_of_assume(const Function& f, Expr condition) {
    for (const auto& [site, stmt] : all_statements(f)) {
        const Assume* n = stmt->as<Assume>();
        if (n != nullptr && n->cond == condition) return site;
    }
    return std::nullopt;
}

}  // namespace

Outcome Primitives::assume(const Site& site, const std::vector<Expr>& variables, Expr written) {
    std::set<std::string> used = used_names(p_.current());
    Substitution names;
    std::vector<Expr> for_all;
    for (Expr v : variables) {
        for_all.push_back(p_.ctx().var(fresh_name(*v->name, used), v->type));
        names[v] = for_all.back();
    }
    Expr condition = substitute(p_.ctx(), written, names);
    json args = {{"condition", print(condition)}};
    for (Expr v : for_all) {
        Expr extent = extent_of(condition, v);
        if (extent == nullptr) {
            return refuse(
                "no range is known for " + *v->name,
                "a variable that is no loop of the block indexes a buffer: B[" + *v->name + "]");
        }
        args["loops"].push_back(json{{"var", *v->name}, {"extent", print(extent)}});
    }
    // With loops of its own, claims are made in the program that the step gives, before it assumes.
    Function seen_in = p_.current();
    Site point = site;
    if (!for_all.empty()) {
        const Result<Proposal> bare =
            find_rule("add-assume")->propose(p_.ctx(), p_.current(), site, args);
        if (!bare) return refuse(bare.error().message, bare.error().hint);
        seen_in = bare->after;
        const std::optional<Site> inside = site_of_assume(seen_in, condition);
        if (!inside) return refuse("the assumption is there already");
        point = *inside;
        seen_in = replace_at(p_.ctx(), seen_in, point, p_.ctx().pass());  // not known yet
    }
    const MemoryModel memory(p_.ctx(), seen_in);
    std::optional<Rejection> why;
    for (const json& claims : claim_lists(p_, memory, condition, point)) {
        json with = args;
        if (!claims.empty()) with["claims"] = claims;
        std::optional<Rejection> no;
        if (p_.try_apply("add-assume", site, with, &no)) return Names{};
        keep_more_telling(why, std::move(no));
    }
    p_.derivation().record(*why);
    return refuse(*why);
}

}  // namespace proviso::rewrite
