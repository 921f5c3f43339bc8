#include "verify/log/write_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ir/files/read.h"
#include "verify/files/archive.h"
#include "verify/files/log_files.h"
#include "verify/log/format.h"

namespace proviso::verify {

namespace fs = std::filesystem;

namespace {

// Where logs up to version 5 had a file for each object.
constexpr const char* kOldObjectsFolder = "objects";

Status write_file(const fs::path& path, const std::string& bytes) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return error("cannot write " + path.string());
    return Unit{};
}

bool is_part(const std::string& name) {
    const std::vector<std::string>& known = log_file_names();
    return name == kOldObjectsFolder || std::find(known.begin(), known.end(), name) != known.end();
}

// A folder with such a name is not what was meant.
Status check_extension(const std::string& path) {
    for (const char* other : {".zst", ".gz", ".tgz", ".xz", ".bz2", ".zip", ".7z"}) {
        if (!path.ends_with(other) || !archive_extension(path).empty()) continue;
        return error(path + ": a proof log is no file of that kind",
                     "a name that ends in .tar.zst or .tar, or that of a folder");
    }
    return Unit{};
}

Status check_folder(const fs::path& folder) {
    std::error_code failed;
    if (!fs::exists(folder, failed)) return Unit{};
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const std::string name = entry.path().filename().string();
        if (is_part(name)) continue;
        return error(folder.string() + " holds " + name + ", which is no part of a proof log",
                     "give an empty or a new folder");
    }
    if (failed) return error("cannot read " + folder.string() + ": " + failed.message());
    return Unit{};
}

Status check_file(const std::string& path) {
    std::error_code failed;
    if (!fs::exists(path, failed)) return Unit{};
    if (const Status ok = ir::check_target(path); !ok) return ok;
    if (fs::file_size(path, failed) == 0) return Unit{};
    const LogFiles there = read_log_files(path, log_file_names());
    if (there.bytes.count(kRunFile) != 0) return Unit{};
    return error(path + " is there and is no proof log", "give another name, or remove it");
}

Status write_folder(const fs::path& folder, const std::map<std::string, std::string>& files) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed) return error("cannot make " + folder.string() + ": " + failed.message());
    for (const std::string& name : log_file_names()) fs::remove_all(folder / name, failed);
    fs::remove_all(folder / kOldObjectsFolder, failed);
    for (const auto& [name, bytes] : files) {
        if (const Status ok = write_file(folder / name, bytes); !ok) return ok;
    }
    return Unit{};
}

Status write_archive(const std::string& path, const std::map<std::string, std::string>& files) {
    std::string bytes = pack_archive(files);
    if (path.ends_with(".zst")) bytes = compress(bytes);
    std::error_code failed;
    const fs::path target(path);
    if (target.has_parent_path()) fs::create_directories(target.parent_path(), failed);
    const fs::path beside = path + ".part";
    fs::remove(beside, failed);
    if (const Status ok = write_file(beside, bytes); !ok) {
        fs::remove(beside, failed);
        return error("cannot write " + path);
    }
    fs::rename(beside, target, failed);
    if (failed) return error("cannot write " + path + ": " + failed.message());
    return Unit{};
}

}  // namespace

Status may_write_log(const std::string& path) {
    if (const std::string around = log_around(path); !around.empty()) {
        return error(path + " would write into the proof log " + around,
                     "a log holds nothing else: give a place outside of it");
    }
    if (const Status ok = check_extension(path); !ok) return ok;
    return archive_extension(path).empty() ? check_folder(path) : check_file(path);
}

Status write_log_files(const std::string& path, const std::map<std::string, std::string>& files) {
    if (const Status ok = may_write_log(path); !ok) return ok;
    return archive_extension(path).empty() ? write_folder(path, files) : write_archive(path, files);
}

}  // namespace proviso::verify
