#include "tools/lsp/tree.h"

#include <algorithm>
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

// From where on a place belongs to a statement: from its line on, but for what stands before it on
// that line.
Position first_place(const Statement& s, int line_before) {
    const Position begin = s.decorators.empty() ? s.at : s.decorators.front().at;
    return begin.line == line_before ? begin : Position{begin.line, 1};
}

// Whether a place is in that list of the statement, or behind it.
bool reaches(const std::vector<Statement>& list, int line_before, Position at) {
    return !list.empty() && at_or_after(at, first_place(list.front(), line_before));
}

}  // namespace

int last_line(const Statement& s) {
    int last = s.at.line;
    for (const auto* list : {&s.body, &s.otherwise}) {
        if (!list->empty()) last = std::max(last, last_line(list->back()));
    }
    return last;
}

std::vector<Surrounding> statements_around(const std::vector<Statement>& list, Position at) {
    std::vector<Surrounding> out;
    const std::vector<Statement>* in = &list;
    int around = 0;  // the line of the statement that the list is in
    while (in != nullptr) {
        const std::vector<Statement>* next = nullptr;
        for (std::size_t i = in->size(); i-- > 0;) {
            const Statement& s = (*in)[i];
            const int before = i > 0 ? last_line((*in)[i - 1]) : around;
            if (!at_or_after(at, first_place(s, before))) continue;
            out.push_back({&s, in, i});
            around = s.at.line;
            const int last = s.body.empty() ? s.at.line : last_line(s.body.back());
            if (reaches(s.otherwise, last, at)) {
                next = &s.otherwise;
            } else if (reaches(s.body, s.at.line, at)) {
                next = &s.body;
            }
            break;
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
