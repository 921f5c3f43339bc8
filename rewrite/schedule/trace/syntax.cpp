#include "rewrite/schedule/trace/syntax.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite::syntax {

using ir::python::Keyword;
using ir::python::NodeKind;

namespace {

Node of_kind(NodeKind kind, Position at) {
    Node out;
    out.kind = kind;
    out.at = out.op_at = at;
    return out;
}

}  // namespace

Node call(const std::string& object, const std::string& method, Position at) {
    Node out = of_kind(NodeKind::Call, at);
    out.items = {attribute(values::stands_for(object, at), method)};
    return out;
}

void keyword(Node& call, const std::string& name, Node value) {
    call.keywords.push_back({name, call.at, std::move(value)});
}

Node attribute(Node object, const std::string& name) {
    Node out = of_kind(NodeKind::Attribute, object.at);
    out.text = name;
    out.items = {std::move(object)};
    return out;
}

Node element(Node list, std::int64_t k) {
    Node out = of_kind(NodeKind::Subscript, list.at);
    const Position at = list.at;
    out.items = {std::move(list), values::integer(k, at)};
    return out;
}

Node equals(Node a, Node b) {
    Node out = of_kind(NodeKind::Compare, a.at);
    out.names = {"=="};
    out.items = {std::move(a), std::move(b)};
    measure(out);
    return out;
}

Node tuple(Position at) {
    return of_kind(NodeKind::Tuple, at);
}

Node real(double value, Position at) {
    Node digits = of_kind(NodeKind::Float, at);
    const bool negative = std::signbit(value);
    digits.text = nlohmann::json(negative ? -value : value).dump();
    if (!negative) return digits;
    Node out = of_kind(NodeKind::Unary, at);
    out.text = "-";
    out.items = {std::move(digits)};
    out.depth = 2;
    return out;
}

void place(Node& tree, Position at) {
    tree.at = tree.op_at = at;
    for (Node& item : tree.items) place(item, at);
    for (Keyword& k : tree.keywords) {
        k.at = at;
        place(k.value, at);
    }
}

void measure(Node& tree) {
    tree.depth = 1;
    for (Node& item : tree.items) {
        measure(item);
        tree.depth = std::max(tree.depth, item.depth + 1);
    }
    for (Keyword& k : tree.keywords) {
        measure(k.value);
        tree.depth = std::max(tree.depth, k.value.depth + 1);
    }
}

bool is_constant(const Node& tree) {
    switch (tree.kind) {
        case NodeKind::Int:
        case NodeKind::Float:
        case NodeKind::String:
        case NodeKind::Constant: return true;
        case NodeKind::Unary: return is_constant(tree.items[0]);
        case NodeKind::Call: {
            const std::string name = tree.items[0].dotted();
            if (name != "float" && name.rfind("T.", 0) != 0) return false;
            const auto constant = [](const auto& k) { return is_constant(k.value); };
            return std::all_of(tree.items.begin() + 1, tree.items.end(), is_constant) &&
                   std::all_of(tree.keywords.begin(), tree.keywords.end(), constant);
        }
        default: return false;
    }
}

}  // namespace proviso::rewrite::syntax
