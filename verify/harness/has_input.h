// Whether a function can be run at all: a theorem about a function without inputs says nothing, and
// every claim about it can be proved.
#pragma once

#include <string>

#include "analysis/prover.h"
#include "ir/function.h"

namespace proviso::verify {

enum class HasInput : std::uint8_t {
    Yes,
    No,        // proved: no values of the parameters satisfy declared bounds and shapes
    NotFound,  // neither an input nor a proof that there is none was found
};

const char* has_input_name(HasInput h);  // "yes", "no", "not found"

struct InputSearch {
    HasInput found = HasInput::NotFound;
    std::string example;  // Yes: values of scalar parameters and sizes, "n = 5"; may be empty
};

// Declared bounds and shapes are decided by `prover`. Where the function assumes something, Yes
// needs a run by the interpreter that broke no assumption; a few small inputs are tried.
InputSearch find_input(ir::Context& ctx, const ir::Function& f, analysis::Prover& prover);

// The first part of it: proved that no values satisfy what is declared.
bool has_no_input(ir::Context& ctx, const ir::Function& f, analysis::Prover& prover);

// "5 <= n, n <= 3": what a caller owes about scalar parameters and shapes; empty: nothing.
std::string parameter_conditions(ir::Context& ctx, const ir::Function& f);

}  // namespace proviso::verify
