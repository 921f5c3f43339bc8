// Abstract evaluation: what is known of an expression's value, whatever the inputs. One generic
// evaluator, memoised by handle; a Domain says what operators do to its values. The domains are
// intervals, congruences and float classes.
//
// An abstract value speaks of the definite values that an expression can have where it does not
// fault. It says nothing of faults and nothing of `indet`.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ir/children.h"
#include "ir/domains/value.h"

namespace proviso::ir {

// How expressions are read.
enum class Reading : std::uint8_t {
    // As programs: observing a value out of its type's range faults, so observed values are in
    // range.
    Program,
    // As formulas of obligations (analysis/obligation.h): nothing is observed and nothing faults;
    // exact integers are of any size, and where a program would fault the value is unspecified.
    Formula,
};

// A Domain has
//   Value                                     what is known; copyable
//   top(ScalarType)                           every value of the type
//   constant(ScalarType, const ir::Value&)    exactly this definite value
//   as_constant(const Value&)                 -> optional<ir::Value>, when there is only one value
//   meet(a, b)                                -> optional<Value>, both are true; none: impossible
//   apply(const ExprNode&, span<const Value>, Reading)
//                                             any operator but leaves, Let, Load and CallExtern
template <typename Domain>
class AbstractEval {
  public:
    using Value = typename Domain::Value;

    explicit AbstractEval(Reading reading = Reading::Program) : reading_(reading) {}

    // What a variable may be; every value of its type otherwise. The one way to let a variable
    // stand for integers out of its type's range.
    void assign(Expr variable, const Value& value) {
        memo_.clear();
        assigned_.insert_or_assign(variable, value);
    }
    // Knowledge: wherever `e` (a variable, a load, any term) is evaluated without fault, its value
    // is one of `known`. Knowledge about one term adds up.
    void know(Expr e, const Value& known) {
        memo_.clear();
        const auto [at, is_new] = known_.emplace(e, known);
        if (!is_new) at->second = both(at->second, known);
    }
    // Asked for a load that nothing else is known of.
    void on_load(std::function<std::optional<Value>(Expr load)> f) { load_ = std::move(f); }
    // Loads never give indet. Without this, a let that freezes a loaded value may have any value.
    void loads_are_definite() { loads_definite_ = true; }
    // Two pieces of knowledge have excluded each other.
    bool contradiction() const { return contradiction_; }

    Value operator()(Expr e) {
        const auto found = memo_.find(e);
        if (found != memo_.end()) return found->second;
        Value out = compute(e);
        const auto known = known_.find(e);
        if (known != known_.end()) out = both(out, known->second);
        memo_.emplace(e, out);
        return out;
    }

  private:
    // Two truths about one value. If they exclude each other, no value gets here; either will do.
    Value both(const Value& a, const Value& b) {
        const std::optional<Value> out = Domain::meet(a, b);
        if (!out) contradiction_ = true;
        return out ? *out : a;
    }

    Value compute(Expr e) {
        switch (e->op) {
            case Op::IntImm:
            case Op::FloatImm: return Domain::constant(e->type, *constant_value(e));
            case Op::Var: {
                const auto at = assigned_.find(e);
                return at == assigned_.end() ? Domain::top(e->type) : at->second;
            }
            case Op::Undef:
            case Op::CallExtern: return Domain::top(e->type);
            case Op::Load: {
                const std::optional<Value> known = load_ ? load_(e) : std::nullopt;
                return known ? *known : Domain::top(e->type);
            }
            case Op::Let: return let(e);
            default: return operation(e);
        }
    }

    Value operation(Expr e) {
        std::array<Value, 3> args;
        std::array<ir::Value, 3> constants;
        const std::size_t count = e->args.size();
        bool all_constant = true;
        for (std::size_t i = 0; i < count; ++i) {
            args[i] = (*this)(e->arg(i));
            const std::optional<ir::Value> c = Domain::as_constant(args[i]);
            all_constant = all_constant && c.has_value();
            if (c) constants[i] = *c;
        }
        if (all_constant && (e->op != Op::Math || math_fn_info(e->math_fn()).exact)) {
            const Evaluated folded = eval_op(*e, std::span(constants).first(count));
            if (folded.ok() && !folded.value.is_indet()) {
                return Domain::constant(e->type, folded.value);
            }
        }
        return Domain::apply(*e, std::span<const Value>(args).first(count), reading_);
    }

    // A let freezes: where its value may be indet, the variable may be anything.
    Value let(Expr e) {
        Expr value = e->arg(0);
        const bool may_be_indet =
            has_op(value, Op::Undef) || (!loads_definite_ && has_op(value, Op::Load));
        const Value bound = may_be_indet ? Domain::top(e->var_type) : (*this)(value);
        AbstractEval inner = *this;  // with a memory of its own: the name may hide another
        inner.memo_.clear();
        std::optional<Expr> variable;
        for_each_node(e->arg(1), [&](Expr n) {
            if (n->op == Op::Var && n->name == e->name && n->type == e->var_type) variable = n;
        });
        if (variable) {
            inner.known_.erase(*variable);
            inner.assigned_.insert_or_assign(*variable, bound);
        }
        Value out = inner(e->arg(1));
        contradiction_ = contradiction_ || inner.contradiction_;
        return out;
    }

    Reading reading_;
    std::unordered_map<Expr, Value> assigned_;
    std::unordered_map<Expr, Value> known_;
    std::unordered_map<Expr, Value> memo_;
    std::function<std::optional<Value>(Expr)> load_;
    bool loads_definite_ = false;
    bool contradiction_ = false;
};

// Both arguments are one variable or load, and so one value (expressions see one memory).
inline bool same_operand(const ExprNode& e) {
    return e.args.size() == 2 && e.arg(0) == e.arg(1) &&
           (e.arg(0)->op == Op::Var || e.arg(0)->op == Op::Load);
}

}  // namespace proviso::ir
