// Evaluation of expressions on concrete values. The order of evaluation, laziness and the freezing
// of lets are written once, in `evaluate_node`, over a Machine that says where variables and cells
// live and how values are held; the meaning of operators is `eval_op`. `evaluate` is the machine
// for a stand-alone expression; the interpreter has a faster one of its own.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/domains/value.h"

namespace proviso::ir {

// A Machine has
//   Held                        how it holds a value: Value, or what stands for one
//   Result                      a Held or a FaultKind
//   Node                        a handle of an expression; cheap to copy
//   expr(Node)                  -> const ExprNode&
//   op(Node), type(Node)        of that
//   arg(Node, i)                -> Node
//   constant(Node)              -> Result, of an Op::IntImm or Op::FloatImm node
//   apply(Node, span<Held>)     -> Result: eval_op
//   variable(Node)              -> Result, of an Op::Var node
//   bind(Node, Held)            -> Held: gives an Op::Let node's variable its value, for its body;
//   unbind(Node, Held)          takes back what bind gave, after the body
//   load(Node, span<Held>)      -> Result; the indices are definite and in their type's range
//   call(Node, span<Held>)      -> Result; the arguments likewise
//   freeze(ScalarType)          -> Held, definite and arbitrary
//   step()                      -> bool, false to cut the evaluation short
//   fault(Node, FaultKind, span<Held>) hears of each fault once, where it starts
// Of Held and Result there are is_indet, truth and `observable`; ok, value_of and fault_of.
template <typename Machine>
typename Machine::Result evaluate_node(Machine& m, typename Machine::Node n);

// What a machine derives from whose nodes are expressions and which holds Values as such.
struct ValueMachine {
    using Held = Value;
    using Result = Evaluated;
    using Node = Expr;
    static const ExprNode& expr(Node n) { return *n; }
    static Op op(Node n) { return n->op; }
    static ScalarType type(Node n) { return n->type; }
    static Node arg(Node n, std::size_t i) { return n->arg(i); }
    static Evaluated constant(Node n) { return eval_op(*n, {}); }
    static Evaluated apply(Node n, std::span<const Value> args) { return eval_op(*n, args); }
};
inline Value value_of(Evaluated result) {
    return std::move(result.value);
}
inline FaultKind fault_of(const Evaluated& result) {
    return result.fault;
}

// A list in place, as long as it is not longer than usual.
template <typename T>
class FewOf {
  public:
    explicit FewOf(std::size_t size) : size_(size) {
        if (size > few_.size()) many_.resize(size);
    }
    T& operator[](std::size_t i) { return size_ > few_.size() ? many_[i] : few_[i]; }
    std::span<const T> first(std::size_t count) const {
        return {size_ > few_.size() ? many_.data() : few_.data(), count};
    }
    operator std::span<const T>() const { return first(size_); }  // implicit: it is a list

  private:
    std::size_t size_;
    std::array<T, 4> few_{};
    std::vector<T> many_;
};

namespace detail {

template <typename Machine>
typename Machine::Result fail(Machine& m, typename Machine::Node n, FaultKind kind,
                              std::span<const typename Machine::Held> args) {
    m.fault(n, kind, args);
    return kind;
}

template <std::size_t N, typename Machine>
typename Machine::Result evaluate_strict(Machine& m, typename Machine::Node n) {
    std::array<typename Machine::Held, N> args;
    for (std::size_t i = 0; i < N; ++i) {
        auto a = evaluate_node(m, m.arg(n, i));
        if (!a.ok()) return a;
        args[i] = value_of(std::move(a));
    }
    auto out = m.apply(n, args);
    if (!out.ok()) return fail(m, n, fault_of(out), args);
    return out;
}

// And, Or, IfThenElse: the first argument decides what else is evaluated.
template <typename Machine>
typename Machine::Result evaluate_lazy(Machine& m, typename Machine::Node n) {
    auto result = evaluate_node(m, m.arg(n, 0));
    if (!result.ok()) return result;
    const typename Machine::Held first = value_of(std::move(result));
    if (first.is_indet()) return fail(m, n, FaultKind::IndetUse, {&first, 1});
    const bool truth = first.truth();
    const Op op = m.op(n);
    if (op == Op::IfThenElse) return evaluate_node(m, m.arg(n, truth ? 1 : 2));
    return truth == (op == Op::And) ? evaluate_node(m, m.arg(n, 1)) : first;
}

template <typename Machine>
typename Machine::Result evaluate_let(Machine& m, typename Machine::Node n) {
    auto result = evaluate_node(m, m.arg(n, 0));
    if (!result.ok()) return result;
    typename Machine::Held bound = value_of(std::move(result));
    const ScalarType type = m.expr(n).var_type;
    if (!observable(type, bound)) return fail(m, n, FaultKind::OutOfRange, {&bound, 1});
    if (bound.is_indet()) bound = m.freeze(type);
    auto outer = m.bind(n, std::move(bound));
    auto out = evaluate_node(m, m.arg(n, 1));
    m.unbind(n, std::move(outer));
    return out;
}

// Load and CallExtern: any number of arguments, all of them observed and definite.
template <typename Machine>
typename Machine::Result evaluate_access(Machine& m, typename Machine::Node n) {
    const std::size_t count = m.expr(n).args.size();
    FewOf<typename Machine::Held> args(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto a = evaluate_node(m, m.arg(n, i));
        if (!a.ok()) return a;
        args[i] = value_of(std::move(a));
        if (args[i].is_indet()) return fail(m, n, FaultKind::IndetUse, args.first(i + 1));
        if (!observable(m.type(m.arg(n, i)), args[i])) {
            return fail(m, n, FaultKind::OutOfRange, args.first(i + 1));
        }
    }
    auto out = m.op(n) == Op::Load ? m.load(n, args) : m.call(n, args);
    if (!out.ok()) return fail(m, n, fault_of(out), args);
    return out;
}

// All that is no leaf, and Undef. Its own step has been taken.
template <typename Machine>
typename Machine::Result evaluate_inner(Machine& m, typename Machine::Node n) {
    const Op op = m.op(n);
    if (op == Op::And || op == Op::Or || op == Op::IfThenElse) return evaluate_lazy(m, n);
    if (op == Op::Let) return evaluate_let(m, n);
    if (op == Op::Load || op == Op::CallExtern) return evaluate_access(m, n);
    switch (m.expr(n).args.size()) {
        case 0: return m.apply(n, {});
        case 1: return evaluate_strict<1>(m, n);
        case 2: return evaluate_strict<2>(m, n);
        default: return evaluate_strict<3>(m, n);
    }
}

}  // namespace detail

// Small, so that it is inlined where arguments are evaluated: more than half of the nodes are
// leaves.
template <typename Machine>
inline typename Machine::Result evaluate_node(Machine& m, typename Machine::Node n) {
    if (!m.step()) return detail::fail(m, n, FaultKind::StepLimit, {});
    const Op op = m.op(n);
    if (op == Op::Var) return m.variable(n);
    if (op == Op::IntImm || op == Op::FloatImm) return m.constant(n);
    return detail::evaluate_inner(m, n);
}

// Where a stand-alone expression finds its variables and cells. A free variable that has no value
// is a broken invariant; a load or call without its callback is an "unsupported call" fault.
struct Environment {
    std::unordered_map<Expr, Value> vars;  // by Op::Var handle; definite values
    std::function<Evaluated(Expr load, std::span<const Value> indices)> load = {};
    std::function<Evaluated(Expr call, std::span<const Value> args)> call = {};
    std::uint64_t seed = 0;              // of the values that freezing gives
    std::uint64_t step_limit = 1 << 20;  // nodes to evaluate
};

struct Evaluation {
    Value value;
    std::optional<Fault> fault;  // without a site
    bool ok() const { return !fault; }
};

Evaluation evaluate(Expr e, const Environment& environment);

}  // namespace proviso::ir
