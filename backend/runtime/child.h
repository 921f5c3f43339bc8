// Work in a child process with limits: what crashes or never ends there is a finding, and the
// caller goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace proviso::backend {

// 0: no limit.
struct ChildLimits {
    unsigned seconds = 60;                          // of processor time, all threads together
    unsigned wall_seconds = 600;                    // for what waits for ever; generous, since
                                                    // a busy machine is not to change a result
    std::uint64_t memory = std::uint64_t{8} << 30;  // bytes of address space
};
inline constexpr ChildLimits kNoLimits{0, 0, 0};

struct ChildResult {
    bool finished = false;
    int signal = 0;     // that ended it; 0: none did
    std::string bytes;  // what the work gave
    std::string death;  // why it did not finish: "killed by signal 11 (Segmentation fault)"
};

// Forks and runs `work` there. The caller must not be running threads whose locks the work needs.
// The child leaves no core file, and ends when its parent does.
ChildResult in_child(const ChildLimits& limits, const std::function<std::string()>& work);

// What a signal says of the code that it ended, in words: "segmentation fault (memory that is not
// there)".
std::string signal_text(int signal);

}  // namespace proviso::backend
