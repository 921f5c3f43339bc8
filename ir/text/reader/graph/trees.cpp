#include "ir/text/reader/graph/trees.h"

#include <algorithm>

namespace proviso::ir::python {

namespace {

Node leaf(NodeKind kind, Position at, std::string text) {
    Node out;
    out.kind = kind;
    out.at = at;
    out.op_at = at;
    out.text = std::move(text);
    return out;
}

Node inner(NodeKind kind, Position at, std::vector<Node> items) {
    Node out = leaf(kind, at, "");
    out.items = std::move(items);
    return measured(std::move(out));
}

Statement line(StatementKind kind, Position at) {
    Statement out;
    out.kind = kind;
    out.at = at;
    return out;
}

}  // namespace

Node measured(Node node) {
    node.depth = 1;
    for (const Node& item : node.items) node.depth = std::max(node.depth, item.depth + 1);
    for (const Keyword& k : node.keywords) node.depth = std::max(node.depth, k.value.depth + 1);
    node.only_literals.reset();
    return node;
}

Node name_node(Position at, std::string name) {
    return leaf(NodeKind::Name, at, std::move(name));
}

Node string_node(Position at, std::string value) {
    return leaf(NodeKind::String, at, std::move(value));
}

Node number_node(Position at, std::string literal) {
    return leaf(NodeKind::Int, at, std::move(literal));
}

Node dotted_node(Position at, const std::string& dotted) {
    std::size_t dot = dotted.find('.');
    Node out = name_node(at, dotted.substr(0, dot));
    while (dot != std::string::npos) {
        const std::size_t next = dotted.find('.', dot + 1);
        Node member = inner(NodeKind::Attribute, at, {std::move(out)});
        member.text = dotted.substr(dot + 1, next - dot - 1);
        out = std::move(member);
        dot = next;
    }
    return out;
}

Node tuple_node(Position at, std::vector<Node> items) {
    return inner(NodeKind::Tuple, at, std::move(items));
}

Node call_node(Node callee, std::vector<Node> arguments, std::vector<Keyword> keywords) {
    const Position at = callee.at;
    arguments.insert(arguments.begin(), std::move(callee));
    Node out = inner(NodeKind::Call, at, std::move(arguments));
    out.keywords = std::move(keywords);
    return measured(std::move(out));
}

Node subscript_node(Node base, std::vector<Node> indices) {
    const Position at = base.at;
    indices.insert(indices.begin(), std::move(base));
    return inner(NodeKind::Subscript, at, std::move(indices));
}

Statement assign_line(Node target, Node value) {
    Statement out = line(StatementKind::Assign, target.at);
    out.target = std::move(target);
    out.value = std::move(value);
    return out;
}

Statement expression_line(Node value) {
    Statement out = line(StatementKind::Expression, value.at);
    out.value = std::move(value);
    return out;
}

Statement loop_line(Node target, Node range, std::vector<Statement> body) {
    Statement out = line(StatementKind::For, target.at);
    out.target = std::move(target);
    out.value = std::move(range);
    out.body = std::move(body);
    return out;
}

Node with_names(const Node& node, const std::vector<std::pair<std::string, Node>>& values) {
    if (node.is(NodeKind::Name)) {
        for (const auto& [name, value] : values) {
            if (node.text != name) continue;
            Node out = value;
            out.at = node.at;
            return out;
        }
        return node;
    }
    Node out = node;
    for (Node& item : out.items) item = with_names(item, values);
    for (Keyword& k : out.keywords) k.value = with_names(k.value, values);
    return measured(std::move(out));
}

}  // namespace proviso::ir::python
