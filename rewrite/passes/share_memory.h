// Buffers at the top of a lowered function in one another's memory, where their lifetimes are
// disjoint: a plan by colouring of intervals, and the steps (`share-buffer`) that prove it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

struct MemoryPlan {
    struct Item {
        std::string buffer;
        std::int64_t bytes = 0;
        // Statements at the top (analysis/parts/top_level.h) from the first that touches it to the
        // last one, from 0.
        std::size_t first = 0;
        std::size_t last = 0;
        std::size_t place = 0;  // number of the memory that it is in
    };
    std::vector<Item> items;           // in the order of `first`
    std::vector<std::int64_t> places;  // bytes of each
    std::size_t statements = 0;
    std::int64_t apart = 0;            // bytes, if each buffer has its own memory
    std::int64_t together = 0;         // of all places
    std::int64_t least = 0;            // no plan has less: what is alive at one time
    std::vector<std::string> refused;  // steps that were, and why
};

// Buffers of constant size and of one type share a place, but for those of `apart`. A buffer goes
// to the smallest place that is free and large enough, else to the largest one that is free.
MemoryPlan memory_plan(const ir::Function& f, const std::set<std::string>& apart);

// Takes the steps of the plan; buffers that a step refuses stay where they are, and the plan that
// is given says so.
MemoryPlan share_memory(Proposer& p, const std::set<std::string>& apart);

}  // namespace proviso::rewrite
