// How every file is read: regular files only, up to a limit. Pipes, devices, sockets and folders
// are told by name and never opened, so nothing waits for them or reads without end.
#pragma once

#include <cstdint>
#include <string>

#include "ir/result.h"

namespace proviso::ir {

enum class Links {
    Follow,
    Refuse,  // a symbolic link is no file
};

// The whole of a regular file of at most `most` bytes. Errors: it is missing, something else than
// a file, larger (also where it grows while it is read), or the system gives none of it.
Result<std::string> read_file(const std::string& path, std::uint64_t most,
                              Links links = Links::Follow);

// The whole of standard input, which may be a pipe.
Result<std::string> read_standard_input(std::uint64_t most);

// An error where `path` is there and no regular file: nothing is to be written to a pipe or device.
Status check_target(const std::string& path);

// "16 MiB"; whole units only.
std::string bytes_text(std::uint64_t bytes);

}  // namespace proviso::ir
