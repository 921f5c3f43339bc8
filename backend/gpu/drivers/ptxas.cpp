#include "backend/gpu/drivers/ptxas.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Program.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace proviso::backend::gpu {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 120;

std::string find_ptxas() {
    if (const auto found = llvm::sys::findProgramByName("ptxas")) return *found;
    const auto found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"});
    return found ? *found : "";
}

std::string bytes_of(const fs::path& path) {
    std::stringstream out;
    out << std::ifstream(path, std::ios::binary).rdbuf();
    return out.str();
}

}  // namespace

bool has_ptxas() {
    return !find_ptxas().empty();
}

Result<std::string> assemble_ptx(const std::string& ptx, const std::string& architecture) {
    const std::string program = find_ptxas();
    if (program.empty()) {
        return error("there is no ptxas here", "it comes with NVIDIA's CUDA toolkit");
    }
    static int runs = 0;
    const std::string base =
        (fs::temp_directory_path() /
         ("proviso-ptxas." + std::to_string(::getpid()) + "." + std::to_string(++runs)))
            .string();
    std::ofstream(base + ".ptx", std::ios::binary) << ptx;
    const std::vector<std::string> args = {program,       "--gpu-name", architecture,
                                           base + ".ptx", "-o",         base + ".cubin"};
    const std::vector<llvm::StringRef> refs(args.begin(), args.end());
    const std::string log = base + ".log";
    const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(log),
                                                        llvm::StringRef(log)};
    const int code = llvm::sys::ExecuteAndWait(program, refs, std::nullopt, redirects, kSeconds);
    const std::string said = bytes_of(log);
    std::string out = bytes_of(base + ".cubin");
    std::error_code ignored;
    for (const char* extension : {".ptx", ".cubin", ".log"}) fs::remove(base + extension, ignored);
    if (code == 0 && !out.empty()) return out;
    Diagnostic d = error("ptxas does not assemble the kernels for " + architecture);
    d.notes.push_back(said.substr(0, 2000));
    return d;
}

}  // namespace proviso::backend::gpu
