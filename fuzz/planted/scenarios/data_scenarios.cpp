// Claims that rest on data: writes under guards that read memory, and what a statement that has run
// tells of what it read.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

const std::vector<Scenario>& guarded_writes() {
    static const std::vector<Scenario> list = {
        {"a write under a guard whose data has changed since",
         "what the guard at",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 0:
            B[i] = 5
    for k in range(4):
        A[k] = k + 1
    for j in range(4):
        if A[j] > 0:
            C[j] = B[j]
)",
         {{"replace", "body/2/body/then/value",
           R"j({"to": "5", "claims": [{"kind": "last-write", "buffer": "B", "indices": ["j"],
               "writer": {"statement": "body/0/body/then", "at": {"i": "j"}}}]})j"}}},
        {"a store that is overwritten only under a guard whose data changes before",
         "what the guard at",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 0:
            B[i] = 5
    for k in range(4):
        A[k] = -k
    for j in range(4):
        if A[j] > 0:
            B[j] = 7
)",
         {{"drop-store", "body/0/body/then",
           R"j({"mode": "dead", "writers": [{"statement": "body/2/body/then",
               "at": {"j": "i"}}]})j"}}},
        {"a write under a guard that asks for more than the reader's",
         "was written before",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if A[i] > 3:
            B[i] = 5
    for j in range(4):
        if A[j] > 0:
            C[j] = B[j]
)",
         {{"replace", "body/1/body/then/value",
           R"j({"to": "5", "claims": [{"kind": "last-write", "buffer": "B", "indices": ["j"],
               "writer": {"statement": "body/0/body/then", "at": {"i": "j"}}}]})j"}}},
    };
    return list;
}

constexpr const char* kDivisorThatChanges = R"(
@T.prim_func
def f(A: T.Buffer((1,), "int32"), B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    B[0] = 100 // A[0]
    A[0] = 0
    C[0] = T.Select(A[0] == 0, 1, 2)
)";

const std::vector<Scenario>& observed() {
    static const std::vector<Scenario> list = {
        {"an observed divisor that has changed since",
         "what was observed at",
         kDivisorThatChanges,
         {{"replace", "body/2/value",
           R"j({"to": "2", "claims": [{"kind": "observed", "statement": "body/0", "at": {},
               "unchanged": ["A"]}]})j"}}},
        {"a divisor of which nothing says that it has not changed",
         "",
         kDivisorThatChanges,
         {{"replace", "body/2/value",
           R"j({"to": "2", "claims": [{"kind": "observed", "statement": "body/0",
               "at": {}}]})j"}}},
        {"a division that may not have been made",
         "the statement observed at",
         R"(
@T.prim_func
def f(A: T.Buffer((2,), "int32"), B: T.Buffer((1,), "int32"), C: T.Buffer((1,), "int32")):
    if A[0] > 0:
        B[0] = 100 // A[1]
    C[0] = T.Select(A[1] == 0, 1, 2)
)",
         {{"replace", "body/1/value",
           R"j({"to": "2", "claims": [{"kind": "observed", "statement": "body/0/then",
               "at": {}}]})j"}}},
    };
    return list;
}

}  // namespace

const std::vector<Scenario>& data_scenarios() {
    static const std::vector<Scenario> all = [] {
        std::vector<Scenario> out = guarded_writes();
        out.insert(out.end(), observed().begin(), observed().end());
        return out;
    }();
    return all;
}

}  // namespace proviso::fuzz
