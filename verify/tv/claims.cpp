#include "verify/tv/claims.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ir/children.h"
#include "verify/tv/renamed_claim.h"

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

// Sums of many terms, one fact for each of their parts, have many symbols each: what is looked at
// ends somewhere.
constexpr std::uint64_t kMostLookedAt = 50'000'000;

}  // namespace

// Variables and loads in it, each once.
template <typename Use>
void Claims::for_each_symbol(Expr e, const Use& use) {
    ++looks_;
    std::vector<Expr> left{e};
    while (!left.empty()) {
        const Expr n = left.back();
        left.pop_back();
        if (n->id >= seen_in_.size()) seen_in_.resize(2 * std::size_t{n->id} + 1);
        if (std::exchange(seen_in_[n->id], looks_) == looks_) continue;
        ++looked_at_;
        if (n->op == Op::Load || n->op == Op::Var) use(n);
        left.insert(left.end(), n->args.begin(), n->args.end());
    }
}

bool Claims::is_known(Expr claim) {
    return is_true(claim) || known_.count(claim) != 0 || ranges_(claim).is_true();
}

void Claims::add_fact(Expr claim) {
    if (is_known(claim)) return;
    known_.insert(claim);
    facts_.push_back(claim);
}

bool Claims::unknown(std::string why) {
    result_.verdict = TvVerdict::Unknown;
    result_.what = std::move(why);
    return false;
}

bool Claims::shows(Expr claim) {
    return is_known(claim) || ask(claim).verdict == Verdict::Proved;
}

bool Claims::decide(Expr claim, const std::function<std::string()>& what) {
    const Answer answer = ask(claim);
    switch (answer.verdict) {
        case Verdict::Proved: return true;
        case Verdict::Unknown:
            return unknown(what() + (answer.why.empty() ? "" : " (" + answer.why + ")"));
        case Verdict::Refuted: break;
    }
    result_.verdict = TvVerdict::Refuted;
    result_.what = what();
    result_.model = answer.model;
    return false;
}

Answer Claims::ask(Expr claim) {
    Answer out;
    if (term_nodes(claim) > options_.term_limit) {
        out.why = "resource: a claim of too many nodes";
        return out;
    }
    bool all_facts = true;
    const std::vector<Expr> facts = facts_for(claim, all_facts);
    std::optional<RenamedClaim> plain;
    if (!bears_on(facts, claim)) plain = renamed(prover_.context(), claim);
    const bool again = plain && asked_.count(plain->claim) != 0;
    if (!again && result_.queries >= options_.query_limit) {
        out.why = "resource: too many claims";
        return out;
    }
    if (!again) ++result_.queries;
    if (plain) {
        asked_.insert(plain->claim);
        out = prover_.prove({}, plain->claim);
        plain->rename_back(out.model);
    } else {
        out = prover_.prove(facts, claim);
    }
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

// Facts about nothing that the claim mentions say nothing of it.
bool Claims::bears_on(const std::vector<Expr>& facts, Expr claim) {
    std::set<Expr> symbols;
    for_each_symbol(claim, [&](Expr symbol) { symbols.insert(symbol); });
    return std::any_of(facts.begin(), facts.end(), [&](Expr fact) {
        bool shared = false;
        bool any = false;
        for_each_symbol(fact, [&](Expr symbol) {
            any = true;
            shared = shared || symbols.count(symbol) != 0;
        });
        return shared || !any;
    });
}

void Claims::index_facts() {
    for (; indexed_ < facts_.size() && looked_at_ < kMostLookedAt; ++indexed_) {
        for_each_symbol(facts_[indexed_], [&](Expr symbol) {
            std::vector<std::size_t>& facts = facts_of_[symbol];
            if (facts.size() < options_.fact_limit) facts.push_back(indexed_);
        });
    }
}

// The first facts that share a symbol with the claim, as far as the limit goes.
std::vector<Expr> Claims::facts_for(Expr claim, bool& all) {
    if (facts_.size() <= options_.fact_limit) return facts_;
    all = false;
    index_facts();
    std::set<std::size_t> shared;
    for_each_symbol(claim, [&](Expr symbol) {
        const auto found = facts_of_.find(symbol);
        if (found != facts_of_.end()) shared.insert(found->second.begin(), found->second.end());
    });
    std::vector<Expr> out;
    for (const std::size_t fact : shared) {
        if (out.size() >= options_.fact_limit) break;
        out.push_back(facts_[fact]);
    }
    return out;
}

}  // namespace proviso::verify
