// Steps that make functions of stages: wrong because more is known in the function than what its
// parameters promise, or because of a step of the function itself; and right ones.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

const std::vector<Scenario>& function_scenarios() {
    static const std::vector<Scenario> list = {
        {"a function that knows what its caller stored",
         "writes what the cell holds where the guard is false",
         R"(
@T.prim_func
def f(A: T.Buffer((3,), "int8"), B: T.Buffer((4,), "int8"), C: T.Buffer((1,), "int8")):
    for i in range(3):
        B[i] = A[i]
    C[0] = T.int8(0)
    for j in range(4):
        if j < 3:
            C[0] = C[0] + B[j]
)",
         {{"outline", "body/1",
           R"j({"name": "g", "count": 2, "steps": [
               {"rule": "drop-guard", "site": "body/1/body", "args": {"stores": {"body/1/body":
                {"mode": "same", "writer": {"statement": "body/0", "at": {}}}}}}]})j"}}},
        {"a function that takes what nobody wrote for definite",
         "",
         R"(
@T.prim_func
def f(C: T.Buffer((2,), "int32")):
    B = T.alloc_buffer((4,), "int32")
    C[0] = 1
    C[1] = B[0]
)",
         {{"outline", "body/body/0",
           R"j({"name": "g", "count": 2, "steps": [{"rule": "replace", "site": "body/0/value",
               "args": {"to": "T.if_then_else(B[1] < 0, 1, 1)"}}]})j"}}},
        {"a function that takes an undefined store of its caller for definite",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((2,), "float32"), C: T.Buffer((2,), "int32")):
    A[0] = T.undef("float32")
    C[0] = 1
    if A[1] < T.float32(0):
        C[1] = 2
)",
         {{"outline", "body/1",
           R"j({"name": "g", "count": 2, "steps": [{"rule": "replace", "site": "body/0/value",
               "args": {"to": "T.if_then_else(A[0] < T.float32(0), 1, 1)"}}]})j"}}},
        {"a function that takes what was computed for finite, as the inputs are",
         "",
         R"py(
@T.prim_func
def f(A: T.Buffer((1,), "float32"), F: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), n: T.int32):
    T.func_attr({"proviso.licences": ["finite(A)", "finite(F)"]})
    F[0] = T.float32(1.0) / A[0]
    B[0] = T.float32(1.0)
    if n < 3:
        B[0] = F[0] * T.float32(0.0) + T.float32(1.0)
)py",
         {{"outline", "body/1",
           R"j({"name": "g", "count": 2, "steps": [{"rule": "drop-guard", "site": "body/1",
               "args": {"stores": {"body/1": {"mode": "same",
                                              "writer": {"statement": "body/0", "at": {}}}},
                        "claims": [{"kind": "last-write", "point": "body/1", "buffer": "B",
                                    "indices": ["0"],
                                    "writer": {"statement": "body/0", "at": {}}}]}}]})j"}}},
        {"a second step of a function that is wrong",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i] + 0
)",
         {{"outline", "body",
           R"j({"name": "g", "steps": [
               {"rule": "replace", "site": "body/body/value", "args": {"to": "A[i]"}},
               {"rule": "replace", "site": "body/body/value", "args": {"to": "A[0]"}}]})j"}}},
        {"a loop of a function, split under names that are taken around it",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = i
    for j in range(4):
        B[j] = A[j]
    B[0] = 7
)",
         {{"outline", "body/1",
           R"j({"name": "g", "steps": [{"rule": "split", "site": "body",
               "args": {"factor": "2", "outer": "i", "inner": "i_1", "guard": "none"}}]})j"}}},
        {"two statements as a function",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    A[0] = 1
    B[1] = A[0]
    B[2] = A[1]
)",
         {{"outline", "body/0", R"j({"name": "g", "count": 2})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
