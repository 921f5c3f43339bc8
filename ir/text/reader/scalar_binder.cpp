// Scalars that change. Since TVM 0.27, `x: T.int32 = v` and the first `x = v` of a list declare a
// buffer of shape (1,) in the scope "local", a later `x = w` stores to it, and `x` is its cell. So
// here, where lines after the declaration change it in a body of their own:
//
//     acc: T.float32 = T.float32(0)    is    acc = T.alloc_buffer((1,), "float32", scope="local")
//     for k in range(4):                     acc[0] = T.float32(0)
//         acc = acc + A[k]                   for k in range(4):
//     B[0] = acc                                 acc[0] = acc[0] + A[k]
//                                            B[0] = acc[0]
//
// Where only lines of the same list do, each is a let of its own, which means the same.
#include <algorithm>

#include "ir/text/reader/stmt_binder.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

bool is_one_cell(Buffer buffer) {
    return buffer->rank() == 1 && is_int_const(buffer->shape[0], 1);
}

bool is_let_annotation(const Node& annotation) {
    const bool typed = annotation.is(NodeKind::Subscript) && annotation.items.size() == 2;
    return (typed ? annotation.items[0] : annotation).dotted() == "T.let";
}

bool is_scalar_value(const Node& value) {
    if (makes_buffer(value) || is_view(value) || is_launch(value) || is_free_variable(value)) {
        return false;
    }
    if (!value.is(NodeKind::Call)) return !value.is(NodeKind::Tuple);
    const std::string name = value.items[0].dotted();
    return name != "T.bind" && name != "T.LetStmt" && name != "T.env_thread" &&
           name != "T.match_buffer" && name != "T.let" && name.rfind("T.axis.", 0) != 0;
}

namespace {

bool names(const Node& target, const std::string& name) {
    if (target.is(NodeKind::Name)) return target.text == name;
    if (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List)) return false;
    return std::any_of(target.items.begin(), target.items.end(),
                       [&](const Node& item) { return names(item, name); });
}

bool changes_inside(const std::string& name, const Statement& s);

// Whether a list that stands inside of the name's own one changes it.
bool changes(const std::string& name, const std::vector<Statement>& lines) {
    for (const Statement& s : lines) {
        const bool assigns = names(s.target, name);
        // From here to the end of this list, the name is another one's.
        if (assigns && s.is(StatementKind::AnnotatedAssign)) return false;
        if (assigns && s.is(StatementKind::AugmentedAssign)) return true;
        if (assigns && s.is(StatementKind::Assign)) {
            return s.target.is(NodeKind::Name) && is_scalar_value(s.value);
        }
        if (changes_inside(name, s)) return true;
    }
    return false;
}

bool changes_inside(const std::string& name, const Statement& s) {
    switch (s.kind) {
        case StatementKind::For:
        case StatementKind::With:
            if (names(s.target, name)) return false;
            [[fallthrough]];
        case StatementKind::If:
        case StatementKind::While: return changes(name, s.body) || changes(name, s.otherwise);
        default: return false;
    }
}

}  // namespace

bool is_changed(const std::string& name, StmtBinder::Lines rest) {
    for (const Statement* s : rest) {
        const bool assigns = s->target.is(NodeKind::Name) && s->target.text == name;
        if (assigns && s->is(StatementKind::AnnotatedAssign)) return false;
        if (assigns && s->is(StatementKind::AugmentedAssign)) return true;
        if (assigns && s->is(StatementKind::Assign) && !is_scalar_value(s->value)) return false;
        if (changes_inside(name, *s)) return true;
    }
    return false;
}

// The buffer of one cell that the name stands for; null for other names.
Buffer StmtBinder::scalar_named(const Node& node) const {
    const NameEntry* entry = node.is(NodeKind::Name) ? names_.find(node.text) : nullptr;
    if (entry == nullptr || entry->buffer == nullptr || !is_one_cell(entry->buffer)) return nullptr;
    return exprs_.is_vector(entry->buffer, ExprBinder::VectorKind::Variable) ? nullptr
                                                                             : entry->buffer;
}

// `x = v`, where `x` is a buffer of one cell.
bool StmtBinder::stores_scalar(const Statement& s) const {
    return s.is(StatementKind::Assign) && is_scalar_value(s.value) &&
           scalar_named(s.target) != nullptr;
}

// `value` is null where the scalar gets none yet.
Stmt StmtBinder::bind_scalar(const Node& target, ScalarType type, Expr value, Lines rest) {
    if (!target.is(NodeKind::Name))
        wrong(target, "a name is expected here", "one name a line: `x = …`");
    const std::size_t mark = names_.mark();
    Buffer cell = ctx_.buffer(names_.unique(target.text), type, {ctx_.i32(1)}, "local");
    names_.bind(target.text, NameEntry{nullptr, cell});
    scalars_.insert(cell);
    Stmt body =
        bind_after(value == nullptr ? nullptr : ctx_.store(cell, {ctx_.i32(0)}, value), rest);
    names_.release(mark);
    return ctx_.stmt(Allocate{cell, body});
}

}  // namespace proviso::ir
