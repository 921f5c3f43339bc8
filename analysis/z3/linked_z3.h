// Z3 as a library in this process: for who asks thousands of small questions. What must not link a
// solver, such as an audit, does not use this library.
#pragma once

#include "analysis/prover/prover.h"
#include "analysis/smt/solvers.h"

namespace proviso::analysis::smt {

// kLinkedZ3's.
Reply run_z3(const std::string& text, std::uint64_t rlimit, const ModelQuery* query = nullptr,
             int wall_limit_s = kWallLimitSeconds, int memory_mib = kSolverMemoryMib);

// As analysis::ask_z3, stopped after another time, and with another limit of memory.
Answer ask_z3(const SmtText& text, std::uint64_t rlimit, int wall_limit_s,
              int memory_mib = kSolverMemoryMib);

}  // namespace proviso::analysis::smt
