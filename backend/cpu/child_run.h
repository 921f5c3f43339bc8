// Compiled functions run in a process of their own: a program that leaves its buffers, or divides
// by zero, ends that process and nothing else.
//
// Buffers stand in shared memory between pages that nobody may touch
// (backend/runtime/guarded_memory.h); those that the function never stores to cannot be stored to.
// So a wild access is seen unless it lands in another buffer, in an allocation on the stack, or,
// loading, in the room before a buffer.
#pragma once

#include <optional>
#include <string>

#include "backend/tensor.h"

namespace proviso::backend {

// How a process ended that the code has brought down.
struct Crash {
    int signal = 0;    // 0: it was not a signal
    std::string text;  // "segmentation fault (memory that is not there)"
};

struct ChildRun {
    std::optional<Crash> crash;  // nothing else is set then
    TensorRun run;
};

// As run_on_tensors. Modules that are compiled with Heap::Guarded see more. Fails, too, where there
// is no memory for the buffers.
Result<ChildRun> run_in_child(const CpuModule& module, const ir::Function& f,
                              const ir::Inputs& inputs, std::uint64_t seed = 0);

}  // namespace proviso::backend
