#include "rewrite/schedule/trace/trace_kinds.h"

#include <algorithm>
#include <array>
#include <sstream>

namespace proviso::rewrite {

const std::vector<TraceKind>& trace_kinds() {
    using G = TraceKind::Gives;
    static const std::vector<TraceKind> table = {
        // TVM's. What stands last with `?` is an addition: TVM does not read it.
        {"GetBlock", "get_block", "", "name func_name?", G::One},
        {"GetBlock", "get_sblock", "", "name func_name?", G::One},
        {"GetLoops", "get_loops", "block", "", G::Several},
        {"GetChildBlocks", "get_child_blocks", "block_or_loop", "", G::Several},
        {"GetProducers", "get_producers", "block", "", G::Several},
        {"GetConsumers", "get_consumers", "block", "", G::Several},
        {"GetOutputBlocks", "get_output_blocks", "scope_block", "", G::Several},
        {"Split", "split", "loop factors*", "preserve_unit_iters=1 disable_predication=0 names?",
         G::Several},
        {"Fuse", "fuse", "loops*", "preserve_unit_iters=1", G::One},
        {"Merge", "merge", "loops*", "", G::One},
        {"Reorder", "reorder", "loops*", ""},
        {"LoopPartition", "loop_partition", "loop factors*", "preserve_unit_iters=1 hint?",
         G::Several},
        {"AddUnitLoop", "add_unit_loop", "block_or_loop", "", G::One},
        {"ReorderBlockIterVar", "reorder_block_iter_var", "block new_order", ""},
        {"Parallel", "parallel", "loop", ""},
        {"Vectorize", "vectorize", "loop", "wide?"},
        {"Unroll", "unroll", "loop", "copies?"},
        {"Bind", "bind", "loop", "thread_axis"},
        {"CacheRead", "cache_read", "block consumer_blocks=[]", "read_buffer_index storage_scope",
         G::One},
        {"CacheWrite", "cache_write", "block consumer_blocks=[]",
         "write_buffer_index storage_scope", G::One},
        {"ReindexCacheRead", "reindex_cache_read", "block index_map",
         "read_buffer_index storage_scope", G::One},
        {"ReindexCacheWrite", "reindex_cache_write", "block index_map",
         "write_buffer_index storage_scope", G::One},
        {"ReIndex", "reindex", "block", "buffer", G::One},
        {"ReadAt", "read_at", "loop block", "read_buffer_index storage_scope", G::One},
        {"WriteAt", "write_at", "loop block", "write_buffer_index storage_scope", G::One},
        {"ComputeAt", "compute_at", "block loop", "preserve_unit_loops=0 index=-1"},
        {"ReverseComputeAt", "reverse_compute_at", "block loop", "preserve_unit_loops=0 index=-1"},
        {"ComputeInline", "compute_inline", "block", ""},
        {"ReverseComputeInline", "reverse_compute_inline", "block", ""},
        {"DecomposeReduction", "decompose_reduction", "block loop", "", G::One},
        {"RFactor", "rfactor", "loop", "factor_axis", G::One},
        {"StorageAlign", "storage_align", "block", "buffer_index axis factor offset"},
        {"SetScope", "set_scope", "block", "buffer_index storage_scope"},
        {"Blockize", "blockize", "target", "preserve_unit_iters=1", G::One},
        {"Annotate", "annotate", "block_or_loop ann_val", "ann_key"},
        {"Unannotate", "unannotate", "block_or_loop", "ann_key"},
        {"TransformLayout", "transform_layout", "block",
         "buffer index_map pad_value=null assume_injective_transform=0 plan? exact?"},
        {"TransformLayout", "transform_layout", "block index_map",
         "buffer pad_value=null assume_injective_transform=0 plan? exact?"},
        {"TransformBlockLayout", "transform_block_layout", "block", "index_map"},
        {"Tensorize", "tensorize", "block_or_loop", "tensor_intrin preserve_unit_iters=1"},
        {"PadEinsum", "pad_einsum", "block", "padding"},
        {"DecomposePadding", "decompose_padding", "block loop", "", G::One},
        {"RollingBuffer", "rolling_buffer", "block", "write_buffer_index"},
        {"FuseReductionEpilogue", "fuse_reduction_epilogue", "reduction_block epilogue_block", ""},
        {"CacheIndex", "cache_index", "block", "storage_scope cse_thresh=0", G::Several},
        {"CacheInplace", "cache_inplace", "block", "read_buffer_index storage_scope", G::Several},
        {"AnnotateBufferAccess", "annotate_buffer_access",
         "block buffer_index buf_type gen_new_ranges", ""},
        {"UnsafeSetDType", "unsafe_set_dtype", "block", "buffer_index dtype"},
        {"UnsafeSetDType", "set_dtype", "block", "buffer_index dtype"},
        // TVM's that have no primitive.
        {"SetAxisSeparator", "set_axis_separator", "block", "buffer axis_separators"},
        {"UnsafeHideBufferAccess", "unsafe_hide_buffer_access", "block",
         "buf_type buf_index_array"},
        // Of this project.
        {"PartitionLoops", "loop_partition", "block?", ""},
        {"GetLoop", "loop", "", "name", G::One},
        {"Like", "like", "block other", "", G::Several},
        {"SequentialBufferAccess", "sequential_buffer_access", "block", "buffer"},
        {"StoreAt", "store_at", "block loop?", ""},
        {"RemoveBranchingThroughOvercompute", "remove_branching_through_overcompute", "block?",
         "partial?"},
        {"RemoveOvercomputeThroughBranching", "remove_overcompute_through_branching", "block?", ""},
        {"ReduceLoopExtents", "reduce_loop_extents", "block?", ""},
        {"HoistExpression", "hoist_expression", "block?", "conditionals? let_bindings?"},
        {"MergeAdjacentLoops", "merge_adjacent_loops", "loops*", "", G::Perhaps},
        {"Fission", "fission", "loop", "at", G::Several},
        {"Assume", "assume", "at", "condition"},
        {"LowerAssume", "lower_assume", "block?", "mode?"},
        {"RemoveNoOp", "remove_no_op", "block?", ""},
        {"Simplify", "simplify", "block?", ""},
        {"Outline", "outline", "block", "name assume?"},
        {"WorkOn", "work_on", "", "func_name"},
    };
    return table;
}

std::vector<TraceSlot> trace_slots(const char* text) {
    std::vector<TraceSlot> out;
    std::istringstream words{text};
    for (std::string word; words >> word;) {
        TraceSlot slot;
        const std::size_t given = word.find('=');
        slot.optional = given != std::string::npos || word.back() == '?';
        slot.rest = word.back() == '*';
        if (given != std::string::npos) {
            slot.fallback = word.substr(given + 1);
        }
        slot.name = word.substr(0, word.find_first_of("=?*"));
        out.push_back(std::move(slot));
    }
    return out;
}

std::string canonical_kind(std::string_view name) {
    std::string out(name);
    const std::size_t at = out.find("SBlock");
    if (at != std::string::npos) out.erase(at, 1);
    return out;
}

std::vector<std::string> trace_kind_names() {
    std::vector<std::string> out = {kSampleCategorical,
                                    kSamplePerfectTile,
                                    kSamplePartitionedTile,
                                    kSampleComputeLocation,
                                    kEnterPostproc,
                                    kEnterInside,
                                    kLeaveInside};
    for (const TraceKind& kind : trace_kinds()) {
        if (std::find(out.begin(), out.end(), kind.name) == out.end()) out.emplace_back(kind.name);
    }
    return out;
}

namespace {

template <std::size_t N>
bool is_one_of(std::string_view slot, const std::array<std::string_view, N>& names) {
    return std::find(names.begin(), names.end(), slot) != names.end();
}

}  // namespace

bool is_flag(std::string_view slot) {
    static constexpr std::array<std::string_view, 8> names = {"preserve_unit_iters",
                                                              "preserve_unit_loops",
                                                              "disable_predication",
                                                              "assume_injective_transform",
                                                              "wide",
                                                              "copies",
                                                              "partial",
                                                              "exact"};
    return is_one_of(slot, names);
}

bool is_expression(std::string_view slot) {
    static constexpr std::array<std::string_view, 6> names = {
        "index_map", "pad_value", "hint", "condition", "assume", "gen_new_ranges"};
    return is_one_of(slot, names);
}

bool is_variables(std::string_view slot) {
    return slot == "consumer_blocks";
}

}  // namespace proviso::rewrite
