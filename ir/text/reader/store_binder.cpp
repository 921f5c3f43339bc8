// Stores: what is written to a cell has the cell's type. TVM casts what has another one. Here that
// is done where nobody can mean something else: between integers, from integers and bool to floats,
// between bool and integers, from float to float, and for float constants. A float that is computed
// needs a written cast to become an integer, which TVM warns about, too.
#include <cmath>

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

}  // namespace proviso::ir
