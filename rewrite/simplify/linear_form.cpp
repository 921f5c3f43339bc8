#include "rewrite/simplify/linear_form.h"

#include <algorithm>

namespace proviso::rewrite {

using ir::Expr;
using ir::Integer;
using ir::Op;
using ir::ScalarType;

namespace {

template <typename T>
int order(const T& a, const T& b) {
    if (a < b) return -1;
    return b < a ? 1 : 0;
}

int compare_names(const std::string* a, const std::string* b) {
    if (a == b) return 0;
    if (a == nullptr || b == nullptr) return a == nullptr ? -1 : 1;
    return order(*a, *b);
}

int compare_buffers(ir::Buffer a, ir::Buffer b) {
    if (a == b) return 0;
    if (a == nullptr || b == nullptr) return a == nullptr ? -1 : 1;
    const int by_name = order(a->name, b->name);
    return by_name != 0 ? by_name : order(a->id, b->id);
}

LinearForm scaled(LinearForm form, const Integer& factor) {
    if (factor.is_zero()) return {form.type, {}, Integer(0)};
    for (LinearTerm& t : form.terms) t.coefficient = t.coefficient * factor;
    form.constant = form.constant * factor;
    return form;
}

LinearForm single(Expr monomial) {
    return {monomial->type, {{monomial, Integer(1)}}, Integer(0)};
}

void collect_factors(Expr e, std::vector<Expr>& out) {
    if (e->op != Op::Mul) {
        out.push_back(e);
        return;
    }
    collect_factors(e->arg(0), out);
    collect_factors(e->arg(1), out);
}

Expr product(ir::Context& ctx, Expr a, Expr b) {
    std::vector<Expr> factors;
    collect_factors(a, factors);
    collect_factors(b, factors);
    std::sort(factors.begin(), factors.end(),
              [](Expr l, Expr r) { return compare_structure(l, r) < 0; });
    Expr out = factors[0];
    for (std::size_t i = 1; i < factors.size(); ++i) out = ctx.mul(out, factors[i]);
    return out;
}

LinearForm times(ir::Context& ctx, Expr e, const LinearForm& a, const LinearForm& b) {
    if (b.is_constant()) return scaled(a, b.constant);
    if (a.is_constant()) return scaled(b, a.constant);
    const auto is_single = [](const LinearForm& f) {
        return f.terms.size() == 1 && f.constant.is_zero();
    };
    if (is_single(a) && is_single(b)) {
        Expr monomial = product(ctx, a.terms[0].monomial, b.terms[0].monomial);
        return scaled(single(monomial), a.terms[0].coefficient * b.terms[0].coefficient);
    }
    // A product of sums stays one: multiplying it out would make it larger.
    return single(product(ctx, e->arg(0), e->arg(1)));
}

}  // namespace

int compare_structure(Expr a, Expr b) {
    if (a == b) return 0;
    // Variables before everything else, then small expressions before large ones.
    if ((a->op == Op::Var) != (b->op == Op::Var)) return a->op == Op::Var ? -1 : 1;
    int by = order(a->size, b->size);
    if (by == 0) by = order(a->op, b->op);
    if (by == 0) by = order(a->type, b->type);
    if (by == 0) by = compare_names(a->name, b->name);
    if (by == 0) by = order(a->bits, b->bits);
    if (by == 0) by = compare_buffers(a->buffer, b->buffer);
    if (by == 0) by = order(a->var_type, b->var_type);
    if (by == 0) by = order(a->args.size(), b->args.size());
    for (std::size_t i = 0; by == 0 && i < a->args.size(); ++i) {
        by = compare_structure(a->arg(i), b->arg(i));
    }
    return by;
}

LinearForm LinearForm::negated() const {
    return scaled(*this, Integer(-1));
}

LinearForm LinearForm::plus(const LinearForm& other) const {
    LinearForm out{type, {}, constant + other.constant};
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < terms.size() || j < other.terms.size()) {
        int by = 0;
        if (i == terms.size()) {
            by = 1;
        } else if (j == other.terms.size()) {
            by = -1;
        } else {
            by = compare_structure(terms[i].monomial, other.terms[j].monomial);
        }
        if (by < 0) {
            out.terms.push_back(terms[i++]);
        } else if (by > 0) {
            out.terms.push_back(other.terms[j++]);
        } else {
            Integer sum = terms[i].coefficient + other.terms[j].coefficient;
            if (!sum.is_zero()) out.terms.push_back({terms[i].monomial, std::move(sum)});
            ++i;
            ++j;
        }
    }
    return out;
}

LinearForm linear_form(ir::Context& ctx, Expr e) {
    PROVISO_CHECK(e->type.is_exact_int(), "linear form of something that is not exact");
    switch (e->op) {
        case Op::IntImm: return {e->type, {}, Integer(e->int_value())};
        case Op::Neg: return linear_form(ctx, e->arg(0)).negated();
        case Op::Add: return linear_form(ctx, e->arg(0)).plus(linear_form(ctx, e->arg(1)));
        case Op::Sub: return linear_form(ctx, e->arg(0)).minus(linear_form(ctx, e->arg(1)));
        case Op::Mul:
            return times(ctx, e, linear_form(ctx, e->arg(0)), linear_form(ctx, e->arg(1)));
        default: return single(e);
    }
}

namespace {

// monomial * |coefficient|; null when that is not a value of the type.
Expr spelled_term(ir::Context& ctx, ScalarType type, Expr monomial, const Integer& magnitude) {
    if (magnitude == Integer(1)) return monomial;
    if (!magnitude.in_range(type)) return nullptr;
    return ctx.mul(monomial, ctx.int_imm(type, *magnitude.to_int128()));
}

// -x, or x * -3.
Expr spelled_first_negative(ir::Context& ctx, ScalarType type, const LinearTerm& t) {
    if (t.coefficient == Integer(-1)) return ctx.neg(t.monomial);
    if (!t.coefficient.in_range(type)) return nullptr;
    return ctx.mul(t.monomial, ctx.int_imm(type, *t.coefficient.to_int128()));
}

Expr joined(ir::Context& ctx, Expr sum, Expr term, bool negative) {
    if (sum == nullptr) return term;
    return negative ? ctx.sub(sum, term) : ctx.add(sum, term);
}

}  // namespace

Expr to_expr(ir::Context& ctx, const LinearForm& form) {
    const ScalarType type = form.type;
    if (!form.constant.in_range(type)) return nullptr;
    const ir::Int128 constant = *form.constant.to_int128();
    std::vector<const LinearTerm*> ordered;
    for (const LinearTerm& t : form.terms) ordered.push_back(&t);
    std::stable_sort(ordered.begin(), ordered.end(), [](const LinearTerm* a, const LinearTerm* b) {
        return ir::abs(a->coefficient) > ir::abs(b->coefficient);
    });
    // A sum starts with something positive where there is one.
    const auto positive = std::find_if(ordered.begin(), ordered.end(), [](const LinearTerm* t) {
        return t->coefficient.sign() > 0;
    });
    Expr sum = nullptr;
    bool constant_placed = constant == 0;
    if (positive != ordered.end()) {
        std::rotate(ordered.begin(), positive, positive + 1);
    } else if (constant > 0 || constant == type.min_value() || ordered.empty()) {
        sum = ctx.int_imm(type, constant);
        constant_placed = true;
    }
    for (const LinearTerm* t : ordered) {
        if (sum == nullptr && t->coefficient.sign() < 0) {
            sum = spelled_first_negative(ctx, type, *t);
            if (sum == nullptr) return nullptr;
            continue;
        }
        Expr term = spelled_term(ctx, type, t->monomial, ir::abs(t->coefficient));
        if (term == nullptr) return nullptr;
        sum = joined(ctx, sum, term, t->coefficient.sign() < 0);
    }
    if (constant_placed) return sum;
    if (constant == type.min_value()) return ctx.add(sum, ctx.int_imm(type, constant));
    Expr magnitude = ctx.int_imm(type, constant < 0 ? -constant : constant);
    return joined(ctx, sum, magnitude, constant < 0);
}

SplitForm split_by(const LinearForm& form, const Integer& divisor) {
    SplitForm out{{form.type, {}, floordiv(form.constant, divisor)},
                  {form.type, {}, floormod(form.constant, divisor)}};
    for (const LinearTerm& t : form.terms) {
        if (floormod(t.coefficient, divisor).is_zero()) {
            out.multiple.terms.push_back({t.monomial, floordiv(t.coefficient, divisor)});
        } else {
            out.rest.terms.push_back(t);
        }
    }
    return out;
}

}  // namespace proviso::rewrite
