// What is said of an obligation, and who says it.
#pragma once

#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "analysis/prover/verdict.h"

namespace proviso::analysis {

// One value of a counterexample: a variable ("i") or a cell ("A[3, 1]"), its type, its value as
// TVMScript text.
struct ModelValue {
    std::string name;
    ir::Expr expr = nullptr;   // the variable, or a load whose indices are constants
    ir::Expr value = nullptr;  // a constant; null when the cell is indeterminate in the model
    // Decimal digits, with `value` null: an unbounded variable that is out of its type's range.
    std::string out_of_range = {};
};

struct Answer {
    Verdict verdict = Verdict::Unknown;
    // "syntax", "interval", "congruence", "known-bits", "difference", "linear", "float-class",
    // "certificate", "z3", "cvc5"
    std::string by;
    std::vector<ModelValue> model;  // Refuted
    std::string why;                // Unknown: "resource", "unsupported: …", "solvers disagree", …
    bool vacuous = false;           // Proved, and the facts alone are seen to be contradictory
    // By "certificate": the text that the checker has accepted for the obligation.
    std::string certificate = {};
};

// Whom the kernel asks: PROVED only with a reason.
class ObligationProver {
  public:
    virtual ~ObligationProver() = default;
    virtual Answer prove(const Obligation& obligation) = 0;
    virtual ir::Context& context() = 0;
};

}  // namespace proviso::analysis
