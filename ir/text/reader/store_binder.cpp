// Stores: what is written to a cell has the cell's type. TVM casts what has another one. Here that
// is done where nobody can mean something else: between integers, from integers and bool to floats,
// between bool and integers, from float to float, and for float constants. A float that is computed
// needs a written cast to become an integer, which TVM warns about, too.
//
// And T.allocate_const, whose values are stored.
#include <algorithm>
#include <cmath>
#include <functional>

#include "ir/text/reader/stmt_binder.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

Stmt StmtBinder::bind_store(const Statement& s) {
    Buffer buffer = scalar_named(s.target);  // by its name alone
    std::vector<Expr> indices = {ctx_.i32(0)};
    if (buffer == nullptr) {
        if (!s.target.is(NodeKind::Subscript)) {
            wrong(s.target, "only cells of buffers can be changed",
                  "bind a new name, or use a buffer of shape (1,)");
        }
        if (is_vector_store(s)) return bind_vector_store(s);
        buffer = exprs_.bind_buffer_name(s.target.items[0]);
        indices = exprs_.bind_indices(s.target, buffer);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            require_definite(indices[i], s.target.items[i + 1], "this index");
        }
    }
    const Node& name = s.target.is(NodeKind::Name) ? s.target : s.target.items[0];
    const std::string what = "the value stored to `" + name.text + "`";
    if (!s.is(StatementKind::AugmentedAssign)) {
        return ctx_.store(buffer, indices, bind_stored(s.value, buffer->type, what));
    }
    // A[i] += e is A[i] = A[i] + e.
    Node sum;
    sum.kind = NodeKind::Binary;
    sum.at = s.target.at;
    sum.op_at = s.target.at;
    sum.text = s.text;
    sum.items = {s.target, s.value};
    return ctx_.store(buffer, indices, bind_stored(sum, buffer->type, what));
}

namespace {

// 1.5, -2.0: without a type of its own.
bool is_float_literal(const Node& node) {
    const bool minus = node.is(NodeKind::Unary) && node.text == "-";
    return (minus ? node.items[0] : node).is(NodeKind::Float);
}

}  // namespace

Expr StmtBinder::bind_stored(const Node& node, ScalarType type, const std::string& what) {
    const bool zero_or_one = node.is(NodeKind::Int) && (node.text == "0" || node.text == "1");
    if (type.is_bool() && zero_or_one) return ctx_.bool_imm(node.text == "1");
    if (type.is_int() && is_float_literal(node)) {
        // TVM casts the number as it was written, so it must be the same one in float32.
        Expr written = exprs_.bind(node, kFloat64);
        Expr rounded = exprs_.bind(node, kFloat32);
        if (std::trunc(written->float_value()) == std::trunc(rounded->float_value())) {
            return stored_constant(node, written, type);
        }
    }
    Expr e = exprs_.bind(node, type);
    if (e->type == type) return e;
    if (e->op == Op::FloatImm && type.is_int()) return stored_constant(node, e, type);
    const bool loses_fraction = e->type.is_float() && !type.is_float();
    if (loses_fraction || is_always_indeterminate(e)) {
        wrong(node, what + " is " + e->type.str() + ", not " + type.str(),
              type.is_bool() ? "compare with 0: `x != 0`" : cast_hint(type));
    }
    return ctx_.cast(type, e);
}

// The integer that a cast of the float constant gives.
Expr StmtBinder::stored_constant(const Node& node, Expr constant, ScalarType type) const {
    const double value = std::trunc(constant->float_value());
    const bool fits = std::isfinite(value) && std::fabs(value) < 0x1p63 &&
                      type.contains(static_cast<Int128>(value));
    if (!fits) wrong(node, "this float is not in the range of " + type.str());
    return ctx_.int_imm(type, static_cast<Int128>(value));
}

namespace {

// The numbers in `list`, lists inside of it one after the other; `shape` gets how many each level
// has. False where lists of one level differ in that.
bool flatten(const Node& list, std::size_t level, std::vector<const Node*>& items,
             std::vector<std::size_t>& shape) {
    if (!list.is(NodeKind::List) && !list.is(NodeKind::Tuple)) {
        items.push_back(&list);
        return level == shape.size();
    }
    if (level == shape.size() && items.empty()) shape.push_back(list.items.size());
    if (level >= shape.size() || shape[level] != list.items.size()) return false;
    return std::all_of(list.items.begin(), list.items.end(),
                       [&](const Node& item) { return flatten(item, level + 1, items, shape); });
}

}  // namespace

// c = T.allocate_const([2, 3, 5], "int32", [3]): T.allocate of that shape, and stores of the
// numbers to its cells, in their order, where it is allocated.
Stmt StmtBinder::bind_constants(const Statement& s, Lines rest) {
    const Node& call = s.value;
    check_arguments(exprs_.source(), call, 3, 4, {"data", "dtype", "extents", "annotations"});
    const Node* data = argument(call, 0, "data");
    const Node* type = argument(call, 1, "dtype");
    const Node* extents = argument(call, 2, "extents");
    const Node* annotations = argument(call, 3, "annotations");
    if (data == nullptr || type == nullptr || extents == nullptr) {
        wrong(call, "constants have values, a type and a shape",
              "T.allocate_const([2, 3, 5], \"int32\", [3])");
    }
    if (!data->is(NodeKind::List) && !data->is(NodeKind::Tuple)) {
        no_meaning(*data, "values that are no list of numbers have no meaning here");
    }
    std::vector<const Node*> items;
    std::vector<std::size_t> sizes;
    if (!flatten(*data, 0, items, sizes))
        wrong(*data, "the lists of these values differ in length");
    if (items.size() > kMaxConstants) {
        no_meaning(*data,
                   "`T.allocate_const` of more than " + std::to_string(kMaxConstants) +
                       " values has no meaning here",
                   "pass them as a parameter");
    }
    Node callee = call.items[0];
    callee.text = "allocate";
    Node scope = *type;
    scope.kind = NodeKind::String;
    scope.text = "global";
    Statement& memory = made_lines_.emplace_back(s);
    memory.value.items = {callee, *extents, *type, scope};
    memory.value.keywords.clear();
    if (annotations != nullptr) {
        memory.value.keywords.push_back({"annotations", annotations->at, *annotations});
    }
    const BufferDeclaration declared = bind_declaration(memory.value, 0);
    if (declared.lanes > 1) no_meaning(*type, "constants that are vectors have no meaning here");
    Int128 cells = 1;
    for (Expr extent : declared.shape) cells *= is_int_const(extent) ? extent->int_value() : -1;
    if (cells != static_cast<Int128>(items.size())) {
        wrong(*extents, std::to_string(items.size()) + " values do not fill this shape");
    }
    return bind_memory(memory, declared, rest, [&](const Node& name, Buffer buffer) {
        std::vector<Expr> values;
        for (const Node* item : items) {
            const std::string what = "the value stored to `" + name.text + "`";
            values.push_back(bind_stored(*item, buffer->type, what));
            if (is_const(values.back())) continue;
            no_meaning(*item, "a value that is no number has no meaning here");
        }
        return store_constants(buffer, values);
    });
}

Stmt StmtBinder::store_constants(Buffer buffer, const std::vector<Expr>& values) {
    constexpr std::size_t few = 16;
    const std::size_t rank = buffer->shape.size();
    if (values.size() <= few) {
        std::vector<Stmt> stores;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::vector<Expr> indices(rank);
            auto place = static_cast<Int128>(i);
            for (std::size_t k = rank; k-- > 0;) {
                const Int128 extent = buffer->shape[k]->int_value();
                indices[k] = ctx_.int_imm(buffer->shape[k]->type, place % extent);
                place /= extent;
            }
            stores.push_back(ctx_.store(buffer, std::move(indices), values[i]));
        }
        return ctx_.seq(stores);
    }
    std::vector<Expr> vars;
    for (Expr extent : buffer->shape) {
        vars.push_back(ctx_.var(names_.unique("place"), extent->type));
    }
    // The value at `indices` from the dimension k on; `size` values stand there, from `first`.
    const std::function<Expr(std::size_t, std::size_t, std::size_t)> value =
        [&](std::size_t k, std::size_t first, std::size_t size) -> Expr {
        if (k == rank) return values[first];
        const auto extent = static_cast<std::size_t>(buffer->shape[k]->int_value());
        const std::size_t below = size / extent;
        const std::function<Expr(std::size_t, std::size_t)> among = [&](std::size_t lo,
                                                                        std::size_t hi) -> Expr {
            if (hi - lo == 1) return value(k + 1, first + lo * below, below);
            const std::size_t middle = (lo + hi) / 2;
            Expr yes = among(lo, middle);
            Expr no = among(middle, hi);
            if (yes == no) return yes;
            Expr limit = ctx_.int_imm(vars[k]->type, static_cast<Int128>(middle));
            return ctx_.if_then_else(ctx_.lt(vars[k], limit), yes, no);
        };
        return among(0, extent);
    };
    Stmt out = ctx_.store(buffer, vars, value(0, 0, values.size()));
    for (std::size_t k = rank; k-- > 0;) {
        out = ctx_.for_(vars[k], ctx_.int_imm(vars[k]->type, 0), buffer->shape[k], out);
    }
    return out;
}

}  // namespace proviso::ir
