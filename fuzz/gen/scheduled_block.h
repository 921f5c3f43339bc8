// A block of a program for which a schedule is generated, and what the schedule has done to it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fuzz/gen/schedule_blocks.h"
#include "ir/site.h"

namespace proviso::fuzz {

struct ScheduledBlock : BlockHandles {
    std::size_t statements = 1;                // in its innermost loop
    bool rewritten = false;                    // a later block stores to one of its buffers
    bool reduces = false;                      // has an initialisation
    bool serial = true;                        // every loop around it
    bool hoistable = false;                    // has a condition that not every loop has a say in
    std::vector<ir::Expr> extents;             // of the loops around it, as they are in the program
    ir::Site outermost;                        // of these loops
    std::map<ir::Buffer, std::string> caches;  // what it accesses instead of a buffer
    std::string name_of(ir::Buffer x) const {
        const auto cache = caches.find(x);
        return cache == caches.end() ? x->name : cache->second;
    }
    // The value that it stores to every cell of its buffer, where that is one constant.
    ir::Expr constant = nullptr;
};

}  // namespace proviso::fuzz
