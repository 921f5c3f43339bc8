#include "backend/cpu/backend.h"

#include "backend/cpu/unverified.h"

namespace proviso::backend {

namespace {

std::vector<ir::Function> current_programs(const Derivations& derivations) {
    std::vector<ir::Function> out;
    for (const rewrite::Derivation& d : derivations) out.push_back(d.current());
    return out;
}

// What is emitted: the programs, each under its symbol, and those in two parts.
struct Exported {
    std::vector<ir::Function> functions;
    CpuOptions options;
};

std::string symbol_of(const std::string& function, const Symbols& symbols) {
    const auto named = symbols.find(function);
    return named == symbols.end() ? function : named->second;
}

Result<std::vector<PreparedEntries>> in_two_parts(const Derivations& derivations,
                                                  const Prepared& prepared,
                                                  const Symbols& symbols) {
    std::vector<PreparedEntries> out;
    for (const rewrite::Derivation& d : derivations) {
        const ir::Function& f = d.current();
        const auto weights = prepared.find(f.name);
        if (weights == prepared.end()) continue;
        const Result<analysis::TwoParts> parts =
            analysis::two_parts(d.context(), f, weights->second);
        if (!parts) return parts.error();
        out.push_back(prepared_entries(f, *parts, symbol_of(f.name, symbols)));
    }
    return out;
}

Result<Exported> exported(const Derivations& derivations, const CpuOptions& options) {
    Exported out{current_programs(derivations), options};
    for (ir::Function& f : out.functions) f.name = symbol_of(f.name, options.symbols);
    const auto prepared = in_two_parts(derivations, options.prepared, options.symbols);
    if (!prepared) return prepared.error();
    for (const PreparedEntries& p : *prepared) {
        out.functions.insert(out.functions.end(), {p.prepare, p.run});
        out.options.entries.insert(out.options.entries.end(), {p.prepare_entry, p.run_entry});
    }
    return out;
}

}  // namespace

Result<CpuModule> compile(const Derivations& derivations, const CpuOptions& options) {
    return unverified::compile(current_programs(derivations), options);
}

Result<std::string> llvm_ir(const Derivations& derivations, const CpuOptions& options) {
    const Result<Exported> all = exported(derivations, options);
    if (!all) return all.error();
    return unverified::emit_llvm_ir(all->functions, all->options);
}

Result<std::string> assembly(const Derivations& derivations, const CpuOptions& options) {
    const Result<Exported> all = exported(derivations, options);
    if (!all) return all.error();
    return unverified::emit_assembly(all->functions, all->options);
}

Result<std::string> object(const Derivations& derivations, const CpuOptions& options) {
    const Result<Exported> all = exported(derivations, options);
    if (!all) return all.error();
    return unverified::emit_object(all->functions, all->options);
}

Status shared_library(const Derivations& derivations, const std::string& path,
                      const CpuOptions& options) {
    const Result<Exported> all = exported(derivations, options);
    if (!all) return all.error();
    return unverified::emit_shared_library(all->functions, all->options, path);
}

Result<std::string> header(const Derivations& derivations, const HeaderNotes& notes) {
    HeaderNotes all = notes;
    auto prepared = in_two_parts(derivations, notes.prepared, notes.symbols);
    if (!prepared) return prepared.error();
    all.in_two_parts = *std::move(prepared);
    return c_header(current_programs(derivations), all);
}

}  // namespace proviso::backend
