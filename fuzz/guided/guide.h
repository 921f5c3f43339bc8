// What a guided campaign knows when it begins with a chunk of cases: the pairs of programs and
// schedules that were the first to reach something, and what they have reached.
#pragma once

#include <memory>
#include <vector>

#include "fuzz/guided/features.h"
#include "fuzz/guided/pair_text.h"

namespace proviso::fuzz {

struct Guide {
    std::vector<CorpusPair> pairs;  // in the order in which they were reached
    Features seen;
    int mutated = 50;  // percent of the cases that are made of pairs
};

// What a case has reached that its guide has not seen.
struct ReachedByCase {
    CorpusPair pair;
    Features features;  // empty: nothing new, and no pair
};

}  // namespace proviso::fuzz
