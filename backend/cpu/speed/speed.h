// What became of a program's innermost loops in machine code: how wide their vectors are, what was
// unrolled, what does not fit into registers, and why a loop has no vectors.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "backend/cpu/options.h"
#include "ir/result.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::backend {

struct LoopSpeed {
    std::size_t line = 0;      // of the `for` in the program's text (ir::print), from 1
    std::string loop;          // that line, without its indentation
    unsigned lanes = 0;        // of the widest vectors of values; 0: no code of its own is left
    std::string element;       // their type, as LLVM writes it: float, i32
    std::size_t vectors = 0;   // instructions on vectors: loads, stores, floats' arithmetic
    std::size_t singles = 0;   // the same on single values
    std::size_t masked = 0;    // loads and stores of a part of the lanes
    std::size_t gathers = 0;   // loads and stores of scattered cells
    std::size_t branches = 0;  // `if` in the program's loop
    std::vector<std::string> unrolled;  // what LLVM says of it
    std::string spills;  // what went to memory for want of registers, in the nearest loop around
    std::vector<std::string> why_not;  // where there are single values: what stopped LLVM
};

struct Speed {
    std::string cpu;               // emitted_for
    std::vector<LoopSpeed> loops;  // innermost, in the order of the text
};

// Compiles the derivation's program as emission does; the code itself is dropped.
Result<Speed> speed_of(const rewrite::Derivation& derivation, const CpuOptions& options);

}  // namespace proviso::backend
