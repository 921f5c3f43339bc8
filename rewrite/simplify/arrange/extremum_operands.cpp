#include "rewrite/simplify/arrange/extremum_operands.h"

#include "rewrite/simplify/range.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr std::size_t kMostOperands = 8;

// scale * extremum + offset
struct Shifted {
    Expr extremum = nullptr;
    Int128 scale = 1;
    Int128 offset = 0;

    // What it is of its operands, scaled.
    Op op() const {
        const bool is_min = (extremum->op == Op::Min) == (scale > 0);
        return is_min ? Op::Min : Op::Max;
    }
};

Shifted read_shifted(LinearForms& forms, Expr e) {
    switch (e->op) {
        case Op::Min:
        case Op::Max: return {e, 1, 0};
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg: break;
        default: return {};
    }
    if (forms.kinds(e) != kExtrema) return {};
    const LinearForm& form = forms.plain(e);
    if (form.terms.size() != 1) return {};
    return {form.terms[0].monomial, form.terms[0].coefficient, form.constant};
}

Op opposite(Op op) {
    return op == Op::Min ? Op::Max : Op::Min;
}

void collect(LinearForms& forms, Expr e, Int128 scale, Int128 offset, ExtremumOperands& out) {
    const Shifted inner = read_shifted(forms, e);
    const Op wanted = scale > 0 ? out.op : opposite(out.op);
    if (inner.extremum == nullptr || inner.op() != wanted) {
        LinearForm form = forms.plain(e);
        form.scale(scale);
        form.constant = checked_add(form.constant, offset);
        out.forms.push_back(std::move(form));
        return;
    }
    offset = checked_add(offset, checked_mul(inner.offset, scale));
    scale = checked_mul(scale, inner.scale);
    for (Expr a : inner.extremum->args) {
        if (out.forms.size() <= kMostOperands) collect(forms, a, scale, offset, out);
    }
}

// `op` is what is collected of `e`; `at` counts.
Expr without(ir::Context& ctx, LinearForms& forms, Expr e, Op op, const std::vector<bool>& drop,
             std::size_t& at) {
    const Shifted inner = read_shifted(forms, e);
    if (inner.extremum == nullptr || inner.op() != op) return drop[at++] ? nullptr : e;
    Expr arms[2] = {nullptr, nullptr};
    for (const std::size_t i : {0, 1}) {
        arms[i] = without(ctx, forms, inner.extremum->arg(i), inner.extremum->op, drop, at);
    }
    Expr left = arms[0] == nullptr ? arms[1] : arms[0];
    if (left == nullptr) return nullptr;
    if (arms[0] != nullptr && arms[1] != nullptr) left = ctx.make(inner.extremum->op, arms);
    if (left == inner.extremum) return e;
    LinearForm form = forms.plain(left);
    form.scale(inner.scale);
    form.constant = checked_add(form.constant, inner.offset);
    Expr out = to_expr(ctx, form);
    return out == nullptr ? e : out;
}

}  // namespace

std::optional<ExtremumOperands> extremum_operands(LinearForms& forms, Expr e) {
    const Shifted whole = read_shifted(forms, e);
    if (whole.extremum == nullptr) return std::nullopt;
    ExtremumOperands out;
    out.op = whole.op();
    collect(forms, e, 1, 0, out);
    if (out.forms.size() > kMostOperands) return std::nullopt;
    return out;
}

Expr without_operands(ir::Context& ctx, LinearForms& forms, Expr e, const std::vector<bool>& drop) {
    std::size_t at = 0;
    return without(ctx, forms, e, read_shifted(forms, e).op(), drop, at);
}

}  // namespace proviso::rewrite
