#include "rewrite/schedule/trace/trace_values.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "ir/text/reader/python/failure.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"
#include "rewrite/schedule/trace/syntax.h"

namespace proviso::rewrite {

using ir::python::Node;
using ir::python::NodeKind;
using ir::python::Position;
using ir::python::Statement;
using ir::python::StatementKind;
using nlohmann::json;

namespace {

constexpr std::int64_t kLargest = 999'999'999'999'999'999;

bool is_variable_name(const std::string& name) {
    return name.size() >= 2 && name.size() <= 10 &&
           (name[0] == 'b' || name[0] == 'l' || name[0] == 'v') &&
           name.find_first_not_of("0123456789", 1) == std::string::npos;
}

}  // namespace

void TraceValues::wrong(const std::string& message, const std::string& hint) const {
    ir::fail(out_.named(out_.module.at(at(), message, hint)));
}

bool TraceValues::is_absent(const json& given) {
    return given.is_null() || given == "None";
}

// Strings among inputs have quotes of their own.
json TraceValues::unquoted(const json& given) const {
    if (!given.is_string()) return given;
    const auto& text = given.get_ref<const std::string&>();
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return quoted ? json(text.substr(1, text.size() - 2)) : given;
}

// "lambda i: [i // 4, i % 4]", 0.0, "T.undef(\"float32\")".
Node TraceValues::expression(const std::string& slot, const json& given) const {
    const bool number = slot == "pad_value" && !given.is_string();
    if (number && given.is_primitive()) return constant(given);
    const bool node = given.is_structured() ||
                      (given.is_string() && !given.get_ref<const std::string&>().empty() &&
                       given.get_ref<const std::string&>().front() == '{');
    if (node) {
        wrong("`" + slot + "` is a tree of the nodes of a compiler, which are not read",
              "write the text of a lambda: \"lambda i: [i // 4, i % 4]\"");
    }
    if (!given.is_string()) wrong("`" + slot + "` is no text of a lambda: " + shown(given));
    const auto& text = given.get_ref<const std::string&>();
    Result<ir::python::ParsedExpression> read =
        ir::python::parse_python_expression(text, out_.module.source->file());
    if (!read) {
        wrong("in `" + slot + "`, `" + text.substr(0, 60) + "`: " + read.error().message,
              "such as \"lambda i: [i // 4, i % 4]\"");
    }
    syntax::place(read->node, at());
    const bool call = slot == "pad_value" && !read->node.is(NodeKind::Lambda);
    if (call ? !syntax::is_constant(read->node) : !read->node.is(NodeKind::Lambda)) {
        wrong("`" + slot + "` is " + (call ? "no value: `" : "no lambda: `") + text.substr(0, 60) +
                  "`",
              call ? "such as 0.0 or \"T.undef(\\\"float32\\\")\""
                   : "such as \"lambda i: [i // 4, i % 4]\"");
    }
    return std::move(read->node);
}

// A number, a string, a list of them, …, as it stands.
Node TraceValues::constant(const json& given) const {
    switch (given.type()) {
        case json::value_t::null: return values::none(at());
        case json::value_t::boolean: return values::boolean(given.get<bool>(), at());
        case json::value_t::string: return values::string(given.get<std::string>(), at());
        case json::value_t::number_unsigned:
            if (given.get<std::uint64_t>() > static_cast<std::uint64_t>(kLargest)) break;
            return values::integer(given.get<std::int64_t>(), at());
        case json::value_t::number_integer:
            if (given.get<std::int64_t>() < -kLargest) break;
            return values::integer(given.get<std::int64_t>(), at());
        case json::value_t::number_float:
            if (!std::isfinite(given.get<double>())) break;
            return syntax::real(given.get<double>(), at());
        case json::value_t::array: {
            std::vector<Node> items;
            for (const json& one : given) items.push_back(constant(one));
            return values::list(std::move(items), at());
        }
        case json::value_t::object: {
            std::vector<Node> items;
            for (const auto& [key, one] : given.items()) {
                items.push_back(values::string(key, at()));
                items.push_back(constant(one));
            }
            Node out = values::list(std::move(items), at());
            out.kind = NodeKind::Dict;
            return out;
        }
        default: break;
    }
    wrong("a number is out of range: " + shown(given), "integers have at most 18 digits");
}

// Of an input: names of numbers are these, strings are quoted.
Node TraceValues::value(const json& given) const {
    if (is_absent(given)) return values::none(at());
    if (given.is_array()) {
        std::vector<Node> items;
        for (const json& one : given) items.push_back(value(one));
        return values::list(std::move(items), at());
    }
    if (!given.is_string()) return constant(given);
    const json text = unquoted(given);
    if (text != given) return constant(text);
    const Variable& v = known(given);
    if (v.kind != Variable::Kind::Number) wrong(shown(given) + " is no number");
    return values::integer(v.number, at());
}

Node TraceValues::variable(const json& given) const {
    // TVM writes one block or loop in a list where several could stand.
    if (given.is_array() && given.size() == 1) return variable(given[0]);
    const Variable& v = known(given);
    if (v.kind == Variable::Kind::Root || v.kind == Variable::Kind::Inline) {
        // compute_at alone has a use for it.
        return values::none(at());
    }
    if (v.kind == Variable::Kind::Number) {
        wrong(shown(given) + " is a number, not a block or a loop");
    }
    return values::stands_for(given.get<std::string>(), at());
}

const TraceValues::Variable& TraceValues::known(const json& given) const {
    if (!given.is_string()) wrong("expected the name of a variable, not " + shown(given));
    const auto found = variables_.find(given.get<std::string>());
    if (found != variables_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [name, v] : variables_) names.push_back(name);
    wrong("unknown variable " + shown(given),
          ir::suggest(given.get<std::string>(), names,
                      "variables are outputs of instructions before it"));
}

Node TraceValues::defined(const std::string& name) {
    if (name == "_") return values::stands_for("_", at());
    if (!is_variable_name(name)) {
        wrong("'" + name.substr(0, 40) + "' is no name of a variable",
              "b, l or v and a number: b0, l3, v1");
    }
    const Variable::Kind kind = name[0] == 'b'   ? Variable::Kind::Block
                                : name[0] == 'l' ? Variable::Kind::Loop
                                                 : Variable::Kind::Number;
    if (kind == Variable::Kind::Number) wrong("'" + name + "' is a number's name");
    if (!variables_.emplace(name, Variable{kind}).second) {
        wrong("'" + name + "' is given a second time");
    }
    return values::stands_for(name, at());
}

void TraceValues::number(const json& output, std::int64_t is) {
    const auto name = output.get<std::string>();
    if (name == "_") return;
    if (!is_variable_name(name) || name[0] != 'v') {
        wrong("'" + name.substr(0, 40) + "' is no name of a number", "v and a number: v1");
    }
    if (!variables_.emplace(name, Variable{Variable::Kind::Number, is}).second) {
        wrong("'" + name + "' is given a second time");
    }
}

std::vector<Statement>& TraceValues::body() {
    return entered_.empty() ? out_.module.body : *entered_.back();
}

std::string TraceValues::object() const {
    return entered_.empty() ? "sch" : "s" + std::to_string(entered_.size());
}

void TraceValues::statement(Node value) {
    Statement s;
    s.kind = StatementKind::Expression;
    s.at = at();
    syntax::measure(value);
    s.value = std::move(value);
    body().push_back(std::move(s));
}

void TraceValues::assignment(Node target, Node value) {
    statement(std::move(value));
    body().back().kind = StatementKind::Assign;
    body().back().target = std::move(target);
}

std::string TraceValues::shown(const json& value) {
    const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
    return text.size() <= 60 ? text : text.substr(0, 60) + "…";
}

}  // namespace proviso::rewrite
