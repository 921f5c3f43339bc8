// Whether the facts of a claim that was proved can hold: where they contradict each other, it says
// nothing of any run. Told beside a theorem, which does not depend on it.
#pragma once

#include <vector>

#include "verify/audit/discharge.h"

namespace proviso::verify {

const char* facts_name(Facts f);

// Of each check. Facts do not contradict each other where a few small values make them true;
// solvers are asked where none do, once, however many obligations have them.
std::vector<Facts> facts_of(ir::Context& ctx, const std::vector<analysis::Obligation>& obligations,
                            const DischargeOptions& options,
                            const std::vector<ObligationCheck>& checks);

}  // namespace proviso::verify
