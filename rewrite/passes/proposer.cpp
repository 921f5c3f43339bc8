#include "rewrite/passes/proposer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "rewrite/passes/invariant_search.h"

namespace proviso::rewrite {

using namespace ir;

std::optional<Rejection> Proposer::apply(const std::string& rule, const Site& site,
                                         const nlohmann::json& args) {
    if (auto no = not_ours(rule, site, args)) {
        derivation_.record(*no);
        return no;
    }
    std::optional<Rejection> no = derivation_.apply(rule, site, args, prover_);
    if (no) remember(*no);
    return no;
}

bool Proposer::try_apply(const std::string& rule, const Site& site, const nlohmann::json& args,
                         std::optional<Rejection>* why) {
    if (auto no = not_ours(rule, site, args)) {
        if (why != nullptr) *why = std::move(no);
        return false;
    }
    std::variant<ProvedStep, Rejection> tried = derivation_.attempt(rule, site, args, prover_);
    if (Rejection* no = std::get_if<Rejection>(&tried)) {
        if (why != nullptr) {
            remember(*no);
            *why = std::move(*no);
        }
        return false;
    }
    derivation_.accept(std::get<ProvedStep>(std::move(tried)));
    return true;
}

namespace {

std::size_t hash_of(const Rejection& no) {
    return std::hash<std::string>{}(no.rule + "\n" + no.site.str() + "\n" + no.args);
}

}  // namespace

void Proposer::remember(const Rejection& no) {
    const bool same = latest_ != nullptr && latest_->body == current().body &&
                      latest_->params == current().params;
    if (!same) latest_ = std::make_shared<const Function>(current());
    refused_in_[hash_of(no)] = latest_;
}

const Function* Proposer::program_of(const Rejection& no) const {
    const auto found = refused_in_.find(hash_of(no));
    return found == refused_in_.end() ? nullptr : found->second.get();
}

const analysis::MemoryModel& Proposer::memory() {
    if (memory_ == nullptr || memory_->function() != current()) {
        memory_ = std::make_shared<const analysis::MemoryModel>(ctx(), current());
        found_ = std::make_shared<InvariantsFound>();
    }
    return *memory_;
}

InvariantsFound& Proposer::invariants_found() {
    memory();
    return *found_;
}

std::optional<Rejection> Proposer::not_ours(const std::string& rule, const Site& site,
                                            const nlohmann::json& args) {
    if (rule == "outline") return std::nullopt;
    for (const std::string& name : functions_) {
        const std::optional<Site> block = index().block(name);
        if (!block || !block->contains(site)) continue;
        Rejection no;
        no.rule = rule;
        no.site = site;
        no.args = args.dump();
        no.diagnostic = error("this is in the function '" + name + "'",
                              "sch.work_on(\"" + name + "\") comes first");
        return no;
    }
    return std::nullopt;
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

namespace {

// The site of the first statement that `wanted` takes, its steps innermost first: only those that
// lead there are named.
bool find_in(Stmt s, const std::function<bool(Stmt)>& wanted, Site& at) {
    if (wanted(s)) return true;
    if (const Seq* list = s->as<Seq>()) {
        for (std::size_t k = 0; k < list->body.size(); ++k) {
            if (!find_in(list->body[k], wanted, at)) continue;
            at.steps.push_back(std::to_string(k));
            return true;
        }
        return false;
    }
    for (const Child& c : children(s)) {
        if (c.stmt == nullptr) continue;
        if (!find_in(c.stmt, wanted, at)) continue;
        at.steps.push_back(c.label);
        return true;
    }
    return false;
}

std::optional<Site> find_statement(const Function& f, const std::function<bool(Stmt)>& wanted) {
    Site at;
    if (!find_in(f.body, wanted, at)) return std::nullopt;
    std::reverse(at.steps.begin(), at.steps.end());
    return at;
}

}  // namespace

std::optional<Site> find_block(const Function& f, const std::string& name) {
    return find_statement(f, [&](Stmt s) {
        const Block* b = s->as<Block>();
        return b != nullptr && b->name == name;
    });
}

std::optional<Site> find_loop(const Function& f, const std::string& var) {
    return find_statement(f, [&](Stmt s) {
        const For* n = s->as<For>();
        return n != nullptr && *n->var->name == var;
    });
}

Site stage_of(const Function& f, const Site& site) {
    return stage_below(f, Site{}, site);
}

Site stage_below(const Function& f, const Site& top, const Site& site) {
    Site here = top;
    for (std::size_t k = top.steps.size(); k < site.steps.size(); ++k) {
        const Stmt s = locate(f, here)->stmt;
        if (!s->is<Seq>() && !s->is<Allocate>() && !s->is<LetStmt>()) break;
        here = here.child(site.steps[k]);
    }
    return here;
}

namespace {

constexpr char kInLoop = '\x01';  // begins the name of such a scope, which no block is called by

// The loop and the block of a scope within a loop.
std::optional<std::pair<std::string, std::string>> loop_and_block(const std::string& scope) {
    if (scope.empty() || scope[0] != kInLoop) return std::nullopt;
    const std::size_t end = scope.find(kInLoop, 1);
    return std::pair{scope.substr(1, end - 1), scope.substr(end + 1)};
}

}  // namespace

std::string scope_in_loop(const std::string& loop, const std::string& block) {
    return kInLoop + loop + kInLoop + block;
}

std::string scope_in_words(const std::string& block) {
    const auto in_loop = loop_and_block(block);
    if (!in_loop) return "the stage of " + block;
    const auto& [loop, inner] = *in_loop;
    return (inner.empty() ? "" : "the stage of " + inner + " in ") + "loop " + loop;
}

PassScope::PassScope(const Function& f, const std::string& block) {
    if (const auto in_loop = loop_and_block(block)) {
        const std::optional<Site> loop = find_loop(f, in_loop->first);
        if (!loop) return;
        const Site body = loop->child("body");
        if (in_loop->second.empty()) {
            stage_ = body;
            return;
        }
        const std::optional<Site> found = find_block(f, in_loop->second);
        if (found && body.contains(*found)) stage_ = stage_below(f, body, *found);
    } else if (block.empty()) {
        stage_ = Site{};
    } else if (const std::optional<Site> found = find_block(f, block)) {
        stage_ = stage_of(f, *found);
    }
}

bool in_scope(const Function& f, const Site& site, const std::string& block) {
    return PassScope(f, block).contains(site);
}

}  // namespace proviso::rewrite
