#include "analysis/regions/conjunction.h"

#include <algorithm>

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

Integer common_factor(const Affine& form) {
    Integer out = 0;
    for (const auto& [term, factor] : form.terms()) out = gcd(out, factor);
    return out;
}

// The form with its terms divided and with this constant.
Affine divided(const Affine& form, const Integer& by, const Integer& constant) {
    Affine out = constant;
    for (const auto& [term, factor] : form.terms())
        out.add(Affine::term(term, floordiv(factor, by)));
    return out;
}

// The terms, with the first one positive.
bool leads_negative(const Affine& form) {
    return !form.terms().empty() && form.terms()[0].second.sign() < 0;
}

// a - b is a number: the forms are parallel.
std::optional<Integer> apart(const Affine& a, const Affine& b) {
    if (a.terms() != b.terms()) return std::nullopt;
    return a.constant() - b.constant();
}

}  // namespace

Conjunction& Conjunction::equal(Affine form) {
    const Integer g = common_factor(form);
    if (g.is_zero()) {
        contradictory_ = contradictory_ || !form.constant().is_zero();
        return *this;
    }
    if (!floormod(form.constant(), g).is_zero()) {
        contradictory_ = true;
        return *this;
    }
    form = divided(form, g, floordiv(form.constant(), g));
    if (leads_negative(form)) form = form * Integer(-1);
    for (const Affine& e : equal_) {
        if (const auto gap = apart(e, form)) {
            contradictory_ = contradictory_ || !gap->is_zero();
            return *this;
        }
    }
    std::vector<Affine> kept;
    const Affine negative = form * Integer(-1);
    for (const Affine& other : at_least_) {  // parallel ones are decided by the equality
        const auto along = apart(other, form);
        const auto against = apart(other, negative);
        if (!along && !against) {
            kept.push_back(other);
        } else if ((along ? *along : *against).sign() < 0) {
            contradictory_ = true;
        }
    }
    at_least_ = std::move(kept);
    equal_.push_back(std::move(form));
    return *this;
}

Conjunction& Conjunction::at_least(Affine form) {
    const Integer g = common_factor(form);
    if (g.is_zero()) {
        contradictory_ = contradictory_ || form.constant().sign() < 0;
        return *this;
    }
    form = divided(form, g, floordiv(form.constant(), g));
    const Affine negative = form * Integer(-1);
    for (const Affine& e : equal_) {
        if (const auto along = apart(form, e)) {
            contradictory_ = contradictory_ || along->sign() < 0;
            return *this;
        }
        if (const auto against = apart(negative, e)) {
            contradictory_ = contradictory_ || against->sign() > 0;
            return *this;
        }
    }
    for (std::size_t k = 0; k < at_least_.size(); ++k) {
        if (const auto against = apart(at_least_[k], negative)) {
            // other >= 0 and form >= 0, where other + form is a number
            const Integer sum = at_least_[k].constant() + form.constant();
            if (sum.sign() < 0) {
                contradictory_ = true;
                return *this;
            }
            if (sum.is_zero()) {
                at_least_.erase(at_least_.begin() + static_cast<std::ptrdiff_t>(k));
                return equal(form);
            }
        }
    }
    for (Affine& other : at_least_) {
        if (const auto gap = apart(other, form)) {
            if (gap->sign() > 0) other = form;
            return *this;
        }
    }
    at_least_.push_back(std::move(form));
    return *this;
}

Conjunction& Conjunction::congruent(Affine form, Integer modulus) {
    modulus = abs(modulus);
    if (modulus.is_zero()) return equal(std::move(form));
    Affine reduced = floormod(form.constant(), modulus);
    for (const auto& [term, factor] : form.terms()) {
        reduced.add(Affine::term(term, floormod(factor, modulus)));
    }
    const Integer g = gcd(common_factor(reduced), modulus);
    if (!floormod(reduced.constant(), g).is_zero()) {
        contradictory_ = true;
        return *this;
    }
    reduced = divided(reduced, g, floordiv(reduced.constant(), g));
    modulus = floordiv(modulus, g);
    if (modulus == 1) return *this;
    const Congruence c{std::move(reduced), std::move(modulus)};
    if (std::find(congruent_.begin(), congruent_.end(), c) == congruent_.end()) {
        congruent_.push_back(c);
    }
    return *this;
}

Conjunction& Conjunction::add(const Conjunction& other) {
    contradictory_ = contradictory_ || other.contradictory_;
    for (const Affine& e : other.equal_) equal(e);
    for (const Affine& e : other.at_least_) at_least(e);
    for (const Congruence& c : other.congruent_) congruent(c.form, c.modulus);
    return *this;
}

bool Conjunction::mentions(Expr variable) const {
    const auto within = [&](const Affine& form) { return !form.factor_of(variable).is_zero(); };
    return std::any_of(equal_.begin(), equal_.end(), within) ||
           std::any_of(at_least_.begin(), at_least_.end(), within) ||
           std::any_of(congruent_.begin(), congruent_.end(),
                       [&](const Congruence& c) { return within(c.form); });
}

std::vector<Expr> Conjunction::variables() const {
    std::vector<Expr> out;
    const auto collect = [&](const Affine& form) {
        for (const auto& [term, factor] : form.terms()) {
            if (std::find(out.begin(), out.end(), term) == out.end()) out.push_back(term);
        }
    };
    for (const Affine& e : equal_) collect(e);
    for (const Affine& e : at_least_) collect(e);
    for (const Congruence& c : congruent_) collect(c.form);
    return out;
}

Conjunction Conjunction::mapped(const std::function<Affine(const Affine&)>& f) const {
    Conjunction out;
    out.contradictory_ = contradictory_;
    for (const Affine& e : equal_) out.equal(f(e));
    for (const Affine& e : at_least_) out.at_least(f(e));
    for (const Congruence& c : congruent_) out.congruent(f(c.form), c.modulus);
    return out;
}

Conjunction Conjunction::substituted(Expr variable, const Affine& value) const {
    return mapped([&](const Affine& form) {
        const Integer factor = form.factor_of(variable);
        return factor.is_zero() ? form : form.without(variable) + value * factor;
    });
}

std::vector<Conjunction> Conjunction::single() const {
    std::vector<Conjunction> out;
    if (contradictory_) {
        out.emplace_back();
        out.back().contradictory_ = true;
        return out;
    }
    for (const Affine& e : equal_) {
        out.push_back(Conjunction().at_least(e));
        out.push_back(Conjunction().at_least(e * Integer(-1)));
    }
    for (const Affine& e : at_least_) out.push_back(Conjunction().at_least(e));
    for (const Congruence& c : congruent_) {
        out.push_back(Conjunction().congruent(c.form, c.modulus));
    }
    return out;
}

Expr Conjunction::formula(ir::Context& ctx, ir::ScalarType type) const {
    if (contradictory_) return ctx.false_();
    std::vector<Expr> all;
    bool fits = true;
    // Positive parts on the right: a constraint reads as `0 <= p0`, `p0 <= n - 1`.
    const auto side = [&](const Affine& form, int sign) {
        Affine part = form.constant().sign() == sign ? Affine(abs(form.constant())) : Affine(0);
        for (const auto& [term, factor] : form.terms()) {
            if (factor.sign() == sign) part.add(Affine::term(term, abs(factor)));
        }
        Expr e = part.expr(ctx, type);
        fits = fits && e != nullptr;
        return e;
    };
    const auto compare = [&](const Affine& form, bool equality) {
        // v < n, not v + 1 <= n.
        const bool strict = !equality && form.constant() == Integer(-1) && form.terms().size() > 1;
        if (strict) {
            const Affine rest = form + Affine(1);
            Expr left = side(rest, -1);
            Expr right = side(rest, 1);
            if (fits) all.push_back(ctx.lt(left, right));
            return;
        }
        Expr left = side(form, -1);
        Expr right = side(form, 1);
        if (!fits) return;
        all.push_back(equality ? ctx.eq(right, left) : ctx.le(left, right));
    };
    for (const Affine& e : equal_) compare(e, true);
    for (const Affine& e : at_least_) compare(e, false);
    for (const Congruence& c : congruent_) {
        // p0 - 1, not 4 * p0 + 6, where both are so modulo 5.
        Affine turned;
        for (const auto& [term, factor] : c.form.terms()) {
            const Integer least = floormod(factor, c.modulus);
            turned.add(Affine::term(term, c.modulus < least + least ? least - c.modulus : least));
        }
        const bool falls = !turned.is_constant() && turned.terms().front().second.sign() < 0;
        if (falls) turned = turned * Integer(-1);
        const Integer constant = falls ? -c.form.constant() : c.form.constant();
        turned.add(Affine(-floormod(-constant, c.modulus)));
        Expr form = turned.expr(ctx, type);
        fits = fits && form != nullptr && c.modulus.in_range(type);
        if (!fits) break;
        Expr modulus = ctx.int_imm(type, *c.modulus.to_int128());
        all.push_back(ctx.eq(ctx.floormod(form, modulus), ctx.int_imm(type, 0)));
    }
    return fits ? ctx.all_of(all) : nullptr;
}

std::optional<std::vector<Conjunction>> negated(const Conjunction& single) {
    constexpr int most_residues = 16;
    if (single.contradictory()) return std::vector<Conjunction>{Conjunction()};
    std::vector<Conjunction> out;
    for (const Affine& e : single.inequalities()) {
        out.push_back(Conjunction().at_least(e * Integer(-1) - Affine(1)));
    }
    for (const Affine& e : single.equalities()) {
        out.push_back(Conjunction().at_least(e - Affine(1)));
        out.push_back(Conjunction().at_least(e * Integer(-1) - Affine(1)));
    }
    for (const Congruence& c : single.congruences()) {
        if (c.modulus > Integer(most_residues)) return std::nullopt;
        for (Integer r = 1; r < c.modulus; r = r + 1) {
            out.push_back(Conjunction().congruent(c.form - Affine(r), c.modulus));
        }
    }
    return out;
}

ConstantRange constant_range(const Conjunction& c, Expr variable) {
    ConstantRange out;
    const auto use = [&](const Affine& form, bool equality) {
        if (form.terms().size() != 1 || form.terms()[0].first != variable) return;
        const Integer& a = form.terms()[0].second;
        if (a.sign() > 0 || equality) {  // x >= ceil(-k / a)
            const Integer lo =
                a.sign() > 0 ? -floordiv(form.constant(), a) : floordiv(form.constant(), -a);
            if (!out.lo || *out.lo < lo) out.lo = lo;
        }
        if (a.sign() < 0 || equality) {
            const Integer hi =
                a.sign() < 0 ? floordiv(form.constant(), -a) : -floordiv(form.constant(), a);
            if (!out.hi || hi < *out.hi) out.hi = hi;
        }
    };
    for (const Affine& e : c.equalities()) use(e, true);
    for (const Affine& e : c.inequalities()) use(e, false);
    return out;
}

}  // namespace proviso::analysis
