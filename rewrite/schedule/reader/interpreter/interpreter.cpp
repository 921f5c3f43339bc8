// Statements, names and functions of a schedule's text.
#include "rewrite/schedule/reader/interpreter/interpreter.h"

#include <algorithm>
#include <set>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/python_numbers.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using ir::python::Keyword;
using ir::python::Node;
using ir::python::NodeKind;
using ir::python::Position;
using ir::python::StatementKind;

Interpreter::Interpreter(const ir::python::Module& module, ScheduleObject object)
    : module_(module), object_(std::move(object)) {}

void Interpreter::wrong(const Node& node, std::string message, std::string hint) const {
    ir::fail(module_.at(node, std::move(message), std::move(hint)));
}

void Interpreter::count(Position at, std::size_t steps) {
    steps_ += steps;
    if (steps_ <= kMostSteps) return;
    ir::fail(module_.at(at, "the schedule takes more than a million steps",
                        "shorter loops, and shorter lists: to copy eight elements is a step"));
}

namespace {

constexpr std::size_t kCopiedInAStep = 8;
constexpr std::size_t kSeenInAStep = 64;

// Of a value and what is in it; of more than the limit, one more.
std::size_t size_of(const Node& value, std::size_t most) {
    std::size_t out = 1;
    for (const Node& item : value.items) {
        if (out > most) break;
        out += size_of(item, most - out);
    }
    return out;
}

}  // namespace

std::size_t Interpreter::measured(const Node& value, const Node& at) const {
    const std::size_t size = size_of(value, static_cast<std::size_t>(kLongestList));
    if (size > static_cast<std::size_t>(kLongestList)) {
        wrong(at, "a list of more than 100,000 elements, with those in its elements",
              "a schedule is about blocks and loops: shorter lists");
    }
    if (value.depth > kDeepestList) {
        wrong(at, "lists more than 200 deep inside each other", "lists side by side: xs + [x]");
    }
    return size;
}

Node Interpreter::sized(Node value, const Node& at) {
    const bool holds = values::is_list(value) || value.is(NodeKind::Dict);
    if (holds) count(at.at, measured(value, at) / kCopiedInAStep);
    return value;
}

void Interpreter::run() {
    const Statement* entry = check_form(module_);
    for (const Statement& s : module_.body) {
        if (s.is(StatementKind::Function)) functions_[s.text] = &s;
    }
    if (entry == nullptr) {
        frames_[0]["sch"] = values::schedule(0, {});
        body(module_.body);
        return;
    }
    body(module_.body);  // constants beside the `def`
    frames_.push_back({{entry->parameters[0].name, values::schedule(0, {})}});
    body(entry->body);
}

Interpreter::Next Interpreter::body(const std::vector<Statement>& statements) {
    for (const Statement& s : statements) {
        const Next next = statement(s);
        if (next != Next::Go) return next;
    }
    return Next::Go;
}

Interpreter::Next Interpreter::statement(const Statement& s) {
    count(s.at);
    switch (s.kind) {
        case StatementKind::Pass:
        case StatementKind::Function: return Next::Go;
        case StatementKind::Break: return Next::Break;
        case StatementKind::Continue: return Next::Continue;
        case StatementKind::Expression: evaluate(s.value); return Next::Go;
        case StatementKind::Assign: assign(s.target, evaluate(s.value)); return Next::Go;
        case StatementKind::AnnotatedAssign:
            if (s.value) assign(s.target, evaluate(s.value));
            return Next::Go;
        case StatementKind::AugmentedAssign: {
            Node at = s.value;
            at.at = s.at;
            const Node old = evaluate(s.target);
            assign(s.target, binary(s.text, old, evaluate(s.value), at));
            return Next::Go;
        }
        case StatementKind::For: return each(s);
        case StatementKind::With: return with(s);
        case StatementKind::If:
            return body(is_true(evaluate(s.value), s.value) ? s.body : s.otherwise);
        case StatementKind::Return:
            returned_ = s.value ? evaluate(s.value) : values::none(s.at);
            return Next::Return;
        case StatementKind::Assert: {
            if (is_true(evaluate(s.value), s.value)) return Next::Go;
            const Node said = s.annotation ? evaluate(s.annotation) : values::string("", s.at);
            const std::string text = is_text(said);
            ir::fail(module_.at(
                s.at, "the schedule's assert fails" + (text.empty() ? std::string() : ": " + text),
                "the schedule says itself what it needs"));
        }
        case StatementKind::While:
            ir::fail(module_.at(s.at, "a schedule has no `while`: it ends, whatever it says",
                                "for k in range(…):"));
        case StatementKind::Import:
        case StatementKind::Class: break;
    }
    ir::fail(module_.at(s.at,
                        "a schedule is made of calls on the schedule object, `def`, `for` "
                        "and `if`",
                        "such as: b = sch.get_block(\"name\")"));
}

Interpreter::Next Interpreter::each(const Statement& loop) {
    for (const Node& item : elements(evaluate(loop.value), loop.value)) {
        count(loop.at);
        assign(loop.target, item);
        const Next next = body(loop.body);
        if (next == Next::Return) return next;
        if (next == Next::Break) return Next::Go;
    }
    return body(loop.otherwise);
}

Interpreter::Next Interpreter::with(const Statement& s) {
    constexpr const char* form_hint = "with sch.inside(loop) as s:";
    const bool call = s.value.is(NodeKind::Call) && s.value.items[0].is(NodeKind::Attribute);
    if (!call || s.value.items[0].text != "inside") {
        wrong(s.value, "a `with` of a schedule is about what is inside of a loop", form_hint);
    }
    if (!s.target.is(NodeKind::Name)) {
        wrong(s.value, "the schedule object of this `with` has no name", form_hint);
    }
    const Node& left = s.value.items[0].items[0];
    const Node object = evaluate(left);
    const std::optional<std::size_t> outer = values::schedule_of(object);
    if (!outer) wrong(left, "'" + is_text(object) + "' is not the schedule object", form_hint);
    const std::string name = left.is(NodeKind::Name) ? left.text : "sch";
    const std::size_t inside = object_.enter(arguments(s.value), name, *outer);
    assign(s.target, values::schedule(inside, s.target.at));
    const Next next = body(s.body);
    object_.leave(inside);
    return next;
}

void Interpreter::assign(const Node& target, const Node& value) {
    if (target.is(NodeKind::Name)) {
        frames_.back()[target.text] = value;
        return;
    }
    if (target.is(NodeKind::Subscript)) return assign_element(target, value);
    if (!values::is_list(target)) {
        wrong(target, "cannot assign to this", "write: i, j = sch.get_loops(block)");
    }
    assign_each(target, value);
}

void Interpreter::assign_each(const Node& target, const Node& value) {
    const bool one = values::handle_of(value).has_value();
    const std::vector<Node> items = one ? std::vector<Node>{value} : elements(value, target);
    const auto star = std::find_if(target.items.begin(), target.items.end(),
                                   [](const Node& t) { return t.is(NodeKind::Starred); });
    const auto names = target.items.size();
    const bool fits =
        star == target.items.end() ? names == items.size() : names <= items.size() + 1;
    if (!fits) {
        std::string given;
        for (const Node& item : items) given += (given.empty() ? "" : ", ") + is_text(item);
        wrong(target,
              std::to_string(names) + " names for " + std::to_string(items.size()) + " values",
              given.empty() ? "the call gives nothing: write it without a name"
                            : "a name for each of: " + given);
    }
    std::size_t next = 0;
    for (auto t = target.items.begin(); t != target.items.end(); ++t) {
        if (t != star) {
            assign(*t, items[next++]);
            continue;
        }
        const std::size_t many = items.size() + 1 - names;
        const auto from = items.begin() + static_cast<std::ptrdiff_t>(next);
        Node rest = values::list({from, from + static_cast<std::ptrdiff_t>(many)}, target.at);
        rest.text = "#" + std::to_string(++lists_);
        assign(t->items[0], rest);
        next += many;
    }
}

namespace {

// Everything that is the list `number`, in `value` too, becomes `now`.
void change_list(Node& value, const std::string& number, const Node& now) {
    if (value.is(NodeKind::List) && value.text == number) {
        value.items = now.items;
        value.depth = now.depth;
        return;
    }
    if (!values::is_list(value) && !value.is(NodeKind::Dict)) return;
    for (Node& item : value.items) change_list(item, number, now);
}

}  // namespace

void Interpreter::assign_element(const Node& target, const Node& value) {
    const Node object = evaluate(target.items[0]);
    const bool one = target.items.size() == 2 && !target.items[1].is(NodeKind::Slice);
    if (!object.is(NodeKind::List) || !one) {
        wrong(target, "only an element of a list can be assigned", "loops[0] = …");
    }
    std::int64_t k = whole(evaluate(target.items[1]), target.items[1]);
    const auto size = static_cast<std::int64_t>(object.items.size());
    if (k < 0) k += size;
    if (k < 0 || k >= size) {
        wrong(target, "index out of the list", "it has " + std::to_string(size) + " elements");
    }
    Node now = object;
    now.items[static_cast<std::size_t>(k)] = value;
    for (Names& names : frames_) {
        for (auto& [name, held] : names) change_list(held, object.text, now);
    }
}

namespace {

// Everything that is the list `number`, in `value` too, has more elements.
struct Growing {
    const std::string& number;
    const std::vector<Node>& more;
    std::size_t seen = 0;           // nodes
    const Node* changed = nullptr;  // the list, now

    void in(Node& value) {
        ++seen;
        if (!values::is_list(value) && !value.is(NodeKind::Dict)) return;
        if (value.is(NodeKind::List) && value.text == number) {
            value.items.insert(value.items.end(), more.begin(), more.end());
            for (const Node& item : more) value.depth = std::max(value.depth, item.depth + 1);
            changed = &value;
            return;
        }
        for (Node& item : value.items) {
            in(item);
            value.depth = std::max(value.depth, item.depth + 1);
        }
    }
};

}  // namespace

Node Interpreter::append(const Node& list, const Node& call) {
    if (!list.is(NodeKind::List)) {
        wrong(call, "only a list takes more elements", "loops = [] before it");
    }
    if (call.items.size() != 2) wrong(call, "one element at a time", "loops.append(loop)");
    const bool several = call.items[0].text == "extend";
    const std::vector<Node> more =
        several ? elements(call.items[1], call) : std::vector<Node>{call.items[1]};
    const std::string number = list.text;  // `list` may be one of those that change
    Growing growing{number, more};
    for (Names& names : frames_) {
        for (auto& [name, held] : names) growing.in(held);
    }
    if (growing.changed != nullptr) growing.seen += measured(*growing.changed, call);
    count(call.at, growing.seen / kSeenInAStep);
    return values::none(call.at);
}

const Node* Interpreter::variable(const std::string& name) const {
    for (const Names* names : {&frames_.back(), &frames_.front()}) {
        const auto found = names->find(name);
        if (found != names->end()) return &found->second;
    }
    return nullptr;
}

Node Interpreter::name(const Node& node) {
    if (const Node* value = variable(node.text)) {
        Node out = sized(*value, node);
        out.at = node.at;
        return out;
    }
    if (functions_.count(node.text) != 0) {
        return values::stands_for(values::kFunction + node.text, node.at);
    }
    std::vector<std::string> known;
    for (const Names* names : {&frames_.back(), &frames_.front()}) {
        for (const auto& [name, value] : *names) known.push_back(name);
    }
    wrong(node, "unknown name '" + node.text + "'",
          ir::suggest(node.text, known,
                      "a name is given by an assignment: " + node.text +
                          " = sch.get_block(\"NAME\"), or i, j = sch.get_loops(block)"));
}

namespace {

void replace_names(Node& node, std::set<std::string> bound,
                   const std::function<const Node*(const std::string&)>& value) {
    if (node.is(NodeKind::Lambda)) {
        for (const std::string& p : node.names) bound.insert(p[0] == '*' ? p.substr(1) : p);
    }
    if (node.is(NodeKind::Name) && bound.count(node.text) == 0) {
        const Node* is = value(node.text);
        const bool stands_for = is != nullptr && is->is(NodeKind::Name);
        if (is == nullptr || stands_for) return;
        const Position at = node.at;
        node = *is;
        node.at = at;
        return;
    }
    const bool call = node.is(NodeKind::Call) && !node.items.empty();
    for (std::size_t k = 0; k < node.items.size(); ++k) {
        if (k == 0 && call && node.items[0].is(NodeKind::Name)) continue;
        replace_names(node.items[k], bound, value);
        node.depth = std::max(node.depth, node.items[k].depth + 1);
    }
    for (Keyword& k : node.keywords) replace_names(k.value, bound, value);
}

}  // namespace

Node Interpreter::closure(const Node& lambda) {
    Node out = lambda;
    replace_names(out, {}, [&](const std::string& name) { return variable(name); });
    ir::python::compute_numbers(out, *module_.source, {});
    return out;
}

Node Interpreter::arguments(const Node& call) {
    Node out = call;
    out.items.resize(1);
    out.keywords.clear();
    for (std::size_t k = 1; k < call.items.size(); ++k) {
        const Node& item = call.items[k];
        if (!item.is(NodeKind::Starred)) {
            out.items.push_back(evaluate(item));
            continue;
        }
        if (item.text == "**") wrong(item, "`**` in a call is not supported", "name=value");
        for (Node& one : elements(evaluate(item.items[0]), item)) {
            one.at = item.at;
            out.items.push_back(std::move(one));
        }
    }
    for (const Keyword& k : call.keywords) {
        out.keywords.push_back({k.name, k.at, evaluate(k.value)});
    }
    return out;
}

Node Interpreter::function(const Statement& def, const Node& call) {
    if (frames_.size() > kMostCalls) {
        wrong(call, "functions call each other more than a hundred deep", "a loop, `for`");
    }
    Names names;
    std::size_t next = 1;
    std::set<std::string> taken;
    const bool imported = def.text.find('.') != std::string::npos;
    const std::string usage =
        "`" + def.text + "`" + (imported ? "" : " in line " + std::to_string(def.at.line));
    for (const ir::python::Parameter& p : def.parameters) {
        if (p.stars == "*") {
            const auto from = call.items.begin() + static_cast<std::ptrdiff_t>(next);
            Node rest = values::list({from, call.items.end()}, call.at);
            rest.kind = NodeKind::Tuple;
            names[p.name] = rest;
            next = call.items.size();
            continue;
        }
        const auto keyword = std::find_if(call.keywords.begin(), call.keywords.end(),
                                          [&](const Keyword& k) { return k.name == p.name; });
        if (next < call.items.size()) {
            if (keyword != call.keywords.end())
                wrong(keyword->value, "`" + p.name + "` is given twice");
            names[p.name] = call.items[next++];
        } else if (keyword != call.keywords.end()) {
            names[p.name] = keyword->value;
            taken.insert(p.name);
        } else if (p.fallback) {
            names[p.name] = evaluate(p.fallback);
        } else {
            wrong(call, "argument '" + p.name + "' of " + usage + " is missing",
                  "give it, or a default in the `def`");
        }
    }
    if (next < call.items.size()) wrong(call.items[next], "one argument too many for " + usage);
    for (const Keyword& k : call.keywords) {
        if (taken.count(k.name) != 0) continue;
        std::vector<std::string> its;
        for (const ir::python::Parameter& p : def.parameters) its.push_back(p.name);
        wrong(k.value, "no argument `" + k.name + "` of " + usage, ir::suggest(k.name, its));
    }
    if (imported) object_.composite(def.text, call, true);
    frames_.push_back(std::move(names));
    const bool returns = body(def.body) == Next::Return;
    frames_.pop_back();
    if (imported) object_.composite(def.text, call, false);
    return returns ? std::exchange(returned_, Node{}) : values::none(call.at);
}

Node Interpreter::apply(const Node& lambda, const Node& call) {
    if (lambda.names.size() + 1 != call.items.size() || !call.keywords.empty()) {
        wrong(call, "this lambda has " + std::to_string(lambda.names.size()) + " parameters");
    }
    if (frames_.size() > kMostCalls) {
        wrong(call, "functions call each other more than a hundred deep", "a loop, `for`");
    }
    Names names;
    for (std::size_t k = 0; k < lambda.names.size(); ++k) {
        names[lambda.names[k]] = call.items[k + 1];
    }
    frames_.push_back(std::move(names));
    const Node out = evaluate(lambda.items[0]);
    frames_.pop_back();
    return out;
}

Node Interpreter::call(const Node& node) {
    const Node& callee = node.items[0];
    if (callee.is(NodeKind::Name)) {
        const Node* value = variable(callee.text);
        const auto known = functions_.find(callee.text);
        if (value == nullptr && known == functions_.end()) return builtin(callee.text, node);
        const Node computed = arguments(node);
        if (value == nullptr) return function(*known->second, computed);
        if (value->is(NodeKind::Lambda)) return apply(Node(*value), computed);
        const std::string def = values::kFunction;
        if (value->is(NodeKind::Name) && value->text.rfind(def, 0) == 0) {
            return function(*functions_.at(value->text.substr(def.size())), computed);
        }
        wrong(node, "'" + callee.text + "' is no function");
    }
    if (!callee.is(NodeKind::Attribute)) {
        wrong(node, "expected a call on the schedule object", "sch.get_block(\"NAME\")");
    }
    const Node& left = callee.items[0];
    const std::string root = callee.dotted().substr(0, callee.dotted().find('.'));
    if (in_call_ > 0 && !root.empty() && variable(root) == nullptr) return in_library(node);
    const bool unknown = left.is(NodeKind::Name) && variable(left.text) == nullptr;
    if (unknown) {
        wrong(left, "'" + left.text + "' is not the schedule object",
              std::string("write: ") + "sch.…");
    }
    const bool grows = callee.text == "append" || callee.text == "extend";
    if (grows && left.is(NodeKind::Name) && variable(left.text) != nullptr) {
        const Node more = arguments(node);
        return append(*variable(left.text), more);  // without a copy of the list
    }
    const Node object = evaluate(left);
    const std::optional<std::size_t> inside = values::schedule_of(object);
    if (!inside) return method(object, node);
    ++in_call_;
    Node computed = arguments(node);
    --in_call_;
    put_lambdas(computed);
    return object_.call(computed, left.is(NodeKind::Name) ? left.text : "sch", *inside);
}

// T.undef("float32"), T.float32(0): what a primitive makes of it is its own business.
Node Interpreter::in_library(const Node& node) {
    if (node.is(NodeKind::Call)) {
        Node out = arguments(node);
        ir::python::compute_number(out, *module_.source, {});
        return out;
    }
    return node;
}

}  // namespace proviso::rewrite
