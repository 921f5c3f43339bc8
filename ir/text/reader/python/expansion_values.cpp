// Expressions that Python computes: names of constants, lists that are known, integers.
#include <algorithm>
#include <charconv>
#include <optional>

#include "ir/files/limits.h"
#include "ir/text/reader/python/expansion.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python_numbers.h"

namespace proviso::ir::python {

namespace {

std::optional<std::int64_t> integer(const Node& n) {
    const bool minus = n.is(NodeKind::Unary) && n.text == "-";
    const Node& digits = minus ? n.items[0] : n;
    if (!digits.is(NodeKind::Int)) return std::nullopt;
    std::int64_t out = 0;
    const std::string& text = digits.text;
    const bool hex = text.size() > 2 && (text[1] == 'x' || text[1] == 'X');
    const auto [end, failed] =
        std::from_chars(text.data() + (hex ? 2 : 0), text.data() + text.size(), out, hex ? 16 : 10);
    if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return minus ? -out : out;
}

Node integer_node(std::int64_t value, Position at) {
    Node digits;
    digits.kind = NodeKind::Int;
    digits.at = at;
    digits.text = std::to_string(value);
    if (value >= 0) return digits;
    digits.text.erase(0, 1);
    Node out;
    out.kind = NodeKind::Unary;
    out.at = at;
    out.text = "-";
    out.depth = 2;
    out.items.push_back(std::move(digits));
    return out;
}

std::size_t nodes_of(const Node& n) {
    std::size_t out = 1;
    for (const Node& item : n.items) out += nodes_of(item);
    for (const Keyword& k : n.keywords) out += nodes_of(k.value);
    return out;
}

Node without_children(const Node& n) {
    Node out;
    out.kind = n.kind;
    out.at = n.at;
    out.op_at = n.op_at;
    out.text = n.text;
    out.names = n.names;
    out.parenthesized = n.parenthesized;
    return out;
}

}  // namespace

std::shared_ptr<const Node> Expansion::known(Node value) {
    return std::make_shared<const Node>(std::move(value));
}

void Expansion::count(std::size_t more, Position at) const {
    made_ += more;
    if (made_ <= limits::kPythonValues) return;
    fail(file_.at(at,
                  "what Python computes in this file has more than " +
                      std::to_string(limits::kPythonValues) + " values",
                  "docs/limits.md lists the limits"));
}

Expansion::Values Expansion::copied(const Values& values, Position at) const {
    count(values.size(), at);
    return values;
}

bool Expansion::is_list(const Node& n) {
    return n.is(NodeKind::List) || n.is(NodeKind::Tuple);
}

void Expansion::set_depth(Node& n) {
    n.depth = 1;
    for (const Node& item : n.items) n.depth = std::max(n.depth, item.depth + 1);
    for (const Keyword& k : n.keywords) n.depth = std::max(n.depth, k.value.depth + 1);
    n.only_literals.reset();
}

Node Expansion::value(const Node& n, const Values& values) const {
    if (n.is(NodeKind::Name)) {
        const auto found = values.find(n.text);
        if (found == values.end()) return n;
        count(nodes_of(*found->second), n.at);
        Node out = *found->second;
        out.at = n.at;
        out.parenthesized = n.parenthesized;
        return out;
    }
    if (making_ > 0) count(1, n.at);
    if (n.items.empty() && n.keywords.empty()) return n;
    if (n.is(NodeKind::Comprehension)) return comprehension(n, values);
    Node out = without_children(n);
    if (n.is(NodeKind::Lambda)) {
        Values inner = copied(values, n.at);
        for (const std::string& name : n.names) inner.erase(name);
        out.items = items(n.items, inner);
    } else {
        out.items = items(n.items, values);
    }
    for (const Keyword& k : n.keywords) {
        out.keywords.push_back(Keyword{k.name, k.at, value(k.value, values)});
    }
    set_depth(out);
    if (out.depth > limits_here().operators) {
        wrong(n, "this expression is more than " + std::to_string(limits_here().operators) +
                     " operators deep");
    }
    if (out.is(NodeKind::Subscript)) return subscript(std::move(out));
    compute_number(out, *file_.source, of_file_);
    return out;
}

// With lists that are unpacked in their place.
std::vector<Node> Expansion::items(const std::vector<Node>& from, const Values& values) const {
    std::vector<Node> out;
    for (const Node& item : from) {
        Node made = value(item, values);
        if (made.is(NodeKind::Starred) && made.text == "*" && is_list(made.items[0])) {
            for (Node& part : made.items[0].items) out.push_back(std::move(part));
        } else {
            out.push_back(std::move(made));
        }
    }
    return out;
}

Node Expansion::comprehension(const Node& n, const Values& values) const {
    if (n.text == "{") return n;
    Node out;
    out.kind = NodeKind::List;
    out.at = n.at;
    ++making_;
    try {
        clauses(n, 1, values, out);
    } catch (const Failure& failure) {
        if (!failure.opaque) throw;
        --making_;
        return n;
    }
    --making_;
    set_depth(out);
    return out;
}

// Adds the elements of the clauses from this one on.
void Expansion::clauses(const Node& n, std::size_t clause, const Values& values, Node& out) const {
    if (clause == n.items.size()) {
        if (out.items.size() == kMaxItems) {
            wrong(n, "a comprehension makes more than " + std::to_string(kMaxItems) + " items");
        }
        out.items.push_back(value(n.items[0], values));
        return;
    }
    const Node& c = n.items[clause];
    Values inner = copied(values, n.at);
    const Node range = value(c.items[1], values);
    std::vector<Node> over = is_list(range) ? range.items : std::vector<Node>{};
    if (range.is_call_of("range")) {
        takes_no_keywords(range);
        std::vector<std::int64_t> bounds;
        for (std::size_t i = 1; i < range.items.size(); ++i) {
            const auto bound = integer(range.items[i]);
            if (!bound) fail_opaque(file_.at(range, "this range is not known"));
            bounds.push_back(*bound);
        }
        if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
        if (bounds.size() == 2) bounds.push_back(1);
        if (bounds.size() != 3 || bounds[2] <= 0) fail_opaque(file_.at(range, "no such range"));
        for (std::int64_t k = bounds[0]; k < bounds[1]; k += bounds[2]) {
            if (over.size() == kMaxItems) {
                wrong(n, "a comprehension makes more than " + std::to_string(kMaxItems) + " items");
            }
            count(1, range.at);
            over.push_back(integer_node(k, range.at));
        }
    } else if (!is_list(range)) {
        fail_opaque(file_.at(range, "this list is not known"));
    }
    for (const Node& item : over) {
        if (c.items[0].is(NodeKind::Name)) {
            inner[c.items[0].text] = known(item);
        } else if (is_list(c.items[0]) && is_list(item) &&
                   c.items[0].items.size() == item.items.size()) {
            for (std::size_t i = 0; i < item.items.size(); ++i) {
                inner[c.items[0].items[i].text] = known(item.items[i]);
            }
        } else {
            fail_opaque(file_.at(c, "these targets do not fit"));
        }
        bool taken = true;
        for (std::size_t k = 2; k < c.items.size() && taken; ++k) {
            const Node test = value(c.items[k], inner);
            std::optional<std::int64_t> holds = integer(test);
            if (test.is(NodeKind::Constant)) holds = test.text == "True" ? 1 : 0;
            if (!holds) fail_opaque(file_.at(test, "this condition is not known"));
            taken = *holds != 0;
        }
        if (taken) clauses(n, clause + 1, inner, out);
    }
}

// LIST[2], LIST[1:]: of a list that is known.
Node Expansion::subscript(Node n) const {
    if (!is_list(n.items[0]) || n.items.size() != 2) return n;
    const std::vector<Node>& list = n.items[0].items;
    const auto size = static_cast<std::int64_t>(list.size());
    const auto place = [&](const Node& at, std::int64_t otherwise) -> std::optional<std::int64_t> {
        if (!at) return otherwise;
        const auto k = integer(at);
        if (!k) return std::nullopt;
        return *k < 0 ? *k + size : *k;
    };
    const Node& index = n.items[1];
    if (!index.is(NodeKind::Slice)) {
        const auto k = place(index, 0);
        if (!k) return n;
        if (*k < 0 || *k >= size) wrong(index, "this list has " + std::to_string(size) + " items");
        return list[static_cast<std::size_t>(*k)];
    }
    const auto lo = place(index.items[0], 0);
    const auto hi = place(index.items[1], size);
    if (!lo || !hi || index.items[2]) return n;
    Node out = n.items[0];
    out.items.clear();
    for (std::int64_t k = std::max<std::int64_t>(*lo, 0); k < std::min(*hi, size); ++k) {
        out.items.push_back(list[static_cast<std::size_t>(k)]);
    }
    set_depth(out);
    return out;
}

}  // namespace proviso::ir::python
