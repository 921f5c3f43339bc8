// Schedule primitives: each a short composition of kernel steps, named and argued as in TVM's
// schedules. A primitive that cannot be justified is refused and leaves the program as it was.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

// Why a primitive was refused: the user's mistake, or a step that could not be justified.
struct Refusal {
    Diagnostic diagnostic;  // with the place in the schedule, once the reader has set it
    std::optional<Rejection> rejection;  // the step, its failed obligation and counterexample
};

// What a primitive gives: nothing, blocks or loops by name.
using Names = std::vector<std::string>;
using Outcome = std::variant<Names, Refusal>;

// An assumption over what is in scope somewhere, for all values of further variables that index
// buffers in it.
struct Exported {
    std::vector<ir::Expr> for_all;
    ir::Expr condition = nullptr;
};

// A block or a loop, by name.
struct BlockOrLoop {
    bool is_loop = false;
    std::string name;
};

class Primitives {
  public:
    explicit Primitives(Proposer& proposer) : p_(proposer) {}

    Outcome get_block(const std::string& name);
    Outcome get_loops(const std::string& block);
    // How many of these stand in the innermost block around it.
    std::size_t loops_within(const std::string& block) const;
    // Blocks in a block or a loop, in no other one there; those that compute what a block reads or
    // read what it computes, in the same block; those that store to memory from outside of a block.
    // "root" is the function.
    Outcome get_child_blocks(const BlockOrLoop& at);
    Outcome get_producers(const std::string& block);
    Outcome get_consumers(const std::string& block);
    Outcome get_output_blocks(const std::string& scope);
    bool is_root(const std::string& block) const;
    // What a block or a loop is annotated with, which means nothing.
    Outcome annotate(const BlockOrLoop& at, const std::string& key, ir::AttrValue value);
    Outcome unannotate(const BlockOrLoop& at, const std::string& key);
    // TVM's annotation of the block that computes a buffer: strides of `axis` are k * factor +
    // offset.
    Outcome storage_align(const std::string& block, ir::Buffer buffer, std::int64_t axis,
                          std::int64_t factor, std::int64_t offset);
    // A loop of one iteration around a block or a loop. Gives it.
    Outcome add_unit_loop(const BlockOrLoop& at);
    Outcome reorder_block_iter_var(const std::string& block,
                                   const std::vector<std::int64_t>& order);
    Outcome rename_block(const std::string& block, const std::string& name);
    // The nest in a loop as a block of a block. Gives the outer one.
    Outcome blockize(const std::string& loop);
    // The iterators of a block, and the loops that they are, as `map` of the old ones.
    Outcome transform_block_layout(const std::string& block, const std::vector<ir::Expr>& vars,
                                   const std::vector<ir::Expr>& map);
    // A buffer of the function in memory of another scope.
    Outcome set_scope(const std::string& block, ir::Buffer buffer, const std::string& scope);
    // cache_read or cache_write, in a layout over the block's iterators; and that of the iterators
    // which the access names.
    Outcome reindex_cache(const std::string& block, ir::Buffer buffer, bool write,
                          const std::string& scope, const std::vector<ir::Expr>& vars,
                          const std::vector<ir::Expr>& map);
    Outcome reindex(const std::string& block, ir::Buffer buffer, bool write);
    // What the block computes to index buffers, in tables that are filled before its stage: all of
    // it, or what stands at `threshold` places or more. Gives the blocks that fill.
    Outcome cache_index(const std::string& block, const std::string& scope, std::int64_t threshold);
    // A buffer that the block's stage reads and writes, copied in before the stage, updated in the
    // copy, and copied out after it. Gives both blocks that copy.
    Outcome cache_inplace(const std::string& block, ir::Buffer buffer, const std::string& scope);
    // A region of a buffer, half-open in each dimension and over the block's iterators, that covers
    // what the block reads of it, or writes. It is proved, and annotated.
    using Region = std::vector<std::pair<ir::Expr, ir::Expr>>;
    Outcome annotate_buffer_access(const std::string& block, ir::Buffer buffer, bool written,
                                   const Region& region);
    // A buffer of the function, which the block computes by one store, as one of another type that
    // holds each of its values.
    Outcome set_dtype(const std::string& block, ir::Buffer buffer, ir::ScalarType type);
    // Factors from outermost to innermost; at most one is absent and inferred. Gives the new loops.
    // They are called as `names` says, or loop_0, loop_1, ….
    Outcome split(const std::string& loop, const std::vector<std::optional<std::int64_t>>& factors,
                  const std::vector<std::string>& names = {});
    Outcome fuse(const std::vector<std::string>& loops);
    Outcome reorder(const std::vector<std::string>& loops);

    // The buffer that a block accesses, by name; null when it accesses none of that name.
    ir::Buffer accessed_buffer(const std::string& block, const std::string& buffer) const;
    // The names of all that it accesses, those that it stores to first.
    std::vector<std::string> accessed_buffers(const std::string& block) const;
    // The `index`-th buffer that a block loads / stores, in order of first occurrence.
    ir::Buffer buffer_by_index(const std::string& block, bool store, std::size_t index) const;

    enum class Pad : std::uint8_t { None, Undef, Value };
    struct LayoutRequest {
        std::string block;
        ir::Buffer buffer = nullptr;
        std::vector<ir::Expr> vars;
        std::vector<ir::Expr> map;
        std::vector<ir::Expr> pad_vars;  // physical index names of a padding function; may be empty
        Pad pad = Pad::None;
        ir::Expr pad_value = nullptr;  // may load the buffer: padding repeats a cell
        bool padding_after = false;    // in loops of its own, also where a select would do
        bool exact = false;            // the caller provides that value bit for bit: floats
    };
    // Says in `note()` how the padding is dealt with.
    Outcome transform_layout(const LayoutRequest& request);
    // What the block computes, in place of each load of its result; the block goes.
    Outcome compute_inline(const std::string& block);
    // The block in the place of the only one that computes what it reads.
    Outcome reverse_compute_inline(const std::string& block);
    // The block's stage in the iterations of a loop further on that read its result: each cell in
    // each that reads it, or, after store_at, in the first. `unit_loops`: loops of one iteration
    // stay. `index`: the place in the loop's body; -1: before what reads the result; -2: first.
    Outcome compute_at(const std::string& block, const std::string& loop, bool unit_loops,
                       std::int64_t index);
    // What the block computes is kept in each iteration of the loop, and computed there until
    // compute_at places it further in; empty: where it is kept now.
    Outcome store_at(const std::string& block, const std::string& loop);
    // The block's stage in the iterations of a loop further up that compute what it reads.
    Outcome reverse_compute_at(const std::string& block, const std::string& loop, bool unit_loops);
    // `consumers`: blocks that read the copy; none are given: all that can.
    Outcome cache_read(const std::string& block, ir::Buffer buffer, const std::string& scope,
                       std::optional<std::vector<std::string>> consumers = std::nullopt);
    // A copy, in each iteration of the loop, of the part of the buffer that its body reads. Gives
    // the block that copies.
    Outcome read_at(const std::string& loop, const std::string& block, ir::Buffer buffer,
                    const std::string& scope);
    Outcome cache_write(const std::string& block, ir::Buffer buffer, const std::string& scope);
    // What each iteration of the loop writes of the buffer, in a buffer of its own that is copied
    // back at the iteration's end. Gives the block that copies.
    Outcome write_at(const std::string& loop, const std::string& block, ir::Buffer buffer,
                     const std::string& scope);
    Outcome sequential_buffer_access(const std::string& block, ir::Buffer buffer);
    // The initialisation of a reduction in loops of its own, before one of the loops around the
    // block. Gives the new block.
    Outcome decompose_reduction(const std::string& block, const std::string& loop);
    // A reduction in two, over one of its loops: partial results in a new buffer, in which the loop
    // is dimension `factor_axis`, and the result of these. Gives the block of the partial results.
    Outcome rfactor(const std::string& loop, std::int64_t factor_axis);
    // A block that stores a cell or, out of range, a constant: the constant everywhere in loops of
    // its own before `loop`, one of those around the block; and what is in range. Gives the block
    // that stores the constant.
    Outcome decompose_padding(const std::string& block, const std::string& loop);
    // A sum of products whose loops count to multiples of these numbers, one for each iterator,
    // over buffers of its own that are padded with zeros.
    Outcome pad_einsum(const std::string& block, const std::vector<std::int64_t>& padding);
    // What a later block makes of the result of a reduction, by adding to it, as the value that the
    // reduction starts from. The later block goes.
    Outcome fuse_reduction_epilogue(const std::string& reduction, const std::string& epilogue);
    // The buffer as a ring of so many cells as iterations of a loop use at a time.
    Outcome rolling_buffer(const std::string& block, ir::Buffer buffer);
    // The nest in a loop, or in a block, as the implementation of an intrinsic that does the same
    // as its description, to which the nest is equal but for names and parts of buffers.
    Outcome tensorize(const BlockOrLoop& target, const std::string& intrinsic,
                      const ir::Function& description, const ir::Function& implementation);
    // `partial`: what can be removed is, and `note()` says which guards stay.
    Outcome remove_branching(const std::string& block, bool partial = false);

    // Adjacent loops, or nests of them, as one; without names, every adjacent pair that may be. Of
    // loops that are named, one whose range differs by a shift counts as the first one. Gives the
    // merged loop.
    Outcome merge_adjacent_loops(const std::vector<std::string>& loops);
    // Loops in different nests, each the only statement of the one around it, as one; and the loops
    // around them. Gives the merged loop.
    Outcome merge(const std::vector<std::string>& loops);
    // The first `count` statements of the loop's body, then the others. Gives both loops.
    Outcome fission(const std::string& loop, std::int64_t count);
    Outcome unroll(const std::string& loop, bool copies);
    // To the axis `thread` of a GPU ("blockIdx.x"); empty: a parallel loop of the CPU. What is
    // allocated outside, and carries nothing from one iteration to the next, goes into the loop.
    Outcome bind(const std::string& loop, const std::string& thread);
    // Iterations as lanes: 2 or 4 that access memory together, or, where not `wide`, any that share
    // nothing.
    Outcome vectorize(const std::string& loop, bool wide = false);
    // Parts of `factors` iterations each (the last one open), or at the points where `hint`, a
    // condition over `var`, changes; with neither, where the guards in the loop change. Gives the
    // parts.
    Outcome partition(const std::string& loop, std::vector<std::optional<std::int64_t>> factors);
    Outcome partition(const std::string& loop, ir::Expr var, ir::Expr hint);
    Outcome partition(const std::string& loop);
    Outcome remove_overcompute(const std::string& block);
    // An assumption before the statement at `site`, over the loops around it, and for all values of
    // `variables` that index buffers in it. Refused where it is not proved.
    Outcome assume(const ir::Site& site, const std::vector<ir::Expr>& variables, ir::Expr written);
    // The block's stage as a function `name` of its own, which begins with the assumptions in
    // `exported`, each proved where the stage stands. Refused where one is not proved, and where
    // the stage cannot stand alone.
    Outcome outline(const std::string& block, const std::string& name,
                    const std::vector<Exported>& exported);
    // Steps of that function, as one of this function: {"rule", "site", "args"} each.
    Outcome rewrite_outlined(const std::string& name, const nlohmann::json& steps);
    // Refused where an assumption can never hold.
    Outcome lower_assume(const std::string& block, bool check);

    // What the last primitive chose, in words; empty for those that have no choice. Asking clears
    // it.
    std::string take_note() { return std::exchange(note_, std::string()); }
    void note(std::string text) { note_ = std::move(text); }

    Proposer& proposer() { return p_; }
    // That there is no such loop, and which there are; likewise of blocks.
    Diagnostic no_loop(const std::string& loop) const;
    Diagnostic no_block(const std::string& block) const;
    // The variable of a loop; null when there is none of that name.
    ir::Expr loop_variable(const std::string& loop) const;

  private:
    std::optional<ir::Site> site_of(const BlockOrLoop& at) const;
    std::optional<ir::Site> inside(const BlockOrLoop& at) const;
    Outcome annotated(const BlockOrLoop& at, const std::function<void(ir::Annotations&)>& change);
    Outcome related_blocks(const std::string& block, bool producers);
    Outcome refuse(std::string message, std::string hint = {});
    Outcome refuse(Rejection rejection);
    // One step; a refusal rolls the derivation back to `start`.
    std::optional<Refusal> step(const std::string& rule, const ir::Site& site,
                                const nlohmann::json& args);
    bool is_taken(const std::string& name) const;
    std::string fresh(const std::string& base);
    // Of a block: blocks and buffers may share a name, as in TVM, where what copies a buffer is
    // called as the copy is.
    std::string fresh_block(const std::string& base) const;
    // Of a loop that a block may stand in: the block's iterator, "v_" and the name, is free as
    // well.
    std::string fresh_loop(const std::string& base);
    std::optional<Refusal> split_once(const std::string& loop, std::int64_t factor,
                                      const std::string& outer, const std::string& inner);
    ir::Stmt block_statement(const std::string& block) const;
    // Arguments of stage-read or stage-write for the part of the buffer that one iteration of the
    // loop uses; the note says how large it is. `cell`: of the buffer, over the copy's loops. Where
    // indices are clamped, a second element starts elsewhere: at the clamped start of the part.
    std::variant<std::vector<nlohmann::json>, Refusal> tile_arguments(
        const std::string& loop, const std::string& block, ir::Buffer buffer,
        const std::string& scope, bool writes, std::vector<ir::Expr>& cell);
    // The whole buffer, copied before the statement at `where`, or before all of these stages,
    // which read the copy: the block that copies. Nothing has changed where there is none; `why`
    // not.
    std::optional<std::string> copy_in_front(ir::Buffer buffer, const std::string& scope,
                                             const ir::Site& where, std::optional<Rejection>& why);
    std::optional<std::string> copy_before(const std::vector<ir::Site>& stages, ir::Buffer buffer,
                                           const std::string& scope, std::optional<Rejection>& why);
    // Likewise of the statement at `site`, in that loop. `copy`: what else is known of it; `whole`:
    // of dimensions whose part is not known, all.
    std::variant<std::vector<nlohmann::json>, Refusal> part_arguments(
        const ir::Site& site, const std::string& loop, ir::Buffer buffer,
        const nlohmann::json& copy, bool writes, bool whole, std::vector<ir::Expr>& cell);
    // The refusal of a copy to read, with advice where the statement stores to the buffer.
    Outcome no_copy(Rejection why, ir::Buffer buffer);
    // Arguments of stage-write for the whole buffer, through one that is named after `base`.
    nlohmann::json whole_copy(ir::Buffer buffer, const std::string& base, const std::string& scope,
                              std::vector<ir::Expr>& cell);
    // stage-write at `stage` with `args`, and the witnesses that it needs: `cell` is over the
    // loops that copy back. `where`: the stage, in words.
    Outcome write_through(nlohmann::json args, ir::Buffer buffer, const std::vector<ir::Expr>& cell,
                          const ir::Site& stage, const std::string& where);
    // A buffer allocated outside of the loop that carries nothing from one iteration to the next:
    // one for each iteration. Refused, and nothing has changed, where it is no such buffer.
    std::optional<Refusal> own_temporary(const std::string& loop, ir::Buffer buffer);
    // compute_at or its reverse; `index` is that of compute_at.
    Outcome place(const std::string& block, const std::string& loop, bool unit_loops,
                  std::int64_t index, bool reverse);
    struct Placing;
    // By the cells of that buffer.
    Outcome place_by(const Placing& at, ir::Buffer buffer);
    // The stage of a block that computes a buffer by one store, in each iteration of the loop that
    // reads cells of the buffer: all of these, in a buffer of the iteration's own.
    Outcome recompute(const std::string& block, const std::string& loop, ir::Buffer buffer,
                      bool unit_loops, std::int64_t index);
    // Loops of one iteration among those go.
    void drop_unit_loops(const std::vector<std::string>& loops);
    // The rule bind, with `args`, once each iteration has its own of such buffers where it races on
    // them.
    Outcome bind_with_temporaries(const std::string& loop, const nlohmann::json& args);
    // What `work` does, with these loops, which are bound to threads, serial meanwhile. Null, and
    // nothing has changed: they cannot be made serial.
    std::optional<Outcome> without_threads(const std::vector<std::string>& loops,
                                           const std::function<Outcome()>& work);
    // transform_layout with the padding in the nest that writes the data; false: not possible, and
    // nothing has changed.
    bool layout_with_select(const LayoutRequest& request, const nlohmann::json& args);
    // More cells for a buffer that the block `writer` alone stores to, with that value in the new
    // ones; null: nothing in particular.
    bool pad_buffer(ir::Buffer buffer, const std::string& writer,
                    const std::vector<ir::Expr>& shape, ir::Expr value,
                    std::optional<Rejection>& why);
    // The block's nest and the nest over padding after it as one, storing a choice.
    bool choose_in_one_nest(const std::string& block, std::size_t rank);
    // sequential_buffer_access for a nest with nothing in it but the block; may leave steps behind
    // when it is refused.
    Outcome walk_in_order(const std::string& block, ir::Buffer buffer);
    // Reverses the loops that walk an axis of the buffer from its end.
    std::optional<Refusal> walk_forwards(const std::string& block, ir::Buffer buffer);
    // An index that the layout splits into digits, the loop that is to walk it, and its end.
    struct WalkAxis {
        ir::Expr base = nullptr;
        ir::Expr loop = nullptr;
        ir::Expr top = nullptr;
    };
    std::variant<std::string, Refusal> aligned_loop(const std::string& block, const WalkAxis& axis);
    // Takes initialisations out that the removal of a guard would move; false: there is none, or it
    // cannot be taken out, and nothing has changed.
    bool take_inits_out(const std::vector<Rejection>& refused);
    // The pass, and, where it stops at an initialisation, once more without it in the way.
    // `partial`: not where that removes no more.
    PassResult remove_guards(const std::string& block, bool partial);
    // The block alone in its loops: an initialisation and whatever else is there in loops of their
    // own.
    std::optional<Refusal> separate_from_rest(const std::string& block);
    // The initialisation of a reduction as a block of its own, just before. Gives its name.
    std::variant<std::string, Refusal> split_init(const std::string& block);
    // The k-th loop around the block (0: the outermost) taken apart: what stands in it before and
    // after the block, in loops of their own.
    std::optional<Refusal> part_loop(const std::string& block, std::size_t k);
    // The block of an initialisation, alone in the loops inside of that one, to the start of an
    // iteration and then into a loop of its own before it; all else stays where it is.
    std::optional<Refusal> init_first(const std::string& init, std::size_t k);

    Proposer& p_;
    std::set<std::string> reserved_;              // names given out in the primitive at work
    std::map<std::string, std::size_t> layouts_;  // that a buffer has been given
    std::set<std::string> stored_;                // blocks whose result has a place (store_at)
    std::set<std::string> root_annotations_;      // keys
    std::string note_;
};

}  // namespace proviso::rewrite
