#include "rewrite/schedule/reader/choices.h"

#include <algorithm>

#include "ir/text/reader/python/failure.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using ir::python::Keyword;
using ir::python::Node;
using ir::python::NodeKind;
using ir::python::StatementKind;

namespace {

constexpr const char* kExample = "tile = sch.choose([2, 4, 8])";
constexpr const char* kNamed = "sch.choose(\"tile\", [2, 4, 8])";

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
    return out;
}

bool is_constant(const Node& n) {
    if (values::is_list(n)) return std::all_of(n.items.begin(), n.items.end(), is_constant);
    if (n.is(NodeKind::Unary)) return n.text == "-" && is_constant(n.items[0]);
    return n.is(NodeKind::Int) || n.is(NodeKind::Float) || n.is(NodeKind::String) ||
           n.is(NodeKind::Constant);
}

bool is_choose(const Node& n) {
    return n.is(NodeKind::Call) && n.items[0].is(NodeKind::Attribute) &&
           n.items[0].text == "choose";
}

// A call of choose, read.
struct Call {
    std::string name;
    const Node* values;  // a list of constants
};

// The parts of a call; `target`: the name that is given to its value, or empty.
Call read_call(const ir::python::Module& module, const Node& call, const std::string& target) {
    const auto wrong = [&](const Node& at, const std::string& what, const std::string& hint) {
        ir::fail(module.at(at, what, hint));
    };
    const Node* list = nullptr;
    const Node* name = nullptr;
    for (std::size_t k = 1; k < call.items.size(); ++k) {
        const bool first = k == 1 && call.items[k].is(NodeKind::String);
        if (k > 2 || (!first && list != nullptr)) {
            wrong(call.items[k], "too many arguments", kExample);
        }
        (first ? name : list) = &call.items[k];
    }
    for (const Keyword& k : call.keywords) {
        if (k.name != "name" && k.name != "values") {
            wrong(k.value, "choose has no argument '" + k.name + "'", "it takes: name, values");
        }
        (k.name == "name" ? name : list) = &k.value;
    }
    if (list == nullptr || !values::is_list(*list) || list->items.empty()) {
        wrong(list == nullptr ? call : *list, "expected a list of values to choose from", kExample);
    }
    if (name != nullptr && (!name->is(NodeKind::String) || name->text.empty())) {
        wrong(*name, "the name of a choice is a string", kNamed);
    }
    Call out{name != nullptr ? name->text : target, list};
    if (out.name.empty()) {
        wrong(call, "this choice has no name", std::string(kNamed) + ", or " + kExample);
    }
    if (out.name.find('=') != std::string::npos) {
        wrong(*name, "the name of a choice has no '='", "such as \"tile\"");
    }
    for (const Node& item : list->items) {
        if (!is_constant(item)) {
            wrong(item, "a choice is among constants: what is computed is not known beforehand",
                  kExample);
        }
    }
    return out;
}

// Calls `visit` with each call of choose, and the name that is given to its value.
template <typename NodeOf, typename Visit>
void visit_calls(NodeOf& n, const std::string& target, const Visit& visit) {
    if (is_choose(n)) return visit(n, target);
    for (auto& item : n.items) visit_calls(item, "", visit);
    for (auto& k : n.keywords) visit_calls(k.value, "", visit);
}

template <typename Statements, typename Visit>
void visit_statements(Statements& all, const Visit& visit) {
    for (auto& s : all) {
        const bool named = s.is(StatementKind::Assign) && s.target.is(NodeKind::Name);
        visit_calls(s.value, named ? s.target.text : "", visit);
        visit_calls(s.annotation, "", visit);
        for (auto& p : s.parameters) visit_calls(p.fallback, "", visit);
        visit_statements(s.body, visit);
        visit_statements(s.otherwise, visit);
    }
}

}  // namespace

std::vector<ScheduleChoice> choices_in(const ir::python::Module& module) {
    std::vector<ScheduleChoice> out;
    visit_statements(module.body, [&](const Node& call, const std::string& target) {
        const Call read = read_call(module, call, target);
        ScheduleChoice found{read.name, {}};
        for (const Node& item : read.values->items) {
            const std::string text = values::text_of(item);
            if (std::find(found.values.begin(), found.values.end(), text) != found.values.end()) {
                ir::fail(module.at(item, "the value " + text + " is there twice"));
            }
            found.values.push_back(text);
        }
        const auto known = std::find_if(
            out.begin(), out.end(), [&](const ScheduleChoice& c) { return c.name == found.name; });
        if (known == out.end()) {
            out.push_back(std::move(found));
        } else if (known->values != found.values) {
            ir::fail(module.at(
                call,
                "the choice " + found.name + " has other values before: " + joined(known->values),
                "a choice of one name has one value; give this one another name"));
        }
    });
    return out;
}

Unit choose(ir::python::Module& module, const ChosenValues& chosen) {
    const std::vector<ScheduleChoice> all = choices_in(module);
    if (const Status ok = check_chosen(all, chosen); !ok) ir::fail(ok.error());
    visit_statements(module.body, [&](Node& call, const std::string& target) {
        const Call read = read_call(module, call, target);
        const auto given = chosen.find(read.name);
        if (given == chosen.end()) {
            const std::string first = values::text_of(read.values->items[0]);
            ir::fail(module.at(call, "nothing says which value the choice " + read.name + " has",
                               "`proviso lower --choose " + read.name + "=" + first +
                                   "`, or --tuned with what `proviso tune` has found"));
        }
        for (const Node& item : read.values->items) {
            if (values::text_of(item) != given->second) continue;
            Node value = item;
            call = std::move(value);
            return;
        }
    });
    return Unit{};
}

Status check_chosen(const std::vector<ScheduleChoice>& all, const ChosenValues& chosen) {
    std::vector<std::string> names;
    for (const ScheduleChoice& c : all) names.push_back(c.name);
    for (const auto& [name, value] : chosen) {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            const std::string there = all.empty()
                                          ? "the schedule has no choices: sch.choose makes one"
                                          : "there are: " + joined(names);
            return error("no choice '" + name + "' in the schedule",
                         ir::suggest(name, names, there));
        }
        const ScheduleChoice& choice = all[static_cast<std::size_t>(found - names.begin())];
        if (std::find(choice.values.begin(), choice.values.end(), value) == choice.values.end()) {
            return error("the choice " + name + " has no value '" + value + "'",
                         "there are: " + joined(choice.values));
        }
    }
    return Unit{};
}

}  // namespace proviso::rewrite
