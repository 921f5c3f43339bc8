// Where the files of a proof log come from: a folder, or one archive (.tar, .tar.zst). Nothing here
// is believed: what a file holds is compared with hashes by who reads it (audit/bundle.h). Whatever
// the bytes are, limits hold (ir/files/limits.h): on their number, on the number of files, on
// names, and on what a few compressed bytes may grow to.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "verify/files/problem.h"

namespace proviso::verify {

struct LogFiles {
    std::map<std::string, std::string> bytes;  // name -> content; names without "/"
    std::vector<Problem> problems;             // what is there and was not read
};

// `known`: names of the files that may be there; of others there is a problem. Symbolic links are
// none, and pipes and devices are never opened.
LogFiles read_log_files(const std::string& path, const std::vector<std::string>& known);

// The folder around a path, which need not be there, that holds a proof log: what is written into
// it breaks the log. Empty: there is none.
std::string log_around(const std::string& path);

}  // namespace proviso::verify
