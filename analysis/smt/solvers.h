// The two solvers behind one interface: the text of an obligation in, a verdict or values out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/prover.h"
#include "analysis/smt/bit_work.h"
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

struct Reply {
    Verdict verdict = Verdict::Unknown;
    std::string why;                  // Unknown
    std::vector<std::string> values;  // Refuted and a query given: one text per wanted term
};

// Z3 in process, in a fresh context, under a resource limit (deterministic; never Z3's own time
// limit: the timer of Debian's Z3 can deadlock). Beyond the wall limit it is interrupted: Unknown.
// Circuits are made before anything is metered: a text that is too_large() for `memory_mib` is
// Unknown at once.
Reply run_z3(const std::string& text, std::uint64_t rlimit, const ModelQuery* query = nullptr,
             int wall_limit_s = kWallLimitSeconds, int memory_mib = kSolverMemoryMib);

// As analysis::ask_z3, stopped after another time, and with another limit of memory.
Answer ask_z3(const SmtText& text, std::uint64_t rlimit, int wall_limit_s,
              int memory_mib = kSolverMemoryMib);

// Integers made into bit-vectors: both solvers then use time far beyond their units, so such a text
// gets less of them, as nonlinear arithmetic does.
bool mixes_bit_vectors(const std::string& text);

// cvc5 as a child process, under a resource limit, a wall limit, and one of 4 GiB of memory: it
// makes circuits of what its search meets only, so a text that is too large for Z3 may be small to
// it.
Reply run_cvc5(const std::string& text, std::uint64_t rlimit, int wall_limit_s,
               const ModelQuery* query = nullptr);

// The text without its last command, (check-sat), with a constant m0, m1, .. for each wanted term.
std::string with_model_constants(const std::string& text, const ModelQuery& query);

// Bounds tried on the integers of a model, smallest first, before any model is taken.
inline constexpr int kModelBounds[] = {1, 4, 16, 64};

}  // namespace proviso::analysis::smt
