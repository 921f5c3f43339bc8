// What the code generator refuses, and that it says where.
#include "backend/lowered.h"

#include <gtest/gtest.h>

#include "ir/c_names.h"
#include "ir/context.h"

namespace proviso::backend {
namespace {

using namespace proviso::ir;

struct Fixture : ::testing::Test {
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Expr i = ctx.var("i", kInt32);
    Buffer a = ctx.buffer("A", kFloat32, {n});
    Stmt copy = ctx.store(a, {i}, ctx.float_imm(kFloat32, 1.0));

    Function with(Stmt body) const { return Function{"f", {n, a}, {}, body}; }
    Stmt loop(Stmt body, ForKind kind = ForKind::Serial) {
        return ctx.for_(i, ctx.i32(0), n, body, kind);
    }
    static std::string refusal(const Function& f) {
        const Status s = check_lowered(f);
        return s.ok() ? "accepted" : s.error().message;
    }
};

using CheckLowered = Fixture;

TEST_F(CheckLowered, AcceptsLoops) {
    for (ForKind kind :
         {ForKind::Serial, ForKind::Parallel, ForKind::Vectorized, ForKind::Unrolled}) {
        EXPECT_EQ(refusal(with(loop(copy, kind))), "accepted");
    }
}

TEST_F(CheckLowered, RefusesWhatLoweringRemoves) {
    Stmt undef = ctx.store(a, {i}, ctx.undef(kFloat32));
    EXPECT_EQ(refusal(with(loop(undef))),
              "the code generator does not take T.undef(), at body/body/value");
    Stmt assume = ctx.stmt(Assume{ctx.lt(i, n)});
    EXPECT_EQ(refusal(with(loop(ctx.seq({copy, assume})))),
              "the code generator does not take T.assume(), at body/body/1");
    Stmt block = ctx.stmt(Block{"b", {}, ctx.true_(), nullptr, copy, {}, {}});
    EXPECT_EQ(refusal(with(loop(block))), "the code generator does not take blocks, at body/body");
}

TEST_F(CheckLowered, RefusesThreadBinding) {
    Stmt bound = ctx.stmt(For{i, ctx.i32(0), n, ForKind::ThreadBinding, "threadIdx.x", copy});
    EXPECT_EQ(refusal(with(bound)),
              "loop over i is bound to threadIdx.x, which a CPU does not have, at body");
}

TEST_F(CheckLowered, RefusesNamesOutOfScope) {
    EXPECT_EQ(refusal(with(copy)), "variable i is not in scope, at body/index0");
    Buffer other = ctx.buffer("T", kFloat32, {n});
    EXPECT_EQ(refusal(with(loop(ctx.store(a, {i}, ctx.load(other, {i}))))),
              "buffer T is not in scope, at body/body/value");
    EXPECT_EQ(refusal(with(loop(ctx.store(other, {i}, ctx.load(a, {i}))))),
              "buffer T is not in scope, at body/body");
    Expr w = ctx.var("w", kFloat32);
    Expr let = ctx.let(w, ctx.float_imm(kFloat32, 1.0), w);
    EXPECT_EQ(refusal(with(loop(ctx.store(a, {i}, let)))), "accepted");
    EXPECT_EQ(refusal(with(loop(ctx.store(a, {i}, ctx.add(let, w))))),
              "variable w is not in scope, at body/body/value");
}

TEST_F(CheckLowered, RefusesOpaqueCallsOfStrangers) {
    Stmt call = ctx.stmt(Evaluate{ctx.call_extern(kInt32, "g", {n})});
    EXPECT_EQ(refusal(with(call)), "opaque call of \"g\", which is not registered, at body/value");
    EXPECT_TRUE(check_lowered(with(call), {"g"}).ok());
    Stmt half = ctx.stmt(Evaluate{ctx.call_extern(kFloat16, "g", {n})});
    EXPECT_FALSE(check_lowered(with(half), {"g"}).ok());
}

TEST_F(CheckLowered, TakesShapesThatDivide) {
    const auto with_shape = [&](Expr extent) {
        Buffer b = ctx.buffer("B", kFloat32, {extent});
        return refusal(Function{"f", {n, b}, {}, ctx.pass()});
    };
    EXPECT_EQ(with_shape(ctx.floordiv(n, ctx.i32(4))), "accepted");
    EXPECT_EQ(with_shape(ctx.floordiv(ctx.i32(64), n)), "accepted");
    EXPECT_EQ(with_shape(ctx.floordiv(n, ctx.i32(-1))), "accepted");
    Buffer r = ctx.buffer("R", kInt32, {ctx.i32(1)});
    EXPECT_EQ(with_shape(ctx.load(r, {ctx.i32(0)})),
              "a parameter's extent reads memory, at extent of parameter B");
    EXPECT_EQ(with_shape(ctx.add(i, ctx.i32(1))), "variable i is not in scope, at extent of B");
    Expr m = ctx.var("m", kInt64);  // alone: B's shape gives it its value
    EXPECT_EQ(with_shape(m), "accepted");
}

TEST_F(CheckLowered, RefusesNamesThatCannotBeExported) {
    for (const char* name :
         {"", "2fast", "a.b", "double", "main", "malloc", "expf", "printf", "NULL", "uint_fast8_t",
          "UINT8_C", "_start", "__a", "_A", "protected", "float4", "bf16", "pv_x", "cudaFree"}) {
        EXPECT_FALSE(check_symbol(name).ok()) << name;
        const std::string symbol = symbol_for(name, "3 conv");
        EXPECT_TRUE(check_symbol(symbol).ok()) << symbol;
    }
    EXPECT_TRUE(check_symbol("row_sum2").ok());
    EXPECT_TRUE(check_symbol("cuda_conv").ok());
    EXPECT_TRUE(check_symbol("a__b").ok());
    EXPECT_EQ(symbol_for("__a", "3 conv"), "f_3_conv___a");
    EXPECT_EQ(symbol_for("main", "conv-2d"), "conv_2d_main");
    EXPECT_EQ(symbol_for("row_sum2", "conv-2d"), "row_sum2");
}

}  // namespace
}  // namespace proviso::backend
