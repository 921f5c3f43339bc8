// Symbolic evaluation of expressions: what eval_op and the interpreter's laziness say, with terms
// for values, and the conditions under which nothing faults.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/site.h"
#include "verify/tv/executor.h"

namespace proviso::verify {

// Thrown inside an execution to give it up; never leaves `execute`, or a run of `Numbering`.
struct GivenUp {
    std::string why;
};

class SymbolicEvaluator {
  public:
    SymbolicEvaluator(ir::Context& ctx, Simplifier& simplifier, std::uint64_t step_limit)
        : ctx_(ctx), s_(simplifier), steps_left_(step_limit), not_stopped_(ctx.true_()) {}

    SymbolicValue eval(ir::Expr e);
    // The value observed as `what` (an index, a condition, ..): definite, and in its type's range.
    ir::Expr observed(ir::Expr e, const char* what);
    // The same, and a constant integer.
    std::int64_t constant(ir::Expr e, const char* what);
    // The integer that an expression over constants is; none: it is not constant, or faults.
    // Nothing is required.
    std::optional<std::int64_t> constant_if(ir::Expr e);
    // Like an assume: permissions are true, and only need their cells to be accessible.
    SymbolicValue assumed(ir::Expr e);

    // Branch conditions on the way here.
    void enter(ir::Expr condition) { path_.push_back(condition); }
    void leave() { path_.pop_back(); }
    bool on_every_run() const { return path_.empty(); }  // that gets here
    ir::Expr branch();                                   // all of them hold
    // No assert so far has failed.
    ir::Expr not_stopped() const { return not_stopped_; }
    // The run is here: it takes these branches and has not stopped.
    ir::Expr path() { return s_.both(not_stopped_, branch()); }
    // A term as it is on this path: selects on conditions of the path are decided, and so is a
    // condition that an assert has checked.
    ir::Expr on_path(ir::Expr e);

    // From here on the condition holds; where it does not, the run has stopped with the message.
    void stop_unless(ir::Expr condition, const std::string& message);
    // In a concurrent loop: the run goes on, and is only right where the condition holds.
    void never_stops_unless(ir::Expr condition);

    // Records that `claim` must hold on this path.
    void require(ir::Expr claim, const std::string& what);
    // The same, and what is required is only put into words where it is not plain.
    void demand(ir::Expr claim, const char* subject, const char* property) {
        if (!ir::is_true(claim)) require(claim, std::string(subject) + property);
    }
    // The claim that a value is in its type's range.
    ir::Expr fits(ir::Expr value);
    // A value that is bound to a name: one that may be indeterminate becomes a symbol there.
    SymbolicValue bound(const SymbolicValue& value);
    const std::string& froze() const { return froze_; }
    // Where requirements come from, for messages: looked at whenever there is one.
    void at(const ir::Site& site) { site_ = &site; }
    void step();

    std::unordered_map<ir::Expr, SymbolicValue> variables;
    // Set by the executor: a load of the cell at constant indices.
    std::function<SymbolicValue(ir::Buffer, const std::vector<std::int64_t>&)> load;
    bool in_concurrent_loop = false;  // set by the executor: there calls have no order
    // Requires that the cell at these indices, constant or not, may be touched.
    std::function<void(ir::Buffer, const std::vector<ir::Expr>&)> touch;

    std::vector<Requirement> take_requirements() { return std::move(requirements_); }
    std::vector<Stop> take_stops() { return std::move(stops_); }
    std::vector<CallEvent> take_calls() { return std::move(calls_); }
    std::vector<Requirement> take_never_stops() { return std::move(never_stops_); }
    ir::Context& context() { return ctx_; }
    Simplifier& simplifier() { return s_; }

  private:
    SymbolicValue lazy(ir::Expr e);
    SymbolicValue strict(ir::Expr e);
    SymbolicValue let(ir::Expr e);
    SymbolicValue cell(ir::Expr e);
    SymbolicValue call(ir::Expr e);
    void chooses_either(const std::vector<SymbolicValue>& args);
    void operator_conditions(ir::Expr e, const std::vector<SymbolicValue>& args, ir::Expr applied);
    ir::Expr plain_integer(ir::Expr e, const SymbolicValue& a, const SymbolicValue& b);
    ir::Expr defined_on_operands(ir::Expr e, const std::vector<SymbolicValue>& args,
                                 ir::Expr applied);
    SymbolicValue under(ir::Expr condition, ir::Expr e);
    void checked(ir::Expr condition);

    ir::Context& ctx_;
    Simplifier& s_;
    std::uint64_t steps_left_;
    std::vector<ir::Expr> path_;
    ir::Expr not_stopped_;
    // What holds wherever the run has not stopped: what asserts have checked, part by part, and
    // each not_stopped_ so far.
    std::unordered_set<ir::Expr> checked_;
    std::vector<Stop> stops_;
    std::vector<CallEvent> calls_;
    std::vector<Requirement> never_stops_;
    std::vector<Requirement> requirements_;
    std::unordered_set<ir::Expr> required_;
    // Division or cast on simplified operands -> the claim that it does not fault.
    std::unordered_map<ir::Expr, ir::Expr> no_fault_;
    const ir::Site* site_ = nullptr;
    std::string froze_;
    int frozen_ = 0;
};

}  // namespace proviso::verify
