// The list of all statement rules, in the order in which documentation shows them.
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

const std::vector<const Rule*>& all_rules() {
    static const std::vector<const Rule*> rules = {&replace_rule(),       &drop_store_rule(),
                                                   &drop_empty_rule(),    &drop_guard_rule(),
                                                   &add_guard_rule(),     &merge_guards_rule(),
                                                   &merge_stores_rule(),  &hoist_rule(),
                                                   &decide_branch_rule(), &split_reduction_rule(),
                                                   &split_rule(),         &split_range_rule(),
                                                   &trim_loop_rule(),     &shift_loop_rule(),
                                                   &reverse_loop_rule(),  &fuse_rule(),
                                                   &reorder_rule(),       &merge_loops_rule(),
                                                   &fission_rule(),       &compute_at_rule(),
                                                   &unroll_rule(),        &bind_rule(),
                                                   &vectorize_rule(),     &sync_rule(),
                                                   &relayout_rule(),      &flatten_rule(),
                                                   &stage_read_rule(),    &stage_write_rule(),
                                                   &stage_partial_rule(), &share_buffer_rule(),
                                                   &outline_rule(),       &add_assume_rule(),
                                                   &drop_assume_rule(),   &check_assume_rule(),
                                                   &guard_inside_rule(),  &join_block_rule(),
                                                   &rename_block_rule(),  &split_init_rule(),
                                                   &lower_block_rule(),   &lower_undef_rule(),
                                                   &lower_assume_rule(),  &lower_division_rule(),
                                                   &restate_rule()};
    return rules;
}

const Rule* find_rule(const std::string& name) {
    for (const Rule* rule : all_rules()) {
        if (rule->name() == name) return rule;
    }
    return nullptr;
}

}  // namespace proviso::rewrite
