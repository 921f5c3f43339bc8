// A command in a process of its own, with limits of time and memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace proviso::fuzz::inputs {

struct ChildLimits {
    int seconds = 10;  // of processor time; of the clock, 20 times as many
    std::uint64_t memory = std::uint64_t{2} << 30U;  // bytes that are in use
};

struct Outcome {
    int code = -1;      // exit code; -1: it did not end by itself
    std::string wrong;  // empty, or what must not happen: "killed by signal 11 (…)"
};

// Runs `words` in `folder`; standard input is the file `stdin` there, or empty. Both outputs go to
// the files `stdout` and `stderr` there. Whatever it has started ends with it.
Outcome run_child(const std::vector<std::string>& words, const std::filesystem::path& folder,
                  const ChildLimits& limits);

}  // namespace proviso::fuzz::inputs
