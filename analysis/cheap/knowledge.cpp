#include "analysis/cheap/knowledge.h"

#include <algorithm>

#include "analysis/cheap/elimination.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::Op;

const char* method_name(Method m) {
    switch (m) {
        case Method::Syntax: return "syntax";
        case Method::Interval: return "interval";
        case Method::Congruence: return "congruence";
        case Method::KnownBits: return "known-bits";
        case Method::Linear: return "linear";
        case Method::FloatClass: return "float-class";
    }
    return "?";
}

void Question::step() {
    if (++steps > kMaxSteps) throw GiveUp{};
}

Knowledge Knowledge::branch() const {
    Knowledge out(*q_);
    out.contradiction_ = contradiction_;
    out.method_ = method_;
    out.bounds_ = bounds_;
    out.live_ = live_;
    out.defined_ = defined_;
    out.constraints_ = constraints_;
    out.truths_ = truths_;
    out.same_ = same_;
    out.open_ = open_;
    out.classes_ = classes_;
    return out;
}

void Knowledge::contradict(Method how) {
    if (!contradiction_) method_ = how;
    contradiction_ = true;
}

// --- intervals and constraints

Interval Knowledge::bounds_of_atom(int atom) const {
    const auto index = static_cast<std::size_t>(atom);
    const Interval& range = q_->atoms[atom].range;
    return index < bounds_.size() ? intersect(bounds_[index], range) : range;
}

Interval Knowledge::bounds_of(const Form& form) {
    Interval out{form.constant, form.constant};
    for (const Term& t : form.terms) out = sum(out, scaled(bounds_of_atom(t.atom), t.factor));
    return out;
}

bool Knowledge::narrow(int atom, const Interval& to, Method how) {
    const Interval before = bounds_of_atom(atom);
    const Interval after = intersect(before, to);
    if (after.lo == before.lo && after.hi == before.hi) return false;
    const auto index = static_cast<std::size_t>(atom);
    if (bounds_.size() <= index) bounds_.resize(index + 1);
    bounds_[index] = after;
    if (after.is_empty()) contradict(how);
    return true;
}

// Narrows every atom of `constraint >= 0` by what the others allow.
bool Knowledge::tighten(const Form& constraint) {
    bool changed = false;
    for (const Term& t : constraint.terms) {
        // factor * atom >= -(constant + most that the others give)
        std::optional<Int128> most = constraint.constant;
        for (const Term& u : constraint.terms) {
            if (u.atom == t.atom || !most) continue;
            const Interval part = scaled(bounds_of_atom(u.atom), u.factor);
            most = part.hi ? std::optional<Int128>(checked_add(*most, *part.hi)) : std::nullopt;
        }
        if (!most) continue;
        const Int128 least = checked_neg(*most);
        Interval to;
        if (t.factor > 0)
            to.lo = ceil_div(least, t.factor);
        else
            to.hi = floor_div(*most, checked_neg(t.factor));
        changed |= narrow(t.atom, to, Method::Interval);
        if (contradiction_) return true;
    }
    return changed;
}

// An atom's own constraints, once it occurs in what is assumed.
void Knowledge::enliven(int atom) {
    const auto index = static_cast<std::size_t>(atom);
    if (index < live_.size() && live_[index]) return;
    if (live_.size() <= index) live_.resize(index + 1, false);
    live_[index] = true;
    const Atom& a = q_->atoms[atom];
    if (a.kind == Atom::Kind::Quotient) {
        // 0 <= numerator - divisor * atom <= divisor - 1
        const Int128 divisor = a.divisor;
        Form rest = resolved(a.numerator);
        rest.add(Form::of_atom(atom), checked_neg(divisor));
        Form above = scaled(rest, -1);
        above.constant = checked_add(above.constant, divisor - 1);
        assume_ge(rest);
        assume_ge(above);
    } else if (a.kind == Atom::Kind::Product) {
        const Interval both = cheap::product(bounds_of_atom(a.left), bounds_of_atom(a.right));
        narrow(atom, both, Method::Interval);
    }
}

void Knowledge::enliven(const Form& form) {
    for (const Term& t : form.terms) enliven(t.atom);
}

Form Knowledge::resolved(const Form& form) const {
    if (defined_.empty()) return form;
    Form out = form;
    for (bool again = true; again;) {
        again = false;
        for (const Term& t : out.terms) {
            const auto at = defined_.find(t.atom);
            if (at == defined_.end()) continue;
            const Int128 factor = t.factor;
            out.add(Form::of_atom(at->first), checked_neg(factor));
            out.add(at->second, factor);
            again = true;
            break;
        }
    }
    return out;
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
    if (form.terms.size() == 1) {
        const Term t = form.terms[0];  // factor is 1 or -1
        Interval to;
        if (t.factor > 0)
            to.lo = checked_neg(form.constant);
        else
            to.hi = form.constant;
        narrow(t.atom, to, Method::Interval);
    } else if (std::find(constraints_.begin(), constraints_.end(), form) == constraints_.end()) {
        constraints_.push_back(form);
        tighten(form);
    }
    enliven(form);
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
    for (Term& t : form.terms) t.factor /= g;
    form.constant /= g;
    int chosen = -1;
    for (const Term& t : form.terms) {
        if (t.factor != 1 && t.factor != -1) continue;
        const Atom::Kind kind = q_->atoms[t.atom].kind;
        if (kind == Atom::Kind::Quotient || kind == Atom::Kind::Product) continue;
        if (chosen < 0 || t.atom == preferred) chosen = t.atom;
    }
    if (chosen < 0) {
        assume_ge(form);
        assume_ge(scaled(form, -1));
        return;
    }
    // chosen := -(form - factor * chosen) / factor
    const Int128 factor = form.factor_of(chosen);
    Form value = form;
    value.add(Form::of_atom(chosen), checked_neg(factor));
    value = scaled(value, checked_neg(factor));
    const Interval bounds = bounds_of_atom(chosen);
    defined_.emplace(chosen, value);
    forms_.clear();
    numbers_.clear();
    const std::vector<Form> old = std::move(constraints_);
    constraints_.clear();
    for (const Form& c : old) assume_ge(c);
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

void Knowledge::propagate() {
    constexpr int rounds = 3;
    for (int round = 0; round < rounds && !contradiction_; ++round) {
        bool changed = settle_open();
        for (std::size_t i = 0; i < constraints_.size() && !contradiction_; ++i) {
            q_->step();
            const Form constraint = constraints_[i];  // settling may add to the list
            changed |= tighten(constraint);
        }
        if (!changed) return;
    }
}

void Knowledge::eliminate() {
    if (contradiction_ || constraints_.empty()) return;
    std::vector<Form> all = constraints_;
    add_products(q_->atoms, [this](int a) { return bounds_of_atom(a); }, all);
    add_rounded([this](int a) { return bounds_of_atom(a); }, all);
    if (infeasible(all, [this](int a) { return bounds_of_atom(a); })) contradict(Method::Linear);
}

// --- claims

void Knowledge::assume(const Conjunction& conjunction) {
    for (const auto& part : conjunction) {
        if (const Literal* l = std::get_if<Literal>(&part)) {
            assume(l->claim, l->positive);
        } else {
            const FormClaim& f = std::get<FormClaim>(part);
            if (f.equality)
                assume_eq(f.form);
            else
                assume_ge(f.form);
        }
    }
}

void Knowledge::assume(Expr claim, bool positive) {
    if (contradiction_) return;
    q_->step();
    switch (claim->op) {
        case Op::IntImm:
            if ((claim->bits != 0) != positive) contradict(Method::Syntax);
            return;
        case Op::Not: assume(claim->arg(0), !positive); return;
        case Op::And:
        case Op::Or:
            if ((claim->op == Op::And) == positive) {
                assume(claim->arg(0), positive);
                assume(claim->arg(1), positive);
            } else {
                open({{Literal{claim->arg(0), positive}}, {Literal{claim->arg(1), positive}}});
            }
            return;
        case Op::Select:
        case Op::IfThenElse: {
            const Expr c = claim->arg(0);
            open({{Literal{c, true}, Literal{claim->arg(1), positive}},
                  {Literal{c, false}, Literal{claim->arg(2), positive}}});
            return;
        }
        case Op::Lt:
        case Op::Le:
            if (claim->arg(0)->type.is_exact_int())
                assume_comparison(claim, positive);
            else
                assume_literal(claim, positive);
            return;
        case Op::Eq:
        case Op::Ne:
        case Op::Same: assume_equality(claim, positive != (claim->op == Op::Ne)); return;
        default: assume_literal(claim, positive);
    }
}

void Knowledge::assume_comparison(Expr claim, bool positive) {
    // a < b: b - a - 1 >= 0.  a <= b: b - a >= 0.  Not a < b: a - b >= 0.
    Form gap = difference(form_of(claim->arg(1)), form_of(claim->arg(0)));
    if (!positive) gap = scaled(gap, -1);
    const bool strict = (claim->op == Op::Lt) == positive;
    if (strict) gap.constant = checked_add(gap.constant, -1);
    assume_ge(gap);
}

void Knowledge::assume_equality(Expr claim, bool positive) {
    const Expr a = claim->arg(0);
    const Expr b = claim->arg(1);
    if (a->type.is_exact_int()) {
        const Form fa = form_of(a);
        const Form gap = difference(form_of(b), fa);
        if (positive) {
            // Best replace a variable that stands alone.
            int alone = a->op == Op::Var ? fa.as_atom() : -1;
            if (alone < 0 && b->op == Op::Var) alone = form_of(b).as_atom();
            assume_eq(gap, alone);
            return;
        }
        if (gap.is_constant() && gap.constant == 0) contradict(Method::Syntax);
        if (gap.is_constant() || gap.constant % gap.content() != 0) return;
        Form above = gap;
        above.constant = checked_add(above.constant, -1);
        Form below = scaled(gap, -1);
        below.constant = checked_add(below.constant, -1);
        open({{FormClaim{above, false}}, {FormClaim{below, false}}});
        return;
    }
    if (a->type.is_bool()) {
        open(
            {{Literal{a, true}, Literal{b, positive}}, {Literal{a, false}, Literal{b, !positive}}});
        return;
    }
    const int na = number_of(a);
    const int nb = number_of(b);
    // A value that is no NaN equals itself.
    const bool identity = claim->op == Op::Same || a->type.is_wrapping_int();
    const bool reflexive = identity || (class_of(a) & ir::FloatClass::kNan) == 0;
    if (reflexive && na == nb) {
        if (!positive) contradict(identity ? Method::Syntax : Method::FloatClass);
        return;
    }
    const auto is_constant = [&](int n) {
        return q_->atoms[n].expr != nullptr && ir::is_const(q_->atoms[n].expr);
    };
    if (identity && is_constant(na) && is_constant(nb)) {
        if (positive) contradict(Method::Syntax);
        return;
    }
    assume_literal(claim, claim->op == Op::Ne ? !positive : positive);
    if (identity && positive && !contradiction_) {
        same_[std::max(na, nb)] = std::min(na, nb);
        forms_.clear();
        numbers_.clear();
    }
}

void Knowledge::assume_literal(Expr claim, bool positive) {
    const int number = number_of(claim);
    const auto [at, is_new] = truths_.emplace(number, positive);
    if (!is_new && at->second != positive) contradict(Method::Syntax);
    if (!contradiction_ && !claim->args.empty()) learn_float_claim(claim, positive);
}

void Knowledge::open(Disjunction d) {
    open_.push_back(std::move(d));
}

std::optional<bool> Knowledge::known_comparison(Expr claim) {
    const Form gap = difference(form_of(claim->arg(1)), form_of(claim->arg(0)));
    const Interval b = bounds_of(gap);
    if (claim->op == Op::Lt || claim->op == Op::Le) {
        const Int128 least = claim->op == Op::Lt ? 1 : 0;
        if (b.lo && *b.lo >= least) return true;
        if (b.hi && *b.hi < least) return false;
        return std::nullopt;
    }
    const bool equal_is = claim->op != Op::Ne;
    if (b.lo && b.hi && *b.lo == 0 && *b.hi == 0) return equal_is;
    if ((b.lo && *b.lo > 0) || (b.hi && *b.hi < 0)) return !equal_is;
    if (!gap.is_constant() && gap.constant % gap.content() != 0) return !equal_is;
    return std::nullopt;
}

std::optional<bool> Knowledge::truth(Expr claim) {
    q_->step();
    switch (claim->op) {
        case Op::IntImm: return claim->bits != 0;
        case Op::Not: {
            const auto t = truth(claim->arg(0));
            return t ? std::optional<bool>(!*t) : std::nullopt;
        }
        case Op::And:
        case Op::Or: {
            const bool decides = claim->op == Op::Or;
            const auto a = truth(claim->arg(0));
            if (a == decides) return decides;
            const auto b = truth(claim->arg(1));
            if (b == decides) return decides;
            return a && b ? std::optional<bool>(!decides) : std::nullopt;
        }
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Same:
            if (claim->arg(0)->type.is_exact_int()) return known_comparison(claim);
            break;
        default: break;
    }
    const auto known = truths_.find(number_of(claim));
    if (known != truths_.end()) return known->second;
    if (claim->args.empty() || !claim->arg(0)->type.is_float()) return std::nullopt;
    const std::uint16_t classes = class_of(claim);
    if (classes == ir::FloatClass::kTrue) return true;
    if (classes == ir::FloatClass::kFalse) return false;
    return std::nullopt;
}

// Drops arms that cannot hold; an only arm left is assumed, none left is a contradiction.
bool Knowledge::settle_open() {
    bool changed = false;
    std::vector<Disjunction> todo = std::move(open_);
    open_.clear();
    const auto false_already = [&](const auto& part) {
        if (const Literal* l = std::get_if<Literal>(&part)) {
            const auto t = truth(l->claim);
            return t && *t != l->positive;
        }
        const FormClaim& f = std::get<FormClaim>(part);
        const Interval b = bounds_of(resolved(f.form));
        return (b.hi && *b.hi < 0) || (f.equality && b.lo && *b.lo > 0);
    };
    for (Disjunction& d : todo) {
        if (contradiction_) break;
        std::erase_if(d, [&](const Conjunction& arm) {
            return std::any_of(arm.begin(), arm.end(), false_already);
        });
        if (d.empty()) {
            contradict(Method::Interval);
        } else if (d.size() == 1) {
            changed = true;
            assume(d[0]);
        } else {
            open_.push_back(std::move(d));
        }
    }
    return changed;
}

std::optional<Disjunction> Knowledge::take_split() {
    if (open_.empty()) return std::nullopt;
    Disjunction out = std::move(open_.back());
    open_.pop_back();
    return out;
}

}  // namespace proviso::analysis::cheap
