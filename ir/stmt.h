// Statements: immutable, hash-consed in a Context; an edit copies the path from the root. Each
// alternative's comment is its specification. A statement list never holds a list: `Context::seq`
// flattens.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/attribute.h"
#include "ir/expr.h"

namespace proviso::ir {

struct StmtNode;
using Stmt = const StmtNode*;

// buffer[indices] = value. Indices are evaluated first, left to right, then the value, then the
// cell is written. Observes indices and value. Storing `indet` makes the cell indeterminate.
struct Store {
    Buffer buffer;
    std::vector<Expr> indices;
    Expr value;
    bool operator==(const Store&) const = default;
};

enum class ForKind : std::uint8_t { Serial, Parallel, Vectorized, Unrolled, ThreadBinding };

// for var in range(lo, hi): no iteration when hi <= lo. Bounds are evaluated once, before the first
// iteration. Parallel, Vectorized and ThreadBinding run their iterations in any interleaving; a
// conflicting access is a fault.
struct For {
    Expr var;  // Op::Var of exact integer type
    Expr lo;
    Expr hi;
    ForKind kind = ForKind::Serial;
    std::string thread_tag;  // ThreadBinding: "blockIdx.x", "threadIdx.y", …; else empty
    Stmt body;
    Annotations annotations = {};
    bool operator==(const For&) const = default;
};

// if cond: then_body else: else_body. `else_body` may be null. An indeterminate condition is a
// fault.
struct IfElse {
    Expr cond;
    Stmt then_body;
    Stmt else_body = nullptr;
    bool operator==(const IfElse&) const = default;
};

// Statements in order. Empty: does nothing (`pass`).
struct Seq {
    std::vector<Stmt> body;
    bool operator==(const Seq&) const = default;
};

// var = value, visible in body. Observes and freezes the value.
struct LetStmt {
    Expr var;
    Expr value;
    Stmt body;
    bool operator==(const LetStmt&) const = default;
};

// A fresh buffer, all cells indeterminate, dead at the end of `body`.
struct Allocate {
    Buffer buffer;
    Stmt body;
    Annotations annotations = {};
    bool operator==(const Allocate&) const = default;
};

// A run-time check with a defined outcome: when the condition is false the function stops with the
// message.
struct Assert {
    Expr cond;
    std::string message;
    bool operator==(const Assert&) const = default;
};

// Knowledge: when the condition is false (or indeterminate) the program faults here; otherwise
// nothing happens. `or`-disjuncts of the form `B[i] == T.undef()` are permission to read the cell
// (is_read_permission in well_formed.h).
struct Assume {
    Expr cond;
    bool operator==(const Assume&) const = default;
};

// Evaluates an expression for its faults and calls only.
struct Evaluate {
    Expr value;
    bool operator==(const Evaluate&) const = default;
};

enum class IterKind : std::uint8_t { Spatial, Reduce, Opaque };

// One block iterator: `var = T.axis.<kind>((lo, hi), binding)`. Its domain is a claim that is
// checked: a binding out of [lo, hi) while the predicate holds is a fault.
struct BlockIter {
    Expr var;
    Expr lo;
    Expr hi;
    Expr binding;
    IterKind kind = IterKind::Spatial;
    bool operator==(const BlockIter&) const = default;
};

struct BufferRegion {
    Buffer buffer;
    std::vector<std::pair<Expr, Expr>> ranges;  // half-open, one per dimension
    bool operator==(const BufferRegion&) const = default;
};

// A block means its expansion:
//   let iters = bindings: if predicate: { if (every Reduce iter == its lo): init;  body }
// `predicate` is written over the iterators' *bindings* scope (loop variables), and is evaluated
// first. `reads`/`writes` are claims that are checked, never instructions.
struct Block {
    std::string name;
    std::vector<BlockIter> iters;
    Expr predicate;       // the constant true when absent
    Stmt init = nullptr;  // may be null
    Stmt body;
    std::optional<std::vector<BufferRegion>> reads;
    std::optional<std::vector<BufferRegion>> writes;
    Annotations annotations = {};
    bool operator==(const Block&) const = default;
};

using StmtData =
    std::variant<Store, For, IfElse, Seq, LetStmt, Allocate, Assert, Assume, Evaluate, Block>;

struct StmtNode {
    StmtData data;
    std::uint32_t id;  // creation order within the context; never printed

    template <typename T>
    const T* as() const {
        return std::get_if<T>(&data);
    }
    template <typename T>
    bool is() const {
        return std::holds_alternative<T>(data);
    }
};

// For std::visit over StmtData with lambdas.
template <typename... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace proviso::ir
