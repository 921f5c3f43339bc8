// Calls of functions of the same module: read as the callee's body, with the arguments for its
// parameters.
#include <gtest/gtest.h>

#include "ir/text.h"

namespace proviso::ir {
namespace {

class ModuleCalls : public testing::Test {
  protected:
    // The function `main` of a module, as text; or what is wrong with the module.
    std::string main_of(const std::string& text) {
        const Result<Module> m = parse_module(ctx_, text, "m.py");
        if (!m) return "error: " + m.error().message;
        const Function* f = m->find("main");
        return f == nullptr ? "no main" : print(*f);
    }

    const std::string callee_ = R"(@T.prim_func
def fill(B: T.Buffer((4,), "int32"), k: T.int32):
    for i in range(4):
        B[i] = k + i
)";
    Context ctx_;
};

TEST_F(ModuleCalls, MeanTheBodyInTheirPlace) {
    EXPECT_EQ(main_of(callee_ + R"(
@T.prim_func
def main(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(2):
        fill(A, n)
)"),
              R"(@T.prim_func
def main(A: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(2):
        with T.block("fill"):
            for i_1 in range(4):
                A[i_1] = n + i_1
)");
}

TEST_F(ModuleCalls, ScalarsAreObservedBeforeTheBodyBegins) {
    EXPECT_EQ(main_of(callee_ + R"(
@T.prim_func
def main(A: T.Buffer((4,), "int32"), k: T.int32):
    fill(A, A[0] + k)
)"),
              R"(@T.prim_func
def main(A: T.Buffer((4,), "int32"), k: T.int32):
    k_1: T.int32 = A[0] + k
    with T.block("fill"):
        for i in range(4):
            A[i] = k_1 + i
)");
}

// Trap: the callee's threads are those of the caller, not more of them.
TEST_F(ModuleCalls, NoThreadsInsideOfTheSameThreads) {
    const std::string callee = R"(@T.prim_func
def fill(B: T.Buffer((4,), "int32")):
    for i in T.thread_binding(4, thread="threadIdx.x"):
        B[i] = 1
)";
    const auto caller = [&](const std::string& axis) {
        return main_of(callee + R"(
@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    for t in T.thread_binding(2, thread=")" +
                       axis + R"("):
        fill(A)
)");
    };
    EXPECT_EQ(caller("threadIdx.x"),
              "error: threads of threadIdx.x are launched already around this place");
    EXPECT_NE(caller("blockIdx.x").find("for i in T.thread_binding(4"), std::string::npos);
}

TEST_F(ModuleCalls, ACalleeMayStandAfterItsCallerAndInAClass) {
    const std::string text = R"(@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((4,), "int32")):
        Module.fill(A, 1)

    @T.prim_func
    def fill(B: T.Buffer((4,), "int32"), k: T.int32):
        B[k] = k
)";
    EXPECT_NE(main_of(text).find("A[1] = 1"), std::string::npos) << main_of(text);
    const Result<Module> m = parse_module(ctx_, text, "m.py");
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->functions.at(0).name, "main");
    EXPECT_EQ(m->functions.at(1).name, "fill");
}

TEST_F(ModuleCalls, SizesArePassedOn) {
    const std::string text = R"(@T.prim_func
def fill(b: T.handle, n: T.int32):
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = 0

@T.prim_func
def main(a: T.handle, m: T.int32):
    A = T.match_buffer(a, (m,), "int32")
    fill(A, m)
)";
    EXPECT_NE(main_of(text).find("for i in range(m):"), std::string::npos) << main_of(text);
    std::string other = text;
    other.replace(other.find("fill(A, m)"), 10, "fill(A, 3)");
    EXPECT_EQ(main_of(other), "error: buffer A has another type or shape than parameter B of fill");
}

// Trap: TVM passes a tensor alone, and takes the size from its shape.
TEST_F(ModuleCalls, SizesInQuotesAreThoseOfTheArguments) {
    const std::string callee = R"(@T.prim_func
def fill(A: T.Buffer(("n", "m"), "int32"), B: T.Buffer(("n",), "int32")):
    n = T.int32()
    for i in range(n):
        A[i, 0] = B[i]
)";
    const auto with = [&](const std::string& call) {
        return main_of(callee + R"(
@T.prim_func
def main(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((7,), "int32")):
    )" + call + "\n");
    };
    const std::string both = with("fill(A, B)");
    EXPECT_NE(both.find("for i in range(8):"), std::string::npos) << both;
    EXPECT_EQ(both, with("fill(A, B, 8, 4)"));
    EXPECT_EQ(with("fill(A, C)"),
              "error: buffer C has another type or shape than parameter B of fill");
    EXPECT_EQ(with("fill(A)"), "error: fill takes 4 arguments, not 1");
    EXPECT_EQ(with("fill(A, B, 8)"), "error: fill takes 4 arguments, not 3");
    const std::string doubled = R"(@T.prim_func
def fill(A: T.Buffer(("n * 2",), "int32")):
    A[0] = 1

@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    fill(A)
)";
    EXPECT_EQ(main_of(doubled), "error: fill takes 2 arguments, not 1");
}

// The callee's n is the caller's m, and the other way round; both have a buffer B of n cells.
TEST_F(ModuleCalls, ExtentsOfTheCalleesBuffersAreRenamed) {
    const std::string text = R"(@T.prim_func
def fill(c: T.handle, n: T.int32, m: T.int32):
    C = T.match_buffer(c, (m,), "int32")
    B = T.alloc_buffer((n,), "int32")
    for i in range(n):
        t = T.alloc_buffer((i + n,), "int32")
        t[i] = B[i]
        C[i] = t[i]

@T.prim_func
def main(b: T.handle, n: T.int32, m: T.int32):
    B = T.match_buffer(b, (n,), "int32")
    fill(B, m, n)
)";
    const std::string out = main_of(text);
    for (const char* line : {"B_1 = T.alloc_buffer((m,), \"int32\")",
                             "for i in range(m):", "t = T.alloc_buffer((i + m,), \"int32\")",
                             "t[i] = B_1[i]", "B[i] = t[i]"}) {
        EXPECT_NE(out.find(line), std::string::npos) << line << " in\n" << out;
    }
}

TEST_F(ModuleCalls, ABufferIsNotPassedTwice) {
    EXPECT_EQ(main_of(R"(@T.prim_func
def copy(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]

@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    copy(A, A)
)"),
              "error: buffer A is passed twice");
}

TEST_F(ModuleCalls, WhatDoesNotFitIsAnError) {
    const auto with_call = [&](const std::string& call) {
        return main_of(callee_ + R"(
@T.prim_func
def main(A: T.Buffer((4,), "int32"), C: T.Buffer((5,), "int32"), n: T.int32):
    )" + call + "\n");
    };
    EXPECT_EQ(with_call("fill(A)"), "error: fill takes 2 arguments, not 1");
    EXPECT_EQ(with_call("fill(n, n)"), "error: a buffer is expected here, by its name");
    EXPECT_EQ(with_call("fill(A, C)"), "error: parameter k of fill is a scalar");
    EXPECT_EQ(with_call("fill(C, n)"),
              "error: buffer C has another type or shape than parameter B of fill");
}

TEST_F(ModuleCalls, AFunctionDoesNotCallItself) {
    EXPECT_EQ(main_of(R"(@T.prim_func
def other(A: T.Buffer((4,), "int32")):
    main(A)

@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    other(A)
)"),
              "error: function `other` calls itself");
}

}  // namespace
}  // namespace proviso::ir
