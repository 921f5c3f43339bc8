// The verified door to the CPU: takes derivations, never bare functions. What it compiles is each
// derivation's current program, which refines the source under the derivation's theorem.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "backend/cpu/c_header.h"
#include "backend/cpu/jit.h"
#include "backend/cpu/options.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::backend {

// One derivation for each function of the output; function names must differ.
using Derivations = std::vector<std::reference_wrapper<const rewrite::Derivation>>;

// All fail on a program that is not lowered (lowered.h), with the site of the finding; what is
// emitted also on a symbol that is none for C. Code for this process has no such symbols.
Result<CpuModule> compile(const Derivations& derivations, const CpuOptions& options = {});

// The CPU that emitted code is for, in words, where CpuOptions::cpu is `cpu`; fails on an unknown
// one.
Result<std::string> emitted_for(const std::string& cpu);
Result<std::string> llvm_ir(const Derivations& derivations, const CpuOptions& options = {});
Result<std::string> assembly(const Derivations& derivations, const CpuOptions& options = {});
// Bytes of a relocatable object file.
Result<std::string> object(const Derivations& derivations, const CpuOptions& options = {});
// Writes a shared library to `path`; needs a C compiler or a linker on the search path.
Status shared_library(const Derivations& derivations, const std::string& path,
                      const CpuOptions& options = {});
Result<std::string> header(const Derivations& derivations, const HeaderNotes& notes = {});

}  // namespace proviso::backend
