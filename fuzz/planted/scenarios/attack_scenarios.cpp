// Steps that an attack found accepted once, and one step for each clause of what a replacement
// owes. Some are right now, since what was wrong was the program that they led to.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

// Two cells of what is read in another iteration; the guard tells which one counts.
constexpr const char* kGuardOnWhatWasRead = R"(
@T.prim_func
def f(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32")):
    B[0] = 1
    for i in range(2):
        v: T.int32 = A[i]
        if (v < 3 and i == 0) or (v >= 3 and i == 1):
            if i == 0:
                B[0] = 7
            if i == 1:
                B[0] = T.if_then_else((v < 3 and i == 0) or (v >= 3 and i == 1), 5, B[0])
)";

}  // namespace

const std::vector<Scenario>& attack_scenarios() {
    static const std::vector<Scenario> list = {
        {"an indeterminate value replaced by one out of range",
         "in its type's range where the original is indeterminate",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.if_then_else(A[i] < 2147483647, A[i] + 1, T.undef("int32"))
)",
         {{"replace", "body/body/value", R"j({"to": "A[i] + 1"})j"}}},
        {"an arm that faults taken whatever was chosen",
         "faults only where the original does",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = T.if_then_else(A[i] != 0, 100 // A[i], 0)
)",
         {{"replace", "body/body/value", R"j({"to": "T.Select(A[i] != 0, 100 // A[i], 0)"})j"}}},
        {"a divisor that compares two names for one indeterminate cell",
         "freezes no undefined value",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32")):
    C = T.alloc_buffer((1,), "uint8")
    for i in range(4):
        B[i] = T.undef("int32")
)",
         {{"replace", "body/body/body/value",
           R"j({"to": "100 // T.Cast(\"int32\", T.Let(u, where={u: C[0]}) == T.Let(w, where={w: C[0]}))"})j"}}},
        {"a guard of nothing dropped with its call",
         "",
         R"(
@T.prim_func
def f(B: T.Buffer((2,), "int32"), n: T.int32):
    B[0] = 1
    if T.call_extern("int32", "ping", n) > 0:
        pass
    B[1] = 2
)",
         {{"drop-guard", "body/1", "{}"}}},
        {"a division that makes its call twice",
         "",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.call_extern("int32", "ping", i) // 4
)",
         {{"lower-division", "body/body/value", R"j({"form": "general"})j"}}},
        {"a range that starts where another call says",
         "",
         R"(
@T.prim_func
def f(B: T.Buffer((8,), "int32")):
    for i in range(T.min(T.max(T.call_extern("int32", "ping", 0) - T.call_extern("int32", "ping", 0), 0), 7), 8):
        B[i] = B[i] + 1
)",
         {{"split-range", "body", R"j({"at": "0"})j"}}},
        {"an evaluated sum without its guard",
         "the value of the expression",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
        if A[i] < 2147483647:
            T.evaluate(A[i] + 1)
)",
         {{"drop-guard", "body/body/1", "{}"}}},
        {"an allocation that keeps its old extent",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(1, 3):
        C = T.alloc_buffer((i + 1,), "int32")
        C[i] = A[i]
        B[i] = C[i]
)",
         {{"shift-loop", "body",
           R"j({"offset": "-1", "lo": "0", "hi": "2", "name": "i", "guard": "none"})j"}}},
        {"permission to read a buffer as one to read a tile",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((1,), "int32")):
    for k in range(8):
        T.assume(A[k] == T.undef("int32"))
        B[0] = A[0]
)",
         {{"stage-read", "body",
           R"j({"buffer": "A", "name": "tile", "scope": "local", "names": ["c"],
                "offsets": ["0"], "extents": ["4"]})j"}}},
        {"a load made in both arms, outside of what a block claims to read",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        with T.block("b"):
            vi = T.axis.spatial(8, i)
            T.reads(A[0:4])
            T.writes(B[vi])
            B[vi] = T.if_then_else(vi < 4, A[vi], A[vi % 4] * 0)
)",
         {{"replace", "body/body/body/value",
           R"j({"to": "T.Select(vi < 4, A[vi], A[vi % 4] * 0)"})j"}}},
        {"what a block reads claimed where its claim of writes went",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4, 4), "int8"), C: T.Buffer((4,), "int8")):
    with T.block("around"):
        T.reads(A[0:4, 0:4])
        T.writes(C[0:4])
        for i, k in T.grid(4, 4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                vk = T.axis.reduce(4, k)
                T.reads(A[vi, vk])
                T.writes(C[vi])
                with T.init():
                    C[vi] = T.int8(0)
                C[vi] = C[vi] + A[vi, vk]
)",
         {{"relayout", "body",
           R"j({"buffer": "C", "shape": ["2", "2"], "vars": ["x"], "map": ["x // 2", "x % 2"],
                "physical_vars": ["p", "q"], "inverse": ["p * 2 + q"], "pad": "none"})j"}}},
        {"a start read in a block that claims to read nothing",
         nullptr,
         R"(
@T.prim_func
def f(C: T.Buffer((8,), "int32")):
    N = T.alloc_buffer((1,), "uint8")
    N[0] = T.uint8(2)
    for k in range(T.Cast("int32", N[0]), 8):
        with T.block("first"):
            T.reads()
            T.writes(C[0])
            C[0] = k
)",
         {{"split", "body/body/1",
           R"j({"factor": "2", "outer": "ko", "inner": "ki", "guard": "if"})j"}}},
        {"cells taken for readable that an arm reads elsewhere",
         "",
         R"(
@T.prim_func
def f(F: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32"), n: T.int32):
    T.func_attr({"tir_var_lower_bound": {"n": 0}, "tir_var_upper_bound": {"n": 2147483647}, "proviso.layout": {"F": [{"index_type": "int32", "inverse": ["p0"], "logical_shape": ["3"], "map": ["i"], "pad": "none", "padding_by": "caller", "physical_vars": ["p0"], "vars": ["i"]}]}})
    for q in range(4):
        S[q] = T.if_then_else(q < 3, F[q], n + n) - n
)",
         {{"hoist", "body/body",
           R"j({"what": "expression", "expression": "T.if_then_else(q < 3, F[q], n + n)",
                "name": "v"})j"}}},
        {"a guard on what another iteration reads",
         "",
         kGuardOnWhatWasRead,
         {{"drop-guard", "body/1/body/body",
           R"j({"stores": {"body/1/body/body/0/then": {"mode": "dead", "writers":
                    [{"statement": "body/1/body/body/1/then", "at": {"i": "1"}}]},
                "body/1/body/body/1/then": {"mode": "same", "writer":
                    {"statement": "body/0", "at": {}}}}})j"}}},
        {"permission at an index that binds what is indeterminate",
         "",
         R"(
@T.prim_func
def f(B: T.Buffer((8,), "int32")):
    C = T.alloc_buffer((1,), "uint8")
    B[0] = 1
)",
         {{"add-assume", "body/body",
           R"j({"condition":
                "B[T.Let(u, where={u: C[0]}) - T.Let(w, where={w: C[0]})] == T.undef()"})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
