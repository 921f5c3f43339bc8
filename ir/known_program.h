// A program that is known to be well-formed, and whether others are that differ from it in a few
// places. A derivation asks this at each step; the answer takes time with what the step changed.
//
// Why the answer is that of well_formed(). Let P be well-formed and Q have the same name,
// parameters and attributes. Then `changes` splits both bodies into surroundings and a rest that
// they share handle for handle, and statements `removed` from P and `added` to Q. All that
// well_formed() asks is of one of these kinds:
//   1. what a statement says by itself and about names in scope there. What is in scope depends on
//      the parameters and the statements around alone, so a statement that P and Q share under the
//      same surroundings is as right in Q as it was in P, and so are the surroundings themselves.
//      The added ones are checked, by the same code, with what the surroundings bind in scope.
//   2. that a list has not one member, and no list for one: asked of lists that gained or lost any.
//   3. how deep it nests: what is shared stands as deep as before; the added ones are measured.
//   4. that binders have different names. Those of P are different; take away those of what was
//      removed, and no binder of what was added may be among the rest, nor twice among themselves.
//   5. that no binder has the name of a let inside an expression: the names of such lets are kept,
//      too, and are never taken away, so that they are at least those of Q.
// Where any of these is not seen to hold, well_formed() itself is asked: a doubt costs time only.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::ir {

class KnownProgram {
  public:
    // The function must be well-formed.
    explicit KnownProgram(Function f);

    // well_formed(after).
    std::vector<Diagnostic> faults_of(const Function& after) const;

    // From here on about `after`, which must be well-formed.
    void move_to(const Function& after);

    const Function& program() const { return program_; }

  private:
    bool surely_well_formed(const Function& after) const;
    void learn_names();

    Function program_;
    std::unordered_set<std::string> binders_;
    std::unordered_set<std::string> lets_;  // inside expressions; perhaps of earlier programs
};

}  // namespace proviso::ir
