// What the function's licences allow in an expression: one `replace` step a change, with the
// licences that it uses.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/licences.h"
#include "rewrite/simplify/licensed.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

Site below(Site site, const std::vector<std::size_t>& path) {
    for (const std::size_t i : path) site = site.child("a" + std::to_string(i));
    return site;
}

std::vector<Expr> with(std::vector<Expr> facts, const std::vector<Expr>& more) {
    facts.insert(facts.end(), more.begin(), more.end());
    return facts;
}

// The expression, simpler where what it loads is finite.
bool replace_by_finite(Proposer& p, const Site& site, Expr e, const Granted& finite) {
    if (finite.facts.empty()) return false;
    const std::vector<Expr> facts = analysis::facts_at(p.ctx(), p.current(), site);
    Expr simpler = p.simplified(e, with(facts, finite.facts));
    if (simpler == e || simpler->size > e->size) return false;
    return p.try_apply("replace", site,
                       json{{"to", print(simpler)}, {"licences", finite.licences}});
}

}  // namespace

bool choose_by_licences(Proposer& p, const Site& site) {
    const Function& f = p.current();
    const std::vector<std::string> granted = f.licences();
    if (granted.empty()) return false;
    const Result<Located> at = locate(f, site);
    if (!at || at->expr == nullptr || has_op(at->expr, Op::Undef)) return false;
    const Granted finite = finite_loads(p.ctx(), f, {at->expr});
    if (replace_by_finite(p, site, at->expr, finite)) return true;

    LicensedSearch search;
    for (const std::string& licence : granted) {
        if (licence == "no_signed_zero" || licence == "reassociate") {
            search.granted.push_back(licence);
        }
    }
    bool by_finite = false;
    search.holds = [&](const std::vector<std::size_t>& path, Expr claim) {
        const auto proves = [&](const std::vector<Expr>& facts) {
            return p.prover().prove(facts, claim).verdict == analysis::Verdict::Proved;
        };
        const std::vector<Expr> facts = analysis::facts_at(p.ctx(), f, below(site, path));
        if (proves(facts)) return true;
        if (finite.facts.empty() || !proves(with(facts, finite.facts))) return false;
        by_finite = true;
        return true;
    };
    search.take = [&](const LicensedChange& change) {
        json args = {{"to", print(change.after)}, {"licences", change.licences}};
        if (change.sum != nullptr) args["sum"] = print(change.sum);
        if (by_finite) {
            for (const std::string& licence : finite.licences) args["licences"].push_back(licence);
        }
        by_finite = false;
        return p.try_apply("replace", below(site, change.path), args);
    };
    return find_licensed(p.ctx(), RuleBook::standard(), at->expr, search).has_value();
}

}  // namespace proviso::rewrite
