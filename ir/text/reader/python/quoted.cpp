#include "ir/text/reader/python/quoted.h"

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

void collect(const Node& node, std::vector<std::string>& out, std::set<std::string>& seen) {
    if (node.is(NodeKind::Name)) {
        if (seen.insert(node.text).second) out.push_back(node.text);
        return;
    }
    for (const Node& item : node.items) collect(item, out, seen);
    for (const Keyword& k : node.keywords) collect(k.value, out, seen);
}

// The strings of a list, or the one that stands for it.
void collect_strings(Node& list, std::vector<Node*>& out) {
    if (list.is(NodeKind::String)) out.push_back(&list);
    if (!list.is(NodeKind::Tuple) && !list.is(NodeKind::List)) return;
    for (Node& item : list.items) {
        if (item.is(NodeKind::String)) out.push_back(&item);
    }
}

}  // namespace

std::optional<Node> quoted_expression(const Node& string) {
    auto parsed = parse_python_expression(string.text, "shape");
    if (!parsed) return std::nullopt;
    Node out = std::move(parsed->node);
    place_at(out, string.at);
    return out;
}

std::vector<Node*> quoted_places(Node& annotation) {
    std::vector<Node*> out;
    const bool applied = annotation.is(NodeKind::Call) || annotation.is(NodeKind::Subscript);
    if (!applied || annotation.items[0].dotted() != "T.Buffer") return out;
    Node* shape = annotation.items.size() > 1 ? &annotation.items[1] : nullptr;
    Node* strides = nullptr;
    for (Keyword& k : annotation.keywords) {
        if (k.name == "shape") shape = &k.value;
        if (k.name == "strides") strides = &k.value;
    }
    for (Node* list : {shape, strides}) {
        if (list != nullptr) collect_strings(*list, out);
    }
    return out;
}

std::vector<std::string> names_in(const Node& node) {
    std::vector<std::string> out;
    std::set<std::string> seen;
    collect(node, out, seen);
    return out;
}

void add_quoted_names(const Node& annotation, std::set<std::string>& out) {
    Node copy = annotation;
    for (const Node* place : quoted_places(copy)) {
        if (const auto inner = quoted_expression(*place)) {
            for (const std::string& name : names_in(*inner)) out.insert(name);
        }
    }
}

}  // namespace proviso::ir::python
