// Every operator on every type, against the table of operators (ir/domains/value.h): bit for bit,
// every NaN being one value. Arguments on which the operator faults are left out; their number is
// looked at, so that no operator passes for lack of arguments.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

std::vector<Value> integer_samples(ScalarType type) {
    const Int128 lo = type.min_value();
    const Int128 hi = type.max_value();
    std::vector<Int128> raw = {lo, lo + 1, lo / 2, hi / 2, hi - 1, hi};
    for (int v = -9; v <= 9; ++v) raw.push_back(v);
    for (int shift = 7; shift < 64; shift += 6) {
        const Int128 power = static_cast<Int128>(1) << shift;
        for (Int128 v : {power - 1, power, power + 1, -power, -power - 1}) raw.push_back(v);
    }
    // Ties, and just off ties, of rounding to 8, 11, 24 and 53 bits.
    for (int digits : {8, 11, 24, 53}) {
        for (int shift = 1; digits + shift <= 64; shift += 5) {
            const Int128 tie = (static_cast<Int128>(1) << (digits + shift - 1)) +
                               (static_cast<Int128>(1) << (shift - 1));
            for (Int128 v : {tie - 1, tie, tie + 1, -tie, -tie - 1}) raw.push_back(v);
        }
    }
    Chooser chooser(7);
    for (int i = 0; i < 8; ++i) raw.push_back(static_cast<std::int64_t>(chooser.next()));
    std::vector<Value> out;
    std::vector<Int128> seen;
    for (Int128 v : raw) {
        if (!type.contains(v) || std::find(seen.begin(), seen.end(), v) != seen.end()) continue;
        seen.push_back(v);
        out.push_back(Value::of_int(v));
    }
    return out;
}

std::vector<Value> float_samples(ScalarType type) {
    std::vector<std::uint64_t> patterns;
    const int width = type.bits;
    const int mantissa = type == kFloat64 ? 52 : type == kFloat32 ? 23 : type == kFloat16 ? 10 : 7;
    const std::uint64_t one = 1;
    const std::uint64_t inf = ((one << (width - 1)) - 1) & ~((one << mantissa) - 1);
    const std::uint64_t sign = one << (width - 1);
    patterns = {0,
                1,
                2,
                3,
                (one << mantissa) - 1,
                one << mantissa,
                (one << mantissa) + 1,
                inf - 1,
                inf - 2,
                inf,
                inf + 1};
    for (double v : {0.5, 1.0, 1.5, 2.5, 3.0, 3.5, -7.25, 100.0, 127.0, 128.0, 1024.5, 2049.0}) {
        patterns.push_back(float_bits(type, round_to_type(type, v)));
    }
    Chooser chooser(11);
    for (int i = 0; i < 24; ++i) patterns.push_back(chooser.next() >> (64 - width));
    std::vector<Value> out;
    const std::size_t count = patterns.size();
    for (std::size_t i = 0; i < count; ++i) {
        out.push_back(bits_value(type, patterns[i]));
        out.push_back(bits_value(type, patterns[i] ^ sign));
    }
    return out;
}

std::vector<Value> samples(ScalarType type) {
    if (type.is_bool()) return {Value::of_bool(false), Value::of_bool(true)};
    return type.is_float() ? float_samples(type) : integer_samples(type);
}

// One operator with loads of parameters A0, A1, A2 as its arguments: for i: out[i] = op(A0[i], ..).
struct Case {
    Context ctx;
    Function f;
    Expr operation = nullptr;

    template <typename Build>
    Case(const std::vector<ScalarType>& types, const Build& build) {
        Expr n = ctx.var("n", kInt64);
        Expr i = ctx.var("i", kInt64);
        std::vector<Expr> args;
        f.name = "op";
        f.params.push_back(n);
        for (std::size_t k = 0; k < types.size(); ++k) {
            Buffer b = ctx.buffer("A" + std::to_string(k), types[k], {n});
            f.params.push_back(b);
            args.push_back(ctx.load(b, {i}));
        }
        operation = build(ctx, args);
        Buffer out = ctx.buffer("out", operation->type, {n});
        f.params.push_back(out);
        f.body = ctx.for_(i, ctx.i64(0), n, ctx.store(out, {i}, operation));
    }
};

// Runs the case on all combinations of samples on which it does not fault; returns their number.
std::size_t check_case(const Case& c, const std::vector<ScalarType>& types, OptLevel level,
                       const std::string& what) {
    std::vector<std::vector<Value>> tuples = {{}};
    for (ScalarType type : types) {
        std::vector<std::vector<Value>> longer;
        for (const auto& t : tuples) {
            for (const Value& v : samples(type)) {
                longer.push_back(t);
                longer.back().push_back(v);
            }
        }
        tuples = std::move(longer);
    }
    std::vector<std::vector<Value>> inputs;
    std::vector<Value> expected;
    for (const auto& t : tuples) {
        const Evaluated e = eval_op(*c.operation, t);
        if (!e.ok() || !observable(c.operation->type, e.value)) continue;
        inputs.push_back(t);
        expected.push_back(e.value);
    }
    const auto n = static_cast<std::int64_t>(inputs.size());
    std::vector<HostBuffer> buffers;
    for (ScalarType type : types) buffers.push_back(make_host_buffer(type, {n}));
    buffers.push_back(make_host_buffer(c.operation->type, {n}));
    for (std::size_t row = 0; row < inputs.size(); ++row) {
        for (std::size_t k = 0; k < types.size(); ++k) {
            set_cell(buffers[k], row, value_bits(types[k], inputs[row][k]));
        }
    }
    const CpuModule module = compiled(c.f, at(level));
    std::vector<HostArgument> args = {int_scalar(kInt64, n)};
    for (HostBuffer& b : buffers) args.emplace_back(&b);
    EXPECT_EQ(run(module, "op", args), RunOutcome{}) << what;
    int shown = 0;
    for (std::size_t row = 0; row < inputs.size() && shown < 5; ++row) {
        const Value got = bits_value(c.operation->type, cell(buffers.back(), row));
        if (got == expected[row]) continue;
        ++shown;
        std::string text;
        for (std::size_t k = 0; k < types.size(); ++k) text += " " + inputs[row][k].str(types[k]);
        ADD_FAILURE() << what << " of" << text << ": " << got.str(c.operation->type) << ", not "
                      << expected[row].str(c.operation->type);
    }
    return inputs.size();
}

bool takes(Op op, ScalarType t) {
    switch (op_info(op).op_class) {
        case OpClass::Comparison: return op == Op::Eq || op == Op::Ne || !t.is_bool();
        case OpClass::Logic: return t.is_bool();
        case OpClass::Bits: return t.is_int();
        default: break;
    }
    if (op == Op::Div) return t.is_float();
    const bool integers_only =
        op == Op::FloorDiv || op == Op::FloorMod || op == Op::TruncDiv || op == Op::TruncMod;
    return integers_only ? t.is_int() : !t.is_bool();
}

class Operators : public ::testing::TestWithParam<OptLevel> {};

TEST_P(Operators, Binary) {
    for (Op op :
         {Op::Add,      Op::Sub, Op::Mul,    Op::Div,   Op::FloorDiv, Op::FloorMod, Op::TruncDiv,
          Op::TruncMod, Op::Min, Op::Max,    Op::Eq,    Op::Ne,       Op::Lt,       Op::Le,
          Op::And,      Op::Or,  Op::BitAnd, Op::BitOr, Op::BitXor,   Op::Shl,      Op::Shr}) {
        for (ScalarType type : all_scalar_types()) {
            if (!takes(op, type)) continue;
            const Case c({type, type}, [&](Context& ctx, const std::vector<Expr>& a) {
                return ctx.make(op, {a[0], a[1]});
            });
            const std::string what = fmt::format("{} on {}", op_info(op).name, type.str());
            EXPECT_GE(check_case(c, {type, type}, GetParam(), what), 4U) << what;
        }
    }
}

TEST_P(Operators, UnaryAndSelect) {
    for (ScalarType type : all_scalar_types()) {
        if (!type.is_bool()) {
            const Case c({type}, [](Context& ctx, const auto& a) { return ctx.neg(a[0]); });
            EXPECT_GE(check_case(c, {type}, GetParam(), "neg on " + type.str()), 10U);
        }
        for (bool lazy : {false, true}) {
            const Case c({kBool, type, type}, [&](Context& ctx, const auto& a) {
                return lazy ? ctx.if_then_else(a[0], a[1], a[2]) : ctx.select(a[0], a[1], a[2]);
            });
            EXPECT_GE(check_case(c, {kBool, type, type}, GetParam(), "choice on " + type.str()),
                      8U);
        }
    }
    const Case c({kBool}, [](Context& ctx, const auto& a) { return ctx.not_(a[0]); });
    EXPECT_EQ(check_case(c, {kBool}, GetParam(), "not"), 2U);
}

TEST_P(Operators, Cast) {
    for (ScalarType from : all_scalar_types()) {
        for (ScalarType to : all_scalar_types()) {
            const Case c({from}, [&](Context& ctx, const auto& a) { return ctx.cast(to, a[0]); });
            const std::string what = "cast from " + from.str() + " to " + to.str();
            EXPECT_GE(check_case(c, {from}, GetParam(), what), from.is_bool() ? 2U : 8U) << what;
        }
    }
}

TEST_P(Operators, Math) {
    for (int k = 0; k < kMathFnCount; ++k) {
        const auto fn = static_cast<MathFn>(k);
        for (ScalarType type : all_scalar_types()) {
            if (type.is_bool() || (type.is_int() && fn != MathFn::Abs)) continue;
            const std::vector<ScalarType> types(static_cast<std::size_t>(math_fn_info(fn).arity),
                                                type);
            const Case c(types, [&](Context& ctx, const auto& a) { return ctx.math(fn, a); });
            const std::string what = fmt::format("{} on {}", math_fn_info(fn).name, type.str());
            EXPECT_GE(check_case(c, types, GetParam(), what), 10U) << what;
        }
    }
}

// Constant divisors take shorter sequences; each must be right for both signs of the dividend. One
// program a type: out_k[i] = A[i] op divisor for all pairs of an operator and a divisor.
struct ConstantDivision {
    Op op;
    Int128 divisor;
};

std::vector<ConstantDivision> constant_divisions(ScalarType type) {
    std::vector<ConstantDivision> out;
    for (int divisor : {1, 2, 3, 7, 8, 64, 100, -1, -2, -3, -8}) {
        if (!type.contains(divisor)) continue;
        for (Op op : {Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod}) {
            out.push_back({op, divisor});
        }
    }
    out.push_back({Op::FloorDiv, type.max_value()});
    out.push_back({Op::FloorMod, type.min_value() == 0 ? type.max_value() : type.min_value()});
    return out;
}

TEST_P(Operators, DivisionByConstants) {
    for (ScalarType type : {kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt32, kUInt64}) {
        std::vector<Value> dividends = samples(type);
        // MIN by -1 is a fault, in every program below that has it.
        if (type.is_signed()) dividends.erase(dividends.begin());
        ASSERT_TRUE(!type.is_signed() || !(dividends.front() == Value::of_int(type.min_value())));
        Context ctx;
        Expr n = ctx.i64(static_cast<std::int64_t>(dividends.size()));
        Expr i = ctx.var("i", kInt64);
        Buffer a = ctx.buffer("A", type, {n});
        Function f{"op", {a}, {}, nullptr};
        std::vector<Stmt> stores;
        const std::vector<ConstantDivision> divisions = constant_divisions(type);
        std::vector<HostBuffer> buffers = {
            make_host_buffer(type, {static_cast<std::int64_t>(dividends.size())})};
        for (std::size_t k = 0; k < divisions.size(); ++k) {
            Buffer out = ctx.buffer("out" + std::to_string(k), type, {n});
            f.params.emplace_back(out);
            Expr divisor = ctx.int_imm(type, divisions[k].divisor);
            stores.push_back(
                ctx.store(out, {i}, ctx.make(divisions[k].op, {ctx.load(a, {i}), divisor})));
            buffers.push_back(buffers.front());
        }
        f.body = ctx.for_(i, ctx.i64(0), n, ctx.seq(stores));
        for (std::size_t r = 0; r < dividends.size(); ++r) {
            set_cell(buffers.front(), r, value_bits(type, dividends[r]));
        }
        std::vector<HostArgument> args;
        for (HostBuffer& b : buffers) args.emplace_back(&b);
        run(compiled(f, at(GetParam())), "op", args);
        for (std::size_t k = 0; k < divisions.size(); ++k) {
            Expr divisor = ctx.int_imm(type, divisions[k].divisor);
            Expr operation = ctx.make(divisions[k].op, {ctx.var("x", type), divisor});
            for (std::size_t r = 0; r < dividends.size(); ++r) {
                const std::vector<Value> operands = {dividends[r],
                                                     Value::of_int(divisions[k].divisor)};
                const Evaluated expected = eval_op(*operation, operands);
                ASSERT_TRUE(expected.ok());
                EXPECT_EQ(bits_value(type, cell(buffers[k + 1], r)), expected.value)
                    << op_info(divisions[k].op).name << " of " << dividends[r].str(type) << " by "
                    << operands[1].str(type) << " on " << type.str();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, Operators, ::testing::Values(OptLevel::O0, OptLevel::O2),
                         [](const auto& level) {
                             return level.param == OptLevel::O0 ? "O0" : "O2";
                         });

// All 65536 values of both 16-bit formats, through widening and back: the identity.
TEST(SmallFloats, EveryValueSurvivesFloat32) {
    for (ScalarType type : {kFloat16, kBFloat16}) {
        const Case c({type}, [&](Context& ctx, const auto& a) {
            return ctx.cast(type, ctx.cast(kFloat32, a[0]));
        });
        const std::int64_t n = 65536;
        HostBuffer in = make_host_buffer(type, {n});
        HostBuffer out = make_host_buffer(type, {n});
        for (std::size_t i = 0; i < 65536; ++i) set_cell(in, i, i);
        run(compiled(c.f, at(OptLevel::O2)), "op", {int_scalar(kInt64, n), &in, &out});
        for (std::size_t i = 0; i < 65536; ++i) {
            ASSERT_EQ(bits_value(type, cell(out, i)), bits_value(type, i))
                << type.str() << " " << i;
        }
    }
}

}  // namespace
}  // namespace proviso::backend::testing
