// What a certificate's step (float TERM) adds, as terms: facts about the codes of floats, in the
// order of docs/certificates.md.
#pragma once

#include <vector>

#include "analysis/certify/term_facts.h"

namespace proviso::analysis::certificate {

// One entry for each term of the text that the step is good for, floats and claims on floats, in
// the order of the terms. Makes new terms.
std::vector<TermFacts> float_facts(Terms& terms);

}  // namespace proviso::analysis::certificate
