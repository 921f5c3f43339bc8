// A block of a program for which a schedule is generated, and what the schedule has done to it.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/gen/schedules/schedule_blocks.h"
#include "ir/context.h"
#include "ir/function.h"
#include "ir/site.h"

namespace proviso::fuzz {

struct ScheduledBlock : BlockHandles {
    std::size_t statements = 1;                // in its innermost loop
    bool rewritten = false;                    // a later block stores to one of its buffers
    bool reduces = false;                      // has an initialisation
    bool guarded = false;                      // has a predicate, or a branch
    bool bounded = false;                      // has a branch on its iterators alone
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

// The block at the site of the function; nothing has been done to it.
ScheduledBlock described(const ir::Function& f, const ir::Site& site, const ir::Block& block);

// Blocks by number: one that stores to a buffer, and a later one that loads it.
inline std::vector<std::pair<std::size_t, std::size_t>> readers(
    const std::vector<ScheduledBlock>& blocks) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t later = 0; later < blocks.size(); ++later) {
        const std::vector<ir::Buffer>& loaded = blocks[later].loaded;
        for (std::size_t k = 0; k < later; ++k) {
            const std::vector<ir::Buffer>& stored = blocks[k].stored;
            if (std::any_of(stored.begin(), stored.end(), [&](ir::Buffer b) {
                    return std::find(loaded.begin(), loaded.end(), b) != loaded.end();
                })) {
                out.emplace_back(k, later);
            }
        }
    }
    return out;
}

}  // namespace proviso::fuzz
