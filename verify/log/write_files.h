// The files of a proof log, put where they are wanted.
#pragma once

#include <map>
#include <string>

#include "ir/result.h"

namespace proviso::verify {

// A path that ends in .tar or .tar.zst is one file, written beside itself and moved into place; any
// other is a folder, which is made when missing. A log that is there already is replaced. Fails
// where something else is there, so that nothing of the user's is ever deleted, or where the path
// cannot be written.
Status write_log_files(const std::string& path, const std::map<std::string, std::string>& files);

// Whether that may be written: for who works long before it writes.
Status may_write_log(const std::string& path);

}  // namespace proviso::verify
