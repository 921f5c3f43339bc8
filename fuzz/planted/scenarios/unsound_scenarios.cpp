// Wrong steps that no single obligation stands against: a rule's shape check, a fact, or a formula
// does. A fault in one of those lets them through.
#include "fuzz/planted/scenarios/scenario.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kCopy = R"(
@T.prim_func
def f(A: T.Buffer((5,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(5):
        B[i] = A[i]
)";

}  // namespace

const std::vector<Scenario>& unsound_scenarios() {
    static const std::vector<Scenario> list = {
        {"a store of a value dropped as one of undef",
         "",
         kCopy,
         {{"drop-store", "body/body", R"j({"mode": "indet"})j"}}},
        {"iterations that store left out",
         "",
         kCopy,
         {{"trim-loop", "body", R"j({"lo": "0", "hi": "3"})j"}}},
        {"iterations that check left out",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(5):
        assert i < 4 or A[0] < 0, "negative input expected"
    for j in range(4):
        B[j] = A[j]
)",
         {{"trim-loop", "body/0", R"j({"lo": "0", "hi": "4"})j"}}},
        {"a definite value replaced by an undefined one",
         "",
         kCopy,
         {{"replace", "body/body/value", R"j({"to": "A[i] + 0 * T.undef(\"int32\")"})j"}}},
        {"a replacement that loads below zero",
         "",
         kCopy,
         {{"replace", "body/body/value", R"j({"to": "A[i] + 0 * A[i - 1]"})j"}}},
        {"a guard's fact used after the cell was written",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        if 0 < B[i]:
            B[i] = A[i]
            C[i] = T.max(B[i], 0)
)",
         {{"replace", "body/body/then/1/value", R"j({"to": "B[i]"})j"}}},
        {"the last iteration forgotten",
         "",
         R"(
@T.prim_func
def f(A: T.Buffer((4,), "int32"), C: T.Buffer((4,), "int32")):
    for i in range(4):
        C[i] = T.if_then_else(i < 3, A[i], 0)
)",
         {{"replace", "body/body/value", R"j({"to": "A[i]"})j"}}},
    };
    return list;
}

}  // namespace proviso::fuzz
