#include "analysis/solve/arithmetic.h"

#include "analysis/solve/checked.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

using Forms = std::optional<Affine>;  // none: nothing simpler is known

class Rewriter {
  public:
    explicit Rewriter(ir::Context& ctx) : ctx_(ctx), build_(ctx) {}

    Forms term(Expr t) {
        if (!t->type.is_exact_int() || t->args.size() != 2) return std::nullopt;
        Expr a = t->arg(0);
        Expr b = t->arg(1);
        const bool bits = t->op == Op::BitAnd || t->op == Op::BitOr || t->op == Op::BitXor;
        if (bits && ir::is_int_const(a)) std::swap(a, b);
        if (!ir::is_int_const(b)) return std::nullopt;
        const Integer c = b->int_value();
        switch (t->op) {
            case Op::BitAnd: return masked(a, c);
            case Op::BitOr: {  // x | c is x + c without the bits that both have; not(not x & not c)
                const Forms common = c.sign() >= 0 ? masked(a, c) : Forms();
                if (common) return Affine::of(a) + Affine(c) - *common;
                if (c.sign() >= 0) return std::nullopt;
                const Forms rest = masked(a, -c - 1);  // of x: the bits that c leaves
                return rest ? Forms(*rest + Affine(c)) : Forms();
            }
            case Op::BitXor:
                if (c == -1) return Affine(-1) - Affine::of(a);
                return c.is_zero() ? Forms(Affine::of(a)) : Forms();
            case Op::Shr:
                if (c.sign() < 0 || c >= Integer(t->type.bits)) return std::nullopt;
                return quotient(a, Integer::power_of_two(static_cast<unsigned>(*c.to_int128())));
            case Op::FloorDiv:
                if (c.sign() >= 0) return std::nullopt;
                return quotient(negative(a), -c);
            case Op::FloorMod:
                if (c.sign() >= 0) return std::nullopt;
                return times(remainder(negative(a), -c), -1);
            case Op::TruncDiv:
                if (c.sign() >= 0) return std::nullopt;
                return times(node(Op::TruncDiv, a, -c), -1);
            case Op::TruncMod:
                if (c.sign() >= 0) return std::nullopt;
                return node(Op::TruncMod, a, -c);
            default: return std::nullopt;
        }
    }

  private:
    static Forms times(const Forms& form, const Integer& by) {
        return form ? Forms(*form * by) : form;
    }
    Expr negative(Expr e) { return (Affine::of(e) * Integer(-1)).expr(ctx_, e->type); }

    Forms node(Op op, Expr a, const Integer& c) {
        if (a == nullptr) return std::nullopt;
        Expr by = build_.number(a->type, c);
        return by == nullptr ? Forms() : Forms(Affine::term(ctx_.make(op, {a, by})));
    }
    Forms quotient(Expr a, const Integer& c) {
        return a != nullptr && c == 1 ? Forms(Affine::of(a)) : node(Op::FloorDiv, a, c);
    }
    Forms remainder(Expr a, const Integer& c) { return node(Op::FloorMod, a, c); }

    // x & c, where the bits of c, or those that it lacks, are one run.
    Forms masked(Expr x, const Integer& c) {
        if (c.is_zero()) return Affine(0);
        if (c == -1) return Affine::of(x);
        if (c.sign() < 0) {
            const Forms rest = masked(x, -c - 1);
            return rest ? Forms(Affine::of(x) - *rest) : Forms();
        }
        Integer low = 1;  // the lowest bit of the run
        while (floormod(c, low * 2).is_zero()) low = low * 2;
        const Integer width = floordiv(c, low) + 1;
        if (width != Integer::power_of_two(static_cast<unsigned>(width.bit_length() - 1))) {
            return std::nullopt;
        }
        Expr high = x;
        if (low != 1) {
            Expr by = build_.number(x->type, low);
            if (by == nullptr) return std::nullopt;
            high = ctx_.floordiv(x, by);
        }
        return times(remainder(high, width), low);
    }

    ir::Context& ctx_;
    Builder build_;
};

}  // namespace

Affine arithmetic(ir::Context& ctx, const Affine& form) {
    Rewriter rewriter(ctx);
    Affine out = form.constant();
    for (const auto& [t, factor] : form.terms()) {
        const Forms simpler = rewriter.term(t);
        out.add(simpler ? *simpler : Affine::term(t), factor);
    }
    // u % k is u - k * (u // k), where that leaves fewer terms.
    const Builder build(ctx);
    for (bool again = true; again;) {
        again = false;
        for (const auto& [t, factor] : out.terms()) {
            if (t->op != Op::FloorMod || !ir::is_int_const(t->arg(1))) continue;
            Expr whole = build.floored(t->arg(0), t->arg(1));
            if (whole == nullptr || t->arg(1)->int_value() <= 0) continue;
            Affine other = out.without(t);
            other.add(Affine::of(t->arg(0)), factor);
            other.add(Affine::of(whole), -factor * Integer(t->arg(1)->int_value()));
            if (other.terms().size() >= out.terms().size()) continue;
            out = other;
            again = true;
            break;
        }
    }
    return out;
}

Affine with_remainders(ir::Context& ctx, const Affine& form) {
    // factor * t as times * (u // k) * k.
    const auto quotient = [](Expr t,
                             const Integer& factor) -> std::optional<std::pair<Expr, Integer>> {
        if (t->op == Op::FloorDiv && ir::is_int_const(t->arg(1)) && t->arg(1)->int_value() > 0) {
            const Integer k = t->arg(1)->int_value();
            if (!floormod(factor, k).is_zero()) return std::nullopt;
            return std::pair(t, floordiv(factor, k));
        }
        if (t->op != Op::Mul) return std::nullopt;
        for (const auto& [q, k] :
             {std::pair(t->arg(0), t->arg(1)), std::pair(t->arg(1), t->arg(0))}) {
            if (q->op == Op::FloorDiv && q->arg(1) == k) return std::pair(q, factor);
        }
        return std::nullopt;
    };
    Affine out = form;
    for (const auto& [t, factor] : form.terms()) {
        const auto q = quotient(t, factor);
        if (!q) continue;
        Affine other = out.without(t);
        other.add(Affine::of(q->first->arg(0)), q->second);
        other.add(Affine::term(ctx.floormod(q->first->arg(0), q->first->arg(1))), -q->second);
        if (other.terms().size() < out.terms().size()) out = other;
    }
    return out;
}

Affine gathered(ir::Context& ctx, Expr x, const Affine& form) {
    Affine out = arithmetic(ctx, form);
    Affine factor;
    Affine rest = out.constant();
    int with_x = 0;
    for (const auto& [t, k] : out.terms()) {
        if (!mentions(t, x)) {
            rest.add(Affine::term(t), k);
            continue;
        }
        ++with_x;
        if (t == x) {
            factor.add(k);
        } else if (t->op == Op::Mul && t->arg(0) == x && !mentions(t->arg(1), x)) {
            factor.add(Affine::of(t->arg(1)), k);
        } else if (t->op == Op::Mul && t->arg(1) == x && !mentions(t->arg(0), x)) {
            factor.add(Affine::of(t->arg(0)), k);
        } else {
            return out;
        }
    }
    Expr by = with_x < 2 ? nullptr : factor.expr(ctx, x->type);
    return by == nullptr ? out : rest + Affine::term(ctx.mul(x, by));
}

std::optional<std::pair<Expr, Integer>> term_with(Expr x, const Affine& form) {
    std::optional<std::pair<Expr, Integer>> out;
    for (const auto& term : form.terms()) {
        if (!mentions(term.first, x)) continue;
        if (out) return std::nullopt;
        out = term;
    }
    return out;
}

std::optional<BySign> by_sign_of_operand(ir::Context& ctx, Expr t) {
    if (!t->type.is_exact_int() || t->args.empty() || t->arg(0)->type != t->type) {
        return std::nullopt;
    }
    Expr u = t->arg(0);
    Expr minus = (Affine::of(u) * Integer(-1)).expr(ctx, u->type);
    if (minus == nullptr) return std::nullopt;
    if (t->op == Op::Math && t->math_fn() == ir::MathFn::Abs) return BySign{u, minus, u};
    if (t->op != Op::TruncDiv && t->op != Op::TruncMod) return std::nullopt;
    const Op floored = t->op == Op::TruncDiv ? Op::FloorDiv : Op::FloorMod;
    return BySign{u, ctx.neg(ctx.make(floored, {minus, t->arg(1)})),
                  ctx.make(floored, {u, t->arg(1)}), t->arg(1)};
}

Integer square_root(const Integer& value) {
    Integer low = 0;
    Integer high = Integer::power_of_two(static_cast<unsigned>(value.bit_length() / 2 + 1));
    while (low < high) {  // low * low <= value < (high + 1) * (high + 1)
        const Integer middle = floordiv(low + high + 1, 2);
        if (middle * middle <= value) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

std::optional<Integer> inverse_modulo(const Integer& a, const Integer& m) {
    Integer r = m;
    Integer next = floormod(a, m);
    Integer t = 0;
    Integer next_t = 1;
    while (!next.is_zero()) {
        const Integer q = floordiv(r, next);
        const Integer rest = r - q * next;
        r = next;
        next = rest;
        const Integer t_rest = t - q * next_t;
        t = next_t;
        next_t = t_rest;
    }
    if (r != 1) return std::nullopt;
    return floormod(t, m);
}

}  // namespace proviso::analysis::solve
