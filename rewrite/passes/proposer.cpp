#include "rewrite/passes/proposer.h"

#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"

namespace proviso::rewrite {

using namespace ir;

std::optional<Rejection> Proposer::apply(const std::string& rule, const Site& site,
                                         const nlohmann::json& args) {
    return derivation_.apply(rule, site, args, prover_);
}

bool Proposer::try_apply(const std::string& rule, const Site& site, const nlohmann::json& args,
                         std::optional<Rejection>* why) {
    std::variant<Step, Rejection> tried = derivation_.attempt(rule, site, args, prover_);
    if (Rejection* no = std::get_if<Rejection>(&tried)) {
        if (why != nullptr) *why = std::move(*no);
        return false;
    }
    derivation_.accept(std::get<Step>(std::move(tried)));
    return true;
}

Expr Proposer::simplified(Expr e, const Site& site) {
    return simplified(e, analysis::facts_at(ctx(), current(), site));
}

Expr Proposer::simplified(Expr e, const std::vector<Expr>& facts) {
    return simplifier_.simplify(e, facts).result;
}

void keep_more_telling(std::optional<Rejection>& best, std::optional<Rejection> other) {
    const auto rank = [](const Rejection& r) {
        if (!r.failed) return 0;
        return r.answer.verdict == analysis::Verdict::Refuted ? 2 : 1;
    };
    if (other && (!best || rank(*other) > rank(*best))) best = std::move(other);
}

std::optional<Site> find_block(const Function& f, const std::string& name) {
    for (const auto& [site, stmt] : all_statements(f)) {
        const Block* b = stmt->as<Block>();
        if (b != nullptr && b->name == name) return site;
    }
    return std::nullopt;
}

std::optional<Site> find_loop(const Function& f, const std::string& var) {
    for (const auto& [site, stmt] : all_statements(f)) {
        const For* n = stmt->as<For>();
        if (n != nullptr && *n->var->name == var) return site;
    }
    return std::nullopt;
}

Site stage_of(const Function& f, const Site& site) {
    Site here;
    for (const std::string& step : site.steps) {
        const Stmt s = locate(f, here)->stmt;
        if (!s->is<Seq>() && !s->is<Allocate>() && !s->is<LetStmt>()) break;
        here = here.child(step);
    }
    return here;
}

bool in_scope(const Function& f, const Site& site, const std::string& block) {
    if (block.empty()) return true;
    const std::optional<Site> found = find_block(f, block);
    return found && stage_of(f, *found).contains(site);
}

}  // namespace proviso::rewrite
