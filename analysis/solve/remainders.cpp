#include "analysis/solve/remainders.h"

#include "analysis/facts/affine.h"
#include "analysis/solve/arithmetic.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

const Integer kMostResidues = 16;
constexpr int kDeepest = 16;

class RemainderSolver {
  public:
    RemainderSolver(ir::Context& ctx, Expr x) : ctx_(ctx), build_(ctx), x_(x) {}

    // (u - first) % k <= width.
    Cases window(const Affine& given, Expr k, const Affine& first, Expr width, int depth) {
        if (depth == 0) return std::nullopt;
        const Affine u = gathered(ctx_, x_, given);
        const auto term = term_with(x_, u);
        if (!term) return std::nullopt;
        const auto& [t, factor] = *term;
        const Affine rest = first - u.without(t);  // (factor * t - rest) % k <= width
        if (t == x_ && factor == 1) return one_window(k, rest, width);
        if (t == x_ && factor == -1) {
            return one_window(k, rest * Integer(-1) - Affine::of(width), width);
        }
        if (!ir::is_int_const(k)) return std::nullopt;
        const Integer m = k->int_value();
        const bool by_constant =
            t->args.size() == 2 && ir::is_int_const(t->arg(1)) && t->arg(1)->int_value() > 0;
        if (t->op == Op::FloorMod && by_constant &&
            floormod(factor * Integer(t->arg(1)->int_value()), m).is_zero()) {
            return window(Affine::of(t->arg(0)) * factor, k, rest, width, depth - 1);
        }
        if (t->op == Op::FloorDiv && by_constant && factor == 1) {
            // (v // a - r) % k <= w is (v - r * a) % (k * a) <= w * a + a - 1.
            const Integer a = t->arg(1)->int_value();
            Expr wide = build_.number(x_->type, m * a);
            Expr more = expr(Affine::of(width) * a + Affine(a - 1));
            if (wide == nullptr || more == nullptr) return std::nullopt;
            return window(Affine::of(t->arg(0)), wide, rest * a, more, depth - 1);
        }
        if (ir::is_int_const(width, 0)) return congruence(t, factor, m, rest, depth);
        if (!ir::is_int_const(width) || Integer(width->int_value()) > kMostResidues) {
            return std::nullopt;
        }
        Cases out = std::vector<Case>{};
        for (Integer d = 0; d <= Integer(width->int_value()); d = d + 1) {
            out = disjunction(out, congruence(t, factor, m, rest + Affine(d), depth));
        }
        return out;
    }

  private:
    Expr expr(const Affine& form) { return form.expr(ctx_, x_->type); }
    Expr zero() { return ctx_.int_imm(x_->type, 0); }

    Cases one_window(Expr k, const Affine& first, Expr width) {
        Expr start = reduced_modulo(ctx_, expr(first), k);
        if (start == nullptr) return std::nullopt;
        if (ir::is_int_const(start) && ir::is_int_const(k)) start = build_.remainder(start, k);
        Case out;
        out.windows = {{k, start, width}};
        return std::vector<Case>{out};
    }

    // factor * t = r modulo m: t = r / g * (factor / g)^-1 modulo m / g, where g divides r.
    Cases congruence(Expr t, const Integer& factor, const Integer& m, const Affine& r, int depth) {
        const Integer g = gcd(factor, m);
        const Integer small = floordiv(m, g);
        Expr value = expr(r);
        Expr by_g = build_.number(x_->type, g);
        if (value == nullptr || by_g == nullptr) return std::nullopt;
        Cases possible = case_of_others(divides(ctx_, by_g, value));
        if (small == 1 || possible->empty()) return possible;
        const auto inverse = inverse_modulo(floordiv(factor, g), small);
        Expr k = build_.number(x_->type, small);
        Expr part = build_.floored(value, by_g);
        if (!inverse || k == nullptr || part == nullptr) return std::nullopt;
        const Affine target = Affine::of(part) * *inverse;
        if (t == x_) return conjunction(ctx_, x_->type, possible, one_window(k, target, zero()));
        if (factor == 1 && g == 1) return std::nullopt;  // would come back as it is
        const Cases inner = window(Affine::term(t), k, target, zero(), depth - 1);
        return conjunction(ctx_, x_->type, possible, inner);
    }

    ir::Context& ctx_;
    Builder build_;
    Expr x_;
};

}  // namespace

Cases remainder_within(ir::Context& ctx, Expr x, Expr u, Expr k, Expr first, Expr width) {
    if (first == nullptr || width == nullptr) return std::nullopt;
    const Builder build(ctx);
    Cases some = case_of_others(build.balanced(ctx.le(ctx.int_imm(x->type, 0), width)));
    if (some->empty()) return some;
    const bool fixed = ir::is_int_const(k) && ir::is_int_const(width);
    if (fixed && width->int_value() >= k->int_value() - 1) return std::vector<Case>{Case{}};
    RemainderSolver solver(ctx, x);
    return conjunction(ctx, x->type, some,
                       solver.window(Affine::of(u), k, Affine::of(first), width, kDeepest));
}

}  // namespace proviso::analysis::solve
