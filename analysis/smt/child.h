// A program as a child process: a text on its standard input, what it says on its output.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace proviso::analysis::smt {

struct ChildOutput {
    std::string text;      // of standard output and standard error, in the order of writing
    bool killed = false;   // after the time, or for the length of its output
    bool started = false;  // false: there is no such program in PATH
};

// Runs the program `command[0]` with the other words as its arguments, for at most so many seconds,
// and in 4 GiB of memory. Of its output no more than 16 MiB are taken.
ChildOutput run_child(const std::vector<std::string>& command, const std::string& input,
                      int wall_limit_s);

}  // namespace proviso::analysis::smt
