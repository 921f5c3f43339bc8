#include "backend/cpu/emit.h"

#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Program.h>

#include <cstdio>
#include <fstream>

#include "backend/cpu/module.h"
#include "backend/runtime/pool_object.h"
#include "ir/site.h"

namespace proviso::backend {

namespace {

bool has_parallel_loop(const std::vector<ir::Function>& functions) {
    for (const ir::Function& f : functions) {
        for (const auto& [site, s] : ir::all_statements(f)) {
            const auto* loop = s->as<ir::For>();
            if (loop != nullptr && loop->kind == ir::ForKind::Parallel) return true;
        }
    }
    return false;
}

}  // namespace

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

Status link_shared_library(const std::vector<std::string>& object_paths,
                           const std::string& library_path,
                           const std::vector<std::string>& linkers) {
    for (const std::string& name : linkers) {
        const auto program = llvm::sys::findProgramByName(name);
        if (!program) continue;
        const bool bare = name.rfind("ld", 0) == 0;  // a linker has no search path for libm
        std::vector<std::string> args = {*program, "-shared", "-o", library_path};
        args.insert(args.end(), object_paths.begin(), object_paths.end());
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
    std::vector<std::pair<std::string, std::string_view>> objects = {{path + ".o", *object}};
    // First the pool: where it is, the function of the other object is not taken.
    if (has_parallel_loop(functions)) {
        objects.insert(objects.begin(), {path + ".pool.o", pool_object()});
    }
    std::vector<std::string> paths;
    Status done = Unit{};
    for (const auto& [object_path, bytes] : objects) {
        paths.push_back(object_path);
        std::remove(object_path.c_str());  // a link there would be written through
        std::ofstream file(object_path, std::ios::binary);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!file.flush()) done = error("cannot write " + object_path);
        if (!done) break;
    }
    if (done) done = link_shared_library(paths, path);
    for (const std::string& object_path : paths) std::remove(object_path.c_str());
    return done;
}

}  // namespace proviso::backend
