// Shapes and declarations of buffers, and allocations.
#include <algorithm>

#include "ir/text/spelling.h"
#include "ir/text/stmt_binder.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

// T.allocate gives flat memory, and the line after it may give that memory its shape:
//     p = T.allocate([16], "float32", "global")
//     X = T.decl_buffer((4, 4), "float32", data=p)
// True when `next` is such a line for the name `data`.
bool shapes_memory(const Statement& next, const std::string& data) {
    if (!next.is(StatementKind::Assign) || !next.value.is(NodeKind::Call)) return false;
    const std::string name = next.value.items[0].dotted();
    if (name != "T.decl_buffer" && name != "T.Buffer") return false;
    for (const python::Keyword& k : next.value.keywords) {
        if (k.name == "data") return k.value.dotted() == data;
    }
    return false;
}

std::optional<Int128> constant_size(const std::vector<Expr>& shape) {
    Int128 size = 1;
    for (Expr e : shape) {
        if (e->op != Op::IntImm) return std::nullopt;
        size *= e->int_value();
        if (size > kMaxBufferBytes) return std::nullopt;
    }
    return size;
}

}  // namespace

BufferDeclaration StmtBinder::bind_declaration(const Node& call, std::size_t first) {
    for (const python::Keyword& k : call.keywords) {
        for (const char* word : {"data", "strides", "elem_offset", "align", "offset_factor",
                                 "buffer_type", "axis_separators"}) {
            if (k.name != word) continue;
            exprs_.wrong(k.at, "`" + k.name + "` of a buffer is not supported",
                         "buffers are row-major memory of their own; leave it out");
        }
    }
    check_arguments(exprs_.source(), call, first + 1, first + 3, {"shape", "dtype", "scope"});
    BufferDeclaration out;
    const Node* shape = argument(call, first, "shape");
    if (shape == nullptr) wrong(call, "a buffer needs a shape");
    const bool is_list = shape->is(NodeKind::Tuple) || shape->is(NodeKind::List);
    std::vector<const Node*> extents;
    if (is_list) {
        for (const Node& e : shape->items) extents.push_back(&e);
    } else {
        extents.push_back(shape);
    }
    for (const Node* node : extents) {
        Expr e = exprs_.bind_int(*node, "an extent");
        if (!e->type.is_exact_int()) {
            wrong(*node, "an extent must be int32 or int64, not " + e->type.str());
        }
        if (is_int_const(e) && e->int_value() < 0) wrong(*node, "an extent is negative");
        require_definite(e, *node, "this extent");
        out.shape.push_back(e);
    }
    if (const Node* type = argument(call, first + 1, "dtype")) out.type = exprs_.bind_type(*type);
    if (const Node* scope = argument(call, first + 2, "scope")) {
        if (!scope->is(NodeKind::String)) wrong(*scope, "a scope is a string");
        if (!is_buffer_scope(scope->text)) {
            wrong(*scope, "scope \"" + scope->text + "\" is not supported",
                  suggest(scope->text, buffer_scopes(), "scopes are global, shared and local"));
        }
        out.scope = scope->text;
    }
    const auto size = constant_size(out.shape);
    const bool constant =
        std::all_of(out.shape.begin(), out.shape.end(), [](Expr e) { return e->op == Op::IntImm; });
    if (constant && (!size || *size * out.type.bytes() > kMaxBufferBytes)) {
        wrong(*shape, "this buffer is larger than 2**47 bytes");
    }
    return out;
}

Stmt StmtBinder::allocate(const Node& target, const BufferDeclaration& declared, Lines body) {
    if (!target.is(NodeKind::Name)) wrong(target, "a name is expected here");
    const std::size_t mark = names_.mark();
    Buffer buffer =
        ctx_.buffer(names_.unique(target.text), declared.type, declared.shape, declared.scope);
    names_.bind(target.text, NameEntry{nullptr, buffer});
    Stmt inner = bind_rest(body);
    names_.release(mark);
    return ctx_.stmt(Allocate{buffer, inner});
}

Stmt StmtBinder::bind_allocation(const Statement& s, Lines rest) {
    const Node& call = s.value;
    const std::string name = call.items[0].dotted();
    if (s.is(StatementKind::AnnotatedAssign))
        wrong(s.annotation, "a buffer has no annotation here");
    if (name == "T.Buffer") {
        wrong(s, "`T.Buffer` makes no memory", "T.alloc_buffer(shape, dtype) does");
    }
    const BufferDeclaration declared = bind_declaration(call, 0);
    const bool flat = name == "T.allocate" && s.target.is(NodeKind::Name) && !rest.empty() &&
                      shapes_memory(*rest[0], s.target.text);
    if (!flat) return allocate(s.target, declared, rest);
    Node call_of_shape = rest[0]->value;
    std::erase_if(call_of_shape.keywords,
                  [](const python::Keyword& k) { return k.name == "data"; });
    BufferDeclaration shaped = bind_declaration(call_of_shape, 0);
    const auto size = constant_size(declared.shape);
    const auto shaped_size = constant_size(shaped.shape);
    if (!size || size != shaped_size || shaped.type != declared.type) {
        wrong(*rest[0], "`" + rest[0]->target.text + "` is not the whole of `" + s.target.text +
                            "`: element type and constant size must be the same");
    }
    shaped.scope = declared.scope;
    return allocate(rest[0]->target, shaped, rest.subspan(1));
}

}  // namespace proviso::ir
