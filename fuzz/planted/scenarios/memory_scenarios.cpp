// Replaced expressions and dropped stores that forget one obligation: mostly claims about memory.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kCopy = R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i]
)";

const std::vector<Scenario>& replaced() {
    static const std::vector<Scenario> list = {
        {"a replacement that divides by zero",
         "faults only where the original does",
         kCopy,
         {{"replace", "body/body/value", R"j({"to": "A[i] + 0 * (1 // (i - 3))"})j"}}},
        {"a replacement of another value",
         "the replacement has the same value",
         kCopy,
         {{"replace", "body/body/value", R"j({"to": "A[i] // 2 * 2"})j"}}},
        {"a replacement that reads what was never written",
         "is definite where the original is",
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int16"), B: T.Buffer((5,), "int16")):
    tmp = T.alloc_buffer((5,), "int16")
    for i in range(5):
        B[i] = A[i]
)",
         {{"replace", "body/body/body/value", R"j({"to": "A[i] + T.int16(0) * tmp[i]"})j"}}},
        {"a replacement that races",
         "a new load in a concurrent loop",
         R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in T.parallel(4):
        B[i] = A[i]
)",
         {{"replace", "body/body/value", R"j({"to": "A[i] + 0 * B[i + 1]"})j"}}},
        {"a value that was not stored on every run",
         "was written before",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if i < 2:
            B[i] = 5
    for j in range(4):
        C[j] = B[j]
)",
         {{"replace", "body/1/body/value",
           R"j({"to": "5", "claims": [{"kind": "last-write", "buffer": "B", "indices": ["j"],
               "writer": {"statement": "body/0/body/then", "at": {"i": "j"}}}]})j"}}},
        {"a value that was overwritten since",
         "nothing overwrites the cell of",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 5
    for k in range(4):
        B[k] = A[k]
    for j in range(4):
        C[j] = B[j]
)",
         {{"replace", "body/2/body/value",
           R"j({"to": "5", "claims": [{"kind": "last-write", "buffer": "B", "indices": ["j"],
               "writer": {"statement": "body/0/body", "at": {"i": "j"}}}]})j"}}},
        {"an assumption about other cells",
         "has run before",
         R"(
@T.prim_func
def f(A: T.Buffer((3,), "int32"), C: T.Buffer((3,), "int32")):
    for k in range(1):
        T.assume(0 <= A[k])
    for i in range(3):
        C[i] = T.max(A[i], 0)
)",
         {{"replace", "body/1/body/value",
           R"j({"to": "A[i]", "claims": [{"kind": "assume", "statement": "body/0/body",
               "at": {"k": "i"}}]})j"}}},
        {"an assumption kept after a write",
         "is not written in between",
         R"(
@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    for k in range(1):
        T.assume(0 <= B[k])
    for i in range(1):
        B[i] = A[i]
    for j in range(1):
        C[j] = T.max(B[j], 0)
)",
         {{"replace", "body/2/body/value",
           R"j({"to": "B[j]", "claims": [{"kind": "assume", "statement": "body/0/body",
               "at": {"k": "j"}}]})j"}}},
        {"an invariant that one store breaks",
         "every value stored to",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    tmp = T.alloc_buffer((4,), "int32")
    for i in range(4):
        tmp[i] = A[i]
    for j in range(4):
        B[j] = T.max(tmp[j], 0)
)",
         {{"replace", "body/body/1/body/value",
           R"j({"to": "tmp[j]", "claims": [{"kind": "invariant", "buffer": "tmp",
               "indices": ["j"], "property": "0 <= v",
               "writer": {"statement": "body/body/0/body", "at": {"i": "j"}}}]})j"}}},
    };
    return list;
}

const std::vector<Scenario>& dropped() {
    static const std::vector<Scenario> list = {
        {"a store of a new value dropped",
         "the cell already holds the stored value",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 20
)",
         {{"drop-store", "body/body", R"j({"mode": "same"})j"}}},
        {"a store of a value that is undefined in one case",
         "a value that may be undefined",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = T.if_then_else(A[i] < 0, 20, T.undef("int32"))
)",
         {{"drop-store", "body/body", R"j({"mode": "same"})j"}}},
        {"a store overwritten only in part",
         "the cell is overwritten later",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 20
    for j in range(3):
        B[j] = A[j]
)",
         {{"drop-store", "body/0/body",
           R"j({"mode": "dead",
               "writers": [{"statement": "body/1/body", "at": {"j": "i"}}]})j"}}},
        {"a store read before it is overwritten",
         "the cell is not read at",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 20
    for k in range(4):
        C[k] = B[k]
    for j in range(4):
        B[j] = A[j]
)",
         {{"drop-store", "body/0/body",
           R"j({"mode": "dead",
               "writers": [{"statement": "body/2/body", "at": {"j": "i"}}]})j"}}},
        {"a store seen when the function stops",
         "the function does not stop at",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 20
    assert A[0] < 0, "negative input expected"
    for j in range(4):
        B[j] = A[j]
)",
         {{"drop-store", "body/0/body",
           R"j({"mode": "dead",
               "writers": [{"statement": "body/2/body", "at": {"j": "i"}}]})j"}}},
    };
    return list;
}

const std::vector<Scenario>& shared() {
    static const std::vector<Scenario> list = {
        {"memory of a buffer that is still read",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    x = T.alloc_buffer((4,), "int32")
    y = T.alloc_buffer((4,), "int32")
    for i in range(4):
        x[i] = A[i]
    for i in range(4):
        y[i] = 7
    for i in range(4):
        B[i] = x[i] + y[i]
)",
         {{"share-buffer", "body", R"j({"first": "x", "second": "y"})j"}}},
        {"memory of a buffer that a loop uses again",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    x = T.alloc_buffer((4,), "int32")
    y = T.alloc_buffer((4,), "int32")
    for i in range(4):
        x[i] = A[i]
    for t in range(2):
        for i in range(4):
            y[i] = x[i] + t
        for i in range(4):
            B[i] = y[i]
)",
         {{"share-buffer", "body", R"j({"first": "x", "second": "y"})j"}}},
        {"zeros of a buffer whose memory is taken early",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((3,), "float32"), B: T.Buffer((4,), "float32")):
    x = T.alloc_buffer((4,), "float32")
    y = T.alloc_buffer((4,), "float32")
    x[3] = T.float32(0.0)
    for i in range(3):
        y[i] = T.exp(A[i])
    y[3] = T.float32(1.0)
    for i in range(3):
        x[i] = y[i]
    for i in range(4):
        B[i] = x[i]
)",
         {{"share-buffer", "body", R"j({"first": "y", "second": "x"})j"}}},
    };
    return list;
}

}  // namespace

const std::vector<Scenario>& memory_scenarios() {
    static const std::vector<Scenario> list = [] {
        std::vector<Scenario> out = replaced();
        out.insert(out.end(), dropped().begin(), dropped().end());
        out.insert(out.end(), shared().begin(), shared().end());
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
