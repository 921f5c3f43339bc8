// Generic traversal: the children of every node, with their labels, in evaluation order, written
// once. Visitors, sites, substitution and the printers of paths all go through here.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/context.h"

namespace proviso::ir {

// One direct child of a statement. Exactly one of `stmt` and `expr` is set.
// Labels: Store: "index0".., "value"; For: "lo", "hi", "body"; IfElse: "cond", "then", "else"; Seq:
// "0", "1", ..; LetStmt: "value", "body"; Allocate: "body"; Assert, Assume: "cond"; Evaluate:
// "value"; Block: "predicate", "bind0".., "init", "body". Block iterator domains and region
// annotations are not children.
struct Child {
    std::string label;
    Stmt stmt = nullptr;
    Expr expr = nullptr;
};
std::vector<Child> children(Stmt s);

// The statement with its children replaced, in the order of `children`; the shape must be the same.
Stmt with_children(Context& ctx, Stmt s, const std::vector<Child>& replaced);

// What the statement is without those below it: `mark` stands for each, and for none in a list.
StmtData without_statements(Stmt s, Stmt mark);

// The expression with other arguments (same operator, payload and result type rules).
Expr with_args(Context& ctx, Expr e, std::span<const Expr> args);
inline Expr with_args(Context& ctx, Expr e, const std::vector<Expr>& args) {
    return with_args(ctx, e, std::span<const Expr>(args));
}

// Bottom-up rebuild of an expression, memoised by handle: `f` sees each node after its arguments
// were rewritten and returns its replacement (or the node itself).
Expr rewrite_expr(Context& ctx, Expr e, const std::function<Expr(Expr)>& f);

// Rebuild of a statement: `on_expr` is applied to every direct expression child (and to iterator
// domains and region annotations of blocks, and to extents of allocations: a buffer whose extents
// change becomes another buffer of that name), then `on_stmt` to each statement after its children
// were rewritten. Either may be null.
Stmt rewrite_stmt(Context& ctx, Stmt s, const std::function<Expr(Expr)>& on_expr,
                  const std::function<Stmt(Stmt)>& on_stmt);

// Every node of an expression, once per handle, arguments before users.
void for_each_node(Expr e, const std::function<void(Expr)>& f);
// Every statement, parents first, in textual order; and every direct expression child of every
// statement.
void for_each_stmt(Stmt s, const std::function<void(Stmt)>& f);
void for_each_expr(Stmt s, const std::function<void(Expr)>& f);

using Substitution = std::map<Expr, Expr>;  // from variable to expression of the same type

// Capture-avoiding substitution of free variables.
Expr substitute(Context& ctx, Expr e, const Substitution& map);
// In a statement; binders of the statement must not occur in the replacements (binder names are
// unique).
Stmt substitute(Context& ctx, Stmt s, const Substitution& map);

// Free variables in order of first occurrence.
std::vector<Expr> free_vars(Expr e);
bool occurs_free(Expr var, Expr e);
// Buffers loaded by an expression, in order of first occurrence.
std::vector<Buffer> loaded_buffers(Expr e);
bool has_op(Expr e, Op op);
bool has_any(Expr e, std::initializer_list<Op> ops);

// The parts of conjunctions, left to right, however deep; none of what is always true.
std::vector<Expr> conjuncts(std::span<const Expr> conditions);
inline std::vector<Expr> conjuncts(Expr condition) {
    return conjuncts({&condition, 1});
}

// The names that a statement binds by itself: a loop variable, a let, iterators, an allocation, and
// lets in its expressions.
void for_each_bound_name(Stmt s, const std::function<void(const std::string&)>& f);
// All names bound in a function: parameters (buffers and scalars), and those of its statements.
std::set<std::string> bound_names(const Function& f);
std::set<std::string> bound_names(Stmt s);
// `base`, or `base_1`, `base_2`, … : the first that is not in `used`. Deterministic; also inserts
// it.
template <typename Names>
std::string fresh_name(const std::string& base, Names& used) {
    std::string name = base;
    for (int i = 1; used.count(name) != 0; ++i) name = base + "_" + std::to_string(i);
    used.insert(name);
    return name;
}

}  // namespace proviso::ir
