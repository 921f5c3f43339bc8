// How much of a folder of TVMScript files is read.
#pragma once

#include <string>
#include <vector>

namespace proviso::bench {

// `proviso-bench reader`: a table of the files below a folder, one line a group, and what stops the
// reader most often. Exit code 1 when a file that is read is not printed back as the same program.
// Options: --folder=FOLDER, --unread (every file that is not read, with the first mistake), --json.
int reader_command(const std::vector<std::string>& args);

}  // namespace proviso::bench
