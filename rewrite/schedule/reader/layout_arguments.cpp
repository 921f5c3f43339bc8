#include "rewrite/schedule/reader/layout_arguments.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/spelling.h"
#include "rewrite/schedule/reader/interpreter/values.h"

namespace proviso::rewrite {

using namespace ir;
using python::Node;
using python::NodeKind;

std::vector<Expr> bind_parameters(Primitives& p, const Node& lambda, ScalarType type,
                                  ir::Names& names) {
    std::vector<Expr> vars;
    for (Expr v : p.proposer().current().scalar_params()) names.bind(*v->name, {v, nullptr});
    for (const std::string& name : lambda.names) {
        vars.push_back(p.proposer().ctx().var(name, type));
        names.bind(name, NameEntry{vars.back(), nullptr});
    }
    return vars;
}

const Node& as_function(const Arguments& in, const Node& given) {
    const bool call =
        given.is(NodeKind::Call) && given.items[0].is(NodeKind::Attribute) &&
        (given.items[0].text == "from_func" || given.items[0].text == "from_func_with_separators");
    if (!call) return given;
    const Node* function = argument(given, 0, "mapping_function");
    if (function == nullptr) in.wrong(given, "the function of the index map is missing");
    const Node* inverse = argument(given, 2, "inverse_index_map");
    if (inverse != nullptr && !values::is_none(*inverse)) {
        in.wrong(*inverse, "the inverse of an index map is found, and proved", "leave it out");
    }
    return *function;
}

namespace {

// ": (\"read\", 0) is A, (\"write\", 0) is S"
std::string numbers(const Primitives& p, const std::string& block) {
    std::string out;
    for (const bool store : {false, true}) {
        for (std::size_t k = 0; Buffer b = p.buffer_by_index(block, store, k); ++k) {
            out += std::string(out.empty() ? ": " : ", ") +
                   (store ? "(\"write\", " : "(\"read\", ") + std::to_string(k) + ") is " + b->name;
        }
    }
    return out;
}

}  // namespace

Buffer buffer_argument(Primitives& p, const Arguments& in, const Node& node,
                       const std::string& block, bool store_by_default) {
    Buffer found = nullptr;
    const auto numbered = [&](const Node& number, bool store) {
        const std::int64_t index = in.integer(number);
        return index < 0 ? nullptr
                         : p.buffer_by_index(block, store, static_cast<std::size_t>(index));
    };
    if (node.is(NodeKind::String)) {
        found = p.accessed_buffer(block, node.text);
    } else if (node.is(NodeKind::Tuple) && node.items.size() == 2 &&
               node.items[0].is(NodeKind::String)) {
        const std::string& which = node.items[0].text;
        if (which != "read" && which != "write") in.wrong(node.items[0], "\"read\" or \"write\"");
        found = numbered(node.items[1], which == "write");
    } else {
        found = numbered(node, store_by_default);
    }
    if (found == nullptr) {
        const std::vector<std::string> names = p.accessed_buffers(block);
        std::string all;
        for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
        const std::string there =
            all.empty() ? "it accesses none" : "it accesses " + all + numbers(p, block);
        in.wrong(node, "block '" + block + "' accesses no such buffer",
                 node.is(NodeKind::String) ? suggest(node.text, names, there) : there);
    }
    return found;
}

namespace {

// The indices that `*a` stands for, `a[0]`, `a[-1]` and parts of it: a_0, a_1, … of `rank` of them.
class StarredIndices {
  public:
    StarredIndices(const Arguments& in, const Node& lambda, std::size_t rank)
        : in_(in), name_(lambda.names.back().substr(1)), first_(lambda.names.size() - 1) {
        for (std::size_t k = first_; k < std::max(rank, first_); ++k) {
            names_.push_back(name_ + "_" + std::to_string(k - first_));
        }
    }

    Node lambda(const Node& written) const {
        Node out = written;
        out.names.pop_back();
        out.names.insert(out.names.end(), names_.begin(), names_.end());
        replace(out.items[0]);
        return out;
    }

  private:
    bool is_all(const Node& n) const { return n.is(NodeKind::Name) && n.text == name_; }

    Node index(std::size_t k, const Node& like) const {
        Node out;
        out.kind = NodeKind::Name;
        out.at = like.at;
        out.text = names_[k];
        return out;
    }

    std::size_t position(const Node& n, std::size_t missing) const {
        if (!n) return missing;
        const auto size = static_cast<std::int64_t>(names_.size());
        const std::int64_t k = in_.integer(n);
        return static_cast<std::size_t>(std::clamp<std::int64_t>(k < 0 ? k + size : k, 0, size));
    }

    // The elements that `a` or `a[1:]` gives; none: it is neither.
    std::vector<Node> elements(const Node& n) const {
        std::vector<Node> out;
        const bool part = n.is(NodeKind::Subscript) && n.items.size() == 2 && is_all(n.items[0]) &&
                          n.items[1].is(NodeKind::Slice);
        if (!part && !is_all(n)) return out;
        const std::size_t from = part ? position(n.items[1].items[0], 0) : 0;
        const std::size_t to = part ? position(n.items[1].items[1], names_.size()) : names_.size();
        for (std::size_t k = from; k < to; ++k) out.push_back(index(k, n));
        return out;
    }

    void replace(Node& n) const {
        if (n.is(NodeKind::Subscript) && n.items.size() == 2 && is_all(n.items[0]) &&
            !n.items[1].is(NodeKind::Slice)) {
            const auto size = static_cast<std::int64_t>(names_.size());
            std::int64_t k = in_.integer(n.items[1]);
            if (k < 0) k += size;
            if (k < 0 || k >= size) {
                in_.wrong(n, "there are " + std::to_string(size) + " indices",
                          name_ + "[0] to " + name_ + "[" + std::to_string(size - 1) + "]");
            }
            n = index(static_cast<std::size_t>(k), n);
            return;
        }
        std::vector<Node> items;
        for (Node& item : n.items) {
            const bool star = item.is(NodeKind::Starred);
            const std::vector<Node> several = elements(star ? item.items[0] : item);
            if (star && !several.empty()) {
                items.insert(items.end(), several.begin(), several.end());
                continue;
            }
            replace(item);
            items.push_back(std::move(item));
        }
        n.items = std::move(items);
        const std::vector<Node> all = elements(n);
        if (all.empty()) return;
        n.kind = NodeKind::List;
        n.items = all;
    }

    const Arguments& in_;
    std::string name_;
    std::size_t first_ = 0;
    std::vector<std::string> names_;
};

// IndexMap.AXIS_SEPARATOR and the like: where the physical dimensions part into groups, each of
// which TVM makes a dimension of memory of. Memory has one dimension here.
bool is_axis_separator(const Node& n) {
    const std::string name = n.is(NodeKind::Attribute) ? n.text : n.dotted();
    return name == "AXIS_SEPARATOR";
}

// lambda i, j: [i, j // 4, j % 4]: its variables, and the body's elements over them. `rank`: how
// many indices there are.
std::pair<std::vector<Expr>, std::vector<Expr>> index_map(Primitives& p, const Arguments& in,
                                                          const python::Module& module,
                                                          const Node& given, ScalarType type,
                                                          std::size_t rank) {
    if (!given.is(NodeKind::Lambda)) {
        in.wrong(given,
                 "expected a lambda, or a def that returns a list: lambda i: [i // 4, i % 4]");
    }
    const bool star = !given.names.empty() && given.names.back()[0] == '*';
    const Node node = star ? StarredIndices(in, given, rank).lambda(given) : given;
    ir::Names names;
    const std::vector<Expr> vars = bind_parameters(p, node, type, names);
    ExprBinder binder(p.proposer().ctx(), *module.source, names, false);
    std::vector<Expr> map;
    const Node& body = node.items[0];
    const bool list = body.is(NodeKind::List) || body.is(NodeKind::Tuple);
    for (const Node& item : list ? body.items : std::vector<Node>{body}) {
        if (list && is_axis_separator(item)) continue;
        map.push_back(binder.bind_typed(item, type, "an index"));
    }
    if (map.empty()) in.wrong(body, "the index map gives no index");
    return {vars, map};
}

// The cell that the padding repeats; literals among its indices are of the index type.
Expr indexed_by(Context& ctx, Expr cell, ScalarType index) {
    const std::span<const Expr> given = cell->args;
    std::vector<Expr> indices(given.begin(), given.end());
    for (Expr& i : indices) {
        if (is_int_const(i)) i = ctx.int_imm(index, i->int_value());
    }
    return ctx.load(cell->buffer, indices);
}

void padding(Primitives& p, const Arguments& in, const python::Module& module, const Node& node,
             Primitives::LayoutRequest& request) {
    Context& ctx = p.proposer().ctx();
    const Node* value = &node;
    ir::Names names;
    const ScalarType index = request.buffer->shape[0]->type;
    // The padding may repeat a cell; the physical extents are not known yet.
    const std::vector<Expr> any(request.map.size(), ctx.int_imm(index, 1));
    const Buffer b = request.buffer;
    names.bind(b->name, NameEntry{nullptr, ctx.buffer(b->name, b->type, any, b->scope)});
    if (node.is(NodeKind::Lambda)) {
        request.pad_vars = bind_parameters(p, node, index, names);
        if (request.pad_vars.size() != request.map.size()) {
            in.wrong(node, "the padding function takes one index for each physical dimension");
        }
        value = &node.items[0];
    }
    if (value->is(NodeKind::Constant) && value->text == "None") return;
    if (value->is(NodeKind::Call) && value->items[0].is(NodeKind::Attribute) &&
        value->items[0].text == "undef") {
        const std::string type = request.buffer->type.str();
        const Node* given = argument(*value, 0, "dtype");
        const std::size_t arguments = value->items.size() - 1 + value->keywords.size();
        const bool same = given != nullptr && given->is(NodeKind::String) && given->text == type;
        if (arguments > 1 || (arguments == 1 && !same)) {
            in.wrong(*value, "the padding of " + b->name + " has the type " + type,
                     "pad_value=T.undef(\"" + type + "\")");
        }
        request.pad = Primitives::Pad::Undef;
        return;
    }
    ExprBinder binder(ctx, *module.source, names, false);
    request.pad = Primitives::Pad::Value;
    request.pad_value = binder.bind_typed(*value, request.buffer->type, "the padding value");
    if (request.pad_value->op == Op::Load) {
        request.pad_value = indexed_by(ctx, request.pad_value, index);
    }
}

// exact=True: what the caller puts into the padding is that value bit for bit.
void exactness(const Arguments& in, const Node& node, Primitives::LayoutRequest& request) {
    const bool yes = node.is(NodeKind::Constant) && node.text == "True";
    if (!yes && !(node.is(NodeKind::Constant) && node.text == "False")) {
        in.wrong(node, "expected True or False");
    }
    if (!yes) return;
    const Buffer b = request.buffer;
    if (request.pad != Primitives::Pad::Value) {
        in.wrong(node, "exact=True promises a value, and the padding of " + b->name + " has none",
                 "pad_value=0.0, exact=True");
    }
    if (!b->type.is_float()) {
        in.wrong(node, "equal values of " + b->type.str() + " have the same bits",
                 "leave exact=True out");
    }
    Expr pad = request.pad_value;
    if (pad->op == Op::FloatImm && std::isnan(pad->float_value())) {
        in.wrong(node, "a NaN cannot be promised bit for bit: all NaNs are one value",
                 "leave exact=True out");
    }
    request.exact = true;
}

}  // namespace

Primitives::LayoutRequest layout_request(Primitives& p, const Arguments& in,
                                         const python::Module& module, const Node& call) {
    Primitives::LayoutRequest request;
    request.block = in.block(in.need(call, 0, "block"));
    request.buffer = buffer_argument(p, in, in.need(call, 1, "buffer"), request.block, true);
    if (request.buffer->rank() == 0) in.wrong(call, "a scalar buffer has no layout to change");
    const ScalarType type = request.buffer->shape[0]->type;
    std::tie(request.vars, request.map) =
        index_map(p, in, module, in.need(call, 2, "index_map"), type, request.buffer->rank());
    if (const Node* pad = argument(call, 3, "pad_value")) padding(p, in, module, *pad, request);
    if (const Node* plan = argument(call, 4, "plan")) {
        if (!plan->is(NodeKind::String) || (plan->text != "after" && plan->text != "select")) {
            in.wrong(*plan, "expected \"select\" or \"after\"");
        }
        request.padding_after = plan->text == "after";
    }
    in.boolean(argument(call, 6, "assume_injective_transform"));  // proved all the same
    if (const Node* exact = argument(call, 5, "exact")) exactness(in, *exact, request);
    return request;
}

std::pair<std::vector<Expr>, std::vector<Expr>> iterator_map(Primitives& p, const Arguments& in,
                                                             const python::Module& module,
                                                             const Node& lambda,
                                                             const std::string& block) {
    const Function& f = p.proposer().current();
    const Block& b = *locate(f, *find_block(f, block))->stmt->as<Block>();
    const ScalarType type = b.iters.empty() ? kInt32 : b.iters[0].var->type;
    return index_map(p, in, module, lambda, type, b.iters.size());
}

Primitives::Region region_argument(Primitives& p, const Arguments& in, const python::Module& module,
                                   const Node& lambda, const std::string& block, Buffer buffer) {
    const Function& f = p.proposer().current();
    const Block& b = *locate(f, *find_block(f, block))->stmt->as<Block>();
    if (!lambda.is(NodeKind::Lambda) || lambda.names.size() != b.iters.size()) {
        std::string names;
        for (const BlockIter& it : b.iters) names += (names.empty() ? "" : ", ") + *it.var->name;
        in.wrong(lambda, "expected a lambda over the iterators of block " + block,
                 "lambda " + names + ": …");
    }
    Context& ctx = p.proposer().ctx();
    ir::Names names;
    bind_parameters(p, lambda, kInt32, names);
    for (std::size_t k = 0; k < b.iters.size(); ++k) {
        names.bind(lambda.names[k], NameEntry{b.iters[k].var, nullptr});
    }
    ExprBinder binder(ctx, *module.source, names, false);
    const Node& body = lambda.items[0];
    std::vector<Node> given = {body};
    if (values::is_list(body)) given = body.items;
    const bool flat = given.size() == 2 * buffer->rank() &&
                      std::none_of(given.begin(), given.end(), values::is_list);
    if (!flat && given.size() != buffer->rank()) {
        in.wrong(body,
                 buffer->name + " has " + std::to_string(buffer->rank()) + " dimensions, not " +
                     std::to_string(given.size()),
                 "an index or (begin, end) for each: lambda vi, vj: ((vi - 1, vi + 2), vj)");
    }
    Primitives::Region out;
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        const ScalarType type = buffer->shape[d]->type;
        const auto bound = [&](const Node& n) { return binder.bind_typed(n, type, "a bound"); };
        if (flat) {
            out.emplace_back(bound(given[2 * d]), bound(given[2 * d + 1]));
            continue;
        }
        const Node& range = given[d];
        if (!values::is_list(range)) {
            Expr index = bound(range);
            out.emplace_back(index, ctx.add(index, ctx.int_imm(type, 1)));
            continue;
        }
        if (range.items.size() != 2) in.wrong(range, "expected (begin, end)", "(vi - 1, vi + 2)");
        out.emplace_back(bound(range.items[0]), bound(range.items[1]));
    }
    return out;
}

std::pair<Expr, Expr> bind_hint(Primitives& p, const Arguments& in, const python::Module& module,
                                const Node& hint, Expr loop) {
    if (loop == nullptr || !hint.is(NodeKind::Lambda) || hint.names.size() != 1) {
        in.wrong(hint, "expected a condition on the loop's variable", "hint=lambda i: i < 14");
    }
    ir::Names names;
    const Expr i = bind_parameters(p, hint, loop->type, names)[0];
    ExprBinder binder(p.proposer().ctx(), *module.source, names, false);
    return {i, binder.bind_typed(hint.items[0], kBool, "the hint")};
}

}  // namespace proviso::rewrite
