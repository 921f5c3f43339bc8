// The closed set of operators, once, as a table: name, class, arity. Every reader of an operator
// (parser, printer, interpreter, domains, SMT encoder, code generators, rule matcher) switches over
// `Op`, so that a new operator that somebody forgot does not compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proviso::ir {

enum class Op : std::uint8_t {
    // Leaves.
    IntImm,    // integer or bool constant, in its type's range
    FloatImm,  // float constant, exactly representable in its type
    Var,       // a scalar variable: loop variable, block iterator, let, scalar parameter
    Undef,     // T.undef(dtype): evaluates to `indet`
    // Unary.
    Neg,   // -x: exact or wrapping on integers; flips the sign bit of a float
    Not,   // not x, on bool
    Cast,  // to the node's type: integers wrap, integer to float rounds to nearest even, float to
           // integer truncates
    // and faults when out of range or NaN; bool to number gives 0/1; number to bool is `x != 0`
    // Arithmetic; both arguments and the result have one type.
    Add,
    Sub,
    Mul,
    Div,       // floats only, IEEE 754
    FloorDiv,  // integers: rounds toward -inf; faults on a zero divisor and on a quotient out of
               // range
    FloorMod,  // integers: x - floordiv(x, y) * y; faults on a zero divisor and when floordiv(x, y)
               // would fault
    TruncDiv,  // integers: rounds toward 0; faults as FloorDiv
    TruncMod,  // integers: x - truncdiv(x, y) * y; faults as TruncDiv
    Min,       // y < x ? y : x   (so min(NaN, y) = NaN, min(x, NaN) = x, min(+0.0, -0.0) = +0.0)
    Max,       // x < y ? y : x   (so max(NaN, y) = NaN, max(x, NaN) = x, max(+0.0, -0.0) = +0.0)
    // Comparison; the result is bool. `a > b` and `a >= b` are `b < a` and `b <= a`.
    Eq,
    Ne,
    Lt,
    Le,
    // Logic on bool; left to right, only what is needed.
    And,
    Or,
    // Bits, on integers. A shift by less than 0 or by the width or more is a fault; `>>` is
    // arithmetic on signed types.
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    // Choice: (condition, then, else). Select evaluates both arms, IfThenElse only the chosen one.
    Select,
    IfThenElse,
    // Let: args = (value, body), payload = the variable. Freezes an indeterminate value.
    Let,
    // Load: args = indices, payload = the buffer.
    Load,
    // Math: args = operands, payload = MathFn.
    Math,
    // CallExtern: an opaque call of a named function; payload = the name. Its arguments must be
    // definite.
    CallExtern,
    // Only in obligations, never in programs.
    Defined,  // args = (load): the loaded cell is definite
    Same,     // args = (x, y): one value; on floats every NaN is the same as every NaN, and +0.0 is
              // not -0.0
};

inline constexpr int kOpCount = static_cast<int>(Op::Same) + 1;

// Operators that may stand in obligations only.
inline bool is_logic_only(Op op) {
    return op == Op::Defined || op == Op::Same;
}

enum class OpClass : std::uint8_t {
    Leaf,
    Unary,
    Arithmetic,
    Comparison,
    Logic,
    Bits,
    Choice,
    Binding,
    Memory,
    Call,
};

// Which of its operands an operator evaluates. What decides is definite, or a fault.
enum class Evaluates : std::uint8_t {
    All,
    SecondIfFirst,      // the second where the first is true
    SecondUnlessFirst,  // the second where the first is false
    OneArm,             // the second where the first is true, else the third
    Bound,              // the first, frozen; then the second, in which the variable is its value
};

// Of exact integers, which may be out of their type's range until they are observed: whether the
// operator's result is in range.
enum class Range : std::uint8_t {
    Held,    // it is: what holds it, or the operator, has observed it
    Chosen,  // where the operand is that is chosen
    Open,    // not known
};

struct OpInfo {
    std::string_view name;  // stable name used in logs, rules and messages
    OpClass op_class;
    int arity;  // -1: any number
    Evaluates evaluates = Evaluates::All;
    Range range = Range::Open;
};

const OpInfo& op_info(Op op);

// The first operand decides which others are evaluated.
bool is_lazy(Op op);
// The value of the first operand with which a lazy operator evaluates operand `k`, not the first.
bool deciding_value(Op op, std::size_t k);
// Add, Sub, Mul, Neg: exact integers are computed without a bound, of definite operands only.
bool is_ring(Op op);

// Common math calls. `exact` functions are correctly rounded and mean the same on every back end;
// the others are uninterpreted in proofs and compared within stated ULPs in tests.
enum class MathFn : std::uint8_t {
    Abs,   // floats: clears the sign bit; exact integers: observes the operand; wrapping ones wrap
    Sqrt,  // correctly rounded
    Floor,
    Ceil,
    Trunc,
    Round,  // to nearest, ties to even
    IsNan,  // result bool
    Exp,
    Exp2,
    Log,
    Log2,
    Sin,
    Cos,
    Tanh,
    Sigmoid,
    Erf,
    Pow,
};

inline constexpr int kMathFnCount = static_cast<int>(MathFn::Pow) + 1;

struct MathFnInfo {
    std::string_view name;  // as in T.<name>
    int arity;
    bool exact;
};

const MathFnInfo& math_fn_info(MathFn fn);

}  // namespace proviso::ir
