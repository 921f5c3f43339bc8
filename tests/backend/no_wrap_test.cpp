// `nsw` stands where the arithmetic is proved to stay in range, and nowhere else.
#include "backend/cpu/no_wrap.h"

#include <gtest/gtest.h>

#include "backend/cpu/backend.h"
#include "ir/text.h"

namespace proviso::backend {
namespace {

struct Compiled {
    std::set<ir::Expr> no_wrap;
    std::string llvm;
};

// The text of every i32 operation of the function, before optimisation.
Compiled compile_text(const std::string& text) {
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, text, "test");
    EXPECT_TRUE(f.ok()) << (f.ok() ? "" : f.error().str());
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    EXPECT_TRUE(d.ok());
    analysis::Prover prover(ctx, {});
    Compiled out;
    out.no_wrap = proved_no_wrap(*d, prover);
    CpuOptions options;
    options.opt = OptLevel::O0;
    options.no_signed_wrap = out.no_wrap;
    const Result<std::string> llvm = llvm_ir({*d}, options);
    EXPECT_TRUE(llvm.ok());
    out.llvm = *llvm;
    return out;
}

TEST(NoWrap, IndexArithmeticUnderLoopRanges) {
    const Compiled c = compile_text(R"(
@T.prim_func
def f(B: T.Buffer((32,), "int32")):
    for i in range(4):
        for j in range(8):
            B[i * 8 + j] = 1
)");
    EXPECT_EQ(c.no_wrap.size(), 2U);
    EXPECT_NE(c.llvm.find("mul nsw i32"), std::string::npos) << c.llvm;
}

TEST(NoWrap, DataIsNotProved) {
    const Compiled c = compile_text(R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] * A[3 - i]
)");
    EXPECT_EQ(c.no_wrap.size(), 1U) << "3 - i only";
    EXPECT_EQ(c.llvm.find("mul nsw i32"), std::string::npos) << c.llvm;
}

// Trap: the same expression under a guard and without it.
TEST(NoWrap, EveryPlaceCounts) {
    const Compiled c = compile_text(R"(
@T.prim_func
def f(B: T.Buffer((1,), "int32"), n: T.int32):
    if n < 10 and -10 < n:
        B[0] = n * n
    B[0] = n * n
)");
    EXPECT_TRUE(c.no_wrap.empty());
}

}  // namespace
}  // namespace proviso::backend
