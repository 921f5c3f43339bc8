// Options of check without a derivation, which would settle most pairs (check_pairs_test.cpp).
#pragma once

#include "verify/check/check.h"

namespace proviso::verify {

inline CheckOptions by_execution() {
    CheckOptions out;
    out.derive = false;
    return out;
}

}  // namespace proviso::verify
