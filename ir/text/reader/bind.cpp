#include "ir/text/reader/bind.h"

#include <algorithm>

#include "ir/text/reader/expressions/expr_binder.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;

namespace {

Expr bind_in_scope(Context& ctx, const python::Source& source, const Node& node, const Scope& scope,
                   std::optional<ScalarType> expected) {
    Names names;
    bind_scope(names, scope);
    ExprBinder binder(ctx, source, names, true);
    return expected ? binder.bind_typed(node, *expected, "this expression") : binder.bind(node);
}

// Adds what the names in the expression mean. False where the expression may bind names of its own,
// which are to differ from all in scope.
bool take_named(const Node& node, const Scope& scope, Scope& named) {
    switch (node.kind) {
        case NodeKind::Lambda:
        case NodeKind::Comprehension:
        case NodeKind::Clause: return false;
        case NodeKind::Name: {
            const auto var = scope.vars.find(node.text);
            if (var != scope.vars.end()) named.vars.insert(*var);
            const auto buffer = scope.buffers.find(node.text);
            if (buffer != scope.buffers.end()) named.buffers.insert(*buffer);
            break;
        }
        default: break;
    }
    const bool lets = node.text == "Let" || node.text == "let";
    return !lets && node.keywords.empty() &&
           std::all_of(node.items.begin(), node.items.end(),
                       [&](const Node& item) { return take_named(item, scope, named); });
}

}  // namespace

Result<Expr> bind_expr(Context& ctx, const python::Source& source, const Node& node,
                       const Scope& scope, std::optional<ScalarType> expected) {
    // Of many names in scope an expression uses few. Messages speak of all of them.
    Scope named;
    if (take_named(node, scope, named)) {
        Result<Expr> e = guarded([&] { return bind_in_scope(ctx, source, node, named, expected); });
        if (e) return e;
    }
    return guarded([&] { return bind_in_scope(ctx, source, node, scope, expected); });
}

Result<Expr> parse_expr(Context& ctx, std::string_view text, const Scope& scope,
                        std::optional<ScalarType> expected, const std::string& file) {
    const auto parsed = python::parse_python_expression(text, file);
    if (!parsed) return parsed.error();
    return bind_expr(ctx, *parsed->source, parsed->node, scope, expected);
}

std::optional<std::int64_t> int_constant(const Node& node) {
    const bool minus = node.is(NodeKind::Unary) && node.text == "-";
    const auto value = number_of(minus ? node.items[0] : node, minus);
    if (!value || !std::holds_alternative<Int128>(*value)) return std::nullopt;
    const Int128 n = std::get<Int128>(*value);
    if (!kInt64.contains(n)) return std::nullopt;
    return static_cast<std::int64_t>(n);
}

std::optional<double> number_constant(const Node& node) {
    // Bound without names: what needs one is no constant.
    Context ctx;
    const python::Source none("", "");
    const auto e = guarded([&] { return bind_in_scope(ctx, none, node, Scope{}, std::nullopt); });
    const bool minus = node.is(NodeKind::Unary) && node.text == "-";
    if (const auto value = number_of(minus ? node.items[0] : node, minus)) {
        if (const auto* n = std::get_if<Int128>(&*value)) return static_cast<double>(*n);
        return std::get<double>(*value);
    }
    if (!e || !is_const(*e) || (*e)->type.is_bool()) return std::nullopt;
    return (*e)->op == Op::FloatImm ? (*e)->float_value() : static_cast<double>((*e)->int_value());
}

}  // namespace proviso::ir
