// The unverified door: compiles a bare function, with nothing said about where it came from. For
// tests, for fuzzing oracles and for running a source program as it stands. Users' lowered programs
// go through backend.h, which takes a derivation.
#pragma once

#include "backend/cpu/c_header.h"
#include "backend/cpu/emit.h"
#include "backend/cpu/jit.h"

namespace proviso::backend::unverified {

inline Result<CpuModule> compile(const ir::Function& f, const CpuOptions& options = {}) {
    return compile(std::vector<ir::Function>{f}, options);
}

inline Result<CpuModule> compile(const ir::Module& m, const CpuOptions& options = {}) {
    return compile(m.functions, options);
}

}  // namespace proviso::backend::unverified
