// Files that commands write.
#pragma once

#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::tools {

// All or nothing: written beside the target and moved into place. Folders on the way are made.
Status write_file(const std::string& path, const std::string& bytes);

// A file that an option writes; an empty name is none.
struct OutputFile {
    std::string option;  // "--trace"
    std::string file;
    bool or_standard = false;  // "-" is standard output, else no name
};

// Whether options may write to these files: not where one is read, not twice to one, not over or
// into the proof log `log` (empty: there is none), and not into any other one.
Status may_write(const std::vector<OutputFile>& outputs, const std::vector<std::string>& inputs,
                 const std::string& log);

// Whether files may be written to this folder: not where it is that of a proof log.
Status may_write_folder(const std::string& folder, const std::string& log);

}  // namespace proviso::tools
