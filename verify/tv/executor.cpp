#include "verify/tv/executor.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

#include "analysis/formula.h"
#include "ir/site.h"
#include "verify/tv/expressions.h"

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
             std::vector<SymbolicTensor> tensors, std::uint64_t step_limit, bool asserts_hold)
        : ctx_(ctx),
          s_(simplifier),
          eval_(ctx, simplifier, step_limit),
          asserts_hold_(asserts_hold) {
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
        eval_.touch = [this](Buffer b, const std::vector<std::int64_t>& at) {
            accessible_cell(b, at);
        };
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
        out.met_an_assert = met_an_assert_;
        return out;
    }

  private:
    void exec(Stmt stmt) {
        eval_.step();
        std::visit([&](const auto& n) { exec(n); }, stmt->data);
    }

    void exec(Stmt child, const char* label) {
        here_.steps.emplace_back(label);
        exec(child);
        here_.steps.pop_back();
    }

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

    SymbolicCell* cell_at(Buffer b, const std::vector<std::int64_t>& at, bool writes) {
        SymbolicCell* cell = accessible_cell(b, at);
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

    // Two iterations meet. Whether both happen is only plain outside of branches on data.
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
        Expr path = eval_.path();
        SymbolicValue& old = cell->content;
        // Where one side is indeterminate its term says nothing, and the other's will do.
        Expr merged = is_false(value.defined) ? old.value
                      : is_false(old.defined) ? value.value
                                              : s_.select(path, value.value, old.value);
        if (is_true(path)) merged = value.value;
        old = SymbolicValue{merged, s_.select(path, value.defined, old.defined)};
    }

    void exec(const For& n) {
        const std::int64_t lo = eval_.constant(n.lo, "a loop bound");
        const std::int64_t hi = eval_.constant(n.hi, "a loop bound");
        const bool concurrent = is_concurrent(n.kind);
        if (concurrent) concurrent_.emplace_back();
        for (std::int64_t i = lo; i < hi; ++i) {
            if (concurrent) concurrent_.back().iteration = i;
            eval_.variables[n.var] = SymbolicValue{ctx_.int_imm(n.var->type, i), ctx_.true_()};
            exec(n.body, "body");
        }
        eval_.variables.erase(n.var);
        if (concurrent) concurrent_.pop_back();
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
        branched_ = true;
        eval_.enter(condition);
        exec(body, label);
        eval_.leave();
    }

    void exec(const Seq& n) {
        for (std::size_t k = 0; k < n.body.size(); ++k) {
            exec(n.body[k], std::to_string(k).c_str());
        }
    }

    void exec(const LetStmt& n) {
        const SymbolicValue value = eval_.eval(n.value);
        if (!is_true(value.defined)) {
            throw GivenUp{"unsupported: a let of a value that may be indeterminate, at " +
                          here_.str()};
        }
        eval_.demand(eval_.fits(value.value), "a let's value", " is in range");
        eval_.variables[n.var] = value;
        exec(n.body, "body");
        eval_.variables.erase(n.var);
    }

    void exec(const Allocate& n) {
        std::vector<std::int64_t> shape;
        std::int64_t cells = 1;
        for (Expr extent : n.buffer->shape) {
            shape.push_back(eval_.constant(extent, "an extent"));
            if (shape.back() < 0) {
                eval_.require(ctx_.false_(),
                              "the extents of " + n.buffer->name + " are not negative");
                return;
            }
            cells *= shape.back();
            if (cells > kMaxCells) throw GivenUp{"unsupported: a large allocation"};
        }
        SymbolicTensor tensor = indet_tensor(ctx_, n.buffer->type, shape);
        tensor.id = next_id_++;
        memory_[n.buffer] = std::move(tensor);
        exec(n.body, "body");
        memory_.erase(n.buffer);
    }

    void exec(const Assert& n) {
        Expr c = eval_.on_path(eval_.observed(n.cond, "an assert's condition"));
        if (is_true(c)) return;
        met_an_assert_ = true;
        if (asserts_hold_) {
            eval_.require(c, "the function does not stop at " + here_.str());
            return;
        }
        throw GivenUp{"unsupported: an assert that is not true at these sizes, at " + here_.str()};
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
        if (branch) {
            branched_ = true;
            eval_.enter(c);
        }
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
        if (n.init != nullptr && at_start) exec(n.init, "init");
        exec(n.body, "body");
        for (const BlockIter& it : n.iters) eval_.variables.erase(it.var);
        if (branch) eval_.leave();
    }

    static constexpr std::int64_t kMaxCells = 1 << 16;

    Context& ctx_;
    Simplifier& s_;
    SymbolicEvaluator eval_;
    std::unordered_map<Buffer, SymbolicTensor> memory_;
    std::vector<ConcurrentLoop> concurrent_;
    Site here_;  // of the statement at work
    bool asserts_hold_;
    bool met_an_assert_ = false;
    std::uint32_t next_id_ = 1;
    bool branched_ = false;  // a branch on data was met
};

}  // namespace

SymbolicRun execute(Context& ctx, Simplifier& simplifier, const Function& f, const Sizes& sizes,
                    std::vector<SymbolicTensor> tensors, std::uint64_t step_limit,
                    bool asserts_hold) {
    Executor executor(ctx, simplifier, f, sizes, std::move(tensors), step_limit, asserts_hold);
    return executor.run(f);
}

}  // namespace proviso::verify
