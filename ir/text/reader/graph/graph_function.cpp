#include "ir/text/reader/graph/graph_function.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "ir/text/reader/function_binder.h"
#include "ir/text/reader/graph/graph_binder.h"
#include "ir/text/reader/graph/trees.h"
#include "ir/text/reader/python/failure.h"
#include "ir/text/reader/python/quoted.h"
#include "ir/text/reader/python/scopes.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::call_node;
using python::dotted_node;
using python::Keyword;
using python::name_node;
using python::Node;
using python::NodeKind;
using python::Parameter;
using python::Position;
using python::Statement;
using python::StatementKind;

namespace {

bool is_constant(const Node& extent) {
    return extent.is_call_of("T.int64") && extent.items.size() == 2 &&
           extent.items[1].is(NodeKind::Int);
}

// n = T.int64()
bool is_size(const Statement& s) {
    return s.is(StatementKind::Assign) && s.value.is(NodeKind::Call) && s.value.items.size() == 1 &&
           s.value.items[0].dotted().rfind("T.", 0) == 0;
}

}  // namespace

std::string operator_hint(const Node& node) {
    const std::string name = node.is(NodeKind::Call) ? node.items[0].dotted() : "";
    if (name.rfind("R.", 0) != 0) return "";
    return "TVM's LegalizeOps makes calls of `R.call_tir` from operators like `" + name + "`";
}

const Node* graph_mark(const Statement& definition) {
    for (const Node& d : definition.decorators) {
        const std::string name = d.is(NodeKind::Call) ? d.items[0].dotted() : d.dotted();
        if (name == "R.function" || name == "relax.function") return &d;
    }
    return nullptr;
}

Statement function_of_graph(const python::Source& source, const Statement& definition) {
    return GraphFunction(source, definition).run();
}

std::vector<std::string> graph_functions(std::string_view text) {
    std::vector<std::string> out;
    const auto parsed = python::parse_python(text, "");
    if (!parsed) return out;
    const auto add = [&](const std::vector<Statement>& lines) {
        for (const Statement& s : lines) {
            if (s.is(StatementKind::Function) && graph_mark(s) != nullptr) out.push_back(s.text);
        }
    };
    add(parsed->body);
    for (const Statement& s : parsed->body) add(s.body);
    return out;
}

void GraphFunction::wrong(Position at, std::string message, std::string hint) const {
    fail(source_.at(at, std::move(message), std::move(hint)));
}

void GraphFunction::no_meaning(Position at, std::string message, std::string hint) const {
    fail_opaque(source_.at(at, std::move(message), std::move(hint)));
}

Statement GraphFunction::run() {
    Statement out = s_;
    if (s_.decorators.size() > 1) wrong(s_.decorators[1].at, "one decorator is expected");
    check_decorator(source_, s_.decorators[0], {"private", "pure"});
    out.decorators = {dotted_node(s_.decorators[0].at, "T.prim_func")};
    out.annotation = Node();
    collect_names(s_.body);
    for (const Parameter& p : s_.parameters) used_.insert(p.name);
    parameters();
    lines(s_.body);
    if (!returned_) wrong(s_.at, "function `" + s_.text + "` returns nothing");
    check_result();
    out.parameters = inputs_;
    for (const std::size_t t : outputs_) declare_parameter(t, out.parameters, sizes_);
    out.body = std::move(facts_);
    for (std::vector<Statement>* more : {&sizes_, &matches_}) {
        std::move(more->begin(), more->end(), std::back_inserter(out.body));
    }
    for (const Tensor& t : tensors_) {
        if (t.parameter || t.output) continue;
        out.body.push_back(python::assign_line(
            name_node(t.at, t.buffer), call_node(dotted_node(t.at, "T.alloc_buffer"),
                                                 {python::tuple_node(t.at, t.shape), t.dtype})));
    }
    std::move(body_.begin(), body_.end(), std::back_inserter(out.body));
    return out;
}

void GraphFunction::collect_names(const std::vector<Statement>& body) {
    for (const Statement& s : body) {
        python::add_names(s.target, used_);
        collect_names(s.body);
    }
}

std::string GraphFunction::unique(const std::string& wish) {
    std::string name = wish;
    for (int k = 1; !used_.insert(name).second; ++k) name = wish + "_" + std::to_string(k);
    return name;
}

// --- tensors -------------------------------------------------------------------------------------

// R.Tensor((4, "n"), dtype="float32")
GraphFunction::Tensor GraphFunction::tensor_of(const Node& annotation) const {
    if (!annotation.is_call_of("R.Tensor")) {
        no_meaning(annotation.at, "only tensors have a meaning here",
                   "R.Tensor((4, n), dtype=\"float32\")");
    }
    Tensor out;
    out.at = annotation.at;
    const Node* shape = annotation.items.size() > 1 ? &annotation.items[1] : nullptr;
    const Node* dtype = annotation.items.size() > 2 ? &annotation.items[2] : nullptr;
    for (const Keyword& k : annotation.keywords) {
        if (k.name == "shape") {
            shape = &k.value;
        } else if (k.name == "dtype") {
            dtype = &k.value;
        } else if (k.name == "ndim") {
            no_meaning(k.at, "a tensor without a shape has no meaning here");
        } else if (k.name != "vdevice") {
            wrong(k.at, "`R.Tensor` has no argument `" + k.name + "`",
                  suggest(k.name, {"shape", "dtype", "ndim", "vdevice"}));
        }
    }
    if (shape == nullptr || !(shape->is(NodeKind::Tuple) || shape->is(NodeKind::List))) {
        no_meaning(annotation.at, "a tensor without a shape has no meaning here");
    }
    if (dtype == nullptr || !dtype->is(NodeKind::String)) {
        no_meaning(annotation.at, "a tensor without a type has no meaning here",
                   "dtype=\"float32\"");
    }
    for (const Node& extent : shape->items) out.shape.push_back(extent_of(extent));
    out.dtype = *dtype;
    return out;
}

// Extents of Relax are int64.
Node GraphFunction::extent_of(const Node& written) const {
    if (written.is(NodeKind::Int)) return call_node(dotted_node(written.at, "T.int64"), {written});
    if (!written.is(NodeKind::String)) return written;
    const auto parsed = python::quoted_expression(written);
    if (!parsed) wrong(written.at, "this is not an expression");
    return *parsed;
}

std::size_t GraphFunction::add(Tensor t, const std::string& buffer) {
    t.buffer = buffer;
    tensors_.push_back(std::move(t));
    return tensors_.size() - 1;
}

// As `T.Buffer` where the shape is of numbers; else as a handle, whose sizes the body defines.
void GraphFunction::declare_parameter(std::size_t tensor, std::vector<Parameter>& params,
                                      std::vector<Statement>& sizes) {
    const Tensor& t = tensors_[tensor];
    const Node shape = python::tuple_node(t.at, t.shape);
    Parameter p;
    p.at = t.at;
    p.name = t.buffer;
    if (std::all_of(t.shape.begin(), t.shape.end(), is_constant)) {
        p.annotation = call_node(dotted_node(t.at, "T.Buffer"), {shape, t.dtype});
    } else {
        p.name = unique("var_" + t.buffer);
        p.annotation = dotted_node(t.at, "T.handle");
        matches_.push_back(python::assign_line(
            name_node(t.at, t.buffer), call_node(dotted_node(t.at, "T.match_buffer"),
                                                 {name_node(t.at, p.name), shape, t.dtype})));
        for (const Node& extent : t.shape) declare_sizes(extent, sizes);
    }
    params.push_back(std::move(p));
}

// n = T.int64(), once
void GraphFunction::declare_sizes(const Node& extent, std::vector<Statement>& sizes) {
    if (is_constant(extent)) return;
    for (const std::string& name : python::names_in(extent)) {
        if (name == "T" || !declared_.insert(name).second) continue;
        used_.insert(name);
        sizes.push_back(python::assign_line(name_node(extent.at, name),
                                            call_node(dotted_node(extent.at, "T.int64"), {})));
    }
}

void GraphFunction::parameters() {
    for (const Parameter& p : s_.parameters) {
        if (!p.annotation) wrong(p.at, "parameter `" + p.name + "` has no type");
        if (!p.stars.empty() || p.fallback) wrong(p.at, "a parameter is a name with a type");
        Tensor t = tensor_of(p.annotation);
        t.at = p.at;
        t.parameter = true;
        const std::size_t added = add(std::move(t), p.name);
        values_[p.name] = Value{{{added, 0}}, false, false};
        declare_parameter(added, inputs_, sizes_);
    }
}

// --- lines ---------------------------------------------------------------------------------------

void GraphFunction::lines(const std::vector<Statement>& body) {
    for (const Statement& s : body) {
        if (returned_) wrong(s.at, "nothing comes after `return`");
        line(s);
    }
}

void GraphFunction::line(const Statement& s) {
    switch (s.kind) {
        case StatementKind::Pass: return;
        case StatementKind::With: return dataflow(s);
        case StatementKind::Return: return result(s);
        case StatementKind::Expression: return expression(s);
        case StatementKind::Assign:
        case StatementKind::AnnotatedAssign: return binding(s);
        case StatementKind::If: no_meaning(s.at, "a choice between graphs has no meaning here");
        default: break;
    }
    wrong(s.at, "this line cannot stand in a function of Relax");
}

void GraphFunction::expression(const Statement& s) {
    if (s.value.is(NodeKind::String)) return;  // documentation
    if (s.value.is_call_of("R.func_attr")) {
        Statement kept = s;
        kept.value.items[0] = dotted_node(s.value.at, "T.func_attr");
        facts_.push_back(std::move(kept));
        return;
    }
    if (s.value.is_call_of("R.output")) {
        wrong(s.at, "`R.output` stands at the end of `with R.dataflow():`");
    }
    no_meaning(s.at, "this has no meaning here", operator_hint(s.value));
}

// with R.dataflow(): …; R.output(y)
void GraphFunction::dataflow(const Statement& s) {
    if (!s.value.is_call_of("R.dataflow")) {
        no_meaning(s.value.at, "only `with R.dataflow():` has a meaning here");
    }
    std::set<std::string> outside;
    for (const auto& [name, unused] : values_) outside.insert(name);
    bool closed = false;
    for (const Statement& inner : s.body) {
        if (closed) wrong(inner.at, "nothing comes after `R.output`");
        if (inner.is(StatementKind::Return)) {
            wrong(inner.at, "`return` comes after the dataflow block");
        }
        closed = inner.is(StatementKind::Expression) && inner.value.is_call_of("R.output");
        if (!closed) {
            line(inner);
            continue;
        }
        for (std::size_t k = 1; k < inner.value.items.size(); ++k) {
            value_of(inner.value.items[k]);
            outside.insert(inner.value.items[k].text);
        }
    }
    for (auto& [name, value] : values_) {
        if (outside.count(name) == 0) value.inner = true;
    }
}

void GraphFunction::result(const Statement& s) {
    returned_ = true;
    if (!s.value) wrong(s.at, "function `" + s_.text + "` returns nothing");
    const Value value = value_of(s.value);
    if (value.parts.empty()) no_meaning(s.at, "a tuple of nothing has no meaning here");
    for (const Part& part : value.parts) {
        const Tensor& t = alive(part, s.value.at);
        // What the caller gave, or gets already, is copied.
        const std::size_t given = t.parameter || t.output ? copy(part.tensor) : part.tensor;
        tensors_[given].output = true;
        outputs_.push_back(given);
    }
}

// As many tensors as the function says that it returns.
void GraphFunction::check_result() const {
    const Node& says = s_.annotation;
    std::vector<Node> parts = {says};
    if (says.is_call_of("R.Tuple")) parts.assign(says.items.begin() + 1, says.items.end());
    const bool tensors = std::all_of(parts.begin(), parts.end(),
                                     [](const Node& p) { return p.is_call_of("R.Tensor"); });
    if (!tensors || parts.size() == outputs_.size()) return;
    wrong(says.at, "the function says that it returns " + std::to_string(parts.size()) +
                       (parts.size() == 1 ? " tensor" : " tensors") + ", and returns " +
                       std::to_string(outputs_.size()));
}

void GraphFunction::binding(const Statement& s) {
    if (!s.value) wrong(s.at, "this gives no value");
    if (!s.target.is(NodeKind::Name)) no_meaning(s.target.at, "a value has one name here");
    const std::string& name = s.target.text;
    if (is_size(s)) {
        if (declared_.insert(name).second) sizes_.push_back(s);
        return;
    }
    if (s.value.is(NodeKind::Name) && values_.count(s.value.text) == 0) {
        facts_.push_back(s);  // cls = Module
        return;
    }
    values_[name] = s.value.is(NodeKind::Call) ? computed(s, name) : value_of(s.value);
}

GraphFunction::Value GraphFunction::named(const Node& name) const {
    const auto found = values_.find(name.text);
    if (found == values_.end()) {
        std::vector<std::string> known;
        for (const auto& [other, unused] : values_) known.push_back(other);
        wrong(name.at, "`" + name.text + "` is not known here", suggest(name.text, known));
    }
    if (found->second.inner) {
        wrong(name.at, "`" + name.text + "` is not given out by its dataflow block",
              "name it in R.output(…)");
    }
    return found->second;
}

// pair[0]
GraphFunction::Value GraphFunction::element_of(const Node& node) const {
    const Value whole = named(node.items[0]);
    if (!whole.tuple) wrong(node.at, "`" + node.items[0].text + "` is no tuple");
    const std::string& written = node.items[1].text;
    const std::size_t k = written.size() < 6 ? std::stoul(written) : whole.parts.size();
    if (k >= whole.parts.size()) {
        wrong(node.at, "the tuple has " + std::to_string(whole.parts.size()) + " parts");
    }
    return Value{{whole.parts[k]}, false, false};
}

// A name, a tuple of values, an element of a tuple.
GraphFunction::Value GraphFunction::value_of(const Node& node) const {
    if (node.is(NodeKind::Name)) return named(node);
    if (node.is(NodeKind::Tuple) || node.is_call_of("R.tuple")) {
        Value out;
        out.tuple = true;
        for (std::size_t k = node.is(NodeKind::Tuple) ? 0 : 1; k < node.items.size(); ++k) {
            const Value part = value_of(node.items[k]);
            if (part.tuple) no_meaning(node.at, "a tuple in a tuple has no meaning here");
            out.parts.push_back(part.parts[0]);
        }
        return out;
    }
    const bool element = node.is(NodeKind::Subscript) && node.items.size() == 2 &&
                         node.items[1].is(NodeKind::Int) && node.items[0].is(NodeKind::Name);
    if (element) return element_of(node);
    if (node.is_call_of("R.const") || node.is(NodeKind::Subscript)) {
        no_meaning(node.at, "data in a graph has no meaning here",
                   "make it a parameter of the function");
    }
    no_meaning(node.at, "this has no meaning here", operator_hint(node));
}

}  // namespace proviso::ir
