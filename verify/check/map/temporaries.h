// Buffers that the programs allocate: those of both, by the names of the second one; those of one
// alone, inlined or filled.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rewrite/passes/proposer.h"

namespace proviso::verify {

// What becomes of those that the first program allocates.
enum class Temporaries : std::uint8_t {
    Keep,     // what the second program allocates like that keeps its place; others are inlined
    Inline,   // what can be inlined is, also where it stands in a loop
    Compute,  // as with Keep, but others stay: the second program's are computed from them
};

// The site below the allocations around everything, in the one and the other program, and those of
// the first program alone, which stand outside of all others.
struct Matched {
    ir::Site mine, wanted;
    std::vector<ir::Buffer> left;
};

// Steps after which the program allocates around everything what `after` does, and nothing else,
// unless it is said to. None: not possible, and `tried` says why. `taken`: names that nothing gets,
// besides those of `after`.
std::optional<Matched> match_temporaries(rewrite::Proposer& p, const ir::Function& after,
                                         Temporaries what, std::vector<std::string>& tried,
                                         const std::set<std::string>& taken = {});

// What is stored to the buffer, by one statement, in the place of each load; then the store and the
// allocation go. By several: as copied_buffer.h says. False: not possible; the program may have
// changed.
bool inline_buffer(rewrite::Proposer& p, ir::Buffer buffer, std::vector<std::string>& tried);

}  // namespace proviso::verify
