// Strict floats: no fusing, no re-association, no flush to zero, at O2, in every kind of loop. Each
// input is chosen so that the forbidden result differs from the right one; the test checks that,
// too.
#include <cmath>

#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

template <typename Build>
double evaluate(ScalarType type, const std::vector<double>& inputs, const Build& build,
                ForKind kind = ForKind::Serial) {
    Context ctx;
    Expr i = ctx.var("i", kInt32);
    Expr count = ctx.i32(16);  // the same in 16 lanes, so that a vectorizer has something to do
    std::vector<Buffer> in;
    std::vector<Expr> loads;
    Function f{"strict", {}, {}, nullptr};
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        in.push_back(ctx.buffer("A" + std::to_string(k), type, {count}));
        f.params.emplace_back(in.back());
        loads.push_back(ctx.load(in.back(), {i}));
    }
    Buffer out = ctx.buffer("out", type, {count});
    f.params.emplace_back(out);
    f.body = ctx.for_(i, ctx.i32(0), count, ctx.store(out, {i}, build(ctx, loads)), kind);
    std::vector<HostBuffer> buffers;
    for (double v : inputs) buffers.push_back(host_buffer(type, {16}, std::vector<double>(16, v)));
    buffers.push_back(make_host_buffer(type, {16}));
    std::vector<HostArgument> args;
    for (HostBuffer& b : buffers) args.emplace_back(&b);
    run(compiled(f), "strict", args);
    return values(buffers.back()).front();
}

TEST(StrictFloats, ProductAndSumAreNotFused) {
    const double a = 1.0 + 0x1p-27;
    const double c = -(1.0 + 0x1p-26);
    const double apart = a * a + c;
    ASSERT_NE(apart, std::fma(a, a, c));
    for (ForKind kind :
         {ForKind::Serial, ForKind::Vectorized, ForKind::Unrolled, ForKind::Parallel}) {
        const double got = evaluate(
            kFloat64, {a, c},
            [](Context& ctx, const auto& x) { return ctx.add(ctx.mul(x[0], x[0]), x[1]); }, kind);
        EXPECT_EQ(got, apart);
    }
}

TEST(StrictFloats, NoFusingInTheAssembly) {
    Context ctx;
    Expr i = ctx.var("i", kInt32);
    Buffer a = ctx.buffer("A", kFloat32, {ctx.i32(64)});
    Buffer b = ctx.buffer("B", kFloat32, {ctx.i32(64)});
    Expr value = ctx.add(ctx.mul(ctx.load(a, {i}), ctx.load(a, {i})), ctx.load(b, {i}));
    const Function f{
        "square_sum",
        {a, b},
        {},
        ctx.for_(i, ctx.i32(0), ctx.i32(64), ctx.store(b, {i}, value), ForKind::Vectorized)};
    const auto text = unverified::emit_assembly({f}, {});
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text->find("fmadd"), std::string::npos);
    EXPECT_NE(text->find("vmulps"), std::string::npos);
    EXPECT_NE(text->find("ymm"), std::string::npos) << "the vectorized loop is not vectorized";
}

TEST(StrictFloats, SumsAreNotReassociated) {
    const double got = evaluate(kFloat32, {1.0, 0x1p24}, [](Context& ctx, const auto& x) {
        return ctx.sub(ctx.add(x[0], x[1]), x[1]);  // 0, where algebra says 1
    });
    EXPECT_EQ(got, 0.0);
}

// A sum over a row in order: with partial sums per lane the result would be another.
TEST(StrictFloats, ReductionKeepsItsOrder) {
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Expr i = ctx.var("i", kInt32);
    Buffer a = ctx.buffer("A", kFloat32, {n});
    Buffer s = ctx.buffer("S", kFloat32, {ctx.i32(1)});
    Expr zero = ctx.i32(0);
    Stmt init = ctx.store(s, {zero}, ctx.float_imm(kFloat32, 0.0));
    Stmt sum =
        ctx.for_(i, zero, n, ctx.store(s, {zero}, ctx.add(ctx.load(s, {zero}), ctx.load(a, {i}))));
    const Function f{"sum", {n, a, s}, {}, ctx.seq({init, sum})};
    std::vector<double> input;
    float in_order = 0;
    float lanes[8] = {};
    for (int k = 0; k < 1000; ++k) {
        input.push_back(static_cast<double>(1.0F / static_cast<float>(k + 1)));
        in_order += static_cast<float>(input.back());
        lanes[k % 8] += static_cast<float>(input.back());
    }
    float by_lanes = 0;
    for (float lane : lanes) by_lanes += lane;
    ASSERT_NE(in_order, by_lanes);
    HostBuffer in = host_buffer(kFloat32, {1000}, input);
    HostBuffer out = make_host_buffer(kFloat32, {1});
    run(compiled(f), "sum", {int_scalar(kInt32, 1000), &in, &out});
    EXPECT_EQ(values(out).front(), static_cast<double>(in_order));
}

TEST(StrictFloats, NothingIsSimplifiedThatHasExceptions) {
    const auto f = [](const auto& build, double x) {
        return evaluate(kFloat32, {x},
                        [&](Context& ctx, const auto& a) { return build(ctx, a[0]); });
    };
    const auto plus_zero = [](Context& ctx, Expr x) {
        return ctx.add(x, ctx.float_imm(kFloat32, 0.0));
    };
    const auto minus_itself = [](Context& ctx, Expr x) { return ctx.sub(x, x); };
    const auto times_zero = [](Context& ctx, Expr x) {
        return ctx.mul(x, ctx.float_imm(kFloat32, 0.0));
    };
    const auto halves = [](Context& ctx, Expr x) {
        return ctx.mul(x, ctx.float_imm(kFloat32, 0.5));
    };
    EXPECT_FALSE(std::signbit(f(plus_zero, -0.0)));
    EXPECT_TRUE(std::isnan(f(minus_itself, INFINITY)));
    EXPECT_TRUE(std::isnan(f(times_zero, INFINITY)));
    EXPECT_TRUE(std::signbit(f(times_zero, -3.0)));
    EXPECT_EQ(f(halves, 0x1p-148), 0x1p-149);  // subnormals are kept
}

// min and max are compare-and-select: which zero and which operand of a NaN comes out is fixed.
TEST(StrictFloats, MinAndMaxOfZerosAndNan) {
    for (ScalarType type : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
        const auto min = [&](double x, double y) {
            return evaluate(type, {x, y},
                            [](Context& ctx, const auto& a) { return ctx.min(a[0], a[1]); });
        };
        const auto max = [&](double x, double y) {
            return evaluate(type, {x, y},
                            [](Context& ctx, const auto& a) { return ctx.max(a[0], a[1]); });
        };
        EXPECT_FALSE(std::signbit(min(0.0, -0.0)));
        EXPECT_TRUE(std::signbit(min(-0.0, 0.0)));
        EXPECT_FALSE(std::signbit(max(0.0, -0.0)));
        EXPECT_TRUE(std::signbit(max(-0.0, 0.0)));
        EXPECT_TRUE(std::isnan(min(NAN, 1.0)));
        EXPECT_EQ(min(1.0, NAN), 1.0);
        EXPECT_TRUE(std::isnan(max(NAN, 1.0)));
        EXPECT_EQ(max(1.0, NAN), 1.0);
        EXPECT_EQ(max(-INFINITY, 2.0), 2.0);
    }
}

// 16-bit floats round after each operation: (2048 + 1) + 1 is 2048 in float16, not 2050.
TEST(StrictFloats, SmallFloatsRoundEachOperation) {
    const double got = evaluate(kFloat16, {2048.0, 1.0}, [](Context& ctx, const auto& x) {
        return ctx.add(ctx.add(x[0], x[1]), x[1]);
    });
    EXPECT_EQ(got, 2048.0);
    const double brain = evaluate(kBFloat16, {256.0, 1.0}, [](Context& ctx, const auto& x) {
        return ctx.add(ctx.add(x[0], x[1]), x[1]);
    });
    EXPECT_EQ(brain, 256.0);
}

}  // namespace
}  // namespace proviso::backend::testing
