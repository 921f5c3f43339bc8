// float16 and bfloat16 as integer code: no instruction set and no run-time library has to know them
// (GCC 12's libgcc lacks __truncsfbf2, and __truncsfhf2 is not everywhere). A value is its 16 bits.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace proviso::backend {

enum class SmallFormat { Float16, BFloat16 };

// Functions inside the module, made on first use:
//   float widen(i16)        exact
//   i16   narrow(float)     to nearest, ties to even; subnormals kept; every NaN becomes one NaN
//   i16   narrow64(double)  the same with one rounding
llvm::Function* widen_function(llvm::Module& module, SmallFormat format);
llvm::Function* narrow_function(llvm::Module& module, SmallFormat format);
llvm::Function* narrow64_function(llvm::Module& module, SmallFormat format);

}  // namespace proviso::backend
