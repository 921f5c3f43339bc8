// Calls of generated schedules about blocks: what stands around their work, and the language around
// the calls.
#pragma once

#include <string>
#include <vector>

#include "fuzz/gen/choice.h"
#include "fuzz/gen/plain_access.h"
#include "ir/expr.h"

namespace proviso::fuzz {

// What a schedule knows of a block.
struct BlockHandles {
    std::string name;                // of the block, and of the variable that holds it
    std::vector<std::string> loops;  // variables, outermost first
    std::vector<ir::Buffer> loaded;
    std::vector<ir::Buffer> stored;
    std::vector<std::string> own;  // of these, buffers of the function
    std::size_t iterators = 0;
    std::vector<PlainAccess> plain;
    std::string other;  // another block, or the same one
    std::string fresh;  // a name that nothing has
};

// One or more lines, right or not: annotations, loops of one iteration, blocks of blocks, iterators
// counted another way, scopes, copies in the layout of the iterators, questions, and functions and
// loops of the schedule's language around them. Empty: there is nothing to call it for.
std::string block_call(Choice& choice, const BlockHandles& b);

}  // namespace proviso::fuzz
