#include "rewrite/schedule/inline_lets.h"

#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// A value is written at each use of its name, and a chain of names can double it each time.
constexpr std::size_t kMostUses = 256;
constexpr std::size_t kMostNodes = 4'096;  // of all that is written for one name

// Stops at the limit.
void uses_in(Expr e, Expr var, const Site& site, std::vector<Site>& out) {
    if (out.size() > kMostUses || !occurs_free(var, e)) return;
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
        const std::vector<Site> uses = uses_of(p.current(), site->child("body"), let.var);
        if (uses.size() > kMostUses || uses.size() * let.value->size > kMostNodes) {
            Rejection many;
            many.rule = "replace";
            many.site = *site;
            many.diagnostic =
                error("the value of " + *let.var->name +
                          ", a name that is bound in the loop, would be written out in more than " +
                          std::to_string(kMostNodes) + " terms",
                      "bind it outside of the loop, or store it in a buffer");
            return many;
        }
        for (const Site& use : uses) {
            no = inline_use(p, use, let, claims);
            if (no) break;
        }
        if (!no) p.try_apply("drop-empty", *site, json::object(), &no);
        if (!no) continue;
        const bool reads = !loaded_buffers(let.value).empty();
        no->diagnostic.notes.push_back(
            "a name that is bound in the loop is replaced by its value: " + *let.var->name +
            " has to be bound outside of the loop" +
            (reads ? ", or used before " + print(let.value) + " is written" : ""));
        return no;
    }
    return std::nullopt;
}

}  // namespace proviso::rewrite
