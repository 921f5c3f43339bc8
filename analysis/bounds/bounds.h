// Bounds of a program as it stands: for every buffer, what each consumer requests and each producer
// computes, at every loop level, as exact regions where that is possible; how often a producer
// computes what is needed once; and how much memory holds it. Declared regions (T.reads, T.writes)
// are not looked at: everything is inferred from the accesses.
//
// At a level, the loops from the root up to it are fixed, and all loops below are relaxed, those of
// threads as well.
#pragma once

#include <optional>
#include <vector>

#include "analysis/bounds/known_region.h"
#include "analysis/bounds/stages.h"

namespace proviso::analysis {

struct BoundsLevel {
    std::size_t fixed = 0;  // loops of the stage's attach path that are fixed
    KnownRegion region;
    // Beside what the iteration before of the innermost fixed loop had: of a serial loop.
    std::optional<KnownRegion> fresh;
    bool too_many_fresh = false;  // there would be more parts than kMostParts, or than are compared
};

// What the cells of a buffer hold that are stored to in more than one iteration of the shared
// loops.
enum class Repeats {
    Same,     // the same value again, or there are no such cells
    Others,   // one value after another: nothing is computed again
    Unknown,  // other values, and the same again perhaps
};

// What one stage requests or computes of one buffer.
struct BufferUse {
    std::size_t stage = 0;
    std::vector<BoundsLevel> levels;  // from 0 to all of its loops fixed
};

struct BufferBounds {
    ir::Buffer buffer = nullptr;
    bool is_param = false;
    std::vector<StageLoop> around;  // the allocation
    std::vector<BufferUse> consumers, producers;
    // Loops that all its producers and consumers share.
    std::vector<StageLoop> shared;
    // In one iteration of the shared loops.
    std::optional<KnownRegion> needed, computed;
    // In all: computed cells are counted once for each iteration of the shared loops.
    std::optional<KnownRegion> needed_in_all, computed_in_all;
    std::optional<KnownRegion> computed_once;  // of computed_in_all, each cell of a buffer once
    // Of others than Same, the number of cells says nothing about what is computed again.
    Repeats repeats = Repeats::Same;
    // Of what is needed in all, what outputs of the function ask for, where that is less.
    std::optional<KnownRegion> asked;
    // While one allocation lives.
    std::optional<KnownRegion> stored;
    CellCount allocated;
};

// Iterations of a stage's loops, and those in which it does something.
struct StageRuns {
    CellCount iterations, runs;
};

struct Bounds {
    StageMap map;
    std::vector<StageRuns> runs;  // one a stage
    std::vector<BufferBounds> buffers;
};

// `sizes`: values of parameters, put in before anything is read. `f` must outlive the answer.
Bounds infer_bounds(ir::Context& ctx, const ir::Function& f, const ir::Substitution& sizes);

}  // namespace proviso::analysis
