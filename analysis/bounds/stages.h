// The stages of a program, and where they are attached: each block, or each store outside of
// blocks, with the loops around it. Stages that store to a buffer produce it, stages that load from
// it consume it.
#pragma once

#include <string>
#include <vector>

#include "analysis/memory/access.h"

namespace proviso::analysis {

// A loop around a stage.
struct StageLoop {
    ir::Site site;
    const ir::For* loop = nullptr;
    bool operator==(const StageLoop& other) const { return site == other.site; }
};

struct Stage {
    std::string name;  // of the block, or of the buffer that is stored to; unique: "T", "T#2"
    ir::Site site;
    std::vector<StageLoop> loops;    // the attach path, outermost first; none within the stage
    std::vector<std::size_t> loads;  // of the accesses
    std::vector<std::size_t> stores;
    // Of the buffers that the stage stores to; loads of these by itself are no requests where they
    // read the cells that the same statement stores to.
    std::vector<ir::Buffer> produces, consumes;
};

struct StageMap {
    std::vector<Access> accesses;
    std::vector<Stage> stages;  // in textual order
};

// `f` must be well formed; it must outlive what is returned.
StageMap stages_of(ir::Context& ctx, const ir::Function& f);

// How many loops the attach paths have in common, from the root.
std::size_t shared_loops(const Stage& a, const Stage& b);

// The loops around a site, outermost first.
std::vector<StageLoop> loops_around(const ir::Function& f, const ir::Site& site);

}  // namespace proviso::analysis
