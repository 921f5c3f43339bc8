// Views of buffers in a body. They last to the end of their list, and are gone when it is read: see
// view_map.h.
//     X = T.decl_buffer((4, 4), "float32", data=A.data)        other indices for A's cells
//     X = T.Buffer((4,), "float32", data=A.data, elem_offset=8)
//     X = T.match_buffer(A[4:8, 0:4], (4, 4))                  a window of A, in a block
//     X = A.view(4, -1)                                        all cells of A in another shape
#include <algorithm>

#include "ir/children.h"
#include "ir/text.h"
#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/stmt_binder.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

bool is_reshape(const Node& call) {
    return call.is(NodeKind::Call) && call.items[0].is(NodeKind::Attribute) &&
           call.items[0].text == "view" && call.items[0].items[0].is(NodeKind::Name) &&
           call.items[0].items[0].text != "T";
}

// "64 cells", "n * 16 cells"
std::string cells_of(std::span<const Expr> shape) {
    if (const auto number = number_of_cells(shape)) {
        return int128_text(*number) + (*number == 1 ? " cell" : " cells");
    }
    std::string out;
    for (Expr e : shape) out += (out.empty() ? "" : " * ") + print(e);
    return out + " cells";
}

}  // namespace

bool is_view(const Node& call) {
    if (is_reshape(call)) return true;
    if (call.is_call_of("T.match_buffer")) {
        return call.items.size() > 1 && call.items[1].is(NodeKind::Subscript);
    }
    const bool declares = call.is_call_of("T.decl_buffer") || call.is_call_of("T.Buffer") ||
                          call.is_call_of("T.buffer_decl");
    if (!declares) return false;
    const Node* data = argument(call, 2, "data");
    return data != nullptr && !data->is(NodeKind::String) && !data->is(NodeKind::Constant);
}

Stmt StmtBinder::bind_view(const Statement& s, Lines rest) {
    if (s.is(StatementKind::AnnotatedAssign)) {
        wrong(s.annotation, "a buffer has no annotation here");
    }
    if (s.value.is_call_of("T.match_buffer")) return bind_window(s, rest);
    if (is_reshape(s.value)) return bind_reshape(s, rest);
    const BufferDeclaration declared = read_declaration(s.value, 0);
    const Node& data = *declared.data;
    if (Param* parameter = unmatched_handle(data)) {
        const std::size_t mark = names_.mark();
        bind_parameter(*parameter, data, s.target, without_data(declared));
        Stmt out = bind_rest(rest);
        names_.release(mark);
        return out;
    }
    return bind_cells_view(s.target, declared, memory_named(data), rest, false);
}

// A handle parameter that has no buffer yet: the first buffer over it is the parameter.
Param* StmtBinder::unmatched_handle(const Node& data) const {
    if (head_ == nullptr || !data.is(NodeKind::Name)) return nullptr;
    const NameEntry* entry = names_.find(data.text);
    const auto found = head_->handles.find(data.text);
    if (found == head_->handles.end() || entry == nullptr || entry->buffer != nullptr)
        return nullptr;
    Param& out = head_->params[found->second];
    return std::get<Buffer>(out) == nullptr ? &out : nullptr;
}

BufferDeclaration StmtBinder::without_data(BufferDeclaration declared) {
    declared.data = nullptr;
    require_own_memory(declared);
    return declared;
}

// The buffer that `A.data`, the name of an allocation, or that of a handle parameter stands for.
Buffer StmtBinder::memory_named(const Node& data) {
    if (data.is(NodeKind::Attribute) && data.text == "data") {
        return exprs_.bind_buffer_name(data.items[0]);
    }
    if (data.is(NodeKind::Name)) {
        const NameEntry* entry = names_.find(data.text);
        const bool handle = head_ != nullptr && head_->handles.count(data.text) != 0 &&
                            entry != nullptr && entry->buffer == nullptr && entry->var == nullptr;
        if (handle) return std::get<Buffer>(head_->params[head_->handles.at(data.text)]);
        Buffer buffer = exprs_.bind_buffer_name(data);
        if (pointers_.count(buffer) != 0) return buffer;
    }
    wrong(data, "the memory of a buffer is expected here", "data=A.data");
}

// Memory whose extent is what the strides of a declaration leave, where TVM takes whole rows.
bool StmtBinder::has_strides(Buffer memory) const {
    return std::any_of(strided_.begin(), strided_.end(), [&](const auto& strided) {
        return views_.at(strided.first).base == memory;
    });
}

void StmtBinder::check_scope_of_view(const BufferDeclaration& declared,
                                     const std::string& scope) const {
    if (declared.scope_at == nullptr || declared.scope == scope) return;
    wrong(*declared.scope_at, "the memory of this view has the scope \"" + scope + "\"",
          "leave the scope out");
}

Stmt StmtBinder::bind_cells_view(const Node& target, BufferDeclaration declared, Buffer base,
                                 Lines rest, bool pointer) {
    if (declared.type != base->type) {
        no_meaning(target,
                   "a view of type " + declared.type.str() + " of the buffer `" + base->name +
                       "` of type " + base->type.str() + " has no meaning here",
                   "the bits of a value are not looked at");
    }
    check_scope_of_view(declared, base->scope);
    FlatView view{declared.shape, {}, nullptr};
    if (declared.strides != nullptr) view.strides = bind_strides(declared);
    declared.said_strides = bind_said_strides(declared);
    if (declared.elem_offset != nullptr) {
        Expr offset = bind_offset(*declared.elem_offset);
        if (declared.lanes > 1) offset = times(ctx_, offset, ctx_.i32(declared.lanes));
        if (!is_int_const(offset, 0)) view.offset = offset;
    }
    const bool compact = view.strides.empty() && view.offset == nullptr;
    // The memory of a view is that of the buffer at the bottom, from its start.
    base = memory_below(base);
    const Result<CellMap> map = flat_map(ctx_, view, base->shape, zero_);
    if (!map && has_strides(base)) {
        no_meaning(target, map.error().message,
                   "of a buffer with strides, memory after its last cell has no meaning here");
    }
    if (!map) wrong(target, map.error().message, map.error().hint);
    return within_view(target, declared, ViewOf{base, *map, pointer, compact}, rest);
}

// X = A.view(4, -1): all cells of A in another shape. As in TVM, one extent may be left to the
// others.
Stmt StmtBinder::bind_reshape(const Statement& s, Lines rest) {
    const Node& call = s.value;
    Buffer base = exprs_.bind_buffer_name(call.items[0].items[0]);
    if (!call.keywords.empty()) {
        no_meaning(call.keywords[0].value, "a layout of a buffer has no meaning here");
    }
    if (call.items.size() == 2 && call.items[1].is(NodeKind::String)) {
        no_meaning(call.items[1], "a view of another type has no meaning here",
                   "the bits of a value are not looked at");
    }
    if (const auto view = views_.find(base); view != views_.end() && !view->second.compact) {
        no_meaning(call,
                   "`" + base->name + "` does not start where its memory does, or has strides",
                   "write the view as one of `" + view->second.base->name + "`");
    }
    Node shape;
    shape.kind = NodeKind::Tuple;
    shape.at = call.at;
    const Node* inferred = nullptr;
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        Node extent = call.items[i];
        const bool minus = extent.is(NodeKind::Unary) && extent.text == "-";
        if (minus && extent.items[0].is(NodeKind::Int) && extent.items[0].text == "1") {
            if (inferred != nullptr) {
                wrong(extent, "only one extent of a view can be left to the others",
                      "write the others: `A.view(4, -1)`");
            }
            inferred = &call.items[i];
            extent = extent.items[0];
        }
        shape.items.push_back(std::move(extent));
    }
    BufferDeclaration declared;
    declared.type = base->type;
    bind_shape(shape, declared);
    if (exprs_.is_vector(base, ExprBinder::VectorKind::Element)) {
        declared.lanes = static_cast<std::int64_t>(base->shape.back()->int_value());
        declared.shape.push_back(base->shape.back());
    }
    if (inferred != nullptr) {
        const auto place = static_cast<std::size_t>(inferred - &call.items[1]);
        Expr extent = extent_left(ctx_, base->shape, declared.shape);
        if (extent == nullptr) {
            wrong(*inferred,
                  cells_of(base->shape) + " do not divide into " + cells_of(declared.shape),
                  "the other extents are those of a shape with as many cells");
        }
        declared.shape[place] = extent;
    }
    const auto cells = number_of_cells(base->shape);
    if (cells && number_of_cells(declared.shape).value_or(*cells) != *cells) {
        wrong(call,
              "this view has " + cells_of(declared.shape) + ", and `" + base->name + "` has " +
                  cells_of(base->shape),
              "-1 leaves an extent to the others: `" + base->name + ".view(-1)`");
    }
    return bind_cells_view(s.target, declared, base, rest, false);
}

Stmt StmtBinder::within_view(const Node& target, const BufferDeclaration& declared,
                             const ViewOf& view, Lines rest) {
    if (!target.is(NodeKind::Name)) wrong(target, "a name is expected here");
    const std::size_t mark = names_.mark();
    Buffer buffer =
        ctx_.buffer(names_.unique(target.text), declared.type, declared.shape, view.base->scope);
    names_.bind(target.text, NameEntry{nullptr, buffer});
    views_.emplace(buffer, view);
    exprs_.add_view(buffer);
    exprs_.set_strides(buffer, declared.said_strides);
    if (declared.lanes > 1) exprs_.add_vector(buffer, ExprBinder::VectorKind::Element);
    if (view.pointer) pointers_.insert(buffer);
    Stmt inner = bind_rest(rest);
    names_.release(mark);
    if (view.base->rank() == 0) require_first_cell(target, inner, buffer);
    return redirect_buffer(ctx_, inner, buffer, view.base, view.map);
}

// The buffer below has no index that could be out of bounds.
void StmtBinder::require_first_cell(const Node& target, Stmt inner, Buffer buffer) {
    const auto check = [&](std::span<const Expr> indices) {
        for (Expr i : indices) {
            if (is_int_const(i, 0) || zero_.count(i) != 0) continue;
            no_meaning(target,
                       "`" + buffer->name +
                           "` is a view of one cell without dimensions, and its "
                           "index " +
                           print(i) + " is not seen to be 0",
                       "write the index as 0");
        }
    };
    for_each_expr(inner, [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Load && n->buffer == buffer) check(n->args);
        });
    });
    for_each_stmt(inner, [&](Stmt s) {
        const Store* store = s->as<Store>();
        if (store != nullptr && store->buffer == buffer) check(store->indices);
    });
}

// X = T.match_buffer(A[lo:hi, …], shape, dtype, strides=…, elem_offset=…). Leading dimensions of A
// that X has not are of one cell each. Variables among strides and offset get their value here.
Stmt StmtBinder::bind_window(const Statement& s, Lines rest) {
    const Node& call = s.value;
    BufferDeclaration declared = read_declaration(call, 1);
    const BufferRegion region = bind_region(call.items[1]);
    Buffer base = region.buffer;
    const bool typed = argument(call, 2, "dtype") != nullptr;
    if (declared.data != nullptr) wrong(*declared.data, "a window has the memory of its region");
    if (typed && declared.type != base->type) {
        wrong(*argument(call, 2, "dtype"), "`" + base->name + "` has cells of type " +
                                               base->type.str() + ", not " + declared.type.str());
    }
    const std::int64_t lanes = exprs_.is_vector(base, ExprBinder::VectorKind::Element)
                                   ? static_cast<std::int64_t>(base->shape.back()->int_value())
                                   : 1;
    if (lanes != declared.lanes) {
        wrong(call, "`" + base->name + "` has cells of " + std::to_string(lanes) + " lanes, not " +
                        std::to_string(declared.lanes));
    }
    if (lanes > 1 && (declared.strides != nullptr || declared.elem_offset != nullptr)) {
        no_meaning(call, "strides and offsets of windows of vectors have no meaning here",
                   "leave them out");
    }
    declared.type = base->type;
    check_scope_of_view(declared, base->scope);
    std::vector<Expr> starts = window_starts(call, region, declared);
    Substitution known;
    const std::size_t mark = names_.mark();
    window_facts(declared, base, starts, known);
    const CellMap map = window_map(ctx_, starts, declared.shape.size());
    Stmt out = within_view(s.target, declared, ViewOf{base, map, false, false}, rest);
    names_.release(mark);
    return known.empty() ? out : substitute(ctx_, out, known);
}

std::vector<Expr> StmtBinder::window_starts(const Node& call, const BufferRegion& region,
                                            const BufferDeclaration& declared) {
    const std::size_t rank = declared.shape.size();
    const std::size_t all = region.ranges.size();
    if (rank > all) {
        wrong(call, "the window has " + std::to_string(rank) + " dimensions, and its region " +
                        std::to_string(all));
    }
    std::vector<Expr> out;
    for (std::size_t i = 0; i < all; ++i) {
        const auto& [lo, hi] = region.ranges[i];
        const Node& region_node = call.items[1];
        const Node& place =
            i + 1 < region_node.items.size() ? region_node.items[i + 1] : region_node;
        require_fixed(lo, place, "the start of a window");
        Expr extent = visible_extent(ctx_, lo, hi);
        const bool fits = extent != nullptr &&
                          (i < all - rank ? is_int_const(extent, 1)
                                          : same_value(extent, declared.shape[i - (all - rank)]));
        if (!fits) {
            const std::string wanted =
                i < all - rank ? "1" : print(declared.shape[i - (all - rank)]);
            wrong(place, "this range is not seen to have the extent " + wanted + " of the window",
                  "write it as lo:lo + " + wanted);
        }
        out.push_back(lo);
    }
    return out;
}

void StmtBinder::window_facts(BufferDeclaration& declared, Buffer base,
                              const std::vector<Expr>& starts, Substitution& known) {
    const std::vector<Expr> strides = compact_strides(ctx_, base->shape);
    const auto fact = [&](const Node& node, Expr value, const std::string& what) {
        if (is_free_variable(node)) return;  // a variable that nothing else can name
        if (Declared* variable = find_declared(node);
            variable != nullptr && variable->thread.empty()) {
            if (variable->var->type == kInt64) value = widened(ctx_, value);
            if (variable->var->type != value->type) wrong(node, what + " is " + value->type.str());
            known[use_declared(node, *variable)] = value;
            return;
        }
        if (same_value(exprs_.bind_int(node, what), value)) return;
        wrong(node, what + " of this window is " + print(value), "leave it out");
    };
    if (declared.strides != nullptr) {
        const std::vector<Node>& list = declared.strides->items;
        if (list.size() != declared.shape.size()) {
            wrong(*declared.strides, "a stride for each dimension is expected here");
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            Expr value = strides[strides.size() - list.size() + i];
            fact(list[i], value, "a stride");
            declared.said_strides.push_back(
                is_free_variable(list[i]) ? value : exprs_.bind_int(list[i], "a stride"));
        }
    }
    if (declared.elem_offset == nullptr) return;
    // 0 is what TVM puts where nothing is said.
    const Node& written = *declared.elem_offset;
    if (is_free_variable(written) || is_int_const(exprs_.bind_int(written, "an offset"), 0)) return;
    Expr offset = ctx_.i32(0);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        offset = plus(ctx_, offset, times(ctx_, starts[i], strides[i]));
    }
    fact(*declared.elem_offset, offset, "the offset");
}

}  // namespace proviso::ir
