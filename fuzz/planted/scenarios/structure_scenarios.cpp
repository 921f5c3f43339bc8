// Steps on guards, loop ranges, neighbouring loops and assumptions that forget one obligation.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

const std::vector<Scenario>& structure_scenarios() {
    static const std::vector<Scenario> list = {
        {"merge of guards that differ in one iteration",
         "every iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 4:
            A[i] = 1
        if i < 5:
            B[i] = 2
)",
         {{"merge-guards", "body/body/0", R"j({"kind": "identical"})j"}}},
        {"merge of guards that are not opposite everywhere",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 4:
            A[i] = 1
        if i > 4:
            B[i] = 2
)",
         {{"merge-guards", "body/body/0", R"j({"kind": "complementary"})j"}}},
        {"two branches as one or the other although both run",
         "what is left out does nothing",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if i < 3:
            A[i] = 1
        if 2 <= i:
            B[i] = 2
)",
         {{"merge-guards", "body/body/0", R"j({"kind": "exclusive"})j"}}},
        {"merge of guards where the first body changes the second condition",
         "nothing stores to what a bound or guard reads",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] < 5:
            A[i] = 9
        if A[i] < 5:
            A[i] = 7
)",
         {{"merge-guards", "body/body/0", R"j({"kind": "identical"})j"}}},
        {"a guard around a store that is seen",
         "the cell already holds the stored value",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"add-guard", "body/body",
           R"j({"condition": "i < 2", "stores": {"body/body": {"mode": "same"}}})j"}}},
        {"a guard around a store that runs",
         "what is left out does nothing",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if i < 3:
            B[i] = A[i]
)",
         {{"add-guard", "body/body",
           R"j({"condition": "i < 2", "stores": {"body/body/then": {"mode": "unreachable"}}})j"}}},
        {"a guard whose condition divides by zero",
         "the guard is computed without a fault",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = B[i]
)",
         {{"add-guard", "body/body",
           R"j({"condition": "8 // (i - 2) > 1", "stores": {"body/body": {"mode": "same"}}})j"}}},
        {"trim of an iteration that does something",
         "what is left out does nothing",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        if i < 5:
            B[i] = A[i]
)",
         {{"trim-loop", "body", R"j({"lo": "0", "hi": "4"})j"}}},
        {"trim to bounds that are wider",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        if i < 6:
            B[i] = A[i]
)",
         {{"trim-loop", "body", R"j({"lo": "0", "hi": "6"})j"}}},
        {"trim to a bound that divides by zero",
         "the end of i is computed without a fault",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for j in range(3):
        for i in range(2):
            if i < 2 - j * 0 and j < 2:
                B[i] = A[i]
)",
         {{"trim-loop", "body/body",
           R"j({"lo": "0", "hi": "T.min(2, T.max(2, 4 // (2 - j)))"})j"}}},
        {"a partition beyond the end of the loop",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"split-range", "body", R"j({"at": "6"})j"}}},
        {"a partition before the start of the loop",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(3, 8):
        B[i] = A[i]
)",
         {{"split-range", "body", R"j({"at": "1"})j"}}},
        {"a partition at a point that divides by zero",
         "is computed without a fault",
         R"(
@T.prim_func
def f(B: T.Buffer((3,), "int32")):
    for j in range(3):
        for i in range(0, j * 0):
            B[i] = j
)",
         {{"split-range", "body/body", R"j({"at": "T.min(0, T.max(0, 4 // (2 - j)))"})j"}}},
        {"a division hoisted out of its guard",
         "is computed without a fault",
         R"(
@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32")):
    if A[0] != 0:
        B[0] = 12 // A[0]
)",
         {{"hoist", "body",
           R"j({"what": "expression", "expression": "12 // A[0]", "name": "q"})j"}}},
        {"a load hoisted in a parallel loop that did not run",
         "is computed without a fault",
         R"(
@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((4,), "int32")):
    for p in T.parallel(4):
        for j in range(p, p):
            B[p] = A[0]
        if p == 0:
            A[0] = 1
)",
         {{"hoist", "body/body/0",
           R"j({"what": "expression", "expression": "A[0]", "name": "a"})j"}}},
        {"loops merged against a dependence",
         "no later iteration of the first loop meets the second loop on one cell of",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(7):
        A[i] = i
    for j in range(7):
        B[j] = A[j + 1]
)",
         {{"merge-loops", "body/0", R"j({})j"}}},
        {"loops of different length merged",
         "iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(7):
        A[i] = i
    for j in range(8):
        B[j] = j
)",
         {{"merge-loops", "body/0", R"j({})j"}}},
        {"a loop taken apart against a dependence",
         "no later iteration of the first part meets the second part on one cell of",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(1, 8):
        B[i] = A[i - 1]
        A[i] = B[i] // 2
)",
         {{"fission", "body", R"j({"at": 1})j"}}},
        {"a nest placed behind what reads its result",
         "what is moved and what it passes touch no common cell of",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        A[i] = i
    for j in range(8):
        B[j] = A[7 - j]
)",
         {{"compute-at", "body/0",
           R"j({"nest": "body/0", "loop": "body/1", "over": ["i"], "names": ["t"],
                "low": ["j"], "extent": ["1"], "owner": {"j": "i"}})j"}}},
        {"an assumption added that does not hold",
         "the assumption is proved where it is added",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
)",
         {{"add-assume", "body/body", R"j({"condition": "A[i] == 5"})j"}}},
        {"an iterator that leaves its domain",
         "stays in its domain",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(6, i)
            T.where(i < 6)
            B[v] = A[v]
)",
         {{"guard-inside", "body/body", "{}"}}},
        {"two cells stored to as one",
         "both branches store to the same cell",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        if i < 3:
            B[i] = A[i]
        else:
            B[i - 3] = 7
)",
         {{"merge-stores", "body/body", "{}"}}},
        {"a loop shifted out of its new range",
         "every iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = A[i]
)",
         {{"shift-loop", "body",
           R"j({"offset": "2", "lo": "0", "hi": "7", "name": "j", "guard": "if"})j"}}},
        {"a loop in a wider range without a guard",
         "no other iteration is visited",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(6):
        B[i] = A[i]
)",
         {{"shift-loop", "body",
           R"j({"offset": "0", "lo": "0", "hi": "8", "name": "j", "guard": "none"})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
