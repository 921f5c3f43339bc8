#include "backend/gpu/drivers/oclgrind.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Program.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace proviso::backend::gpu {

namespace {

namespace fs = std::filesystem;

constexpr unsigned kSeconds = 120;  // of wall time

std::string text_of(const fs::path& path) {
    std::stringstream out;
    out << std::ifstream(path).rdbuf();
    return out.str();
}

}  // namespace

bool has_oclgrind() {
#ifdef __SANITIZE_ADDRESS__
    return false;
#else
    return static_cast<bool>(llvm::sys::findProgramByName("oclgrind"));
#endif
}

Result<std::string> under_oclgrind(const std::vector<std::string>& command, bool uninitialised) {
    const auto program = llvm::sys::findProgramByName("oclgrind");
    if (!program) return error("there is no oclgrind here", "apt install oclgrind");
    static int runs = 0;
    const fs::path base =
        fs::temp_directory_path() /
        ("proviso-oclgrind." + std::to_string(::getpid()) + "." + std::to_string(++runs));
    const std::string log = base.string() + ".log";
    const std::string said = base.string() + ".out";
    std::vector<std::string> args = {*program, "--data-races", "--log", log};
    if (uninitialised) args.emplace_back("--uninitialized");
    args.insert(args.end(), command.begin(), command.end());
    const std::vector<llvm::StringRef> refs(args.begin(), args.end());
    const std::optional<llvm::StringRef> redirects[] = {std::nullopt, llvm::StringRef(said),
                                                        llvm::StringRef(said)};
    const int code = llvm::sys::ExecuteAndWait(*program, refs, std::nullopt, redirects, kSeconds);
    const std::string complaints = text_of(log);
    const std::string output = text_of(said);
    std::error_code ignored;
    fs::remove(log, ignored);
    fs::remove(said, ignored);
    if (!complaints.empty()) return complaints;
    if (code == 0) return std::string();
    Diagnostic d = error("under oclgrind the command ends with code " + std::to_string(code));
    d.notes.push_back(output.substr(0, 2000));
    return d;
}

}  // namespace proviso::backend::gpu
