// Guards dropped although the extra iterations are noticed, each for one reason.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kDead = R"j({"stores": {"body/body/0/body": {"mode": "dead"}}})j";

const std::vector<Scenario>& evaluations() {
    static const std::vector<Scenario> list = {
        {"an initialisation that no iteration starts any more",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((1,), "int32")):
    for k in range(1, 5):
        with T.block("b"):
            T.where(1 <= k)
            vk = T.axis.reduce(4, k - 1)
            with T.init():
                B[0] = 0
            B[0] = T.max(B[0], A[vk])
)",
         {{"drop-guard", "body/body",
           R"j({"domains": {"vk": ["-1", "4"]}, "stores": {
               "body/body/init": {"mode": "unreachable"},
               "body/body/body": {"mode": "unreachable"}}})j"}}},
        {"over-computed store out of bounds",
         "the cell stored to",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((6,), "int32")
    for i in range(8):
        if i < 6:
            tmp[i] = A[i]
    for j in range(6):
        B[j] = tmp[j]
)",
         {{"drop-guard", "body/body/0/body", kDead}}},
        {"over-computed load out of bounds",
         "the value stored at",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 6:
            tmp[i] = A[i]
    for j in range(6):
        B[j] = tmp[j]
)",
         {{"drop-guard", "body/body/0/body", kDead}}},
        {"over-computed value out of range",
         "is in its type's range",
         R"(
@T.prim_func
def f(B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 6:
            tmp[i] = i * 400000000
    for j in range(6):
        B[j] = tmp[j]
)",
         {{"drop-guard", "body/body/0/body", kDead}}},
        {"over-computed condition loads out of bounds",
         "the condition at",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 6:
            if 0 < A[i]:
                tmp[i] = 1
    for j in range(6):
        B[j] = j
)",
         {{"drop-guard", "body/body/0/body",
           R"j({"stores": {"body/body/0/body/then": {"mode": "dead"}}})j"}}},
        {"over-computed loop bound divides by zero",
         "the loop bound at",
         R"(
@T.prim_func
def f(B: T.Buffer((7,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 7:
            for k in range(12 // (7 - i)):
                tmp[i] = k
    for j in range(7):
        B[j] = tmp[j]
)",
         {{"drop-guard", "body/body/0/body",
           R"j({"stores": {"body/body/0/body/body": {"mode": "dead"}}})j"}}},
        {"over-computed binding divides by zero",
         "the value bound at",
         R"(
@T.prim_func
def f(B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 6:
            with T.LetStmt(10 // (6 - i)) as u:
                tmp[i] = u
    for j in range(6):
        B[j] = tmp[j]
)",
         {{"drop-guard", "body/body/0/body",
           R"j({"stores": {"body/body/0/body/body": {"mode": "dead"}}})j"}}},
        {"over-computed expression divides by zero",
         "the expression at",
         R"(
@T.prim_func
def f(B: T.Buffer((6,), "int32")):
    for i in range(8):
        if i < 6:
            T.evaluate(10 // (6 - i))
    for j in range(6):
        B[j] = j
)",
         {{"drop-guard", "body/0/body", R"j({"stores": {}})j"}}},
        {"over-computed assumption is false",
         "the assumption at",
         R"(
@T.prim_func
def f(B: T.Buffer((6,), "int32")):
    for i in range(8):
        if i < 6:
            T.assume(i < 6)
    for j in range(6):
        B[j] = j
)",
         {{"drop-guard", "body/0/body", R"j({"stores": {}})j"}}},
        {"over-computed block predicate loads out of bounds",
         "the predicate at",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        if i < 6:
            with T.block("b"):
                v = T.axis.spatial(8, i)
                T.where(0 < A[i])
                tmp[v] = 1
    for j in range(6):
        B[j] = j
)",
         {{"drop-guard", "body/body/0/body",
           R"j({"stores": {"body/body/0/body/body": {"mode": "dead"}}})j"}}},
    };
    return list;
}

const std::vector<Scenario>& effects() {
    static const std::vector<Scenario> list = {
        {"over-computed store of another value",
         "writes what the cell holds",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(8):
        B[i] = 0
    for j in range(8):
        if j < 6:
            B[j] = A[j]
)",
         {{"drop-guard", "body/1/body",
           R"j({"stores": {"body/1/body": {"mode": "same",
               "writer": {"statement": "body/0/body", "at": {"i": "j"}}}}})j"}}},
        {"over-computed block leaves its domain",
         "stays in its domain",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(6, i)
            T.where(i < 6)
            tmp[v] = A[v]
    for j in range(6):
        B[j] = tmp[j]
)",
         {{"drop-guard", "body/body/0/body",
           R"j({"stores": {"body/body/0/body/body": {"mode": "dead"}}})j"}}},
        {"a block's domain made smaller",
         "stays in its domain",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    tmp = T.alloc_buffer((8,), "int32")
    for i in range(8):
        with T.block("b"):
            v = T.axis.spatial(8, i)
            T.where(5 <= i)
            tmp[v] = A[v]
    for j in range(3):
        B[j] = tmp[j + 5]
)",
         {{"drop-guard", "body/body/0/body",
           R"j({"stores": {"body/body/0/body/body": {"mode": "dead"}},
               "domains": {"v": "5"}})j"}}},
        {"over-computed iterations race",
         "no race on",
         R"(
@T.prim_func
def f(B: T.Buffer((6,), "int32")):
    tmp = T.alloc_buffer((6,), "int32")
    for i in T.parallel(8):
        if i < 6:
            tmp[i % 6] = i
    for j in range(6):
        B[j] = j
)",
         {{"drop-guard", "body/body/0/body", kDead}}},
    };
    return list;
}

}  // namespace

const std::vector<Scenario>& guard_scenarios() {
    static const std::vector<Scenario> list = [] {
        std::vector<Scenario> out = evaluations();
        out.insert(out.end(), effects().begin(), effects().end());
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
