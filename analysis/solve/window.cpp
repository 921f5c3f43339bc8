#include "analysis/solve/window.h"

#include <algorithm>

#include "analysis/facts/affine.h"
#include "analysis/solve/arithmetic.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;
using ir::Integer;

namespace {

bool constant(Expr e) {
    return e != nullptr && ir::is_int_const(e);
}

std::size_t index(const Integer& n) {
    return static_cast<std::size_t>(*n.to_int128());
}

Integer integer(std::size_t n) {
    return Integer(static_cast<Int128>(n));
}

}  // namespace

bool Window::is_constant() const {
    return constant(modulus) && constant(first) && constant(width);
}

Expr Window::formula(ir::Context& ctx, Expr x) const {
    const Builder build(ctx);
    const bool single = ir::is_int_const(width, 0);
    Expr rest = ctx.floormod(x, modulus);
    if (single && constant(first) && constant(modulus)) {
        return ctx.eq(rest, build.remainder(first, modulus));
    }
    if (single) {
        return ctx.eq(rest, is_remainder ? first : ctx.floormod(first, modulus));
    }
    if (ir::is_int_const(first, 0)) return ctx.le(rest, width);
    if (is_constant()) {
        const Integer last = Integer(first->int_value()) + Integer(width->int_value());
        const Integer top = Integer(modulus->int_value()) - 1;
        if (last == top) return ctx.le(first, rest);
        if (last < top) {
            return ctx.and_(ctx.le(first, rest), ctx.le(rest, build.number(x->type, last)));
        }
    }
    Expr moved = build.difference(x, first);
    if (moved == nullptr) moved = ctx.sub(x, first);
    return ctx.le(ctx.floormod(moved, modulus), width);
}

Residues residues_of(const Window& w, std::size_t modulus) {
    Residues out(modulus);
    for (std::size_t r = 0; r < modulus; ++r) {
        const Integer from_first =
            floormod(integer(r) - Integer(w.first->int_value()), w.modulus->int_value());
        out[r] = from_first <= Integer(w.width->int_value());
    }
    return out;
}

std::optional<std::size_t> common_modulus(const std::vector<Window>& windows) {
    Integer out = 1;
    for (const Window& w : windows) {
        const Integer m = w.modulus->int_value();
        if (m.sign() <= 0) return std::nullopt;
        out = floordiv(out, gcd(out, m)) * m;
        if (out > Integer(Int128{kMostModulus})) return std::nullopt;
    }
    return index(out);
}

Windows windows_of(ir::Context& ctx, ir::ScalarType type, const Residues& residues) {
    // The least period.
    std::size_t m = 1;
    const auto repeats = [&](std::size_t period) {
        if (residues.size() % period != 0) return false;
        for (std::size_t r = period; r < residues.size(); ++r) {
            if (residues[r] != residues[r - period]) return false;
        }
        return true;
    };
    while (!repeats(m)) ++m;
    Windows out;
    out.all = m == 1 && residues[0];
    if (m == 1) return out;
    const Builder build(ctx);
    for (std::size_t start = 0; start < m; ++start) {
        if (!residues[start] || residues[(start + m - 1) % m]) continue;
        std::size_t size = 1;
        while (residues[(start + size) % m]) ++size;
        out.runs.push_back({build.number(type, integer(m)), build.number(type, integer(start)),
                            build.number(type, integer(size - 1))});
    }
    return out;
}

Expr reduced_modulo(ir::Context& ctx, Expr e, Expr m) {
    if (e == nullptr || !constant(m) || m->int_value() <= 0) return e;
    const Integer by = m->int_value();
    const Affine form = Affine::of(e);
    Affine out = floormod(form.constant(), by);
    for (const auto& [t, factor] : form.terms()) {
        Integer small = floormod(factor, by);
        if (by < small * 2) small = small - by;
        const bool same_rest = t->op == ir::Op::FloorMod && ir::is_int_const(t->arg(1)) &&
                               t->arg(1)->int_value() > 0 &&
                               floormod(Integer(t->arg(1)->int_value()) * small, by).is_zero();
        if (same_rest) {
            out.add(Affine::of(t->arg(0)), small);  // (x % 8) modulo 4 is x modulo 4
        } else {
            out.add(Affine::term(t), small);
        }
    }
    Expr reduced = out.expr(ctx, e->type);
    return reduced == nullptr ? e : reduced;
}

Expr divides(ir::Context& ctx, Expr m, Expr e) {
    const Builder build(ctx);
    Expr reduced = reduced_modulo(ctx, e, m);
    const Affine form = Affine::of(reduced);
    if (!constant(m) || form.terms().empty()) {
        return ctx.eq(build.remainder(reduced, m), ctx.int_imm(e->type, 0));
    }
    const Integer by = m->int_value();
    const auto& [first, factor] = form.terms()[0];
    const auto inverse = inverse_modulo(factor, by);
    if (form.terms().size() == 1 && inverse) {  // factor * t + c == 0: t == -c / factor
        const Integer rest = floormod(-form.constant() * *inverse, by);
        return ctx.eq(ctx.floormod(first, m), build.number(e->type, rest));
    }
    Expr turned = factor.sign() < 0 ? (form * Integer(-1)).expr(ctx, e->type) : reduced;
    return ctx.eq(build.remainder(turned, m), ctx.int_imm(e->type, 0));
}

std::optional<JoinedWindow> joined(ir::Context& ctx, const Window& a, const Window& b) {
    if (!ir::is_int_const(a.width, 0) || !ir::is_int_const(b.width, 0)) return std::nullopt;
    if (!constant(a.modulus) || !constant(b.modulus)) return std::nullopt;
    const Integer m = a.modulus->int_value();
    const Integer n = b.modulus->int_value();
    if (m.sign() <= 0 || n.sign() <= 0) return std::nullopt;
    const Integer g = gcd(m, n);
    const Integer rest = floordiv(n, g);
    const auto inverse = inverse_modulo(floordiv(m, g), rest);
    const ir::ScalarType type = a.first->type;
    const Builder build(ctx);
    Expr modulus = build.number(type, m * rest);
    if (!inverse || modulus == nullptr) return std::nullopt;
    // x = a + m * t with m * t = b - a modulo n: t = (b - a) / g * inverse modulo n / g.
    Expr apart = build.difference(b.first, a.first);
    Expr steps = build.floored(apart, build.number(type, g));
    Expr by = build.number(type, m * *inverse);
    Expr first = build.sum(a.first, build.product(steps, by));
    if (first == nullptr) return std::nullopt;
    JoinedWindow out;
    out.window = {modulus, reduced_modulo(ctx, first, modulus), a.width};
    if (g != 1) {
        Expr by_g = build.number(type, g);
        out.compatible =
            ctx.eq(build.remainder(reduced_modulo(ctx, apart, by_g), by_g), build.number(type, 0));
    }
    return out;
}

}  // namespace proviso::analysis::solve
