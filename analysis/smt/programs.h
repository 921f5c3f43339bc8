// Z3 and cvc5 as programs: the text of an obligation in, a verdict out. A program is the one of
// that name in PATH.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/prover/verdict.h"

namespace proviso::analysis::smt {

enum class Program { Z3, Cvc5 };

struct Reply {
    Verdict verdict = Verdict::Unknown;
    std::string why;                  // Unknown: "resource", "z3 not installed", …
    std::vector<std::string> values;  // Refuted and asked for (solvers.h): one text per wanted term
};

// A process each time, under a resource limit (deterministic; never the solver's own time limit),
// a wall limit, after which it is stopped, and one of 4 GiB of memory. Z3 makes circuits before
// anything is metered, so a text that is too_large() for `memory_mib` is Unknown at once; cvc5
// makes circuits of what its search meets only.
Reply ask_program(Program program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
                  int memory_mib);

// The same, with commands after the check; `said` is what the program says after its verdict.
Reply ask_program(Program program, const std::string& text, std::uint64_t rlimit, int wall_limit_s,
                  int memory_mib, const std::string& then, std::string& said);

// The text without its last command, (check-sat).
std::string without_check(const std::string& text);

}  // namespace proviso::analysis::smt
