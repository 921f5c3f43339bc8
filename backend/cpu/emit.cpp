#include "backend/cpu/emit.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Program.h>

#include <cstdio>
#include <fstream>

#include "backend/cpu/module.h"

namespace proviso::backend {

Result<std::string> unverified::emit_llvm_ir(const std::vector<ir::Function>& functions,
                                             const CpuOptions& options) {
    const auto built = build_module(functions, options, Purpose::Emit);
    if (!built) return built.error();
    return built->ir_text();
}

Result<std::string> unverified::emit_assembly(const std::vector<ir::Function>& functions,
                                              const CpuOptions& options) {
    auto built = build_module(functions, options, Purpose::Emit);
    if (!built) return built.error();
    return built->assembly();
}

Result<std::string> unverified::emit_object(const std::vector<ir::Function>& functions,
                                            const CpuOptions& options) {
    auto built = build_module(functions, options, Purpose::Emit);
    if (!built) return built.error();
    return built->object();
}

const std::vector<std::string>& linker_candidates() {
    static const std::vector<std::string> names = {"cc",    "gcc",       "clang-19",
                                                   "clang", "ld.lld-19", "ld"};
    return names;
}

Status link_shared_library(const std::string& object_path, const std::string& library_path,
                           const std::vector<std::string>& linkers) {
    for (const std::string& name : linkers) {
        const auto program = llvm::sys::findProgramByName(name);
        if (!program) continue;
        const bool bare = name.rfind("ld", 0) == 0;  // a linker has no search path for libm
        std::vector<std::string> args = {*program, "-shared", "-o", library_path, object_path};
        if (!bare) args.push_back("-lm");
        const std::vector<llvm::StringRef> refs(args.begin(), args.end());
        std::string message;
        const int code =
            llvm::sys::ExecuteAndWait(*program, refs, std::nullopt, {}, 0, 0, &message);
        if (code == 0) return Unit{};
        if (!message.empty()) message.insert(0, ": ");
        return error(
            fmt::format("{} failed to link {} (exit code {}){}", name, library_path, code, message),
            "emit the object file and link it by hand");
    }
    Diagnostic missing = error("no program to link a shared library with",
                               "install a C compiler (package gcc), or emit the object file");
    std::string looked;
    for (const std::string& name : linkers) looked += (looked.empty() ? "" : ", ") + name;
    missing.notes.push_back("looked on the search path for: " + looked);
    return missing;
}

Status unverified::emit_shared_library(const std::vector<ir::Function>& functions,
                                       const CpuOptions& options, const std::string& path) {
    const auto object = emit_object(functions, options);
    if (!object) return object.error();
    const std::string object_path = path + ".o";
    std::remove(object_path.c_str());  // a link there would be written through
    {
        std::ofstream file(object_path, std::ios::binary);
        file.write(object->data(), static_cast<std::streamsize>(object->size()));
        if (!file.flush()) return error("cannot write " + object_path);
    }
    const Status linked = link_shared_library(object_path, path);
    std::remove(object_path.c_str());
    return linked;
}

}  // namespace proviso::backend
