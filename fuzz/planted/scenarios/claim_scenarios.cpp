// Claims about memory that forget one obligation: what a stored value read, names bound to memory,
// several writers, invariants that speak of cells.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

const std::vector<Scenario>& stored_values() {
    static const std::vector<Scenario> list = {
        {"a stored value whose source has changed since",
         "what the store at",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = A[i]
    for k in range(4):
        A[k] = 7
    for j in range(4):
        C[j] = B[j]
)",
         {{"replace", "body/2/body/value",
           R"j({"to": "A[j]", "claims": [{"kind": "last-write", "buffer": "B", "indices": ["j"],
               "writer": {"statement": "body/0/body", "at": {"i": "j"}}}]})j"}}},
        {"a stored value that read the cell itself",
         "reads another cell",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = B[i] // 2 + 1
    for j in range(4):
        C[j] = B[j]
)",
         {{"replace", "body/1/body/value",
           R"j({"to": "B[j] // 2 + 1", "claims": [{"kind": "last-write", "buffer": "B",
               "indices": ["j"], "writer": {"statement": "body/0/body", "at": {"i": "j"}}}]})j"}}},
        {"a stored value that read the last iteration's buffer",
         "the buffer that is in scope",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for k in range(4):
        tmp = T.alloc_buffer((1,), "int32")
        if k > 0:
            C[k] = B[k - 1]
        tmp[0] = A[k]
        B[k] = tmp[0]
)",
         {{"replace", "body/body/body/0/then/value",
           R"j({"to": "tmp[0]", "claims": [{"kind": "last-write", "buffer": "B",
               "indices": ["k - 1"],
               "writer": {"statement": "body/body/body/2", "at": {"k": "k - 1"}}}]})j"}}},
        {"a stored name of another iteration",
         "is of this iteration",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for k in range(4):
        t: T.int32 = A[k]
        if k > 0:
            C[k] = B[k - 1]
        B[k] = t
)",
         {{"replace", "body/body/body/0/then/value",
           R"j({"to": "t", "claims": [{"kind": "last-write", "buffer": "B",
               "indices": ["k - 1"],
               "writer": {"statement": "body/body/body/1", "at": {"k": "k - 1"}}}]})j"}}},
        {"a name kept after a write",
         "what the name",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        t: T.int32 = A[i]
        A[i] = 7
        B[i] = t
)",
         {{"replace", "body/body/body/1/value",
           R"j({"to": "A[i]",
               "claims": [{"kind": "binding", "statement": "body/body"}]})j"}}},
        {"a value known of some cells, used for others",
         "the replacement has the same value",
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
               "when": "j < 2",
               "writer": {"statement": "body/0/body/then", "at": {"i": "j"}}}]})j"}}},
    };
    return list;
}

const std::vector<Scenario>& several_writers() {
    static const std::vector<Scenario> list = {
        {"two writers that leave a cell out",
         "the cell is overwritten later",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = 20
    for j in range(3):
        B[j] = A[j]
    for k in range(4, 6):
        B[k] = A[k]
)",
         {{"drop-store", "body/0/body",
           R"j({"mode": "dead", "writers": [{"statement": "body/1/body", "at": {"j": "i"}},
               {"statement": "body/2/body", "at": {"k": "i"}}]})j"}}},
        {"a read before the second writer",
         "the cell is not read at",
         R"(
@T.prim_func
def f(A: T.Buffer((6,), "int32"), B: T.Buffer((6,), "int32"), C: T.Buffer((6,), "int32")):
    for i in range(6):
        B[i] = 20
    for j in range(3):
        B[j] = A[j]
    for m in range(6):
        C[m] = B[m]
    for k in range(6):
        B[k] = A[k]
)",
         {{"drop-store", "body/0/body",
           R"j({"mode": "dead", "writers": [{"statement": "body/1/body", "at": {"j": "i"}},
               {"statement": "body/3/body", "at": {"k": "i"}}]})j"}}},
        {"a writer under a condition of another iteration",
         "the cell is overwritten later",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] < 0:
            if i < 3:
                B[i + 1] = 20
            B[i] = A[i]
)",
         {{"drop-store", "body/body/then/0/then",
           R"j({"mode": "dead",
               "writers": [{"statement": "body/body/then/1", "at": {"i": "i + 1"}}]})j"}}},
        {"an invariant of cells that one writer leaves out",
         "was written before",
         R"(
@T.prim_func
def f(B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(2):
        B[i] = 1
    for k in range(3, 4):
        B[k] = 2
    for j in range(4):
        C[j] = T.max(B[j], 0)
)",
         {{"replace", "body/2/body/value",
           R"j({"to": "B[j]", "claims": [{"kind": "invariant", "buffer": "B", "indices": ["j"],
               "property": "0 <= v",
               "writer": [{"statement": "body/0/body", "at": {"i": "j"}},
                          {"statement": "body/1/body", "at": {"k": "j"}}]}]})j"}}},
        {"an invariant of one cell taken for another's",
         "every value stored to",
         R"(
@T.prim_func
def f(A: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    tmp = T.alloc_buffer((2,), "int32")
    tmp[0] = A[0]
    tmp[1] = tmp[0]
    C[0] = tmp[1]
)",
         {{"replace", "body/body/2/value",
           R"j({"to": "0", "claims": [{"kind": "invariant", "buffer": "tmp", "indices": ["1"],
               "property": "i0 < 1 or v == 0", "writer": {"statement": "body/body/1", "at": {}},
               "coverage": {"body/body/1": [{"statement": "body/body/0", "at": {}}]}}]})j"}}},
        {"an invariant that a store of the iteration before breaks",
         "every value stored to",
         R"(
@T.prim_func
def f(A: T.Buffer((1,), "int32"), C: T.Buffer((3,), "int32")):
    tmp = T.alloc_buffer((1,), "int32")
    tmp[0] = 0
    for t in range(3):
        C[t] = tmp[0]
        tmp[0] = A[0]
)",
         {{"replace", "body/body/1/body/0/value",
           R"j({"to": "0", "claims": [{"kind": "invariant", "buffer": "tmp", "indices": ["0"],
               "property": "v == 0", "writer": {"statement": "body/body/0", "at": {}}}]})j"}}},
        {"an assumption about the start that a store breaks",
         "every value stored to",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for q in range(8):
        T.assume(0 <= A[q] and A[q] < 10)
    for i in range(4):
        A[2 * i] = (A[2 * i] + 30) // 2
    for k in range(8):
        C[k] = T.min(A[k], 9)
)",
         {{"replace", "body/2/body/value",
           R"j({"to": "A[k]", "claims": [{"kind": "invariant", "buffer": "A", "indices": ["k"],
               "property": "v < 10", "writer": {"statement": "body/0/body", "at": {"q": "k"}},
               "coverage": {"body/1/body": [{"statement": "body/0/body",
                   "at": {"q": "2 * i"}}]}}]})j"}}},
        {"an assumption about half of the cells",
         "or assumed",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for q in range(4):
        T.assume(0 <= A[q] and A[q] < 10)
    for k in range(8):
        C[k] = T.min(A[k], 9)
)",
         {{"replace", "body/1/body/value",
           R"j({"to": "A[k]", "claims": [{"kind": "invariant", "buffer": "A", "indices": ["k"],
               "property": "v < 10",
               "writer": {"statement": "body/0/body", "at": {"q": "k"}}}]})j"}}},
        {"an assumption weaker than the property",
         "gives the cell of",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for q in range(8):
        T.assume(0 <= A[q] and A[q] < 100)
    for k in range(8):
        C[k] = T.min(A[k], 9)
)",
         {{"replace", "body/1/body/value",
           R"j({"to": "A[k]", "claims": [{"kind": "invariant", "buffer": "A", "indices": ["k"],
               "property": "v < 10",
               "writer": {"statement": "body/0/body", "at": {"q": "k"}}}]})j"}}},
        {"what memory holds now, taken for what it held",
         "gives the cell of",
         R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32")):
    for q in range(8):
        T.assume(A[q] == B[q])
    for i in range(8):
        B[i] = 0
    for k in range(8):
        C[k] = T.min(A[k], 9)
)",
         {{"replace", "body/2/body/value",
           R"j({"to": "A[k]", "claims": [{"kind": "last-write", "buffer": "B", "indices": ["k"],
                   "writer": {"statement": "body/1/body", "at": {"i": "k"}}},
               {"kind": "invariant", "buffer": "A", "indices": ["k"], "property": "v < 10",
                   "writer": {"statement": "body/0/body", "at": {"q": "k"}}}]})j"}}},
        {"an index that one store leaves undefined",
         "is definite (store at",
         R"(
@T.prim_func
def f(D: T.Buffer((5,), "float32"), B: T.Buffer((8,), "float32")):
    at = T.alloc_buffer((8,), "int32")
    junk = T.alloc_buffer((8,), "int32")
    for k in range(8):
        at[k] = T.if_then_else(k < 6, 1, T.min(T.max(junk[k], 0), 4))
    for i in range(8):
        if i < 6:
            B[i] = D[at[i]]
    for p in range(6, 8):
        B[p] = T.float32(0.0)
)",
         {{"drop-guard", "body/body/body/1/body",
           R"j({"stores": {"body/body/body/1/body": {"mode": "dead",
                   "writers": [{"statement": "body/body/body/2/body", "at": {"p": "i"}}]}},
               "claims": [{"kind": "invariant", "point": "body/body/body/1/body", "buffer": "at",
                   "indices": ["i"], "property": "0 <= v and v < 5", "definite": true,
                   "writer": {"statement": "body/body/body/0/body", "at": {"k": "i"}}}]})j"}}},
        {"a nest that something else reads",
         "the cell is not read at",
         R"(
@T.prim_func
def f(A: T.Buffer((4, 3), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        B[i] = 0
        for k in range(3):
            B[i] = B[i] + A[i, k] % 100
    C[0] = B[3]
    for j in range(4):
        B[j] = 7
)",
         {{"add-guard", "body/0",
           R"j({"condition": "False", "stores": {
               "body/0/body/0": {"mode": "dead",
                   "writers": [{"statement": "body/2/body", "at": {"j": "i"}}]},
               "body/0/body/1/body": {"mode": "dead",
                   "writers": [{"statement": "body/2/body", "at": {"j": "i"}}]}}})j"}}},
    };
    return list;
}

}  // namespace

const std::vector<Scenario>& claim_scenarios() {
    static const std::vector<Scenario> list = [] {
        std::vector<Scenario> out = stored_values();
        out.insert(out.end(), several_writers().begin(), several_writers().end());
        return out;
    }();
    return list;
}

}  // namespace proviso::fuzz
