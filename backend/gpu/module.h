// The verified door to a GPU: takes a derivation, never a bare function, proves its launches, and
// gives the kernels' text in each language. The kernel bodies are the same in all of them; only the
// prelude differs.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "analysis/prover/prover.h"
#include "backend/gpu/plan/launches.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::backend::gpu {

struct Module {
    Target target;
    Plan plan;
    std::string kernels;              // text, without a prelude
    std::string launcher;             // the host's part in CUDA C++
    std::set<ir::Expr> no_wrap = {};  // CpuOptions::no_signed_wrap, for code by way of LLVM
    bool wide = false;                // some accesses are of several cells at once
    std::string program = {};         // the function's name there; plan.function has its symbol

    // Prelude and kernels: what a file of that language holds. For CUDA also the launcher, for this
    // machine the entries that gpu_host.h calls.
    std::string source(Language language) const;
    // The same below a comment for the caller: parameters, and the lines of the contract.
    std::string documented_source(Language language,
                                  const std::vector<std::string>& contract) const;
};

// A Diagnostic: the program has no form for a GPU (plan.h). A Refusal: an obligation about its
// launches is not proved (launches.h).
using Built = std::variant<Module, Refusal, Diagnostic>;

// `symbol`: what the launcher is called and the names of kernels begin with (c_names.h); empty: the
// function's name.
Built build(const rewrite::Derivation& derivation, const Target& target, analysis::Prover& prover,
            const std::string& symbol = {});

namespace unverified {

// The same for a bare function, with nothing said about where it came from: for tests and fuzzing.
Built build(ir::Context& ctx, const ir::Function& f, const Target& target, analysis::Prover& prover,
            const std::string& symbol = {});

}  // namespace unverified

}  // namespace proviso::backend::gpu
