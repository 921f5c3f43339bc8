// From a lowered function to LLVM IR.
//
// For a function NAME the module gets:
//
//   int32_t NAME(const T* A, T* B, int32_t n, ...)
//       One parameter each, in order. A buffer is a pointer to its row-major elements, aligned to
//       an element and overlapping no other buffer; const where the function never stores to it. A
//       scalar is passed by value. bool is one byte, 0 or 1; float16 and bfloat16 are their 16
//       bits. Returns 0; or k > 0 when the k-th assert in textual order failed (what was stored
//       until then stays); or kOutOfMemory when an allocation failed.
//   int32_t NAME__packed(void** args)
//       The same with one pointer a parameter: a buffer's data, or the address of a scalar.
//   void NAME__shape(void** args, int64_t* extents)
//       Reads the scalars of `args` only and writes all extents of all buffer parameters, in order.
//   const char* NAME_message(int32_t code)
//       What a returned code means.
//   int64_t NAME__fault[]
//       Guarded code only: what the last failed check saw. First the rank of a buffer, then the
//       indices and the extents of the access; or kDivisionFault and the operands; or kExtentFault
//       and the extent.
//
// Guarded code (CpuOptions::guarded) may return more codes, after those of the asserts: one for
// each access, division by a variable, and extent of an allocation, in textual order. It checks the
// program as it stands after lowering. Its indices are taken as machine words: an overflow on the
// way to one is not looked for.
//
// Meaning kept from docs/semantics.md:
//   floats  Plain operations without any fast-math flag but `contract`, where the function grants
//           it (licence.h); nothing is re-associated. 16-bit
//           floats compute in float32 and round once more: right for + - * / and sqrt, because
//           24 >= 2 * 11 + 2 (S. Figueroa, "When is double rounding innocuous?", 1995).
//   ints    Ring operations wrap at their type's width. For exact integers this gives the right
//           bits wherever a value is observed, since an observed value is in range and wrapping is
//           a ring homomorphism. `nsw` only where CpuOptions::no_signed_wrap allows it.
//   choice  And, Or and IfThenElse branch; Select evaluates both arms.
//   indet   An allocated cell that was never written is LLVM's `undef`; a let freezes it.
//
// Loops. Parallel: the body is outlined and handed to `proviso_parallel_for` (backend/runtime).
// When an assert fails inside, the lowest failing iteration decides the code. Vectorized: accesses
// to buffers from outside the loop are marked as independent between iterations. We do *not* ask
// for "llvm.loop.vectorize.enable": LLVM takes that as leave to reorder float reductions. Unrolled:
// full.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "ir/function.h"

namespace llvm {
class Module;
}

namespace proviso::backend {

inline constexpr std::int32_t kOutOfMemory = -1;
inline constexpr const char* kParallelForSymbol = "proviso_parallel_for";
inline constexpr const char* kPackedSuffix = "__packed";
inline constexpr const char* kShapeSuffix = "__shape";
inline constexpr const char* kMessageSuffix = "_message";
inline constexpr const char* kFaultSuffix = "__fault";
inline constexpr std::int64_t kDivisionFault = -1;
inline constexpr std::int64_t kExtentFault = -2;

// Adds the function to the module. `f` must pass check_lowered with the options' symbols, and have
// explicit sizes (lowered.h).
// `serial_fallback`: also define a weak `proviso_parallel_for` that runs its range in order, so
// that emitted code stands alone; a program that links the real one (or its own) replaces it.
void generate(llvm::Module& module, const ir::Function& f, const CpuOptions& options,
              bool serial_fallback);

}  // namespace proviso::backend
