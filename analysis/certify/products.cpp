// What is not linear: divisions by an unknown of known sign get their definition, monomials whose
// value in the model is not the product of their factors' values get products of facts, equal
// arguments give equal values.
#include <algorithm>

#include "analysis/certify/search.h"

namespace proviso::analysis::certificate {

using Kind = Formula::Kind;

namespace {

constexpr int kMostProductRounds = 24;
constexpr int kMostClosedRounds = 48;      // that bring in no new product of unknowns
constexpr std::size_t kLongestFactor = 6;  // terms of a fact that is multiplied
constexpr std::size_t kMostPairs = 300;    // looked at in a round
constexpr std::size_t kHighestDegree = 5;  // of a product of facts

// As large as a type's range: such a bound says nothing worth multiplying.
bool is_range(const Poly& p) {
    return p.terms.size() == 1 && magnitude(p.constant) >= (Int128{1} << 31) - 1;
}

}  // namespace

std::size_t Search::degree(const Poly& p) const {
    std::size_t out = 0;
    for (const auto& [m, c] : p.terms) out = std::max(out, algebra_.factors(m).size());
    return out;
}

std::optional<FactId> Search::sign_of(Scope& s, const Poly& p) {
    for (FactId f : s.arithmetic) {
        const Formula& fact = formula(f);
        if (fact.kind == Kind::AtLeastZero && fact.poly.terms == p.terms &&
            fact.poly.constant < p.constant) {
            return f;
        }
    }
    if (p.content() != 1) return std::nullopt;
    return bound_above(s, scaled(p, -1), -1);
}

bool Search::use_symbolic_divisions(Scope& s) {
    if (s.symbolic.empty() || s.divisors_tried == s.arithmetic.size()) return false;
    s.divisors_tried = s.arithmetic.size();
    bool any = false;
    std::vector<AtomId> left;
    for (AtomId a : s.symbolic) {
        const Atom atom = algebra_.atom(a);
        const Poly divisor = algebra_.poly(atom.args[1]);
        std::optional<FactId> size = sign_of(s, divisor);
        const bool positive = size.has_value();
        if (!size) size = sign_of(s, scaled(divisor, -1));
        if (!simplex_.check()) return false;
        if (!size) {
            for (const auto& [m, c] : divisor.terms) {
                if (algebra_.factors(m).size() > 1 && s.divisor_products.insert(m).second) {
                    column(m);
                }
            }
            left.push_back(a);
            continue;
        }
        // Products are made of facts.
        if (compares_ && divisor.terms.size() == 1) s.queue.push_back(*size);
        const AtomId q = algebra_.quotient(a);
        if (a != q) s.known.insert(q);
        const Poly self = algebra_.monomial_poly(algebra_.monomial({a}));
        const Poly quotient = algebra_.monomial_poly(algebra_.monomial({q}));
        const Poly rest =
            combine(algebra_.poly(atom.args[0]), 1, algebra_.multiply(divisor, quotient), -1);
        Step step;
        step.head = "(div " + algebra_.text(a);
        step.premises = {*size};
        step.tail = ")";
        Poly room = combine(divisor, positive ? 1 : -1, rest, -1);
        room.constant = add(room.constant, -1);
        step.results = {proof_.add_fact(algebra_.at_least_zero(rest)),
                        proof_.add_fact(algebra_.at_least_zero(room))};
        if (atom.kind == Atom::Kind::Mod) {
            step.results.push_back(proof_.add_fact(algebra_.zero(combine(self, 1, rest, -1))));
        }
        s.queue.insert(s.queue.end(), step.results.begin(), step.results.end());
        s.steps.push_back(proof_.add_step(std::move(step)));
        const auto is_same = [&](const Scope::Quotient& other) { return other.q == q; };
        if (std::none_of(s.quotients.begin(), s.quotients.end(), is_same)) {
            s.quotients.push_back({q, algebra_.poly(atom.args[0]), divisor, *size, positive});
        }
        any = true;
    }
    s.symbolic = std::move(left);
    return any;
}

// Products are made of facts; x < n with 0 <= x says of n alone that it is positive.
bool Search::bound_factors(Scope& s) {
    std::set<AtomId> factors;
    std::set<MonomialId> bounded;  // from below
    const auto note = [&](MonomialId m) {
        const std::vector<AtomId>& of = algebra_.factors(m);
        if (of.size() > 1) factors.insert(of.begin(), of.end());
    };
    for (const MonomialId m : s.divisor_products) note(m);
    for (const FactId f : s.arithmetic) {
        const Formula& fact = formula(f);
        for (const auto& [m, c] : fact.poly.terms) note(m);
        const bool is_bound = fact.kind == Kind::AtLeastZero && fact.poly.terms.size() == 1;
        if (is_bound && fact.poly.terms[0].second > 0 && !is_range(fact.poly)) {
            bounded.insert(fact.poly.terms[0].first);
        }
    }
    bool any = false;
    for (const AtomId a : factors) {
        const MonomialId m = algebra_.monomial({a});
        if (bounded.count(m) != 0 || !s.bounded.insert(a).second) continue;
        const Poly opposite = scaled(algebra_.monomial_poly(m), -1);
        std::optional<FactId> sign = bound_above(s, opposite, -1);
        if (!sign) sign = bound_above(s, opposite, 0);
        if (!simplex_.check()) return any;
        if (!sign) continue;
        s.queue.push_back(*sign);
        any = true;
    }
    return any;
}

// `most_fresh`: how many products of unknowns that no fact mentions a product of facts may bring
// in.
bool Search::add_products(Scope& s, std::size_t most_fresh) {
    const int most = most_fresh == 0 ? kMostClosedRounds : kMostProductRounds;
    if (s.product_rounds >= most) return false;
    std::set<MonomialId> products = s.divisor_products;
    std::map<MonomialId, std::vector<FactId>> with;
    for (FactId f : s.arithmetic) {
        const Poly& p = formula(f).poly;
        for (const auto& [m, c] : p.terms) {
            if (algebra_.factors(m).size() > 1) products.insert(m);
            if (p.terms.size() <= kLongestFactor && !is_range(p)) with[m].push_back(f);
        }
    }
    work_.spend(s.arithmetic.size());
    if (products.empty()) return false;
    ++s.product_rounds;

    struct Lemma {
        std::size_t fresh;  // products that no fact mentions yet
        std::size_t size;
        FactId a;
        FactId b;
        MonomialId cofactor;  // of an equation
        Poly poly;
    };
    std::vector<Lemma> lemmas;
    const auto consider = [&](Lemma lemma, bool equation) {
        const Rational v = value(s, lemma.poly);
        if (equation ? v.is_zero() : v.sign() >= 0) return;
        for (const auto& [m, c] : lemma.poly.terms) {
            if (algebra_.factors(m).size() > 1 && products.count(m) == 0) ++lemma.fresh;
        }
        lemma.size = lemma.poly.terms.size();
        if (lemma.fresh <= most_fresh) lemmas.push_back(std::move(lemma));
    };
    std::size_t pairs = 0;
    std::set<std::pair<FactId, FactId>> seen;
    for (MonomialId m : products) {
        const std::vector<AtomId> factors = algebra_.factors(m);
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (i > 0 && factors[i] == factors[i - 1]) continue;
            std::vector<AtomId> rest = factors;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            const MonomialId x = algebra_.monomial({factors[i]});
            const MonomialId cofactor = algebra_.monomial(rest);
            for (FactId f : with[x]) {
                if (formula(f).kind == Kind::Zero) {
                    if (s.times.count({f, cofactor}) != 0) continue;
                    if (degree(formula(f).poly) + factors.size() > kHighestDegree + 1) continue;
                    consider({0, 0, f, f, cofactor,
                              algebra_.multiply(formula(f).poly, algebra_.monomial_poly(cofactor))},
                             true);
                    continue;
                }
                for (FactId g : with[cofactor]) {
                    if (formula(g).kind == Kind::Zero || pairs >= kMostPairs) continue;
                    const std::pair<FactId, FactId> pair = std::minmax(f, g);
                    if (s.products.count(pair) != 0 || !seen.insert(pair).second) continue;
                    if (degree(formula(f).poly) + degree(formula(g).poly) > kHighestDegree) {
                        continue;
                    }
                    ++pairs;
                    work_.spend(8);
                    consider({0, 0, pair.first, pair.second, 0,
                              algebra_.multiply(formula(f).poly, formula(g).poly)},
                             false);
                }
            }
        }
    }
    std::stable_sort(lemmas.begin(), lemmas.end(), [](const Lemma& a, const Lemma& b) {
        return a.fresh != b.fresh ? a.fresh < b.fresh : a.size < b.size;
    });
    std::size_t added = 0;
    for (Lemma& lemma : lemmas) {
        if (added == 4 || (added > 0 && lemma.fresh > lemmas.front().fresh)) break;
        ++added;
        if (lemma.cofactor != 0) {
            s.queue.push_back(times(s, lemma.a, lemma.cofactor));
            continue;
        }
        s.products.insert({lemma.a, lemma.b});
        Step step;
        step.head = "(mul";
        step.premises = {lemma.a, lemma.b};
        step.tail = ")";
        s.queue.push_back(
            add_simple_step(s, std::move(step), algebra_.at_least_zero(std::move(lemma.poly))));
    }
    return added > 0;
}

// n * i - n * q, for an n that is in all of it: i - q is left.
bool Search::drop_common_factor(Poly& p) {
    if (p.terms.size() < 2 || p.constant != 0) return false;
    std::vector<AtomId> common = algebra_.factors(p.terms[0].first);
    for (const auto& [m, c] : p.terms) {
        const std::vector<AtomId>& of = algebra_.factors(m);
        std::vector<AtomId> both;
        std::set_intersection(common.begin(), common.end(), of.begin(), of.end(),
                              std::back_inserter(both));
        common = std::move(both);
    }
    if (common.empty()) return false;
    Poly out;
    for (const auto& [m, c] : p.terms) {
        std::vector<AtomId> rest = algebra_.factors(m);
        rest.erase(std::find(rest.begin(), rest.end(), common[0]));
        if (rest.empty()) {
            out.constant = add(out.constant, c);
        } else {
            out.terms.emplace_back(algebra_.monomial(std::move(rest)), c);
        }
    }
    std::sort(out.terms.begin(), out.terms.end());
    p = std::move(out);
    return true;
}

// n * (i - q) + ...: the sign of i - q, where it is not known. Differences before single unknowns.
std::optional<Poly> Search::cofactor_split(Scope& s) {
    std::vector<Poly> forms[2];
    for (FactId f : s.arithmetic) {
        const Poly p = formula(f).poly;
        if (p.terms.size() > 12) continue;
        std::set<AtomId> factors;
        for (const auto& [m, c] : p.terms) {
            const std::vector<AtomId>& of = algebra_.factors(m);
            if (of.size() > 1) factors.insert(of.begin(), of.end());
        }
        for (AtomId n : factors) {
            Poly part;
            for (const auto& [m, c] : p.terms) {
                std::vector<AtomId> rest = algebra_.factors(m);
                const auto at = std::find(rest.begin(), rest.end(), n);
                if (at == rest.end()) continue;
                rest.erase(at);
                if (rest.empty()) {
                    part.constant = add(part.constant, c);
                } else {
                    part.terms.emplace_back(algebra_.monomial(std::move(rest)), c);
                }
            }
            std::sort(part.terms.begin(), part.terms.end());
            while (signs_first_ && drop_common_factor(part)) {
            }
            forms[part.terms.size() > 1 ? 0 : 1].push_back(std::move(part));
        }
    }
    int tried = 0;
    for (const std::vector<Poly>& list : forms) {
        for (const Poly& part : list) {
            for (const Int128 side : {Int128{-1}, Int128{0}}) {  // d >= 1; d >= 0
                Poly d = scaled(part, 1, side);
                if (!s.sign_splits.insert({algebra_.text(d), side}).second) continue;
                if (++tried > 24) return std::nullopt;
                // A sign that follows becomes a fact: products can then be made of it.
                const bool primitive = d.content() == 1;
                std::optional<FactId> known;
                if (primitive) known = bound_above(s, d, -1);
                if (primitive && !known) known = bound_above(s, scaled(d, -1), 0);
                if (known) s.queue.push_back(*known);
                if (known || is_impossible(d) || is_impossible(scaled(d, -1, -1))) continue;
                if (s.queue.empty()) return d;
                s.sign_splits.erase({algebra_.text(d), side});
            }
        }
    }
    return std::nullopt;
}

Search::Application Search::application(AtomId a) const {
    const Atom& atom = algebra_.atom(a);
    if (atom.kind == Atom::Kind::Opaque) {
        const Term& t = algebra_.terms().at(atom.term);
        return {algebra_.text(a), "f" + std::to_string(t.symbol), t.args};
    }
    return {algebra_.text(a), atom.kind == Atom::Kind::Div ? "div" : "mod", atom.args};
}

bool Search::model_agrees(const Scope& s, const Application& a, const Application& b) {
    if (a.function != b.function || a.args.size() != b.args.size() || a.text == b.text) {
        return false;
    }
    for (std::size_t i = 0; i < a.args.size(); ++i) {
        if (algebra_.same(a.args[i], b.args[i])) continue;
        if (algebra_.terms().at(a.args[i]).sort != Sort::Int) return false;
        if (!(value(s, algebra_.poly(a.args[i])) == value(s, algebra_.poly(b.args[i]))))
            return false;
    }
    return true;
}

void Search::add_congruence(Scope& s, const Application& a, const Application& b,
                            FormulaId conclusion) {
    std::vector<FormulaId> parts;
    for (std::size_t i = 0; i < a.args.size(); ++i) {
        parts.push_back(algebra_.equality(a.args[i], b.args[i], false));
    }
    parts.push_back(conclusion);
    Step step;
    step.head = "(congr " + a.text + " " + b.text;
    step.tail = ")";
    s.queue.push_back(add_simple_step(s, std::move(step), algebra_.any(std::move(parts))));
}

bool Search::add_congruences(Scope& s) {
    const std::size_t before = s.queue.size();
    std::vector<AtomId> atoms = s.applications;
    for (AtomId a : s.known) {
        const Atom::Kind kind = algebra_.atom(a).kind;
        if (kind != Atom::Kind::Div && kind != Atom::Kind::Mod) continue;
        if (!algebra_.poly(algebra_.atom(a).args[1]).is_constant()) atoms.push_back(a);
    }
    if (atoms.size() > 64) return false;
    for (std::size_t i = 0; i < atoms.size(); ++i) {
        for (std::size_t j = i + 1; j < atoms.size(); ++j) {
            const MonomialId x = algebra_.monomial({atoms[i]});
            const MonomialId y = algebra_.monomial({atoms[j]});
            work_.spend(4);
            if (value(s, x) == value(s, y)) continue;
            const Application a = application(atoms[i]);
            const Application b = application(atoms[j]);
            if (!model_agrees(s, a, b) || !s.congruent.insert({a.text, b.text}).second) continue;
            const Poly difference =
                combine(algebra_.monomial_poly(x), 1, algebra_.monomial_poly(y), -1);
            add_congruence(s, a, b, algebra_.zero(difference));
        }
    }
    return s.queue.size() > before;
}

}  // namespace proviso::analysis::certificate
