// Float classes among the cheap deciders: which of NaN, infinities, normal and subnormal numbers
// and zeros a term can be. What operators do to classes is ir/domains/float_class.h; here is what
// claims say of them, and the identities that hold by class:
//   x * 2.0 = x + x
//   x + 0.0 = x   when x is never -0.0        x + (-0.0) = x        x - 0.0 = x        x * 1.0 = x
#include <array>

#include "analysis/cheap/knowledge.h"

namespace proviso::analysis::cheap {

using ir::Expr;
using ir::FloatClass;
using ir::Op;
using Mask = std::uint16_t;

namespace {

// Numbers in order, the two zeros as one.
constexpr std::array<Mask, 7> kByRank = {FloatClass::kNegInf,       FloatClass::kNegNormal,
                                         FloatClass::kNegSubnormal, FloatClass::kZeros,
                                         FloatClass::kPosSubnormal, FloatClass::kPosNormal,
                                         FloatClass::kPosInf};

// Classes that hold one number only, as far as comparisons can tell.
bool single(std::size_t rank) {
    return rank == 0 || rank == 3 || rank == 6;
}

// What x can be when x < y (or x <= y) and y is one of `y`; no NaN.
Mask below(Mask y, bool strict) {
    Mask out = 0;
    for (std::size_t top = kByRank.size(); top-- > 0;) {
        if ((y & kByRank[top]) == 0) continue;
        for (std::size_t r = 0; r < top; ++r) out |= kByRank[r];
        if (!strict || !single(top)) out |= kByRank[top];
        break;
    }
    return out;
}
Mask above(Mask y, bool strict) {
    Mask out = 0;
    for (std::size_t bottom = 0; bottom < kByRank.size(); ++bottom) {
        if ((y & kByRank[bottom]) == 0) continue;
        for (std::size_t r = bottom + 1; r < kByRank.size(); ++r) out |= kByRank[r];
        if (!strict || !single(bottom)) out |= kByRank[bottom];
        break;
    }
    return out;
}

// Numbers that can equal one of `y`: the zeros equal each other, NaN nothing.
Mask equal_to(Mask y) {
    Mask out = y & static_cast<Mask>(~FloatClass::kNan);
    if ((y & FloatClass::kZeros) != 0) out |= FloatClass::kZeros;
    return out;
}

// Values of which a class holds only one: excluding the value excludes the class.
Mask singletons(Mask y) {
    constexpr Mask each = FloatClass::kNan | FloatClass::kInfinities | FloatClass::kZeros;
    return (y & ~each) == 0 && (y & (y - 1)) == 0 ? y : Mask{0};
}

}  // namespace

Mask Knowledge::class_of(Expr e) {
    const auto found = class_memo_.find(e);
    if (found != class_memo_.end()) return found->second;
    q_->step();
    const Deeper deeper(*q_);
    Mask out = FloatClass::any(e->type).mask;
    const bool chooses = e->op == Op::Select || e->op == Op::IfThenElse;
    const std::optional<bool> arm = chooses ? truth(e->arg(0)) : std::nullopt;
    if (arm) {
        out = class_of(e->arg(*arm ? 1 : 2));
    } else if (e->op == Op::IntImm || e->op == Op::FloatImm) {
        out = FloatClass::of(e->type, *ir::constant_value(e)).mask;
    } else if (!e->args.empty() && e->args.size() <= 3 && e->op != Op::Load &&
               e->op != Op::CallExtern && e->op != Op::Defined && e->op != Op::Let) {
        std::array<FloatClass, 3> args;
        for (std::size_t i = 0; i < e->args.size(); ++i) args[i].mask = class_of(e->arg(i));
        out = ir::FloatClassDomain::apply(*e, std::span(args).first(e->args.size()),
                                          ir::Reading::Formula)
                  .mask;
    }
    if (e->type.is_float()) {
        const auto known = classes_.find(number_of(e));
        if (known != classes_.end()) out &= known->second;
    }
    class_memo_.emplace(e, out);
    return out;
}

void Knowledge::learn_class(Expr e, Mask mask) {
    const Mask before = class_of(e);
    const Mask after = before & mask;
    if (after == before) return;
    if (after == 0) {
        contradict(Method::FloatClass);
        return;
    }
    const int number = number_of(e);
    const auto [at, is_new] = classes_.emplace(number, after);
    if (!is_new) at->second &= after;
    forget_terms();
    if (e->op == Op::Div) learn_operands(e, after);
}

// The quotient is of the classes in `mask`: an operand is of none from which no such quotient
// comes, whatever the other operand is. So x == 0.0 and 0.0 < 1.0 / x say that x is +0.0.
void Knowledge::learn_operands(Expr quotient, Mask mask) {
    for (std::size_t i = 0; i < 2 && !contradiction_; ++i) {
        const Mask can_be = class_of(quotient->arg(i));
        Mask possible = 0;
        for (unsigned k = 0; FloatClass::kNan << k <= FloatClass::kPosInf; ++k) {
            const Mask one = can_be & static_cast<Mask>(FloatClass::kNan << k);
            if (one == 0) continue;
            std::array<FloatClass, 2> args;
            args[i].mask = one;
            args[1 - i].mask = class_of(quotient->arg(1 - i));
            const FloatClass out =
                ir::FloatClassDomain::apply(*quotient, args, ir::Reading::Formula);
            if (out.may_be(mask)) possible |= one;
        }
        learn_class(quotient->arg(i), possible);
    }
}

void Knowledge::learn_order(Expr x, Expr y, bool strict) {
    const Mask mx = class_of(x);
    const Mask my = class_of(y);
    learn_class(x, below(my, strict));
    if (!contradiction_) learn_class(y, above(mx, strict));
}

void Knowledge::learn_float_claim(Expr claim, bool positive) {
    const Expr x = claim->arg(0);
    if (!x->type.is_float()) return;
    if (claim->op == Op::Math && claim->math_fn() == ir::MathFn::IsNan) {
        const Mask not_nan = FloatClass::kAnyFloat & ~FloatClass::kNan;
        learn_class(x, positive ? FloatClass::kNan : not_nan);
        return;
    }
    if (claim->args.size() != 2) return;
    const Expr y = claim->arg(1);
    const Mask mx = class_of(x);
    const Mask my = class_of(y);
    const Mask nan = FloatClass::kNan;
    switch (claim->op) {
        case Op::Same:
            learn_class(x, positive ? my : static_cast<Mask>(~singletons(my)));
            if (!contradiction_) {
                learn_class(y, positive ? mx : static_cast<Mask>(~singletons(mx)));
            }
            return;
        case Op::Eq:
        case Op::Ne:
            if (positive == (claim->op == Op::Eq)) {
                learn_class(x, equal_to(my));
                if (!contradiction_) learn_class(y, equal_to(mx));
            } else {
                // Both are zeros, or both the same infinity: then they are equal.
                const auto excluded = [](Mask m) {
                    if ((m & ~FloatClass::kZeros) == 0) return Mask{FloatClass::kZeros};
                    return m == FloatClass::kNan ? Mask{0} : singletons(m);
                };
                learn_class(x, static_cast<Mask>(~excluded(my)));
                if (!contradiction_) learn_class(y, static_cast<Mask>(~excluded(mx)));
            }
            return;
        case Op::Lt:
        case Op::Le:
            if (positive) {
                learn_order(x, y, claim->op == Op::Lt);
            } else if (((mx | my) & nan) == 0) {
                learn_order(y, x, claim->op == Op::Le);
            } else if ((my & nan) == 0) {
                learn_class(x, nan | above(my, claim->op == Op::Le));
            } else if ((mx & nan) == 0) {
                learn_class(y, nan | below(mx, claim->op == Op::Le));
            }
            return;
        default: return;
    }
}

// A term that has the same value, by an identity above; null when there is none.
Expr Knowledge::same_by_class(Expr e) {
    if (!e->type.is_float() || e->args.size() != 2) return nullptr;
    const Expr x = e->arg(0);
    const Expr y = e->arg(1);
    const auto is = [&](Expr v, double value) {
        return v->op == Op::FloatImm && v->float_value() == value;
    };
    // Adding a zero changes nothing but the sign of a zero.
    const auto neutral = [&](Expr term, Expr zero) {
        const Mask z = class_of(zero);
        if ((z & ~FloatClass::kZeros) != 0) return false;
        return z == FloatClass::kNegZero || (class_of(term) & FloatClass::kNegZero) == 0;
    };
    switch (e->op) {
        case Op::Add: return neutral(x, y) ? x : neutral(y, x) ? y : nullptr;
        case Op::Sub: return class_of(y) == FloatClass::kPosZero ? x : nullptr;
        case Op::Mul:
            if (is(y, 2.0)) return q_->ctx.add(x, x);
            if (is(x, 2.0)) return q_->ctx.add(y, y);
            return is(y, 1.0) ? x : is(x, 1.0) ? y : nullptr;
        case Op::Div: return is(y, 1.0) ? x : nullptr;
        default: return nullptr;
    }
}

}  // namespace proviso::analysis::cheap
