// The formulas against the evaluator: for random expressions and inputs, with indeterminate cells,
// no_fault is true exactly where evaluation does not fault, definite exactly where the value is not
// indet, in_range exactly where the value may be observed.
#include <gtest/gtest.h>

#include "analysis/facts/formula.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "tests/analysis/noise.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::FaultKind;
using ir::Op;
using ir::ScalarType;
using ir::Value;

constexpr int kExtent = 4;

// Values of variables and cells.
struct Inputs {
    std::unordered_map<Expr, Value> vars;
    std::map<std::string, std::vector<Value>> cells;  // by buffer name; indet among them

    const Value* cell(Expr load, const Value& index) const {
        const auto at = index.integer().to_int128();
        if (!at || *at < 0 || *at >= kExtent) return nullptr;
        return &cells.at(load->buffer->name)[static_cast<std::size_t>(*at)];
    }
};

Value zero_of(ScalarType type) {
    return type.is_float() ? Value::of_float(0.0) : Value::of_int(0);
}

// A formula read as mathematics: total, nothing faults, nothing is observed.
Value meaning(Expr e, const Inputs& in) {
    std::vector<Value> args;
    const Expr node = e->op == Op::Defined ? e->arg(0) : e;
    for (Expr a : node->args) args.push_back(meaning(a, in));
    switch (e->op) {
        case Op::Var: return in.vars.at(e);
        case Op::Load: {
            const Value* cell = in.cell(e, args[0]);
            return cell == nullptr || cell->is_indet() ? zero_of(e->type) : *cell;
        }
        case Op::Defined: {
            const Value* cell = in.cell(node, args[0]);
            return Value::of_bool(cell != nullptr && !cell->is_indet());
        }
        case Op::And: return Value::of_bool(args[0].truth() && args[1].truth());
        case Op::Or: return Value::of_bool(args[0].truth() || args[1].truth());
        case Op::Select:
        case Op::IfThenElse: return args[0].truth() ? args[1] : args[2];
        default: break;
    }
    if (e->args.size() == 2 && e->arg(0)->type.is_exact_int()) {
        const ir::Integer& x = args[0].integer();
        const ir::Integer& y = args[1].integer();
        switch (e->op) {
            case Op::Eq: return Value::of_bool(x == y);
            case Op::Ne: return Value::of_bool(!(x == y));
            case Op::Lt: return Value::of_bool(x < y);
            case Op::Le: return Value::of_bool(x <= y);
            case Op::Min: return Value::of_int(ir::min(x, y));
            case Op::Max: return Value::of_int(ir::max(x, y));
            default: break;
        }
    }
    const ir::Evaluated out = ir::eval_op(*e, args);
    return out.ok() ? out.value : zero_of(e->type);
}

class FormulaProperty : public testing::TestWithParam<int> {
  protected:
    ir::Context ctx;
    ir::Buffer ints = ctx.buffer("I", ir::kInt32, {ctx.i32(kExtent)});
    ir::Buffer bytes = ctx.buffer("B", ir::kInt8, {ctx.i32(kExtent)});
    ir::Buffer bools = ctx.buffer("P", ir::kBool, {ctx.i32(kExtent)});
    ir::Buffer floats = ctx.buffer("F", ir::kFloat32, {ctx.i32(kExtent)});
    int lets = 0;

    ir::Buffer buffer_of(ScalarType type) {
        if (type.is_bool()) return bools;
        if (type.is_float()) return floats;
        return type == ir::kInt8 ? bytes : ints;
    }

    Expr leaf(Noise& r, ScalarType type, bool memory) {
        if (memory && r.below(3) == 0) {
            return ctx.load(buffer_of(type), {expression(r, ir::kInt32, 1, memory)});
        }
        if (r.below(3) == 0) return ctx.var("v" + type.str(), type);
        if (type.is_bool()) return ctx.bool_imm(r.below(2) == 0);
        if (type.is_float()) {
            const double values[] = {0.0, -0.0, 1.5, -3.0, 1e10, -2147483648.0, -128.5, 127.9};
            return ctx.float_imm(type, ir::round_to_type(type, values[r.below(8)]));
        }
        const ir::Int128 values[] = {0, 1, -1, 2, 3, type.min_value(), type.max_value(), 31};
        return ctx.int_imm(type, values[r.below(8)]);
    }

    // `memory`: loads may occur (an indeterminate cell that a let freezes has no formula).
    Expr expression(Noise& r, ScalarType type, int depth, bool memory = true) {
        if (depth == 0) return leaf(r, type, memory);
        const auto sub = [&](ScalarType t) { return expression(r, t, depth - 1, memory); };
        const auto same = [&] { return sub(type); };
        switch (r.below(12)) {
            case 0: return leaf(r, type, memory);
            case 1: return ctx.select(sub(ir::kBool), same(), same());
            case 2: return ctx.if_then_else(sub(ir::kBool), same(), same());
            case 3: {
                const ScalarType bound = r.below(2) == 0 ? ir::kInt32 : ir::kBool;
                const Expr v = ctx.var("let" + std::to_string(lets++), bound);
                const Expr body = ctx.make(bound.is_bool() ? Op::And : Op::Lt, {v, sub(bound)});
                return ctx.let(v, expression(r, bound, depth - 1, false),
                               ctx.select(body, same(), same()));
            }
            default: break;
        }
        if (type.is_bool()) {
            const ScalarType of[] = {ir::kInt32, ir::kInt32, ir::kInt8, ir::kFloat32};
            const ScalarType t = of[r.below(4)];
            switch (r.below(6)) {
                case 0: return ctx.and_(same(), same());
                case 1: return ctx.or_(same(), same());
                case 2: return ctx.not_(same());
                case 3: return ctx.eq(sub(t), sub(t));
                case 4: return ctx.lt(sub(t), sub(t));
                default: return ctx.cast(type, sub(t));
            }
        }
        if (type.is_float()) {
            const Op ops[] = {Op::Add, Op::Mul, Op::Div, Op::Min, Op::Max};
            if (r.below(4) == 0) return ctx.cast(type, sub(ir::kInt32));
            return ctx.make(ops[r.below(5)], {same(), same()});
        }
        const ScalarType from[] = {ir::kFloat32, ir::kInt32, ir::kInt8, ir::kBool};
        const Op ops[] = {Op::Add,      Op::Sub, Op::Mul,      Op::FloorDiv, Op::FloorMod,
                          Op::TruncDiv, Op::Min, Op::Max,      Op::BitAnd,   Op::BitXor,
                          Op::Shl,      Op::Shr, Op::TruncMod, Op::FloorDiv};
        switch (r.below(8)) {
            case 0: return ctx.cast(type, sub(from[r.below(4)]));
            case 1: return ctx.neg(same());
            case 2: return ctx.math(ir::MathFn::Abs, {same()});
            default: return ctx.make(ops[r.below(14)], {same(), same()});
        }
    }

    Inputs inputs(Noise& r) {
        Inputs out;
        ir::Chooser chooser(static_cast<std::uint64_t>(r.below(1 << 30)));
        for (const ScalarType t : {ir::kInt32, ir::kInt8, ir::kBool, ir::kFloat32}) {
            const auto value = [&] {
                const bool small = t.is_int() && r.below(2) == 0;
                return small ? Value::of_int(r.below(6) - 1) : chooser.choose(t);
            };
            out.vars.emplace(ctx.var("v" + t.str(), t), value());
            std::vector<Value>& cells = out.cells[buffer_of(t)->name];
            for (int i = 0; i < kExtent; ++i) {
                cells.push_back(r.below(3) == 0 ? Value::indet() : value());
            }
        }
        return out;
    }
};

TEST_P(FormulaProperty, formulas_say_what_evaluation_does) {
    Noise r(static_cast<std::uint64_t>(GetParam()));
    const ScalarType types[] = {ir::kInt32, ir::kInt32, ir::kBool, ir::kInt8, ir::kFloat32};
    int faults = 0;
    int values = 0;
    int indeterminate = 0;
    for (int round = 0; round < 4000; ++round) {
        const Expr e = expression(r, types[r.below(5)], 1 + r.below(3));
        const Expr safe = no_fault(ctx, e);
        const Expr known = definite(ctx, e);
        const Expr fits = in_range(ctx, e);
        for (int sample = 0; sample < 3; ++sample) {
            const Inputs in = inputs(r);
            ir::Environment environment;
            environment.vars = in.vars;
            environment.load = [&](Expr load, std::span<const Value> at) -> ir::Evaluated {
                const Value* cell = in.cell(load, at[0]);
                if (cell == nullptr) return FaultKind::OutOfBounds;
                return *cell;
            };
            const ir::Evaluation out = ir::evaluate(e, environment);
            ASSERT_EQ(meaning(safe, in).truth(), out.ok())
                << ir::print(e) << "\n"
                << ir::print(safe) << (out.fault ? out.fault->str() : "");
            faults += out.ok() ? 0 : 1;
            if (!out.ok()) continue;
            ASSERT_EQ(meaning(known, in).truth(), !out.value.is_indet()) << ir::print(e) << "\n"
                                                                         << ir::print(known);
            (out.value.is_indet() ? indeterminate : values)++;
            if (out.value.is_indet()) continue;
            ASSERT_EQ(meaning(fits, in).truth(), ir::observable(e->type, out.value))
                << ir::print(e) << "\n"
                << ir::print(fits);
        }
    }
    EXPECT_GT(faults, 500);
    EXPECT_GT(values, 500);
    EXPECT_GT(indeterminate, 200);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FormulaProperty, testing::Range(1, 4));

}  // namespace
}  // namespace proviso::analysis
