// Files that commands write.
#pragma once

#include <string>

#include "ir/result.h"

namespace proviso::tools {

// All or nothing: written beside the target and moved into place. Folders on the way are made.
Status write_file(const std::string& path, const std::string& bytes);

}  // namespace proviso::tools
