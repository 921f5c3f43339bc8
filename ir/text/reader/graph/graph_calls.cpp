// What computes tensors in a function of Relax: calls of functions over loops, changes of layouts.
#include <algorithm>
#include <utility>

#include "ir/text/reader/graph/graph_binder.h"
#include "ir/text/reader/graph/trees.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::call_node;
using python::dotted_node;
using python::Keyword;
using python::name_node;
using python::Node;
using python::NodeKind;
using python::Position;
using python::Statement;
using python::StatementKind;

namespace {

Node element(const std::string& buffer, Position at, std::vector<Node> indices) {
    return python::subscript_node(name_node(at, buffer), std::move(indices));
}

bool is_list(const Node& node) {
    return node.is(NodeKind::Tuple) || node.is(NodeKind::List);
}

bool is_none(const Node& node) {
    return node.is(NodeKind::Constant) && node.text == "None";
}

}  // namespace

GraphFunction::Value GraphFunction::computed(const Statement& s, const std::string& name) {
    if (s.value.is_call_of("R.call_tir")) return call_tir(s.value, name, false);
    if (s.value.is_call_of("R.call_tir_inplace")) return call_tir(s.value, name, true);
    if (s.value.is_call_of("R.layout_transform")) return layout_transform(s, name);
    return value_of(s.value);
}

const GraphFunction::Tensor& GraphFunction::alive(const Part& part, Position at) const {
    const Tensor& t = tensors_[part.tensor];
    if (t.updates != part.updates) {
        wrong(at,
              "this is `" + t.buffer + "` as it was before line " + std::to_string(t.updated.line) +
                  ", which updates it in place",
              "R.call_tir gives the result memory of its own");
    }
    return t;
}

GraphFunction::Call GraphFunction::arguments_of(const Node& call, bool inplace) const {
    Call out;
    if (call.items.size() > 2) out.arguments = &call.items[2];
    if (call.items.size() > 3) out.results = &call.items[3];
    for (const Keyword& k : call.keywords) {
        if (k.name == "args") {
            out.arguments = &k.value;
        } else if (k.name == "out_sinfo" || k.name == "out_ty") {
            out.results = &k.value;
        } else if (k.name == "tir_vars") {
            out.sizes = &k.value;
        } else if (k.name == "inplace_indices" && inplace) {
            out.reused = &k.value;
        } else {
            wrong(k.at, "`" + call.items[0].dotted() + "` has no argument `" + k.name + "`",
                  suggest(k.name, {"args", "out_sinfo", "out_ty", "tir_vars", "inplace_indices"}));
        }
    }
    const bool complete = call.items.size() >= 2 && call.items.size() <= 4 &&
                          out.arguments != nullptr && out.results != nullptr;
    if (!complete) wrong(call.at, "R.call_tir(cls.f, (x, w), out_sinfo=R.Tensor(…)) is expected");
    return out;
}

// R.call_tir(cls.f, (x, w), out_sinfo=R.Tensor(…), tir_vars=R.shape([n])): the arguments, a buffer
// for each result, the sizes.
GraphFunction::Value GraphFunction::call_tir(const Node& call, const std::string& name,
                                             bool inplace) {
    const Call written = arguments_of(call, inplace);
    Value given = value_of(*written.arguments);
    std::vector<Node> passed;
    for (const Part& part : given.parts) {
        passed.push_back(name_node(written.arguments->at, alive(part, call.at).buffer));
    }
    const bool several = is_list(*written.results) || written.results->is_call_of("R.Tuple");
    std::vector<Node> results = {*written.results};
    if (several) {
        results = written.results->items;
        if (written.results->is(NodeKind::Call)) results.erase(results.begin());
    }
    if (results.empty()) no_meaning(call.at, "a call without results has no meaning here");
    const std::vector<int> reused = inplace ? reused_places(call, written.reused, results.size())
                                            : std::vector<int>(results.size(), -1);
    Value out;
    out.tuple = several;
    for (std::size_t k = 0; k < results.size(); ++k) {
        Tensor t = tensor_of(results[k]);
        if (reused[k] >= 0) {
            if (static_cast<std::size_t>(reused[k]) >= given.parts.size()) {
                wrong(call.at, "the call has no argument number " + std::to_string(reused[k]));
            }
            Part part = given.parts[static_cast<std::size_t>(reused[k])];
            update(part, given, call.at);
            ++part.updates;
            out.parts.push_back(part);
            continue;
        }
        t.at = call.at;
        const bool first = values_.count(name) == 0;
        const std::string wish = several ? name + "_" + std::to_string(k) : name;
        const std::string buffer = several || !first ? unique(wish) : wish;
        out.parts.push_back({add(std::move(t), buffer), 0});
        passed.push_back(name_node(call.at, buffer));
    }
    if (written.sizes != nullptr) add_sizes(*written.sizes, passed);
    body_.push_back(python::expression_line(call_node(call.items[1], std::move(passed))));
    return out;
}

// inplace_indices=[0, -1]: for each result the argument that becomes it, -1 for none.
std::vector<int> GraphFunction::reused_places(const Node& call, const Node* indices,
                                              std::size_t results) const {
    if (indices == nullptr) wrong(call.at, "`inplace_indices` is missing", "inplace_indices=[0]");
    const std::vector<Node> written =
        is_list(*indices) ? indices->items : std::vector<Node>{*indices};
    if (written.size() != results) {
        wrong(indices->at, "one index for each result is expected, not " +
                               std::to_string(written.size()) + " for " + std::to_string(results));
    }
    std::vector<int> out;
    for (const Node& n : written) {
        const bool none = n.is(NodeKind::Unary) && n.text == "-" && n.items[0].is(NodeKind::Int) &&
                          n.items[0].text == "1";
        if (!none && !(n.is(NodeKind::Int) && n.text.size() < 6)) {
            wrong(n.at, "the number of an argument is expected, or -1");
        }
        out.push_back(none ? -1 : std::stoi(n.text));
    }
    return out;
}

// The tensor's memory gets another value: nobody may look at the old one later.
void GraphFunction::update(const Part& part, const Value& given, Position at) {
    Tensor& t = tensors_[part.tensor];
    if (t.parameter) {
        no_meaning(at, "this would change `" + t.buffer + "`, which the caller gave",
                   "R.call_tir gives the result memory of its own");
    }
    const auto same = [&](const Part& other) { return other.tensor == part.tensor; };
    if (std::count_if(given.parts.begin(), given.parts.end(), same) > 1) {
        wrong(at, "`" + t.buffer + "` is passed twice, and updated in place");
    }
    ++t.updates;
    t.updated = at;
}

// tir_vars=R.shape([n]): scalars behind the buffers.
void GraphFunction::add_sizes(const Node& sizes, std::vector<Node>& passed) const {
    const bool shape = sizes.is_call_of("R.shape") && sizes.items.size() == 2;
    const Node& list = shape ? sizes.items[1] : sizes;
    if (!is_list(list)) wrong(sizes.at, "a list of sizes is expected", "tir_vars=R.shape([n])");
    for (const Node& size : list.items) passed.push_back(extent_of(size));
}

// lv: R.Tensor((2, 4), dtype="float32") = R.layout_transform(x, index_map=lambda i: (i // 4, i %
// 4), pad_value=0): every cell has the pad value, then each of x its place. Without a pad value the
// other cells are undefined.
GraphFunction::Value GraphFunction::layout_transform(const Statement& s, const std::string& name) {
    const Node& call = s.value;
    const Node* map = call.items.size() > 2 ? &call.items[2] : nullptr;
    const Node* pad = nullptr;
    for (const Keyword& k : call.keywords) {
        if (k.name == "index_map") {
            map = &k.value;
        } else if (k.name == "pad_value") {
            if (!is_none(k.value)) pad = &k.value;
        } else if (k.name == "axis_separators" || k.name == "input_axis_separators") {
            if (!is_none(k.value) && !(is_list(k.value) && k.value.items.empty())) {
                no_meaning(k.at, "separators of axes have no meaning here");
            }
        } else {
            wrong(k.at, "`R.layout_transform` has no argument `" + k.name + "`",
                  suggest(k.name, {"index_map", "pad_value", "axis_separators"}));
        }
    }
    if (map != nullptr && map->is_call_of("T.index_map") && map->items.size() == 2) {
        map = &map->items[1];
    }
    if (call.items.size() < 2 || map == nullptr || !map->is(NodeKind::Lambda)) {
        wrong(call.at, "R.layout_transform(x, index_map=lambda i: (i // 4, i % 4)) is expected");
    }
    if (!s.is(StatementKind::AnnotatedAssign)) {
        no_meaning(s.at, "the shape of the result is not written",
                   "`" + name + ": R.Tensor((2, 4), dtype=\"float32\") = …`, as TVM prints it");
    }
    const Value given = value_of(call.items[1]);
    if (given.tuple) wrong(call.items[1].at, "a tensor is expected, not a tuple");
    const Tensor from = alive(given.parts[0], call.at);
    Tensor result = tensor_of(s.annotation);
    result.at = call.at;
    const std::vector<Node> to =
        map->items[0].is(NodeKind::Tuple) || map->items[0].is(NodeKind::List)
            ? map->items[0].items
            : std::vector<Node>{map->items[0]};
    if (map->names.size() != from.shape.size()) {
        wrong(map->at, "the map takes " + std::to_string(map->names.size()) + " indices, and `" +
                           from.buffer + "` has " + std::to_string(from.shape.size()));
    }
    if (to.size() != result.shape.size()) {
        wrong(map->at, "the map gives " + std::to_string(to.size()) +
                           " indices, and the result has " + std::to_string(result.shape.size()));
    }
    const std::string buffer = values_.count(name) == 0 ? name : unique(name);
    if (pad != nullptr) {
        nest(result, call.at, [&](const std::vector<Node>& at) {
            return python::assign_line(element(buffer, call.at, at), *pad);
        });
    }
    nest(from, call.at, [&](const std::vector<Node>& at) {
        std::vector<std::pair<std::string, Node>> values;
        for (std::size_t d = 0; d < at.size(); ++d) values.emplace_back(map->names[d], at[d]);
        std::vector<Node> place;
        for (const Node& index : to) place.push_back(python::with_names(index, values));
        return python::assign_line(element(buffer, call.at, std::move(place)),
                                   element(from.buffer, call.at, at));
    });
    return Value{{{add(std::move(result), buffer), 0}}, false, false};
}

// A buffer of its own for a result that is a parameter, or is returned twice.
std::size_t GraphFunction::copy(std::size_t from) {
    const Tensor source = tensors_[from];
    Tensor t = source;
    t.parameter = false;
    t.output = false;
    t.updates = 0;
    const std::string buffer = unique(source.buffer + "_out");
    nest(source, source.at, [&](const std::vector<Node>& at) {
        return python::assign_line(element(buffer, t.at, at), element(source.buffer, t.at, at));
    });
    return add(std::move(t), buffer);
}

void GraphFunction::nest(const Tensor& over, Position at,
                         const std::function<Statement(const std::vector<Node>&)>& body) {
    std::vector<Node> vars;
    for (std::size_t d = 0; d < over.shape.size(); ++d) {
        vars.push_back(name_node(at, unique("i" + std::to_string(d))));
    }
    Statement inside = body(vars);
    if (vars.empty()) {
        body_.push_back(std::move(inside));
        return;
    }
    Node target = vars.size() == 1 ? vars[0] : python::tuple_node(at, vars);
    body_.push_back(python::loop_line(
        std::move(target), call_node(dotted_node(at, "T.grid"), over.shape), {std::move(inside)}));
}

}  // namespace proviso::ir
