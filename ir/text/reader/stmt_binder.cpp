#include "ir/text/reader/stmt_binder.h"

#include <algorithm>

#include "ir/text/reader/expressions/foreign.h"
#include "ir/text/spelling.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

std::vector<const Statement*> pointers(const std::vector<Statement>& lines) {
    std::vector<const Statement*> out;
    out.reserve(lines.size());
    for (const Statement& s : lines) out.push_back(&s);
    return out;
}

// `T.bind(3, var=x)`, `T.launch_thread(tx, 32)`: bind what follows without an assignment.
bool binds_by_call(const Node& node) {
    return makes_buffer(node) || is_launch(node) || node.is_call_of("T.bind") ||
           node.is_call_of("T.LetStmt");
}

}  // namespace

bool makes_buffer(const Node& node) {
    for (const char* name :
         {"T.alloc_buffer", "T.sblock_alloc_buffer", "T.decl_buffer", "T.allocate", "T.Buffer",
          "T.buffer_decl", "T.alloc_local", "T.alloc_shared", "T.allocate_const"}) {
        if (node.is_call_of(name)) return true;
    }
    return false;
}

Stmt StmtBinder::bind_body(const std::vector<Statement>& lines) {
    const bool was_top = std::exchange(top_, false);
    const auto list = pointers(lines);
    Stmt out = bind_list(list);
    top_ = was_top;
    return out;
}

Stmt StmtBinder::bind_function_body(const std::vector<Statement>& lines) {
    top_ = true;
    auto list = pointers(lines);
    const bool doc = !list.empty() && list[0]->is(StatementKind::Expression) &&
                     list[0]->value.is(NodeKind::String);
    Stmt out = bind_list(Lines(list).subspan(doc ? 1 : 0));
    finish_hints();
    for (const OwnMemory& own : parameter_views_) out = without_view(out, own);
    return out;
}

Stmt StmtBinder::bind_list(Lines lines) {
    const std::size_t mark = names_.mark();
    ++bodies_;
    names_.enter();
    Stmt out = bind_rest(lines);
    names_.leave();
    --bodies_;
    names_.release(mark);
    return out;
}

Stmt StmtBinder::bind_rest(Lines lines) {
    const std::size_t facts = facts_.size();
    std::vector<Stmt> parts;
    const Before here{std::exchange(joined_, nullptr), &parts};
    const Before* outside = std::exchange(before_, &here);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Statement& s = *lines[i];
        const bool takes = takes_result(s);
        if (takes || binds_the_rest(s)) {
            if (++depth_ > python::kMaxStatements) {
                wrong(s, "more than " + std::to_string(python::kMaxStatements) +
                             " loops and bindings are inside each other");
            }
            const Lines rest = lines.subspan(i + 1);
            parts.push_back(takes ? bind_taken_result(s, rest) : bind_binding(s, rest));
            --depth_;
            break;
        }
        if (python::leaving(s).exits.any()) {
            parts.push_back(bind_leaving(s, lines.subspan(i + 1)));
            break;
        }
        if (Stmt part = bind_line(s)) parts.push_back(part);
    }
    before_ = outside;
    forget_facts(facts);
    return ctx_.seq(parts);
}

Stmt StmtBinder::bind_after(Stmt first, Lines rest) {
    std::vector<Stmt> stores;
    if (first != nullptr) stores.push_back(first);
    const Before here{before_, &stores};
    joined_ = &here;
    Stmt body = bind_rest(rest);
    return first == nullptr ? body : ctx_.seq({first, body});
}

bool StmtBinder::binds_the_rest(const Statement& s) const {
    if (s.is(StatementKind::Expression)) return binds_by_call(s.value);
    const bool assigns = s.is(StatementKind::Assign) || s.is(StatementKind::AnnotatedAssign);
    if (!assigns || s.target.is(NodeKind::Subscript)) return false;
    if (is_head_line(s) || is_declaration(s) || stores_scalar(s)) return false;
    return s.value.items.empty() || s.value.items[0].dotted().rfind("T.axis.", 0) != 0;
}

Stmt StmtBinder::bind_binding(const Statement& s, Lines rest) {
    if (makes_buffer(s.value) && !s.target) {
        const std::string name = s.value.items[0].dotted();
        wrong(s, "`" + name + "` needs a name",
              s.is(StatementKind::With) ? "with " + name + "(…) as X:" : "X = " + name + "(…)");
    }
    if (is_view(s.value)) return bind_view(s, rest);
    if (makes_buffer(s.value)) return bind_allocation(s, rest);
    if (is_memory_hint(s.value)) return bind_memory_hint(s, rest);
    if (is_loop_hint(s.value)) return bind_loop_hint(s, rest);
    if (is_local_annotation(s.annotation)) return bind_local(s, rest);
    if (is_launch(s.value)) return bind_launch(s, rest);
    return bind_let(s, rest);
}

Stmt StmtBinder::bind_line(const Statement& s) {
    switch (s.kind) {
        case StatementKind::Expression: return bind_call_line(s);
        case StatementKind::Assign:
        case StatementKind::AnnotatedAssign: return bind_assign(s);
        case StatementKind::AugmentedAssign: return bind_store(s);
        case StatementKind::For: return bind_for(s);
        case StatementKind::If: {
            Expr cond = bind_truth(s.value, "the condition of `if`");
            Stmt then_body = bind_branch(cond, true, [&] { return bind_body(s.body); });
            Stmt else_body = nullptr;
            if (!s.otherwise.empty()) {
                else_body = bind_branch(cond, false, [&] { return bind_body(s.otherwise); });
            }
            return ctx_.if_(cond, then_body, else_body);
        }
        case StatementKind::With: return bind_with(s);
        case StatementKind::Assert: {
            Expr cond = bind_truth(s.value, "the condition of `assert`");
            note_facts(cond, true);
            return ctx_.stmt(Assert{cond, assert_message(s.annotation)});
        }
        case StatementKind::Pass: return ctx_.pass();
        case StatementKind::While: return bind_while(s);
        case StatementKind::Break:
        case StatementKind::Continue:
        case StatementKind::Return: return bind_leaving(s, {});
        case StatementKind::Import: wrong(s, "an import cannot stand in a function");
        case StatementKind::Function:
            if (s.decorators.empty()) wrong(s, "a function cannot stand in a function");
            no_meaning(s, "a function in a function has no meaning here");
        case StatementKind::Class: wrong(s, "a class cannot stand in a function");
    }
    wrong(s, "this statement is not supported");
}

// An integer is taken when it is not 0, as TVM's code does it.
Expr StmtBinder::bind_truth(const Node& node, const std::string& what) {
    Expr e = exprs_.bind(node);
    if (e->type.is_int()) {
        e = is_int_const(e) ? ctx_.bool_imm(e->int_value() != 0)
                            : ctx_.ne(e, ctx_.int_imm(e->type, 0));
    }
    if (!e->type.is_bool()) {
        wrong(node, what + " must be bool, not " + e->type.str(), "compare with 0: `x != 0`");
    }
    require_definite(e, node, what);
    return e;
}

namespace {

// The strings of a list, one after the other; nullopt when something else is among them.
std::optional<std::string> joined(const Node& parts) {
    if (parts.is(NodeKind::String)) return parts.text;
    if (!parts.is(NodeKind::List) && !parts.is(NodeKind::Tuple)) return std::nullopt;
    std::string out;
    for (const Node& part : parts.items) {
        if (!part.is(NodeKind::String)) return std::nullopt;
        out += part.text;
    }
    return out;
}

}  // namespace

// "text", ["parts of ", "a text"], or TVM's ("ValueError", [parts]): the kind of the error is a
// part of what the caller sees, so it is put before the text, but for the usual "RuntimeError".
std::string StmtBinder::assert_message(const Node& node) const {
    if (!node) return {};
    const bool with_kind =
        node.is(NodeKind::Tuple) && node.items.size() == 2 && node.items[0].is(NodeKind::String);
    const auto text = joined(with_kind ? node.items[1] : node);
    if (!text) {
        wrong(node, "the message of an assert is a string",
              "or the kind of the error and its parts: (\"ValueError\", [\"n is \", \"odd\"])");
    }
    if (!with_kind || node.items[0].text == "RuntimeError") return *text;
    return node.items[0].text + ": " + *text;
}

void StmtBinder::require_definite(Expr e, const Node& node, const std::string& what) const {
    if (!is_always_indeterminate(e)) return;
    wrong(node, what + " is always indeterminate", "T.undef() has no value to decide by");
}

// A call as a line of its own.
Stmt StmtBinder::bind_call_line(const Statement& s) {
    const Node& call = s.value;
    if (!call.is(NodeKind::Call)) {
        wrong(s, "this line has no effect", "evaluate it for its faults: T.evaluate(…)");
    }
    const std::string name = call.items[0].dotted();
    if (name == "T.evaluate") {
        check_arguments(exprs_.source(), call, 1, 1, {});
        const Node& value = call.items[1];
        if (value.is_call_of("T.assume")) {
            Statement inner;
            inner.kind = StatementKind::Expression;
            inner.at = s.at;
            inner.value = value;
            return bind_call_line(inner);
        }
        return ctx_.stmt(Evaluate{exprs_.bind(value)});
    }
    if (name == "T.assume") {
        check_arguments(exprs_.source(), call, 1, 2, {"dtype"});
        const Node* type = argument(call, 1, "dtype");
        if (call.items.size() > 2 && type->is(NodeKind::String) && !ScalarType::parse(type->text)) {
            wrong(*type, "an assumption has no message", "`assert c, \"message\"` has one");
        }
        if (type != nullptr && exprs_.bind_type(*type) != kBool)
            wrong(*type, "an assumption is bool");
        const Node& cond = call.items[1];
        Expr e = exprs_.bind(cond);
        if (!e->type.is_bool()) {
            wrong(cond, "an assumption must be bool, not " + e->type.str());
        }
        if (!is_usable_assumption(e)) {
            wrong(cond, "this assumption is always indeterminate",
                  "permission to read is written `p or A[i] == T.undef()`");
        }
        note_facts(e, true);
        return ctx_.stmt(Assume{e});
    }
    if (is_head_line(s)) {
        bind_head_line(s);
        return nullptr;
    }
    if (is_vector_store(s)) return bind_vector_store(s);
    if (Stmt body = bind_function_call(s)) return body;
    for (const char* line : {"T.where", "T.reads", "T.writes", "T.block_attr", "T.sblock_attr"}) {
        if (name != line) continue;
        wrong(s, "`" + name + "` stands before the body of a block");
    }
    if (name == "T.func_attr") wrong(s, "`T.func_attr` stands at the top of a function");
    static const std::vector<std::string> known = {
        "T.evaluate", "T.assume", "T.where", "T.reads", "T.writes", "T.func_attr", "T.call_extern"};
    const std::string near = is_foreign_name(name) ? "" : nearest_name(name, known);
    if (!near.empty() && near != name) {
        wrong(s, "`" + name + "` is not supported", "did you mean `" + near + "`?");
    }
    return ctx_.stmt(Evaluate{exprs_.bind(call)});
}

// Assignments that do not bind the rest of their list.
Stmt StmtBinder::bind_assign(const Statement& s) {
    if (is_head_line(s)) {
        bind_head_line(s);
        return nullptr;
    }
    if (is_declaration(s)) {
        bind_declarations(s);
        return nullptr;
    }
    const bool cell = s.target.is(NodeKind::Subscript) && s.is(StatementKind::Assign);
    if (cell || stores_scalar(s)) return bind_store(s);
    wrong(s, s.target.is(NodeKind::Subscript) ? "a store has no annotation"
                                              : "block iterators stand before the body of a block");
}

Stmt StmtBinder::bind_with(const Statement& s) {
    const Node& call = s.value;
    const std::string name = call.is(NodeKind::Call) ? call.items[0].dotted() : "";
    if (name == "T.block" || name == "T.sblock") return bind_block(s);
    if (name == "T.let" || binds_by_call(call)) {
        const bool was_top = std::exchange(top_, false);
        names_.enter();
        Stmt out = bind_binding(s, pointers(s.body));
        names_.leave();
        top_ = was_top;
        return out;
    }
    if (name == "T.init") wrong(s, "`T.init` stands before the body of a block");
    if (name == "T.Assert") {  // with T.Assert(cond, "message"): body
        check_arguments(exprs_.source(), call, 2, 2, {});
        Statement check;
        check.kind = StatementKind::Assert;
        check.at = s.at;
        check.value = call.items[1];
        check.annotation = call.items[2];
        return ctx_.seq({bind_line(check), bind_body(s.body)});
    }
    if (name == "T.While") {  // with T.While(cond): body
        check_arguments(exprs_.source(), call, 1, 1, {});
        Statement& loop = made_lines_.emplace_back(s);
        loop.kind = StatementKind::While;
        loop.value = Node(call.items[1]);
        return bind_while(loop);
    }
    if (name.empty()) wrong(call, "`with` needs a call of `T`, such as T.block(\"name\")");
    if (is_foreign_name(name)) no_meaning(call, "`with " + name + "(…)` has no meaning here");
    wrong(call, "`with " + name + "(…)` is not supported",
          suggest(name, {"T.block", "T.sblock", "T.LetStmt", "T.let", "T.decl_buffer", "T.allocate",
                         "T.init", "T.Assert", "T.launch_thread", "T.attr"}));
}

}  // namespace proviso::ir
