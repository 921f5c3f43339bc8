// What stands before the kernels of each language, so that the same kernel text compiles in all of
// them: type names, how a kernel, its memory and its threads are called, and the operators whose
// meaning C leaves open. Everything that a prelude defines starts with PV_, pv_ or is a type of the
// form i32, u8, f64.
#pragma once

#include <string>

#include "backend/gpu/target.h"

namespace proviso::backend::gpu {

// `uses_double`: kernels compute in float64 (which OpenCL must be asked for).
std::string prelude(Language language, bool uses_double);

}  // namespace proviso::backend::gpu
