// Values of attributes and annotations.
#include <algorithm>
#include <limits>

#include "ir/text/stmt_binder.h"
#include "ir/text/tree_printer.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;

namespace {

std::optional<AttrValue> number(const ExprBinder& exprs, const Node& node) {
    // With the types that TVM's printer puts around them.
    for (const char* type : {"T.bool", "T.int32", "T.int64", "T.float32", "T.float64"}) {
        if (node.is_call_of(type) && node.items.size() == 2 && node.keywords.empty()) {
            return number(exprs, node.items[1]);
        }
    }
    if (node.is(NodeKind::Constant) && node.text != "None") return AttrValue{node.text == "True"};
    const bool word = node.items.size() == 2 && node.items[1].is(NodeKind::String);
    if ((node.is_call_of("float") || node.is_call_of("T.float32")) && word) {
        const std::string& text = node.items[1].text;
        if (text == "inf") return AttrValue{std::numeric_limits<double>::infinity()};
        if (text == "-inf") return AttrValue{-std::numeric_limits<double>::infinity()};
        if (text == "nan") return AttrValue{std::numeric_limits<double>::quiet_NaN()};
    }
    const bool minus = node.is(NodeKind::Unary) && node.text == "-";
    const auto value = number_of(minus ? node.items[0] : node, minus);
    if (!value) return std::nullopt;
    if (const auto* i = std::get_if<Int128>(&*value)) {
        if (kInt64.contains(*i)) return AttrValue{static_cast<std::int64_t>(*i)};
        return std::nullopt;
    }
    return AttrValue{std::get<double>(*value)};
}

// Names of the program cannot stand in what is kept as text: a rewrite may rename or drop them.
void require_closed(const ExprBinder& exprs, const Node& node, std::vector<std::string>& bound) {
    const auto is_bound = [&](const std::string& name) {
        return name == "T" || name == "I" || name == "tvm" || name == "float" ||
               std::find(bound.begin(), bound.end(), name) != bound.end();
    };
    if (node.is(NodeKind::Name) && !is_bound(node.text)) {
        exprs.no_meaning(node, "an attribute's value mentions `" + node.text + "`",
                         "values are numbers, strings, lists, dictionaries, and calls of `T`");
    }
    const std::size_t before = bound.size();
    bound.insert(bound.end(), node.names.begin(), node.names.end());  // of a lambda
    for (const Node& item : node.items) require_closed(exprs, item, bound);
    for (const python::Keyword& k : node.keywords) require_closed(exprs, k.value, bound);
    bound.resize(before);
}

}  // namespace

AttrValue bind_attr(const ExprBinder& exprs, const Node& node) {
    if (const auto value = number(exprs, node)) return *value;
    switch (node.kind) {
        case NodeKind::String: return AttrValue{node.text};
        case NodeKind::Tuple:
        case NodeKind::List: {
            AttrValue::List list;
            for (const Node& item : node.items) list.push_back(bind_attr(exprs, item));
            return AttrValue{std::move(list)};
        }
        case NodeKind::Dict: {
            const bool by_name = [&] {
                for (std::size_t i = 0; i < node.items.size(); i += 2) {
                    if (!node.items[i].is(NodeKind::String)) return false;
                }
                return true;
            }();
            if (by_name) return AttrValue{bind_annotations(exprs, node)};
            break;
        }
        default: break;
    }
    std::vector<std::string> bound;
    require_closed(exprs, node, bound);
    return AttrValue{AttrText{python::print(node)}};
}

Annotations bind_annotations(const ExprBinder& exprs, const Node& dict) {
    if (dict.is(NodeKind::Constant) && dict.text == "None") return {};
    if (!dict.is(NodeKind::Dict)) exprs.wrong(dict, "attributes are a dictionary");
    Annotations out;
    for (std::size_t i = 0; i < dict.items.size(); i += 2) {
        const Node& key = dict.items[i];
        if (!key.is(NodeKind::String)) exprs.wrong(key, "a key is a string");
        if (!out.emplace(key.text, bind_attr(exprs, dict.items[i + 1])).second) {
            exprs.wrong(key, "key \"" + key.text + "\" is given twice");
        }
    }
    return out;
}

}  // namespace proviso::ir
