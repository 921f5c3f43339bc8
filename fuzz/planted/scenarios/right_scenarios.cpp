// Steps that are right, and accepted. A fault that makes one of them go wrong shows here: as a
// refusal, or as a difference.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

const std::vector<Scenario>& right_scenarios() {
    static const std::vector<Scenario> list = {
        {"split, guarded inside of its nest, in front of a condition",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((3,), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        for j in range(2):
            if A[i] == j:
                B[i] = j + 7
)",
         {{"split", "body",
           R"j({"factor": "2", "outer": "io", "inner": "ii", "guard": "leaf"})j"}}},
        {"split, guarded",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i]
)",
         {{"split", "body", R"j({"factor": "2", "outer": "io", "inner": "ii", "guard": "if"})j"}}},
        {"a loop that counts down, reversed",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(1, 5):
        B[5 - i] = A[i]
)",
         {{"reverse-loop", "body", R"j({"name": "j"})j"}}},
        {"fuse",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((2, 3), "int32"), B: T.Buffer((2, 3), "int32")):
    for i in range(2):
        for j in range(3):
            B[i, j] = A[i, j]
)",
         {{"fuse", "body", R"j({"name": "k"})j"}}},
        {"floor division by a negative number, lowered",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i] // -3
)",
         {{"lower-division", "body/body/value", R"j({"form": "general"})j"}}},
        {"tiles with padding that is written",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i]
)",
         {{"relayout", "body",
           R"j({"buffer": "B", "shape": ["3", "2"], "vars": ["x"], "map": ["x // 2", "x % 2"],
               "physical_vars": ["p", "q"], "inverse": ["p * 2 + q"], "pad": "0",
               "names": ["w", "u"], "boxes": [[["2", "3"], ["1", "2"]]], "after": "body"})j"}}},
        {"an initialisation in a block of its own",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    for k in range(4):
        with T.block("sum"):
            vk = T.axis.reduce(4, k)
            with T.init():
                B[0] = 0
            B[0] = B[0] + A[vk]
)",
         {{"split-init", "body/body", R"j({"block": "first", "names": {}})j"}}},
        {"a reduction under another name",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    for k in range(4):
        with T.block("sum"):
            vk = T.axis.reduce(4, k)
            with T.init():
                B[0] = 0
            B[0] = B[0] + A[vk]
)",
         {{"rename-block", "body/body", R"j({"block": "total"})j"}}},
        {"what follows a block, in the block",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        with T.block("b"):
            v = T.axis.spatial(4, i)
            B[v] = A[v]
        B[i] = B[i] // 2
)",
         {{"join-block", "body/body/0", "{}"}}},
        {"a block with a predicate, lowered",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(6, i)
            T.where(i < 6)
            B[v] = A[v]
)",
         {{"lower-block", "body/body", "{}"}}},
        {"a buffer in the memory of a smaller one",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((3,), "int32"), B: T.Buffer((5,), "int32")):
    x = T.alloc_buffer((3,), "int32")
    y = T.alloc_buffer((5,), "int32")
    for i in range(3):
        x[i] = A[i]
    for i in range(3):
        B[i] = x[i]
    for i in range(5):
        y[i] = i
    for i in range(5):
        B[i] = y[i]
)",
         {{"share-buffer", "body", R"j({"first": "x", "second": "y"})j"}}},
        {"a loop restated as two",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = A[i]
)",
         {{"restate", "body",
           R"({"text": "for o in range(2):\n    for n in range(4):\n        B[o * 4 + n] = A[o * 4 + n]\n",
               "parts": [{"now": "body/body/body", "origin": "body/body",
                          "from": {"i": "o * 4 + n"}, "to": {"o": "i // 4", "n": "i % 4"}}]})"}}},
        {"results of two cells in parts, in a loop named as the value of one would be",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((5, 9), "int32"), I: T.Buffer((5,), "int32"), V: T.Buffer((5,), "int32")):
    for v_I in range(5):
        I[v_I] = 2
        V[v_I] = -9
        for k in range(9):
            V[v_I] = T.max(V[v_I], A[v_I, k])
            I[v_I] = 2
)",
         {{"stage-partial", "body/body/2",
           R"j({"buffer": "I", "name": "I_rf", "scope": "global", "extents": ["4"], "names": ["p"],
               "vars": ["x"], "map": ["k % 4"], "inverse": ["v_I"], "start": "2",
               "writer": {"statement": "body/body/0", "at": {"v_I": "v_I"}},
               "also": [{"buffer": "V", "name": "V_rf", "start": "-9",
                         "writer": {"statement": "body/body/1", "at": {"v_I": "v_I"}}}],
               "step": {"at": "body/body/2/body", "left": ["a0", "a1"], "right": ["b0", "b1"],
                        "combine": ["b0", "T.max(a1, b1)"]}})j"}}},
        {"a reduction block with init, lowered",
         nullptr,
         R"(
@T.prim_func
def f(A: T.Buffer((3, 4), "int32"), B: T.Buffer((3,), "int32")):
    for i in range(3):
        for r in range(4):
            with T.block("b"):
                v = T.axis.spatial(3, i)
                vr = T.axis.reduce(4, r)
                with T.init():
                    B[v] = 0
                B[v] = B[v] + A[v, vr]
)",
         {{"lower-block", "body/body/body", "{}"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
