#include "analysis/solve/isolate.h"

#include <algorithm>
#include <numeric>

#include "analysis/affine.h"
#include "ir/children.h"

namespace proviso::analysis::solve {

using ir::Expr;
using ir::Int128;
using ir::Integer;
using ir::Op;

namespace {

constexpr std::size_t kMostCases = 64;
constexpr int kDeepest = 40;
const Integer kMostResidues = 16;
constexpr ir::Int128 kMostModulus = 1000;  // of remainders that are joined by trying

// Cases, or "not understood".
using Cases = std::optional<std::vector<Case>>;

class Isolator {
  public:
    Isolator(Prover& prover, const std::vector<Expr>& facts, Expr x, bool unknown_as)
        : prover_(prover),
          ctx_(prover.context()),
          build_(ctx_),
          facts_(facts),
          known_(facts),
          x_(x),
          unknown_as_(unknown_as) {}

    Isolated run(Expr condition) {
        learn(condition);
        Cases found = claim(condition, true, kDeepest);
        if (!found) found = fallback();
        Isolated out{{}, dropped_};
        for (Case& c : *found) {
            if (tidy(c)) out.cases.push_back(std::move(c));
        }
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
        return unknown_as_ ? std::vector<Case>{Case{}} : std::vector<Case>{};
    }

    std::vector<Case> settled(Cases cases) { return cases ? std::move(*cases) : fallback(); }

    static Case lower(Expr e) { return Case{{e}, {}, nullptr, nullptr, {}}; }
    static Case upper(Expr e) { return Case{{}, {e}, nullptr, nullptr, {}}; }

    static void append(std::vector<Expr>& to, const std::vector<Expr>& from) {
        for (Expr e : from) {
            if (std::find(to.begin(), to.end(), e) == to.end()) to.push_back(e);
        }
    }

    // a becomes "both hold"; false where they contradict each other. Where two remainders cannot be
    // joined, the second is left out, or everything, as parts that are not understood are.
    bool join(Case& a, const Case& b) {
        append(a.lowers, b.lowers);
        append(a.uppers, b.uppers);
        append(a.others, b.others);
        if (b.modulus == nullptr || (a.modulus == b.modulus && a.remainder == b.remainder)) {
            return true;
        }
        if (a.modulus == nullptr) {
            a.modulus = b.modulus;
            a.remainder = b.remainder;
            return true;
        }
        for (Expr e : {a.modulus, a.remainder, b.modulus, b.remainder}) {
            if (!ir::is_int_const(e) || e->int_value() >= kMostModulus) return give_up_on_a_part();
        }
        const Int128 m = a.modulus->int_value();
        const Int128 n = b.modulus->int_value();
        for (Int128 r = a.remainder->int_value(), k = 0; k < n; ++k, r += m) {
            if ((r - b.remainder->int_value()) % n != 0) continue;
            const Int128 both =
                m / std::gcd(static_cast<std::int64_t>(m), static_cast<std::int64_t>(n)) * n;
            a.modulus = build_.number(x_->type, Integer(static_cast<std::int64_t>(both)));
            a.remainder = build_.number(x_->type, Integer(static_cast<std::int64_t>(r % both)));
            return a.modulus != nullptr && a.remainder != nullptr;
        }
        return false;
    }

    bool give_up_on_a_part() {
        dropped_ = true;
        return unknown_as_;
    }

    Cases conjunction(const std::vector<Case>& a, const std::vector<Case>& b) {
        std::vector<Case> out;
        for (const Case& p : a) {
            for (const Case& q : b) {
                Case one = p;
                if (!join(one, q)) continue;
                if (out.size() == kMostCases) return std::nullopt;
                out.push_back(std::move(one));
            }
        }
        return out;
    }

    Cases disjunction(std::vector<Case> a, const std::vector<Case>& b) {
        a.insert(a.end(), b.begin(), b.end());
        if (a.size() > kMostCases) return std::nullopt;
        return a;
    }

    Cases claim(Expr e, bool positive, int depth) {
        if (depth == 0) return std::nullopt;
        if (!mentions(e, x_)) return without_x(positive ? e : build_.opposite(e));
        switch (e->op) {
            case Op::Not: return claim(e->arg(0), !positive, depth - 1);
            case Op::And:
            case Op::Or: {
                const auto a = settled(claim(e->arg(0), positive, depth - 1));
                const auto b = settled(claim(e->arg(1), positive, depth - 1));
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
            return either(b - a - Affine(1), a - b - Affine(1), depth);
        }
        // a < b: b - a - 1 >= 0; not a < b: a - b >= 0.
        const Affine gap = positive ? b - a : a - b;
        const bool strict = (e->op == Op::Lt) == positive;
        return at_least_zero(strict ? gap - Affine(1) : gap, depth);
    }

    // A condition on the others, its conjuncts one by one.
    Cases without_x(Expr e) {
        const std::optional<bool> value = constant_truth(e);
        if (value) return *value ? std::vector<Case>{Case{}} : std::vector<Case>{};
        if (e->op == Op::And) return conjunction(*without_x(e->arg(0)), *without_x(e->arg(1)));
        return std::vector<Case>{Case{{}, {}, nullptr, nullptr, {e}}};
    }

    static std::optional<bool> constant_truth(Expr e) {
        if (ir::is_true(e)) return true;
        if (ir::is_false(e)) return false;
        const bool compares = e->op == Op::Le || e->op == Op::Lt;
        if (!compares || !e->arg(0)->type.is_exact_int()) return std::nullopt;
        const Affine gap = Affine::of(e->arg(1)) - Affine::of(e->arg(0));
        if (!gap.is_constant()) return std::nullopt;
        return gap.constant().sign() > 0 || (e->op == Op::Le && gap.constant().is_zero());
    }

    Cases either(const Affine& a, const Affine& b, int depth) {
        const Cases first = at_least_zero(a, depth);
        const Cases second = at_least_zero(b, depth);
        if (!first || !second) return std::nullopt;
        return disjunction(*first, *second);
    }

    // The only term that mentions x; none when there are several.
    std::optional<std::pair<Expr, Integer>> term_of(const Affine& form) const {
        std::optional<std::pair<Expr, Integer>> out;
        for (const auto& term : form.terms()) {
            if (!mentions(term.first, x_)) continue;
            if (out) return std::nullopt;
            out = term;
        }
        return out;
    }

    Expr expr(const Affine& form) { return form.expr(ctx_, x_->type); }

    // form >= 0.
    Cases at_least_zero(const Affine& form, int depth) {
        if (depth == 0) return std::nullopt;
        const auto term = term_of(form);
        if (!term) {
            Expr gap = expr(form);
            if (gap == nullptr) return std::nullopt;
            if (!mentions(gap, x_)) {
                return without_x(build_.balanced(ctx_.le(ctx_.int_imm(x_->type, 0), gap)));
            }
            return split_choice(form, depth);
        }
        const auto& [t, factor] = *term;
        // t >= low or t <= high, whichever the sign of the factor makes of it.
        Expr rest = expr(factor.sign() > 0 ? form.without(t) * Integer(-1) : form.without(t));
        Expr size = build_.number(x_->type, abs(factor));
        if (rest == nullptr || size == nullptr || t->type != x_->type) return std::nullopt;
        if (factor.sign() > 0) return at_least(t, ceiling(rest, size), depth - 1);
        return at_most(t, build_.floored(rest, size), depth - 1);
    }

    // ceil(a / b) for b > 0.
    Expr ceiling(Expr a, Expr b) {
        if (a == nullptr || b == nullptr || ir::is_int_const(b, 1)) return a;
        Expr up = build_.difference(build_.sum(a, b), build_.number(a->type, 1));
        return build_.floored(up, b);
    }

    bool positive(Expr e) {
        return prover_.proves_cheaply(known_, ctx_.lt(ctx_.int_imm(e->type, 0), e));
    }

    // t >= low for a term t with x in it.
    Cases at_least(Expr t, Expr low, int depth) {
        if (low == nullptr || depth == 0) return std::nullopt;
        if (t == x_) return std::vector<Case>{lower(low)};
        if (const auto q = division(t)) {  // u // k >= low
            return at_least_zero(Affine::of(q->first) - Affine::of(build_.product(low, q->second)),
                                 depth);
        }
        if (const auto p = product(t)) {
            return at_least_zero(Affine::of(p->first) - Affine::of(ceiling(low, p->second)), depth);
        }
        if (t->op == Op::FloorMod) return residues(t, Affine::of(low), true, depth);
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
        if (const auto p = product(t)) {
            return at_least_zero(Affine::of(build_.floored(high, p->second)) - Affine::of(p->first),
                                 depth);
        }
        if (t->op == Op::FloorMod) return residues(t, Affine::of(high), false, depth);
        return split_choice(Affine::of(high) - Affine::term(t), depth);
    }

    // u and k of u // k with k > 0; shifts are divisions.
    std::optional<std::pair<Expr, Expr>> division(Expr t) {
        if (t->op == Op::Shr && ir::is_int_const(t->arg(1)) && t->arg(1)->int_value() >= 0 &&
            t->arg(1)->int_value() < t->type.bits - 1) {
            const auto k = static_cast<unsigned>(t->arg(1)->int_value());
            return std::pair(t->arg(0), build_.number(t->type, Integer::power_of_two(k)));
        }
        const bool truncates = t->op == Op::TruncDiv;
        if (t->op != Op::FloorDiv && !truncates) return std::nullopt;
        if (mentions(t->arg(1), x_) || !positive(t->arg(1))) return std::nullopt;
        Expr zero = ctx_.int_imm(t->type, 0);
        if (truncates && !prover_.proves_cheaply(known_, ctx_.le(zero, t->arg(0)))) {
            return std::nullopt;
        }
        return std::pair(t->arg(0), t->arg(1));
    }

    // u and s of u * s with s > 0 and without x.
    std::optional<std::pair<Expr, Expr>> product(Expr t) {
        if (t->op != Op::Mul) return std::nullopt;
        for (const auto& [u, s] :
             {std::pair(t->arg(0), t->arg(1)), std::pair(t->arg(1), t->arg(0))}) {
            if (!mentions(s, x_) && positive(s)) return std::pair(u, s);
        }
        return std::nullopt;
    }

    // u % k >= limit, or <= limit: the residues one by one, for a small constant k.
    Cases residues(Expr t, const Affine& limit, bool above, int depth) {
        if (!ir::is_int_const(t->arg(1)) || !limit.is_constant()) return std::nullopt;
        const Integer k = t->arg(1)->int_value();
        if (k.sign() <= 0) return std::nullopt;
        Integer first = above ? max(limit.constant(), Integer(0)) : Integer(0);
        const Integer last = above ? k - 1 : min(limit.constant(), k - 1);
        if (first.is_zero() && last == k - 1) return std::vector<Case>{Case{}};
        if (last - first >= kMostResidues) return std::nullopt;
        std::vector<Case> out;
        for (; first <= last; first = first + 1) {
            const Cases one = residue(t, build_.number(t->type, first), depth);
            if (!one) return std::nullopt;
            out.insert(out.end(), one->begin(), one->end());
        }
        return out;
    }

    // u % k == r for u = a * x + b with a and k coprime: x = (r - b) / a modulo k.
    Cases residue(Expr t, Expr r, int depth) {
        if (depth == 0 || r == nullptr || !ir::is_int_const(t->arg(1))) return std::nullopt;
        const Integer k = t->arg(1)->int_value();
        const Affine u = Affine::of(t->arg(0));
        const auto term = term_of(u);
        if (k.sign() <= 0 || !term || term->first != x_) return std::nullopt;
        Integer inverse = 0;
        for (Integer c = 1; c <= k && k <= Integer(4096); c = c + 1) {
            if (floormod(c * term->second - 1, k).is_zero()) inverse = c;
        }
        if (inverse.is_zero() && k != 1) return std::nullopt;
        Affine value = (Affine::of(r) - u.without(x_)) * inverse;
        if (value.is_constant()) value = floormod(value.constant(), k);
        Case out;
        out.modulus = t->arg(1);
        out.remainder = expr(value);
        if (out.remainder == nullptr) return std::nullopt;
        if (!value.is_constant()) out.remainder = build_.remainder(out.remainder, out.modulus);
        if (!ir::is_int_const(r)) {
            out.others = {ctx_.le(ctx_.int_imm(r->type, 0), r), ctx_.lt(r, t->arg(1))};
        } else if (Integer(r->int_value()).sign() < 0 || Integer(r->int_value()) >= k) {
            return std::vector<Case>{};
        }
        return std::vector<Case>{out};
    }

    // form == 0.
    Cases equation(const Affine& form, int depth) {
        const auto term = term_of(form);
        if (depth == 0) return std::nullopt;
        if (term && abs(term->second) == 1) {
            Expr value = expr(form.without(term->first) * -term->second);
            Expr t = term->first;
            if (value == nullptr) return std::nullopt;
            if (t->op == Op::FloorMod) return residue(t, value, depth - 1);
            if (t->op == Op::BitAnd && ir::is_int_const(t->arg(1))) {
                const Integer mask = t->arg(1)->int_value();
                const bool low =
                    mask.sign() > 0 &&
                    mask + 1 == Integer::power_of_two(static_cast<unsigned>(mask.bit_length()));
                Expr k = build_.number(t->type, mask + 1);
                if (low && k != nullptr) {
                    return residue(ctx_.floormod(t->arg(0), k), value, depth - 1);
                }
            }
        }
        if (term && term->first == x_ && abs(term->second) != 1) {
            // c * x == r: x == r // c where c divides r.
            Expr c = build_.number(x_->type, abs(term->second));
            Expr r = expr(form.without(x_) * Integer(-term->second.sign()));
            Expr value = build_.floored(r, c);
            Expr rest = build_.remainder(r, c);
            if (value == nullptr || rest == nullptr) return std::nullopt;
            Expr zero = ctx_.int_imm(x_->type, 0);
            if (ir::is_int_const(rest) && rest != zero) return std::vector<Case>{};
            Case out{{value}, {value}, nullptr, nullptr, {}};
            if (rest != zero) out.others.push_back(ctx_.eq(rest, zero));
            return std::vector<Case>{out};
        }
        const Cases above = at_least_zero(form, depth - 1);
        const Cases below = at_least_zero(form * Integer(-1), depth - 1);
        if (!above || !below) return std::nullopt;
        return conjunction(*above, *below);
    }

    // form >= 0 with a min, max, choice or absolute value in it: by its arms.
    Cases split_choice(const Affine& form, int depth) {
        for (const auto& [t, factor] : form.terms()) {
            if (!mentions(t, x_) || depth == 0) continue;
            const auto with = [&](Expr arm) { return form.without(t) + Affine::of(arm) * factor; };
            if (t->op == Op::Min || t->op == Op::Max) {
                const Cases a = at_least_zero(with(t->arg(0)), depth - 1);
                const Cases b = at_least_zero(with(t->arg(1)), depth - 1);
                if (!a || !b) return std::nullopt;
                const bool all = (t->op == Op::Min) == (factor.sign() > 0);
                return all ? conjunction(*a, *b) : disjunction(*a, *b);
            }
            if (t->op != Op::Select && t->op != Op::IfThenElse) continue;
            const Cases yes = claim(t->arg(0), true, depth - 1);
            const Cases no = claim(t->arg(0), false, depth - 1);
            const Cases a = at_least_zero(with(t->arg(1)), depth - 1);
            const Cases b = at_least_zero(with(t->arg(2)), depth - 1);
            if (!yes || !no || !a || !b) return std::nullopt;
            const Cases first = conjunction(*yes, *a);
            const Cases second = conjunction(*no, *b);
            if (!first || !second) return std::nullopt;
            return disjunction(*first, *second);
        }
        return std::nullopt;
    }

    // Leaves out bounds that others imply; false for a case that cannot hold.
    bool tidy(Case& c) {
        std::vector<Expr> known = facts_;
        known.insert(known.end(), c.others.begin(), c.others.end());
        const auto drop = [&](std::vector<Expr>& ends, bool lower_ends) {
            for (std::size_t i = 0; i < ends.size();) {
                bool implied = false;
                for (std::size_t j = 0; j < ends.size() && !implied; ++j) {
                    if (i == j) continue;
                    Expr claim = lower_ends ? ctx_.le(ends[i], ends[j]) : ctx_.le(ends[j], ends[i]);
                    implied = prover_.proves_cheaply(known, claim);
                }
                if (implied) {
                    ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(i));
                } else {
                    ++i;
                }
            }
        };
        drop(c.lowers, true);
        drop(c.uppers, false);
        known.push_back(c.formula(ctx_, x_));
        return !prover_.proves_cheaply(known, ctx_.false_());
    }

    Prover& prover_;
    ir::Context& ctx_;
    Builder build_;
    const std::vector<Expr>& facts_;
    std::vector<Expr> known_;  // and what the condition says without x
    Expr x_;
    bool unknown_as_;
    bool dropped_ = false;
};

}  // namespace

Expr Case::formula(ir::Context& ctx, Expr x) const {
    std::vector<Expr> parts = others;
    if (lowers.size() == 1 && lowers == uppers) {
        parts.push_back(ctx.eq(x, lowers[0]));
    } else {
        for (Expr e : lowers) parts.push_back(ctx.le(e, x));
        for (Expr e : uppers) parts.push_back(ctx.le(x, e));
    }
    if (modulus != nullptr) parts.push_back(ctx.eq(ctx.floormod(x, modulus), remainder));
    return ctx.all_of(parts);
}

Isolated isolate(Prover& prover, const std::vector<Expr>& facts, Expr x, Expr condition,
                 bool unknown_as) {
    return Isolator(prover, facts, x, unknown_as).run(condition);
}

}  // namespace proviso::analysis::solve
