// Files that are there after a crash: what these functions have written has reached the disk when
// they return, and no reader ever sees a part of it. Errors name the file and what the system says,
// such as a full disk.
#pragma once

#include <map>
#include <string>

#include "ir/result.h"

namespace proviso::fuzz {

// The message of `errno`, about a file; for a full disk with a hint.
Diagnostic file_error(const std::string& what, const std::string& path, int code);

// The folder, and those above it.
Status make_folder(const std::string& path);

// Written beside the target, and moved into place. `beside`: the name there, where several
// processes may write this file; nobody else uses it.
Status write_durably(const std::string& path, const std::string& bytes,
                     const std::string& beside = "");

// A folder of files, likewise. `beside`: the name of a folder next to it that nobody else uses.
// Fine where the folder is there already.
Status write_folder_durably(const std::string& folder, const std::string& beside,
                            const std::map<std::string, std::string>& files);

// A file that only grows, by whole lines, and that one process writes.
class AppendedFile {
  public:
    explicit AppendedFile(std::string path) : path_(std::move(path)) {}
    ~AppendedFile();
    AppendedFile(const AppendedFile&) = delete;
    AppendedFile& operator=(const AppendedFile&) = delete;

    // On the disk when it returns; where it fails, the file is as it was, or no longer has its
    // name. The first one makes the file.
    Status append(const std::string& line);

  private:
    Status open();

    std::string path_;
    int file_ = -1;
    long long size_ = 0;
};

}  // namespace proviso::fuzz
