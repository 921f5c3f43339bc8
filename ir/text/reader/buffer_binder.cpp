// Shapes and declarations of buffers, and allocations.
#include <algorithm>

#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/placement.h"
#include "ir/text/reader/python/quoted.h"
#include "ir/text/reader/stmt_binder.h"
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
    if (!next.is(StatementKind::Assign) || !is_view(next.value)) return false;
    for (const python::Keyword& k : next.value.keywords) {
        if (k.name == "data") return k.value.dotted() == data || k.value.dotted() == data + ".data";
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

// A buffer of its own: memory from its start.
BufferDeclaration StmtBinder::bind_declaration(const Node& call, std::size_t first) {
    BufferDeclaration out = read_declaration(call, first);
    require_own_memory(out);
    return out;
}

void StmtBinder::require_own_memory(const BufferDeclaration& out) {
    if (out.data != nullptr) {
        wrong(*out.data, "`data` of this buffer is not supported",
              "views are made by T.decl_buffer(shape, dtype, data=A.data) in a body");
    }
    if (out.elem_offset != nullptr && !is_int_const(bind_offset(*out.elem_offset), 0)) {
        wrong(*out.elem_offset, "a buffer of its own starts at 0", "leave `elem_offset` out");
    }
}

BufferDeclaration StmtBinder::read_declaration(const Node& call, std::size_t first) {
    const bool allocate = call.is_call_of("T.allocate");
    std::vector<std::string> keywords = {
        "shape",       "dtype",           "scope",       "data",
        "strides",     "elem_offset",     "align",       "offset_factor",
        "buffer_type", "axis_separators", "annotations", "layout"};
    if (allocate) keywords = {"extents", "dtype", "scope", "condition", "annotations"};
    if (call.items.size() > first + 4) {
        wrong(call.items[first + 4], "what follows the scope is given by keywords");
    }
    check_arguments(exprs_.source(), call, first + 1, first + 3 + keywords.size(), keywords);
    BufferDeclaration out;
    if (call.is_call_of("T.alloc_local")) out.scope = "local";
    if (call.is_call_of("T.alloc_shared")) out.scope = "shared";
    out.placed_by_use = call.is_call_of("T.sblock_alloc_buffer");
    const Node* shape = argument(call, first, allocate ? "extents" : "shape");
    if (shape == nullptr) wrong(call, "a buffer needs a shape");
    bind_shape(*shape, out);
    if (const Node* type = argument(call, first + 1, "dtype")) {
        if (const auto vector = ExprBinder::vector_type(*type); vector && vector->second > 1) {
            std::tie(out.type, out.lanes) = *vector;
            out.shape.push_back(ctx_.i32(out.lanes));
        } else {
            out.type = exprs_.bind_type(*type);
        }
    }
    const Node* third = argument(call, first + 2, "scope");
    const bool by_place = call.items.size() == first + 4;
    if (by_place && !allocate && !third->is(NodeKind::String)) {
        out.data = third;
    } else if (third != nullptr) {
        if (!third->is(NodeKind::String)) wrong(*third, "a scope is a string");
        if (!third->text.empty() && !is_buffer_scope(third->text)) {
            wrong(*third, "scope \"" + third->text + "\" is not a name",
                  "scopes are \"global\", \"shared\", \"local\", \"wmma.matrix_a\", …");
        }
        if (!third->text.empty()) out.scope = third->text;  // "" is TVM's "global"
        out.scope_at = third;
    }
    for (const python::Keyword& k : call.keywords) bind_buffer_fact(k, out);
    if (out.strides != nullptr) {
        const bool typed = !out.shape.empty() && out.shape[0]->type == kInt64;
        out.strides = with_quoted_strides(*out.strides, typed ? kInt64 : kInt32);
    }
    const auto size = constant_size(out.shape);
    const bool constant =
        std::all_of(out.shape.begin(), out.shape.end(), [](Expr e) { return e->op == Op::IntImm; });
    if (constant && (!size || *size * out.type.bytes() > kMaxBufferBytes)) {
        wrong(*shape, "this buffer is larger than 2**47 bytes");
    }
    return out;
}

void StmtBinder::bind_shape(const Node& written, BufferDeclaration& out) {
    const auto parts = exprs_.parts_of_shape(written);
    const Node& shape = with_shapes(written);
    const bool is_list = shape.is(NodeKind::Tuple) || shape.is(NodeKind::List);
    std::vector<const Node*> extents;
    if (parts || is_list) {
        for (const Node& e : parts ? *parts : shape.items) extents.push_back(&e);
    } else {
        extents.push_back(&shape);
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
}

// What a declaration says besides shape, type and scope. How memory is aligned says nothing about
// the values of its cells, so that is dropped.
void StmtBinder::bind_buffer_fact(const python::Keyword& k, BufferDeclaration& out) const {
    const bool none = k.value.is(NodeKind::Constant) && k.value.text == "None";
    const bool empty = none || ((k.value.is(NodeKind::List) || k.value.is(NodeKind::Tuple) ||
                                 k.value.is(NodeKind::Dict)) &&
                                k.value.items.empty());
    if (k.name == "data" && !none) out.data = &k.value;
    if (k.name == "strides" && !empty) out.strides = &k.value;
    if (k.name == "elem_offset" && !none) out.elem_offset = &k.value;
    const bool alignment = k.name == "align" || k.name == "offset_factor";
    if (alignment && !k.value.is(NodeKind::Int) &&
        !(k.value.is(NodeKind::Unary) && k.value.items[0].is(NodeKind::Int))) {
        wrong(k.value, "`" + k.name + "` is a number");
    }
    if (k.name == "buffer_type" &&
        !(k.value.is(NodeKind::String) && (k.value.text.empty() || k.value.text == "default"))) {
        no_meaning(k.value, "only buffers of type \"default\" have a meaning here",
                   "a buffer that broadcasts is written as one of the shape it has");
    }
    if (k.name == "axis_separators" && !empty) {
        no_meaning(k.value, "memory of several dimensions has no meaning here");
    }
    if (k.name == "annotations") out.annotations = &k.value;
    if (k.name == "layout" && !none)
        no_meaning(k.value, "a layout of a buffer has no meaning here");
    const bool always = k.name == "condition" && is_true(exprs_.bind(k.value, kBool));
    if (k.name == "condition" && !always) {
        wrong(k.value, "memory is always allocated", "put the lines that need it under `if`");
    }
}

// The strides of a declaration; none when they are the compact ones.
std::vector<Expr> StmtBinder::bind_strides(const BufferDeclaration& declared) {
    const Node& list = *declared.strides;
    if (!list.is(NodeKind::List) && !list.is(NodeKind::Tuple)) {
        wrong(list, "a list of strides is expected here");
    }
    const std::size_t rank = declared.shape.size() - (declared.lanes > 1 ? 1 : 0);
    if (list.items.size() != rank) {
        wrong(list, std::to_string(list.items.size()) + " strides, but " + std::to_string(rank) +
                        " dimensions");
    }
    const std::vector<Expr> compact = compact_strides(ctx_, declared.shape);
    std::vector<Expr> out;
    bool same = true;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        Expr e = exprs_.bind_int(list.items[i], "a stride", declared.shape[i]->type);
        require_fixed(e, list.items[i], "a stride");
        if (declared.lanes > 1) e = times(ctx_, e, ctx_.i32(declared.lanes));
        // With one cell in a dimension its stride says nothing.
        same = same && (same_value(e, compact[i]) || is_int_const(declared.shape[i], 1));
        out.push_back(e);
    }
    if (declared.lanes > 1) out.push_back(ctx_.i32(1));
    return same ? std::vector<Expr>{} : out;
}

// Each as the program says it, of a buffer that is no window.
std::vector<Expr> StmtBinder::bind_said_strides(const BufferDeclaration& declared) {
    std::vector<Expr> out;
    if (declared.strides == nullptr) return out;
    const std::vector<Node>& list = declared.strides->items;
    for (std::size_t i = 0; i < list.size(); ++i) {
        out.push_back(exprs_.bind_int(list[i], "a stride", declared.shape[i]->type));
    }
    return out;
}

// Strides that are strings declare variables: strides=("s0",).
const Node* StmtBinder::with_quoted_strides(const Node& strides, ScalarType type) {
    const bool quoted = std::any_of(strides.items.begin(), strides.items.end(),
                                    [](const Node& n) { return n.is(NodeKind::String); });
    if (!quoted) return &strides;
    Node& out = made_.emplace_back(strides);
    for (Node& item : out.items) {
        if (!item.is(NodeKind::String)) continue;
        const auto inner = python::quoted_expression(item);
        if (!inner || !inner->is(NodeKind::Name)) {
            wrong(item, "a stride in quotes is a name", "write expressions without quotes");
        }
        item = *inner;
        Declared variable{nullptr, item.at, "", head_ != nullptr && top_, false};
        variable.var = declare_var(item, type);
        declared_.push_back(variable);
    }
    return &out;
}

Expr StmtBinder::bind_offset(const Node& node) {
    Expr e = exprs_.bind_int(node, "an offset");
    require_fixed(e, node, "an offset");
    return e;
}

// One value wherever the buffer is in scope.
void StmtBinder::require_fixed(Expr e, const Node& node, const std::string& what) const {
    if (is_plain_term(e)) return;
    wrong(node, what + " is read from memory or a call", "bind it to a name first");
}

Stmt StmtBinder::allocate(const Node& target, const BufferDeclaration& declared,
                          const std::function<Stmt(Buffer)>& body) {
    if (!target.is(NodeKind::Name)) wrong(target, "a name is expected here");
    const std::size_t mark = names_.mark();
    const OwnMemory own = bind_own_memory(target.text, declared);
    Annotations annotations;
    if (declared.annotations != nullptr) {
        annotations = bind_annotations(exprs_, *declared.annotations);
    }
    Stmt inner = without_view(body(own.memory), own);
    take_hints(own.memory, target, annotations);
    names_.release(mark);
    if (declared.placed_by_use) {
        return allocated_where_used(ctx_, own.memory, inner, annotations);
    }
    return ctx_.stmt(Allocate{own.memory, inner, std::move(annotations)});
}

bool is_local_annotation(const Node& annotation) {
    if (!annotation.is(NodeKind::Subscript)) return false;
    const std::string name = annotation.items[0].dotted();
    return name.rfind("T.", 0) == 0 && ScalarType::parse(name.substr(2)).has_value();
}

// x: T.int32[4, 8] is T.alloc_local((4, 8), "int32").
Stmt StmtBinder::bind_local(const Statement& s, Lines rest) {
    const Node& annotation = s.annotation;
    if (s.value) wrong(s.value, "a buffer has no first value", "store to its cells");
    const auto part = [&](NodeKind kind, const std::string& text) {
        Node out;
        out.kind = kind;
        out.at = annotation.at;
        out.text = text;
        return out;
    };
    Node callee = part(NodeKind::Attribute, "alloc_local");
    callee.items.push_back(part(NodeKind::Name, "T"));
    Node shape = part(NodeKind::Tuple, "");
    shape.items.assign(annotation.items.begin() + 1, annotation.items.end());
    Node call = part(NodeKind::Call, "");
    call.items = {callee, shape, part(NodeKind::String, annotation.items[0].dotted().substr(2))};
    const Node& made = made_.emplace_back(std::move(call));
    return allocate(s.target, bind_declaration(made, 0), [&](Buffer) { return bind_rest(rest); });
}

Stmt StmtBinder::bind_allocation(const Statement& s, Lines rest) {
    const Node& call = s.value;
    const std::string name = call.items[0].dotted();
    if (s.is(StatementKind::AnnotatedAssign))
        wrong(s.annotation, "a buffer has no annotation here");
    if (name == "T.Buffer" || name == "T.buffer_decl") {
        wrong(s, "`" + name + "` makes no memory",
              "T.alloc_buffer(shape, dtype) does; a view says whose cells it has: data=A.data");
    }
    if (name == "T.allocate_const") return bind_constants(s, rest);
    const BufferDeclaration declared = bind_declaration(call, 0);
    if (name != "T.allocate") {
        return allocate(s.target, declared, [&](Buffer) { return bind_rest(rest); });
    }
    return bind_memory(s, declared, rest, {});
}

// T.allocate, and what fills the memory before the rest of the list, if anything does.
Stmt StmtBinder::bind_memory(const Statement& s, const BufferDeclaration& declared, Lines rest,
                             const Filling& filling) {
    const auto filled = [&](const Node& name, Buffer buffer, const std::function<Stmt()>& bind) {
        if (!filling) return bind();
        Stmt first = filling(name, buffer);
        return ctx_.seq({first, bind()});
    };
    // The memory of T.allocate is a buffer of one dimension, and other buffers may look at it. When
    // the next line gives all of it a shape, the allocation has that shape, and its own name is
    // the view.
    if (const auto shaped = shape_of_memory(s, declared, rest)) {
        const Node& name = rest[0]->target;
        return allocate(name, *shaped, [&](Buffer buffer) {
            return filled(name, buffer, [&] {
                return bind_cells_view(s.target, declared, buffer, rest.subspan(1), true);
            });
        });
    }
    return allocate(s.target, declared, [&](Buffer buffer) {
        pointers_.insert(buffer);
        return filled(s.target, buffer, [&] { return bind_rest(rest); });
    });
}

// What the line after T.allocate declares, when that is the whole of the memory.
std::optional<BufferDeclaration> StmtBinder::shape_of_memory(const Statement& s,
                                                             const BufferDeclaration& memory,
                                                             Lines rest) {
    const bool named = s.target.is(NodeKind::Name);
    if (!named || rest.empty() || !shapes_memory(*rest[0], s.target.text)) return std::nullopt;
    BufferDeclaration shaped = read_declaration(rest[0]->value, 0);
    const bool compact = shaped.elem_offset == nullptr &&
                         (shaped.strides == nullptr || bind_strides(shaped).empty());
    const auto size = constant_size(memory.shape);
    if (!compact || !size || size != constant_size(shaped.shape) || shaped.type != memory.type) {
        return std::nullopt;
    }
    check_scope_of_view(shaped, memory.scope);
    shaped.scope = memory.scope;
    shaped.annotations = memory.annotations;
    return shaped;
}

}  // namespace proviso::ir
