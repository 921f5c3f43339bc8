// Division by a positive constant is taken apart as far as it goes:
//   (8 * i + j) // 8        = i + j // 8      = i            when 0 <= j < 8
//   (6 * x + 3) // 4        = (3 * x + 1) // 2
//   (x // 4 + y) // 2       = (x + 4 * y) // 8
//   x % c                   = x - c * (x // c)
// and so is division by a form that is known to be 1 or more:
//   (i * n + j) // n        = i + j // n      = i            when 0 <= j < n
//   (n + m - 1) // m        = 1 + (n - 1) // m
//   (x // n) // m           = x // (n * m)
#include <algorithm>

#include "analysis/cheap/products.h"
#include "analysis/cheap/term_reader.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::Op;

// floor(n / c), c > 0. What is known of an atom may lead back to the same quotient: a limit on
// nesting ends that, and keeps the stack flat.
Form TermReader::quotient(const Form& n, Int128 c) {
    constexpr int most_nested = 24;
    if (nested_quotients_ >= most_nested) throw GiveUp{};
    ++nested_quotients_;
    Form out = nested_quotient(n, c);
    --nested_quotients_;
    return out;
}

Form TermReader::nested_quotient(const Form& n, Int128 c) {
    q_.step();
    Form out;
    Form rest;
    for (const Term& t : n.terms) {
        const Int128 whole = truncated_div(t.factor, c);
        const Int128 left = t.factor - whole * c;
        if (whole != 0) out.terms.push_back({t.atom, whole});
        if (left != 0) rest.terms.push_back({t.atom, left});
    }
    out.constant = floor_div(n.constant, c);
    rest.constant = n.constant - checked_mul(out.constant, c);
    const Int128 g = gcd(rest.content(), c);
    if (g > 1) {
        for (Term& t : rest.terms) t.factor /= g;
        rest.constant = floor_div(rest.constant, g);
        c /= g;
    }
    out.add(small_quotient(rest, c));
    return out;
}

// The same once whole multiples of c are taken out.
Form TermReader::small_quotient(const Form& rest, Int128 c) {
    if (c == 1) return rest;
    const Interval b = k_.bounds_of(rest);
    if (b.lo && b.hi && floor_div(*b.lo, c) == floor_div(*b.hi, c)) {
        return Form::of_constant(floor_div(*b.lo, c));
    }
    // floor((y + floor(n / d)) / c) = floor((d * y + n) / (c * d))
    for (const Term& t : rest.terms) {
        const Atom::Kind kind = q_.atoms[t.atom].kind;
        if (t.factor != 1) continue;
        if (kind != Atom::Kind::Quotient && kind != Atom::Kind::Ratio) continue;
        Form y = rest;
        y.add_atom(t.atom, -1);
        Form inner = k_.resolved(Form(q_.atoms[t.atom].numerator));
        if (kind == Atom::Kind::Quotient) {
            const Int128 d = q_.atoms[t.atom].divisor;
            inner.add(y, d);
            return quotient(inner, checked_mul(c, d));
        }
        const Form d = k_.resolved(Form(q_.atoms[t.atom].denominator));
        inner.add(multiplied(q_.atoms, y, d));
        return ratio(inner, scaled(d, c));
    }
    // floor((d * y + s) / (d * k)) = floor(y / k) when 0 <= s < d
    for (const Term& t : rest.terms) {
        const Int128 d = magnitude(t.factor);
        if (d == 1 || c % d != 0) continue;
        Form y;
        Form s = Form::of_constant(rest.constant);
        for (const Term& u : rest.terms) {
            if (u.factor % d == 0)
                y.terms.push_back({u.atom, u.factor / d});
            else
                s.terms.push_back(u);
        }
        const Interval part = k_.bounds_of(s);
        if (!part.lo || !part.hi || floor_div(*part.lo, d) != floor_div(*part.hi, d)) continue;
        y.constant = floor_div(*part.lo, d);
        return quotient(y, c / d);
    }
    const int atom = q_.atoms.quotient(rest, c);
    Interval range;
    if (b.lo) range.lo = floor_div(*b.lo, c);
    if (b.hi) range.hi = floor_div(*b.hi, c);
    k_.narrow(atom, range, Method::Interval);
    return Form::of_atom(atom);
}

namespace {

// Without a sign, both families are one.
bool rounds_down(Expr e) {
    return e->op == Op::FloorDiv || e->op == Op::FloorMod || !e->type.is_signed();
}

}  // namespace

Form TermReader::division(Expr e) {
    const Form n = form(e->arg(0));
    const Form d = form(e->arg(1));
    const bool is_quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    const bool floors = rounds_down(e);
    if (!d.is_constant()) return symbolic_division(e, n, d);
    if (d.constant == 0) return opaque(e);
    // MIN // -1 of a wrapping type is unspecified.
    if (d.constant < 0 && e->type.is_wrapping_int()) return opaque(e);
    const Int128 c = magnitude(d.constant);
    Form q;
    if (floors) {
        q = d.constant > 0 ? quotient(n, c) : quotient(scaled(n, -1), c);
    } else {
        const Interval b = k_.bounds_of(n);
        if (b.at_least(0)) {
            q = quotient(n, c);
        } else if (b.at_most(0)) {
            q = scaled(quotient(scaled(n, -1), c), -1);
        } else {
            return truncated(e, n, d.constant);
        }
        if (d.constant < 0) q = scaled(q, -1);
    }
    if (is_quotient) return q;
    Form rest = n;
    rest.add(q, checked_neg(d.constant));
    return rest;
}

// Toward zero, of a dividend whose sign is not known: either case, later.
Form TermReader::truncated(Expr e, const Form& n, Int128 d) {
    const bool is_quotient = e->op == Op::TruncDiv;
    const int atom = node(e, range_of_result(e));
    const Form m = Form::of_atom(atom);
    if (k_.mark_live(atom)) return m;
    const Int128 c = magnitude(d);
    Form up = quotient(n, c);                            // n >= 0
    Form down = scaled(quotient(scaled(n, -1), c), -1);  // n <= 0
    if (d < 0) {
        up = scaled(up, -1);
        down = scaled(down, -1);
    }
    if (!is_quotient) {
        up = difference(n, scaled(up, d));
        down = difference(n, scaled(down, d));
    }
    k_.open({{FormClaim{n, false}, FormClaim{difference(m, up), true}},
             {FormClaim{scaled(n, -1), false}, FormClaim{difference(m, down), true}}});
    return m;
}

// By a divisor that is 1 or more whatever it is: n = d * q + r with 0 <= r < d.
Form TermReader::symbolic_division(Expr e, const Form& n, const Form& d) {
    const bool floors = rounds_down(e);
    const bool is_quotient = e->op == Op::FloorDiv || e->op == Op::TruncDiv;
    Form below = d;
    below.constant = checked_add(below.constant, -1);
    const bool agrees = floors || k_.known_ge(n);
    if (!agrees || !k_.known_ge(below)) return opaque(e);
    Form q = ratio(n, d);
    if (is_quotient) return q;
    return difference(n, multiplied(q_.atoms, q, d));
}

// The y of n = d * y + s, as much of n as the leading monomial of d goes into.
Form TermReader::multiple_in(const Form& n, const Form& d) {
    const auto degree = [&](const Term& t) { return q_.atoms.factors_of(t.atom).size(); };
    const auto lead =
        *std::max_element(d.terms.begin(), d.terms.end(),
                          [&](const Term& a, const Term& b) { return degree(a) < degree(b); });
    Form y;
    Form rest = n;
    constexpr int most_terms = 12;
    for (int round = 0; round < most_terms; ++round) {
        Form step;
        for (const Term& t : rest.terms) {
            const Int128 times = t.factor / lead.factor;
            const int left =
                times == 0 ? AtomTable::kNotAFactor : q_.atoms.without(t.atom, lead.atom);
            if (left == AtomTable::kNotAFactor) continue;
            step = left == AtomTable::kOne ? Form::of_constant(times) : Form::of_atom(left, times);
            break;
        }
        if (step == Form{}) break;
        y.add(step);
        rest.add(multiplied(q_.atoms, step, d), -1);
    }
    return y;
}

// 0 <= rest < d
bool TermReader::is_remainder(const Form& rest, const Form& d) {
    Form above = difference(d, rest);
    above.constant = checked_add(above.constant, -1);
    const auto holds = [this](const Form& f) {
        if (k_.known_ge(f)) return true;
        const bool products = std::any_of(f.terms.begin(), f.terms.end(), [&](const Term& t) {
            return q_.atoms[t.atom].kind == Atom::Kind::Product;
        });
        if (!products) return false;
        Knowledge opposite = k_.branch();
        opposite.seal();
        Form less = scaled(f, -1);
        less.constant = checked_add(less.constant, -1);
        opposite.assume_ge(less);
        opposite.eliminate();
        return opposite.contradiction();
    };
    return holds(rest) && holds(above);
}

// floor(n / d) where d >= 1.
Form TermReader::ratio(const Form& given, const Form& d) {
    q_.step();
    if (d.is_constant()) return quotient(given, d.constant);
    const Deeper deeper(q_);
    // A factor of every term of d and of n (but for the constant, which is rounded down).
    Form n = given;
    Form by = d;
    const Int128 g = gcd(gcd(d.content(), d.constant), n.content());
    if (g > 1) {
        for (Term& t : n.terms) t.factor /= g;
        n.constant = floor_div(n.constant, g);
        for (Term& t : by.terms) t.factor /= g;
        by.constant /= g;
    }
    Form whole = multiple_in(n, by);
    const Form rest = difference(n, multiplied(q_.atoms, whole, by));
    if (is_remainder(rest, by)) return whole;
    const Form below = [&] {  // -d <= rest < 0
        Form f = rest;
        f.add(by);
        return f;
    }();
    if (k_.bounds_of(rest).at_most(-1) && is_remainder(below, by)) {
        Form out = whole;
        out.constant = checked_add(out.constant, -1);
        return out;
    }
    // floor(floor(s / c) / d) = floor(s / (c * d))
    const int only = rest.as_atom();
    if (only >= 0 &&
        (q_.atoms[only].kind == Atom::Kind::Quotient || q_.atoms[only].kind == Atom::Kind::Ratio)) {
        const bool constant = q_.atoms[only].kind == Atom::Kind::Quotient;
        const Form c = constant ? Form::of_constant(q_.atoms[only].divisor)
                                : k_.resolved(Form(q_.atoms[only].denominator));
        const Form s = k_.resolved(Form(q_.atoms[only].numerator));
        Form out = ratio(s, multiplied(q_.atoms, c, by));
        out.add(whole);
        return out;
    }
    const int atom = q_.atoms.ratio(rest, by);
    const Interval b = k_.bounds_of(rest);
    Interval range;
    if (b.lo) range.lo = *b.lo < 0 ? *b.lo : 0;
    if (b.hi) range.hi = *b.hi < 0 ? -1 : *b.hi;
    k_.narrow(atom, range, Method::Interval);
    Form out = whole;
    out.add_atom(atom, 1);
    return out;
}

}  // namespace proviso::analysis::cheap
