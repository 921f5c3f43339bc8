// A function prepared for running: variables, buffers and opaque functions have numbers instead of
// names, so that the interpreter's hot loop looks nothing up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"
#include "ir/result.h"

namespace proviso::ir {

using NodeId = std::uint32_t;  // of an expression node, in Program::exprs
using StmtId = std::uint32_t;  // of a statement, in Program::stmts
using Slot = std::uint32_t;    // of a variable, a buffer or an opaque function

inline constexpr std::uint32_t kNone = UINT32_MAX;

struct ExprCode {
    Expr e;
    Slot slot;                // Var, Let: variable; Load: buffer; CallExtern: opaque function
    std::uint32_t first_arg;  // its arguments are Program::args[first_arg ..]
    Op op;                    // of `e`, and its type: what the hot loop asks for
    ScalarType type;
    ScalarType operands;  // type of its first argument; its own where it has none
};

struct RegionCode {
    Slot buffer;
    std::vector<std::pair<NodeId, NodeId>> ranges;
};

// One occurrence of a statement. What the lists hold, in order, is given by the statement's kind:
//   Store      exprs: indices, value         slots: buffer
//   For        exprs: lo, hi                 slots: variable       stmts: body
//   IfElse     exprs: cond                                         stmts: then, [else]
//   Seq                                                            stmts: all
//   LetStmt    exprs: value                  slots: variable       stmts: body
//   Allocate   exprs: extents                slots: buffer         stmts: body
//   Assert, Assume, Evaluate  exprs: the one
//   Block      exprs: predicate, bindings, then lo and hi of each iterator
//                                            slots: iterators      stmts: [init], body
struct StmtCode {
    Stmt stmt;
    StmtId parent;      // kNone for the function's body
    std::string label;  // this statement's step in its parent's site
    std::vector<NodeId> exprs;
    std::vector<Slot> slots;
    std::vector<StmtId> stmts;
    std::vector<RegionCode> reads;  // Block with annotations
    std::vector<RegionCode> writes;
};

struct BufferCode {
    Buffer buffer;
    std::vector<NodeId> extents;
};

// A variable is known by its name (owned by the context) and type.
struct VariableCode {
    const std::string* name;
    ScalarType type;
    bool operator==(const VariableCode&) const = default;
};

// A parameter, in order of declaration.
struct ParamCode {
    std::string name;
    bool is_buffer;
    Slot slot;
};

struct Program {
    Function function;
    std::vector<ExprCode> exprs;
    std::vector<NodeId> args;
    std::vector<StmtCode> stmts;
    StmtId body = 0;
    std::vector<VariableCode> variables;  // by slot
    std::vector<BufferCode> buffers;      // by slot
    std::vector<std::string> externs;
    std::vector<ParamCode> params;

    NodeId arg(NodeId n, std::size_t i) const { return args[exprs[n].first_arg + i]; }
};

// Fails on a variable or buffer that is used outside of its scope.
Result<Program> prepare(const Function& f);

// Printed site of a statement (k < 0), of its k-th expression in StmtCode::exprs, or of a node in
// that expression: the first place where it stands, as equal terms are one node. Iterator domains
// and extents of allocations have no site of their own; theirs is the statement's.
std::string site_text(const Program& program, StmtId at, int k, NodeId node = kNone);

}  // namespace proviso::ir
