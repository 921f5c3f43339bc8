// Elementary functions of float32, float16 and bfloat16 in kernels: the same bits on every device.
//
// The interpreter and CPU code call the C library's function of float64 and round its result to the
// type (ir/domains/value.h). Kernels compute in float64, too, with the text here, which uses
// nothing but correctly rounded operations. What it gives may differ from the C library's in the
// last bit of float64, and rounds to the same float32: compared for every float32 number with
// glibc 2.36, and for every float16 and bfloat16 (tests/backend/gpu_functions_test.cpp says how).
// There is none for float64 itself, and for functions of which that is not known.
#pragma once

#include <string>

#include "ir/op.h"
#include "ir/type.h"

namespace proviso::backend::gpu {

// True where kernels have the function of that type.
bool has_function(ir::MathFn fn, ir::ScalarType type);
// "pv_exp"; takes and gives f64.
std::string function_name(ir::MathFn fn);
// The text of all of them, in the C that every prelude makes compile.
std::string functions_text();

}  // namespace proviso::backend::gpu
