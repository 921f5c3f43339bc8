// The loop and the branches: see search.h.
#include "analysis/certify/search.h"

#include <algorithm>

namespace proviso::analysis::certificate {

using Kind = Formula::Kind;

namespace {

constexpr int kDeepest = 200;          // branches within branches
constexpr int kMostCaseSplits = 8;     // integer splits on one branch
constexpr int kMostExamined = 8;       // disjunctions looked at before one is taken
constexpr std::size_t kMostFresh = 2;  // products of unknowns that a product of facts brings in

}  // namespace

Search::Search(Algebra& algebra, Proof& proof, Work& work, Strategy strategy, const Bitwise* bits)
    : algebra_(algebra),
      proof_(proof),
      work_(work),
      compares_(strategy != Strategy::Plain),
      signs_first_(strategy == Strategy::SignsFirst),
      bits_(bits),
      simplex_(work) {}

std::optional<NodeId> Search::prove(const std::vector<FactId>& facts, std::vector<StepId> given) {
    Scope s;
    s.queue = facts;
    s.steps = std::move(given);
    return close(s, false);
}

Rational Search::value(const Scope& s, MonomialId m) {
    const std::vector<AtomId>& factors = algebra_.factors(m);
    work_.spend(1);
    if (factors.size() > 1) {
        for (std::size_t i = 0; i < factors.size(); ++i) {
            const auto solved = s.solved.find(factors[i]);
            if (solved == s.solved.end()) continue;
            // sign * atom + rest = 0, so atom * M = -sign * rest * M.
            std::vector<AtomId> others = factors;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
            const MonomialId own = algebra_.monomial({factors[i]});
            Poly rest = formula(solved->second.equation).poly;
            rest = combine(rest, 1, algebra_.monomial_poly(own), negate(solved->second.sign));
            rest = algebra_.multiply(rest, algebra_.monomial_poly(algebra_.monomial(others)));
            return value(s, rest) * Rational(negate(solved->second.sign));
        }
    }
    if (m < columns_.size() && columns_[m]) return simplex_.value(*columns_[m]);
    if (factors.size() == 1) return 0;
    Rational out = 1;
    for (AtomId a : factors) out = out * value(s, algebra_.monomial({a}));
    return out;
}

Rational Search::value(const Scope& s, const Poly& p) {
    Rational out = p.constant;
    work_.spend(p.terms.size() + 1);
    for (const auto& [m, c] : p.terms) out = out + value(s, m) * Rational(c);
    return out;
}

// In the model of the linear program, with every opaque literal false that is not known.
bool Search::holds(const Scope& s, FormulaId id) {
    const Formula& f = algebra_.at(id);
    const auto part_holds = [&](FormulaId part) { return holds(s, part); };
    work_.spend(1);
    switch (f.kind) {
        case Kind::AtLeastZero: return value(s, f.poly).sign() >= 0;
        case Kind::Zero: return value(s, f.poly).is_zero();
        case Kind::Literal: return (s.literals[1].count(f.literal) != 0) == f.positive;
        case Kind::And: return std::all_of(f.parts.begin(), f.parts.end(), part_holds);
        case Kind::Or: return std::any_of(f.parts.begin(), f.parts.end(), part_holds);
    }
    return false;
}

Search::Result Search::branch(const Scope& s, FactId fact, bool shallow) {
    if (s.depth >= kDeepest) return std::nullopt;
    Scope inner = s;
    inner.steps.clear();
    inner.queue = {fact};
    ++inner.depth;
    work_.spend(s.arithmetic.size() / 4 + s.disjunctions.size() / 4 + s.candidates.size() / 4);
    simplex_.push();
    Result out = close(inner, shallow);
    simplex_.pop();
    return out;
}

// Tries each disjunct with the linear program alone.
Search::Choice Search::examine(const Scope& s, FactId disjunction) {
    Choice out;
    out.disjunction = disjunction;
    const std::vector<FormulaId> parts = formula(disjunction).parts;
    for (FormulaId part : parts) {
        out.facts.push_back(proof_.add_fact(part));
        out.branches.push_back(branch(s, out.facts.back(), true));
        if (!out.branches.back()) {
            ++out.live;
        } else if (!proof_.needs(*out.branches.back(), out.facts.back())) {
            out.live = 0;  // the disjunct was not needed: the scope is contradictory
            break;
        }
    }
    return out;
}

// The violated disjunction with the fewest live disjuncts; with at most one, the first.
std::optional<Search::Choice> Search::choose(Scope& s) {
    std::optional<Choice> best;
    int examined = 0;
    for (FactId d : s.disjunctions) {
        if (holds(s, proof_.formula(d))) continue;
        Choice choice = examine(s, d);
        if (!best || choice.live < best->live) best = std::move(choice);
        if (best->live <= 1 || ++examined >= kMostExamined) break;
        // The trials have moved the model.
        if (!simplex_.check()) break;
    }
    return best;
}

Search::Result Search::follow(Scope& s, Choice& choice) {
    Scope without = s;
    const auto at =
        std::find(without.disjunctions.begin(), without.disjunctions.end(), choice.disjunction);
    if (at != without.disjunctions.end()) without.disjunctions.erase(at);
    for (std::size_t i = 0; i < choice.branches.size(); ++i) {
        Result& b = choice.branches[i];
        if (!b) b = branch(without, choice.facts[i], false);
        if (!b) return std::nullopt;
        if (!proof_.needs(*b, choice.facts[i])) return proof_.lift(*b, s.steps);
    }
    Node node;
    node.head = "(or";
    node.tail = ")";
    node.premises = {choice.disjunction};
    node.branch_facts = choice.facts;
    for (const Result& b : choice.branches) node.branches.push_back(*b);
    return proof_.close(std::move(node), s.steps);
}

// p >= 0, or -p - 1 >= 0.
Search::Result Search::case_split(const Scope& s, const Poly& p) {
    Node node;
    node.head = "(case " + algebra_.text(p);
    node.tail = ")";
    Scope inner = s;
    ++inner.case_splits;
    for (const Poly& side : {p, scaled(p, -1, -1)}) {
        const FactId fact = proof_.add_fact(algebra_.at_least_zero(side));
        const Result b = branch(inner, fact, false);
        if (!b) return std::nullopt;
        if (!proof_.needs(*b, fact)) return proof_.lift(*b, s.steps);
        node.branch_facts.push_back(fact);
        node.branches.push_back(*b);
    }
    return proof_.close(std::move(node), s.steps);
}

// zero = 0, which two inequalities say already; the other branch closes by them.
Search::Result Search::equality_split(const Scope& s, const Poly& zero) {
    Node node;
    node.head = "(split (= " + algebra_.text(zero) + " 0)";
    node.tail = ")";
    const FormulaId sides[] = {algebra_.zero(zero),
                               algebra_.any({algebra_.at_least_zero(scaled(zero, 1, -1)),
                                             algebra_.at_least_zero(scaled(zero, -1, -1))})};
    for (const FormulaId side : sides) {
        const FactId fact = proof_.add_fact(side);
        const Result b = branch(s, fact, false);
        if (!b) return std::nullopt;
        if (!proof_.needs(*b, fact)) return proof_.lift(*b, s.steps);
        node.branch_facts.push_back(fact);
        node.branches.push_back(*b);
    }
    return proof_.close(std::move(node), s.steps);
}

bool Search::multiply_facts(Scope& s) {
    if (compares_ && bound_factors(s)) return true;
    return add_products(s, signs_first_ ? 0 : kMostFresh);
}

std::optional<Poly> Search::sign_split(Scope& s) {
    return s.case_splits < kMostCaseSplits ? cofactor_split(s) : std::nullopt;
}

Search::Result Search::close(Scope& s, bool shallow) {
    if (Result r = absorb(s)) return r;
    while (true) {
        work_.spend(1);
        if (!simplex_.check()) return farkas(s);
        if (shallow) return std::nullopt;
        if (!s.implied.empty()) {
            const Poly zero = s.implied.back();
            s.implied.pop_back();
            return equality_split(s, zero);
        }
        std::optional<Choice> choice;
        std::optional<Poly> open;
        if (!use_bits(s) && !use_symbolic_divisions(s) && !combine_rows(s)) {
            const std::optional<Side> exact = quotient_side(s, true);
            if (exact && s.queue.empty()) return quotient_split(s, *exact);
            if (s.queue.empty()) choice = choose(s);
            if (choice && choice->live <= 1) return follow(s, *choice);
            if (s.queue.empty() && !cut_by_probing(s, open)) {
                if (choice) return follow(s, *choice);
                const std::optional<Side> side = quotient_side(s, false);
                if (side && s.queue.empty()) return quotient_split(s, *side);
                if (!s.queue.empty()) {
                    if (Result r = absorb(s)) return r;
                    continue;
                }
                if (!multiply_facts(s) && !add_congruences(s)) {
                    const std::optional<Poly> sign = sign_split(s);
                    if (sign) return case_split(s, *sign);
                    if (s.queue.empty() && !(signs_first_ && add_products(s, kMostFresh))) {
                        const bool may = open && s.case_splits < kMostCaseSplits;
                        return may ? case_split(s, *open) : std::nullopt;
                    }
                }
            }
        }
        if (Result r = absorb(s)) return r;
    }
}

}  // namespace proviso::analysis::certificate
