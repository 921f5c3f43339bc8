#include "backend/cpu/backend.h"

#include "backend/cpu/unverified.h"

namespace proviso::backend {

namespace {

std::vector<ir::Function> current_programs(const Derivations& derivations) {
    std::vector<ir::Function> out;
    for (const rewrite::Derivation& d : derivations) out.push_back(d.current());
    return out;
}

// The same, each under its symbol.
std::vector<ir::Function> exported_programs(const Derivations& derivations,
                                            const Symbols& symbols) {
    std::vector<ir::Function> out = current_programs(derivations);
    for (ir::Function& f : out) {
        const auto named = symbols.find(f.name);
        if (named != symbols.end()) f.name = named->second;
    }
    return out;
}

}  // namespace

Result<CpuModule> compile(const Derivations& derivations, const CpuOptions& options) {
    return unverified::compile(current_programs(derivations), options);
}

Result<std::string> llvm_ir(const Derivations& derivations, const CpuOptions& options) {
    return unverified::emit_llvm_ir(exported_programs(derivations, options.symbols), options);
}

Result<std::string> assembly(const Derivations& derivations, const CpuOptions& options) {
    return unverified::emit_assembly(exported_programs(derivations, options.symbols), options);
}

Result<std::string> object(const Derivations& derivations, const CpuOptions& options) {
    return unverified::emit_object(exported_programs(derivations, options.symbols), options);
}

Status shared_library(const Derivations& derivations, const std::string& path,
                      const CpuOptions& options) {
    return unverified::emit_shared_library(exported_programs(derivations, options.symbols), options,
                                           path);
}

Result<std::string> header(const Derivations& derivations, const HeaderNotes& notes) {
    return c_header(current_programs(derivations), notes);
}

}  // namespace proviso::backend
