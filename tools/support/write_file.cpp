#include "tools/support/write_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "ir/files/read.h"

namespace proviso::tools {

Status write_file(const std::string& path, const std::string& bytes) {
    const std::filesystem::path target(path);
    std::error_code code;
    if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path(), code);
    // A link is replaced, and so is what stands in the way of the file beside it.
    if (!std::filesystem::is_symlink(target, code)) {
        if (const Status ok = ir::check_target(path); !ok) return ok;
    }
    const std::string beside = path + ".part";
    std::filesystem::remove(beside, code);
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        out << bytes;
        out.flush();
        if (!out) {
            std::filesystem::remove(beside, code);
            return error("cannot write " + path);
        }
    }
    std::filesystem::rename(beside, target, code);
    if (code) return error("cannot write " + path + ": " + code.message());
    return Unit{};
}

Status may_write(const std::string& option, const std::string& file,
                 const std::vector<std::string>& inputs) {
    if (file == "-") return error(option + " takes the name of a file", option + " calls.json");
    for (const std::string& input : inputs) {
        std::error_code code;
        if (file.empty() || !std::filesystem::equivalent(file, input, code) || code) continue;
        return error(option + " " + file + " would write over " + input, "give it another name");
    }
    return Unit{};
}

}  // namespace proviso::tools
