#include "rewrite/schedule/reader/signatures.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace proviso::rewrite {

const std::vector<Signature>& signatures() {
    static const std::vector<Signature> table = {
        {"add_unit_loop", "block_or_loop", "add_unit_loop(loop)"},
        {"annotate", "block_or_loop ann_key ann_val", "annotate(loop, \"KEY\", 1)"},
        {"annotate_buffer_access", "block buffer_index buf_type gen_new_ranges",
         "annotate_buffer_access(block, 0, \"read\", lambda vi: ((vi - 1, vi + 2),))"},
        {"assume", "at condition", "assume(block, lambda i: i < 8)"},
        {"bind", "loop thread_axis", "bind(loop, \"threadIdx.x\")"},
        {"blockize", "target preserve_unit_iters", "blockize(loop)"},
        {"cache_index", "block storage_scope cse_thresh", "cache_index(block, \"global\")"},
        {"cache_inplace", "block read_buffer_index storage_scope",
         "cache_inplace(block, 0, \"local\")"},
        {"cache_read", "block read_buffer_index storage_scope consumer_blocks",
         "cache_read(block, \"A\", \"local\")"},
        {"cache_write", "block write_buffer_index storage_scope consumer_blocks",
         "cache_write(block, \"B\", \"local\")"},
        {"can_decompose_padding", "block loop", "can_decompose_padding(block, loop)", true},
        {"compute_at", "block loop preserve_unit_loops index", "compute_at(block, loop)"},
        {"compute_inline", "block", "compute_inline(block)"},
        {"decompose_padding", "block loop", "decompose_padding(block, loop)"},
        {"decompose_reduction", "block loop", "decompose_reduction(block, loop)"},
        {"enter_postproc", "", "enter_postproc()", true},
        {"fission", "loop at", "fission(loop, 1)"},
        {"fork_seed", "", "fork_seed()", true},
        {"fuse", "...preserve_unit_iters", "fuse(outer_loop, inner_loop)"},
        {"fuse_reduction_epilogue", "reduction_block epilogue_block",
         "fuse_reduction_epilogue(sum, add)"},
        {"get", "rand_var_or_sref", "get(loop)", true},
        {"get_block", "name func_name", "get_block(\"NAME\")", true},
        {"get_child_blocks", "block_or_loop", "get_child_blocks(block)", true},
        {"get_consumers", "block", "get_consumers(block)", true},
        {"get_loops", "block count", "get_loops(block)", true},
        {"get_output_blocks", "scope_block", "get_output_blocks(\"root\")", true},
        {"get_producers", "block", "get_producers(block)", true},
        {"get_sblock", "name func_name", "get_sblock(\"NAME\")", true},
        {"hoist_expression", "block conditionals let_bindings",
         "hoist_expression(block, conditionals=[\"IfElseStmt\"])"},
        {"inside", "loop", "inside(loop)", true},
        {"like", "block other", "like(block, \"OTHER\")"},
        {"loop", "name", "loop(\"i\")", true},
        {"loop_partition", "loop factors hint block preserve_unit_iters",
         "loop_partition(loop, factors=[2, None])"},
        {"lower_assume", "block mode", "lower_assume(block, mode=\"drop\")"},
        {"merge", "...", "merge(first_loop, next_loop)"},
        {"merge_adjacent_loops", "...", "merge_adjacent_loops(first_loop, next_loop)"},
        {"outline", "block name assume", "outline(block, \"NAME\")"},
        {"pad_einsum", "block padding", "pad_einsum(block, [1, 16, 16])"},
        {"parallel", "loop", "parallel(loop)"},
        {"read_at", "loop block read_buffer_index storage_scope",
         "read_at(loop, block, \"A\", \"shared\")"},
        {"reduce_loop_extents", "block", "reduce_loop_extents(block)"},
        {"reindex", "block buffer", "reindex(block, (\"read\", 0))"},
        {"reindex_cache_read", "block read_buffer_index storage_scope index_map",
         "reindex_cache_read(block, 0, \"shared\", lambda i, j: (j, i))"},
        {"reindex_cache_write", "block write_buffer_index storage_scope index_map",
         "reindex_cache_write(block, 0, \"shared\", lambda i, j: (j, i))"},
        {"remove_branching_through_overcompute", "block partial",
         "remove_branching_through_overcompute(block, partial=False)"},
        {"remove_no_op", "block", "remove_no_op(block)"},
        {"remove_overcompute_through_branching", "block",
         "remove_overcompute_through_branching(block)"},
        {"remove_rv", "rv", "remove_rv(loop)", true},
        {"reorder", "...", "reorder(inner_loop, outer_loop)"},
        {"reorder_block_iter_var", "block new_order", "reorder_block_iter_var(block, [1, 0])"},
        {"reverse_compute_at", "block loop preserve_unit_loops index",
         "reverse_compute_at(block, loop)"},
        {"reverse_compute_inline", "block", "reverse_compute_inline(block)"},
        {"rolling_buffer", "block write_buffer_index", "rolling_buffer(block, 0)"},
        {"sample_categorical", "candidates probs decision",
         "sample_categorical([4, 8], [0.5, 0.5], decision=1)", true},
        {"sample_compute_location", "block decision", "sample_compute_location(block, decision=0)",
         true},
        {"sample_partitioned_tile", "loop n partition_pos innerpart_factor decision",
         "sample_partitioned_tile(loop, n=2, partition_pos=1, innerpart_factor=2, "
         "decision=[4, 8])",
         true},
        {"sample_perfect_tile", "loop n max_innermost_factor decision",
         "sample_perfect_tile(loop, n=2, decision=[4, 8])", true},
        {"seed", "seed", "seed(1)", true},
        {"sequential_buffer_access", "block buffer", "sequential_buffer_access(block, \"A\")"},
        {"rfactor", "loop factor_axis", "rfactor(loop, 0)"},
        {"set_scope", "block buffer_index storage_scope", "set_scope(block, 0, \"shared\")"},
        {"set_dtype", "block buffer_index dtype", "set_dtype(block, 0, \"int8\")"},
        {"show", "...", "show()", true},
        {"simplify", "block", "simplify(block)"},
        {"split", "loop factors preserve_unit_iters disable_predication names",
         "split(loop, factors=[None, 8])"},
        {"store_at", "block loop", "store_at(block, loop)"},
        {"storage_align", "block buffer_index axis factor offset",
         "storage_align(block, 0, axis=0, factor=32, offset=8)"},
        {"tensorize", "block_or_loop tensor_intrin preserve_unit_iters",
         "tensorize(loop, \"dot4\")"},
        {"trace", "", "trace()", true},
        {"transform_block_layout", "block index_map",
         "transform_block_layout(block, lambda i, j: (i * 8 + j,))"},
        {"transform_layout",
         "block buffer index_map pad_value plan exact assume_injective_transform",
         "transform_layout(block, \"A\", lambda i: [i // 8, i % 8], pad_value=0.0)"},
        {"unannotate", "block_or_loop ann_key", "unannotate(loop, \"KEY\")"},
        {"unroll", "loop copies", "unroll(loop)"},
        {"unsafe_set_dtype", "block buffer_index dtype", "unsafe_set_dtype(block, 0, \"int8\")"},
        {"vectorize", "loop wide", "vectorize(loop)"},
        {"work_on", "func_name", "work_on(\"NAME\")", true},
        {"write_at", "loop block write_buffer_index storage_scope",
         "write_at(loop, block, \"C\", \"local\")"},
    };
    return table;
}

const Signature* find_signature(std::string_view name) {
    for (const Signature& s : signatures()) {
        if (s.name == name) return &s;
    }
    return nullptr;
}

std::vector<std::string> primitive_names() {
    std::vector<std::string> out;
    for (const Signature& s : signatures()) out.emplace_back(s.name);
    std::sort(out.begin(), out.end());
    return out;
}

std::string primitive_list() {
    std::string out;
    for (const std::string& name : primitive_names()) out += (out.empty() ? "" : ", ") + name;
    return "there are: " + out;
}

std::string composition_for(std::string_view name) {
    static const std::map<std::string_view, std::string_view> table = {
        {"cache_clone", "sch.cache_read(block, 0, scope, consumer_blocks=[…])"},
        {"copy",
         "a schedule has one program: write two schedules, and lower the program with each; "
         "print(sch.mod) shows it as it stands"},
        {"compute_root", "leave it out: a stage stays where it is until sch.compute_at moves it"},
        {"compute_with",
         "sch.like(block, \"OTHER\") for the same loops, then "
         "sch.merge_adjacent_loops(first_loop, next_loop)"},
        {"double_buffer", "sch.annotate(loop, \"software_pipeline_stage\", …) for other compilers"},
        {"fuse_loops",
         "sch.merge_adjacent_loops(first_loop, next_loop), or sch.fuse(outer, inner)"},
        {"gpu_tile",
         "sch.split and sch.reorder, then sch.bind(loop, \"blockIdx.x\"); from matmul "
         "import gpu_matmul has one"},
        {"inline", "sch.compute_inline(block)"},
        {"pad", "sch.pad_einsum(block, [1, 16, 16]), or sch.transform_layout(…, pad_value=0.0)"},
        {"peel", "sch.loop_partition(loop, factors=[1, None])"},
        {"pragma", "sch.annotate(loop, \"KEY\", value)"},
        {"prefetch", "sch.read_at(loop, block, buffer, scope)"},
        {"set_axis_separator", "sch.transform_layout(block, buffer, lambda i, j: [i * n + j])"},
        {"store_root", "sch.store_at(block) keeps the result where it is"},
        {"strip_mine", "sch.split(loop, factors=[None, 8])"},
        {"tile",
         "from tiles import tile at the beginning of the file, then tile(sch, block, size=8)"},
        {"unroll_and_jam",
         "sch.split, sch.reorder with the short loop inside, then sch.unroll(loop)"},
        {"unsafe_hide_buffer_access",
         "what a block accesses is computed from its body: leave it out"},
    };
    const auto found = table.find(name);
    return found == table.end() ? "" : std::string(found->second);
}

std::string what_it_takes(std::string_view name) {
    static const std::map<std::string_view, std::string_view> table = {
        {"add_unit_loop", "a block, or a serial loop"},
        {"annotate", "a block, or a loop"},
        {"bind",
         "a serial loop whose iterations touch different cells, in no loop of the same axis, with "
         "nothing in it that can stop"},
        {"blockize",
         "a loop around one block, each of whose iterators is a multiple of the tile from the "
         "loops around, and the rest from those inside"},
        {"cache_read",
         "a buffer that the stage does not store to, and all of whose cells may be read; "
         "sch.read_at copies a part"},
        {"cache_write",
         "a buffer that the stage stores to in every cell, on every run and before it reads it; "
         "sch.write_at copies a part"},
        {"compute_at",
         "a loop of a later stage in the same list, which reads what the block makes"},
        {"compute_inline",
         "a block with one store, to a buffer of T.alloc_buffer that it does not "
         "read itself"},
        {"decompose_padding",
         "a block that stores P[vi] = T.if_then_else(1 <= vi and vi < 9, X[vi - 1], 0.0), and one "
         "of the loops around it"},
        {"decompose_reduction", "a block with T.init(), and one of the loops around it"},
        {"fission",
         "a number of statements of the loop's body that nothing after them needs again"},
        {"fuse",
         "loops that stand directly in each other, the outermost first, whose bounds do "
         "not depend on each other"},
        {"fuse_reduction_epilogue",
         "a sum S[vi] = S[vi] + …, and the block D[vi] = S[vi] + C[vi] that alone reads it"},
        {"loop_partition", "a loop with guards that change in it, or parts that fit in it"},
        {"merge", "loops of one length in nests that follow each other"},
        {"merge_adjacent_loops", "loops of one length that follow each other"},
        {"pad_einsum",
         "a block with T.init() and C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj], "
         "with an iterator for each loop"},
        {"parallel",
         "a serial loop whose iterations touch different cells, with nothing in it "
         "that can stop"},
        {"read_at", "a loop that the block stands in, and that does not store to the buffer"},
        {"reindex",
         "a block that accesses the buffer at one place, and stores to it by iterators alone"},
        {"reindex_cache_read", "a block that reads the buffer at one place"},
        {"reindex_cache_write", "a block that stores to the buffer at one place"},
        {"reorder",
         "serial loops of one nest, with nothing else between them, whose bounds do "
         "not depend on each other"},
        {"reverse_compute_at",
         "a loop of an earlier stage in the same list, which makes what the block reads"},
        {"reverse_compute_inline", "a block that reads what one other block in a loop makes"},
        {"rfactor",
         "a loop from 0 to a constant that an iterator of a reduction is bound to; the block has "
         "T.init() with a constant, and adds terms to the cell that it initialises"},
        {"rolling_buffer",
         "a block in the loop that reads its result, where sch.store_at and sch.compute_at bring "
         "it, which makes each cell by one store"},
        {"sequential_buffer_access",
         "indices that are digits of one sum with a loop in it, such as i // 8 and i % 8"},
        {"set_scope", "a buffer of T.alloc_buffer all of whose cells are stored on every run"},
        {"split", "a serial loop, and factors whose product is its length: factors=[None, 8]"},
        {"store_at", "a loop of a later stage in the same list, which reads what the block makes"},
        {"tensorize", "a nest with the loops and the store of the intrinsic's description"},
        {"transform_block_layout",
         "a block with a loop for each iterator, and a map with an inverse and without gaps"},
        {"transform_layout", "a map with an inverse: two cells go to two places"},
        {"unroll", "a serial loop"},
        {"vectorize", "a serial loop whose iterations touch different cells"},
        {"write_at",
         "a loop that the block stands in, each of whose iterations stores to a part of the buffer "
         "in every cell"},
    };
    const auto found = table.find(name);
    const std::string page = "docs/schedules.md says when `" + std::string(name) + "` is refused";
    return found == table.end() ? page : "it takes " + std::string(found->second);
}

std::vector<std::string> argument_names(const Signature& s) {
    std::vector<std::string> out;
    const bool any = s.arguments.substr(0, 3) == "...";
    std::istringstream words{std::string(s.arguments.substr(any ? 3 : 0))};
    for (std::string word; words >> word;) out.push_back(word);
    return out;
}

}  // namespace proviso::rewrite
