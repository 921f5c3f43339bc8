#include "ir/text/reader/python/quoted.h"

#include <algorithm>

namespace proviso::ir::python {

namespace {

void place_at(Node& node, Position at) {
    node.at = at;
    node.op_at = at;
    for (Node& item : node.items) place_at(item, at);
    for (Keyword& k : node.keywords) {
        k.at = at;
        place_at(k.value, at);
    }
}

void collect(const Node& node, std::vector<std::string>& out) {
    if (node.is(NodeKind::Name)) {
        if (std::find(out.begin(), out.end(), node.text) == out.end()) out.push_back(node.text);
        return;
    }
    for (const Node& item : node.items) collect(item, out);
    for (const Keyword& k : node.keywords) collect(k.value, out);
}

void collect_quoted(const Node& shape, std::set<std::string>& out) {
    if (shape.is(NodeKind::String)) {
        if (const auto inner = quoted_expression(shape)) {
            for (const std::string& name : names_in(*inner)) out.insert(name);
        }
        return;
    }
    for (const Node& item : shape.items) collect_quoted(item, out);
}

}  // namespace

std::optional<Node> quoted_expression(const Node& string) {
    auto parsed = parse_python_expression(string.text, "shape");
    if (!parsed) return std::nullopt;
    Node out = std::move(parsed->node);
    place_at(out, string.at);
    return out;
}

Node* buffer_shape(Node& annotation) {
    const bool applied = annotation.is(NodeKind::Call) || annotation.is(NodeKind::Subscript);
    if (!applied || annotation.items[0].dotted() != "T.Buffer") return nullptr;
    for (Keyword& k : annotation.keywords) {
        if (k.name == "shape") return &k.value;
    }
    return annotation.items.size() > 1 ? &annotation.items[1] : nullptr;
}

std::vector<std::string> names_in(const Node& node) {
    std::vector<std::string> out;
    collect(node, out);
    return out;
}

void add_quoted_names(const Node& annotation, std::set<std::string>& out) {
    Node copy = annotation;
    if (const Node* shape = buffer_shape(copy)) collect_quoted(*shape, out);
}

}  // namespace proviso::ir::python
