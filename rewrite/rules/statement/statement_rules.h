// The statement rules, one file each. The comment at the top of a rule's file states its shape, its
// obligations, and why they are sufficient; docs/rules.md is made from the same text.
#pragma once

#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

const Rule& replace_rule();
const Rule& drop_store_rule();
const Rule& drop_empty_rule();
const Rule& drop_guard_rule();
const Rule& add_guard_rule();
const Rule& merge_guards_rule();
const Rule& merge_stores_rule();
const Rule& hoist_rule();
const Rule& decide_branch_rule();
const Rule& split_reduction_rule();
const Rule& split_rule();
const Rule& fuse_rule();
const Rule& reorder_rule();
const Rule& trim_loop_rule();
const Rule& split_range_rule();
const Rule& shift_loop_rule();
const Rule& reverse_loop_rule();
const Rule& unroll_rule();
const Rule& merge_loops_rule();
const Rule& fission_rule();
const Rule& compute_at_rule();
const Rule& bind_rule();
const Rule& vectorize_rule();
const Rule& sync_rule();
const Rule& relayout_rule();
const Rule& flatten_rule();
const Rule& stage_read_rule();
const Rule& stage_write_rule();
const Rule& stage_partial_rule();
const Rule& share_buffer_rule();
const Rule& outline_rule();
const Rule& add_assume_rule();
const Rule& drop_assume_rule();
const Rule& check_assume_rule();
const Rule& guard_inside_rule();
const Rule& join_block_rule();
const Rule& rename_block_rule();
const Rule& split_init_rule();
const Rule& lower_block_rule();
const Rule& lower_undef_rule();
const Rule& lower_assume_rule();
const Rule& lower_division_rule();
const Rule& restate_rule();

}  // namespace proviso::rewrite
