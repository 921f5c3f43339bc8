#include "analysis/facts/formula.h"

#include <cmath>
#include <limits>
#include <unordered_map>

#include "analysis/facts/let_free.h"
#include "ir/children.h"
#include "ir/planted.h"

namespace proviso::analysis {

using ir::Context;
using ir::Expr;
using ir::Int128;
using ir::Op;
using ir::ScalarType;

namespace {

// --- small connectives that drop what is trivially true

Expr both(Context& ctx, Expr a, Expr b) {
    if (ir::is_true(a) || ir::is_false(b)) return b;
    if (ir::is_true(b) || ir::is_false(a) || a == b) return a;
    return ctx.and_(a, b);
}

// `claim` where `condition` holds.
Expr where(Context& ctx, Expr condition, Expr claim) {
    if (ir::is_true(condition) || ir::is_true(claim)) return claim;
    if (ir::is_false(condition)) return ctx.true_();
    const Expr opposite = condition->op == Op::Not ? condition->arg(0) : ctx.not_(condition);
    return ir::is_false(claim) ? opposite : ctx.or_(opposite, claim);
}
// `claim` where `condition` does not hold.
Expr unless(Context& ctx, Expr condition, Expr claim) {
    if (ir::is_false(condition) || ir::is_true(claim)) return claim;
    if (ir::is_true(condition)) return ctx.true_();
    return ir::is_false(claim) ? condition : ctx.or_(condition, claim);
}

// `then_claim` where the condition holds, `else_claim` where it does not.
Expr by_case(Context& ctx, Expr condition, Expr then_claim, Expr else_claim) {
    if (then_claim == else_claim) return then_claim;
    return both(ctx, where(ctx, condition, then_claim), unless(ctx, condition, else_claim));
}

// `claim` of each operand after the first of the lazy operator `e`, where it is evaluated; `first`
// is the value of the first one.
template <typename Claim>
Expr where_evaluated(Context& ctx, Expr e, Expr first, const Claim& claim) {
    if (e->args.size() == 3) return by_case(ctx, first, claim(e->arg(1)), claim(e->arg(2)));
    const Expr second = claim(e->arg(1));
    return ir::deciding_value(e->op, 1) ? where(ctx, first, second) : unless(ctx, first, second);
}

Expr at_most(Context& ctx, Int128 lo, Expr e) {
    if (ir::is_int_const(e)) return ctx.bool_imm(lo <= e->int_value());
    return ctx.le(ctx.int_imm(e->type, lo), e);
}
Expr less(Context& ctx, Expr a, Expr b) {
    if (ir::is_int_const(a) && ir::is_int_const(b)) {
        return ctx.bool_imm(a->int_value() < b->int_value());
    }
    return ctx.lt(a, b);
}

// --- the range of exact integers

Expr range_claim(Context& ctx, Expr e) {
    const ir::Range range = ir::op_info(e->op).range;
    if (!e->type.is_exact_int() || range == ir::Range::Held) return ctx.true_();
    if (range == ir::Range::Chosen) {
        return by_case(ctx, e->arg(0), range_claim(ctx, e->arg(1)), range_claim(ctx, e->arg(2)));
    }
    const Expr lo = ctx.int_imm(e->type, e->type.min_value());
    const Expr hi = ctx.int_imm(e->type, e->type.max_value());
    return ctx.and_(ctx.le(lo, e), ctx.le(e, hi));
}

// --- definiteness

class Definite {
  public:
    explicit Definite(Context& ctx) : ctx_(ctx) {}

    Expr of(Expr e) {
        const auto found = done_.find(e);
        if (found != done_.end()) return found->second;
        const Expr out = compute(e);
        done_.emplace(e, out);
        return out;
    }

  private:
    Expr compute(Expr e) {
        if (e->op == Op::Undef) return ctx_.bool_imm(ir::planted("formula:undef-is-definite"));
        if (e->op == Op::Load) return ctx_.defined(let_free(ctx_, e));
        if (e->op == Op::CallExtern) return ctx_.true_();
        // What decides is definite, or it would have been a fault.
        const auto claim = [&](Expr a) { return of(a); };
        if (ir::is_lazy(e->op)) return where_evaluated(ctx_, e, condition(e), claim);
        // The condition of a select is an operand.
        if (e->op == Op::Select) {
            return both(ctx_, of(e->arg(0)),
                        by_case(ctx_, condition(e), of(e->arg(1)), of(e->arg(2))));
        }
        if (e->op == Op::Let) {  // the variable is definite in the body: the let froze it
            const Expr var = ctx_.var(*e->name, e->var_type);
            return ir::substitute(ctx_, of(e->arg(1)), {{var, let_free(ctx_, e->arg(0))}});
        }
        Expr out = ctx_.true_();
        for (Expr a : e->args) out = both(ctx_, out, of(a));
        return out;
    }

    Expr condition(Expr e) { return let_free(ctx_, e->arg(0)); }

    Context& ctx_;
    std::unordered_map<Expr, Expr> done_;
};

// --- lets
// ------------------------------------------------------------------------------------------

class Settled {
  public:
    explicit Settled(Context& ctx) : ctx_(ctx), definite_(ctx) {}

    Expr of(Expr e) {
        if (!ir::has_op(e, Op::Let)) return ctx_.true_();
        if (ir::is_lazy(e->op)) {
            const auto claim = [&](Expr a) { return of(a); };
            return both(ctx_, of(e->arg(0)), where_evaluated(ctx_, e, plain(e), claim));
        }
        if (e->op == Op::Let) {
            const Expr var = ctx_.var(*e->name, e->var_type);
            const Expr body = ir::substitute(ctx_, of(e->arg(1)), {{var, plain(e)}});
            return both(ctx_, both(ctx_, of(e->arg(0)), definite_.of(e->arg(0))), body);
        }
        Expr out = ctx_.true_();
        for (Expr a : e->args) out = both(ctx_, out, of(a));
        return out;
    }

  private:
    Expr plain(Expr e) { return let_free(ctx_, e->arg(0)); }

    Context& ctx_;
    Definite definite_;
};

// --- faults

// Truncation of a float operand gives a value of the integer type `to`. Near the bounds: 2^k is a
// float; min - 1 either is one, or there is no float between it and min.
Expr float_fits(Context& ctx, Expr value, ScalarType to) {
    const ScalarType from = value->type;
    const double max_plus_1 = std::ldexp(1.0, to.is_signed() ? to.bits - 1 : to.bits);
    const double min = static_cast<double>(to.min_value());
    const double inf = std::numeric_limits<double>::infinity();
    const auto representable = [&](double v) {
        return std::isfinite(ir::round_to_type(from, v)) && ir::round_to_type(from, v) == v;
    };
    const Expr below = representable(max_plus_1) ? ctx.lt(value, ctx.float_imm(from, max_plus_1))
                                                 : ctx.lt(value, ctx.float_imm(from, inf));
    // min - 1 as a double is exact for min down to -2^52; beyond, no type here represents it.
    const double min_minus_1 = min - 1.0;
    if (min_minus_1 != min && representable(min_minus_1)) {
        return ctx.and_(ctx.lt(ctx.float_imm(from, min_minus_1), value), below);
    }
    if (representable(min)) return ctx.and_(ctx.le(ctx.float_imm(from, min), value), below);
    return ctx.and_(ctx.lt(ctx.float_imm(from, -inf), value), below);
}

class NoFault {
  public:
    explicit NoFault(Context& ctx) : ctx_(ctx), definite_(ctx) {}

    Expr of(Expr e) {
        const auto found = done_.find(e);
        if (found != done_.end()) return found->second;
        const Expr out = compute(e);
        done_.emplace(e, out);
        return out;
    }

  private:
    Expr compute(Expr e) {
        switch (e->op) {
            case Op::And:
            case Op::Or:
            case Op::IfThenElse:
                return both(
                    ctx_, condition(e->arg(0)),
                    where_evaluated(ctx_, e, plain(e->arg(0)), [&](Expr a) { return of(a); }));
            case Op::Let: {
                const Expr var = ctx_.var(*e->name, e->var_type);
                const Expr body = ir::substitute(ctx_, of(e->arg(1)), {{var, plain(e->arg(0))}});
                return both(ctx_, observed(e->arg(0)), body);
            }
            case Op::Load: return load(e);
            case Op::Select: return select(e);
            case Op::Add:
            case Op::Sub:
            case Op::Mul:
            case Op::Neg: return arithmetic(e);
            case Op::FloorDiv:
            case Op::FloorMod:
            case Op::TruncDiv:
            case Op::TruncMod: return division(e);
            case Op::Shl:
            case Op::Shr: return shift(e);
            case Op::Cast: return cast(e);
            case Op::Min:
            case Op::Max:
            case Op::Eq:
            case Op::Ne:
            case Op::Lt:
            case Op::Le:
            case Op::BitAnd:
            case Op::BitOr:
            case Op::BitXor: return observed_arguments(e);
            case Op::Math: return both(ctx_, observed_arguments(e), definite_operands(e));
            case Op::CallExtern: {
                Expr out = ctx_.true_();
                for (Expr a : e->args) {
                    out = both(ctx_, out, both(ctx_, observed(a), definite_.of(a)));
                }
                return out;
            }
            case Op::IntImm:
            case Op::FloatImm:
            case Op::Var:
            case Op::Undef:
            case Op::Not:
            case Op::Div:
            case Op::Defined:
            case Op::Same: return arguments(e);
        }
        PROVISO_CHECK(false, "no_fault: an operator without a case");
    }

    Expr plain(Expr e) { return let_free(ctx_, e); }

    // No fault, and a definite value to branch on.
    Expr condition(Expr e) { return both(ctx_, of(e), definite_.of(e)); }

    Expr arguments(Expr e) {
        Expr out = ctx_.true_();
        for (Expr a : e->args) out = both(ctx_, out, of(a));
        return out;
    }

    // What no range holds the result of is not computed with an indeterminate operand: some value
    // in its place could leave the range (docs/semantics.md, "undef, indet, assume").
    Expr definite_operands(Expr e) {
        Expr out = ctx_.true_();
        if (!e->type.is_exact_int() || ir::planted("semantics:indet-arithmetic")) return out;
        for (Expr a : e->args) out = both(ctx_, out, known_definite(a));
        return out;
    }
    // Definite, given that it does not fault. The operands of its own arithmetic are by then.
    Expr known_definite(Expr a) {
        const bool computed = a->type.is_exact_int() && ir::is_ring(a->op);
        if (computed && !ir::planted("semantics:indet-arithmetic")) return ctx_.true_();
        return definite_.of(a);
    }

    Expr arithmetic(Expr e) { return both(ctx_, arguments(e), definite_operands(e)); }

    // An indeterminate condition could choose either arm, so both are observed.
    Expr select(Expr e) {
        const Expr out = arguments(e);
        if (!e->type.is_exact_int() || ir::planted("semantics:indet-choice")) return out;
        const Expr fit =
            both(ctx_, range_where_definite(e->arg(1)), range_where_definite(e->arg(2)));
        return both(ctx_, out, unless(ctx_, definite_.of(e->arg(0)), fit));
    }

    // Only a definite value can be out of range.
    Expr range_where_definite(Expr e) {
        return where(ctx_, known_definite(e), range_claim(ctx_, plain(e)));
    }

    // No fault, and a value in range.
    Expr observed(Expr e) { return both(ctx_, of(e), range_where_definite(e)); }

    Expr observed_arguments(Expr e) {
        Expr out = ctx_.true_();
        for (Expr a : e->args) out = both(ctx_, out, observed(a));
        return out;
    }

    Expr load(Expr e) {
        Expr out = ctx_.true_();
        std::vector<Expr> indices;
        for (Expr i : e->args) {
            out = both(ctx_, out, both(ctx_, observed(i), definite_.of(i)));
            indices.push_back(plain(i));
        }
        return both(ctx_, out, in_bounds(ctx_, e->buffer, indices));
    }

    Expr division(Expr e) {
        const Expr x = plain(e->arg(0));
        const Expr y = plain(e->arg(1));
        Expr out = both(ctx_, observed_arguments(e), definite_.of(e->arg(1)));
        const Expr zero = ctx_.int_imm(y->type, 0);
        if (ir::is_int_const(y)) {
            if (y->int_value() == 0) return ctx_.false_();
        } else if (!ir::planted("formula:zero-divisor")) {
            out = both(ctx_, out, ctx_.ne(y, zero));
        }
        if (!e->type.is_signed() || (ir::is_int_const(y) && y->int_value() != -1)) return out;
        // The one quotient out of range: MIN // -1.
        const Int128 min = e->type.min_value();
        if (ir::is_int_const(x) && x->int_value() != min) return out;
        const Expr x_ok =
            ir::is_int_const(x) ? ctx_.false_() : ctx_.ne(x, ctx_.int_imm(x->type, min));
        const Expr x_known = both(ctx_, known(e->arg(0), "semantics:indet-quotient"), x_ok);
        if (ir::is_int_const(y)) return both(ctx_, out, x_known);
        const Expr y_ok = ctx_.ne(y, ctx_.int_imm(y->type, -1));
        return both(ctx_, out, ir::is_false(x_known) ? y_ok : ctx_.or_(x_known, y_ok));
    }

    // `e` is definite, as what an operator with a fault of its own needs of it.
    Expr known(Expr e, const char* fault) {
        return ir::planted(fault) ? ctx_.true_() : definite_.of(e);
    }

    Expr shift(Expr e) {
        const Expr count = plain(e->arg(1));
        const Expr width = ctx_.int_imm(count->type, e->type.bits);
        Expr fits = less(ctx_, count, width);
        if (count->type.is_signed()) fits = both(ctx_, at_most(ctx_, 0, count), fits);
        Expr out = both(ctx_, observed_arguments(e), known(e->arg(1), "semantics:indet-shift"));
        if (e->op == Op::Shl) out = both(ctx_, out, definite_operands(e));
        return both(ctx_, out, fits);
    }

    Expr cast(Expr e) {
        const Expr value = plain(e->arg(0));
        const Expr out = observed(e->arg(0));
        if (!value->type.is_float() || !e->type.is_int()) return out;
        const Expr fits = float_fits(ctx_, value, e->type);
        return both(ctx_, out, both(ctx_, known(e->arg(0), "semantics:indet-cast"), fits));
    }

    Context& ctx_;
    Definite definite_;
    std::unordered_map<Expr, Expr> done_;
};

// An index or extent as an int64, to compare the two; the claim that it fits goes to `claims`.
Expr as_int64(Context& ctx, Expr e, std::vector<Expr>& claims) {
    if (e->type == ir::kInt64) return e;
    if (ir::is_int_const(e) && ir::kInt64.contains(e->int_value())) {
        return ctx.int_imm(ir::kInt64, e->int_value());
    }
    if (e->type == ir::kUInt64) {
        claims.push_back(ctx.le(e, ctx.int_imm(ir::kUInt64, ir::kInt64.max_value())));
    }
    return ctx.cast(ir::kInt64, e);
}

}  // namespace

Expr no_fault(Context& ctx, Expr e) {
    return NoFault(ctx).of(e);
}

Expr definite(Context& ctx, Expr e) {
    return Definite(ctx).of(e);
}

Expr settled(Context& ctx, Expr e) {
    return Settled(ctx).of(e);
}

Expr in_range(Context& ctx, Expr e) {
    return range_claim(ctx, let_free(ctx, e));
}

Expr in_bounds(Context& ctx, ir::Buffer buffer, std::span<const Expr> indices) {
    PROVISO_CHECK(buffer->rank() == indices.size(), "in_bounds: wrong number of indices");
    std::vector<Expr> claims;
    for (std::size_t d = 0; d < indices.size(); ++d) {
        Expr index = indices[d];
        Expr extent = buffer->shape[d];
        if (index->type.is_signed() && !ir::planted("formula:index-below-zero")) {
            claims.push_back(at_most(ctx, 0, index));
        }
        if (ir::is_int_const(index) && ir::is_int_const(extent)) {
            claims.push_back(ctx.bool_imm(index->int_value() < extent->int_value()));
            continue;
        }
        if (ir::is_int_const(extent) && index->type.contains(extent->int_value())) {
            extent = ctx.int_imm(index->type, extent->int_value());
        } else if (ir::is_int_const(index) && extent->type.contains(index->int_value())) {
            index = ctx.int_imm(extent->type, index->int_value());
        } else if (ir::is_int_const(extent) && extent->int_value() > index->type.max_value()) {
            continue;  // every value of the index's type is below the extent
        } else if (index->type != extent->type) {
            index = as_int64(ctx, index, claims);
            extent = as_int64(ctx, extent, claims);
        }
        claims.push_back(less(ctx, index, extent));
    }
    Expr out = ctx.true_();
    for (auto it = claims.rbegin(); it != claims.rend(); ++it) out = both(ctx, *it, out);
    return out;
}

}  // namespace proviso::analysis
