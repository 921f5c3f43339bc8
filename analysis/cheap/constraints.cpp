// The arithmetic part of what is known: intervals of atoms, linear constraints, atoms replaced by
// forms. The search for a contradiction among them is in contradictions.cpp.
#include <algorithm>

#include "analysis/cheap/knowledge.h"
#include "analysis/cheap/products.h"

namespace proviso::analysis::cheap {

namespace {

constexpr Int128 kLargestFactor = Int128{1} << 100;

}  // namespace

// --- intervals

Interval Knowledge::bounds_of_atom(int atom) const {
    const auto index = static_cast<std::size_t>(atom);
    const Atom& a = q_->atoms[atom];
    Interval out = index < bounds_.size() ? intersect(bounds_[index], a.range) : a.range;
    if (a.kind != Atom::Kind::Product) return out;
    Interval made{1, 1};
    for (std::size_t i = 0; i < a.factors.size(); ++i) {
        const Interval b = bounds_of_atom(a.factors[i]);
        const bool twice = i + 1 < a.factors.size() && a.factors[i + 1] == a.factors[i];
        made = product(made, twice ? square(b) : b);
        if (twice) ++i;
    }
    return intersect(out, made);
}

Interval Knowledge::bounds_of(const Form& form) const {
    Interval out{form.constant, form.constant};
    for (const Term& t : form.terms) {
        out = sum(out, scaled(bounds_of_atom(t.atom), t.factor));
        if (!out.lo && !out.hi) break;
    }
    return out;
}

void Knowledge::narrow(int atom, const Interval& to, Method how) {
    const Interval before = bounds_of_atom(atom);
    const Interval after = intersect(before, to);
    if (after.lo == before.lo && after.hi == before.hi) return;
    const auto index = static_cast<std::size_t>(atom);
    if (bounds_.size() <= index) bounds_.resize(index + 1);
    bounds_[index] = after;
    // Ends about as far as those of types move others by as little as they were moved, again and
    // again: elimination looks at them, once.
    constexpr Int128 far = Int128{1} << 30;
    const bool near_lo = after.lo != before.lo && -far <= *after.lo && *after.lo <= far;
    const bool near_hi = after.hi != before.hi && -far <= *after.hi && *after.hi <= far;
    if (near_lo || near_hi) narrowed_.push_back(atom);
    if (sealed_) fresh_atoms_.push_back(atom);
    if (after.is_empty()) contradict(how);
}

// Narrows every atom of `constraint >= 0` by what the others allow.
void Knowledge::tighten(const Form& constraint) {
    // The most that all terms give, those without an end counted apart.
    Int128 most = constraint.constant;
    int endless = 0;
    boost::container::small_vector<std::optional<Int128>, 8> parts;
    for (const Term& t : constraint.terms) {
        parts.push_back(scaled(bounds_of_atom(t.atom), t.factor).hi);
        if (!parts.back())
            ++endless;
        else if (__builtin_add_overflow(most, *parts.back(), &most))
            return;
    }
    if (endless > 1) return;
    for (std::size_t i = 0; i < parts.size() && !contradiction_; ++i) {
        if (endless == 1 && parts[i]) continue;
        // factor * atom >= -(the most that the others give)
        Int128 others = most;
        if (parts[i] && __builtin_sub_overflow(most, *parts[i], &others)) continue;
        const Term& t = constraint.terms[i];
        Interval to;
        if (t.factor > 0)
            to.lo = ceil_div(checked_neg(others), t.factor);
        else
            to.hi = floor_div(others, checked_neg(t.factor));
        narrow(t.atom, to, Method::Interval);
    }
}

// --- atoms and their own constraints

bool Knowledge::mark_live(int atom) {
    const auto index = static_cast<std::size_t>(atom);
    if (live_.size() <= index) live_.resize(index + 1, false);
    const bool before = live_[index];
    live_[index] = true;
    return before;
}

// An atom's own constraints, once it occurs in what is assumed.
void Knowledge::enliven(int atom) {
    if (mark_live(atom)) return;
    const Atom::Kind kind = q_->atoms[atom].kind;
    if (kind == Atom::Kind::Product) {
        const std::vector<int> factors = q_->atoms[atom].factors;
        for (const int f : factors) enliven(f);
        return;
    }
    if (kind != Atom::Kind::Quotient && kind != Atom::Kind::Ratio) return;
    const Deeper deeper(*q_);
    // 0 <= numerator - divisor * atom <= divisor - 1
    const Form divisor = kind == Atom::Kind::Quotient ? Form::of_constant(q_->atoms[atom].divisor)
                                                      : resolved(Form(q_->atoms[atom].denominator));
    Form rest = resolved(Form(q_->atoms[atom].numerator));
    rest.add(multiplied(q_->atoms, divisor, Form::of_atom(atom)), -1);
    Form above = difference(divisor, rest);
    above.constant = checked_add(above.constant, -1);
    assume_ge(rest);
    assume_ge(above);
}

void Knowledge::enliven(const Form& form) {
    for (const Term& t : form.terms) enliven(t.atom);
}

bool Knowledge::is_replaced(int atom) const {
    const auto index = static_cast<std::size_t>(atom);
    if (index < bounds_.size() && bounds_[index].is_point()) return true;
    return !defined_.empty() && defined_.count(atom) != 0;
}

bool Knowledge::can_be_resolved(int atom) const {
    if (is_replaced(atom)) return true;
    const Atom& a = q_->atoms[atom];
    if (a.kind != Atom::Kind::Product) return false;
    return std::any_of(a.factors.begin(), a.factors.end(), [&](int f) { return is_replaced(f); });
}

Form Knowledge::value_of(int atom) {
    const auto index = static_cast<std::size_t>(atom);
    if (index < bounds_.size() && bounds_[index].is_point()) {
        return Form::of_constant(*bounds_[index].lo);
    }
    const auto at = defined_.find(atom);
    if (at != defined_.end()) return at->second;
    if (q_->atoms[atom].kind != Atom::Kind::Product) return Form::of_atom(atom);
    const std::vector<int> factors = q_->atoms[atom].factors;
    Form out = Form::of_constant(1);
    for (const int f : factors) {
        out = multiplied(q_->atoms, out, is_replaced(f) ? value_of(f) : Form::of_atom(f));
    }
    return out;
}

// With every replaced atom replaced. What replaces one atom was resolved when the atom was defined,
// so each round replaces atoms defined later.
Form Knowledge::resolved(const Form& form) {
    const auto next = [this](const Form& f) {
        return std::find_if(f.terms.begin(), f.terms.end(),
                            [this](const Term& t) { return can_be_resolved(t.atom); });
    };
    auto at = next(form);
    if (at == form.terms.end()) return form;
    Form out = form;
    constexpr int most_rounds = 20'000;
    for (int round = 0; round < most_rounds; ++round) {
        at = next(out);
        if (at == out.terms.end()) return out;
        const Term t = *at;
        const Form value = value_of(t.atom);
        out.add_atom(t.atom, checked_neg(t.factor));
        out.add(value, t.factor);
    }
    throw GiveUp{};
}

// --- constraints

// The constraint with the same terms (sign 1) or their opposites (sign -1), or -1.
int Knowledge::constraint_like(const Form& form, int sign) const {
    const std::uint32_t hash = hash_of_terms(form, sign);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
        if (hashes_[i] != hash) continue;
        const bool like =
            sign > 0 ? same_terms(constraints_[i], form) : opposite_terms(constraints_[i], form);
        if (like) return static_cast<int>(i);
    }
    return -1;
}

bool Knowledge::known_ge(const Form& given) const {
    if (bounds_of(given).at_least(0)) return true;
    if (given.terms.size() < 2) return false;
    Form form = given;
    const Int128 g = form.content();
    if (g > 1) {
        for (Term& t : form.terms) t.factor /= g;
        form.constant = floor_div(form.constant, g);
    }
    const int like = constraint_like(form, 1);
    return like >= 0 && constraints_[static_cast<std::size_t>(like)].constant <= form.constant;
}

// False when nothing is new.
bool Knowledge::add_constraint(const Form& form) {
    const int like = constraint_like(form, 1);
    auto index = static_cast<std::size_t>(like);
    if (like >= 0) {
        if (constraints_[index].constant <= form.constant) return false;
        constraints_[index].constant = form.constant;
        fresh_[index] = sealed_ ? 1 : 0;
    } else {
        index = constraints_.size();
        constraints_.push_back(form);
        hashes_.push_back(hash_of_terms(form));
        fresh_.push_back(sealed_ ? 1 : 0);
    }
    untightened_.push_back(static_cast<int>(index));
    return true;
}

void Knowledge::assume_ge(const Form& given) {
    if (contradiction_) return;
    q_->step();
    Form form = resolved(given);
    const Int128 g = form.content();
    if (g == 0) {
        if (form.constant < 0) contradict(Method::Interval);
        return;
    }
    if (g > 1) {
        for (Term& t : form.terms) t.factor /= g;
        form.constant = floor_div(form.constant, g);
    }
    for (const Term& t : form.terms) {
        if (t.factor > kLargestFactor || t.factor < -kLargestFactor) return;
    }
    if (form.terms.size() == 1) {
        const Term t = form.terms[0];  // factor is 1 or -1
        Interval to;
        if (t.factor > 0)
            to.lo = checked_neg(form.constant);
        else
            to.hi = form.constant;
        narrow(t.atom, to, Method::Interval);
        if (!contradiction_) enliven(form);
        return;
    }
    if (bounds_of(form).at_least(0) || !add_constraint(form)) {
        enliven(form);
        return;
    }
    tighten(form);
    if (contradiction_) return;
    // With its opposite there already, the two say equal or contradict each other.
    const int opposite = constraint_like(form, -1);
    if (opposite >= 0) {
        const Int128 room =
            checked_add(constraints_[static_cast<std::size_t>(opposite)].constant, form.constant);
        if (room < 0) {
            contradict(Method::Linear);
            return;
        }
        if (room == 0 && replaceable_in(form) >= 0) {
            assume_eq(form);
            return;
        }
    }
    enliven(form);
}

// An atom that the equation form = 0 may replace: alone in its product, no part of another.
int Knowledge::replaceable_in(const Form& form) const {
    int chosen = -1;
    for (const Term& t : form.terms) {
        if (t.factor != 1 && t.factor != -1) continue;
        const Atom::Kind kind = q_->atoms[t.atom].kind;
        if (kind != Atom::Kind::Variable && kind != Atom::Kind::Node) continue;
        const bool elsewhere =
            std::any_of(form.terms.begin(), form.terms.end(), [&](const Term& u) {
                const Atom& a = q_->atoms[u.atom];
                return a.kind == Atom::Kind::Product &&
                       std::find(a.factors.begin(), a.factors.end(), t.atom) != a.factors.end();
            });
        if (!elsewhere && chosen < 0) chosen = t.atom;
    }
    return chosen;
}

void Knowledge::assume_eq(const Form& given, int preferred) {
    if (contradiction_) return;
    q_->step();
    Form form = resolved(given);
    const Int128 g = form.content();
    if (g == 0) {
        if (form.constant != 0) contradict(Method::Interval);
        return;
    }
    if (form.constant % g != 0) {
        contradict(Method::Congruence);
        return;
    }
    if (g > 1) {
        for (Term& t : form.terms) t.factor /= g;
        form.constant /= g;
    }
    int chosen = replaceable_in(form);
    const Int128 wanted = preferred < 0 ? 0 : form.factor_of(preferred);
    if (chosen >= 0 && (wanted == 1 || wanted == -1)) {
        Form only = form;
        only.terms.erase(std::remove_if(only.terms.begin(), only.terms.end(),
                                        [&](const Term& t) {
                                            return t.atom != preferred &&
                                                   q_->atoms[t.atom].kind != Atom::Kind::Product;
                                        }),
                         only.terms.end());
        if (replaceable_in(only) == preferred) chosen = preferred;
    }
    if (chosen < 0) {
        assume_ge(form);
        assume_ge(scaled(form, -1));
        return;
    }
    // chosen := -(form - factor * chosen) / factor
    const Int128 factor = form.factor_of(chosen);
    Form value = form;
    value.add_atom(chosen, checked_neg(factor));
    value = scaled(value, checked_neg(factor));
    const Interval bounds = bounds_of_atom(chosen);
    defined_.emplace(chosen, value);
    forget_terms();
    replace_in_constraints(chosen);
    enliven(value);
    if (bounds.lo) {
        Form above = value;
        above.constant = checked_add(above.constant, checked_neg(*bounds.lo));
        assume_ge(above);
    }
    if (bounds.hi) {
        Form below = scaled(value, -1);
        below.constant = checked_add(below.constant, *bounds.hi);
        assume_ge(below);
    }
}

// Constraints that speak of `atom`, directly or in a product, are assumed anew.
void Knowledge::replace_in_constraints(int atom) {
    const auto speaks = [&](const Form& f) {
        return std::any_of(f.terms.begin(), f.terms.end(), [&](const Term& t) {
            if (t.atom == atom) return true;
            const Atom& a = q_->atoms[t.atom];
            return a.kind == Atom::Kind::Product &&
                   std::find(a.factors.begin(), a.factors.end(), atom) != a.factors.end();
        });
    };
    std::vector<Form> again;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
        if (speaks(constraints_[i])) {
            again.push_back(std::move(constraints_[i]));
            continue;
        }
        if (kept != i) {
            constraints_[kept] = std::move(constraints_[i]);
            hashes_[kept] = hashes_[i];
            fresh_[kept] = fresh_[i];
        }
        ++kept;
    }
    if (again.empty()) return;
    constraints_.resize(kept);
    hashes_.resize(kept);
    fresh_.resize(kept);
    untightened_.clear();
    for (std::size_t i = 0; i < kept; ++i) untightened_.push_back(static_cast<int>(i));
    for (const Form& f : again) assume_ge(f);
}

}  // namespace proviso::analysis::cheap
