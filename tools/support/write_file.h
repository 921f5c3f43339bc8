// Files that commands write.
#pragma once

#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::tools {

// All or nothing: written beside the target and moved into place. Folders on the way are made.
Status write_file(const std::string& path, const std::string& bytes);

// Whether an option may write to this file: not where it is one of those that are read, and not to
// standard output, which has no name. An empty name is none.
Status may_write(const std::string& option, const std::string& file,
                 const std::vector<std::string>& inputs);

}  // namespace proviso::tools
