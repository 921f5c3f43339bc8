// From text to certificate: reads, picks the facts that matter, searches, prints.
#include "analysis/certify/certify.h"

#include <algorithm>
#include <exception>
#include <set>

#include "analysis/certify/bits.h"
#include "analysis/certify/bitwise.h"
#include "analysis/certify/floats.h"
#include "analysis/certify/search.h"

namespace proviso::analysis {

using namespace certificate;

namespace {

constexpr std::size_t kFewFacts = 40;  // all of them at once

// Which facts to try: the negated goal first, then what is said of its constants alone, then what
// these facts mention besides, and so on.
class Relevance {
  public:
    explicit Relevance(const Terms& terms) : terms_(terms), seen_(terms.size(), 0) {
        for (TermId a : terms.assertions()) {
            leaves_.push_back(leaves_of(a));
            std::vector<TermId>& mine = leaves_.back();
            for (TermId leaf : mine) users_[leaf].push_back(leaves_.size() - 1);
        }
        reach(leaves_.size() - 1);
    }

    // All facts whose constants have all been reached.
    std::vector<FactId> facts() const {
        std::vector<FactId> out;
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            const auto is_reached = [&](TermId t) { return reached_.count(t) != 0; };
            if (std::all_of(leaves_[i].begin(), leaves_[i].end(), is_reached)) {
                out.push_back(static_cast<FactId>(i));
            }
        }
        return out;
    }

    // False when there is nothing more.
    bool widen() {
        if (reached_.size() == users_.size()) return false;
        const std::size_t before = reached_.size();
        const std::set<TermId> from = reached_;
        for (TermId leaf : from) {
            for (std::size_t f : users_[leaf]) reach(f);
        }
        if (reached_.size() == before) {  // another component
            for (const auto& [leaf, users] : users_) reached_.insert(leaf);
        }
        return true;
    }

  private:
    void reach(std::size_t fact) { reached_.insert(leaves_[fact].begin(), leaves_[fact].end()); }

    std::vector<TermId> leaves_of(TermId root) {
        ++stamp_;
        std::vector<TermId> out;
        std::vector<TermId> left{root};
        while (!left.empty()) {
            const TermId t = left.back();
            left.pop_back();
            if (seen_[t] == stamp_) continue;
            seen_[t] = stamp_;
            const Term& term = terms_.at(t);
            if (term.op == Op::Other && term.args.empty()) out.push_back(t);
            left.insert(left.end(), term.args.begin(), term.args.end());
        }
        return out;
    }

    const Terms& terms_;
    std::vector<std::uint32_t> seen_;
    std::uint32_t stamp_ = 0;
    std::vector<std::vector<TermId>> leaves_;
    std::map<TermId, std::vector<std::size_t>> users_;
    std::set<TermId> reached_;
};

// What is in the facts, once.
std::vector<bool> reached(const Terms& terms, const std::vector<FactId>& facts) {
    std::vector<bool> out(terms.size());
    std::vector<TermId> left;
    for (const FactId f : facts) left.push_back(terms.assertions()[f]);
    while (!left.empty()) {
        const TermId t = left.back();
        left.pop_back();
        if (out[t]) continue;
        out[t] = true;
        left.insert(left.end(), terms.at(t).args.begin(), terms.at(t).args.end());
    }
    return out;
}

std::optional<std::string> attempt(Algebra& algebra, const std::vector<FactId>& given,
                                   const std::vector<TermFacts>& theories, const Bitwise* bits,
                                   Work& work, Strategy strategy) {
    const Terms& terms = algebra.terms();
    std::vector<FactId> facts = given;
    std::vector<StepId> steps;
    Proof proof;
    for (std::size_t i = 0; i < terms.assertions().size(); ++i) proof.add_fact(0);
    for (FactId f : given) proof.set_formula(f, algebra.formula(terms.assertions()[f], true));
    const std::vector<bool> occurs = reached(terms, given);
    for (const TermFacts& about : theories) {
        if (!occurs[about.term]) continue;
        Step step;
        step.head = std::string("(") + about.step + " " + terms.spelled_out(about.term);
        step.tail = ")";
        for (const TermId t : about.facts) {
            step.results.push_back(proof.add_fact(algebra.formula(t, true)));
        }
        facts.insert(facts.end(), step.results.begin(), step.results.end());
        steps.push_back(proof.add_step(std::move(step)));
        work.spend(about.facts.size());
    }
    Search search(algebra, proof, work, strategy, bits);
    const std::optional<NodeId> root = search.prove(facts, std::move(steps));
    if (!root) return std::nullopt;
    return proof.text(*root, terms.assertions().size());
}

// First without what floats and bits mean, which most claims do not need. That may take a quarter.
std::optional<std::string> attempts(Algebra& algebra, const std::vector<FactId>& facts,
                                    const std::vector<TermFacts>& theories, const Bitwise* bits,
                                    Work& work, Strategy strategy) {
    if (theories.empty()) return attempt(algebra, facts, {}, nullptr, work, strategy);
    const std::uint64_t budget = work.budget();
    work.set_budget(work.used() + (budget - std::min(budget, work.used())) / 4);
    try {
        if (auto out = attempt(algebra, facts, {}, nullptr, work, strategy)) return out;
    } catch (const OutOfBudget&) {
        // it was a first try
    }
    work.set_budget(budget);
    return attempt(algebra, facts, theories, bits, work, strategy);
}

bool divides_by_unknowns(Algebra& algebra) {
    const Terms& terms = algebra.terms();
    for (TermId t = 0; t < terms.size(); ++t) {
        const Term& term = terms.at(t);
        if (term.op != Op::Div && term.op != Op::Mod) continue;
        if (!algebra.poly(term.args[1]).is_constant()) return true;
    }
    return false;
}

// Other strategies than the plain one only where there are quotients by unknowns.
std::optional<std::string> search_text(const std::string& text, Work& work, bool& exhausted,
                                       Strategy strategy) {
    Terms terms(text);
    if (terms.assertions().empty()) return std::nullopt;
    work.spend(terms.size());
    std::vector<TermFacts> theories = float_facts(terms);
    const BitTerms of_bits = read_bits(terms);
    theories.insert(theories.end(), of_bits.facts.begin(), of_bits.facts.end());
    Algebra algebra(terms);
    const Bitwise bitwise(of_bits, algebra);
    const Bitwise* bits = of_bits.vectors.empty() ? nullptr : &bitwise;
    if (strategy != Strategy::Plain && !divides_by_unknowns(algebra)) return std::nullopt;
    std::vector<FactId> all(terms.assertions().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<FactId>(i);
    if (all.size() <= kFewFacts) return attempts(algebra, all, theories, bits, work, strategy);
    Relevance relevance(terms);
    const std::uint64_t budget = work.budget();
    for (int steps = 1;; steps *= 2) {
        const std::vector<FactId> facts = relevance.facts();
        bool last = facts.size() == all.size();
        for (int k = 0; k < steps && !last; ++k) {
            if (!relevance.widen()) last = k == 0;
        }
        // A smaller part gets a smaller share.
        work.set_budget(last ? budget : work.used() + (budget - work.used()) / 4);
        try {
            if (auto out = attempts(algebra, facts, theories, bits, work, strategy)) return out;
        } catch (const OutOfBudget&) {
            exhausted = true;
        } catch (const Overflow&) {
            exhausted = true;
        }
        if (last) return std::nullopt;
    }
}

Certified one_try(const std::string& smt_text, const CertifyOptions& options, Strategy strategy) {
    Certified out;
    Work work(options.budget);
    bool exhausted = false;
    try {
        out.certificate = search_text(smt_text, work, exhausted, strategy);
        if (!out.certificate) out.why = exhausted ? "resource" : "no contradiction found";
    } catch (const OutOfBudget&) {
        out.why = "resource";
    } catch (const Overflow&) {
        out.why = "numbers beyond 128 bits";
    } catch (const Unreadable& e) {
        out.why = "unsupported: " + e.why;
    } catch (const std::exception&) {
        out.why = "unsupported: malformed text";
    }
    out.work = work.used();
    return out;
}

}  // namespace

// The other strategies multiply cases, so they are for what is not closed without, and what they
// close takes little: each has a third of the budget.
Certified certify(const std::string& smt_text, const CertifyOptions& options) {
    Certified out = one_try(smt_text, options, Strategy::Plain);
    if (out.certificate || out.why.rfind("unsupported", 0) == 0) return out;
    CertifyOptions less = options;
    less.budget /= 3;
    for (const Strategy strategy : {Strategy::Quotients, Strategy::SignsFirst}) {
        Certified again = one_try(smt_text, less, strategy);
        out.work += again.work;
        if (!again.certificate) continue;
        again.work = out.work;
        return again;
    }
    return out;
}

}  // namespace proviso::analysis
