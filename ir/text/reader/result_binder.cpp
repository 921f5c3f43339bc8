// Functions with a result, which becomes a parameter after all others: a buffer of one cell.
//
//     return v            R[0] = v, then the early exit
//     x = f(A, n)         r = T.alloc_buffer((1,), …, scope="local"); the body of f with r for its
//                         last parameter; x = r[0]
//
// A call stands alone, as the whole value of its line: then nothing else of the line is evaluated
// before it. A line `f(A, n)` drops the result.
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

constexpr const char* kTaken = "the result";  // no text can have this name

}  // namespace

// The store of the value; the flag of the exit is set after it.
Stmt StmtBinder::bind_returned(const Statement& s) {
    const Node* value = python::returned_value(s);
    const bool none = value == nullptr || python::is_none(*value);
    if (!head_->has_result) {
        if (none || python::is_zero(*value)) return ctx_.pass();
        no_meaning(*value, "a value that a function `-> None` returns has no meaning here",
                   "leave the annotation out, or say the type of the result");
    }
    if (none) {
        no_meaning(s, "a `return` without a value in a function with a result has no meaning here",
                   "return a value everywhere");
    }
    if (blocks_ != 0) {
        no_meaning(s, "a result that is returned in a block has no meaning here",
                   "store it to a cell, and return that after the block");
    }
    if (!head_->result_type) head_->result_type = exprs_.bind(*value)->type;
    if (head_->result == nullptr) {
        head_->result =
            ctx_.buffer(head_->result_name, *head_->result_type, {ctx_.int_imm(kInt32, 1)});
    }
    Expr stored = exprs_.bind_typed(*value, *head_->result_type, "the result");
    return ctx_.store(head_->result, {ctx_.int_imm(kInt32, 0)}, stored);
}

bool StmtBinder::takes_result(const Statement& s) const {
    switch (s.kind) {
        case StatementKind::Assign:
        case StatementKind::AnnotatedAssign:
        case StatementKind::Return:
        case StatementKind::Expression: break;
        default: return false;
    }
    const ModuleFunction callee = callee_of(s.value);
    if (callee.function != nullptr && !callee.has_result && !s.is(StatementKind::Expression)) {
        no_meaning(s.value, "`" + callee.function->name + "` has no result",
                   "call it on a line of its own");
    }
    return callee.has_result;
}

Stmt StmtBinder::bind_taken_result(const Statement& s, Lines rest) {
    const Function& callee = *callee_of(s.value).function;
    const ScalarType type = std::get<Buffer>(callee.params.back())->type;
    Buffer cell = ctx_.buffer(names_.unique("result"), type, {ctx_.int_imm(kInt32, 1)}, "local");
    Stmt call = bind_function_call(s, cell);
    std::vector<const Statement*> lines;
    if (!s.is(StatementKind::Expression)) {
        names_.bind(kTaken, NameEntry{nullptr, cell});
        Node name;
        name.kind = NodeKind::Name;
        name.at = s.value.at;
        name.text = kTaken;
        Node zero;
        zero.kind = NodeKind::Int;
        zero.at = s.value.at;
        zero.text = "0";
        Statement& line = made_lines_.emplace_back(s);
        line.value = Node{};
        line.value.kind = NodeKind::Subscript;
        line.value.at = s.value.at;
        line.value.items = {name, zero};
        lines.push_back(&line);
    }
    lines.insert(lines.end(), rest.begin(), rest.end());
    return ctx_.stmt(Allocate{cell, bind_after(call, lines)});
}

}  // namespace proviso::ir
