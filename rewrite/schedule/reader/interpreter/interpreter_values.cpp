// Expressions of a schedule's text: numbers, strings, lists, and Python's functions on them.
#include <algorithm>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/interpreter.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::NodeKind;

namespace {

bool is_number(const Node& value) {
    const Node& digits = value.is(NodeKind::Unary) ? value.items[0] : value;
    if (digits.is_call_of("float")) return true;  // float("inf")
    return digits.is(NodeKind::Int) || digits.is(NodeKind::Float) ||
           (value.is(NodeKind::Constant) && value.text != "None");
}

}  // namespace

bool Interpreter::is_true(const Node& value, const Node& at) const {
    const std::optional<bool> truth = values::truth(value);
    if (!truth) wrong(at, "this is neither true nor false", "a comparison, or True");
    return *truth;
}

std::int64_t Interpreter::whole(const Node& value, const Node& at) const {
    const std::optional<std::int64_t> out = values::integer_of(value);
    if (!out) wrong(at, "expected an integer");
    return *out;
}

std::vector<Node> Interpreter::elements(const Node& value, const Node& at) const {
    if (values::is_list(value)) return value.items;
    std::vector<Node> out;
    if (value.is(NodeKind::Dict)) {
        for (std::size_t k = 0; k < value.items.size(); k += 2) out.push_back(value.items[k]);
    } else if (value.is(NodeKind::String)) {
        for (const char c : value.text) out.push_back(values::string(std::string(1, c), at.at));
    } else if (values::is_none(value)) {
        return out;  // a call that gives nothing
    } else {
        wrong(at, "this has no elements: " + is_text(value), "a list, or range(8)");
    }
    return out;
}

std::string Interpreter::is_text(const Node& value) const {
    return values::handle_of(value)
               ? object_.attribute(value, values::string("name", value.at)).text
               : values::text_of(value);
}

Node Interpreter::evaluate(const Node& node) {
    count(node.at);
    Node out = evaluated(node);
    out.parenthesized = false;
    if (out.is(NodeKind::List) && out.text.empty()) out.text = "#" + std::to_string(++lists_);
    return out;
}

Node Interpreter::evaluated(const Node& node) {
    switch (node.kind) {
        case NodeKind::Missing:
        case NodeKind::Int:
        case NodeKind::Float:
        case NodeKind::String:
        case NodeKind::Constant: return node;
        case NodeKind::Name: return name(node);
        case NodeKind::Tuple:
        case NodeKind::List:
        case NodeKind::Dict: return sequence(node);
        case NodeKind::Unary:
        case NodeKind::Binary: return operation(node);
        case NodeKind::Compare: return comparison(node);
        case NodeKind::Logic: return logic(node);
        case NodeKind::Conditional:
            return evaluate(node.items[is_true(evaluate(node.items[1]), node.items[1]) ? 0 : 2]);
        case NodeKind::Lambda: return closure(node);
        case NodeKind::Subscript: return subscript(node);
        case NodeKind::Comprehension: return comprehension(node);
        case NodeKind::Attribute: return attribute(node);
        case NodeKind::Call: return call(node);
        case NodeKind::Slice:
        case NodeKind::Starred:
        case NodeKind::Clause: break;
    }
    wrong(node, "this has no meaning here");
}

Node Interpreter::sequence(const Node& node) {
    Node out = node;
    out.items.clear();
    for (const Node& item : node.items) {
        if (!item.is(NodeKind::Starred)) {
            out.items.push_back(evaluate(item));
            continue;
        }
        for (Node& one : elements(evaluate(item.items[0]), item)) {
            out.items.push_back(std::move(one));
        }
    }
    if (node.is(NodeKind::List)) out.text = "#" + std::to_string(++lists_);
    for (const Node& item : out.items) out.depth = std::max(out.depth, item.depth + 1);
    return sized(std::move(out), node);
}

Node Interpreter::operation(const Node& node) {
    if (node.is(NodeKind::Binary)) {
        const Node a = evaluate(node.items[0]);
        return binary(node.text, a, evaluate(node.items[1]), node);
    }
    Node value = evaluate(node.items[0]);
    if (node.text == "not") return values::boolean(!is_true(value, node), node.at);
    if (!is_number(value)) wrong(node, "`" + node.text + "` is for numbers");
    Node out = node;
    out.items[0] = std::move(value);
    ir::python::compute_number(out, *module_.source, {});
    return out;
}

Node Interpreter::binary(const std::string& op, const Node& a, const Node& b, const Node& at) {
    if (is_number(a) && is_number(b)) {
        Node out;
        out.kind = NodeKind::Binary;
        out.at = out.op_at = at.at;
        out.text = op;
        out.items = {a, b};
        ir::python::compute_number(out, *module_.source, {});
        return out;
    }
    const auto fits = [&](std::size_t one, std::size_t other) {
        if (one + other > static_cast<std::size_t>(kLongestList)) {
            wrong(at, "a list or a text of more than 100,000 elements");
        }
    };
    const auto copies = [&](std::size_t length) {
        const std::int64_t times = std::max<std::int64_t>(0, whole(b, at));
        if (times > kLongestList || times * static_cast<std::int64_t>(length) > kLongestList) {
            wrong(at, "a list of more than 100,000 elements");
        }
        return times;
    };
    if (a.is(NodeKind::String)) {
        if (op == "+" && b.is(NodeKind::String)) {
            fits(a.text.size(), b.text.size());
            return values::string(a.text + b.text, at.at);
        }
        if (op == "%") {
            Node call = at;
            call.items = {a};
            for (const Node& item : b.is(NodeKind::Tuple) ? b.items : std::vector<Node>{b}) {
                call.items.push_back(item);
            }
            std::string pattern;
            for (std::size_t k = 0; k < a.text.size(); ++k) {
                const bool value = a.text[k] == '%' && k + 1 < a.text.size();
                if (value && std::string_view("%sdif").find(a.text[k + 1]) == std::string::npos) {
                    wrong(at, "only %s, %d, %i, %f and %% are known here: a width is not",
                          "\"{}\".format(value)");
                }
                pattern += value && a.text[k + 1] == '%' ? "%" : value ? "{}" : a.text.substr(k, 1);
                if (value) ++k;
            }
            return format(pattern, call);
        }
        if (op == "*") {
            std::string out;
            for (std::int64_t k = copies(a.text.size()); k > 0; --k) out += a.text;
            return values::string(out, at.at);
        }
    }
    const bool same_kind = values::is_list(a) && a.kind == b.kind;
    if (same_kind && op == "+") {
        fits(a.items.size(), b.items.size());
        Node out = a;
        out.at = at.at;
        out.items.insert(out.items.end(), b.items.begin(), b.items.end());
        out.depth = std::max(a.depth, b.depth);
        if (out.is(NodeKind::List)) out.text = "#" + std::to_string(++lists_);
        return sized(std::move(out), at);
    }
    if (values::is_list(a) && op == "*") {
        Node out = a;
        out.at = at.at;
        out.items.clear();
        for (std::int64_t k = copies(a.items.size()); k > 0; --k) {
            out.items.insert(out.items.end(), a.items.begin(), a.items.end());
        }
        if (out.is(NodeKind::List)) out.text = "#" + std::to_string(++lists_);
        return sized(std::move(out), at);
    }
    wrong(at, "no `" + op + "` of " + is_text(a) + " and " + is_text(b));
}

Node Interpreter::comparison(const Node& node) {
    Node left = evaluate(node.items[0]);
    for (std::size_t k = 0; k < node.names.size(); ++k) {
        Node right = evaluate(node.items[k + 1]);
        const std::string& op = node.names[k];
        bool holds = false;
        if (op == "is" || op == "is not") {  // None alone
            holds = values::is_none(left) == (op == "is");
        } else if (op == "==" || op == "!=") {
            holds = values::equal(left, right) == (op == "==");
        } else if (left.is(NodeKind::String) && right.is(NodeKind::String)) {
            const int order = left.text.compare(right.text);
            holds = op == "<"    ? order < 0
                    : op == "<=" ? order <= 0
                    : op == ">"  ? order > 0
                                 : order >= 0;
        } else if (is_number(left) && is_number(right)) {
            Node pair = node;
            pair.items = {left, right};
            pair.names = {op};
            ir::python::compute_number(pair, *module_.source, {});
            holds = is_true(pair, node);
        } else {
            wrong(node, "no `" + op + "` of " + is_text(left) + " and " + is_text(right),
                  "numbers are compared with numbers, strings with strings");
        }
        if (!holds) return values::boolean(false, node.at);
        left = std::move(right);
    }
    return values::boolean(true, node.at);
}

Node Interpreter::logic(const Node& node) {
    Node value;
    for (const Node& item : node.items) {
        value = evaluate(item);
        if (is_true(value, item) != (node.text == "and")) return value;
    }
    return value;
}

Node Interpreter::subscript(const Node& node) {
    if (node.items.size() != 2) wrong(node, "one index at a time", "loops[0]");
    const Node& by = node.items[1];
    // An element of a list that has a name is found without a copy of the list.
    const bool named = node.items[0].is(NodeKind::Name) && !by.is(NodeKind::Slice) &&
                       variable(node.items[0].text) != nullptr;
    const Node made = named ? Node{} : evaluate(node.items[0]);
    if (by.is(NodeKind::Slice)) return slice(made, by);
    const auto program = values::program_of(named ? *variable(node.items[0].text) : made);
    if (program) return values::program(*program, node.at);
    const Node key = evaluate(by);
    const Node& value = named ? *variable(node.items[0].text) : made;
    if (value.is(NodeKind::Dict)) {
        for (std::size_t k = 0; k + 1 < value.items.size(); k += 2) {
            if (values::equal(value.items[k], key)) return sized(value.items[k + 1], node);
        }
        wrong(node, "the dictionary has no " + values::text_of(key));
    }
    const bool one = values::handle_of(value).has_value();
    const std::vector<Node> other = one                      ? std::vector<Node>{value}
                                    : values::is_list(value) ? std::vector<Node>{}
                                                             : elements(value, node);
    const std::vector<Node>& items = values::is_list(value) ? value.items : other;
    const auto size = static_cast<std::int64_t>(items.size());
    std::int64_t k = whole(key, by);
    if (k < 0) k += size;
    if (k < 0 || k >= size) {
        wrong(node, "index out of the list",
              items.empty() ? "the list is empty"
                            : "it has " + std::to_string(size) + " elements: [0] to [" +
                                  std::to_string(size - 1) + "]");
    }
    return sized(items[static_cast<std::size_t>(k)], node);
}

Node Interpreter::slice(const Node& value, const Node& bounds) {
    const std::vector<Node> items = elements(value, bounds);
    const auto size = static_cast<std::int64_t>(items.size());
    const auto end = [&](std::size_t k, std::int64_t fallback) {
        const Node& n = bounds.items[k];
        if (!n) return fallback;
        const Node number = evaluate(n);
        return values::is_none(number) ? fallback : whole(number, n);
    };
    const std::int64_t step = bounds.items.size() > 2 ? end(2, 1) : 1;
    if (step == 0) wrong(bounds, "the step of a slice is not 0");
    const auto inside = [&](std::int64_t k) {
        if (k < 0) k += size;
        return std::clamp<std::int64_t>(k, step < 0 ? -1 : 0, step < 0 ? size - 1 : size);
    };
    const std::int64_t none = size * 2 + 1;  // no index
    const std::int64_t from = end(0, none);
    const std::int64_t to = end(1, none);
    const std::int64_t first = from == none ? (step < 0 ? size - 1 : 0) : inside(from);
    const std::int64_t last = to == none ? (step < 0 ? -1 : size) : inside(to);
    std::vector<Node> out;
    for (std::int64_t k = first; step < 0 ? k > last : k < last; k += step) {
        out.push_back(items[static_cast<std::size_t>(k)]);
    }
    if (value.is(NodeKind::String)) {
        std::string text;
        for (const Node& c : out) text += c.text;
        return values::string(text, bounds.at);
    }
    Node made = values::list(std::move(out), bounds.at);
    made.kind = value.kind;
    if (made.is(NodeKind::List)) made.text = "#" + std::to_string(++lists_);
    return made;
}

Node Interpreter::comprehension(const Node& node) {
    if (node.text == "{") wrong(node, "a dictionary or set is written out", "{\"key\": value}");
    std::vector<Node> out;
    // Its names are its own.
    std::map<std::string, std::optional<Node>> before;
    for (const Node& clause : node.items) {
        if (clause.is(NodeKind::Clause)) keep_names(clause.items[0], before);
    }
    const std::size_t frame = frames_.size() - 1;
    clauses(node, 1, out);
    for (auto& [name, was] : before) {
        if (was) {
            frames_[frame][name] = *std::move(was);
        } else {
            frames_[frame].erase(name);
        }
    }
    Node made = values::list(std::move(out), node.at);
    made.text = "#" + std::to_string(++lists_);
    return sized(std::move(made), node);
}

void Interpreter::keep_names(const Node& target,
                             std::map<std::string, std::optional<Node>>& before) const {
    if (target.is(NodeKind::Name)) {
        const auto held = frames_.back().find(target.text);
        before.emplace(target.text,
                       held == frames_.back().end() ? std::nullopt : std::optional(held->second));
    }
    for (const Node& item : target.items) keep_names(item, before);
}

void Interpreter::clauses(const Node& node, std::size_t k, std::vector<Node>& out) {
    if (k == node.items.size()) {
        out.push_back(evaluate(node.items[0]));
        return;
    }
    const Node& clause = node.items[k];
    for (const Node& item : elements(evaluate(clause.items[1]), clause)) {
        assign(clause.items[0], item);
        bool taken = true;
        for (std::size_t c = 2; c < clause.items.size() && taken; ++c) {
            taken = is_true(evaluate(clause.items[c]), clause.items[c]);
        }
        if (taken) clauses(node, k + 1, out);
    }
}

Node Interpreter::attribute(const Node& node) {
    const Node& left = node.items[0];
    const bool unknown = left.is(NodeKind::Name) && variable(left.text) == nullptr;
    if (in_call_ > 0 && (unknown || !node.dotted().empty())) {
        const std::string root = node.dotted().substr(0, node.dotted().find('.'));
        if (variable(root) == nullptr) return in_library(node);
    }
    if (unknown) {
        wrong(left, "'" + left.text + "' is not the schedule object", "write: sch.…");
    }
    const Node object = evaluate(left);
    const std::optional<std::size_t> inside = values::schedule_of(object);
    if (inside && node.text == "mod") return values::program(*inside, node.at);
    if (inside && node.text == "trace") {
        Node asked = node;
        asked.kind = NodeKind::Call;
        asked.items = {node};
        return object_.call(asked, left.text, *inside);
    }
    if (values::handle_of(object)) {
        return object_.attribute(object, values::string(node.text, node.at));
    }
    wrong(node, "no `." + node.text + "` of " + is_text(object),
          "write the call with its arguments: sch." + node.text + "(…)");
}

}  // namespace proviso::rewrite
