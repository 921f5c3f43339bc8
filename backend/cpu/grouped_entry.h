// Functions whose last buffers come as a few blocks of memory, each at an offset of its block:
//
//   int32_t NAME(const float* x, float* y, const void* packed, void* workspace)
//
// calls a function with one pointer each, which is internal then. The two parts of a function
// (analysis/parts/two_parts.h) are such ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/parts/two_parts.h"
#include "ir/function.h"

namespace llvm {
class Module;
}

namespace proviso::backend {

inline constexpr std::int64_t kBlockAlignment = 64;  // bytes, of a block and of each offset

struct MemoryBlock {
    std::string name;                   // in C; also says whose it is: "packed", "workspace"
    std::vector<std::int64_t> offsets;  // of its buffers, one after the other, without overlap
    std::int64_t bytes = 0;
};
// Of buffers with constant extents.
MemoryBlock memory_block(const std::string& name, const std::vector<ir::Buffer>& buffers);

struct GroupedEntry {
    std::string symbol;
    std::string inner;                // the function that it calls, by its symbol
    std::size_t own = 0;              // parameters that stay, the first ones
    std::vector<MemoryBlock> blocks;  // of the others, in their order
    bool contract = true;             // the licence may be made use of
};

// A function in two parts, for the back end.
struct PreparedEntries {
    ir::Function prepare;  // the inner functions
    ir::Function run;
    GroupedEntry prepare_entry;
    GroupedEntry run_entry;
};
PreparedEntries prepared_entries(const ir::Function& whole, const analysis::TwoParts& parts,
                                 const std::string& symbol);

// Defines the entry; the module has the inner function.
void define_entry(llvm::Module& module, const GroupedEntry& entry);

}  // namespace proviso::backend
