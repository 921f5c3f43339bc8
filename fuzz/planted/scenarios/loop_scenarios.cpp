// Steps on loops that forget one obligation.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

const std::vector<Scenario>& loop_scenarios() {
    static const std::vector<Scenario> list = {
        {"split without its guard",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i]
)",
         {{"split", "body",
           R"j({"factor": "2", "outer": "io", "inner": "ii", "guard": "none"})j"}}},
        {"split evaluates an inner bound outside of the loop",
         "is computed without a fault",
         R"(
@T.prim_func
def f(B: T.Buffer((3,), "int32")):
    for i in range(3):
        for j in range(12 // (3 - i)):
            with T.block("b"):
                vi = T.axis.spatial(3, i)
                vj = T.axis.spatial(12, j)
                B[vi] = vj
)",
         {{"split", "body",
           R"j({"factor": "2", "outer": "io", "inner": "ii", "guard": "block"})j"}}},
        {"split with its guard inside evaluates a bound outside of the loop",
         "is computed without a fault",
         R"(
@T.prim_func
def f(B: T.Buffer((3, 12), "int32")):
    for i in range(3):
        for j in range(12 // (3 - i)):
            B[i, j] = j
)",
         {{"split", "body",
           R"j({"factor": "2", "outer": "io", "inner": "ii", "guard": "leaf"})j"}}},
        {"a wider loop with its guard inside evaluates a bound in a new iteration",
         "is computed without a fault",
         R"(
@T.prim_func
def f(B: T.Buffer((4, 4), "int32")):
    for p in range(1, 4):
        for r in range(4 // p):
            if r < 2:
                B[p, r] = p + r
)",
         {{"shift-loop", "body",
           R"j({"offset": "0", "lo": "0", "hi": "4", "name": "q", "guard": "leaf"})j"}}},
        {"a wider parallel loop reads a bound that another iteration writes",
         "",
         R"(
@T.prim_func
def f(N: T.Buffer((8,), "int32")):
    for p in T.parallel(4):
        for r in range(T.min(N[p], 1)):
            N[p + 4] = 0
)",
         {{"shift-loop", "body",
           R"j({"offset": "0", "lo": "0", "hi": "6", "name": "q", "guard": "leaf"})j"}}},
        {"fuse of two empty loops runs",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32")):
    for i in range(3, 0):
        for j in range(2, 0):
            B[0] = 7
)",
         {{"fuse", "body", R"j({"name": "k"})j"}}},
        {"fuse observes an extent that is out of range",
         "the end of k is computed without a fault",
         R"(
@T.prim_func
def f(B: T.Buffer((1,), "int32")):
    for i in range(100000, 0):
        for j in range(50000):
            B[0] = 1
)",
         {{"fuse", "body", R"j({"name": "k"})j"}}},
        {"reorder of iterations that depend on each other",
         "keep their order",
         R"(
@T.prim_func
def f(A: T.Buffer((2, 3), "int32"), B: T.Buffer((1,), "int32")):
    for i in range(2):
        for j in range(3):
            B[0] = B[0] // 2 + A[i, j]
)",
         {{"reorder", "body", R"j({"order": ["j", "i"]})j"}}},
        {"reorder of a bound that divides by zero where the outer loop is empty",
         "is computed without a fault",
         R"(
@T.prim_func
def f(n: T.int32, B: T.Buffer((4, 8), "int32")):
    T.func_attr({"tir_var_lower_bound": {"n": 0}, "tir_var_upper_bound": {"n": 4}})
    for i in range(n):
        for j in range(8 // n):
            B[i, j] = i + j
)",
         {{"reorder", "body", R"j({"order": ["j", "i"]})j"}}},
        {"a loop is reversed although each iteration reads what the one before has stored",
         "no order between iterations",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32")):
    for i in range(5):
        A[i + 1] = A[i] // 2 + 1
)",
         {{"reverse-loop", "body", R"j({"name": "j"})j"}}},
        {"truncating division of a negative number",
         "the replacement has the same value",
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i] // 3
)",
         {{"lower-division", "body/body/value", R"j({"form": "trunc"})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
