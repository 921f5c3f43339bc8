// NVIDIA's assembler of PTX, a program of the CUDA toolkit, where there is one.
#pragma once

#include <string>

#include "ir/result.h"

namespace proviso::backend::gpu {

// On the search path or under /usr/local/cuda.
bool has_ptxas();

// The machine code ("cubin") of a text of PTX. `architecture`: "sm_90". Fails without ptxas, and
// with what it says when it refuses the text.
Result<std::string> assemble_ptx(const std::string& ptx, const std::string& architecture);

}  // namespace proviso::backend::gpu
