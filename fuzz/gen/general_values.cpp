#include "fuzz/gen/general_values.h"

#include <algorithm>

#include "ir/children.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

Expr zero_like(Context& ctx, Expr e) {
    return ctx.int_imm(e->type, 0);
}

}  // namespace

Expr GeneralValues::constant(ScalarType type) {
    if (type.is_bool()) return ctx_.bool_imm(choice_.chance(50));
    if (type.is_float()) {
        static const std::vector<double> values = {0.0, -0.0, 1.0, -1.0, 0.5, 2.0};
        return ctx_.float_imm(type, choice_.pick(values));
    }
    if (choice_.chance(25)) {
        const std::int64_t near = choice_.between(0, 1);
        const bool top = choice_.chance(70);
        return ctx_.int_imm(type, top ? type.max_value() - near : type.min_value() + near);
    }
    return ctx_.int_imm(type, choice_.between(type.is_signed() ? -2 : 0, 5));
}

constexpr int kMostLoads = 4;  // one in an index of the other

Expr GeneralValues::leaf(const GeneralScope& scope, ScalarType type) {
    std::vector<Expr> vars;
    for (const auto& v : scope.variables) {
        if (v.var->type == type) vars.push_back(v.var);
    }
    std::vector<Buffer> buffers;
    for (Buffer b : scope.buffers) {
        if (b->type == type && loads_ < kMostLoads) buffers.push_back(b);
    }
    const int undef = scope.undefs ? 9 : 0;
    switch (choice_.weighted({20, vars.empty() ? 0 : 30, buffers.empty() ? 0 : 45, undef,
                              scope.calls && !type.is_float() ? 2 : 0})) {
        case 1: return choice_.pick(vars);
        case 2: {
            Buffer b = choice_.pick(buffers);
            ++loads_;
            Expr load = ctx_.load(b, indices(scope, b));
            --loads_;
            return load;
        }
        case 3: return ctx_.undef(type);
        case 4: return call(scope, type);
        default: return constant(type);
    }
}

Expr GeneralValues::call(const GeneralScope& scope, ScalarType type) {
    GeneralScope quiet = scope;
    quiet.undefs = false;
    quiet.calls = false;
    const char* name = type == kInt32 ? "ping" : type.is_bool() ? "ask" : "pong";
    std::vector<Expr> args = {value(quiet, kInt32, 0)};
    if (choice_.chance(30)) args.push_back(value(quiet, kInt32, 1));
    return ctx_.call_extern(type, std::string(name) + "_" + type.str(), args);
}

Expr GeneralValues::clamped(Expr e, Expr extent) {
    Expr last = ctx_.sub(extent, ctx_.int_imm(extent->type, 1));
    if (is_int_const(extent)) last = ctx_.int_imm(extent->type, extent->int_value() - 1);
    return ctx_.min(ctx_.max(e, zero_like(ctx_, extent)), last);
}

Expr GeneralValues::index(const GeneralScope& scope, Expr extent) {
    const ScalarType type = extent->type;
    std::vector<Expr> fitting;
    std::vector<Expr> others;
    for (const auto& v : scope.variables) {
        if (v.var->type != type) continue;
        const bool from_zero = v.lo != nullptr && is_int_const(v.lo) && v.lo->int_value() >= 0;
        bool below = v.hi == extent;
        if (v.hi != nullptr && is_int_const(v.hi) && is_int_const(extent)) {
            below = v.hi->int_value() <= extent->int_value();
        }
        (from_zero && below ? fitting : others).push_back(v.var);
    }
    if (!fitting.empty() && choice_.chance(75)) return choice_.pick(fitting);
    const bool known = is_int_const(extent) && extent->int_value() > 0;
    switch (choice_.weighted(
        {others.empty() ? 0 : 25, others.empty() ? 0 : 15, 40, 12, others.empty() ? 0 : 5})) {
        case 0: return clamped(choice_.pick(others), extent);
        case 1: return ctx_.floormod(choice_.pick(others), extent);
        case 3: {
            GeneralScope quiet = scope;
            quiet.undefs = false;
            return clamped(value(quiet, type, 1), extent);
        }
        case 4: return choice_.pick(others);  // may be out of bounds
        default: break;
    }
    if (!known) return zero_like(ctx_, extent);
    const auto last = static_cast<std::int64_t>(extent->int_value()) - 1;
    return ctx_.int_imm(type, choice_.between(0, last));
}

std::vector<Expr> GeneralValues::indices(const GeneralScope& scope, Buffer b) {
    std::vector<Expr> out;
    for (Expr extent : b->shape) out.push_back(index(scope, extent));
    return out;
}

ScalarType GeneralValues::other_type(ScalarType type) {
    static const std::vector<ScalarType> types = {kInt32, kInt64, kInt8,   kUInt8,
                                                  kInt16, kBool,  kFloat32};
    ScalarType out = choice_.pick(types);
    while (out == type || (type.is_int() && out.is_float())) out = choice_.pick(types);
    return out;
}

Expr GeneralValues::choice(const GeneralScope& scope, ScalarType type, int depth) {
    Expr c = boolean(scope, depth - 1);
    Expr a = value(scope, type, depth - 1);
    Expr b = scope.undefs && choice_.chance(25) ? ctx_.undef(type) : value(scope, type, depth - 1);
    if (choice_.chance(30)) std::swap(a, b);
    return choice_.chance(65) ? ctx_.if_then_else(c, a, b) : ctx_.select(c, a, b);
}

Expr GeneralValues::let(const GeneralScope& scope, ScalarType type, int depth) {
    const ScalarType bound = choice_.chance(60) ? type : other_type(type);
    Expr v = ctx_.var(fresh_name("t", names_), bound);
    GeneralScope inner = scope;
    inner.variables.push_back({v, nullptr, nullptr});
    return ctx_.let(v, value(scope, bound, depth - 1), value(inner, type, depth - 1));
}

Expr GeneralValues::comparison(const GeneralScope& scope, int depth) {
    static const std::vector<ScalarType> types = {kInt32, kInt32, kInt32,  kInt64,
                                                  kInt8,  kUInt8, kFloat32};
    const ScalarType type = choice_.pick(types);
    const Op op = choice_.pick({Op::Lt, Op::Le, Op::Eq, Op::Ne});
    // The last value before an overflow is the one to ask for.
    if (type.is_exact_int() && choice_.chance(20)) {
        return ctx_.make(op, {value(scope, type, 0), ctx_.int_imm(type, type.max_value())});
    }
    return ctx_.make(op, {value(scope, type, depth), value(scope, type, depth)});
}

Expr GeneralValues::boolean(const GeneralScope& scope, int depth) {
    if (depth <= 0) return choice_.chance(70) ? comparison(scope, 0) : leaf(scope, kBool);
    switch (choice_.weighted({55, 12, 12, 8, 13})) {
        case 1: return ctx_.and_(boolean(scope, depth - 1), boolean(scope, depth - 1));
        case 2: return ctx_.or_(boolean(scope, depth - 1), boolean(scope, depth - 1));
        case 3: return ctx_.not_(boolean(scope, depth - 1));
        case 4: return leaf(scope, kBool);
        default: return comparison(scope, depth - 1);
    }
}

Expr GeneralValues::likely(const GeneralScope& scope, int depth) {
    GeneralScope quiet = scope;
    quiet.undefs = false;
    Expr e = value(quiet, kInt32, 0);
    Expr low = ctx_.le(ctx_.int_imm(kInt32, choice_.between(-3000, 0)), e);
    Expr high = ctx_.lt(e, ctx_.int_imm(kInt32, kInt32.max_value() - choice_.between(0, 1)));
    Expr c = choice_.chance(50) ? low : high;
    if (choice_.chance(35)) c = ctx_.or_(boolean(quiet, depth - 1), c);
    return c;
}

Expr GeneralValues::integer(const GeneralScope& scope, ScalarType type, int depth) {
    const auto part = [&] { return value(scope, type, depth - 1); };
    switch (choice_.weighted({26, 10, 14, 12, 8, 6, 8, 8, 8})) {
        case 0: return ctx_.make(choice_.pick({Op::Add, Op::Sub}), {part(), constant(type)});
        case 1: return ctx_.make(choice_.pick({Op::Add, Op::Sub, Op::Mul}), {part(), part()});
        case 2: return ctx_.make(choice_.pick({Op::Min, Op::Max}), {part(), part()});
        case 3: {
            const Op op = choice_.pick({Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod});
            Expr by = ctx_.int_imm(type, choice_.between(1, 4));
            if (choice_.chance(20)) by = choice_.chance(50) ? part() : constant(type);
            return ctx_.make(op, {part(), by});
        }
        case 4:
            return ctx_.make(choice_.pick({Op::BitAnd, Op::BitOr, Op::BitXor}), {part(), part()});
        case 5: return ctx_.mul(part(), ctx_.int_imm(type, choice_.between(0, 3)));
        case 6: return ctx_.cast(type, value(scope, other_type(type), depth - 1));
        case 7: return let(scope, type, depth);
        default: return choice(scope, type, depth);
    }
}

Expr GeneralValues::floating(const GeneralScope& scope, ScalarType type, int depth) {
    const auto part = [&] { return value(scope, type, depth - 1); };
    switch (choice_.weighted({40, 15, 15, 10, 8})) {
        case 0: return ctx_.make(choice_.pick({Op::Add, Op::Sub, Op::Mul}), {part(), part()});
        case 1: return ctx_.make(choice_.pick({Op::Min, Op::Max, Op::Div}), {part(), part()});
        case 2: return choice(scope, type, depth);
        case 3:
            return ctx_.cast(type, value(scope, choice_.pick({kInt32, kInt8, kBool}), depth - 1));
        default: return let(scope, type, depth);
    }
}

Expr GeneralValues::value(const GeneralScope& scope, ScalarType type, int depth) {
    if (type.is_bool()) return boolean(scope, depth);
    if (depth <= 0 || choice_.chance(20)) return leaf(scope, type);
    if (choice_.chance(12)) return choice(scope, type, depth);
    return type.is_float() ? floating(scope, type, depth) : integer(scope, type, depth);
}

}  // namespace proviso::fuzz
