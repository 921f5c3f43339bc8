#include "rewrite/simplify/elsewhere.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/simplify/computing.h"
#include "rewrite/simplify/definite.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

constexpr std::uint32_t kLargest = 48;

bool is_truth(Expr e) {
    return e->op == Op::IntImm && e->type.is_bool();
}

bool observes(Op op) {
    switch (op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::Min:
        case Op::Max: return true;
        default: return is_comparison(op);
    }
}

bool divides(Op op) {
    return op == Op::FloorDiv || op == Op::FloorMod || op == Op::TruncDiv || op == Op::TruncMod;
}

// An expression of a wrapping type and its twin of int64.
class Twin {
  public:
    Twin(ir::Context& ctx, Surroundings& surroundings, FactSet& s, ir::ScalarType type)
        : ctx_(ctx), surroundings_(surroundings), s_(s), type_(type) {}

    // Null where an observed operand may have wrapped. `observed`: so is this one.
    Expr to_exact(Expr e, bool observed) {
        if (is_comparison(e->op) || observes(e->op)) {
            if (e->arg(0)->type != type_) return nullptr;
            std::array<Expr, 2> args{};
            for (const std::size_t i : {0, 1}) {
                args[i] = to_exact(e->arg(i), true);
                if (args[i] == nullptr) return nullptr;
            }
            // MIN // -1
            const bool risky =
                divides(e->op) && type_.is_signed() && surroundings_.range(s_, e->arg(1)).lo <= 0;
            return risky ? nullptr : ctx_.make(e->op, args);
        }
        if (e->type != type_) return nullptr;
        if (e->op == Op::IntImm) {
            const bool held = ir::kInt64.contains(e->int_value());
            return held ? ctx_.int_imm(ir::kInt64, e->int_value()) : nullptr;
        }
        if (!is_ring(e->op)) return leaf(e);
        if (observed && !fits(e)) return nullptr;
        std::array<Expr, 2> args{};
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            args[i] = to_exact(e->arg(i), observed);
            if (args[i] == nullptr) return nullptr;
        }
        return ctx_.make(e->op, std::span<const Expr>(args.data(), e->args.size()));
    }

    // Back; null where there is no such expression. Under `twins`, the facts of the twin.
    Expr from_exact(FactSet& twins, Expr e, bool observed) {
        if (is_truth(e)) return e;
        if (e->op == Op::Var) {
            for (const auto& [original, twin] : leaves_) {
                if (twin == e) return original;
            }
            return nullptr;
        }
        if (e->op == Op::IntImm) {
            const ir::Int128 value = e->int_value();
            return type_.contains(value) ? ctx_.int_imm(type_, value) : nullptr;
        }
        const bool known = is_ring(e->op) || observes(e->op) || e->op == Op::And ||
                           e->op == Op::Or || e->op == Op::Not;
        if (!known) return nullptr;
        if (observed && e->type.is_int() &&
            !surroundings_.range(twins, e).within(Range::of(type_))) {
            return nullptr;
        }
        const bool inner = observed || observes(e->op);
        std::array<Expr, 2> args{};
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            args[i] = from_exact(twins, e->arg(i), inner);
            if (args[i] == nullptr) return nullptr;
        }
        return ctx_.make(e->op, std::span<const Expr>(args.data(), e->args.size()));
    }

    const std::vector<Expr>& facts() const { return facts_; }

  private:
    // The sum or product of what its operands can be is a value of the type.
    bool fits(Expr e) {
        const Range a = surroundings_.range(s_, e->arg(0));
        Range r = scaled(a, -1);
        if (e->op != Op::Neg) {
            const Range b = surroundings_.range(s_, e->arg(1));
            if (e->op == Op::Add) r = sum(a, b);
            if (e->op == Op::Sub) r = sum(a, scaled(b, -1));
            if (e->op == Op::Mul) r = product(a, b);
        }
        return r.within(Range::of(type_));
    }

    Expr leaf(Expr e) {
        for (const auto& [original, twin] : leaves_) {
            if (original == e) return twin;
        }
        const Range r = surroundings_.range(s_, e);
        if (!r.within(Range::of(ir::kInt64))) return nullptr;
        Expr twin = ctx_.var("exact_" + std::to_string(leaves_.size()), ir::kInt64);
        leaves_.emplace_back(e, twin);
        facts_.push_back(ctx_.le(ctx_.int_imm(ir::kInt64, r.lo), twin));
        facts_.push_back(ctx_.le(twin, ctx_.int_imm(ir::kInt64, r.hi)));
        return twin;
    }

    ir::Context& ctx_;
    Surroundings& surroundings_;
    FactSet& s_;
    ir::ScalarType type_;
    std::vector<std::pair<Expr, Expr>> leaves_;
    std::vector<Expr> facts_;
};

bool may_gain(Expr e) {
    return observes(e->op) || ((e->op == Op::Add || e->op == Op::Sub) && e->size > 5);
}

}  // namespace

Arranged as_exact(ir::Context& ctx, Surroundings& surroundings, FactSet& s, Expr e,
                  const Visit& visit) {
    if (!may_gain(e) || e->size > kLargest || e->size <= 3 || !surely_definite(e)) return {};
    const ir::ScalarType type = e->arg(0)->type;
    if (!type.is_int() || type.is_exact_int()) return {};
    Twin twin(ctx, surroundings, s, type);
    Expr exact = twin.to_exact(e, false);
    if (exact == nullptr) return {};
    FactSet& twins = surroundings.of(twin.facts());
    Expr simpler = visit(exact, twins);
    if (simpler->size >= e->size) return {};
    Expr after = twin.from_exact(twins, simpler, false);
    if (after == nullptr || after->size >= e->size) return {};
    return Arranged{"as-exact-integers", after};
}

Arranged as_cast(ir::Context& ctx, const Arranger& arranger, FactSet& s, Expr e,
                 const Visit& visit) {
    const bool candidate = (e->type == ir::kInt64 && (observes(e->op) || is_ring(e->op))) ||
                           (is_comparison(e->op) && e->arg(0)->type == ir::kInt64);
    if (!candidate) return {};
    Expr narrow = arranger.as_narrow(s, e);
    if (narrow == nullptr) return {};
    Expr simpler = visit(narrow, s);
    Expr after = e->type.is_bool() ? simpler : ctx.cast(e->type, simpler);
    if (after->size >= e->size) return {};
    return Arranged{"narrow-under-cast", after};
}

namespace {

// Of claims joined by `op`, those that `keep` holds for; null where it holds for none.
Expr kept_of(ir::Context& ctx, Op op, Expr claims, const std::function<bool(Expr)>& keep) {
    if (claims->op != op) return keep(claims) ? claims : nullptr;
    Expr a = kept_of(ctx, op, claims->arg(0), keep);
    Expr b = kept_of(ctx, op, claims->arg(1), keep);
    if (a == nullptr) return b;
    if (b == nullptr) return a;
    return a == claims->arg(0) && b == claims->arg(1) ? claims : ctx.make(op, {a, b});
}

}  // namespace

Arranged without_implied(ir::Context& ctx, Surroundings& surroundings, FactSet& s, Expr e,
                         const Visit& visit) {
    if ((e->op != Op::And && e->op != Op::Or) || e->size > kLargest) return {};
    Expr left = e->arg(0);
    Expr right = e->arg(1);
    LinearForms& forms = surroundings.forms();
    const auto meets = [&](Expr a, Expr b) {
        return (forms.occurring(a) & forms.occurring(b) & ~LinearForms::kTwice) != 0;
    };
    const auto compares = [](Expr claim) {
        return is_comparison(claim->op) && claim->arg(0)->type.is_exact_int();
    };
    if ((!compares(right) && right->op != e->op) || !meets(left, right) || !surely_definite(e)) {
        return {};
    }
    // Evaluated in any case, it has no fault where `e` has none.
    const std::function<bool(Expr)> is_safe = [&](Expr claim) {
        if (evaluates_no_more(e, claim)) return true;
        if (claim->op == Op::And || claim->op == Op::Or) {
            return is_safe(claim->arg(0)) && is_safe(claim->arg(1));
        }
        return is_comparison(claim->op) &&
               std::all_of(claim->args.begin(), claim->args.end(), [&](Expr side) {
                   return evaluates_no_more(e, side) && surroundings.in_range(s, side);
               });
    };
    const bool both = e->op == Op::And;
    // Where the other claim decides nothing alone.
    FactSet& beside = surroundings.with(s, both ? right : ctx.not_(right));
    if (beside.contradictory) return {};
    Expr rest = kept_of(ctx, e->op, left, [&](Expr claim) {
        if (!is_comparison(claim->op) || !meets(claim, right)) return true;
        Expr there = visit(claim, beside);
        return !is_truth(there) || (there->bits != 0) != both;
    });
    if (rest != left) {
        // What was asked first no longer guards what stands behind it.
        Expr after = rest == nullptr ? right : ctx.make(e->op, {rest, right});
        if (is_safe(right) && (rest == nullptr || is_safe(rest))) {
            return Arranged{"implied-claim", after};
        }
    }
    // The first claim as it is under the second may say both.
    if (!compares(left) || !compares(right)) return {};
    Expr there = visit(left, beside);
    if (there == left || !is_comparison(there->op) || there->size > left->size || !is_safe(there)) {
        return {};
    }
    FactSet& under = surroundings.with(s, both ? there : ctx.not_(there));
    if (under.contradictory) return {};
    Expr second = visit(right, under);
    if (!is_truth(second) || (second->bits != 0) != both) return {};
    return Arranged{"implied-claim", there};
}

}  // namespace proviso::rewrite
