#include "analysis/solve/isolate.h"

#include <algorithm>

#include "analysis/facts/affine.h"
#include "analysis/solve/arithmetic.h"
#include "analysis/solve/remainders.h"
#include "analysis/solve/tidy.h"
#include "ir/children.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

constexpr int kDeepest = 40;

class Isolator {
  public:
    Isolator(Prover& prover, const std::vector<Expr>& facts, Expr x, const IsolateOptions& options)
        : prover_(prover),
          ctx_(prover.context()),
          build_(ctx_),
          facts_(facts),
          known_(facts),
          x_(x),
          options_(options) {}

    Isolated run(Expr condition) {
        learn(condition);
        Cases found = claim(condition, true, kDeepest);
        if (!found) found = fallback();
        Isolated out{{}, dropped_};
        for (Case& c : *found) {
            if (tidy(prover_, facts_, x_, c)) out.cases.push_back(std::move(c));
        }
        merge(ctx_, x_->type, out.cases);
        return out;
    }

  private:
    // What the condition says without x holds wherever the rest matters.
    void learn(Expr condition) {
        if (condition->op == Op::And) {
            for (Expr part : condition->args) learn(part);
        } else if (!mentions(condition, x_)) {
            known_.push_back(condition);
        }
    }

    std::vector<Case> fallback() {
        dropped_ = true;
        return options_.unknown_as ? std::vector<Case>{Case{}} : std::vector<Case>{};
    }

    std::vector<Case> settled(Cases cases) { return cases ? std::move(*cases) : fallback(); }

    static Case lower(Expr e) { return Case{{e}, {}, {}, {}}; }
    static Case upper(Expr e) { return Case{{}, {e}, {}, {}}; }
    Expr zero() { return ctx_.int_imm(x_->type, 0); }

    Cases conjunction(const Cases& a, const Cases& b) const {
        return solve::conjunction(ctx_, x_->type, a, b);
    }

    Cases claim(Expr e, bool positive, int depth) {
        if (depth == 0) return std::nullopt;
        if (!mentions(e, x_)) return case_of_others(positive ? e : build_.opposite(e));
        switch (e->op) {
            case Op::Not: return claim(e->arg(0), !positive, depth - 1);
            case Op::And:
            case Op::Or: {
                const Cases a = settled(claim(e->arg(0), positive, depth - 1));
                const Cases b = settled(claim(e->arg(1), positive, depth - 1));
                return (e->op == Op::And) == positive ? conjunction(a, b) : disjunction(a, b);
            }
            case Op::Lt:
            case Op::Le:
            case Op::Eq:
            case Op::Ne: break;
            default: return std::nullopt;
        }
        if (!e->arg(0)->type.is_exact_int()) return std::nullopt;
        const Affine a = Affine::of(e->arg(0));
        const Affine b = Affine::of(e->arg(1));
        if (e->op == Op::Eq || e->op == Op::Ne) {
            if ((e->op == Op::Eq) == positive) return equation(b - a, depth);
            return disjunction(at_least_zero(b - a - Affine(1), depth),
                               at_least_zero(a - b - Affine(1), depth));
        }
        // a < b: b - a - 1 >= 0; not a < b: a - b >= 0.
        const Affine gap = positive ? b - a : a - b;
        const bool strict = (e->op == Op::Lt) == positive;
        return at_least_zero(strict ? gap - Affine(1) : gap, depth);
    }

    Expr expr(const Affine& form) { return form.expr(ctx_, x_->type); }

    // By what all factors have in common, rounded down: as good for form >= 0 as the form.
    static Affine divided(const Affine& form) {
        Integer common = 0;
        for (const auto& [t, factor] : form.terms()) common = gcd(common, factor);
        if (common <= Integer(1)) return form;
        Affine out = floordiv(form.constant(), common);
        for (const auto& [t, factor] : form.terms()) {
            out.add(Affine::term(t), floordiv(factor, common));
        }
        return out;
    }

    // form >= 0.
    Cases at_least_zero(const Affine& given, int depth) {
        if (depth == 0) return std::nullopt;
        const Affine form = gathered(ctx_, x_, given);
        const auto term = term_with(x_, form);
        if (!term) {
            Expr gap = expr(divided(form));
            if (gap == nullptr) return std::nullopt;
            if (!mentions(gap, x_)) return case_of_others(build_.balanced(ctx_.le(zero(), gap)));
            return split_choice(form, depth);
        }
        const auto& [t, factor] = *term;
        // t >= low or t <= high, whichever the sign of the factor makes of it.
        Expr rest = expr(factor.sign() > 0 ? form.without(t) * Integer(-1) : form.without(t));
        Expr size = build_.number(x_->type, abs(factor));
        if (rest == nullptr || size == nullptr || t->type != x_->type) return std::nullopt;
        if (factor.sign() > 0) return at_least(t, build_.ceiling(rest, size), depth - 1);
        return at_most(t, build_.floored(rest, size), depth - 1);
    }

    bool positive(Expr e) { return prover_.proves_cheaply(known_, ctx_.lt(zero(), e)); }

    // t >= low for a term t with x in it.
    Cases at_least(Expr t, Expr low, int depth) {
        if (low == nullptr || depth == 0) return std::nullopt;
        if (t == x_) return std::vector<Case>{lower(low)};
        if (const auto q = division(t)) {  // u // k >= low
            return at_least_zero(Affine::of(q->first) - Affine::of(build_.product(low, q->second)),
                                 depth);
        }
        if (is_square(t)) return square_at_least(t->arg(0), low, depth);
        if (const auto p = product(t)) {
            return at_least_zero(Affine::of(p->first) - Affine::of(build_.ceiling(low, p->second)),
                                 depth);
        }
        if (const auto p = product_of_any_sign(t)) {
            return by_sign(*p, ctx_.le(low, zero()), depth, [&](Expr u, Expr s, bool negated) {
                if (!negated) return at_least(ctx_.mul(u, s), low, depth - 1);
                return at_most(ctx_.mul(u, s), build_.difference(zero(), low), depth - 1);
            });
        }
        if (t->op == Op::FloorMod) {
            Expr most = build_.difference(t->arg(1), build_.number(t->type, 1));
            return remainder_within(t, low, build_.difference(most, low));
        }
        return split_choice(Affine::term(t) - Affine::of(low), depth);
    }

    // t <= high.
    Cases at_most(Expr t, Expr high, int depth) {
        if (high == nullptr || depth == 0) return std::nullopt;
        if (t == x_) return std::vector<Case>{upper(high)};
        if (const auto q = division(t)) {  // u // k <= high: u <= high * k + k - 1
            Expr next = build_.product(build_.sum(high, build_.number(t->type, 1)), q->second);
            if (next == nullptr) return std::nullopt;
            return at_least_zero(Affine::of(next) - Affine::of(q->first) - Affine(1), depth);
        }
        if (is_square(t)) return square_at_most(t->arg(0), high, depth);
        if (const auto p = product(t)) {
            return at_least_zero(Affine::of(build_.floored(high, p->second)) - Affine::of(p->first),
                                 depth);
        }
        if (const auto p = product_of_any_sign(t)) {
            return by_sign(*p, ctx_.le(zero(), high), depth, [&](Expr u, Expr s, bool negated) {
                if (!negated) return at_most(ctx_.mul(u, s), high, depth - 1);
                return at_least(ctx_.mul(u, s), build_.difference(zero(), high), depth - 1);
            });
        }
        if (t->op == Op::FloorMod) return remainder_within(t, zero(), high);
        return split_choice(Affine::of(high) - Affine::term(t), depth);
    }

    // u and k of u // k with k > 0.
    std::optional<std::pair<Expr, Expr>> division(Expr t) {
        const bool truncates = t->op == Op::TruncDiv;
        if (t->op != Op::FloorDiv && !truncates) return std::nullopt;
        if (mentions(t->arg(1), x_) || !positive(t->arg(1))) return std::nullopt;
        if (truncates && !prover_.proves_cheaply(known_, ctx_.le(zero(), t->arg(0)))) {
            return std::nullopt;
        }
        return std::pair(t->arg(0), t->arg(1));
    }

    // u and s of u * s with s > 0 and without x.
    std::optional<std::pair<Expr, Expr>> product(Expr t) {
        const auto p = product_with_parameter(t);
        return p && positive(p->second) ? p : std::nullopt;
    }
    std::optional<std::pair<Expr, Expr>> product_of_any_sign(Expr t) {
        return options_.split_signs ? product_with_parameter(t) : std::nullopt;
    }
    std::optional<std::pair<Expr, Expr>> product_with_parameter(Expr t) const {
        if (t->op != Op::Mul) return std::nullopt;
        for (const auto& [u, s] :
             {std::pair(t->arg(0), t->arg(1)), std::pair(t->arg(1), t->arg(0))}) {
            if (!mentions(s, x_)) return std::pair(u, s);
        }
        return std::nullopt;
    }

    // u * s compared with something, for s > 0, s < 0 (then of u * -s) and s == 0.
    template <typename Compared>
    Cases by_sign(const std::pair<Expr, Expr>& p, Expr if_zero, int depth,
                  const Compared& compared) {
        const auto& [u, s] = p;
        Expr minus = build_.difference(zero(), s);
        if (minus == nullptr || depth < 3) return std::nullopt;
        const auto where = [&](Expr sign, const auto& cases) -> Cases {
            known_.push_back(sign);
            Cases out = conjunction(case_of_others(sign), cases());
            known_.pop_back();
            return out;
        };
        return disjunction(
            disjunction(where(ctx_.lt(zero(), s), [&] { return compared(u, s, false); }),
                        where(ctx_.lt(s, zero()), [&] { return compared(u, minus, true); })),
            where(ctx_.eq(s, zero()),
                  [&]() -> Cases { return case_of_others(build_.balanced(if_zero)); }));
    }

    static bool is_absolute(Expr t) { return t->op == Op::Math && t->math_fn() == ir::MathFn::Abs; }
    static bool is_square(Expr t) { return t->op == Op::Mul && t->arg(0) == t->arg(1); }

    // u * u <= high.
    Cases square_at_most(Expr u, Expr high, int depth) {
        if (!ir::is_int_const(high)) {  // of what the roots are is not said: high >= 0 is necessary
            if (!options_.unknown_as) return std::nullopt;
            dropped_ = true;
            return case_of_others(build_.balanced(ctx_.le(zero(), high)));
        }
        const Integer limit = high->int_value();
        if (limit.sign() < 0) return std::vector<Case>{};
        const Affine root = square_root(limit);
        return conjunction(at_least_zero(Affine::of(u) + root, depth),
                           at_least_zero(root - Affine::of(u), depth));
    }

    // u * u >= low.
    Cases square_at_least(Expr u, Expr low, int depth) {
        if (!ir::is_int_const(low)) return std::nullopt;
        const Integer limit = low->int_value();
        if (limit.sign() <= 0) return std::vector<Case>{Case{}};
        const Affine root = square_root(limit - 1) + 1;
        return disjunction(at_least_zero(Affine(0) - root - Affine::of(u), depth),
                           at_least_zero(Affine::of(u) - root, depth));
    }

    // (u - first) % k <= width for t = u % k, where first >= 0 or first + width == k - 1.
    Cases remainder_within(Expr t, Expr first, Expr width) {
        Expr k = t->arg(1);
        if (mentions(k, x_) || !positive(k)) return std::nullopt;
        return solve::remainder_within(ctx_, x_, t->arg(0), k, first, width);
    }

    // form == 0.
    Cases equation(const Affine& given, int depth) {
        if (depth == 0) return std::nullopt;
        Affine form = gathered(ctx_, x_, given);
        Integer common = 0;
        for (const auto& [t, factor] : form.terms()) common = gcd(common, factor);
        if (common > Integer(1) && !floormod(form.constant(), common).is_zero()) {
            return std::vector<Case>{};
        }
        form = divided(form);
        const auto term = term_with(x_, form);
        if (term && term->first == x_) return equals(form, term->second);
        if (term && abs(term->second) == 1) {
            const Cases found =
                term_equals(term->first, form.without(term->first) * -term->second, depth);
            if (found) return found;
        }
        Expr left = expr(form);
        if (!term && left != nullptr && !mentions(left, x_)) {
            return case_of_others(ctx_.eq(left, zero()));
        }
        const Cases above = at_least_zero(form, depth - 1);
        const Cases below = at_least_zero(form * Integer(-1), depth - 1);
        if (!above && !below) return std::nullopt;
        return conjunction(settled(above), settled(below));
    }

    // c * x + rest == 0: x == r // c where c divides r.
    Cases equals(const Affine& form, const Integer& factor) {
        Expr c = build_.number(x_->type, abs(factor));
        Expr r = expr(form.without(x_) * Integer(-factor.sign()));
        Expr value = build_.floored(r, c);
        if (value == nullptr) return std::nullopt;
        if (r == nullptr || c == nullptr) return std::nullopt;
        const Cases possible = case_of_others(divides(ctx_, c, r));
        return conjunction(possible, std::vector<Case>{Case{{value}, {value}, {}, {}}});
    }

    // t == value for a term that is no variable, where that says more than both comparisons.
    Cases term_equals(Expr t, const Affine& form, int depth) {
        Expr value = expr(form);
        if (value == nullptr) return std::nullopt;
        if (t->op == Op::FloorMod) {
            const Cases below = case_of_others(build_.balanced(ctx_.lt(value, t->arg(1))));
            const Cases above = case_of_others(build_.balanced(ctx_.le(zero(), value)));
            return conjunction(conjunction(above, below), remainder_within(t, value, zero()));
        }
        if (t->op == Op::BitXor) {
            for (const auto& [u, s] :
                 {std::pair(t->arg(0), t->arg(1)), std::pair(t->arg(1), t->arg(0))}) {
                if (mentions(s, x_)) continue;
                Expr both_sides = exclusive_or(value, s);
                return equation(Affine::of(u) - Affine::of(both_sides), depth - 1);
            }
        }
        if (is_absolute(t)) {
            const Cases some = case_of_others(build_.balanced(ctx_.le(zero(), value)));
            const Affine u = Affine::of(t->arg(0));
            return conjunction(
                some, disjunction(equation(u - form, depth - 1), equation(u + form, depth - 1)));
        }
        if (is_square(t) && ir::is_int_const(value)) {
            const Integer square = value->int_value();
            if (square.sign() < 0) return std::vector<Case>{};
            const Integer root = square_root(square);
            if (root * root != square) return std::vector<Case>{};
            const Affine u = Affine::of(t->arg(0));
            const Cases first = equation(u - Affine(root), depth - 1);
            return root.is_zero() ? first
                                  : disjunction(first, equation(u + Affine(root), depth - 1));
        }
        return std::nullopt;
    }

    Expr exclusive_or(Expr a, Expr b) {
        if (ir::is_int_const(a) && ir::is_int_const(b)) {
            return ctx_.int_imm(a->type, a->int_value() ^ b->int_value());
        }
        return ctx_.make(Op::BitXor, {a, b});
    }

    // form >= 0 with a min, max, choice or absolute value in it: by its arms.
    Cases split_choice(const Affine& form, int depth) {
        for (const auto& [t, factor] : form.terms()) {
            if (!mentions(t, x_) || depth == 0) continue;
            const auto with = [&](Expr arm) {
                return at_least_zero(form.without(t) + Affine::of(arm) * factor, depth - 1);
            };
            if (t->op == Op::Min || t->op == Op::Max) {
                const bool all = (t->op == Op::Min) == (factor.sign() > 0);
                return all ? conjunction(with(t->arg(0)), with(t->arg(1)))
                           : disjunction(with(t->arg(0)), with(t->arg(1)));
            }
            const auto sign = by_sign_of_operand(ctx_, t);
            if (is_absolute(t) && sign) {  // max(u, -u)
                return factor.sign() < 0
                           ? conjunction(with(sign->otherwise), with(sign->if_negative))
                           : disjunction(with(sign->otherwise), with(sign->if_negative));
            }
            if (sign && (sign->divisor == nullptr || positive(sign->divisor))) {
                const Affine of = Affine::of(sign->operand);
                return disjunction(
                    conjunction(at_least_zero(Affine(-1) - of, depth - 1), with(sign->if_negative)),
                    conjunction(at_least_zero(of, depth - 1), with(sign->otherwise)));
            }
            if (t->op != Op::Select && t->op != Op::IfThenElse) continue;
            return disjunction(conjunction(claim(t->arg(0), true, depth - 1), with(t->arg(1))),
                               conjunction(claim(t->arg(0), false, depth - 1), with(t->arg(2))));
        }
        return std::nullopt;
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    const std::vector<Expr>& facts_;
    std::vector<Expr> known_;  // and what the condition says without x
    Expr x_;
    IsolateOptions options_;
    bool dropped_ = false;
};

}  // namespace

Isolated isolate(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition,
                 const IsolateOptions& options) {
    return Isolator(prover, facts, x, options).run(condition);
}

}  // namespace proviso::analysis::solve
