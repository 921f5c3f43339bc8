// The solvers behind one interface: the text of an obligation in, a verdict or values out. Z3 as a
// program and linked (analysis/z3/), cvc5 as a program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/smt/bit_work.h"
#include "analysis/smt/programs.h"
#include "analysis/smt/watchdog.h"

namespace proviso::analysis::smt {

// What a model should tell: terms with their sorts, and bounds to try on the Int constants.
struct ModelQuery {
    struct Wanted {
        std::string term;
        std::string sort;
    };
    std::vector<Wanted> wanted;
    std::vector<std::string> integers;  // symbols of sort Int whose absolute values should be small
};

// Two ways to ask Z3: with the same limits and the same text, the same answer. Both under a
// resource limit (deterministic; never Z3's own time limit: the timer of Debian's Z3 can deadlock);
// beyond the wall limit it is stopped: Unknown. Circuits are made before anything is metered: a
// text that is too_large() for `memory_mib` is Unknown at once.
struct Z3 {
    Reply (*run)(const std::string& text, std::uint64_t rlimit, const ModelQuery* query,
                 int wall_limit_s, int memory_mib);
    std::string (*version)();  // "4.8.12"; "" where there is none
};
extern const Z3 kLinkedZ3;   // in this process, in a fresh context; of the library analysis/z3/
extern const Z3 kZ3Program;  // a process each time

// cvc5 as a child process, under a resource limit, a wall limit, and one of 4 GiB of memory.
Reply run_cvc5(const std::string& text, std::uint64_t rlimit, int wall_limit_s,
               const ModelQuery* query = nullptr);

// The text without its last command, with a constant m0, m1, .. for each wanted term.
std::string with_model_constants(const std::string& text, const ModelQuery& query);

// Bounds tried on the integers of a model, smallest first, before any model is taken.
inline constexpr int kModelBounds[] = {1, 4, 16, 64};
// Names for what is wanted can make Z3's search for the same model several times as long.
inline constexpr std::uint64_t kModelBudget = 10;

}  // namespace proviso::analysis::smt

namespace proviso::analysis {

std::string cvc5_version();  // "1.0.3"; "" where there is no such program

}  // namespace proviso::analysis
