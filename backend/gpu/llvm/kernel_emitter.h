// A kernel as LLVM IR: the second way from a plan to code, beside the text (kernel_text.h). What
// expressions and statements mean is the CPU back end's (cpu/codegen.h); here is what threads add.
//
//   void NAME(ptr addrspace(1)…, scalars…)    one parameter each, as in the text
//   i32 pv_block_x(), …, pv_thread_z()        the thread that runs
//   void pv_wait(i32 which)                   a barrier; `which` counts a kernel's barriers from 1
//   NAME__shared, in addrspace(3)             memory of a block
//
// The functions are declared only: nvptx.h says what they are on a device, nvptx_host.h on this
// machine.
//
// A buffer that a kernel with barriers stores to is not `noalias`: other threads store to it, too,
// and LLVM takes a call (a barrier) to leave a noalias pointer's memory alone.
#pragma once

#include "backend/cpu/options.h"
#include "backend/gpu/plan/plan.h"

namespace llvm {
class Module;
}

namespace proviso::backend::gpu {

inline constexpr unsigned kGlobalSpace = 1;  // LLVM's address spaces for NVPTX
inline constexpr unsigned kSharedSpace = 3;
inline constexpr const char* kWaitSymbol = "pv_wait";
inline constexpr const char* kSharedSuffix = "__shared";

// "pv_thread_x"
std::string index_symbol(bool of_block, std::size_t axis);

// Adds the kernel to the module.
void generate_kernel(llvm::Module& module, const Plan& plan, const Kernel& kernel,
                     const CpuOptions& options);

}  // namespace proviso::backend::gpu
