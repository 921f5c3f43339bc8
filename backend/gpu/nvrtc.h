// CUDA C++ text to PTX or to machine code by NVIDIA's run-time compiler, which is looked for when
// it is needed: nothing of CUDA is needed to build, and no GPU or driver to compile.
#pragma once

#include <string>

#include "ir/result.h"

namespace proviso::backend::gpu {

enum class CudaArtefact : std::uint8_t { Ptx, Cubin };

// `architecture`: "sm_90". Fails when libnvrtc.so.13 or .12 is not found, and with the compiler's
// log when it refuses the text.
Result<std::string> compile_cuda(const std::string& source, const std::string& architecture,
                                 CudaArtefact what);

bool has_nvrtc();

}  // namespace proviso::backend::gpu
