// The text of kernels, in the C that every prelude makes compile (prelude.h).
#pragma once

#include <set>
#include <string>

#include "backend/gpu/plan/plan.h"

namespace proviso::backend::gpu {

struct TextOptions {
    std::set<ir::Expr> no_wrap;   // CpuOptions::no_signed_wrap
    std::set<ir::Buffer> narrow;  // narrow_buffers
    std::set<ir::Stmt> wide;      // wide_loops
};

// One kernel: a comment with its launch, and the function. Threads of a block run its phases, and
// wait for one another after Kernel::barriers.
std::string kernel_text(const Kernel& kernel, const TextOptions& options);

// For the host's prelude: `extern "C" void NAME__call(void** arguments)`, which runs the kernel for
// the thread that is set; one pointer a parameter, to a buffer's data or to a scalar.
std::string host_entry(const Kernel& kernel);

}  // namespace proviso::backend::gpu
