// Buffers of their own with strides that leave gaps between cells, or let cells meet. Such memory
// is flat here, and the buffer is a view of it (view_map.h), so that cells that share memory share
// it:
//     B = T.alloc_buffer((4, 8), "float32", strides=[9, 1])       B = T.alloc_buffer((35,),
//     "float32") B[i, j] = 0                                                 B[i * 9 + j] = 0
// A parameter becomes a flat one as well. The attribute "proviso.strides" says what the caller's
// tensor looks like.
#include "ir/redirect.h"
#include "ir/text.h"
#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/stmt_binder.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;

namespace {

// 1 + the sum of (extent - 1) * stride; no cells where an extent is 0. Null: more than 2**47.
Expr cells_between(Context& ctx, const std::vector<Expr>& shape, const std::vector<Expr>& strides) {
    Int128 number = 1;
    Expr others = nullptr;
    Expr some = nullptr;  // every extent that is no number is above 0
    const auto add = [&](Expr e) { others = others == nullptr ? e : plus(ctx, others, e); };
    for (std::size_t i = 0; i < shape.size(); ++i) {
        Expr extent = shape[i];
        if (is_int_const(extent, 0)) return ctx.i32(0);
        if (is_int_const(extent, 1)) continue;
        if (is_int_const(extent) && is_int_const(strides[i])) {
            number += (extent->int_value() - 1) * strides[i]->int_value();
            if (number > kMaxBufferBytes) return nullptr;
            continue;
        }
        add(times(ctx, minus(ctx, extent, ctx.int_imm(extent->type, 1)), strides[i]));
        if (is_int_const(extent)) continue;
        Expr above = ctx.lt(ctx.int_imm(extent->type, 0), extent);
        some = some == nullptr ? above : ctx.and_(some, above);
    }
    Expr known = ctx.int_imm(kInt32.contains(number) ? kInt32 : kInt64, number);
    if (others == nullptr) return known;
    Expr all = plus(ctx, others, known);
    if (some == nullptr) return all;
    return ctx.make(Op::IfThenElse, {some, all, ctx.int_imm(all->type, 0)});
}

std::string listed(const std::vector<Expr>& items) {
    std::string out;
    for (Expr e : items) out += (out.empty() ? "" : ", ") + print(e);
    return "(" + out + (items.size() == 1 ? ",)" : ")");
}

}  // namespace

StmtBinder::OwnMemory StmtBinder::bind_own_memory(const std::string& name,
                                                  const BufferDeclaration& declared) {
    OwnMemory out;
    std::vector<Expr> strides;
    if (declared.strides != nullptr) strides = bind_strides(declared);
    std::vector<Expr> shape = declared.shape;
    if (!strides.empty()) {
        for (std::size_t i = 0; i < strides.size(); ++i) {
            if (!is_int_const(strides[i]) || strides[i]->int_value() >= 0) continue;
            no_meaning(declared.strides->items[i], "a stride below 0 has no meaning here",
                       "a buffer starts at its first cell");
        }
        Expr cells = cells_between(ctx_, declared.shape, strides);
        const bool large =
            cells == nullptr ||
            (is_int_const(cells) && cells->int_value() * declared.type.bytes() > kMaxBufferBytes);
        if (large) wrong(*declared.strides, "this buffer is larger than 2**47 bytes");
        // A number of a cell that int32 does not hold is computed in int64.
        if (cells->type == kInt64) {
            for (Expr& s : strides) s = widened(ctx_, s);
        }
        shape = {cells};
    }
    out.memory = ctx_.buffer(names_.unique(name), declared.type, shape, declared.scope);
    Buffer named = out.memory;
    if (!strides.empty()) {
        const FlatView flat{declared.shape, strides, nullptr};
        const Result<CellMap> map = flat_map(ctx_, flat, shape, zero_);
        if (!map) wrong(*declared.strides, map.error().message, map.error().hint);
        named = ctx_.buffer(names_.unique(name), declared.type, declared.shape, declared.scope);
        views_.emplace(named, ViewOf{out.memory, *map, false, false});
        exprs_.add_view(named);
        out.view = named;
        strided_[named] = listed(declared.shape) + ", strides " + listed(strides);
    }
    if (declared.lanes > 1) exprs_.add_vector(named, ExprBinder::VectorKind::Element);
    exprs_.set_strides(named, bind_said_strides(declared));
    names_.bind(name, NameEntry{nullptr, named});
    return out;
}

Stmt StmtBinder::without_view(Stmt body, const OwnMemory& own) {
    if (own.view == nullptr) return body;
    return redirect_buffer(ctx_, body, own.view, own.memory, views_.at(own.view).map);
}

Buffer StmtBinder::bind_parameter_memory(const std::string& name,
                                         const BufferDeclaration& declared) {
    const OwnMemory own = bind_own_memory(name, declared);
    if (declared.strides != nullptr) {
        for (const Node& stride : declared.strides->items) {
            head_->strides.push_back(exprs_.bind_int(stride, "a stride"));
        }
    }
    if (own.view != nullptr) {
        parameter_views_.push_back(own);
        head_->strided[own.memory->name] = AttrValue{strided_.at(own.view)};
    }
    return own.memory;
}

}  // namespace proviso::ir
