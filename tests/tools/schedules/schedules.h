// The fixture of tests that run a schedule on a program of one block.
#pragma once

#include <string>
#include <vector>

#include "tests/tools/commands.h"

namespace proviso::tests {

inline constexpr const char* kTwoBlocks = R"(
@T.prim_func
def two(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    for I in range(8):
        for j in range(8):
            with T.block("double"):
                vi, vj = T.axis.remap("SS", [I, j])
                B[vi, vj] = A[vi, vj] + T.float32(1)
)";

class Schedules : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("two.py", kTwoBlocks);
    }
    Seen scheduled(const std::string& schedule, std::vector<std::string> more = {}) {
        file("s.py", schedule);
        std::vector<std::string> words = {"lower", "two.py", "-s", "s.py", "--no-cache"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
};

}  // namespace proviso::tests
