// From statement trees to statements.
//
// A binding by assignment (`x: T.int32 = …`, `X = T.alloc_buffer(…)`) lasts to the end of its list:
// the rest of the list becomes the body of the Let or Allocate.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ir/text/expr_binder.h"

namespace proviso::ir {

// The function of that name in the module at hand, read by now; null when there is none. Throws
// Failure where a function would call itself.
using ModuleFunctions = std::function<const Function*(const std::string& name)>;

// What only stands at the top of a function's body.
struct FunctionHead {
    ModuleFunctions functions;
    // Parameters in order; a handle's place holds null until it is matched to a buffer.
    std::vector<Param> params;
    std::map<std::string, std::size_t> handles;  // written name -> place in `params`
    struct SizeVariable {
        Expr var;
        python::Position at;
    };
    // n = T.int32(): become scalar parameters after the others.
    std::vector<SizeVariable> sizes;
    std::map<std::string, AttrValue> attrs;
};

// Shape, element type and scope, as T.Buffer, T.alloc_buffer and their relatives give them.
struct BufferDeclaration {
    std::vector<Expr> shape;
    ScalarType type = kFloat32;
    std::string scope = "global";
};

class StmtBinder {
  public:
    using Lines = std::span<const python::Statement* const>;

    // `head` is null for statements that stand alone.
    StmtBinder(ExprBinder& exprs, FunctionHead* head)
        : exprs_(exprs), ctx_(exprs.ctx()), names_(exprs.names()), head_(head) {}

    // One statement list with its own scope. Throws Failure on a user's mistake.
    Stmt bind_body(const std::vector<python::Statement>& lines);
    // The top list of a function.
    Stmt bind_function_body(const std::vector<python::Statement>& lines);

    // `call` is T.Buffer(…) or similar; its shape starts at the positional argument `first`.
    BufferDeclaration bind_declaration(const python::Node& call, std::size_t first);

  private:
    Stmt bind_list(Lines lines);
    // A statement, or null for what only tells something about the function.
    Stmt bind_line(const python::Statement& s);
    Stmt bind_call_line(const python::Statement& s);
    // A call of another function of the module; null when it is none.
    Stmt bind_function_call(const python::Statement& s);
    Stmt bind_assign(const python::Statement& s);
    Stmt bind_store(const python::Statement& s);
    Stmt bind_for(const python::Statement& s);
    Stmt bind_with(const python::Statement& s);

    // Bindings that last to the end of their list; the statements after `lines[0]` are the body.
    bool binds_the_rest(const python::Statement& s) const;
    Stmt bind_rest(Lines lines);
    Stmt bind_let(const python::Statement& s, Lines rest);
    Stmt bind_allocation(const python::Statement& s, Lines rest);
    Stmt allocate(const python::Node& target, const BufferDeclaration& declared, Lines body);

    // Loops, in loop_binder.cpp.
    struct Bounds {
        Expr lo;
        Expr hi;
    };
    Bounds bind_bounds(const python::Node* lo, const python::Node& hi);
    Stmt bind_grid(const python::Statement& s);
    Stmt bind_loop(const python::Statement& s, std::span<const python::Node* const> targets,
                   std::span<const Bounds> bounds, ForKind kind, const std::string& tag);
    void no_annotations(const python::Node& call) const;

    // Blocks, in block_binder.cpp.
    struct BlockHead;
    struct AxisLine;
    Stmt bind_block(const python::Statement& s);
    BlockHead split_block(const python::Statement& s) const;
    void bind_axis(const python::Statement& s, std::vector<AxisLine>& out);
    void bind_remap(const python::Statement& s, const std::vector<const python::Node*>& targets,
                    std::vector<AxisLine>& out);
    Expr bind_where(const python::Node& call, const std::vector<AxisLine>& axes);
    std::vector<BufferRegion> bind_regions(const python::Node& call);
    BufferRegion bind_region(const python::Node& node);
    std::pair<Expr, Expr> bind_range(const python::Node& node, Expr extent);

    // Function heads, in function_binder.cpp.
    bool is_head_line(const python::Statement& s) const;
    void bind_head_line(const python::Statement& s);
    void bind_match(const python::Node& target, const python::Node& call);

    Expr bind_condition(const python::Node& node, const std::string& what);
    void require_definite(Expr e, const python::Node& node, const std::string& what) const;
    Expr declare_var(const python::Node& target, ScalarType type);
    [[noreturn]] void wrong(const python::Node& node, std::string message,
                            std::string hint = {}) const {
        exprs_.wrong(node, std::move(message), std::move(hint));
    }
    [[noreturn]] void wrong(const python::Statement& s, std::string message,
                            std::string hint = {}) const {
        exprs_.wrong(s.at, std::move(message), std::move(hint));
    }

    ExprBinder& exprs_;
    Context& ctx_;
    Names& names_;
    FunctionHead* head_;
    bool top_ = false;              // in the top list of the function
    int depth_ = 0;                 // statements inside each other
    std::map<Expr, Bounds> loops_;  // bounds of enclosing loops, for T.axis.remap
};

// A value of T.func_attr.
AttrValue bind_attr(const ExprBinder& exprs, const python::Node& node);

}  // namespace proviso::ir
