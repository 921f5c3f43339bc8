// The interpreter's state: variables, buffers, limits, race and region checks; and the evaluation
// of expressions on it. How statements run is interpreter.cpp.
#pragma once

#include <optional>
#include <vector>

#include "ir/domains/evaluate.h"
#include "ir/interp/interpreter.h"
#include "ir/interp/quick_op.h"
#include "ir/interp/races.h"
#include "ir/interp/regions.h"
#include "ir/interp/word.h"

namespace proviso::ir {

class Machine {
  public:
    using Node = NodeId;
    using Held = Word;
    using Result = Word;

    Machine(const Program& program, const InterpOptions& options);

    // For evaluate_node.
    const ExprNode& expr(Node n) const { return *exprs_[n].e; }
    Op op(Node n) const { return exprs_[n].op; }
    ScalarType type(Node n) const { return exprs_[n].type; }
    Node arg(Node n, std::size_t i) const { return args_[exprs_[n].first_arg + i]; }
    Word constant(Node n) const { return constants_[n]; }
    Word apply(Node n, std::span<const Word> args) {
        const ExprCode& code = exprs_[n];
        const Word out = quick_op(code.op, code.operands, code.type, args);
        return out.ok() ? out : apply_slowly(*code.e, args);
    }
    Word variable(Node n) const { return variables_[exprs_[n].slot]; }
    Word bind(Node n, Word value) { return std::exchange(variables_[exprs_[n].slot], value); }
    void unbind(Node n, Word outer) { variables_[exprs_[n].slot] = outer; }
    Word load(Node n, std::span<const Word> indices);
    Word call(Node n, std::span<const Word> args);
    Word freeze(ScalarType type) {
        if (options_.frozen != nullptr) ++*options_.frozen;
        return words_.word(chooser_.choose(type));
    }
    bool step() { return steps_++ < step_limit_; }
    std::uint64_t steps() const { return steps_; }
    void fault(Node n, FaultKind kind, std::span<const Word> args);

    // The k-th expression of a statement. A fault is recorded with its site.
    Word eval(StmtId at, int k) {
        at_ = at;
        at_expr_ = k;
        words_.clear();
        return evaluate_node(*this, node(at, k));
    }
    // Any expression; a fault is recorded with the site of the last statement.
    Evaluated evaluate(NodeId n);
    // An expression that belongs to no statement: an extent of a parameter.
    Evaluated eval_extent(NodeId n);
    // As `eval`; the value must be definite and in its type's range. `use` names the use in the
    // fault's message: "loop bound".
    Word eval_observed(StmtId at, int k, const char* use) {
        const Word out = eval(at, k);
        const bool fine = !out.ok() || (!out.is_indet() && observable(type(node(at, k)), out));
        return fine ? out : unobservable(at, k, out, use);
    }
    // The condition of an assume: true, or a fault.
    Word eval_assume(StmtId at);

    // False after recording a fault.
    bool store(StmtId at, Slot buffer, std::span<const Word> indices, Word value);

    // Records a fault at a statement (k < 0), its k-th expression, or a node of that.
    FaultKind fail(StmtId at, int k, FaultKind kind, std::string message, NodeId node = kNone);
    Fault take_fault();

    const Program& program() const { return program_; }
    const InterpOptions& options() const { return options_; }
    Word& variable_slot(Slot slot) { return variables_[slot]; }
    // Values and what stands for them. A variable's value is in its type's range.
    Word word(const Value& value) { return words_.word(value); }
    Value value(Word word) const { return words_.value(word); }
    Tensor& tensor(Slot slot) { return tensors_[slot]; }
    RaceDetector& races() { return races_; }
    Chooser& chooser() { return chooser_; }
    void set_tensor(Slot buffer, Tensor tensor) { tensors_[buffer] = std::move(tensor); }

    void allocate(Slot buffer, std::vector<std::int64_t> shape);
    void push_claims(RegionClaims claims) { claims_.push_back(std::move(claims)); }
    void pop_claims() { claims_.pop_back(); }

  private:
    NodeId node(StmtId at, int k) const {
        return program_.stmts[at].exprs[static_cast<std::size_t>(k)];
    }
    FaultKind unobservable(StmtId at, int k, Word value, const char* use);
    Word apply_slowly(const ExprNode& e, std::span<const Word> args);
    // Position of a cell that may be touched; sets `touch_fault_` otherwise.
    std::optional<std::size_t> touch(Slot buffer, std::span<const Word> indices, bool is_write);
    bool within_claims(Slot buffer, std::span<const Word> indices, bool is_write) const;
    std::string touch_text(FaultKind kind, Slot buffer, std::span<const Word> indices,
                           bool is_write) const;
    std::string race_text(Slot buffer, std::span<const Word> indices) const;
    std::string cell_text(Slot buffer, std::span<const Word> indices) const;
    bool is_permission(Node n) const;
    Word eval_permission(Node n);
    Word eval_assumed(Node n);

    const Program& program_;
    const ExprCode* exprs_;  // of the program, by node
    const NodeId* args_;
    const InterpOptions& options_;
    WordStore words_;
    std::vector<Word> constants_;  // by node, of IntImm and FloatImm
    std::vector<Word> variables_;
    std::vector<Tensor> tensors_;
    std::vector<const ExternFunction*> externs_;
    std::vector<RegionClaims> claims_;
    std::vector<std::size_t> claims_at_birth_;  // by buffer: claims_.size() when it was allocated
    RaceDetector races_;
    Chooser chooser_;
    std::uint64_t steps_ = 0;
    const std::uint64_t step_limit_;

    StmtId at_ = 0;  // what is being evaluated
    int at_expr_ = -1;
    FaultKind touch_fault_ = FaultKind::None;
    std::string touch_message_;
    std::optional<Fault> fault_;
};

}  // namespace proviso::ir
