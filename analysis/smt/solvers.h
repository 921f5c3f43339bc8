// The two solvers behind one interface: the text of an obligation in, a verdict or values out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/prover.h"

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

// Z3 in process, in a fresh context, under a resource limit (deterministic; never a time limit: the
// timer of Debian's Z3 can deadlock).
Reply run_z3(const std::string& text, std::uint64_t rlimit, const ModelQuery* query = nullptr);

// cvc5 as a child process, under a resource limit and a wall limit.
Reply run_cvc5(const std::string& text, std::uint64_t rlimit, int wall_limit_s,
               const ModelQuery* query = nullptr);

// The text without its last command, (check-sat), with a constant m0, m1, .. for each wanted term.
std::string with_model_constants(const std::string& text, const ModelQuery& query);

// Bounds tried on the integers of a model, smallest first, before any model is taken.
inline constexpr int kModelBounds[] = {1, 4, 16, 64};

}  // namespace proviso::analysis::smt
