#include "verify/tv/simplify.h"

#include <algorithm>
#include <array>
#include <span>

#include "ir/domains/value.h"

namespace proviso::verify {

using namespace ir;

namespace {

// Of larger conditions, those of many asserts say, nothing is asked: the question recurses.
constexpr std::uint32_t kLargestCondition = 10'000;  // nodes

bool is_one(Expr e) {
    return e->op == Op::FloatImm && e->float_value() == 1.0;
}

// The value of an operator on constants; null when it faults, is no constant, or is uninterpreted.
Expr folded(Context& ctx, Expr e) {
    if (e->args.empty() || !std::all_of(e->args.begin(), e->args.end(), is_const)) return nullptr;
    const bool needs_more =
        e->op == Op::Load || e->op == Op::CallExtern || e->op == Op::Let || e->op == Op::Defined;
    if (needs_more) return nullptr;
    if (e->op == Op::Math && !math_fn_info(e->math_fn()).exact) return nullptr;
    std::vector<Value> args;
    for (Expr a : e->args) args.push_back(*constant_value(a));
    const Evaluated out = eval_op(*e, args);
    if (!out.ok() || out.value.is_indet()) return nullptr;
    return constant_expr(ctx, e->type, out.value);
}

// Each value of `type` is one of `wide`, and a cast there changes nothing.
bool holds_all_of(ScalarType wide, ScalarType type) {
    if (wide.is_int() && type.is_int()) {
        return wide.contains(type.min_value()) && wide.contains(type.max_value());
    }
    if (!wide.is_float() || !type.is_float()) return false;
    return wide == kFloat64 || (wide == kFloat32 && type.bytes() == 2);
}

}  // namespace

Expr Simplifier::node(Expr e) {
    if (is_const(e)) return e;
    if (Expr constant = folded(ctx_, e)) return constant;
    switch (e->op) {
        case Op::And:
        case Op::Or:
        case Op::Not: return logic(e);
        case Op::Select:
        case Op::IfThenElse: return choice(e);
        case Op::Eq:
        case Op::Ne:
        case Op::Lt:
        case Op::Le:
        case Op::Same: return comparison(e);
        case Op::Min:
        case Op::Max: return e->arg(0) == e->arg(1) ? e->arg(0) : e;
        case Op::Cast: return cast(e);
        default: break;
    }
    if (e->args.size() != 2) return e;
    return ordered(e->type.is_float() ? floats(e) : e->type.is_int() ? integers(e) : e);
}

Expr Simplifier::cast(Expr e) {
    Expr a = e->arg(0);
    if (a->type == e->type) return a;
    const bool back = a->op == Op::Cast && a->arg(0)->type == e->type;
    return back && holds_all_of(a->type, e->type) ? a->arg(0) : e;
}

// Sums and products with their operands in one order: both commute, on floats too.
Expr Simplifier::ordered(Expr e) {
    const bool commutes = e->op == Op::Add || e->op == Op::Mul;
    if (!commutes || e->arg(0)->id <= e->arg(1)->id) return e;
    return ctx_.make(e->op, {e->arg(1), e->arg(0)});
}

Expr Simplifier::integers(Expr e) {
    Expr a = e->arg(0);
    Expr b = e->arg(1);
    switch (e->op) {
        case Op::Add:
            if (is_int_const(a, 0)) return b;
            if (is_int_const(b, 0)) return a;
            break;
        case Op::Sub:
            if (is_int_const(b, 0)) return a;
            if (a == b) return ctx_.int_imm(e->type, 0);
            break;
        case Op::Mul:
            if (is_int_const(a, 1)) return b;
            if (is_int_const(b, 1)) return a;
            if (is_int_const(a, 0)) return a;
            if (is_int_const(b, 0)) return b;
            break;
        case Op::FloorDiv:
        case Op::TruncDiv:
            if (is_int_const(b, 1)) return a;
            break;
        case Op::FloorMod:
        case Op::TruncMod:
            if (is_int_const(b, 1)) return ctx_.int_imm(e->type, 0);
            break;
        default: break;
    }
    return e;
}

Expr Simplifier::floats(Expr e) {
    Expr a = e->arg(0);
    Expr b = e->arg(1);
    switch (e->op) {
        case Op::Add:
            if (adds_nothing(a, b)) return a;
            if (adds_nothing(b, a)) return b;
            for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
                if (class_of(x).may_be(FloatClass::kNegZero)) continue;
                Expr plain = without_sign(y);
                if (plain != y) return make(Op::Add, {x, plain});
            }
            break;
        case Op::Sub:
            if (class_of(b).within(FloatClass::kPosZero)) return a;
            break;
        case Op::Mul:
            if (is_one(a)) return b;
            if (is_one(b)) return a;
            break;
        case Op::Div:
            if (is_one(b)) return a;
            break;
        default: break;
    }
    return e;
}

Expr Simplifier::logic(Expr e) {
    Expr a = e->arg(0);
    if (e->op == Op::Not) return a->op == Op::Not ? a->arg(0) : e;
    Expr b = e->arg(1);
    const bool conjunction = e->op == Op::And;
    // The neutral element of the operator disappears, the other constant takes over.
    for (auto [x, y] : {std::pair{a, b}, std::pair{b, a}}) {
        if (is_true(x)) return conjunction ? y : x;
        if (is_false(x)) return conjunction ? x : y;
    }
    if (a == b) return a;
    const bool contrary =
        (a->op == Op::Not && a->arg(0) == b) || (b->op == Op::Not && b->arg(0) == a);
    return contrary ? ctx_.bool_imm(!conjunction) : e;
}

Expr Simplifier::choice(Expr e) {
    Expr c = e->arg(0);
    Expr a = e->arg(1);
    Expr b = e->arg(2);
    if (is_true(c)) return a;
    if (is_false(c)) return b;
    if (a == b) return a;
    if (c->op == Op::Not) return select(c->arg(0), b, a);
    if (a->op == Op::Select && a->arg(0) == c) return select(c, a->arg(1), b);
    if (b->op == Op::Select && b->arg(0) == c) return select(c, a, b->arg(2));
    return e->op == Op::Select ? e : ctx_.select(c, a, b);
}

Expr Simplifier::comparison(Expr e) {
    if (e->op != Op::Same && e->arg(0)->type.is_float()) {
        Expr a = without_sign(e->arg(0));
        Expr b = without_sign(e->arg(1));
        if (a != e->arg(0) || b != e->arg(1)) return make(e->op, {a, b});
    }
    if (e->arg(0) != e->arg(1)) return e;
    if (e->op == Op::Same) return ctx_.true_();
    if (e->arg(0)->type.is_float()) return e;  // NaN is not equal to itself
    return ctx_.bool_imm(e->op == Op::Eq || e->op == Op::Le);
}

// In round-to-nearest a sum of zeros is -0.0 only when both are; other sums do not see a zero.
bool Simplifier::adds_nothing(Expr x, Expr zero) {
    const FloatClass z = class_of(zero);
    if (!z.within(FloatClass::kZeros)) return false;
    return z.within(FloatClass::kNegZero) || !class_of(x).may_be(FloatClass::kNegZero);
}

Expr Simplifier::without_sign(Expr e) {
    const FloatClass c = class_of(e);
    if (c.within(FloatClass::kZeros)) return ctx_.float_imm(e->type, 0.0);
    if (e->op != Op::Mul || !c.within(FloatClass::kZeros | FloatClass::kNan)) return e;
    Expr a = without_sign(e->arg(0));
    Expr b = without_sign(e->arg(1));
    return a == e->arg(0) && b == e->arg(1) ? e : make(Op::Mul, {a, b});
}

FloatClass Simplifier::class_of(Expr e) {
    const auto known = classes_.find(e);
    if (known != classes_.end()) return known->second;
    FloatClass out = FloatClass::any(e->type);
    constexpr std::size_t most = 3;
    const bool large = e->type.is_bool() && e->size > kLargestCondition;
    const bool computes = !e->args.empty() && e->args.size() <= most && !large &&
                          e->op != Op::Load && e->op != Op::CallExtern && e->op != Op::Defined &&
                          e->op != Op::Let;
    if (is_const(e)) {
        out = FloatClass::of(e->type, *constant_value(e));
    } else if (computes) {
        std::array<FloatClass, most> args;
        for (std::size_t i = 0; i < e->args.size(); ++i) args[i] = class_of(e->arg(i));
        out = FloatClassDomain::apply(*e, std::span(args).first(e->args.size()), Reading::Formula);
    }
    classes_.emplace(e, out);
    return out;
}

}  // namespace proviso::verify
