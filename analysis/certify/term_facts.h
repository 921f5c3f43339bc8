// What a certificate's step about one term of a theory adds: (float TERM), (bits TERM).
#pragma once

#include <vector>

#include "analysis/certify/terms.h"

namespace proviso::analysis::certificate {

struct TermFacts {
    const char* step = nullptr;  // its head
    TermId term = 0;
    std::vector<TermId> facts;  // formulas, in the order of docs/certificates.md
};

}  // namespace proviso::analysis::certificate
