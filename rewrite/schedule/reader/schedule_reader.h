// The reader of a schedule at work: calls in their order, each as an attempt of a primitive.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/text/reader/python/python.h"
#include "rewrite/schedule/outlined_function.h"
#include "rewrite/schedule/reader/arguments.h"
#include "rewrite/schedule/reader/assumption_binder.h"
#include "rewrite/schedule/reader/interpreter/imports.h"
#include "rewrite/schedule/reader/loop_history.h"
#include "rewrite/schedule/reader/reader.h"
#include "rewrite/schedule/reader/signatures.h"
#include "rewrite/schedule/trace/trace_writer.h"

namespace proviso::rewrite {

class ScheduleReader {
  public:
    // The places of calls are those of `schedule`. `intrinsics`: what `tensorize` finds by name.
    ScheduleReader(Proposer& proposer, const LoadedSchedule& schedule,
                   const ScheduleProgress& progress, ir::Module intrinsics = {});
    ScheduleReport run();

  private:
    // A refusal: the schedule ends there.
    struct Stopped {};
    // A function of an imported file at work, the outermost.
    struct Composite {
        std::string name;
        int depth = 0;
        std::size_t steps = 0;
    };
    void composite(const std::string& function, const ir::python::Node& call, bool begins);

    using Method = Outcome (ScheduleReader::*)(const ir::python::Node&);
    struct Entry {
        Method method;
        Handle::Kind gives;
        bool list = false;  // of them, also where it is one
    };
    static const std::map<std::string, Entry>& methods();
    // That the name is that of the function that calls are about; TVM's "main" is any.
    void must_be_function(const ir::python::Node* name);
    // What the interpreter asks: a call on the schedule object, whose arguments are computed; an
    // attribute of a block or loop; how a value is printed; and that something is.
    ir::python::Node call(const ir::python::Node& node, const std::string& object,
                          std::size_t inside);
    ir::python::Node attribute(const ir::python::Node& handle, const ir::python::Node& name);
    // The conditions of branches and choices in a block or loop, and of blocks, as texts.
    ir::python::Node branches(const Handle& at, const ir::python::Node& name);
    std::string text(const ir::python::Node& value);
    // The number of a call's buffer among those that its block reads, or writes.
    std::optional<std::size_t> buffer_number(const ir::python::Node& call,
                                             const ir::python::Node& buffer, bool written);
    // Of the loops that get_loops has given those within the innermost block around the block; the
    // others are written to the trace as that block's.
    std::vector<ir::python::Node> loops_of_its_own(const ir::python::Node& call,
                                                   const std::vector<ir::python::Node>& loops);
    ir::python::Node without_arrow(const ir::python::Node& call, const std::string& object,
                                   std::size_t inside);
    // A call as its text, with the names of blocks and loops.
    std::string written(const ir::python::Node& call, std::size_t inside) const;
    void shown(const std::string& line, const ir::python::Node& node);

    // A block or a loop that a call names and that is not there.
    struct Gone {
        Refusal why;
    };

    // What calls on `s` see in `with sch.inside(loop) as s:` (inside.cpp).
    struct Inside {
        ir::python::Node loop;
        std::size_t outer = 0;  // the number of the object that `inside` was called on
        std::string called;     // that object
        bool open = true;
    };
    std::size_t enter(const ir::python::Node& call, const std::string& object, std::size_t inside);
    void leave(std::size_t inside) { insides_[inside - 1].open = false; }
    void begin_inside(const ir::python::Node& call, const Signature& known,
                      const std::string& object, std::size_t inside);
    // The loop that the call at work is limited to, and its body; empty, and everything.
    std::string limit();
    ir::Site limit_site();
    void must_be_inside(const std::string& what, const ir::Site& site);
    Refusal no_block_inside(const std::string& name);
    // Of blocks or loops those that the call at work sees.
    Outcome seen(Outcome all, bool loops);
    // The program, but for what the call at work may change.
    ir::Function beyond_limit();
    std::optional<Refusal> changed_outside(const ir::Function& before, const std::string& call);
    Outcome cache_inside(const std::string& block, ir::Buffer buffer, const std::string& scope,
                         const std::optional<std::vector<std::string>>& consumers, bool write);
    // What a pass is limited to: the scope of that block, or of all of them.
    std::string pass_scope(const std::string& block);
    // The loops that the object is inside of, outermost first.
    std::vector<ir::python::Node> loops_entered(std::size_t inside) const;
    void add_to_trace(const std::string& line, std::size_t inside);

    // Sites of the blocks and loops that a call names, where they are there.
    std::vector<ir::Site> named_in(const ir::python::Node& call, const Signature& known);
    // What a refusal is about, as lines of the program.
    std::string refused_at(const ir::python::Node& call, const Refusal& no);

    // Every mistake in the text of a call says what to write instead.
    Outcome attempt(const ir::python::Node& node, const Signature& known, Method method,
                    const std::string& usage);

    // The call has the form that its example has: that would be no advice.
    bool is_as_in_usage(const ir::python::Node& call, const Signature& known) const;

    void refused(const ir::python::Node& node, const std::string& primitive, Refusal no);

    // Blocks and loops that are there.
    std::string block(const ir::python::Node& node);
    std::string loop(const ir::python::Node& node);
    std::vector<std::string> loops(const ir::python::Node& call);
    std::string present(const Handle& loop);

    // The argument `block`, where it may be left out.
    std::string block_or_all(const ir::python::Node& call, std::size_t position = 0);

    // Of a line of the module: the file, where it is an imported one, and the line there.
    std::pair<std::string, int> file_and_line(int line) const;
    std::string line_of(int line) const;

    // What a call has done, with the steps since the last one that was reported. Steps of an
    // outlined function become one when that is closed.
    void report_done(ScheduleReport::Done done);

    std::size_t inner_steps();

    // Primitives (reader_primitives.cpp, reader_blocks.cpp): arguments are read, and the primitive
    // is called.
    Outcome get_block(const ir::python::Node& call);
    Outcome get_loops(const ir::python::Node& call);
    Outcome split(const ir::python::Node& call);
    Outcome fuse(const ir::python::Node& call);
    Outcome reorder(const ir::python::Node& call);
    Outcome transform_layout(const ir::python::Node& call);
    Outcome cache(const ir::python::Node& call, bool write);
    Outcome cache_read(const ir::python::Node& call);
    Outcome tile(const ir::python::Node& call, bool writes);
    Outcome read_at(const ir::python::Node& call);
    Outcome write_at(const ir::python::Node& call);
    Outcome cache_write(const ir::python::Node& call);
    Outcome sequential_buffer_access(const ir::python::Node& call);
    Outcome compute_at(const ir::python::Node& call);
    Outcome store_at(const ir::python::Node& call);
    Outcome reverse_compute_at(const ir::python::Node& call);
    Outcome compute_inline(const ir::python::Node& call);
    Outcome reverse_compute_inline(const ir::python::Node& call);
    Outcome decompose_padding(const ir::python::Node& call);
    // Whether that would be accepted: a value.
    Outcome can_decompose_padding(const ir::python::Node& call);
    // What TVM draws by chance, by the `decision` that is given (reader_samples.cpp); and calls
    // about chance and about values that mean nothing here.
    std::int64_t decision(const ir::python::Node& call, std::size_t position);
    Outcome sample_categorical(const ir::python::Node& call);
    Outcome sample_tile(const ir::python::Node& call, std::size_t position);
    Outcome sample_perfect_tile(const ir::python::Node& call);
    Outcome sample_partitioned_tile(const ir::python::Node& call);
    Outcome sample_compute_location(const ir::python::Node& call);
    Outcome seed(const ir::python::Node& call);
    Outcome fork_seed(const ir::python::Node& call);
    Outcome enter_postproc(const ir::python::Node& call);
    Outcome remove_rv(const ir::python::Node& call);
    Outcome pad_einsum(const ir::python::Node& call);
    Outcome fuse_reduction_epilogue(const ir::python::Node& call);
    Outcome rolling_buffer(const ir::python::Node& call);
    // A stage that compute_at has placed: `stored`, where its cells are kept; `rolled`, as a window
    // of them; `sum`: of a copy of them, each of which is summed up in a cell of its own.
    struct Placed {
        std::string block;
        std::string loop;
        bool unit_loops = false;
        std::int64_t index = -1;
        std::size_t before = 0;  // steps; and after it
        std::size_t after = 0;
        std::size_t buffer = 0;  // its number, where the stage is rolled
        bool stored = false;
        bool rolled = false;
        bool sum = false;
    };
    // It is one of the last that were placed, with nothing else between them.
    void placed(Placed stage);
    Outcome place_again(Placed& stage);
    // The stages from that one on once more, that one so that its cells are kept, and rolled.
    Outcome roll_placed(std::size_t number, std::size_t buffer);
    std::size_t steps();  // of the function that calls are about
    Outcome tensorize(const ir::python::Node& call);
    Outcome decompose_reduction(const ir::python::Node& call);
    Outcome rfactor(const ir::python::Node& call);
    Outcome remove_branching(const ir::python::Node& call);
    Outcome remove_overcompute(const ir::python::Node& call);
    Outcome reduce_loop_extents(const ir::python::Node& call);
    Outcome loop_partition(const ir::python::Node& call);
    Outcome hoist_expression(const ir::python::Node& call);
    Outcome merge_adjacent_loops(const ir::python::Node& call);
    Outcome fission(const ir::python::Node& call);
    Outcome unroll(const ir::python::Node& call);
    Outcome bind(const ir::python::Node& call);
    Outcome parallel(const ir::python::Node& call);
    Outcome vectorize(const ir::python::Node& call);
    Outcome lower_assume(const ir::python::Node& call);
    // A lambda over the loops around a block, or those and the loop; then what is for all indices.
    Outcome assume(const ir::python::Node& call);
    Outcome remove_no_op(const ir::python::Node& call);
    Outcome simplify_call(const ir::python::Node& call);
    Outcome outline(const ir::python::Node& call);
    // lambda p, q: …, over indices of buffers that the stage sees.
    Exported exported_assumption(const ir::python::Node& lambda, const std::string& block);
    Outcome work_on(const ir::python::Node& call);

    BlockOrLoop target(const ir::python::Node& node);
    Outcome merge(const ir::python::Node& call);
    Outcome get_child_blocks(const ir::python::Node& call);
    Outcome get_producers(const ir::python::Node& call);
    Outcome get_consumers(const ir::python::Node& call);
    Outcome get_output_blocks(const ir::python::Node& call);
    Outcome get(const ir::python::Node& call);
    Outcome get_loop(const ir::python::Node& call);
    Outcome inside(const ir::python::Node& call);
    Outcome like(const ir::python::Node& call);
    Outcome show(const ir::python::Node& call);
    Outcome trace(const ir::python::Node& call);
    Outcome annotate(const ir::python::Node& call);
    Outcome unannotate(const ir::python::Node& call);
    Outcome storage_align(const ir::python::Node& call);
    Outcome add_unit_loop(const ir::python::Node& call);
    Outcome reorder_block_iter_var(const ir::python::Node& call);
    Outcome blockize(const ir::python::Node& call);
    Outcome transform_block_layout(const ir::python::Node& call);
    Outcome set_scope(const ir::python::Node& call);
    Outcome reindex(const ir::python::Node& call);
    Outcome reindex_cache(const ir::python::Node& call, bool write);
    Outcome reindex_cache_read(const ir::python::Node& call);
    Outcome reindex_cache_write(const ir::python::Node& call);
    Outcome cache_index(const ir::python::Node& call);
    Outcome cache_inplace(const ir::python::Node& call);
    Outcome annotate_buffer_access(const ir::python::Node& call);
    Outcome set_dtype(const ir::python::Node& call);

    // What was done to an outlined function becomes a step of the function it stands in.
    std::optional<Refusal> close_function();

    // The function that calls are about: the derivation's, or one that was outlined.
    Primitives& primitives() { return inner_ ? inner_->primitives() : outer_; }

    Primitives outer_;
    std::optional<OutlinedFunction> inner_;
    ir::python::Node opened_at_;  // where a schedule has begun to work on it
    const LoadedSchedule& schedule_;
    const ir::python::Module& module_;
    const ScheduleProgress& progress_;
    Arguments in_;
    ir::Module intrinsics_;  // functions that stand beside the calls
    ScheduleReport report_;
    Composite composite_;
    std::size_t steps_reported_ = 0;
    std::vector<std::string> trace_;  // the calls that were accepted, with the names that they give
    TraceWriter json_trace_;          // likewise
    bool got_loop_ = false;           // by sch.get
    std::optional<ir::python::Node> value_;  // that the call at work gives: no block, no loop
    std::vector<Placed> placed_;
    std::string shown_;  // what the call at work shows
    std::string scope_;  // the scope that a pass is limited to; empty: everything
    std::vector<Inside> insides_;
    std::size_t inside_ = 0;   // of the call at work; 0: it sees everything
    std::size_t entered_ = 0;  // of the last line of the trace
    LoopHistory history_;
};

}  // namespace proviso::rewrite
