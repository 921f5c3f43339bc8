// Steps of rules that owe little or nothing: control flow that is decided, loops written out,
// knowledge and undefined values lowered, loops bound to threads. What they owe is forgotten, or
// their shape is not looked at, or the rule itself slips.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

const std::vector<Scenario>& wrong_ones() {
    static const std::vector<Scenario> list = {
        {"what the first iteration does, of a loop that does not run",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for k in range(2, 2):
        if k == 2:
            A[0] = 7
        A[k] = A[k] + 1
)",
         {{"split-reduction", "body", "{}"}}},
        {"what the first iteration does, and the third one too",
         "every iteration goes somewhere",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for k in range(4):
        if k % 2 == 0:
            A[0] = A[0] + 5
        A[k] = A[k] + 1
)",
         {{"split-reduction", "body", "{}"}}},
        {"a loop whose iterations store to one cell, in parallel",
         "no race between iterations",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(4):
        B[0] = A[i]
)",
         {{"bind", "body", R"j({"kind": "parallel"})j"}}},
        {"lanes that add to one cell",
         "no race between iterations",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(4):
        B[0] = B[0] // 2 + A[i]
)",
         {{"vectorize", "body", "{}"}}},
        {"a definite value lowered as if it were undefined",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"lower-undef", "body/body/value", "{}"}}},
        {"a store lowered as if it were an assumption",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"lower-assume", "body/body", "{}"}}},
    };
    return list;
}

const std::vector<Scenario>& right_ones() {
    static const std::vector<Scenario> list = {
        {"a branch that is decided",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if True:
            B[i] = A[i]
        else:
            B[i] = 0
)",
         {{"decide-branch", "body/body", "{}"}}},
        {"a buffer that is only stored to",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        C = T.alloc_buffer((1,), "int32")
        C[0] = A[i]
    for j in range(4):
        B[j] = A[j]
)",
         {{"drop-empty", "body/0/body", "{}"}}},
        {"a loop written out",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(1, 4):
        B[i] = A[i] + B[i - 1] // 2
)",
         {{"unroll", "body", "{}"}}},
        {"a buffer in one dimension",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((3, 5), "int32"), B: T.Buffer((3, 5), "int32")):
    for i, j in T.grid(3, 5):
        B[i, j] = A[i, j] + 1
)",
         {{"flatten", "body", R"j({"buffer": "B", "var": "x"})j"}}},
        {"an assumption that is proved, dropped",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        T.assume(i < 4)
        B[i] = A[i]
)",
         {{"drop-assume", "body/body/0", "{}"}}},
        {"an assumption as a check",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    T.assume(-1000000 < n)
    for i in range(4):
        B[i] = A[i]
)",
         {{"check-assume", "body/0", R"j({"message": "n is small"})j"}}},
        {"a loop bound to threads",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"bind", "body", R"j({"kind": "parallel"})j"}}},
    };
    return list;
}

}  // namespace

const std::vector<Scenario>& lowering_scenarios() {
    static const std::vector<Scenario> list = [] {
        std::vector<Scenario> out = wrong_ones();
        out.insert(out.end(), right_ones().begin(), right_ones().end());
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
