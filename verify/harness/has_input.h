// Whether a function can be run at all: a theorem about a function without inputs says nothing, and
// every claim about it can be proved.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/prover/prover.h"
#include "ir/function.h"

namespace proviso::verify {

enum class HasInput : std::uint8_t {
    Yes,
    No,        // proved: no values of the parameters satisfy declared bounds and shapes
    NotFound,  // none was found on which the function has no fault, nor a proof that there is none
};

const char* has_input_name(HasInput h);  // "yes", "no", "not found"

struct InputSearch {
    HasInput found = HasInput::NotFound;
    std::string example;  // Yes: values of scalar parameters and sizes, "n = 5"; may be empty
    // NotFound: inputs on which a run ended in a fault, a broken assumption among them, and the
    // first fault that is no broken assumption; empty where there is none.
    std::size_t faulted = 0;
    std::string fault;

    // Nothing: there is an input. A sentence for whoever reads what is claimed of the function.
    std::string warning() const;
    nlohmann::json json() const;
};

// Declared bounds and shapes are decided by `prover`. Then a few small inputs are tried by the
// interpreter: Yes needs a run without a fault, which breaks no assumption. Of a function that
// assumes nothing, a run that the interpreter cannot finish is enough.
InputSearch find_input(ir::Context& ctx, const ir::Function& f, analysis::Prover& prover);

// The first part of it: proved that no values satisfy what is declared.
bool has_no_input(ir::Context& ctx, const ir::Function& f, analysis::Prover& prover);

// "5 <= n, n <= 3": what a caller owes about scalar parameters and shapes; empty: nothing.
std::string parameter_conditions(ir::Context& ctx, const ir::Function& f);

}  // namespace proviso::verify
