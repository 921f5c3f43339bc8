// Faults in the check of partial results of a step that updates several cells together.
#include "fuzz/planted/theorems/theorem.h"

namespace proviso::fuzz {

namespace {

constexpr const char* kFunction =
    "tuples: a step is a function, and partial results are combined as it computes";

// Rows of D, in four parts of one buffer each; the step stands alone in its loops.
PartialsText step(const std::string& combine, const std::string& place = "k") {
    PartialsText t;
    t.extents = {"4", "8"};
    t.map = {place, "x"};
    t.step.at = "body/1/body/body";
    t.step.combine = {combine};
    return t;
}

std::string step_into_b(const std::string& body) {
    return "    for j in range(8):\n        B[j] = 0\n    for i in range(4):\n"
           "        for k in range(4):\n            " +
           body + "\n";
}
const std::string kMaximaOfRows = step_into_b("B[i] = T.max(B[i], D[i, k])");
// The last of values that are not the start.
const std::string kLast = step_into_b("B[i] = D[i, k] % 5 + 1");
constexpr const char* kSecondUnlessStart = "T.Select(b0 == 0, a0, b0)";

std::vector<TheoremFault> function() {
    PartialsText bounded = step("T.max(n, m)", "k // 2");
    bounded.step.left = {"n"};
    bounded.step.right = {"m"};
    PartialsText stored = step(kSecondUnlessStart, "3 - k");
    stored.step.at = "body/1/body/body/0";
    PartialsText silent = step("a0");
    silent.extents = {"3"};
    silent.map = {"0"};
    silent.inverse = {"0"};
    silent.loops = {"c"};
    silent.writer.at["j"] = "0";
    silent.at = "body/1/body/0";
    silent.step.at = "body/1/body/0/body";
    return {
        {kFunction, "partial:names-in-use", "values of partial results are what a parameter is",
         PartialsOf{step_into_b("B[i] = T.Select(B[i] < 100, T.max(B[i], D[i, k]), D[i, k])"),
                    bounded}},
        {kFunction, "partial:step-reads-stored", "the step reads what the statement stores to",
         PartialsOf{step_into_b("B[i] = A[0] % 5 + 1\n            A[0] = D[i, k]"), stored}},
        {kFunction, "partial:step-cells", "the step reads another cell",
         PartialsOf{step_into_b("B[i] = T.max(B[0], D[i, k])"), step("T.max(a0, b0)")}},
        {kFunction, "partial:step-only-reads",
         "the step stores nothing, and what is made of it does",
         PartialsOf{"    for j in range(8):\n        B[j] = 0\n    for p in T.parallel(2):\n"
                    "        for k in range(4):\n            u: T.int32 = B[0]\n"
                    "        A[p] = D[p, 0]\n",
                    silent}},
    };
}

std::vector<TheoremFault> combined() {
    return {
        {kFunction, "omit:the start combined with itself", "it is not owed",
         PartialsOf{kMaximaOfRows, step("T.Select(a0 == 0, 1, T.max(a0, b0))")}},
        {kFunction, "omit:the step computes definite values", "it is not owed",
         PartialsOf{step_into_b("B[i] = T.max(B[i], 1) + 0 * (1 // (B[i] + "
                                "T.if_then_else(k == 3, 0, 1)))"),
                    step("T.max(a0, b0)")}},
        {kFunction, "omit:the start combined with what the step", "it is not owed",
         PartialsOf{kMaximaOfRows, step("b0", "k // 2")}},
        {kFunction, "omit:partial results are combined without", "it is not owed",
         PartialsOf{kMaximaOfRows, step("T.max(a0, b0) + 0 * (1 // (b0 - 3))")}},
        {kFunction, "omit:a step on a combined result", "it is not owed",
         PartialsOf{kMaximaOfRows, step(kSecondUnlessStart)}},
        {kFunction, "omit:steps on one cell that change places", "it is not owed",
         PartialsOf{kLast, step(kSecondUnlessStart, "3 - k")}},
    };
}

}  // namespace

const std::vector<TheoremFault>& tuples_faults() {
    static const std::vector<TheoremFault> all = [] {
        std::vector<TheoremFault> out = function();
        for (const TheoremFault& f : combined()) out.push_back(f);
        return out;
    }();
    return all;
}

}  // namespace proviso::fuzz
