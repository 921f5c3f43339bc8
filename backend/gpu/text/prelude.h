// What stands before the kernels of each language, so that the same kernel text compiles in all of
// them: type names, how a kernel, its memory and its threads are called, and the operators whose
// meaning C leaves open. Everything that a prelude defines starts with PV_, pv_ or is a type of the
// form i32, u8, f64.
#pragma once

#include <string>

#include "backend/gpu/target.h"

namespace proviso::backend::gpu {

// What kernels compute with beyond integers and float32.
struct Uses {
    bool doubles = false;       // float64, which OpenCL must be asked for
    bool small_floats = false;  // float16 and bfloat16: 16 bits, computed with in float32
    bool functions = false;     // elementary functions (functions.h); then doubles, too
};

std::string prelude(Language language, const Uses& uses);

}  // namespace proviso::backend::gpu
