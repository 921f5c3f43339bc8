// A module's kernels by way of LLVM: to PTX with its NVPTX back end, the second way to code for
// CUDA devices, and to LLVM IR from which this machine's code can be made, too (nvptx_host.h). The
// kernels have the names and parameters of the text's, so that either can be launched for the
// other.
//
// Floats are strict: nothing is contracted (mul.rn, add.rn), nothing flushed to zero, quotients and
// roots are correctly rounded (div.rn, sqrt.rn).
#pragma once

#include <memory>
#include <string>

#include "backend/cpu/options.h"
#include "backend/gpu/module.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace proviso::backend::gpu {

// Optimised for a GPU, but with thread indices and barriers still calls of functions that are only
// declared (kernel_emitter.h).
struct LlvmKernels {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> module;

    LlvmKernels();
    LlvmKernels(LlvmKernels&&) noexcept;
    ~LlvmKernels();
};

// `architecture`: "sm_90"; the newest that LLVM knows and is not newer is taken. `fill`: what the
// buffers of threads hold at first. Fails where LLVM was built without NVPTX.
Result<LlvmKernels> llvm_kernels(const Module& module, const std::string& architecture,
                                 Fill fill = Fill::None);

// The text of that IR, and the text of PTX.
Result<std::string> llvm_text(const Module& module, const std::string& architecture);
Result<std::string> llvm_ptx(const Module& module, const std::string& architecture);

}  // namespace proviso::backend::gpu
