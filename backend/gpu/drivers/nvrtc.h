// CUDA C++ text to PTX or to machine code by NVIDIA's run-time compiler, which is looked for when
// it is needed: nothing of CUDA is needed to build, and no GPU or driver to compile.
#pragma once

#include <string>

#include "ir/result.h"

namespace proviso::backend::gpu {

enum class CudaArtefact : std::uint8_t { Ptx, Cubin };

// `architecture`: "sm_90". `library`: the file to load; empty: libnvrtc.so.13 or .12. Fails when it
// is not found, and with the compiler's log when it refuses the text.
Result<std::string> compile_cuda(const std::string& source, const std::string& architecture,
                                 CudaArtefact what, const std::string& library = {});

bool has_nvrtc(const std::string& library = {});

}  // namespace proviso::backend::gpu
