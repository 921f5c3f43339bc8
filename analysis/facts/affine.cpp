#include "analysis/facts/affine.h"

#include <algorithm>

#include "ir/text.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;
using ir::Op;

void Affine::add_term(Expr e, const Integer& factor) {
    if (factor.is_zero()) return;
    const auto at = std::lower_bound(terms_.begin(), terms_.end(), e,
                                     [](const auto& t, Expr x) { return t.first->id < x->id; });
    if (at == terms_.end() || at->first != e) {
        terms_.insert(at, {e, factor});
        return;
    }
    at->second = at->second + factor;
    if (at->second.is_zero()) terms_.erase(at);
}

void Affine::read(Expr e, const Integer& scale) {
    switch (e->op) {
        case Op::IntImm: constant_ = constant_ + scale * Integer(e->int_value()); return;
        case Op::Add:
            read(e->arg(0), scale);
            read(e->arg(1), scale);
            return;
        case Op::Sub:
            read(e->arg(0), scale);
            read(e->arg(1), -scale);
            return;
        case Op::Neg: read(e->arg(0), -scale); return;
        case Op::Mul:
            if (ir::is_int_const(e->arg(1))) {
                return read(e->arg(0), scale * Integer(e->arg(1)->int_value()));
            }
            if (ir::is_int_const(e->arg(0))) {
                return read(e->arg(1), scale * Integer(e->arg(0)->int_value()));
            }
            break;
        case Op::Shl:
            if (ir::is_int_const(e->arg(1)) && e->arg(1)->int_value() >= 0 &&
                e->arg(1)->int_value() < e->type.bits) {
                const auto k = static_cast<unsigned>(e->arg(1)->int_value());
                return read(e->arg(0), scale * Integer::power_of_two(k));
            }
            break;
        default: break;
    }
    add_term(e, scale);
}

Affine Affine::term(Expr e, const Integer& factor) {
    Affine out;
    out.add_term(e, factor);
    return out;
}

Affine Affine::of(Expr e) {
    Affine out;
    out.read(e, 1);
    return out;
}

Integer Affine::factor_of(Expr term) const {
    for (const auto& [e, factor] : terms_) {
        if (e == term) return factor;
    }
    return 0;
}

Affine Affine::without(Expr term) const {
    Affine out = *this;
    out.add_term(term, -factor_of(term));
    return out;
}

Affine& Affine::add(const Affine& other, const Integer& scale) {
    for (const auto& [e, factor] : other.terms_) add_term(e, factor * scale);
    constant_ = constant_ + other.constant_ * scale;
    return *this;
}

Expr Affine::expr(ir::Context& ctx, ir::ScalarType type) const {
    if (!constant_.in_range(type) || !(-constant_).in_range(type)) return nullptr;
    const Integer constant_size = abs(constant_);
    Expr number = ctx.int_imm(type, *constant_size.to_int128());
    // Positive parts first: n - i, not -i + n; 3 - i.
    const bool has_positive = std::any_of(terms_.begin(), terms_.end(),
                                          [](const auto& t) { return t.second.sign() > 0; });
    const bool leads = !has_positive && constant_.sign() > 0;
    Expr out = leads ? number : nullptr;
    for (const int sign : {1, -1}) {
        for (const auto& [e, factor] : terms_) {
            if (factor.sign() != sign) continue;
            const Integer size = abs(factor);
            if (!size.in_range(type) || e->type != type) return nullptr;
            Expr part = size == 1 ? e : ctx.mul(e, ctx.int_imm(type, *size.to_int128()));
            if (out == nullptr) {
                out = sign > 0 ? part : ctx.neg(part);
            } else {
                out = sign > 0 ? ctx.add(out, part) : ctx.sub(out, part);
            }
        }
    }
    if (leads) return out;
    if (out == nullptr) return ctx.int_imm(type, *constant_.to_int128());
    if (constant_.is_zero()) return out;
    return constant_.sign() > 0 ? ctx.add(out, number) : ctx.sub(out, number);
}

std::string Affine::str(ir::Context& ctx) const {
    const ir::ScalarType type = terms_.empty() ? ir::kInt64 : terms_[0].first->type;
    Expr e = expr(ctx, type);
    if (e == nullptr) return is_constant() ? constant_.str() : "?";
    return is_constant() ? constant_.str() : ir::print(e);
}

}  // namespace proviso::analysis
