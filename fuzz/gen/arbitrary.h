// rapidcheck's view of the generators: a `Gen` of programs that shrinks structurally, for
// properties in tests and for whoever combines it with other generators.
#pragma once

#include <rapidcheck/Gen.h>

#include <memory>
#include <ostream>
#include <vector>

#include "fuzz/gen/program.h"
#include "fuzz/gen/steps/steps.h"

namespace proviso::fuzz {

// A program in a context of its own.
struct AnyProgram {
    std::shared_ptr<ir::Context> context;
    GeneratedProgram program;
};
void showValue(const AnyProgram& p, std::ostream& out);

rc::Gen<AnyProgram> any_program();

// A program with guesses of first steps on it.
struct AnyStep {
    AnyProgram on;
    StepGuess step;
};
void showValue(const AnyStep& s, std::ostream& out);

rc::Gen<AnyStep> any_step();

}  // namespace proviso::fuzz
