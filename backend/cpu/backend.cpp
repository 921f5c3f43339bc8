#include "backend/cpu/backend.h"

#include "backend/cpu/unverified.h"

namespace proviso::backend {

namespace {

std::vector<ir::Function> current_programs(const Derivations& derivations) {
    std::vector<ir::Function> out;
    for (const rewrite::Derivation& d : derivations) out.push_back(d.current());
    return out;
}

}  // namespace

Result<CpuModule> compile(const Derivations& derivations, const CpuOptions& options) {
    return unverified::compile(current_programs(derivations), options);
}

Result<std::string> llvm_ir(const Derivations& derivations, const CpuOptions& options) {
    return unverified::emit_llvm_ir(current_programs(derivations), options);
}

Result<std::string> assembly(const Derivations& derivations, const CpuOptions& options) {
    return unverified::emit_assembly(current_programs(derivations), options);
}

Result<std::string> object(const Derivations& derivations, const CpuOptions& options) {
    return unverified::emit_object(current_programs(derivations), options);
}

Status shared_library(const Derivations& derivations, const std::string& path,
                      const CpuOptions& options) {
    return unverified::emit_shared_library(current_programs(derivations), options, path);
}

Result<std::string> header(const Derivations& derivations, const HeaderNotes& notes) {
    return c_header(current_programs(derivations), notes);
}

}  // namespace proviso::backend
