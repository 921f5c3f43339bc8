// The elementary functions of kernels (functions.h) as LLVM IR: the same steps as in the preludes'
// text, so the same bits, on a device and on this machine.
#pragma once

#include "ir/op.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace proviso::backend::gpu {

// The function from float64 to float64 of that name in the module (function_name), which is made
// when it is not there yet. `fn` is one of those that functions.h has, but not sigmoid, which the
// emitter takes apart.
llvm::Function* llvm_function(llvm::Module& module, ir::MathFn fn);

}  // namespace proviso::backend::gpu
