// Steps on layouts and staging that forget one obligation.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kCopy = R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i]
)";

constexpr const char* kThroughTmp = R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    tmp = T.alloc_buffer((5,), "int32")
    for i in range(5):
        tmp[i] = A[i]
    for j in range(5):
        B[j] = tmp[j]
)";

}  // namespace

const std::vector<Scenario>& layout_scenarios() {
    static const std::vector<Scenario> list = {
        {"a layout map that leaves the physical shape",
         "the layout map stays within the physical shape",
         kThroughTmp,
         {{"relayout", "body",
           R"j({"buffer": "tmp", "shape": ["4"], "vars": ["x"], "map": ["x"],
               "physical_vars": ["p"], "inverse": ["p"], "pad": "none"})j"}}},
        {"a layout map that is not injective",
         "the inverse takes each physical cell back",
         kThroughTmp,
         {{"relayout", "body",
           R"j({"buffer": "tmp", "shape": ["3"], "vars": ["x"], "map": ["x // 2"],
               "physical_vars": ["p"], "inverse": ["p * 2"], "pad": "none"})j"}}},
        {"a layout map that divides by zero",
         "the layout map is computed without a fault",
         kThroughTmp,
         {{"relayout", "body",
           R"j({"buffer": "tmp", "shape": ["5"], "vars": ["x"],
               "map": ["x + 0 * (1 // (2 - x))"], "physical_vars": ["p"], "inverse": ["p"],
               "pad": "none"})j"}}},
        {"a physical extent that divides by zero",
         "the physical extent is computed",
         R"(
@T.prim_func
def f(n: T.int32, A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    T.func_attr({"tir_var_lower_bound": {"n": 2}, "tir_var_upper_bound": {"n": 3}})
    tmp = T.alloc_buffer((5,), "int32")
    for i in range(5):
        tmp[i] = A[i]
    for j in range(5):
        B[j] = tmp[j] + n
)",
         {{"relayout", "body",
           R"j({"buffer": "tmp", "shape": ["5 + 0 * (1 // (n - 2))"], "vars": ["x"],
               "map": ["x"], "physical_vars": ["p"], "inverse": ["p"], "pad": "none"})j"}}},
        {"padding written over data",
         "of the padding is in bounds and holds nothing else",
         kThroughTmp,
         {{"relayout", "body",
           R"j({"buffer": "tmp", "shape": ["8"], "vars": ["x"], "map": ["x"],
               "physical_vars": ["p"], "inverse": ["p"], "pad": "0", "names": ["w"],
               "boxes": [[["4", "8"]]], "after": "body/body/0"})j"}}},
        {"padding that nobody writes",
         "all of the padding is written",
         kCopy,
         {{"relayout", "body",
           R"j({"buffer": "B", "shape": ["8"], "vars": ["x"], "map": ["x"],
               "physical_vars": ["p"], "inverse": ["p"], "pad": "0", "names": ["w"],
               "boxes": [[["5", "7"]]], "after": "body"})j"}}},
        {"padding that repeats padding",
         "the cell that padding repeats is data",
         kCopy,
         {{"relayout", "body",
           R"j({"buffer": "B", "shape": ["8"], "vars": ["x"], "map": ["x"],
               "physical_vars": ["p"], "inverse": ["p"], "pad": "B[p + 1]", "names": ["w"],
               "boxes": [[["5", "8"]]], "after": "body"})j"}}},
        {"padding that repeats an undefined cell",
         "the cell that padding repeats may be read",
         kCopy,
         {{"relayout", "body",
           R"j({"buffer": "A", "shape": ["6"], "vars": ["x"], "map": ["x"],
               "physical_vars": ["p"], "inverse": ["p"], "pad": "undef", "names": ["w"]})j"},
          {"relayout", "body",
           R"j({"buffer": "A", "shape": ["8"], "vars": ["y"], "map": ["y"],
               "physical_vars": ["q"], "inverse": ["q"], "pad": "A[5]", "names": ["u"]})j"}}},
        {"a copy that reads padding which must not be touched",
         "may be read",
         kCopy,
         {{"relayout", "body",
           R"j({"buffer": "A", "shape": ["8"], "vars": ["x"], "map": ["x"],
               "physical_vars": ["p"], "inverse": ["p"], "pad": "none"})j"},
          {"stage-read", "body",
           R"j({"buffer": "A", "name": "A_copy", "scope": "local", "names": ["c"]})j"}}},
        {"a cache written back that was not filled",
         "is stored on every run",
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"stage-write", "body",
           R"j({"buffer": "B", "name": "B_copy", "scope": "local", "names": ["c"],
               "writer": {"statement": "body/body", "at": {"i": "c"}}, "reads": {}})j"}}},
        {"a cache read before it is filled",
         "was written before",
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = B[i] // 2 + A[i]
)",
         {{"stage-write", "body",
           R"j({"buffer": "B", "name": "B_copy", "scope": "local", "names": ["c"],
               "writer": {"statement": "body/body", "at": {"i": "c"}},
               "reads": {"body/body": [{"statement": "body/body", "at": {"i": "i"}}]}})j"}}},
        {"a tile that misses the halo",
         "the tile covers every cell that is read",
         R"(
@T.prim_func
def f(A: T.Buffer((17,), "int32"), B: T.Buffer((16,), "int32")):
    for b in range(4):
        for t in range(4):
            B[b * 4 + t] = A[b * 4 + t] + A[b * 4 + t + 1]
)",
         {{"stage-read", "body/body",
           R"j({"buffer": "A", "name": "tile", "scope": "shared", "names": ["p"],
               "offsets": ["b * 4"], "extents": ["4"]})j"}}},
        {"a part of the result that is too small",
         "the tile covers every cell that is stored",
         R"(
@T.prim_func
def f(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32")):
    for b in range(4):
        for t in range(4):
            B[b * 4 + t] = A[b * 4 + t]
)",
         {{"stage-write", "body/body",
           R"j({"buffer": "B", "name": "part", "scope": "local", "names": ["p"],
               "offsets": ["b * 4"], "extents": ["3"],
               "writer": {"statement": "body/body/body", "at": {"t": "p"}}})j"}}},
        {"partial results that start above what the cells held",
         "with a partial result holds",
         R"(
@T.prim_func
def f(A: T.Buffer((4, 6), "int32"), S: T.Buffer((4,), "int32")):
    for j in range(4):
        S[j] = -9
    for i in range(4):
        for k in range(6):
            S[i] = T.max(S[i], A[i, k])
)",
         {{"stage-partial", "body/1",
           R"j({"buffer": "S", "name": "P", "scope": "global", "extents": ["2", "4"],
               "names": ["p", "q"], "vars": ["x"], "map": ["k % 2", "x"], "inverse": ["q"],
               "start": "0", "writer": {"statement": "body/0/body", "at": {"j": "q"}}})j"}}},
        {"a partial sum that leaves its range",
         "up to its sign",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), S: T.Buffer((4,), "int32")):
    for j in range(4):
        S[j] = 0
    for i in range(4):
        for k in range(6):
            S[i] = S[i] + T.Select(k % 2 == 0, 2000000000, A[i] % 9 - 2000000000)
)",
         {{"stage-partial", "body/1",
           R"j({"buffer": "S", "name": "P", "scope": "global", "extents": ["2", "4"],
               "names": ["p", "q"], "vars": ["x"], "map": ["k % 2", "x"], "inverse": ["q"],
               "start": "0", "most": 10000000,
               "writer": {"statement": "body/0/body", "at": {"j": "q"}}})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
