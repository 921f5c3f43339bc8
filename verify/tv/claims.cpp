#include "verify/tv/claims.h"

#include <algorithm>
#include <set>

#include "ir/children.h"

namespace proviso::verify {

using namespace ir;
using analysis::Answer;
using analysis::Verdict;

namespace {

std::size_t term_nodes(Expr e) {
    std::size_t out = 0;
    for_each_node(e, [&](Expr) { ++out; });
    return out;
}

bool has_uninterpreted(Expr e) {
    bool out = false;
    for_each_node(e, [&](Expr n) {
        out = out || n->op == Op::CallExtern ||
              (n->op == Op::Math && !math_fn_info(n->math_fn()).exact);
    });
    return out;
}

bool speaks_of_floats(Expr e) {
    bool out = false;
    for_each_node(e, [&](Expr n) { out = out || n->type.is_float(); });
    return out;
}

// Variables and loads in it, each once.
void for_each_symbol(Expr e, const std::function<void(Expr)>& f) {
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Load || n->op == Op::Var) f(n);
    });
}

}  // namespace

void Claims::add_fact(Expr claim) {
    if (!known_.insert(claim).second) return;
    for_each_symbol(claim, [&](Expr symbol) { facts_of_[symbol].push_back(facts_.size()); });
    facts_.push_back(claim);
}

bool Claims::unknown(std::string why) {
    result_.verdict = TvVerdict::Unknown;
    result_.what = std::move(why);
    return false;
}

bool Claims::shows(Expr claim) {
    if (is_true(claim) || known_.count(claim) != 0) return true;
    return ask(claim).verdict == Verdict::Proved;
}

bool Claims::decide(Expr claim, const std::function<std::string()>& what) {
    const Answer answer = ask(claim);
    switch (answer.verdict) {
        case Verdict::Proved: return true;
        case Verdict::Unknown: return unknown(what() + " (" + answer.why + ")");
        case Verdict::Refuted: break;
    }
    result_.verdict = TvVerdict::Refuted;
    result_.what = what();
    result_.model = answer.model;
    return false;
}

Answer Claims::ask(Expr claim) {
    Answer out;
    if (result_.queries >= options_.query_limit) {
        out.why = "resource: too many claims";
        return out;
    }
    if (term_nodes(claim) > options_.term_limit) {
        out.why = "resource: a claim of too many nodes";
        return out;
    }
    ++result_.queries;
    bool all_facts = true;
    const std::vector<Expr> facts = facts_for(claim, all_facts);
    out = prover_.prove(facts, claim);
    if (out.verdict == Verdict::Proved) known_.insert(claim);
    if (out.verdict != Verdict::Refuted) return out;
    bool interpreted = !has_uninterpreted(claim);
    for (Expr f : facts) interpreted = interpreted && !has_uninterpreted(f);
    const char* doubt = !all_facts                ? "some facts were left out"
                        : !interpreted            ? "of functions that proofs do not interpret"
                        : speaks_of_floats(claim) ? doubt_
                                                  : nullptr;
    if (doubt == nullptr) return out;
    out.verdict = Verdict::Unknown;
    out.why = doubt;
    return out;
}

// The first facts that share a symbol with the claim, as far as the limit goes.
std::vector<Expr> Claims::facts_for(Expr claim, bool& all) const {
    if (facts_.size() <= options_.fact_limit) return facts_;
    all = false;
    std::set<std::size_t> shared;
    for_each_symbol(claim, [&](Expr symbol) {
        const auto found = facts_of_.find(symbol);
        if (found == facts_of_.end()) return;
        const std::vector<std::size_t>& facts = found->second;
        const std::size_t first = std::min<std::size_t>(facts.size(), options_.fact_limit);
        shared.insert(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(first));
    });
    std::vector<Expr> out;
    for (const std::size_t fact : shared) {
        if (out.size() >= options_.fact_limit) break;
        out.push_back(facts_[fact]);
    }
    return out;
}

}  // namespace proviso::verify
