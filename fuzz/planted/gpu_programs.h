// The line of defence of GPU code: small programs whose loops are bound, lowered, built and run on
// this machine (backend/gpu/drivers/gpu_host.h) against the interpreter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/planted/planted.h"

namespace proviso::fuzz {

// A fault of GPU code: in the text of kernels, in what is proved of launches, in `bind` or `sync`.
bool is_gpu_fault(const PlantedFault& fault);

// Builds and runs programs that are right, and one that would race; what it noticed. Looks at
// nothing for faults that are not of GPU code.
std::optional<std::string> look_at_kernels(const PlantedFault& fault);

// Markdown, docs/results/gpu-faults.md: the faults of GPU code and who noticed.
std::string gpu_page(const PlantedReport& report);

}  // namespace proviso::fuzz
