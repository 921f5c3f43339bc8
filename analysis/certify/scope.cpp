// Facts come into scope: conjunctions fall apart, atoms bring their definitions, equations are
// solved for an atom with coefficient 1 and used to reduce what follows, bounds go to the linear
// program.
#include <algorithm>
#include <utility>

#include "analysis/certify/search.h"

namespace proviso::analysis::certificate {

using Kind = Formula::Kind;

Multipliers to_integers(const Combination& c) {
    std::map<FactId, Rational> sum;
    for (const auto& [f, r] : c) sum[f] = sum[f] + r;
    Int128 scale = 1;
    for (const auto& [f, r] : sum) scale = multiply(scale, r.den() / gcd(scale, r.den()));
    Multipliers out;
    Int128 common = 0;
    for (const auto& [f, r] : sum) {
        if (r.is_zero()) continue;
        out.emplace_back(f, multiply(r.num(), scale / r.den()));
        common = gcd(common, out.back().second);
    }
    for (auto& [f, m] : out) m /= common;
    return out;
}

Column Search::column(MonomialId m) {
    if (m >= columns_.size()) columns_.resize(std::max<std::size_t>(m + 1, columns_.size() * 2));
    if (!columns_[m]) {
        columns_[m] = simplex_.add_column();
        monomial_of_[*columns_[m]] = m;
    }
    return *columns_[m];
}

std::vector<std::pair<Column, Int128>> Search::columns_of(const Poly& p, Int128 divisor) {
    std::vector<std::pair<Column, Int128>> out;
    for (const auto& [m, c] : p.terms) out.emplace_back(column(m), c / divisor);
    std::sort(out.begin(), out.end());
    return out;
}

Search::Result Search::leaf(Scope& s, const char* head, std::vector<FactId> premises) {
    Node node;
    node.head = head;
    node.tail = ")";
    node.premises = std::move(premises);
    return proof_.close(std::move(node), s.steps);
}

// The linear program's conflict, as a leaf.
Search::Result Search::farkas(Scope& s) {
    Node node;
    node.head = "(farkas";
    node.tail = ")";
    for (const auto& [f, m] : to_integers(simplex_.conflict())) {
        node.premises.push_back(f);
        node.multipliers.push_back(m);
    }
    return proof_.close(std::move(node), s.steps);
}

FactId Search::add_simple_step(Scope& s, Step step, FormulaId f) {
    const FactId fact = proof_.add_fact(f);
    step.results = {fact};
    s.steps.push_back(proof_.add_step(std::move(step)));
    return fact;
}

// The combination, divided by what its coefficients have in common.
FactId Search::add_cut(Scope& s, const Multipliers& m, bool equation) {
    Poly sum;
    Step step;
    for (const auto& [f, k] : m) {
        sum = combine(sum, 1, formula(f).poly, k);
        step.premises.push_back(f);
        step.multipliers.push_back(k);
        work_.spend(sum.terms.size());
    }
    const Int128 g = sum.content();
    if (g > 1) {
        for (auto& [mono, c] : sum.terms) c /= g;
        if (equation && sum.constant % g != 0) {
            sum = Poly{{}, -1};
            equation = false;
            step.head = "(eq";
        } else {
            sum.constant = floor_div(sum.constant, g);
        }
    }
    if (step.head.empty()) step.head = equation ? "(eq" : "(cut";
    step.tail = ")";
    const FormulaId f = equation ? algebra_.zero(sum) : algebra_.at_least_zero(sum);
    return add_simple_step(s, std::move(step), f);
}

FactId Search::times(Scope& s, FactId equation, MonomialId m) {
    if (m == 0) return equation;
    const auto [at, is_new] = s.times.emplace(std::pair{equation, m}, 0);
    if (!is_new) return at->second;
    const Poly product = algebra_.multiply(formula(equation).poly, algebra_.monomial_poly(m));
    Step step;
    step.head = "(times";
    step.premises = {equation};
    step.tail = " " + algebra_.monomial_text(m) + ")";
    at->second = add_simple_step(s, std::move(step), algebra_.zero(product));
    return at->second;
}

// The fact with solved atoms replaced; itself when there are none.
FactId Search::reduced(Scope& s, FactId fact) {
    const bool equation = formula(fact).kind == Kind::Zero;
    Poly p = formula(fact).poly;
    std::map<FactId, Int128> uses;
    for (bool again = true; again && !s.solved.empty();) {
        again = false;
        for (const auto& [m, c] : p.terms) {
            std::vector<AtomId> rest = algebra_.factors(m);
            const auto solved = std::find_if(rest.begin(), rest.end(),
                                             [&](AtomId a) { return s.solved.count(a) != 0; });
            if (solved == rest.end()) continue;
            const Scope::Solved by = s.solved.at(*solved);
            rest.erase(solved);
            const MonomialId cofactor = rest.empty() ? 0 : algebra_.monomial(std::move(rest));
            const FactId e = times(s, by.equation, cofactor);
            const Int128 k = negate(multiply(c, by.sign));
            p = combine(p, 1, formula(e).poly, k);
            uses[e] = add(uses[e], k);
            work_.spend(p.terms.size() + 1);
            again = true;
            break;
        }
    }
    const Int128 g = p.content();
    const bool tightens = g > 1 && p.constant % g != 0;
    if (uses.empty() && !tightens) return fact;
    Multipliers m{{fact, 1}};
    for (const auto& [e, k] : uses) {
        if (k != 0) m.emplace_back(e, k);
    }
    return add_cut(s, m, equation);
}

Poly Search::substituted(const Scope& s, Poly p) {
    for (bool again = true; again && !s.solved.empty();) {
        again = false;
        for (const auto& [m, c] : p.terms) {
            std::vector<AtomId> rest = algebra_.factors(m);
            const auto solved = std::find_if(rest.begin(), rest.end(),
                                             [&](AtomId a) { return s.solved.count(a) != 0; });
            if (solved == rest.end()) continue;
            const Scope::Solved by = s.solved.at(*solved);
            rest.erase(solved);
            const Poly cofactor = rest.empty()
                                      ? Poly{{}, 1}
                                      : algebra_.monomial_poly(algebra_.monomial(std::move(rest)));
            p = combine(p, 1, algebra_.multiply(formula(by.equation).poly, cofactor),
                        negate(multiply(c, by.sign)));
            work_.spend(p.terms.size() + 1);
            again = true;
            break;
        }
    }
    return p;
}

// An atom with coefficient 1 or -1, in no product of the equation, not a quotient if possible.
void Search::solve(Scope& s, FactId equation) {
    const Poly& p = formula(equation).poly;
    std::map<AtomId, int> occurrences;
    for (const auto& [m, c] : p.terms) {
        for (AtomId a : algebra_.factors(m)) ++occurrences[a];
    }
    int best_rank = 99;
    AtomId best = 0;
    Int128 sign = 0;
    for (const auto& [m, c] : p.terms) {
        if (algebra_.factors(m).size() != 1 || (c != 1 && c != -1)) continue;
        const AtomId a = algebra_.factors(m)[0];
        if (occurrences[a] != 1) continue;
        int rank = 2;
        switch (algebra_.atom(a).kind) {
            case Atom::Kind::Mod: rank = 0; break;
            case Atom::Kind::Ite:
            case Atom::Kind::Abs: rank = 1; break;
            case Atom::Kind::Opaque: rank = 2; break;
            case Atom::Kind::Div: rank = 3; break;
        }
        if (rank < best_rank || (rank == best_rank && a > best)) {
            best_rank = rank;
            best = a;
            sign = c;
        }
    }
    if (sign == 0) return;
    s.solved[best] = {equation, sign};
    // What is known of the atom already is said again without it: integrality may then show.
    std::vector<FactId> again;
    for (FactId f : s.arithmetic) {
        if (f == equation || formula(f).poly.terms.size() > 24) continue;
        for (const auto& [m, c] : formula(f).poly.terms) {
            const std::vector<AtomId>& factors = algebra_.factors(m);
            if (std::find(factors.begin(), factors.end(), best) != factors.end()) {
                again.push_back(f);
                break;
            }
        }
    }
    work_.spend(s.arithmetic.size());
    s.queue.insert(s.queue.begin(), again.begin(), again.end());
}

Search::Result Search::assert_fact(Scope& s, FactId fact) {
    const Poly p = formula(fact).poly;
    const bool equation = formula(fact).kind == Kind::Zero;
    if (p.is_constant()) {
        if (equation ? p.constant == 0 : p.constant >= 0) return std::nullopt;
        return leaf(s, "(false", {fact});
    }
    // p = k * form + constant, form without a common factor and with a positive first coefficient.
    Int128 k = p.content();
    std::vector<std::pair<Column, Int128>> form = columns_of(p, k);
    if (form[0].second < 0) {
        k = negate(k);
        for (auto& [c, x] : form) x = negate(x);
    }
    work_.spend(form.size());
    const bool single = form.size() == 1;
    const Column c = single ? form[0].first : simplex_.form(form);
    // Exact, but for trials: reduced() has seen to it.
    const Int128 bound =
        k > 0 ? negate(floor_div(p.constant, k)) : floor_div(p.constant, negate(k));
    const Rational up(k > 0 ? 1 : -1, magnitude(k));
    const bool lower = equation || k > 0;
    const bool upper = equation || k < 0;
    // form - bound >= 0 is p / k; bound - form >= 0 is p / -k.
    if (lower && !simplex_.at_least(c, bound, fact, up)) return farkas(s);
    if (upper && !simplex_.at_most(c, bound, fact, -up)) return farkas(s);
    if (!equation) note_equality(s, p, c);
    return std::nullopt;
}

// Two inequalities that meet make an equation, which can be solved for an atom.
void Search::note_equality(Scope& s, const Poly& p, Column c) {
    if (!simplex_.has_lower(c) || !simplex_.has_upper(c)) return;
    if (simplex_.lower(c) != simplex_.upper(c) || p.terms.size() > 12) return;
    const Int128 g = p.content();
    Poly form;
    for (const auto& [m, k] : p.terms) form.terms.emplace_back(m, k / g);
    form.constant = p.constant / g;
    const bool is_solvable = std::any_of(form.terms.begin(), form.terms.end(), [&](const auto& t) {
        return (t.second == 1 || t.second == -1) && algebra_.factors(t.first).size() == 1;
    });
    if (is_solvable && s.equal.insert(form.terms).second) s.implied.push_back(std::move(form));
}

// Forms that an integer solution takes integer values on, and the program's model perhaps not:
// for each coefficient above 1, the part of the fact that it divides, as in 8 (i - q) + j >= 0.
void Search::note_candidates(Scope& s, const Poly& p) {
    if (p.terms.size() > 16) return;
    std::set<Int128> divisors;
    for (const auto& [m, c] : p.terms) {
        if (magnitude(c) > 1) divisors.insert(magnitude(c));
    }
    for (auto d = divisors.rbegin(); d != divisors.rend(); ++d) {
        Poly part;
        for (const auto& [m, c] : p.terms) {
            if (c % *d == 0) part.terms.emplace_back(m, c / *d);
        }
        note_candidate(s, std::move(part));
    }
    // The cofactor of a symbolic size: n * i - n * q + j gives i - q.
    for (const auto& [m, c] : p.terms) {
        if (algebra_.factors(m).size() != 2) continue;
        for (AtomId n : algebra_.factors(m)) {
            Poly part;
            for (const auto& [m2, c2] : p.terms) {
                std::vector<AtomId> rest = algebra_.factors(m2);
                const auto at = std::find(rest.begin(), rest.end(), n);
                if (at == rest.end() || rest.size() != 2) continue;
                rest.erase(at);
                part.terms.emplace_back(algebra_.monomial(std::move(rest)), c2);
            }
            std::sort(part.terms.begin(), part.terms.end());
            if (part.terms.size() > 1) note_candidate(s, std::move(part));
        }
    }
    for (const auto& [m, c] : p.terms) note_candidate(s, algebra_.monomial_poly(m));
    // Differences: terms with opposite coefficients.
    if (p.terms.size() > 6) return;
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
        for (std::size_t j = i + 1; j < p.terms.size(); ++j) {
            if (p.terms[i].second != -p.terms[j].second) continue;
            note_candidate(s, Poly{{{p.terms[i].first, 1}, {p.terms[j].first, -1}}, 0});
        }
    }
}

void Search::note_candidate(Scope& s, Poly p) {
    if (p.terms.empty()) return;
    Int128 g = p.content();
    if (p.terms[0].second < 0) g = negate(g);
    for (auto& [m, c] : p.terms) c /= g;
    p.constant = 0;
    work_.spend(p.terms.size());
    if (s.candidate_set.insert(p.terms).second) s.candidates.push_back(std::move(p));
}

Search::Result Search::take_arithmetic(Scope& s, FactId given) {
    std::vector<AtomId> atoms;
    algebra_.atoms_of(formula(given).poly, atoms);
    take_atoms(s, atoms);
    const FactId fact = reduced(s, given);
    const Kind kind = formula(fact).kind;
    if (fact != given && formula(fact).poly.is_constant()) {
        const Int128 c = formula(fact).poly.constant;
        if (kind == Kind::Zero ? c != 0 : c < 0) return leaf(s, "(false", {fact});
    }
    if (Result r = assert_fact(s, fact)) return r;
    if (formula(fact).poly.is_constant()) return std::nullopt;
    s.arithmetic.push_back(fact);
    note_candidates(s, formula(fact).poly);
    if (kind == Kind::Zero) solve(s, fact);
    return std::nullopt;
}

void Search::take_conjunction(Scope& s, FactId fact) {
    Step step;
    step.head = "(and";
    step.premises = {fact};
    step.tail = ")";
    std::vector<FormulaId> left{formula(fact).parts.rbegin(), formula(fact).parts.rend()};
    while (!left.empty()) {
        const FormulaId f = left.back();
        left.pop_back();
        if (algebra_.at(f).kind == Kind::And) {
            const std::vector<FormulaId>& parts = algebra_.at(f).parts;
            left.insert(left.end(), parts.rbegin(), parts.rend());
            continue;
        }
        step.results.push_back(proof_.add_fact(f));
    }
    s.queue.insert(s.queue.end(), step.results.begin(), step.results.end());
    s.steps.push_back(proof_.add_step(std::move(step)));
}

Search::Result Search::take(Scope& s, FactId fact) {
    const Formula& f = formula(fact);
    switch (f.kind) {
        case Kind::And: take_conjunction(s, fact); return std::nullopt;
        case Kind::Literal: {
            const auto opposite = s.literals[f.positive ? 0 : 1].find(f.literal);
            if (opposite != s.literals[f.positive ? 0 : 1].end()) {
                return leaf(s, "(clash", {opposite->second, fact});
            }
            if (s.literals[f.positive ? 1 : 0].emplace(f.literal, fact).second) {
                s.opaque.push_back(f.literal);
            }
            return std::nullopt;
        }
        case Kind::Or:
            s.disjunctions.push_back(fact);
            take_atoms(s, algebra_.atoms_of(proof_.formula(fact)));
            return std::nullopt;
        case Kind::AtLeastZero:
        case Kind::Zero: return take_arithmetic(s, fact);
    }
    return std::nullopt;
}

// Equations first: what follows is then reduced by them.
Search::Result Search::absorb(Scope& s) {
    while (!s.queue.empty()) {
        work_.spend(1);
        const auto rank = [&](FactId f) {
            switch (formula(f).kind) {
                case Kind::And: return 0;
                case Kind::Literal: return 1;
                case Kind::Zero: return 2;
                case Kind::Or: return 3;
                case Kind::AtLeastZero: return 4;
            }
            return 5;
        };
        // One pass a rank; whatever comes in meanwhile has its turn in the next pass.
        std::vector<FactId> batch = std::move(s.queue);
        s.queue.clear();
        std::stable_sort(batch.begin(), batch.end(),
                         [&](FactId a, FactId b) { return rank(a) < rank(b); });
        const int first = rank(batch.front());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            if (rank(batch[i]) != first && !s.queue.empty()) {
                s.queue.insert(s.queue.end(), batch.begin() + static_cast<std::ptrdiff_t>(i),
                               batch.end());
                break;
            }
            if (Result r = take(s, batch[i])) return r;
        }
    }
    return std::nullopt;
}

void Search::take_atoms(Scope& s, const std::vector<AtomId>& atoms) {
    for (AtomId a : atoms) {
        if (s.known.insert(a).second) define(s, a);
    }
}

void Search::define(Scope& s, AtomId a) {
    const Atom atom = algebra_.atom(a);
    Step step;
    step.tail = ")";
    const Poly self = algebra_.monomial_poly(algebra_.monomial({a}));
    switch (atom.kind) {
        case Atom::Kind::Opaque:
            if (!algebra_.terms().at(atom.term).args.empty()) s.applications.push_back(a);
            return;
        case Atom::Kind::Div:
        case Atom::Kind::Mod: {
            const Poly divisor = algebra_.poly(atom.args[1]);
            if (!divisor.is_constant()) {
                s.symbolic.push_back(a);
                return;
            }
            const Int128 c = divisor.constant;
            if (c == 0) return;
            step.head = "(div " + algebra_.text(a);
            const AtomId q = algebra_.quotient(a);
            const Poly dividend = algebra_.poly(atom.args[0]);
            const Poly quotient = algebra_.monomial_poly(algebra_.monomial({q}));
            const Poly rest = combine(dividend, 1, quotient, negate(c));
            if (atom.kind == Atom::Kind::Mod) s.known.insert(q);
            step.results = {
                proof_.add_fact(algebra_.at_least_zero(rest)),
                proof_.add_fact(algebra_.at_least_zero(scaled(rest, -1, magnitude(c) - 1)))};
            if (atom.kind == Atom::Kind::Mod) {
                step.results.push_back(proof_.add_fact(algebra_.zero(combine(self, 1, rest, -1))));
            }
            break;
        }
        case Atom::Kind::Ite: {
            step.head = "(ite " + algebra_.text(a);
            const auto arm = [&](bool positive, TermId chosen) {
                return algebra_.all({algebra_.formula(atom.args[0], positive),
                                     algebra_.zero(combine(self, 1, algebra_.poly(chosen), -1))});
            };
            const FormulaId yes = arm(true, atom.args[1]);
            const FormulaId no = arm(false, atom.args[2]);
            step.results = {proof_.add_fact(algebra_.any({yes, no}))};
            break;
        }
        case Atom::Kind::Abs: {
            step.head = "(abs " + algebra_.text(a);
            const Poly x = algebra_.poly(atom.args[0]);
            const FormulaId yes =
                algebra_.all({algebra_.at_least_zero(x), algebra_.zero(combine(self, 1, x, -1))});
            const FormulaId no = algebra_.all(
                {algebra_.at_least_zero(scaled(x, -1, -1)), algebra_.zero(combine(self, 1, x, 1))});
            step.results = {proof_.add_fact(algebra_.any({yes, no}))};
            break;
        }
    }
    s.queue.insert(s.queue.end(), step.results.begin(), step.results.end());
    s.steps.push_back(proof_.add_step(std::move(step)));
}

}  // namespace proviso::analysis::certificate
