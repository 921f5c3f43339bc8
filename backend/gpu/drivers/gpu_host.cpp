#include "backend/gpu/drivers/gpu_host.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Program.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/text.h"

namespace proviso::backend::gpu {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& compilers() {
    static const std::vector<std::string> names = {"g++", "c++", "clang++-19", "clang++"};
    return names;
}

// No contraction, and nothing that would let the compiler change a float's bits.
const std::vector<std::string>& flags() {
    static const std::vector<std::string> words = {"-std=c++17",
                                                   "-O1",
                                                   "-ffp-contract=off",
                                                   "-fno-math-errno",
                                                   "-fno-strict-aliasing",
                                                   "-w",
                                                   "-fPIC",
                                                   "-shared",
                                                   "-x",
                                                   "c++"};
    return words;
}

std::string file_text(const fs::path& path) {
    std::stringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
}

Status compile(const std::string& compiler, const fs::path& source, const fs::path& library) {
    std::vector<std::string> args = {compiler};
    args.insert(args.end(), flags().begin(), flags().end());
    args.insert(args.end(), {source.string(), "-o", library.string()});
    const std::vector<llvm::StringRef> refs(args.begin(), args.end());
    const std::string log = library.string() + ".log";
    const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log),
                                                        llvm::StringRef(log)};
    const int code = llvm::sys::ExecuteAndWait(compiler, refs, std::nullopt, redirects);
    const std::string said = file_text(log);
    std::error_code ignored;
    fs::remove(log, ignored);
    if (code == 0) return Unit{};
    Diagnostic d =
        error(fmt::format("{} does not compile the kernels (exit code {})", compiler, code));
    d.notes.push_back(said.substr(0, 2000));
    return d;
}

}  // namespace

Result<std::string> compile_for_host(const std::string& source, const std::string& folder) {
    std::string what;
    for (const std::string& flag : flags()) what += flag + " ";
    const std::string name = ir::sha256_hex(what + "\n" + source);
    const fs::path base =
        folder.empty() ? fs::temp_directory_path() / "proviso-gpu-host" : fs::path(folder);
    const fs::path library = base / (name + ".so");
    std::error_code code;
    if (fs::exists(library, code)) return library.string();
    fs::create_directories(base, code);
    // Beside each other in several processes; the last one to finish puts its library there.
    const std::string own = name + "." + std::to_string(::getpid());
    const fs::path text = base / (own + ".cpp");
    const fs::path made = base / (own + ".so");
    {
        std::ofstream out(text, std::ios::binary);
        out << source;
        if (!out.flush()) return error("cannot write " + text.string());
    }
    Status done = error("no C++ compiler to run kernels with", "install g++");
    for (const std::string& candidate : compilers()) {
        const auto program = llvm::sys::findProgramByName(candidate);
        if (!program) continue;
        done = compile(*program, text, made);
        break;
    }
    fs::remove(text, code);
    if (!done) return done.error();
    fs::rename(made, library, code);
    if (code) return error("cannot write " + library.string() + ": " + code.message());
    return library.string();
}

Result<DeviceRun> run_on_gpu_host(const Module& module, const ir::Function& f,
                                  const ir::Inputs& inputs, const GpuHostOptions& options) {
    const Result<std::string> library =
        compile_for_host(module.source(Language::Host), options.cache);
    if (!library) return library.error();
    const MakeDevice make = [&](std::size_t order) -> Result<std::unique_ptr<Device>> {
        void* const handle = ::dlopen(library->c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle == nullptr) return error(std::string("cannot load the kernels: ") + ::dlerror());
        const auto symbols = [handle](const std::string& name) {
            return ::dlsym(handle, name.c_str());
        };
        return make_fiber_device(symbols, order, options.seed);
    };
    return run_in_orders(module, f, inputs, options, make);
}

Result<DeviceRun> run_in_orders(const Module& module, const ir::Function& f,
                                const ir::Inputs& inputs, const GpuHostOptions& options,
                                const MakeDevice& make) {
    std::vector<std::string> orders = {"forward", "in reverse"};
    for (std::size_t k = 0; k < options.random_orders; ++k) {
        orders.push_back("in random order " + std::to_string(k + 1));
    }
    Result<DeviceRun> out =
        run_in_child(module, f, inputs, options.seed, orders, make, options.limits);
    if (out && !out->finding) {
        out->device = fmt::format("this machine, threads in {} orders", orders.size());
    }
    return out;
}

}  // namespace proviso::backend::gpu
