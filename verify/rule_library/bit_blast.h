// Z3 on claims about bit-vectors and floats alone, turned into circuits and given to its
// propositional solver. Much faster than its general solver, which cannot do that where integers
// stand beside.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/prover/prover.h"

namespace proviso::verify {

// The claim in the text of an obligation (analysis/obligation.h). Resources as for Z3 otherwise.
// Refuted comes without a model. Unknown("unsuitable") where integers or functions occur.
analysis::Answer prove_by_bits(const analysis::SmtText& text, std::uint64_t rlimit);

}  // namespace proviso::verify
