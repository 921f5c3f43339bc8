// Files for other programs: LLVM IR, assembly, object, shared library. See codegen.h for the
// symbols and c_header.h for their declarations. The same functions and options give the same bytes
// on any machine of one architecture; a shared library also depends on the linker.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "ir/function.h"
#include "ir/result.h"

namespace proviso::backend {

namespace unverified {

Result<std::string> emit_llvm_ir(const std::vector<ir::Function>& functions,
                                 const CpuOptions& options);
Result<std::string> emit_assembly(const std::vector<ir::Function>& functions,
                                  const CpuOptions& options);
// The bytes of a relocatable object file; position-independent.
Result<std::string> emit_object(const std::vector<ir::Function>& functions,
                                const CpuOptions& options);
// Links a shared library at `path`, by way of object files beside it, with the system's C compiler
// or linker. With parallel loops it has a pool of threads (backend/runtime/thread_pool.h). Fails
// with what it looked for when there is none.
Status emit_shared_library(const std::vector<ir::Function>& functions, const CpuOptions& options,
                           const std::string& path);

}  // namespace unverified

// The programs that can link a shared library, in the order in which they are tried.
const std::vector<std::string>& linker_candidates();
// Links object files into a shared library with the first of `linkers` on the search path.
Status link_shared_library(const std::vector<std::string>& object_paths,
                           const std::string& library_path,
                           const std::vector<std::string>& linkers = linker_candidates());

}  // namespace proviso::backend
