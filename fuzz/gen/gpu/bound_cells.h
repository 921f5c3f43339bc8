// Which cells the threads of generated programs (bound_programs.h) touch, as text.
#pragma once

#include <string>
#include <vector>

#include "fuzz/gen/choice.h"

namespace proviso::fuzz {

// What a thread may use in an expression: its number among the threads of the block, the element of
// the whole grid that is its own, and what tells iterations apart.
struct ThreadScope {
    std::string self;    // 0 <= self < threads
    std::string global;  // its element; below `n` where the guard is in place
    bool guarded = false;
    std::string step;       // variable of a serial loop at block level; empty: none
    std::string registers;  // leading indices of the threads' registers; empty: not in reach
};

// A cell below `size` (at least `threads`) for a thread to store to. Different threads have
// different ones, mostly; where they have not, `features` says so.
std::string own_cell(Choice& c, const ThreadScope& s, std::int64_t threads, std::int64_t size,
                     std::vector<std::string>& features);
// One to load.
std::string any_cell(Choice& c, const ThreadScope& s, std::int64_t threads, std::int64_t size);

}  // namespace proviso::fuzz
