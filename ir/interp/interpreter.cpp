#include "ir/interp/interpreter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "ir/interp/inputs.h"
#include "ir/interp/machine.h"
#include "ir/interp/mending.h"

namespace proviso::ir {

namespace {

enum class Flow : std::uint8_t { Next, Stop, Fault };

bool is_concurrent(ForKind kind) {
    switch (kind) {
        case ForKind::Serial:
        case ForKind::Unrolled: return false;
        case ForKind::Parallel:
        case ForKind::Vectorized:
        case ForKind::ThreadBinding: return true;
    }
    return true;
}

// Runs statements on a machine. Every method gives how control goes on; a fault has been recorded
// in the machine by then.
class Runner {
  public:
    Runner(Machine& machine, const Mender* mender)
        : m_(machine), program_(machine.program()), mender_(mender) {}

    Flow exec(StmtId at) {
        if (!m_.step()) return fail(at, FaultKind::StepLimit, "step limit reached");
        return std::visit([&](const auto& n) { return exec(n, at, program_.stmts[at]); },
                          program_.stmts[at].stmt->data);
    }
    StmtId stopped_at() const { return stopped_at_; }

  private:
    Flow fail(StmtId at, FaultKind kind, std::string message) {
        m_.fail(at, -1, kind, std::move(message));
        return Flow::Fault;
    }

    Flow exec(const Store& n, StmtId at, const StmtCode& code) {
        const std::size_t rank = n.indices.size();
        FewOf<Word> indices(rank);
        for (std::size_t d = 0; d < rank; ++d) {
            indices[d] = m_.eval_observed(at, static_cast<int>(d), "index");
            if (!indices[d].ok()) return Flow::Fault;
        }
        const int k = static_cast<int>(rank);
        const Word value = m_.eval(at, k);
        if (!value.ok()) return Flow::Fault;
        if (!observable(n.buffer->type, value)) return out_of_range(at, k, n.value, value);
        return m_.store(at, code.slots[0], indices, value) ? Flow::Next : Flow::Fault;
    }

    Flow out_of_range(StmtId at, int k, Expr e, Word value) {
        m_.fail(at, k, FaultKind::OutOfRange,
                fmt::format("{}: {} on {}", fault_name(FaultKind::OutOfRange),
                            m_.value(value).str(e->type), e->type.str()));
        return Flow::Fault;
    }

    Flow exec(const For& n, StmtId at, const StmtCode& code) {
        const Word lo = m_.eval_observed(at, 0, "loop bound");
        if (!lo.ok()) return Flow::Fault;
        const Word hi = m_.eval_observed(at, 1, "loop bound");
        if (!hi.ok()) return Flow::Fault;
        const std::int64_t first = lo.index();
        const std::int64_t end = hi.index();
        if (!is_concurrent(n.kind)) {
            for (std::int64_t i = first; i < end; ++i) {
                const Flow flow = iteration(code, i);
                if (flow != Flow::Next) return flow;
            }
            return Flow::Next;
        }
        const bool detect = m_.options().detect_races;
        if (detect) m_.races().enter_loop(code.slots[0]);
        const Flow flow = concurrent_iterations(at, code, first, end, detect);
        if (detect) m_.races().leave_loop();
        return flow;
    }

    Flow iteration(const StmtCode& code, std::int64_t i) {
        m_.variable_slot(code.slots[0]) = Word::of_int(i);
        return exec(code.stmts[0]);
    }

    Flow concurrent_iterations(StmtId at, const StmtCode& code, std::int64_t first,
                               std::int64_t end, bool detect) {
        const IterationOrder order = m_.options().order;
        // The difference of two int64 needs 65 bits.
        const Int128 count = end > first ? static_cast<Int128>(end) - first : 0;
        std::vector<std::int64_t> shuffled;
        if (order == IterationOrder::Shuffled) {
            if (count > static_cast<Int128>(m_.options().cell_limit)) {
                return fail(at, FaultKind::StepLimit, "too many concurrent iterations to shuffle");
            }
            shuffled.resize(static_cast<std::size_t>(count));
            std::iota(shuffled.begin(), shuffled.end(), first);
            for (std::size_t k = shuffled.size(); k > 1; --k) {
                std::swap(shuffled[k - 1], shuffled[m_.chooser().next() % k]);
            }
        }
        for (Int128 k = 0; k < count; ++k) {
            std::int64_t i = static_cast<std::int64_t>(first + k);
            if (order == IterationOrder::Reverse) i = static_cast<std::int64_t>(end - 1 - k);
            if (order == IterationOrder::Shuffled) i = shuffled[static_cast<std::size_t>(k)];
            if (detect) m_.races().begin_iteration(i);
            const Flow flow = iteration(code, i);
            if (flow != Flow::Next) return flow;
        }
        return Flow::Next;
    }

    Flow exec(const IfElse&, StmtId at, const StmtCode& code) {
        const Word cond = m_.eval_observed(at, 0, "branch");
        if (!cond.ok()) return Flow::Fault;
        if (cond.truth()) return exec(code.stmts[0]);
        return code.stmts.size() > 1 ? exec(code.stmts[1]) : Flow::Next;
    }

    Flow exec(const Seq&, StmtId, const StmtCode& code) {
        for (const StmtId s : code.stmts) {
            const Flow flow = exec(s);
            if (flow != Flow::Next) return flow;
        }
        return Flow::Next;
    }

    Flow exec(const LetStmt& n, StmtId at, const StmtCode& code) {
        Word value = m_.eval(at, 0);
        if (!value.ok()) return Flow::Fault;
        if (!observable(n.value->type, value)) return out_of_range(at, 0, n.value, value);
        if (value.is_indet()) value = m_.freeze(n.value->type);
        m_.variable_slot(code.slots[0]) = value;
        return exec(code.stmts[0]);
    }

    Flow exec(const Allocate&, StmtId at, const StmtCode& code) {
        std::vector<std::int64_t> shape;
        Integer cells = 1;
        for (std::size_t d = 0; d < code.exprs.size(); ++d) {
            const Word extent = m_.eval_observed(at, static_cast<int>(d), "extent");
            if (!extent.ok()) return Flow::Fault;
            if (extent.index() < 0) {
                return fail(at, FaultKind::OutOfBounds,
                            "negative extent " + std::to_string(extent.index()));
            }
            shape.push_back(extent.index());
            cells = cells * m_.value(extent).integer();
        }
        if (cells > Integer(m_.options().cell_limit)) {
            return fail(at, FaultKind::StepLimit, "allocation beyond the limit of cells");
        }
        m_.allocate(code.slots[0], std::move(shape));
        return exec(code.stmts[0]);
    }

    Flow exec(const Assert&, StmtId at, const StmtCode&) {
        const Word cond = m_.eval_observed(at, 0, "assert");
        if (!cond.ok()) return Flow::Fault;
        if (cond.truth()) return Flow::Next;
        stopped_at_ = at;
        return Flow::Stop;
    }

    Flow exec(const Assume&, StmtId at, const StmtCode&) {
        if (m_.eval_assume(at).ok()) return Flow::Next;
        const bool again = mender_ != nullptr && (*mender_)(m_, at);
        return again && m_.eval_assume(at).ok() ? Flow::Next : Flow::Fault;
    }

    Flow exec(const Evaluate& n, StmtId at, const StmtCode&) {
        const Word value = m_.eval(at, 0);
        if (!value.ok()) return Flow::Fault;
        if (!observable(n.value->type, value)) return out_of_range(at, 0, n.value, value);
        return Flow::Next;
    }

    Flow exec(const Block& n, StmtId at, const StmtCode& code) {
        const Word predicate = m_.eval_observed(at, 0, "block predicate");
        if (!predicate.ok()) return Flow::Fault;
        if (!predicate.truth()) return Flow::Next;
        bool at_start = true;
        if (!bind_iterators(n, at, code, at_start)) return Flow::Fault;
        const bool claims = m_.options().check_regions && (n.reads || n.writes);
        if (claims && !push_claims(n, at, code)) return Flow::Fault;
        Flow flow = Flow::Next;
        if (n.init != nullptr && at_start) flow = exec(code.stmts.front());
        if (flow == Flow::Next) flow = exec(code.stmts.back());
        if (claims) m_.pop_claims();
        return flow;
    }

    // Evaluates all bindings, then all domains (which may use no iterator), then gives the
    // iterators their values. `at_start`: every Reduce iterator is at its lower end.
    bool bind_iterators(const Block& n, StmtId at, const StmtCode& code, bool& at_start) {
        const std::size_t count = n.iters.size();
        FewOf<Word> bindings(count);
        for (std::size_t i = 0; i < count; ++i) {
            bindings[i] = m_.eval_observed(at, static_cast<int>(1 + i), "block binding");
            if (!bindings[i].ok()) return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const int k = static_cast<int>(1 + count + 2 * i);
            const Word lo = m_.eval_observed(at, k, "iterator domain");
            if (!lo.ok()) return false;
            const Word hi = m_.eval_observed(at, k + 1, "iterator domain");
            if (!hi.ok()) return false;
            // All of an exact integer type, and observed: int64 holds them.
            const std::int64_t value = bindings[i].integer();
            if (value < lo.integer() || value >= hi.integer()) {
                m_.fail(at, static_cast<int>(1 + i), FaultKind::IterOutOfDomain,
                        fmt::format("{}: {} = {} not in [{}, {})",
                                    fault_name(FaultKind::IterOutOfDomain), *n.iters[i].var->name,
                                    value, lo.integer(), hi.integer()));
                return false;
            }
            if (n.iters[i].kind == IterKind::Reduce && value != lo.integer()) at_start = false;
        }
        for (std::size_t i = 0; i < count; ++i) m_.variable_slot(code.slots[i]) = bindings[i];
        return true;
    }

    bool push_claims(const Block& n, StmtId at, const StmtCode& code) {
        RegionClaims claims;
        claims.claims_reads = n.reads.has_value();
        claims.claims_writes = n.writes.has_value();
        claims.may_read_writes = n.init != nullptr;
        if (!regions(at, code.reads, claims.reads)) return false;
        if (!regions(at, code.writes, claims.writes)) return false;
        m_.push_claims(std::move(claims));
        return true;
    }

    bool regions(StmtId at, const std::vector<RegionCode>& list, std::vector<Region>& out) {
        for (const RegionCode& code : list) {
            Region region{code.buffer, {}};
            for (const auto& [lo, hi] : code.ranges) {
                const Evaluated from = m_.eval_extent(lo);
                const Evaluated to = from.ok() ? m_.eval_extent(hi) : from;
                if (!to.ok()) return false;
                if (from.value.is_indet() || to.value.is_indet()) {
                    m_.fail(at, -1, FaultKind::IndetUse, "indeterminate region annotation");
                    return false;
                }
                if (!from.value.integer().in_range(kInt64) ||
                    !to.value.integer().in_range(kInt64)) {
                    m_.fail(at, -1, FaultKind::OutOfRange, "region annotation out of range");
                    return false;
                }
                region.ranges.emplace_back(m_.word(from.value).index(), m_.word(to.value).index());
            }
            out.push_back(std::move(region));
        }
        return true;
    }

    Machine& m_;
    const Program& program_;
    const Mender* mender_;
    StmtId stopped_at_ = 0;
};

Result<Outcome> run_with(const Program& program, const Inputs& inputs, const InterpOptions& options,
                         const Mender* mender) {
    Machine machine(program, options);
    const Status loaded = load_inputs(machine, inputs);
    if (!loaded) return loaded.error();
    Runner runner(machine, mender);
    const Flow flow = runner.exec(program.body);
    if (options.steps != nullptr) *options.steps = machine.steps();
    if (flow == Flow::Fault) return Outcome(Faulted{machine.take_fault()});
    Tensors tensors;
    for (const ParamCode& p : program.params) {
        if (p.is_buffer) tensors.emplace(p.name, std::move(machine.tensor(p.slot)));
    }
    if (flow == Flow::Next) return Outcome(Finished{std::move(tensors)});
    const StmtCode& assert_code = program.stmts[runner.stopped_at()];
    return Outcome(Stopped{assert_code.stmt->as<Assert>()->message,
                           site_text(program, runner.stopped_at(), -1), std::move(tensors)});
}

}  // namespace

std::string describe(const Outcome& outcome) {
    return std::visit(Overloaded{
                          [](const Finished&) { return std::string("finished"); },
                          [](const Stopped& s) { return "stopped: " + s.message; },
                          [](const Faulted& f) { return "faulted: " + f.fault.str(); },
                      },
                      outcome);
}

Result<Outcome> run(const Program& program, const Inputs& inputs, const InterpOptions& options) {
    return run_with(program, inputs, options, nullptr);
}

Result<Outcome> run_mending(const Program& program, const Inputs& inputs,
                            const InterpOptions& options, const Mender& mender) {
    return run_with(program, inputs, options, &mender);
}

Result<Outcome> run(const Function& f, const Inputs& inputs, const InterpOptions& options) {
    Result<Program> program = prepare(f);
    if (!program) return program.error();
    return run(program.value(), inputs, options);
}

}  // namespace proviso::ir
