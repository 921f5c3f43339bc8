#include "tools/support/write_file.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <system_error>

#include "ir/files/read.h"
#include "verify/files/log_files.h"

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

namespace {

std::filesystem::path whole(const std::string& file) {
    std::error_code failed;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, failed), failed);
}

Status not_in_log(const std::string& what, const std::string& file, const std::string& log) {
    const std::string hint = "a log holds nothing else: give a place outside of it";
    if (!log.empty()) {
        const std::filesystem::path root = whole(log);
        const std::filesystem::path target = whole(file);
        if (target == root) return error(what + " would write over the proof log " + log, hint);
        for (auto up = target.parent_path(); up.has_relative_path(); up = up.parent_path()) {
            if (up == root) return error(what + " would write into the proof log " + log, hint);
        }
    }
    const std::string around = verify::log_around(file);
    if (around.empty()) return Unit{};
    return error(what + " would write into the proof log " + around, hint);
}

}  // namespace

Status may_write(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs,
                 const std::string& log) {
    std::map<std::filesystem::path, std::string> taken;
    for (const auto& [option, file, or_standard] : outputs) {
        if (file.empty() || (file == "-" && or_standard)) continue;
        if (file == "-") return error(option + " takes the name of a file");
        const std::string what = option + " " + file;
        std::error_code none;
        if (!std::filesystem::is_symlink(file, none)) {
            if (const Status ok = ir::check_target(file); !ok) return ok;
        }
        for (const std::string& input : inputs) {
            std::error_code failed;
            if (input.empty() || !std::filesystem::equivalent(file, input, failed)) continue;
            return error(what + " would write over " + input, "give it another name");
        }
        if (const Status ok = not_in_log(what, file, log); !ok) return ok;
        const auto [first, is_new] = taken.emplace(whole(file), option);
        if (is_new) continue;
        return error(what + " is the file of " + first->second + " as well",
                     "give each a file of its own");
    }
    return Unit{};
}

Status may_write_folder(const std::string& folder, const std::string& log) {
    const std::string inside = (std::filesystem::path(folder) / "file").string();
    return not_in_log(folder, inside, log);
}

}  // namespace proviso::tools
