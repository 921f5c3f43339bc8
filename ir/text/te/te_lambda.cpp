#include "ir/text/te/te_lambda.h"

#include <algorithm>

namespace proviso::ir::te {

using python::Node;
using python::NodeKind;

namespace {

bool is_name(const Node& e, const std::string& name) {
    return e.is(NodeKind::Name) && e.text == name;
}

void spell_out(Node& e, const std::string& rest, const std::vector<std::string>& names) {
    const auto name = [](const std::string& text, const Node& at) {
        Node out;
        out.kind = NodeKind::Name;
        out.text = text;
        out.at = at.at;
        return out;
    };
    const bool one_of_them = e.is(NodeKind::Subscript) && e.items.size() == 2 &&
                             is_name(e.items[0], rest) && e.items[1].is(NodeKind::Int) &&
                             e.items[1].text.size() < 4;
    if (one_of_them) {
        const auto k = static_cast<std::size_t>(std::stoi(e.items[1].text));
        if (k < names.size()) e = name(names[k], e);
        return;
    }
    std::vector<Node> items;
    const bool indexed = e.is(NodeKind::Subscript) || e.is(NodeKind::Call);
    for (std::size_t k = 0; k < e.items.size(); ++k) {
        Node& item = e.items[k];
        const bool starred =
            item.is(NodeKind::Starred) && item.text == "*" && is_name(item.items[0], rest);
        const bool whole = indexed && k > 0 && is_name(item, rest);
        if (starred || whole) {
            for (const std::string& n : names) items.push_back(name(n, item));
            continue;
        }
        spell_out(item, rest, names);
        items.push_back(std::move(item));
    }
    e.items = std::move(items);
    for (python::Keyword& k : e.keywords) spell_out(k.value, rest, names);
}

}  // namespace

Indexed indexed(const Node& lambda, std::size_t dimensions,
                const std::function<bool(const std::string&)>& taken) {
    Indexed out{lambda.names, lambda.items[0]};
    const bool open = !out.indices.empty() && out.indices.back().rfind('*', 0) == 0 &&
                      out.indices.back().rfind("**", 0) != 0;
    if (!open) return out;
    const std::string rest = out.indices.back().substr(1);
    out.indices.pop_back();
    std::vector<std::string> names;
    for (std::size_t k = 0; out.indices.size() + names.size() < dimensions; ++k) {
        const std::string name = "i" + std::to_string(k);
        const bool used =
            std::find(out.indices.begin(), out.indices.end(), name) != out.indices.end();
        if (!used && !taken(name)) names.push_back(name);
    }
    spell_out(out.body, rest, names);
    out.indices.insert(out.indices.end(), names.begin(), names.end());
    return out;
}

}  // namespace proviso::ir::te
