#include "tools/lsp/tree.h"

#include <tuple>

namespace proviso::tools::lsp {

using namespace ir::python;

namespace {

bool at_or_after(Position a, Position b) {
    return std::tie(a.line, a.column) >= std::tie(b.line, b.column);
}

// How many characters a leaf is written with; 0: it is no leaf, or nobody knows.
int width(const Node& node) {
    if (node.parenthesized) return 0;  // it begins at its bracket
    switch (node.kind) {
        case NodeKind::Name:
        case NodeKind::Int:
        case NodeKind::Float:
        case NodeKind::Constant: return static_cast<int>(node.text.size());
        default: return 0;
    }
}

bool ends_before(const Node& node, Position at) {
    const int characters = width(node);
    return characters > 0 && (at.line != node.at.line || at.column >= node.at.column + characters);
}

const Node* smallest(const Node& node, Position at);

// Of the parts that are written from left to right, the last one that begins before the place, and
// what is smallest in it.
const Node* of_parts(const std::vector<const Node*>& parts, Position at) {
    const Node* last = nullptr;
    for (const Node* part : parts) {
        if (*part && at_or_after(at, part->at)) last = part;
    }
    return last == nullptr ? nullptr : smallest(*last, at);
}

const Node* smallest(const Node& node, Position at) {
    if (!node || !at_or_after(at, node.at) || ends_before(node, at)) return nullptr;
    // On the operator itself: what it gives.
    const bool has_operator =
        node.is(NodeKind::Binary) || node.is(NodeKind::Compare) || node.is(NodeKind::Logic);
    if (has_operator && at_or_after(at, node.op_at) && !at_or_after(at, node.items[1].at)) {
        return &node;
    }
    std::vector<const Node*> parts;
    // A conditional is written with its condition in the middle, as its items are.
    for (const Node& item : node.items) parts.push_back(&item);
    for (const Keyword& keyword : node.keywords) parts.push_back(&keyword.value);
    const Node* const inner = of_parts(parts, at);
    if (inner == nullptr) return &node;
    // `T.exp` of `T.exp(x)`, and `A` of `A.shape`, are no values of their own.
    const bool is_called = node.is(NodeKind::Call) && inner == node.items.data();
    const bool is_part_of_name = node.is(NodeKind::Attribute);
    return is_called || is_part_of_name ? &node : inner;
}

}  // namespace

std::vector<Surrounding> statements_around(const std::vector<Statement>& list, Position at) {
    std::vector<Surrounding> out;
    const std::vector<Statement>* in = &list;
    while (in != nullptr) {
        const std::vector<Statement>* next = nullptr;
        for (std::size_t i = 0; i < in->size(); ++i) {
            const Statement& s = (*in)[i];
            const Position begin = s.decorators.empty() ? s.at : s.decorators.front().at;
            if (!at_or_after(at, {begin.line, 1})) break;
            const bool another_follows =
                i + 1 < in->size() && at_or_after(at, {(*in)[i + 1].at.line, 1});
            if (another_follows) continue;
            out.push_back({&s, in, i});
            if (!s.otherwise.empty() && at_or_after(at, {s.otherwise.front().at.line, 1})) {
                next = &s.otherwise;
            } else if (!s.body.empty() && at_or_after(at, {s.body.front().at.line, 1})) {
                next = &s.body;
            }
        }
        in = next;
    }
    return out;
}

const Node* expression_at(const Statement& s, Position at) {
    std::vector<const Node*> parts;
    for (const Node& decorator : s.decorators) parts.push_back(&decorator);
    for (const Parameter& p : s.parameters) parts.push_back(&p.annotation);
    const bool target_is_last = s.is(StatementKind::With);
    if (!target_is_last) parts.push_back(&s.target);
    if (s.is(StatementKind::AnnotatedAssign)) parts.push_back(&s.annotation);
    parts.push_back(&s.value);
    if (target_is_last) parts.push_back(&s.target);
    return of_parts(parts, at);
}

void for_each_statement(const std::vector<Statement>& list,
                        const std::function<void(const Statement&)>& f) {
    for (const Statement& s : list) {
        f(s);
        for_each_statement(s.body, f);
        for_each_statement(s.otherwise, f);
    }
}

}  // namespace proviso::tools::lsp
