#include "rewrite/schedule/inline_lets.h"

#include <nlohmann/json.hpp>

#include "analysis/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

void uses_in(Expr e, Expr var, const Site& site, std::vector<Site>& out) {
    if (e == var) out.push_back(site);
    for (std::size_t k = 0; k < e->args.size(); ++k) {
        uses_in(e->arg(k), var, site.child("a" + std::to_string(k)), out);
    }
}

// No site is inside of another one, so a step at one leaves the others as they are.
std::vector<Site> uses_of(const Function& f, const Site& body, Expr var) {
    std::vector<Site> out;
    for (const auto& [site, stmt] : all_statements(f)) {
        if (!body.contains(site)) continue;
        for (const Child& c : children(stmt)) {
            if (c.expr != nullptr) uses_in(c.expr, var, site.child(c.label), out);
        }
    }
    return out;
}

// What may have to be shown of the value where it is to stand: nothing; that it was read from cells
// that nothing has written since, and computed without a fault; or the former alone, which is what
// a refusal is to speak of.
std::vector<json> claims_about(const Function& f, const Site& site, const LetStmt& let) {
    const json binding = {{"kind", "binding"}, {"statement", site.str()}};
    Substitution same;
    for (Expr v : loops_around(f, site)) same[v] = v;
    json observed = witness_json(site, same);
    observed["kind"] = "observed";
    json unchanged = json::array();
    for (Buffer b : loaded_buffers(let.value)) {
        if (analysis::stores_to(f.body, b)) unchanged.push_back(b->name);
    }
    if (!unchanged.empty()) observed["unchanged"] = unchanged;
    return {json::array(), json::array({binding, observed}), json::array({binding})};
}

// One use, by the value.
std::optional<Rejection> inline_use(Proposer& p, const Site& use, const LetStmt& let,
                                    const std::vector<json>& claims) {
    std::optional<Rejection> no;
    for (const json& known : claims) {
        json args = {{"to", print(let.value)}};
        if (!known.empty()) args["claims"] = known;
        if (p.try_apply("replace", use, args, &no)) return std::nullopt;
    }
    return no;
}

}  // namespace

std::optional<Rejection> inline_lets(Proposer& p, const Site& below) {
    const auto next = [&]() -> std::optional<Site> {
        for (const auto& [site, stmt] : all_statements(p.current())) {
            if (below.contains(site) && stmt->is<LetStmt>()) return site;
        }
        return std::nullopt;
    };
    while (const std::optional<Site> site = next()) {
        const LetStmt let = *locate(p.current(), *site)->stmt->as<LetStmt>();
        const std::vector<json> claims = claims_about(p.current(), *site, let);
        std::optional<Rejection> no;
        for (const Site& use : uses_of(p.current(), site->child("body"), let.var)) {
            no = inline_use(p, use, let, claims);
            if (no) break;
        }
        if (!no) p.try_apply("drop-empty", *site, json::object(), &no);
        if (!no) continue;
        no->diagnostic.notes.push_back(
            "a name that is bound in the loop is replaced by its value: " + *let.var->name +
            " has to be bound outside of the loop, " + "or used before " + print(let.value) +
            " is written");
        return no;
    }
    return std::nullopt;
}

}  // namespace proviso::rewrite
