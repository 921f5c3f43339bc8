// Evaluation of expressions on concrete values. The order of evaluation, laziness and the freezing
// of lets are written once, in `evaluate_node`, over a Machine that says where variables and cells
// live; the meaning of operators is `eval_op`. `evaluate` is the machine for a stand-alone
// expression; the interpreter has a faster one of its own.
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
//   Node                        a handle of an expression; cheap to copy
//   expr(Node)                  -> const ExprNode&
//   arg(Node, i)                -> Node
//   variable(Node)              -> const Value&, of an Op::Var node
//   bind(Node, Value)           -> Value: gives an Op::Let node's variable its value, for its body;
//   unbind(Node, Value)         takes back what bind gave, after the body
//   load(Node, span<Value>)     -> Evaluated; the indices are definite and in their type's range
//   call(Node, span<Value>)     -> Evaluated; the arguments likewise
//   freeze(ScalarType)          -> Value, definite and arbitrary
//   step()                      -> bool, false to cut the evaluation short
//   fault(Node, FaultKind, span<Value>) hears of each fault once, where it starts
template <typename Machine>
Evaluated evaluate_node(Machine& m, typename Machine::Node n);

namespace detail {

template <typename Machine>
Evaluated fail(Machine& m, typename Machine::Node n, FaultKind kind, std::span<const Value> args) {
    m.fault(n, kind, args);
    return kind;
}

template <std::size_t N, typename Machine>
Evaluated evaluate_strict(Machine& m, typename Machine::Node n, const ExprNode& e) {
    std::array<Value, N> args;
    for (std::size_t i = 0; i < N; ++i) {
        Evaluated a = evaluate_node(m, m.arg(n, i));
        if (!a.ok()) return a;
        args[i] = std::move(a.value);
    }
    Evaluated out = eval_op(e, args);
    if (!out.ok()) return fail(m, n, out.fault, args);
    return out;
}

// And, Or, IfThenElse: the first argument decides what else is evaluated.
template <typename Machine>
Evaluated evaluate_lazy(Machine& m, typename Machine::Node n, const ExprNode& e) {
    Evaluated first = evaluate_node(m, m.arg(n, 0));
    if (!first.ok()) return first;
    if (first.value.is_indet()) {
        return fail(m, n, FaultKind::IndetUse, std::span<const Value>(&first.value, 1));
    }
    const bool truth = first.value.truth();
    switch (e.op) {
        case Op::And: return truth ? evaluate_node(m, m.arg(n, 1)) : first;
        case Op::Or: return truth ? first : evaluate_node(m, m.arg(n, 1));
        default: return evaluate_node(m, m.arg(n, truth ? 1 : 2));
    }
}

template <typename Machine>
Evaluated evaluate_let(Machine& m, typename Machine::Node n, const ExprNode& e) {
    Evaluated bound = evaluate_node(m, m.arg(n, 0));
    if (!bound.ok()) return bound;
    if (!observable(e.var_type, bound.value)) {
        return fail(m, n, FaultKind::OutOfRange, std::span<const Value>(&bound.value, 1));
    }
    if (bound.value.is_indet()) bound.value = m.freeze(e.var_type);
    Value outer = m.bind(n, std::move(bound.value));
    Evaluated out = evaluate_node(m, m.arg(n, 1));
    m.unbind(n, std::move(outer));
    return out;
}

// Load and CallExtern: any number of arguments, all of them observed and definite.
template <typename Machine>
Evaluated evaluate_access(Machine& m, typename Machine::Node n, const ExprNode& e) {
    constexpr std::size_t few_count = 4;
    std::array<Value, few_count> few;
    std::vector<Value> many;
    if (e.args.size() > few_count) many.resize(e.args.size());
    const std::span<Value> args(many.empty() ? few.data() : many.data(), e.args.size());
    for (std::size_t i = 0; i < args.size(); ++i) {
        Evaluated a = evaluate_node(m, m.arg(n, i));
        if (!a.ok()) return a;
        args[i] = std::move(a.value);
        if (args[i].is_indet()) return fail(m, n, FaultKind::IndetUse, args.first(i + 1));
        if (!observable(e.arg(i)->type, args[i])) {
            return fail(m, n, FaultKind::OutOfRange, args.first(i + 1));
        }
    }
    Evaluated out = e.op == Op::Load ? m.load(n, args) : m.call(n, args);
    if (!out.ok()) return fail(m, n, out.fault, args);
    return out;
}

}  // namespace detail

template <typename Machine>
Evaluated evaluate_node(Machine& m, typename Machine::Node n) {
    const ExprNode& e = m.expr(n);
    if (!m.step()) return detail::fail(m, n, FaultKind::StepLimit, {});
    switch (e.op) {
        case Op::Var: return m.variable(n);
        case Op::And:
        case Op::Or:
        case Op::IfThenElse: return detail::evaluate_lazy(m, n, e);
        case Op::Let: return detail::evaluate_let(m, n, e);
        case Op::Load:
        case Op::CallExtern: return detail::evaluate_access(m, n, e);
        default: break;
    }
    switch (e.args.size()) {
        case 0: return eval_op(e, {});
        case 1: return detail::evaluate_strict<1>(m, n, e);
        case 2: return detail::evaluate_strict<2>(m, n, e);
        default: return detail::evaluate_strict<3>(m, n, e);
    }
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
