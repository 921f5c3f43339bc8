// Eliminating variables from conjunctions: conjunction.h.
#include <algorithm>

#include "analysis/regions/conjunction.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

constexpr std::size_t kMostConstraints = 80;  // beyond, nothing more is found out
constexpr int kMostChanges = 6;               // of variable, for congruences

// a * b = 1 (mod m), for coprime a and m.
Integer inverse_modulo(const Integer& a, const Integer& m) {
    Integer r0 = m;
    Integer r1 = floormod(a, m);
    Integer t0 = 0;
    Integer t1 = 1;
    while (!r1.is_zero()) {
        const Integer q = floordiv(r0, r1);
        const Integer r2 = r0 - q * r1;
        const Integer t2 = t0 - q * t1;
        r0 = r1;
        r1 = r2;
        t0 = t1;
        t1 = t2;
    }
    return floormod(t0, m);
}

// By an equality a * x + rest == 0, which for |a| > 1 leaves that |a| divides the rest.
Conjunction solved(const Conjunction& c, Expr x, const Affine& equality) {
    const Integer a = equality.factor_of(x);
    const Affine rest = equality.without(x);
    const Integer size = abs(a);
    const Integer sign = a.sign();
    const auto without_x = [&](const Affine& form) {
        const Integer k = form.factor_of(x);
        if (k.is_zero()) return form;
        return form.without(x) * size - rest * (k * sign);
    };
    Conjunction out;
    for (const Affine& e : c.equalities()) {
        if (!(e == equality)) out.equal(without_x(e));
    }
    for (const Affine& e : c.inequalities()) out.at_least(without_x(e));
    for (const Congruence& g : c.congruences()) {
        const bool uses = !g.form.factor_of(x).is_zero();
        out.congruent(without_x(g.form), uses ? g.modulus * size : g.modulus);
    }
    out.congruent(rest, size);
    if (c.contradictory()) out.equal(Affine(1));
    return out;
}

// Constant ends of a form from the constant ends of its terms.
ConstantRange range_of(const Conjunction& c, const Affine& form) {
    ConstantRange out{form.constant(), form.constant()};
    for (const auto& [term, factor] : form.terms()) {
        ConstantRange one = constant_range(c, term);
        if (factor.sign() < 0) std::swap(one.lo, one.hi);
        out.lo = out.lo && one.lo ? std::optional(*out.lo + *one.lo * factor) : std::nullopt;
        out.hi = out.hi && one.hi ? std::optional(*out.hi + *one.hi * factor) : std::nullopt;
    }
    return out;
}

// a * x + g >= 0 with a > 1 as x + g' >= 0, where the part of g that a does not divide is known to
// lie between two neighbouring multiples of a.
std::optional<Affine> unit(const Conjunction& c, const Affine& g, const Integer& a) {
    Affine whole;
    Affine rest;
    for (const auto& [term, factor] : g.terms()) {
        const bool divides = floormod(factor, a).is_zero();
        (divides ? whole : rest).add(Affine::term(term, divides ? floordiv(factor, a) : factor));
    }
    rest.add(Affine(g.constant()));
    const ConstantRange r = range_of(c, rest);
    if (!r.lo || !r.hi || floordiv(*r.lo, a) != floordiv(*r.hi, a)) return std::nullopt;
    return whole + Affine(floordiv(*r.lo, a));
}

struct Bound {
    Integer factor;  // > 0
    Affine rest;     // factor * x + rest >= 0, or rest - factor * x >= 0
};

// Between each lower and upper end there is an integer.
Elimination projected(const Conjunction& c, Expr x, bool decide) {
    Elimination out;
    std::vector<Bound> lowers;
    std::vector<Bound> uppers;
    for (const Affine& e : c.equalities()) out.rest.equal(e);
    for (const Congruence& g : c.congruences()) out.rest.congruent(g.form, g.modulus);
    for (const Affine& e : c.inequalities()) {
        const Integer a = e.factor_of(x);
        if (a.is_zero()) {
            out.rest.at_least(e);
            continue;
        }
        Bound b{abs(a), e.without(x)};
        if (b.factor != 1) {
            if (const auto rest = unit(c, b.rest, b.factor)) b = {1, *rest};
        }
        (a.sign() > 0 ? lowers : uppers).push_back(std::move(b));
    }
    if (c.contradictory()) out.rest.equal(Affine(1));
    const Conjunction around = out.rest;
    for (const Bound& lower : lowers) {
        for (const Bound& upper : uppers) {
            const Affine real = lower.rest * upper.factor + upper.rest * lower.factor;
            const Integer slack = (lower.factor - Integer(1)) * (upper.factor - Integer(1));
            if (!slack.is_zero() && out.exact) {
                // The dark shadow must not differ from the real one.
                const Affine dark = real - Affine(slack);
                Conjunction between = around;
                between.at_least(real);
                out.exact = decide && known_at_least_zero(between, dark);
            }
            out.rest.at_least(real);
            if (out.rest.size() > kMostConstraints) return {around, false};
        }
    }
    return out;
}

}  // namespace

namespace {

// The equality with the smallest factor of x, if any has one.
const Affine* equality_of(const Conjunction& c, Expr x) {
    const Affine* best = nullptr;
    for (const Affine& e : c.equalities()) {
        const Integer a = abs(e.factor_of(x));
        if (!a.is_zero() && (best == nullptr || a < abs(best->factor_of(x)))) best = &e;
    }
    return best;
}

}  // namespace

Elimination eliminated(const Conjunction& c, Expr x, bool decide) {
    Conjunction now = c;
    bool exact = true;
    for (int change = 0;; ++change) {
        if (const Affine* equality = equality_of(now, x)) return {solved(now, x, *equality), exact};
        const auto& all = now.congruences();
        const auto at = std::find_if(all.begin(), all.end(), [&](const Congruence& g) {
            return !g.form.factor_of(x).is_zero();
        });
        if (at == all.end()) break;
        const Integer k = at->form.factor_of(x);
        const Integer m = at->modulus;
        const Affine g = at->form.without(x);
        if (gcd(k, m) == 1 && change < kMostChanges) {
            // x = m * x' - g / k, for any x'.
            now = now.substituted(x, Affine::term(x, m) - g * inverse_modulo(k, m));
            continue;
        }
        // Only what it says modulo the common factor, which does not depend on x.
        Conjunction without;
        for (const Affine& e : now.equalities()) without.equal(e);
        for (const Affine& e : now.inequalities()) without.at_least(e);
        for (const Congruence& other : all) {
            if (&other != &*at) without.congruent(other.form, other.modulus);
        }
        without.congruent(g, gcd(k, m));
        now = std::move(without);
        exact = false;
    }
    Elimination out = projected(now, x, decide);
    out.exact = out.exact && exact;
    return out;
}

bool known_empty(const Conjunction& c) {
    Conjunction now = c;
    // One round a variable: the cheapest first.
    while (!now.contradictory()) {
        Expr best = nullptr;
        std::size_t least = 0;
        for (Expr x : now.variables()) {
            std::size_t lowers = 0;
            std::size_t uppers = 0;
            bool solves = false;
            for (const Affine& e : now.equalities()) solves = solves || !e.factor_of(x).is_zero();
            for (const Affine& e : now.inequalities()) {
                lowers += e.factor_of(x).sign() > 0 ? 1 : 0;
                uppers += e.factor_of(x).sign() < 0 ? 1 : 0;
            }
            const std::size_t cost = solves ? 0 : 1 + lowers * uppers;
            if (best == nullptr || cost < least) {
                best = x;
                least = cost;
            }
        }
        if (best == nullptr || now.size() > kMostConstraints) return false;
        // Exact or not, an empty shadow has an empty set above it.
        Elimination next = eliminated(now, best, false);
        now = std::move(next.rest);
    }
    return true;
}

bool known_at_least_zero(const Conjunction& c, const Affine& form) {
    Conjunction outside = c;
    outside.at_least(form * Integer(-1) - Affine(1));
    return known_empty(outside);
}

namespace {

// 6 * p0 + p1 >= 0, where p1 is one of 0 to 5, as p0 >= 0.
Affine with_unit_factor(const Conjunction& c, const Affine& form) {
    for (const auto& [x, factor] : form.terms()) {
        if (abs(factor) == 1) continue;
        const Affine sign = Affine::term(x, Integer(factor.sign()));
        if (const auto rest = unit(c, form.without(x), abs(factor))) return sign + *rest;
    }
    return form;
}

}  // namespace

Conjunction tidied(const Conjunction& whole, const Conjunction& given) {
    Conjunction c;
    for (const Affine& e : whole.equalities()) c.equal(e);
    for (const Affine& e : whole.inequalities()) c.at_least(with_unit_factor(whole, e));
    for (const Congruence& g : whole.congruences()) c.congruent(g.form, g.modulus);
    if (whole.contradictory()) c.equal(Affine(1));
    std::vector<Affine> kept = c.inequalities();
    const auto rest_without = [&](std::size_t skipped) {
        Conjunction rest = given;
        for (const Affine& e : c.equalities()) rest.equal(e);
        for (const Congruence& g : c.congruences()) rest.congruent(g.form, g.modulus);
        for (std::size_t k = 0; k < kept.size(); ++k) {
            if (k != skipped) rest.at_least(kept[k]);
        }
        return rest;
    };
    for (std::size_t k = kept.size(); k-- > 0;) {
        if (known_at_least_zero(rest_without(k), kept[k])) {
            kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }
    Conjunction out;
    if (c.contradictory()) return out.equal(Affine(1));
    for (const Affine& e : c.equalities()) {
        const bool known =
            known_at_least_zero(given, e) && known_at_least_zero(given, e * Integer(-1));
        if (!known) out.equal(e);
    }
    for (const Affine& e : kept) out.at_least(e);
    for (const Congruence& g : c.congruences()) out.congruent(g.form, g.modulus);
    return out;
}

}  // namespace proviso::analysis
