#include "rewrite/schedule/arguments.h"

#include <algorithm>

#include "ir/text/expr_binder.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::NodeKind;

void Arguments::wrong(const Node& node, std::string message, std::string hint) const {
    ir::fail(module_.at(node, std::move(message), std::move(hint)));
}

void Arguments::assign(const Node& target, const Handles& value) {
    if (target.is(NodeKind::Name)) {
        variables_[target.text] = value;
        return;
    }
    if (!target.is(NodeKind::Tuple) && !target.is(NodeKind::List)) {
        wrong(target, "cannot assign to this", "names, separated by commas");
    }
    if (target.items.size() != value.size()) {
        wrong(target, std::to_string(target.items.size()) + " names for " +
                          std::to_string(value.size()) + " values");
    }
    for (std::size_t i = 0; i < value.size(); ++i) assign(target.items[i], {value[i]});
}

Handles Arguments::evaluate(const Node& node) const {
    if (node.is(NodeKind::Name)) {
        const auto found = variables_.find(node.text);
        if (found == variables_.end()) wrong(node, "unknown name '" + node.text + "'");
        return found->second;
    }
    if (node.is(NodeKind::List) || node.is(NodeKind::Tuple)) {
        Handles out;
        for (const Node& item : node.items) {
            const Handles v = evaluate(item);
            out.insert(out.end(), v.begin(), v.end());
        }
        return out;
    }
    if (node.is(NodeKind::Subscript) && node.items.size() == 2) {
        const Handles v = evaluate(node.items[0]);
        std::int64_t index = integer(node.items[1]);
        if (index < 0) index += static_cast<std::int64_t>(v.size());
        if (index < 0 || static_cast<std::size_t>(index) >= v.size()) {
            wrong(node, "index out of the list");
        }
        return {v[static_cast<std::size_t>(index)]};
    }
    if (node.is(NodeKind::Call)) return call_(node);
    wrong(node, "expected a call on the schedule object, a block or a loop");
}

const Node& Arguments::need(const Node& call, std::size_t position,
                            const std::string& keyword) const {
    const Node* found = ir::argument(call, position, keyword);
    if (found == nullptr) wrong(call, "argument '" + keyword + "' is missing");
    return *found;
}

const std::string& Arguments::text(const Node& node, const std::string& what) const {
    if (!node.is(NodeKind::String)) wrong(node, "expected " + what);
    return node.text;
}

std::string Arguments::one(const Node& node, Handle::Kind kind) const {
    const Handles v = evaluate(node);
    if (v.size() != 1 || v[0].kind != kind) {
        wrong(node, kind == Handle::Kind::Block ? "expected a block" : "expected a loop");
    }
    return v[0].name;
}

std::string Arguments::block(const Node& node) const {
    return node.is(NodeKind::String) ? node.text : one(node, Handle::Kind::Block);
}

std::string Arguments::loop(const Node& node) const {
    return one(node, Handle::Kind::Loop);
}

Handle Arguments::target(const Node& node) const {
    if (node.is(NodeKind::String)) return Handle{Handle::Kind::Block, node.text};
    const Handles v = evaluate(node);
    if (v.size() != 1) wrong(node, "expected a block or a loop");
    return v[0];
}

std::string Arguments::block_or_all(const Node& call) const {
    const Node* node = ir::argument(call, 0, "block");
    const bool none = node == nullptr || (node->is(NodeKind::Constant) && node->text == "None");
    return none ? "" : block(*node);
}

std::vector<std::string> Arguments::loops(const Node& call) const {
    std::vector<std::string> out;
    for (std::size_t i = 1; i < call.items.size(); ++i) {
        for (const Handle& h : evaluate(call.items[i])) {
            if (h.kind != Handle::Kind::Loop) wrong(call.items[i], "expected loops");
            out.push_back(h.name);
        }
    }
    return out;
}

std::int64_t Arguments::integer(const Node& node) const {
    const bool negative = node.is(NodeKind::Unary) && node.text == "-";
    const Node& digits = negative ? node.items[0] : node;
    if (!digits.is(NodeKind::Int) || digits.text.size() > 18) wrong(node, "expected an integer");
    const std::int64_t value = std::stoll(digits.text, nullptr, 0);
    return negative ? -value : value;
}

std::vector<std::optional<std::int64_t>> Arguments::factors(const Node& list) const {
    if (!list.is(NodeKind::List) && !list.is(NodeKind::Tuple)) {
        wrong(list, "expected a list of factors", "factors=[None, 32]");
    }
    std::vector<std::optional<std::int64_t>> out;
    for (const Node& f : list.items) {
        const bool open = f.is(NodeKind::Constant) && f.text == "None";
        out.push_back(open ? std::nullopt : std::optional<std::int64_t>(integer(f)));
    }
    return out;
}

std::vector<std::string> Arguments::options(const Node* list,
                                            const std::vector<std::string>& known) const {
    if (list == nullptr) return known;
    if (!list->is(NodeKind::List) && !list->is(NodeKind::Tuple)) {
        wrong(*list, "expected a list of options");
    }
    std::vector<std::string> out;
    for (const Node& item : list->items) {
        if (!item.is(NodeKind::String) ||
            std::find(known.begin(), known.end(), item.text) == known.end()) {
            std::string all;
            for (const std::string& k : known) all += (all.empty() ? "\"" : ", \"") + k + "\"";
            wrong(item, "no such option", "there are: " + all);
        }
        out.push_back(item.text);
    }
    return out;
}

}  // namespace proviso::rewrite
