#include "rewrite/simplify/arrange/digits.h"

#include <algorithm>

#include "rewrite/simplify/arrange/shifted_quotients.h"
#include "rewrite/simplify/range.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

// Two families of digits, by floor division and by division toward zero: quotients of quotients,
// and remainders, are taken apart alike. They never mix.
bool is_quotient_operator(Op op) {
    return op == Op::FloorDiv || op == Op::TruncDiv;
}

Op quotient_operator(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod ? Op::FloorDiv : Op::TruncDiv;
}

Op remainder_operator(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod ? Op::FloorMod : Op::TruncMod;
}

bool is_digit_operator(Expr e) {
    switch (e->op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return true;
        default: return false;
    }
}

bool same_family(Expr a, Expr b) {
    return is_digit_operator(a) && is_digit_operator(b) &&
           quotient_operator(a->op) == quotient_operator(b->op);
}

bool positive_constant(Expr e) {
    return ir::is_int_const(e) && e->int_value() > 0;
}

bool divides_by_constant(Expr digit) {
    return ir::is_int_const(digit->arg(1)) && digit->arg(1)->int_value() != 0;
}

// The number that a monomial is a digit of, below nested divisions by constants.
Expr number_of(Expr m) {
    while (is_digit_operator(m) && positive_constant(m->arg(1)) && same_family(m, m->arg(0)) &&
           positive_constant(m->arg(0)->arg(1))) {
        m = m->arg(0);
    }
    return is_digit_operator(m) ? m->arg(0) : m;
}

// The quotient within a product such as (x // y) * y; null when there is none.
Expr quotient_factor(Expr monomial) {
    if (monomial->op != Op::Mul) return nullptr;
    for (Expr f : factors_of(monomial)) {
        if (is_quotient_operator(f->op)) return f;
    }
    return nullptr;
}

// A sum as it is spelled, without its constant.
Expr without_constant(Expr n) {
    const bool offset = (n->op == Op::Add || n->op == Op::Sub) && ir::is_int_const(n->arg(1));
    return offset ? n->arg(0) : n;
}

// Whether some term of the sum `n` stands in the form.
bool has_term_of(const LinearForm& form, Expr n) {
    switch (n->op) {
        case Op::Add:
        case Op::Sub: return has_term_of(form, n->arg(0)) || has_term_of(form, n->arg(1));
        case Op::Neg: return has_term_of(form, n->arg(0));
        case Op::Mul:
            if (ir::is_int_const(n->arg(1))) return has_term_of(form, n->arg(0));
            break;
        default: break;
    }
    return form.coefficient_of(n) != 0;
}

// Whether digits of one number, or of numbers a constant apart, may meet: two digits of it, or one
// and the number itself.
bool may_join(const LinearForm& form) {
    boost::container::small_vector<Expr, 8> numbers;
    for (const LinearTerm& t : form.terms) {
        Expr m = t.monomial;
        if (Expr q = quotient_factor(m)) m = q;
        if (!is_digit_operator(m)) continue;
        Expr n = without_constant(number_of(m));
        if (std::find(numbers.begin(), numbers.end(), n) != numbers.end()) return true;
        numbers.push_back(n);
        if (form.coefficient_of(n) != 0) return true;
        if (n->op == Op::Add || n->op == Op::Sub || n->op == Op::Mul || n->op == Op::Neg) {
            // A sum is there if its terms are.
            constexpr std::uint32_t largest = 64;
            if (n->size <= largest && has_term_of(form, n)) return true;
        }
    }
    return false;
}

// x // c as one quotient, by `op`: (x // a) // b is x // (a*b).
Expr quotient(ir::Context& ctx, Op op, Expr x, Int128 c) {
    if (c > 0 && x->op == op && positive_constant(x->arg(1))) {
        const Int128 both = checked_mul(c, x->arg(1)->int_value());
        if (x->type.contains(both)) return quotient(ctx, op, x->arg(0), both);
    }
    if (!x->type.contains(c)) throw TooLarge{};
    return ctx.make(op, {x, ctx.int_imm(x->type, c)});
}

// Adds coefficient * monomial with remainders by constants taken apart.
void add_apart(ir::Context& ctx, LinearForm& out, Expr m, Int128 coefficient) {
    if (!is_digit_operator(m) || !divides_by_constant(m)) {
        out.add(m, coefficient);
        return;
    }
    const Op op = quotient_operator(m->op);
    const Int128 c = m->arg(1)->int_value();
    Expr inner = m->arg(0);
    if (m->op != op) {
        out.add(linear_form(ctx, inner), coefficient);
        out.add(quotient(ctx, op, inner, c), checked_mul(-coefficient, c));
        return;
    }
    // (x % (a*b)) // a is a digit too: x // a - x // (a*b) * b.
    if (c > 0 && inner->op == remainder_operator(op) && positive_constant(inner->arg(1))) {
        const Int128 ab = inner->arg(1)->int_value();
        if (ab % c == 0) {
            Expr x = inner->arg(0);
            out.add(quotient(ctx, op, x, c), coefficient);
            out.add(quotient(ctx, op, x, ab), checked_mul(-coefficient, ab / c));
            return;
        }
    }
    if (c > 0 && inner->op == op) {
        out.add(quotient(ctx, op, inner, c), coefficient);
        return;
    }
    out.add(m, coefficient);
}

// x % y and (x // y) * y, for any divisor: joined into x, or x - (x // y)*y into x % y.
bool join_symbolic(ir::Context& ctx, LinearForm& form) {
    for (const LinearTerm& t : form.terms) {
        Expr q = quotient_factor(t.monomial);
        if (q == nullptr || ir::is_int_const(q->arg(1))) continue;
        Factors divisor = factors_of(q->arg(1));
        divisor.push_back(q);
        Expr scale = without_factors(ctx, t.monomial, divisor);
        if (scale == nullptr) continue;
        Expr rest = ctx.make(remainder_operator(q->op), {q->arg(0), q->arg(1)});
        Expr low = rest;
        LinearForm number = linear_form(ctx, q->arg(0));
        if (!ir::is_int_const(scale)) {
            Factors factors = factors_of(scale);
            factors.push_back(rest);
            std::sort(factors.begin(), factors.end(),
                      [](Expr a, Expr b) { return compare_structure(a, b) < 0; });
            low = product_of(ctx, form.type, factors);
            number = expanded(ctx, linear_form(ctx, ctx.mul(q->arg(0), scale)));
        }
        const Int128 k = t.coefficient;
        if (form.coefficient_of(low) == k) {
            const LinearTerm high = t;
            form.add(high.monomial, -k);
            form.add(low, -k);
            form.add(number, k);
            return true;
        }
        // k*(x // y)*y and -k*x
        const bool all_there =
            !number.terms.empty() && number.constant == 0 &&
            std::all_of(number.terms.begin(), number.terms.end(), [&](const LinearTerm& n) {
                return form.coefficient_of(n.monomial) == -k * n.coefficient;
            });
        if (all_there) {
            const LinearTerm high = t;
            form.add(high.monomial, -k);
            form.add(number, k);
            form.add(low, -k);
            return true;
        }
    }
    return false;
}

// k*c*[x // c] + k*(y % c), where y is x less a multiple of c: k*x. The remainder may have been
// reduced before its quotient was met.
bool join_congruent(ir::Context& ctx, LinearForm& form) {
    for (const LinearTerm& high : form.terms) {
        Expr q = high.monomial;
        if (q->op != Op::FloorDiv || !positive_constant(q->arg(1))) continue;
        const Int128 c = q->arg(1)->int_value();
        if (!is_multiple(high.coefficient, c)) continue;
        const Int128 k = high.coefficient / c;
        for (const LinearTerm& low : form.terms) {
            Expr r = low.monomial;
            if (low.coefficient != k || r->op != Op::FloorMod || r->arg(1) != q->arg(1)) continue;
            const LinearForm number = linear_form(ctx, q->arg(0));
            LinearForm gap = number;
            gap.add(linear_form(ctx, r->arg(0)), -1);
            if (gap.content() % c != 0 || gap.constant % c != 0) continue;
            const LinearTerm high_term = high;
            form.add(high_term.monomial, -high_term.coefficient);
            form.add(r, -k);
            form.add(number, k);
            return true;
        }
    }
    return false;
}

// number // divisor with its coefficient in the form. The number itself has divisor 1.
struct Place {
    Int128 divisor = 1;
    Int128 coefficient = 0;
};

// One digit: k*[number // a] - k*b*[number // (a*b)] becomes k * (number // a % b). Gives whether
// one was found that makes the form shorter.
bool make_digit(ir::Context& ctx, LinearForm& form) {
    for (const LinearTerm& high : form.terms) {
        Expr m = high.monomial;
        if (!is_quotient_operator(m->op) || !divides_by_constant(m)) continue;
        Expr number = m->arg(0);
        const Int128 c = m->arg(1)->int_value();
        // The next lower place of the same number that divides this one, or the number itself.
        Place low;
        Expr low_expr = nullptr;
        for (const LinearTerm& t : form.terms) {
            if (&t == &high || t.monomial->op != m->op || t.monomial->arg(0) != number ||
                !positive_constant(t.monomial->arg(1))) {
                continue;
            }
            const Int128 a = t.monomial->arg(1)->int_value();
            if (a >= c || c % a != 0 || a < low.divisor) continue;
            if (high.coefficient % (c / a) != 0) continue;
            low = {a, t.coefficient};
            low_expr = t.monomial;
        }
        LinearForm low_form{form.type, {}, 0};
        if (low_expr != nullptr) {
            low_form.add(low_expr, 1);
        } else {
            low_form = linear_form(ctx, number);
            low_expr = number;
            low.divisor = 1;
        }
        const Int128 b = c / low.divisor;
        if (high.coefficient % b != 0) continue;
        const Int128 k = -(high.coefficient / b);
        LinearForm next = form;
        next.add(m, checked_mul(k, b));
        next.add(low_form, -k);
        next.add(ctx.make(remainder_operator(m->op), {low_expr, ctx.int_imm(form.type, b)}), k);
        if (written_cost(next) >= written_cost(form)) continue;
        form = std::move(next);
        return true;
    }
    return false;
}

}  // namespace

bool may_join_digits(const LinearForm& form, MonomialKinds kinds) {
    if (form.terms.size() < 2 || (kinds & (kProducts | kQuotients | kRemainders)) == 0) {
        return false;
    }
    const bool both = (kinds & kQuotients) != 0 && (kinds & kRemainders) != 0;
    return both || (kinds & kProducts) != 0 || may_join(form);
}

bool join_digits(ir::Context& ctx, LinearForm& form) {
    const MonomialKinds kinds = kinds_of(form);
    if (!may_join_digits(form, kinds)) return false;
    const bool products = (kinds & kProducts) != 0;
    bool joined = false;
    constexpr int most = 16;
    for (int i = 0; products && i < most && join_symbolic(ctx, form); ++i) joined = true;
    const bool both = joined || ((kinds & kQuotients) != 0 && (kinds & kRemainders) != 0);
    for (int i = 0; both && i < most && join_congruent(ctx, form); ++i) joined = true;
    if (!may_join(form)) return joined;
    LinearForm apart{form.type, {}, form.constant};
    for (int round = 0; round < 4; ++round) {
        LinearForm next{form.type, {}, form.constant};
        const LinearForm& from = round == 0 ? form : apart;
        next.constant = from.constant;
        for (const LinearTerm& t : from.terms) add_apart(ctx, next, t.monomial, t.coefficient);
        const bool same = round > 0 && next == apart;
        apart = std::move(next);
        if (same) break;
    }
    for (int i = 0; i < most && (join_shifted(ctx, apart) || make_digit(ctx, apart)); ++i) {
    }
    if (apart == form || written_cost(apart) >= written_cost(form)) return joined;
    form = std::move(apart);
    return true;
}

}  // namespace proviso::rewrite
