// Messages about a program's meaning name the place in the text that they are about.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using testing::HasSubstr;
using testing::Not;

class SourcePlaces : public Commands {
  protected:
    proviso::tests::Seen with_layout(const std::string& map, const std::string& pad = "none") {
        file("p.py", fmt::format(R"(
@T.prim_func
def f(A: T.Buffer((4, 4), "int32"), n: T.int32):
    # "i // 4" in a comment is no place
    T.func_attr({{"proviso.layout": {{"A": [{{
        "index_type": "int32", "vars": ["i"], "physical_vars": ["p", "q"],
        "logical_shape": ["15"], "map": ["{}", "i % 4"],
        "inverse": ["p * 4 + q"], "pad": "{}", "padding_by": "caller"}}]}}}})
    for i in range(15):
        A[i // 4, i % 4] = n
)",
                                 map, pad));
        return run({"lower", "p.py", "-q", "--no-cache"});
    }
};

TEST_F(SourcePlaces, OfALayout) {
    ASSERT_EQ(with_layout("i // 4").code, 0) << with_layout("i // 4").err;
    const proviso::tests::Seen unfinished = with_layout("i // 4 +");
    EXPECT_EQ(unfinished.code, 2);
    EXPECT_THAT(unfinished.err,
                HasSubstr("p.py:7:51: error: attribute proviso.layout, A: 'i // 4 +': expected an "
                          "expression, found the end of the text\n"
                          "          \"logical_shape\": [\"15\"], \"map\": [\"i // 4 +\""));
    EXPECT_THAT(with_layout("i//4").err,
                HasSubstr("p.py:7:43: error: attribute proviso.layout, A: 'i//4' is written"));
    EXPECT_THAT(with_layout("k // 4").err, HasSubstr("p.py:7:43: error: "));
    EXPECT_THAT(with_layout("i // 4", "A[A[0, 0], 0]").err, HasSubstr("p.py:8:43: error: "));
    // What is no text in it: at the buffer.
    const proviso::tests::Seen ranks = with_layout("i // 4\", \"i");
    EXPECT_THAT(ranks.err, HasSubstr("p.py:5:37: error: attribute proviso.layout, A: "
                                     "'physical_vars' and 'map' differ in length"));
}

TEST_F(SourcePlaces, OfThreadsThatACpuDoesNotHave) {
    file("threads.py", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    # "threadIdx.x"
    for b in T.thread_binding(2, thread="blockIdx.x"):
        with T.launch_thread("threadIdx.x", 2) as t:
            A[b * 2 + t] = 1
)");
    const std::string place = "threads.py:5:41: error: loop over b is bound to blockIdx.x";
    EXPECT_THAT(run({"run", "threads.py"}).err, HasSubstr(place));
    EXPECT_THAT(run({"lower", "threads.py", "--no-cache"}).err, HasSubstr(place));
    EXPECT_EQ(run({"run", "threads.py"}).code, 2);
    file("twice.py", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    A[0] = 1
    for t in range(2):
        with T.launch_thread("threadIdx.x", 2) as t:
            A[t] = 1
        for u in T.thread_binding(2, thread="threadIdx.x"):
            A[u] = 1
)");
    EXPECT_THAT(run({"run", "twice.py"}).err, HasSubstr("twice.py:6:30: error: loop over t_1 is"));
}

// Trap: one C function would have to do two things.
TEST_F(SourcePlaces, OfTwoUsesOfAnExternalFunction) {
    const auto block = [](const char* name, const char* to, int factor) {
        return fmt::format(R"(    with T.block("{0}"):
        T.block_attr({{"proviso.extern": {{"arguments": ["Y", "X"], "result": "void",
            "symbol": "scale", "description": "@T.prim_func\ndef d(X: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n    for k in range(4):\n        Y[k] = X[k] * {2}\n"}}}})
        for j in range(4):
            {1}[j] = A[j] * {2}
)",
                           name, to, factor);
    };
    const auto program = [&](int factor) {
        file("two.py",
             "@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), "
             "C: T.Buffer((4,), \"int32\")):\n" +
                 block("b", "B", 3) + block("c", "C", factor));
    };
    program(3);
    EXPECT_EQ(run({"lower", "two.py", "-q"}).code, 0);
    EXPECT_EQ(run({"check", "two.py", "two.py"}).code, 0);
    program(5);
    const proviso::tests::Seen seen = run({"lower", "two.py", "-q"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err,
                HasSubstr("two.py:8:18: error: the external function \"scale\" is called for two "
                          "things by the same arguments, in block \"b\", at body/0 and in block "
                          "\"c\", at body/1, and cannot tell them apart"));
    EXPECT_EQ(run({"check", "two.py", "two.py"}).code, 2);
}

// Trap: nothing is known of an opaque call's result, which is no fault of the program.
TEST_F(SourcePlaces, OfASharedBufferOutsideOfABlock) {
    file("shared.py", R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32")):
    S = T.alloc_buffer((8,), "int32", scope="shared.dyn")
    for b in T.thread_binding(4, thread="blockIdx.x"):
        for t in T.thread_binding(2, thread="threadIdx.x"):
            S[b * 2 + t] = 1
            A[b * 2 + t] = S[b * 2 + t]
)");
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"run", "shared.py", "--random", "--target", "gpu-host"},
             {"lower", "shared.py", "--target", "gpu-host", "-q"}}) {
        const auto seen = run(words);
        EXPECT_THAT(seen.err, HasSubstr("shared.py:4:5: error: the shared buffer S is allocated "
                                        "outside of a block"));
    }
}

TEST_F(SourcePlaces, OfAnOpaqueCall) {
    file("opaque.py", R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = T.call_extern("int32", "mine", i)
)");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", "opaque.py"},
             {"lower", "opaque.py", "--no-cache"},
             {"lower", "opaque.py", "--no-cache", "--target", "cuda"}}) {
        const proviso::tests::Seen seen = run(words);
        EXPECT_EQ(seen.code, 2) << seen.err;
        EXPECT_THAT(seen.err, HasSubstr("opaque.py:5:39: error: opaque call of \"mine\", which is "
                                        "not registered"));
        EXPECT_THAT(seen.err, HasSubstr("hint: no command lowers or runs opaque calls"));
    }
    for (const char* engine : {"interp", "both"}) {
        const proviso::tests::Seen seen = run({"run", "opaque.py", "--engine", engine});
        EXPECT_EQ(seen.code, 3) << seen.err;
        EXPECT_THAT(seen.out, HasSubstr("not finished: unsupported call: mine(0)"));
        EXPECT_THAT(seen.err, HasSubstr("hint: no command runs opaque calls"));
        EXPECT_THAT(seen.out, Not(HasSubstr("a program that faults")));
    }
}

TEST_F(SourcePlaces, OfALayoutForEveryCommand) {
    with_layout("i // 4 +");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", "p.py", "--random"}, {"check", "p.py", "p.py"}, {"lower", "p.py", "--json"}}) {
        EXPECT_THAT(run(words).err, HasSubstr("p.py:7:51: error: ")) << words[0];
    }
    const json told = json::parse(run({"lower", "p.py", "--json"}).out)["error"];
    EXPECT_EQ(told["line"], 7) << told;
    EXPECT_EQ(told["column"], 51);
}

// The assumption that can never hold, of several; where the text has other assumptions than the
// program, none is named.
TEST_F(SourcePlaces, OfAnAssumption) {
    file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n > 5)
    for i in range(16):
        T.evaluate(T.assume(n < 3))
        A[i] = A[i] + n
)");
    const proviso::tests::Seen seen = run({"lower", "p.py", "-q", "--no-cache"});
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr("p.py:6:20: error: the assumption at "));
    EXPECT_THAT(seen.err, HasSubstr("can never hold: n < 3"));
    EXPECT_THAT(seen.err, HasSubstr("          T.evaluate(T.assume(n < 3))\n"));
    const json told = json::parse(run({"lower", "p.py", "--json"}).out)["diagnostic"];
    EXPECT_EQ(told["line"], 6);
    const proviso::tests::Seen piped =
        shell("cat p.py | " + std::string(PROVISO_BINARY) + " lower - -q");
    EXPECT_THAT(piped.err, Not(HasSubstr(":6:"))) << "standard input is read once";
    file("q.py", R"(
@T.macro
def bound(n):
    T.assume(n < 3)

@T.prim_func
def f(A: T.Buffer((16,), "int32"), n: T.int32):
    T.assume(n > 5)
    bound(n)
    A[0] = n
)");
    const proviso::tests::Seen macro = run({"lower", "q.py", "-q", "--no-cache"});
    EXPECT_EQ(macro.code, 1);
    EXPECT_THAT(macro.err, HasSubstr("error: the assumption at body/1 can never hold: n < 3"));
    EXPECT_THAT(macro.err, Not(HasSubstr("q.py:8")));
}

}  // namespace
