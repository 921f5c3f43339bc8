// Obligations: closed claims `facts ⊢ goal`, quantifier-free, every free variable universally
// quantified.
//
// Facts and goals are boolean expressions of the IR, read as mathematics, not run: every operator
// is total, nothing faults, exact integers (int32, int64) are integers of any size. A free variable
// or load ranges over the values of its type (so an exact integer variable or load is in its type's
// range). A load `A[i]` is an unknown function of the buffer and the index values;
// `Op::Defined(A[i])` says that the cell is definite. Where the program semantics would fault
// (division by zero, cast out of range) the value is unspecified but a function of the operands:
// rules must claim the absence of faults separately (see formula.h). T.undef() must not occur: it
// has no place in equations.
#pragma once

#include <string>
#include <vector>

#include "analysis/purpose.h"
#include "ir/context.h"

namespace proviso::analysis {

struct Obligation {
    Purpose purpose;
    std::vector<ir::Expr> facts;
    ir::Expr goal = nullptr;
    // Variables of exact integer type that stand for any integer, not only for one in their type's
    // range: a pattern variable of a rule stands for a term whose value nobody has observed yet.
    std::vector<ir::Expr> unbounded = {};
};

// Canonical SMT-LIB 2 text of the *negated* claim (unsat = proved): variables renamed by first
// occurrence (v0, v1, ..; buffers A0, ..), one command per line, LF, no comments. Facts that share
// no variable with the goal, directly or through other facts, stay in: the text is the obligation.
// Its SHA-256 is the obligation's id.
struct SmtText {
    std::string text;
    // For reading models back: SMT symbol -> what it stands for.
    std::vector<std::pair<std::string, ir::Expr>> variables;  // Op::Var
    std::vector<std::pair<std::string, ir::Buffer>> buffers;  // functions from indices to values
    bool supported = true;  // false: contains something that has no encoding; `why` says what
    std::string why;
};
SmtText to_smt(ir::Context& ctx, const Obligation& obligation);
// "sha256:" + hex of the canonical text.
std::string obligation_id(const SmtText& text);

}  // namespace proviso::analysis
