// Compiled code against the interpreter through tensors, and the conversions between them.
#include "backend/tensor.h"

#include <gtest/gtest.h>

#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

TEST(Tensors, EveryValueGoesThroughBytes) {
    for (ScalarType type : all_scalar_types()) {
        Chooser chooser(3);
        Tensor t = Tensor::filled(type, {8, 25}, Value::indet());
        for (std::size_t i = 0; i < t.size(); ++i) t.set(i, chooser.choose(type));
        EXPECT_TRUE(from_host(to_host(t, chooser)) == t) << type.str();
    }
    for (ScalarType type : {kFloat16, kBFloat16}) {
        HostBuffer all = make_host_buffer(type, {65536});
        for (std::size_t i = 0; i < 65536; ++i) set_cell(all, i, i);
        Chooser chooser(0);
        const Tensor t = from_host(all);
        const HostBuffer back = to_host(t, chooser);
        for (std::size_t i = 0; i < 65536; ++i) {
            const double expected = float_of_bits(type, i);
            ASSERT_TRUE(t.at(i) == Value::of_float(expected)) << i;
            if (std::isnan(expected)) continue;
            ASSERT_EQ(cell(back, i), i);
        }
    }
}

TEST(Tensors, IndeterminateCellsGetArbitraryValues) {
    const Tensor t = Tensor::filled(kFloat32, {64}, Value::indet());
    Chooser one(1);
    Chooser two(2);
    EXPECT_NE(to_host(t, one).bytes, to_host(t, two).bytes);
}

// S[i] = A[i] * A[i] in a scratch of which only the even cells are written; B copies all of it; the
// size n is implied by A's shape; stops where A holds 7.
struct Compared : ::testing::Test {
    Context ctx;
    Expr n = ctx.var("n", kInt64);
    Expr i = ctx.var("i", kInt64);
    Expr k = ctx.var("k", kInt64);
    Buffer a = ctx.buffer("A", kFloat32, {n});
    Buffer b = ctx.buffer("B", kFloat32, {n});
    Buffer s = ctx.buffer("S", kFloat32, {n});

    Function program(double scale) {
        Expr even = ctx.eq(ctx.floormod(i, ctx.i64(2)), ctx.i64(0));
        Expr square =
            ctx.mul(ctx.load(a, {i}), ctx.mul(ctx.load(a, {i}), ctx.float_imm(kFloat32, scale)));
        Stmt fill = ctx.for_(i, ctx.i64(0), n, ctx.if_(even, ctx.store(s, {i}, square)));
        Stmt check =
            ctx.stmt(Assert{ctx.ne(ctx.load(a, {k}), ctx.float_imm(kFloat32, 7.0)), "no 7"});
        Stmt copy =
            ctx.for_(k, ctx.i64(0), n, ctx.seq({check, ctx.store(b, {k}, ctx.load(s, {k}))}));
        return Function{"even", {a, b}, {}, ctx.stmt(Allocate{s, ctx.seq({fill, copy})})};
    }
    std::optional<std::string> difference(const Function& interpreted,
                                          const Function& compiled_from,
                                          const std::vector<double>& values) {
        const auto size = static_cast<std::int64_t>(values.size());
        const Inputs inputs = {{"A", Tensor::of(kFloat32, {size}, values)},
                               {"B", Tensor::filled(kFloat32, {size}, Value::indet())}};
        const auto expected = ir::run(interpreted, inputs);
        EXPECT_TRUE(expected.ok()) << (expected.ok() ? "" : expected.error().str());
        const auto got = run_on_tensors(compiled(compiled_from), compiled_from, inputs, 5);
        EXPECT_TRUE(got.ok()) << (got.ok() ? "" : got.error().str());
        return run_difference(interpreted, *expected, *got);
    }
};

TEST_F(Compared, EqualUpToIndeterminateCells) {
    EXPECT_EQ(difference(program(1.0), program(1.0), {1, 2, 3, -0.0, 5}), std::nullopt);
    EXPECT_EQ(difference(program(1.0), program(1.0), {1, 2, 7, 4, 5}), std::nullopt);
}

TEST_F(Compared, ADifferenceIsSeen) {
    const auto found = difference(program(1.0), program(2.0), {1, 2, 3, 4, 5});
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, "B[0]: 2.0 does not refine 1.0");
    // Before the stop, too: the program has no concurrent loop.
    EXPECT_TRUE(difference(program(1.0), program(2.0), {1, 2, 7, 4, 5}).has_value());
    EXPECT_TRUE(difference(program(1.0), program(2.0), {7, 2, 3, 4, 5}) == std::nullopt);
}

TEST_F(Compared, InputsThatDoNotFitAreRefused) {
    const Function f = program(1.0);
    const CpuModule m = compiled(f);
    Inputs inputs = {{"A", Tensor::of(kFloat32, {3}, {1, 2, 3})}};
    EXPECT_FALSE(run_on_tensors(m, f, inputs).ok());  // no B
    inputs.emplace("B", Tensor::of(kFloat32, {4}, {1, 2, 3, 4}));
    const auto other_size = run_on_tensors(m, f, inputs);
    ASSERT_FALSE(other_size.ok());
    EXPECT_EQ(other_size.error().message, "parameter B has shape (3), not (4)");
}

}  // namespace
}  // namespace proviso::backend::testing
