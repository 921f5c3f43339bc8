// What a certificate's step (float TERM) adds, as terms: facts about the codes of floats, in the
// order of docs/certificates.md.
#pragma once

#include <vector>

#include "analysis/certify/terms.h"

namespace proviso::analysis::certificate {

struct FloatFacts {
    TermId term = 0;            // a float, or a claim on floats
    std::vector<TermId> facts;  // formulas
};

// One entry for each term of the text that the step is good for, in the order of the terms. Makes
// new terms.
std::vector<FloatFacts> float_facts(Terms& terms);

}  // namespace proviso::analysis::certificate
