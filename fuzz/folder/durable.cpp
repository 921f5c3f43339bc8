#include "fuzz/folder/durable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace proviso::fuzz {

namespace fs = std::filesystem;

namespace {

constexpr int kTries = 5;

// Zero, or what went wrong.
int write_all(int file, const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return ENOSPC;
        done += static_cast<std::size_t>(n);
    }
    return 0;
}

int sync_folder(const fs::path& path) {
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return errno;
    // Some file systems have no such thing for folders, and need none.
    const int code = ::fsync(folder) == 0 || errno == EINVAL ? 0 : errno;
    ::close(folder);
    return code;
}

int write_new(const fs::path& path, const std::string& bytes) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return errno;
    int code = write_all(file, bytes);
    if (code == 0 && ::fsync(file) != 0) code = errno;
    if (::close(file) != 0 && code == 0) code = errno;
    return code;
}

fs::path parent_of(const std::string& path) {
    const fs::path parent = fs::path(path).parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

}  // namespace

Diagnostic file_error(const std::string& what, const std::string& path, int code) {
    const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    return error(what + " " + path + ": " + std::strerror(code),
                 full ? "make space and run again: what is finished is kept" : "");
}

Status make_folder(const std::string& path) {
    std::error_code code;
    fs::create_directories(path, code);
    if (code) return file_error("cannot make", path, code.value());
    return Unit{};
}

Status write_durably(const std::string& path, const std::string& bytes, const std::string& name) {
    const std::string beside = name.empty() ? path + ".part" : (parent_of(path) / name).string();
    int code = write_new(beside, bytes);
    if (code == 0 && ::rename(beside.c_str(), path.c_str()) != 0) code = errno;
    if (code == 0) code = sync_folder(parent_of(path));
    if (code == 0) return Unit{};
    ::unlink(beside.c_str());
    return file_error("cannot write", path, code);
}

namespace {

// Zero, or what went wrong.
int write_folder(const std::string& folder, const fs::path& part,
                 const std::map<std::string, std::string>& files) {
    std::error_code failed;
    fs::remove_all(part, failed);
    int code = ::mkdir(part.c_str(), 0777) == 0 ? 0 : errno;
    for (const auto& [name, bytes] : files) {
        if (code == 0) code = write_new(part / name, bytes);
    }
    if (code == 0) code = sync_folder(part);
    if (code == 0 && ::rename(part.c_str(), folder.c_str()) != 0) {
        // Another process was first.
        if (errno != ENOTEMPTY && errno != EEXIST) code = errno;
    }
    if (code == 0) code = sync_folder(parent_of(folder));
    fs::remove_all(part, failed);
    return code;
}

}  // namespace

Status write_folder_durably(const std::string& folder, const std::string& beside,
                            const std::map<std::string, std::string>& files) {
    std::error_code failed;
    if (fs::is_directory(folder, failed)) return Unit{};
    // Somebody may take what is not finished for something that was left behind, and remove it.
    int code = ENOENT;
    for (int tries = 0; tries < kTries && code == ENOENT; ++tries) {
        code = write_folder(folder, parent_of(folder) / beside, files);
    }
    if (code != 0) return file_error("cannot write", folder, code);
    return Unit{};
}

AppendedFile::~AppendedFile() {
    if (file_ >= 0) ::close(file_);
}

Status AppendedFile::open() {
    if (file_ >= 0) return Unit{};
    file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) return file_error("cannot make", path_, errno);
    const int code = sync_folder(parent_of(path_));
    if (code != 0) return file_error("cannot make", path_, code);
    return Unit{};
}

Status AppendedFile::append(const std::string& line) {
    if (const Status ok = open(); !ok) return ok;
    int code = write_all(file_, line);
    if (code == 0 && ::fsync(file_) != 0) code = errno;
    // Where its name is gone, nobody will ever read it.
    struct stat written{};
    struct stat named{};
    if (code == 0 && ::fstat(file_, &written) != 0) code = errno;
    if (code == 0 && ::stat(path_.c_str(), &named) != 0) code = errno;
    if (code == 0 && (written.st_ino != named.st_ino || written.st_dev != named.st_dev)) {
        code = ESTALE;
    }
    if (code == 0) {
        size_ += static_cast<long long>(line.size());
        return Unit{};
    }
    // A part of a line would be ignored; it only looks like damage.
    const bool as_before = ::ftruncate(file_, size_) == 0 && ::lseek(file_, size_, SEEK_SET) >= 0;
    Diagnostic out = file_error("cannot write", path_, code);
    if (!as_before) out.notes.emplace_back("its last line is unfinished, and will be ignored");
    return out;
}

}  // namespace proviso::fuzz
