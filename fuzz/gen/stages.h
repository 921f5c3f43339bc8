// The parts of a generated program: for a buffer, statements that write it from what may be read so
// far.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "fuzz/gen/values.h"
#include "ir/children.h"

namespace proviso::fuzz {

// A buffer that the program is to write.
struct Target {
    ir::Buffer buffer = nullptr;
    std::vector<Extent> shape;
    bool internal = false;  // read later, so every cell must be written with a definite value
};

struct Stages {
    std::set<std::string> names;     // taken in the function
    std::vector<Readable> readable;  // inputs, and what has been written
    std::vector<Variable> sizes;     // scalar parameters
    std::set<std::string> features;
    bool blocks_only = false;  // every store is in a block

    // Writes the target; an internal one is readable from then on.
    ir::Stmt write(ir::Context& ctx, Choice& choice, const Target& target);
    // for ..: T.assume(lo <= A[..] and A[..] <= hi)
    ir::Stmt assume_range(ir::Context& ctx, Choice& choice, const Readable& in);
};

}  // namespace proviso::fuzz
