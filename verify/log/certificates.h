// The search for the certificates that a log brings along.
#pragma once

#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"
#include "rewrite/kernel/step.h"
#include "verify/log/record.h"

namespace proviso::verify {

// One for each distinct obligation of the source's layouts and of the steps for which the search
// finds one, whatever proved the obligation when the step was made. The same steps give the same
// certificates. `without`, if wanted: the others, "RULE at SITE: PURPOSE".
Certificates find_certificates(ir::Context& ctx, const ir::Function& source,
                               const std::vector<rewrite::Step>& steps,
                               std::vector<std::string>* without = nullptr);

}  // namespace proviso::verify
