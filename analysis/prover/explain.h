// Which facts an answer needs.
#pragma once

#include <vector>

#include "analysis/prover/prover.h"

namespace proviso::analysis {

struct Explanation {
    // Proved, and the facts contradict each other: the goal has no part in it.
    bool contradictory = false;
    // Indices into the obligation's facts, in order: the goal (or the contradiction) is proved from
    // these, and the prover proves it from none of them left out. There may be other such sets, and
    // smaller ones. Meaningful only where the answer is Proved.
    std::vector<std::size_t> used;
    // How the prover answers with these facts alone.
    Answer answer;
};

// Asks the prover again and again, with fewer facts: about 2 n log n questions at the most for n
// facts, far fewer where most are not needed.
Explanation explain(Prover& prover, const Obligation& obligation);

}  // namespace proviso::analysis
