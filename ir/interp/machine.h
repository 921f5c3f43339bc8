// The interpreter's state: variables, buffers, limits, race and region checks; and the evaluation
// of expressions on it. How statements run is interpreter.cpp.
#pragma once

#include <optional>
#include <vector>

#include "ir/domains/evaluate.h"
#include "ir/interp/interpreter.h"
#include "ir/interp/races.h"
#include "ir/interp/regions.h"

namespace proviso::ir {

// An index tuple in place, as long as its rank is usual.
class IndexTuple {
  public:
    explicit IndexTuple(std::size_t rank) : rank_(rank) {
        if (rank > few_.size()) many_.resize(rank);
    }
    std::int64_t& operator[](std::size_t d) { return data()[d]; }
    operator std::span<const std::int64_t>() const {  // implicit: it is a list of numbers
        return {many_.empty() ? few_.data() : many_.data(), rank_};
    }

  private:
    std::int64_t* data() { return many_.empty() ? few_.data() : many_.data(); }
    std::size_t rank_;
    std::array<std::int64_t, 6> few_{};
    std::vector<std::int64_t> many_;
};

class Machine {
  public:
    using Node = NodeId;

    Machine(const Program& program, const InterpOptions& options);

    // For evaluate_node.
    const ExprNode& expr(Node n) const { return *program_.exprs[n].e; }
    Node arg(Node n, std::size_t i) const { return program_.arg(n, i); }
    const Value& variable(Node n) const { return variables_[program_.exprs[n].slot]; }
    Value bind(Node n, Value value) {
        return std::exchange(variables_[program_.exprs[n].slot], std::move(value));
    }
    void unbind(Node n, Value outer) { variables_[program_.exprs[n].slot] = std::move(outer); }
    Evaluated load(Node n, std::span<const Value> indices);
    Evaluated call(Node n, std::span<const Value> args);
    Value freeze(ScalarType type) {
        if (options_.frozen != nullptr) ++*options_.frozen;
        return chooser_.choose(type);
    }
    bool step() { return steps_++ < options_.step_limit; }
    std::uint64_t steps() const { return steps_; }
    void fault(Node n, FaultKind kind, std::span<const Value> args);

    // The k-th expression of a statement. A fault is recorded with its site.
    Evaluated eval(StmtId at, int k);
    // An expression that belongs to no statement: an extent of a parameter.
    Evaluated eval_extent(NodeId n);
    // The same; the value must be definite and in its type's range. `use` names the use in the
    // fault's message: "loop bound".
    Evaluated eval_observed(StmtId at, int k, const char* use);
    // The condition of an assume: true, or a fault.
    Evaluated eval_assume(StmtId at);

    // False after recording a fault.
    bool store(StmtId at, Slot buffer, std::span<const std::int64_t> indices, const Value& value);

    // Records a fault at a statement (k < 0), its k-th expression, or a node of that.
    FaultKind fail(StmtId at, int k, FaultKind kind, std::string message, NodeId node = kNone);
    Fault take_fault();

    const Program& program() const { return program_; }
    const InterpOptions& options() const { return options_; }
    Value& variable_slot(Slot slot) { return variables_[slot]; }
    Tensor& tensor(Slot slot) { return tensors_[slot]; }
    RaceDetector& races() { return races_; }
    Chooser& chooser() { return chooser_; }
    void set_tensor(Slot buffer, Tensor tensor) { tensors_[buffer] = std::move(tensor); }

    void allocate(Slot buffer, std::vector<std::int64_t> shape);
    void push_claims(RegionClaims claims) { claims_.push_back(std::move(claims)); }
    void pop_claims() { claims_.pop_back(); }

  private:
    // Position of a cell that may be touched; sets `touch_fault_` otherwise.
    std::optional<std::size_t> touch(Slot buffer, std::span<const std::int64_t> indices,
                                     bool is_write);
    std::optional<std::size_t> reject(FaultKind kind, std::string message);
    std::string race_text(Slot buffer, std::span<const std::int64_t> indices) const;
    std::string cell_text(Slot buffer, std::span<const std::int64_t> indices) const;
    bool is_permission(Node n) const;
    Evaluated eval_permission(Node n);
    Evaluated eval_assumed(Node n);

    const Program& program_;
    const InterpOptions& options_;
    std::vector<Value> variables_;
    std::vector<Tensor> tensors_;
    std::vector<const ExternFunction*> externs_;
    std::vector<RegionClaims> claims_;
    std::vector<std::size_t> claims_at_birth_;  // by buffer: claims_.size() when it was allocated
    RaceDetector races_;
    Chooser chooser_;
    std::uint64_t steps_ = 0;

    StmtId at_ = 0;  // what is being evaluated
    int at_expr_ = -1;
    FaultKind touch_fault_ = FaultKind::None;
    std::string touch_message_;
    std::optional<Fault> fault_;
};

// An observed, definite index as a number. What int64 cannot hold is out of bounds of every buffer,
// as its largest value is.
std::int64_t to_index(const Value& value);

}  // namespace proviso::ir
