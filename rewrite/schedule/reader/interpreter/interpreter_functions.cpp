// Methods of strings and lists, and functions of Python, in a schedule's text.
#include <algorithm>
#include <set>

#include "ir/int128.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/interpreter.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::NodeKind;
using ir::python::Statement;
using ir::python::StatementKind;

namespace {

const std::vector<std::string>& functions_of_python() {
    static const std::vector<std::string> names = {
        "abs", "all",   "any",   "bool",     "enumerate", "float", "int", "len",   "list", "max",
        "min", "print", "range", "reversed", "sorted",    "str",   "sum", "tuple", "zip"};
    return names;
}

Node pair_of(Node a, Node b) {
    const auto at = a.at;
    Node out = values::list({std::move(a), std::move(b)}, at);
    out.kind = NodeKind::Tuple;
    return out;
}

std::size_t nodes_of(const Node& n) {
    std::size_t out = 1;
    for (const Node& item : n.items) out += nodes_of(item);
    for (const ir::python::Keyword& k : n.keywords) out += nodes_of(k.value);
    return out;
}

// Names, but those that a function in it binds itself, as what they stand for.
void put_values(Node& n, const std::map<std::string, Node>& values,
                const std::function<void(const Node&)>& count) {
    const auto known = n.is(NodeKind::Name) ? values.find(n.text) : values.end();
    if (known != values.end()) {
        count(known->second);
        n = known->second;
        return;
    }
    if (n.is(NodeKind::Lambda) || n.is(NodeKind::Comprehension)) return;
    for (Node& item : n.items) {
        put_values(item, values, count);
        n.depth = std::max(n.depth, item.depth + 1);
    }
    for (ir::python::Keyword& k : n.keywords) put_values(k.value, values, count);
}

}  // namespace

Node Interpreter::as_lambda(const Statement& def, const Node& at) {
    const std::string hint = "it names values and returns a list: def f(i): return [i // 4, i % 4]";
    Node out;
    out.kind = NodeKind::Lambda;
    out.at = at.at;
    for (const ir::python::Parameter& p : def.parameters) {
        if (p.fallback) wrong(at, "`" + p.name + "` of `" + def.text + "` has a default", hint);
        out.names.push_back(p.stars + p.name);
    }
    std::map<std::string, Node> named;
    const auto value_of = [&](Node value) {
        put_values(value, named, [&](const Node& n) { count(at.at, nodes_of(n)); });
        return value;
    };
    for (const Statement& s : def.body) {
        const bool comment = s.is(StatementKind::Expression) && s.value.is(NodeKind::String);
        if (s.is(StatementKind::Return) && s.value) {
            out.items.push_back(value_of(s.value));
        } else if (s.is(StatementKind::Assign) && s.target.is(NodeKind::Name)) {
            named[s.target.text] = value_of(s.value);
        } else if (!comment) {
            wrong(at, "`" + def.text + "` is no index map: it does more than name values", hint);
        }
    }
    if (out.items.empty()) wrong(at, "`" + def.text + "` returns nothing", hint);
    out.depth = out.items[0].depth + 1;
    frames_.emplace_back();  // names around it are those of the file
    out = closure(out);
    frames_.pop_back();
    return out;
}

void Interpreter::put_lambdas(Node& call) {
    const std::string def = values::kFunction;
    const auto put = [&](Node& value) {
        if (!value.is(NodeKind::Name) || value.text.rfind(def, 0) != 0) return;
        value = as_lambda(*functions_.at(value.text.substr(def.size())), value);
    };
    for (std::size_t k = 1; k < call.items.size(); ++k) put(call.items[k]);
    for (ir::python::Keyword& k : call.keywords) put(k.value);
}

Node Interpreter::method(const Node& object, const Node& node) {
    const std::string& what = node.items[0].text;
    const bool program = values::program_of(object).has_value();
    if (program && what == "script") return values::string(object_.text(object), node.at);
    if ((program || object.is(NodeKind::String)) && what == "show") {  // sch.trace.show()
        object_.print(program ? object_.text(object) : object.text, node);
        return values::none(node.at);
    }
    const Node call = arguments(node);
    if (object.is(NodeKind::String)) {
        if (what == "format") return format(object.text, call);
        no_keywords(call, "." + what);
        const auto argument = [&] {
            if (call.items.size() != 2 || !call.items[1].is(NodeKind::String)) {
                wrong(node, "expected one string");
            }
            return call.items[1].text;
        };
        if (what == "startswith") {
            return values::boolean(object.text.rfind(argument(), 0) == 0, node.at);
        }
        if (what == "endswith") {
            const std::string end = argument();
            const bool fits = end.size() <= object.text.size();
            return values::boolean(
                fits && object.text.compare(object.text.size() - end.size(), end.size(), end) == 0,
                node.at);
        }
        if (what == "join" && call.items.size() == 2) {
            std::string out;
            for (const Node& item : elements(call.items[1], node)) {
                out += (out.empty() ? "" : object.text) + is_text(item);
            }
            return values::string(out, node.at);
        }
    }
    no_keywords(call, "." + what);
    if (what == "append" || what == "extend") return append(object, call);
    if (what == "index" && values::is_list(object) && call.items.size() == 2) {
        for (std::size_t k = 0; k < object.items.size(); ++k) {
            if (values::equal(object.items[k], call.items[1])) {
                return values::integer(static_cast<std::int64_t>(k), node.at);
            }
        }
        wrong(node, "the list has no " + is_text(call.items[1]));
    }
    const bool items = object.is(NodeKind::Dict) && call.items.size() == 1;
    if (items && (what == "items" || what == "keys" || what == "values")) {
        std::vector<Node> out;
        for (std::size_t k = 0; k + 1 < object.items.size(); k += 2) {
            const Node& key = object.items[k];
            const Node& value = object.items[k + 1];
            out.push_back(what == "items" ? pair_of(key, value) : what == "keys" ? key : value);
        }
        return values::list(std::move(out), node.at);
    }
    wrong(node, "no `." + what + "` of " + is_text(object),
          "primitives are called on the schedule object");
}

void Interpreter::no_keywords(const Node& call, const std::string& name,
                              const std::vector<std::string>& but) const {
    std::set<std::string> seen;
    for (const ir::python::Keyword& k : call.keywords) {
        Node at = k.value;
        at.at = k.at;
        const bool known = std::find(but.begin(), but.end(), k.name) != but.end();
        if (known && seen.insert(k.name).second) continue;
        if (known) wrong(at, "`" + k.name + "` is given twice");
        std::string all;
        for (const std::string& one : but) all += (all.empty() ? "" : ", ") + one + "=";
        wrong(at, "no argument `" + k.name + "` of `" + name + "`",
              ir::suggest(k.name, but,
                          all.empty() ? "its arguments have no names here" : "it takes " + all));
    }
}

Node Interpreter::format(const std::string& pattern, const Node& call) const {
    std::string out;
    std::size_t next = 1;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        const bool brace = pattern[k] == '{' || pattern[k] == '}';
        if (!brace || (k + 1 < pattern.size() && pattern[k + 1] == pattern[k])) {
            out += pattern[k];
            if (brace) ++k;
            continue;
        }
        const std::size_t end = pattern.find('}', k);
        const std::string which =
            end == std::string::npos ? "" : pattern.substr(k + 1, end - k - 1);
        const Node* value = nullptr;
        if (!which.empty() && which.find_first_not_of("0123456789") == std::string::npos) {
            const std::size_t number = std::stoul(which.substr(0, 4)) + 1;
            if (number < call.items.size()) value = &call.items[number];
        } else if (which.empty()) {
            if (next < call.items.size()) value = &call.items[next++];
        } else {
            for (const auto& keyword : call.keywords) {
                if (keyword.name == which) value = &keyword.value;
            }
        }
        if (end == std::string::npos || pattern[k] == '}' || value == nullptr) {
            wrong(call, "the format `" + pattern + "` does not fit its values",
                  "\"{}_{}\".format(a, b): one {} for each, without options");
        }
        out += is_text(*value);
        k = end;
    }
    return values::string(out, call.at);
}

Node Interpreter::builtin(const std::string& name, const Node& node) {
    const std::vector<std::string>& known = functions_of_python();
    if (std::find(known.begin(), known.end(), name) == known.end()) {
        std::vector<std::string> near = known;
        for (const auto& [def, statement] : functions_) near.push_back(def);
        wrong(node, "there is no function '" + name + "'",
              ir::suggest(name, near, "a function is made by `def " + name + "(…):`"));
    }
    Node call = arguments(node);
    const std::size_t given = call.items.size() - 1;
    // sorted(xs, reverse=True) and the like; the second one by its place, where Python has that.
    const std::string option = name == "sorted"                       ? "reverse"
                               : name == "enumerate" || name == "sum" ? "start"
                               : name == "zip"                        ? "strict"
                                                                      : "";
    no_keywords(call, name, option.empty() ? std::vector<std::string>{} : std::vector{option});
    const bool by_place = option == "start" && given == 2;
    if (by_place && !call.keywords.empty()) wrong(node, "`start` is given twice");
    const Node* chosen = !call.keywords.empty() ? &call.keywords[0].value
                         : by_place             ? &call.items[2]
                                                : nullptr;
    const auto first = [&]() -> const Node& {
        if (given != 1 && !by_place) wrong(node, "`" + name + "` takes one argument here");
        return call.items[1];
    };
    const auto made = [&](std::vector<Node> items, bool tuple = false) {
        Node out = values::list(std::move(items), node.at);
        if (tuple) {
            out.kind = NodeKind::Tuple;
        } else {
            out.text = "#" + std::to_string(++lists_);
        }
        return sized(std::move(out), node);
    };
    if (name == "print") {
        std::string line;
        for (std::size_t k = 1; k <= given; ++k) {
            line += (k > 1 ? " " : "") + object_.text(call.items[k]);
        }
        object_.print(line, node);
        return values::none(node.at);
    }
    if (name == "range") {
        if (given < 1 || given > 3) wrong(node, "`range` takes one to three integers");
        const std::int64_t one = whole(call.items[1], node);
        const std::int64_t lo = given == 1 ? 0 : one;
        const std::int64_t hi = given == 1 ? one : whole(call.items[2], node);
        const std::int64_t step = given == 3 ? whole(call.items[3], node) : 1;
        if (step == 0) wrong(node, "the step of a range is not 0");
        std::vector<Node> out;
        for (ir::Int128 k = lo; step > 0 ? k < hi : k > hi; k += step) {
            if (static_cast<std::int64_t>(out.size()) >= kLongestList) {
                wrong(node, "a range of more than 100,000 numbers");
            }
            out.push_back(values::integer(static_cast<std::int64_t>(k), node.at));
        }
        return made(std::move(out));
    }
    if (name == "len") {
        return values::integer(static_cast<std::int64_t>(elements(first(), node).size()), node.at);
    }
    if (name == "str") return values::string(is_text(first()), node.at);
    if (name == "list" || name == "tuple") {
        return made(given == 0 ? std::vector<Node>{} : elements(first(), node), name == "tuple");
    }
    if (name == "reversed") {
        std::vector<Node> items = elements(first(), node);
        std::reverse(items.begin(), items.end());
        return made(std::move(items));
    }
    if (name == "enumerate") {
        std::vector<Node> out;
        Node k = chosen != nullptr ? *chosen : values::integer(0, node.at);
        const Node one = values::integer(1, node.at);
        whole(k, node);
        for (Node& item : elements(first(), node)) {
            out.push_back(pair_of(k, std::move(item)));
            k = binary("+", k, one, node);
        }
        return made(std::move(out));
    }
    if (name == "zip") {
        std::vector<std::vector<Node>> lists;
        std::size_t rows = given == 0 ? 0 : static_cast<std::size_t>(kLongestList);
        for (std::size_t k = 1; k <= given; ++k) {
            lists.push_back(elements(call.items[k], node));
            rows = std::min(rows, lists.back().size());
        }
        for (std::size_t k = 0; k < lists.size(); ++k) {
            if (lists[k].size() == rows || chosen == nullptr || !is_true(*chosen, node)) continue;
            wrong(call.items[k + 1], "`zip` with strict=True of lists that are not equally long",
                  "without it the shortest list ends them all");
        }
        std::vector<Node> out;
        for (std::size_t k = 0; k < rows; ++k) {
            std::vector<Node> row;
            for (std::vector<Node>& list : lists) row.push_back(std::move(list[k]));
            Node tuple = made(std::move(row), true);
            out.push_back(std::move(tuple));
        }
        return made(std::move(out));
    }
    if (name == "all" || name == "any") {
        for (const Node& item : elements(first(), node)) {
            if (is_true(item, node) == (name == "any")) {
                return values::boolean(name == "any", node.at);
            }
        }
        return values::boolean(name == "all", node.at);
    }
    if (name == "bool") {
        return values::boolean(given != 0 && is_true(first(), node), node.at);
    }
    if (name == "sum") {
        Node total = chosen != nullptr ? *chosen : values::integer(0, node.at);
        for (const Node& item : elements(first(), node)) total = binary("+", total, item, node);
        return total;
    }
    if (name == "sorted") {
        std::vector<Node> items = elements(first(), node);
        for (const Node& item : items) whole(item, node);
        const bool falling = chosen != nullptr && is_true(*chosen, node);
        std::stable_sort(items.begin(), items.end(), [&](const Node& a, const Node& b) {
            return falling ? values::integer_of(b) < values::integer_of(a)
                           : values::integer_of(a) < values::integer_of(b);
        });
        return made(std::move(items));
    }
    const bool one_list =
        (name == "max" || name == "min") && given == 1 && values::is_list(call.items[1]);
    if (one_list) {
        const std::vector<Node> items = call.items[1].items;
        call.items.resize(1);
        call.items.insert(call.items.end(), items.begin(), items.end());
        if (items.size() == 1) return items[0];
    }
    if (name == "int" && given == 1 && call.items[1].is(NodeKind::String)) {
        wrong(node, "`int` is for numbers");
    }
    ir::python::compute_number(call, *module_.source, {});  // abs, bool, float, int, max, min
    const bool open = call.is(NodeKind::Call) && !call.is_call_of("float");
    if (open) wrong(node, "`" + name + "` is for numbers");
    return call;
}

}  // namespace proviso::rewrite
