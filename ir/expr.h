// Expressions: immutable, hash-consed in a Context. A handle is one pointer, equality is pointer
// equality, and any analysis may memoise by handle. Expressions are pure: all loads of one
// expression see the same memory.
//
// Evaluation order is left to right. `And`, `Or` and `IfThenElse` evaluate only what they need,
// everything else evaluates all its arguments. Where a value of exact integer type is *observed*
// (operands and results of divisions, operands of comparisons, min, max, casts, bit operations and
// shifts, indices, let values, arguments of calls) it must be in its type's range, or the program
// faults there.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "ir/op.h"
#include "ir/type.h"

namespace proviso::ir {

class Context;
struct ExprNode;
struct BufferNode;

using Expr = const ExprNode*;
using Buffer = const BufferNode*;

// What stands in an expression's tree besides plain functions of its variables.
enum : std::uint8_t { kLoadWithin = 1, kUndefWithin = 2, kCallWithin = 4, kLetWithin = 8 };

struct ExprNode {
    Op op;
    ScalarType type;
    std::uint8_t within;  // the marks above, of the node itself and of all below it
    // Creation order within the context; never printed, never hashed into content.
    std::uint32_t id;
    std::uint32_t size;  // number of nodes of the tree, saturating
    std::int64_t bits;   // IntImm: value (uint64 as its two's complement); FloatImm: bits of the
                         // double; Math: MathFn; otherwise 0
    const std::string* name;     // Var, Let (the variable's name), CallExtern; else null
    Buffer buffer;               // Load; else null
    ScalarType var_type;         // Let: the variable's type
    std::span<const Expr> args;  // owned by the context

    Expr arg(std::size_t i) const { return args[i]; }

    // IntImm as a mathematical integer.
    Int128 int_value() const {
        return type.is_signed() ? static_cast<Int128>(bits)
                                : static_cast<Int128>(static_cast<std::uint64_t>(bits));
    }
    double float_value() const;  // FloatImm
    MathFn math_fn() const { return static_cast<MathFn>(bits); }
};

// A buffer: an injective map from the in-bounds index tuples of `shape` (row-major, elements) to
// cells. Different buffers never overlap. Interned: two buffers with equal fields are one handle.
struct BufferNode {
    std::string name;
    ScalarType type;
    std::span<const Expr> shape;  // extents in elements
    std::string scope;            // "global", "shared", "local"
    std::uint32_t id;

    std::size_t rank() const { return shape.size(); }
};

// A function of its variables' values alone, each evaluated in place: no load, undef, opaque call
// or let in it.
inline bool is_plain_term(Expr e) {
    return e->within == 0;
}
inline bool is_int_const(Expr e) {
    return e->op == Op::IntImm && !e->type.is_bool();
}
inline bool is_int_const(Expr e, Int128 value) {
    return e->op == Op::IntImm && !e->type.is_bool() && e->int_value() == value;
}
inline bool is_const(Expr e) {
    return e->op == Op::IntImm || e->op == Op::FloatImm;
}
inline bool is_true(Expr e) {
    return e->op == Op::IntImm && e->type.is_bool() && e->bits == 1;
}
inline bool is_false(Expr e) {
    return e->op == Op::IntImm && e->type.is_bool() && e->bits == 0;
}

}  // namespace proviso::ir
