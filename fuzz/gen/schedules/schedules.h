// Generated schedules: what a user might write for a program of blocks, right or not, as text.
#pragma once

#include <string>

#include "fuzz/gen/choice.h"
#include "ir/function.h"

namespace proviso::fuzz {

// Python calls on a schedule object, one a line: get_block, get_loops, split, fuse, reorder,
// transform_layout with all kinds of padding, composed now and then, cache_read, cache_write,
// sequential_buffer_access, remove_branching_through_overcompute and its reverse,
// reduce_loop_extents, loop_partition, hoist_expression, merge_adjacent_loops, fission, unroll,
// merge, calls about blocks (schedule_blocks.h), assume, lower_assume, parallel, bind, vectorize,
// read_at, write_at, decompose_reduction, rfactor, outline, simplify, remove_no_op; each option of
// each (schedule_options.h). Empty when the function has no block. A primitive may be refused; the
// schedule ends there.
std::string generate_schedule(const ir::Function& f, Choice& choice);

}  // namespace proviso::fuzz
