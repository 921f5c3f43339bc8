#include "verify/tv/executor.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "analysis/facts/formula.h"
#include "ir/site.h"
#include "verify/tv/expressions.h"
#include "verify/tv/regions.h"

namespace proviso::verify {

using namespace ir;

namespace {

bool is_concurrent(ForKind kind) {
    return kind != ForKind::Serial && kind != ForKind::Unrolled;
}

// Who touched a cell in one concurrent loop.
struct Touches {
    std::int64_t reader = 0;
    std::int64_t writer = 0;
    bool read = false;
    bool written = false;
    bool many_readers = false;
};

struct ConcurrentLoop {
    std::int64_t iteration = 0;
    std::map<std::uint32_t, std::unordered_map<std::size_t, Touches>> cells;  // by tensor
};

class Executor {
  public:
    Executor(Context& ctx, Simplifier& simplifier, const Function& f, const Sizes& sizes,
             std::vector<SymbolicTensor> tensors, std::uint64_t step_limit, std::size_t cell_limit)
        : ctx_(ctx), s_(simplifier), eval_(ctx, simplifier, step_limit), cell_limit_(cell_limit) {
        eval_.at(here_);
        for (const auto& [var, value] : sizes) {
            eval_.variables[var] = SymbolicValue{value, ctx.true_()};
        }
        const std::vector<Buffer> buffers = f.buffer_params();
        PROVISO_CHECK(buffers.size() == tensors.size(), "execute: one tensor for each parameter");
        for (std::size_t k = 0; k < buffers.size(); ++k) {
            tensors[k].id = next_id_++;
            memory_[buffers[k]] = std::move(tensors[k]);
        }
        eval_.load = [this](Buffer b, const std::vector<std::int64_t>& at) {
            const SymbolicCell* cell = cell_at(b, at, false);
            return cell == nullptr ? indet_value(ctx_, b->type) : cell->content;
        };
        eval_.touch = [this](Buffer b, const std::vector<Expr>& at) { touch(b, at); };
    }

    SymbolicRun run(const Function& f) {
        SymbolicRun out;
        try {
            exec(f.body);
        } catch (const GivenUp& e) {
            out.unsupported = e.why;
        }
        for (Buffer b : f.buffer_params()) out.tensors.push_back(std::move(memory_.at(b)));
        out.requirements = eval_.take_requirements();
        out.stops = eval_.take_stops();
        out.runs_through = eval_.not_stopped();
        out.calls = eval_.take_calls();
        out.never_stops = eval_.take_never_stops();
        out.froze = eval_.froze();
        out.open_claims = open_claims_;
        return out;
    }

  private:
    void exec(Stmt stmt) {
        if (never_here()) return;
        eval_.step();
        std::visit([&](const auto& n) { exec(n); }, stmt->data);
    }

    void exec(Stmt child, const char* label) {
        here_.steps.emplace_back(label);
        exec(child);
        here_.steps.pop_back();
    }

    // The run has stopped whatever the data are, or on every run that takes this branch.
    bool never_here() const { return stopped_ || is_false(eval_.not_stopped()); }

    // --- memory --------------------------------------------------------------------------------

    std::string printed(Buffer b, const std::vector<std::int64_t>& at) {
        std::string out;
        for (const std::int64_t i : at) out += (out.empty() ? "" : ", ") + std::to_string(i);
        return b->name + "[" + out + "]";
    }

    // Null, and a claim that cannot hold, where the cell must not be touched.
    SymbolicCell* accessible_cell(Buffer b, const std::vector<std::int64_t>& at) {
        SymbolicTensor& tensor = memory_.at(b);
        const auto offset = tensor.offset(at);
        if (!offset) {
            eval_.require(ctx_.false_(), printed(b, at) + " is in bounds");
            return nullptr;
        }
        if (tensor.cells[*offset].closed) {
            eval_.require(ctx_.false_(), printed(b, at) + " may be touched");
            return nullptr;
        }
        return &tensor.cells[*offset];
    }

    void touch(Buffer b, const std::vector<Expr>& at) {
        std::vector<std::int64_t> constants;
        for (Expr i : at) {
            if (is_int_const(i)) constants.push_back(static_cast<std::int64_t>(i->int_value()));
        }
        if (constants.size() == at.size()) {
            accessible_cell(b, constants);
            return;
        }
        const SymbolicTensor& tensor = memory_.at(b);
        for (const SymbolicCell& cell : tensor.cells) {
            if (cell.closed) throw GivenUp{"unsupported: an index of " + b->name + " that is open"};
        }
        for (std::size_t d = 0; d < at.size(); ++d) {
            Expr zero = ctx_.int_imm(at[d]->type, 0);
            Expr extent = ctx_.int_imm(at[d]->type, tensor.shape[d]);
            eval_.require(s_.both(s_.make(Op::Le, {zero, at[d]}), s_.make(Op::Lt, {at[d], extent})),
                          "an index of " + b->name + " is in bounds");
        }
    }

    SymbolicCell* cell_at(Buffer b, const std::vector<std::int64_t>& at, bool writes) {
        SymbolicCell* cell = accessible_cell(b, at);
        if (cell != nullptr && !claims_.allow(b, at, writes)) {
            eval_.require(ctx_.false_(), printed(b, at) + " is in the block's regions");
        }
        if (cell != nullptr && !concurrent_.empty()) {
            const SymbolicTensor& tensor = memory_.at(b);
            note_touch(tensor.id, *tensor.offset(at), writes, [&] { return printed(b, at); });
        }
        return cell;
    }

    template <typename Name>
    void note_touch(std::uint32_t tensor, std::size_t offset, bool writes, const Name& cell) {
        for (ConcurrentLoop& loop : concurrent_) {
            Touches& t = loop.cells[tensor][offset];
            const std::int64_t i = loop.iteration;
            bool conflict = t.written && t.writer != i;
            if (writes) conflict = conflict || t.many_readers || (t.read && t.reader != i);
            if (conflict) race(cell());
            if (writes) {
                t.writer = i;
                t.written = true;
            } else {
                t.many_readers = t.many_readers || (t.read && t.reader != i);
                t.reader = i;
                t.read = true;
            }
        }
    }

    // Two iterations meet. Whether both happen is only plain outside of branches on data; a stop
    // before the loop keeps it from running at all.
    void race(const std::string& cell) {
        if (!eval_.on_every_run() || branched_) {
            throw GivenUp{"unsupported: a possible data race on " + cell + " under a condition"};
        }
        eval_.require(ctx_.false_(), "no data race on " + cell);
    }

    // --- statements ----------------------------------------------------------------------------

    void exec(const Store& n) {
        std::vector<std::int64_t> at;
        at.reserve(n.indices.size());
        for (Expr index : n.indices) at.push_back(eval_.constant(index, "an index"));
        const SymbolicValue value = eval_.eval(n.value);
        eval_.demand(s_.implies(value.defined, eval_.fits(value.value)), "the stored value",
                     " is in range");
        SymbolicCell* cell = cell_at(n.buffer, at, true);
        if (cell == nullptr) return;
        SymbolicValue& old = cell->content;
        // Where one side is indeterminate its term says nothing, and the other's will do.
        Expr merged = is_false(value.defined) ? old.value
                      : is_false(old.defined) ? value.value
                                              : here_or(value.value, old.value);
        if (is_true(eval_.path())) merged = value.value;
        old = SymbolicValue{merged, here_or(value.defined, old.defined)};
    }

    // What a cell holds that gets a new value here. The stop is the outer choice: later loads, all
    // on paths that have not stopped either, see through it.
    Expr here_or(Expr value, Expr old) {
        return s_.select(eval_.not_stopped(), s_.select(eval_.branch(), value, old), old);
    }

    void exec(const For& n) {
        const std::int64_t lo = eval_.constant(n.lo, "a loop bound");
        const std::int64_t hi = eval_.constant(n.hi, "a loop bound");
        const bool concurrent = is_concurrent(n.kind);
        if (concurrent) concurrent_.emplace_back();
        eval_.in_concurrent_loop = !concurrent_.empty();
        for (std::int64_t i = lo; i < hi && !never_here(); ++i) {
            if (concurrent) concurrent_.back().iteration = i;
            eval_.variables[n.var] = SymbolicValue{ctx_.int_imm(n.var->type, i), ctx_.true_()};
            exec(n.body, "body");
        }
        eval_.variables.erase(n.var);
        if (concurrent) concurrent_.pop_back();
        eval_.in_concurrent_loop = !concurrent_.empty();
    }

    void exec(const IfElse& n) {
        Expr c = eval_.on_path(eval_.observed(n.cond, "a condition"));
        if (!is_false(c)) under(c, n.then_body, "then");
        if (!is_true(c) && n.else_body != nullptr) {
            under(s_.opposite(c), n.else_body, "else");
        }
    }

    void under(Expr condition, Stmt body, const char* label) {
        if (is_true(condition)) {
            exec(body, label);
            return;
        }
        enter(condition);
        exec(body, label);
        leave();
    }

    void enter(Expr condition) {
        branched_ = true;
        eval_.enter(condition);
    }

    // Others than those that took the branch go on.
    void leave() {
        eval_.leave();
        stopped_ = false;
    }

    void exec(const Seq& n) {
        for (std::size_t k = 0; k < n.body.size(); ++k) {
            exec(n.body[k], std::to_string(k).c_str());
        }
    }

    void exec(const LetStmt& n) {
        eval_.variables[n.var] = eval_.bound(eval_.eval(n.value));
        exec(n.body, "body");
        eval_.variables.erase(n.var);
    }

    void exec(const Allocate& n) {
        std::vector<std::int64_t> shape;
        std::size_t cells = 1;
        for (Expr extent : n.buffer->shape) {
            shape.push_back(eval_.constant(extent, "an extent"));
            if (shape.back() < 0) {
                eval_.require(ctx_.false_(),
                              "the extents of " + n.buffer->name + " are not negative");
                return;
            }
            const auto size = static_cast<std::size_t>(shape.back());
            if (size != 0 && cells > cell_limit_ / size) {
                throw GivenUp{fmt::format("unsupported: {}, {} has more than {} cells",
                                          kLargeAllocation, n.buffer->name, cell_limit_)};
            }
            cells *= size;
        }
        SymbolicTensor tensor = indet_tensor(ctx_, n.buffer->type, shape);
        tensor.id = next_id_++;
        memory_[n.buffer] = std::move(tensor);
        claims_.born(n.buffer);
        exec(n.body, "body");
        memory_.erase(n.buffer);
    }

    void exec(const Assert& n) {
        Expr c = eval_.on_path(eval_.observed(n.cond, "an assert's condition"));
        if (is_true(c)) return;
        if (!concurrent_.empty()) {
            eval_.never_stops_unless(c);
            return;
        }
        eval_.stop_unless(c, n.message);
        stopped_ = is_false(c);
    }

    void exec(const Assume& n) {
        const SymbolicValue value = eval_.assumed(n.cond);
        eval_.require(value.defined, "the assumption is definite");
        eval_.require(value.value, "the assumption holds");
    }

    void exec(const Evaluate& n) {
        const SymbolicValue value = eval_.eval(n.value);
        eval_.demand(s_.implies(value.defined, eval_.fits(value.value)), "the value",
                     " is in range");
    }

    void exec(const Block& n) {
        Expr c = eval_.on_path(eval_.observed(n.predicate, "a block's predicate"));
        if (is_false(c)) return;
        const bool branch = !is_true(c);
        if (branch) enter(c);
        bool at_start = true;
        std::vector<SymbolicValue> bindings;
        for (const BlockIter& it : n.iters) {
            const std::int64_t value = eval_.constant(it.binding, "a block's binding");
            const std::int64_t lo = eval_.constant(it.lo, "an iterator's domain");
            const std::int64_t hi = eval_.constant(it.hi, "an iterator's domain");
            if (value < lo || value >= hi) {
                eval_.require(ctx_.false_(),
                              fmt::format("{} = {} is in [{}, {})", *it.var->name, value, lo, hi));
            }
            if (it.kind == IterKind::Reduce && value != lo) at_start = false;
            bindings.push_back({ctx_.int_imm(it.var->type, value), ctx_.true_()});
        }
        for (std::size_t k = 0; k < n.iters.size(); ++k) {
            eval_.variables[n.iters[k].var] = bindings[k];
        }
        if (!claims_.enter(n, [&](Expr e) { return eval_.constant_if(e); })) {
            open_claims_ = "a claim of block " + n.name + " is not constant at these sizes";
        }
        if (n.init != nullptr && at_start) exec(n.init, "init");
        exec(n.body, "body");
        claims_.leave();
        for (const BlockIter& it : n.iters) eval_.variables.erase(it.var);
        if (branch) leave();
    }

    Context& ctx_;
    Simplifier& s_;
    SymbolicEvaluator eval_;
    std::size_t cell_limit_;  // of one buffer that is allocated
    std::unordered_map<Buffer, SymbolicTensor> memory_;
    std::vector<ConcurrentLoop> concurrent_;
    RegionClaims claims_;
    Site here_;  // of the statement at work
    std::uint32_t next_id_ = 1;
    std::string open_claims_;
    bool branched_ = false;  // a branch on data was met
    bool stopped_ = false;   // by an assert, on every run that takes the branch at work
};

}  // namespace

SymbolicRun execute(Context& ctx, Simplifier& simplifier, const Function& f, const Sizes& sizes,
                    std::vector<SymbolicTensor> tensors, std::uint64_t step_limit,
                    std::size_t cell_limit) {
    Executor executor(ctx, simplifier, f, sizes, std::move(tensors), step_limit, cell_limit);
    return executor.run(f);
}

}  // namespace proviso::verify
