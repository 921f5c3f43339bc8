// The concrete domain: values, faults, and `eval_op`, the one table of what each operator means on
// values. The interpreter, constant folding, the tests of the encoder and symbolic execution all
// read it. Specification: docs/semantics.md and the comments of ir/op.h.
//
// Where those leave a choice, this is it:
//  * `indet` as the left side of `and`/`or` or as the condition of IfThenElse steers evaluation,
//    so it is a fault (indet use). As the condition of Select it is an operand: the result is
//    indet. As the right side of `and`/`or` it is the result where it is needed.
//  * An `indet` operand is a fault where some definite value in its place could be one, there or
//    where the result is observed: of + - * abs negation and << on exact integers, as a divisor, as
//    a shift count, of a cast from float to integer, divided by -1. So is an `indet` condition of
//    Select with an arm out of its type's range. Elsewhere the result is indet: of floats and
//    wrapping integers, comparisons, min, max, bitwise operators, other casts.
//  * What can be checked of definite operands is checked although another one is `indet`: a zero
//    divisor, an operand that is observed out of range.
//  * Shl on exact types is multiplication by a power of two in Z: like `*`, its result is not
//    observed. On wrapping types it wraps. Its operands are observed.
//  * float16 and bfloat16 compute in double and round once to their type. That is correctly
//    rounded for + - * / sqrt, because 53 >= 2 * 11 + 2 (Figueroa 1995).
//  * Inexact math functions (exp, tanh, ..) are libm's double function rounded to the type.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/context.h"
#include "ir/domains/integer.h"

namespace proviso::ir {

class Value {
  public:
    Value() = default;  // indet
    static Value indet() { return {}; }
    static Value of_int(Integer value) {
        Value out;
        out.kind_ = Kind::Int;
        out.integer_ = std::move(value);
        return out;
    }
    static Value of_bool(bool value) { return of_int(Integer(value ? 1 : 0)); }
    // Must already be representable in the float type that it is used with. Every NaN becomes one.
    static Value of_float(double value);
    // `value` rounded to `type`.
    static Value of_float(ScalarType type, double value) {
        return of_float(round_to_type(type, value));
    }

    bool is_indet() const { return kind_ == Kind::Indet; }
    bool is_int() const { return kind_ == Kind::Int; }  // integers and bool
    bool is_float() const { return kind_ == Kind::Float; }
    const Integer& integer() const { return integer_; }
    double real() const { return real_; }
    bool truth() const { return !integer_.is_zero(); }  // of a bool

    // One value: NaN equals NaN, +0.0 is not -0.0, indet is itself only.
    bool operator==(const Value& other) const;

    // TVMScript-like text: "3", "-0.0", "nan", "inf", "indet"; "True" and "False" when `type` is
    // bool.
    std::string str(ScalarType type) const;

  private:
    enum class Kind : std::uint8_t { Indet, Int, Float };
    Kind kind_ = Kind::Indet;
    double real_ = 0;
    Integer integer_;
};

enum class FaultKind : std::uint8_t {
    None,
    ZeroDivisor,
    QuotientOutOfRange,  // MIN // -1
    OutOfRange,          // a value observed outside of its type's range
    Shift,               // by less than 0 or by the width or more
    Cast,                // float to integer: NaN or out of range
    OutOfBounds,
    IndetUse,  // in a branch, assume, assert, bound, index, argument of a call, and as said above
    AssumeFalse,
    DataRace,
    Inaccessible,     // a cell that the caller has closed was touched
    IterOutOfDomain,  // a block iterator bound outside of its domain
    OutsideRegion,    // a block touched what its reads or writes annotation does not cover
    UnsupportedCall,  // CallExtern of a function that nobody registered
    StepLimit,        // not the program's fault: the run was cut short
};
const char* fault_name(FaultKind kind);  // "zero divisor", "out of bounds", …

// A fault for people and reports.
struct Fault {
    FaultKind kind = FaultKind::None;
    std::string message;  // what went wrong, with the values in it
    std::string site;     // printed Site of the statement or term; may be empty
    std::vector<std::pair<std::string, std::string>> values;  // variables in scope, as text

    std::string str() const;  // one line
};

// A value, or which fault evaluating it is. No text, so that it costs nothing in a hot loop.
struct Evaluated {
    Value value;
    FaultKind fault = FaultKind::None;

    Evaluated() = default;
    Evaluated(Value v) : value(std::move(v)) {}  // implicit: a value is a success
    Evaluated(FaultKind kind) : fault(kind) {}
    bool ok() const { return fault == FaultKind::None; }
};

// What operator `e->op` (with e's types and payload) gives on the values of its arguments. Knows
// all operators but those that need an environment: Var, Let, Load, CallExtern. Of And, Or and
// IfThenElse it reads only the arguments that count. Defined says whether its argument's value is
// definite.
Evaluated eval_op(const ExprNode& e, std::span<const Value> args);

// In words, for a fault that `eval_op` gave: "zero divisor: floordiv(7, 0) on int32".
std::string describe_fault(const ExprNode& e, FaultKind kind, std::span<const Value> args);

// False for a value of exact integer type that has left the type's range. Indet is observable: it
// stands for values of the type (see above).
inline bool observable(ScalarType type, const Value& value) {
    return !type.is_exact_int() || value.is_indet() || value.integer().in_range(type);
}

// The value of a constant expression node; nullopt for any other node.
std::optional<Value> constant_value(Expr e);
// The constant expression of a value; null for indet and for integers out of the type's range.
Expr constant_expr(Context& ctx, ScalarType type, const Value& value);

// Chooses the arbitrary values that freezing an `indet` gives: extremes, zeros, NaN and noise, a
// function of the seed and of the number of choices made before.
class Chooser {
  public:
    explicit Chooser(std::uint64_t seed) : state_(seed) {}
    Value choose(ScalarType type);
    std::uint64_t next();  // raw noise (splitmix64, Steele et al. 2014)

  private:
    std::uint64_t state_;
};

}  // namespace proviso::ir
