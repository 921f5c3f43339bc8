// Vectors: slices, T.Ramp, T.Broadcast, vload and vstore, lets of them, and buffers of them. A
// store of n lanes is a loop over them; in lane k a ramp is its k-th index, and a broadcast its
// value:
//     C[i:i + 4] = A[i:i + 4] * T.Broadcast(x, 4)
//     for lane in T.vectorized(4): C[i + lane] = A[i + lane] * x
// TVM evaluates all lanes before it stores the first. So where a lane could see what another one
// has stored, all lanes go to a buffer first:
//     C[1:5] = C[0:4]
//     lanes = T.alloc_buffer((4,), …)
//     for lane in T.vectorized(4): lanes[lane] = C[lane]
//     for lane in T.vectorized(4): C[1 + lane] = lanes[lane]
// A let of a vector is such a buffer, too. A buffer of vectors has their lanes as last dimension.
#include <algorithm>

#include "ir/children.h"
#include "ir/text/reader/expressions/folding.h"
#include "ir/text/reader/stmt_binder.h"
#include "ir/well_formed.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Statement;
using python::StatementKind;

namespace {

bool is_ramp(const Node& node) {
    return node.is_call_of("T.Ramp") || node.is_call_of("T.ramp");
}

bool is_broadcast(const Node& node) {
    return node.is_call_of("T.Broadcast") || node.is_call_of("T.broadcast");
}

const Node* member_call(const Node& node, std::string_view member) {
    const bool call = node.is(NodeKind::Call) && node.items[0].is(NodeKind::Attribute) &&
                      node.items[0].text == member;
    return call ? &node.items[0].items[0] : nullptr;
}

bool contains(Expr root, const std::function<bool(Expr)>& is_it) {
    bool found = false;
    for_each_node(root, [&](Expr e) { found = found || is_it(e); });
    return found;
}

// lo + lane or lo + lane * c, c no 0, with a `lo` that is the same for all lanes.
bool is_apart(Expr index, Expr lane) {
    const auto steps = [&](Expr e) {
        if (e->op == Op::Mul && is_int_const(e->arg(1)) && e->arg(1)->int_value() != 0) {
            e = e->arg(0);
        }
        if (e->op == Op::Cast && e->type == kInt64) e = e->arg(0);
        return e == lane;
    };
    if (index->op == Op::Add && !occurs_free(lane, index->arg(0))) return steps(index->arg(1));
    return steps(index);
}

}  // namespace

bool ExprBinder::is_vector(Buffer buffer, VectorKind kind) const {
    const auto found = vectors_.find(buffer);
    return found != vectors_.end() && found->second == kind;
}

bool ExprBinder::is_part_of_vector(const Node& node) const {
    return node.is(NodeKind::Slice) || is_ramp(node) || is_broadcast(node) ||
           member_call(node, "vload") != nullptr;
}

const Node* ExprBinder::find_vector(const Node& node) const {
    if (is_part_of_vector(node)) return &node;
    const bool element = node.is(NodeKind::Subscript) && node.items[0].is(NodeKind::Name);
    if (element || node.is(NodeKind::Name)) {
        const NameEntry* entry = names_.find(element ? node.items[0].text : node.text);
        const auto kind = element ? VectorKind::Element : VectorKind::Variable;
        if (entry != nullptr && is_vector(entry->buffer, kind)) return &node;
    }
    for (const Node& item : node.items) {
        if (const Node* found = find_vector(item)) return found;
    }
    for (const python::Keyword& k : node.keywords) {
        if (const Node* found = find_vector(k.value)) return found;
    }
    return nullptr;
}

void ExprBinder::refuse_vector(const Node& node, const std::string& place) const {
    if (find_vector(node) == nullptr) return;
    no_meaning(node, "a vector as " + place + " has no meaning here");
}

void ExprBinder::require_lanes(const Node& node, std::int64_t count) const {
    if (count == lanes_->count) return;
    wrong(node, "a vector of " + std::to_string(count) + " lanes among vectors of " +
                    std::to_string(lanes_->count));
}

std::optional<std::pair<ScalarType, std::int64_t>> ExprBinder::vector_type(const Node& node) {
    std::string name = node.is(NodeKind::String) ? node.text : node.dotted();
    if (name.rfind("T.", 0) == 0) name = name.substr(2);
    const std::size_t x = name.rfind('x');
    const bool counted = x != std::string::npos && x + 1 < name.size() && name.size() - x < 6 &&
                         name[x + 1] != '0' &&
                         std::all_of(
                             name.begin() + static_cast<std::ptrdiff_t>(x) + 1, name.end(),
                             [](char c) { return c >= '0' && c <= '9'; });
    if (!counted) return std::nullopt;
    const auto scalar = ScalarType::parse(name.substr(0, x));
    if (!scalar) return std::nullopt;
    return std::pair{*scalar, static_cast<std::int64_t>(std::stoll(name.substr(x + 1)))};
}

// The lane at hand of a let's variable.
Expr ExprBinder::bind_vector_variable(const Node& node, Buffer buffer) {
    const auto lanes = static_cast<std::int64_t>(buffer->shape.back()->int_value());
    if (!lanes_) {
        no_meaning(node,
                   "`" + node.text + "`, a vector of " + std::to_string(lanes) +
                       " lanes, has no meaning where one value is expected",
                   "vectors are stored and bound to names");
    }
    require_lanes(node, lanes);
    return ctx_.load(buffer, {lanes_->var});
}

bool StmtBinder::is_vector_store(const Statement& s) const {
    if (s.is(StatementKind::Expression)) return member_call(s.value, "vstore") != nullptr;
    return s.target.is(NodeKind::Subscript) && exprs_.find_vector(s.target) != nullptr;
}

std::pair<Expr, Expr> ExprBinder::bind_slice(const Node& slice) {
    const auto ends =
        bind_pair(slice.items[0], slice.items[1], std::nullopt, "the ends of the slice", slice.at);
    if (!ends.first->type.is_int()) {
        wrong(slice, "the ends of a slice must be integers, not " + ends.first->type.str());
    }
    return ends;
}

// How many cells a slice, a ramp, a broadcast or a vload is.
std::int64_t ExprBinder::lanes_of(const Node& node) {
    if (const Node* from = member_call(node, "vload")) {
        const NameEntry* entry = from->is(NodeKind::Name) ? names_.find(from->text) : nullptr;
        const bool of_vectors = entry != nullptr && is_vector(entry->buffer, VectorKind::Element);
        const Node* type = argument(node, 1, "dtype");
        if (type == nullptr && of_vectors) {
            return static_cast<std::int64_t>(entry->buffer->shape.back()->int_value());
        }
        const auto vector = type == nullptr ? std::nullopt : vector_type(*type);
        return vector ? vector->second : 1;
    }
    if (node.is(NodeKind::Name) || node.is(NodeKind::Subscript)) {
        const Node& name = node.is(NodeKind::Name) ? node : node.items[0];
        return static_cast<std::int64_t>(names_.find(name.text)->buffer->shape.back()->int_value());
    }
    Expr count = nullptr;
    if (node.is(NodeKind::Slice)) {
        if (!node.items[0] || !node.items[1]) {
            no_meaning(node, "a slice without an end has no meaning here", "write lo:hi");
        }
        const auto [lo, hi] = bind_slice(node);
        count = visible_extent(ctx_, lo, hi);
        if (count != nullptr && node.items[2]) {
            Expr step = bind_int(node.items[2], "the step of a slice");
            if (!is_int_const(step) || step->int_value() <= 0) {
                no_meaning(node.items[2], "this step of a slice has no meaning here");
            }
            Expr above = ctx_.int_imm(step->type, step->int_value() - 1);
            count = floor_quotient(ctx_, plus(ctx_, count, above), step);
        }
    } else {
        const std::size_t place = is_ramp(node) ? 2 : 1;
        const Node* lanes = argument(node, place, "lanes");
        if (lanes == nullptr) wrong(node, "the number of lanes is missing");
        count = bind_int(*lanes, "the number of lanes");
    }
    if (count == nullptr || !is_int_const(count)) {
        no_meaning(node, "a vector of an unknown number of lanes has no meaning here",
                   "write a loop over its cells");
    }
    constexpr Int128 most = 1 << 20;
    if (count->int_value() < 1 || count->int_value() > most) {
        wrong(node, "a vector has 1 to 1048576 lanes");
    }
    return static_cast<std::int64_t>(count->int_value());
}

// What a slice, a ramp, a broadcast or a vload is in the lane at hand.
Expr ExprBinder::bind_lane(const Node& node, std::optional<ScalarType> expected) {
    require_lanes(node, lanes_of(node));
    if (is_broadcast(node)) {
        check_arguments(node, 2, 2, {"value", "lanes"});
        refuse_vector(*argument(node, 0, "value"), "the value of a broadcast");
        return bind(*argument(node, 0, "value"), expected);
    }
    if (const Node* buffer = member_call(node, "vload")) {
        check_arguments(node, 1, 2, {"begin", "dtype"});
        Buffer from = bind_buffer_name(*buffer);
        return ctx_.load(from, bind_start(*argument(node, 0, "begin"), from));
    }
    Expr lo = nullptr;
    Expr step = nullptr;
    if (node.is(NodeKind::Slice)) {
        lo = bind_slice(node).first;
        step = node.items[2] ? bind_int(node.items[2], "the step of a slice", lo->type)
                             : ctx_.int_imm(lo->type, 1);
    } else {
        check_arguments(node, 3, 3, {"base", "stride", "lanes"});
        refuse_vector(*argument(node, 0, "base"), "the base of a ramp");
        refuse_vector(*argument(node, 1, "stride"), "the stride of a ramp");
        std::tie(lo, step) = bind_operands(*argument(node, 0, "base"), *argument(node, 1, "stride"),
                                           std::nullopt, "base and stride", node.at);
        if (!lo->type.is_int())
            wrong(node, "base and stride must be integers, not " + lo->type.str());
    }
    Expr lane = lo->type == lanes_->var->type ? lanes_->var : ctx_.cast(lo->type, lanes_->var);
    return plus(ctx_, lo, times(ctx_, lane, step));
}

// The indices of vload and vstore: where the first lane is; the others follow in the last
// dimension.
std::vector<Expr> ExprBinder::bind_start(const Node& node, Buffer buffer) {
    Node subscript;
    subscript.kind = NodeKind::Subscript;
    subscript.at = node.at;
    subscript.items.resize(1);
    subscript.items[0].kind = NodeKind::Name;
    subscript.items[0].text = buffer->name;
    const bool list = node.is(NodeKind::List) || node.is(NodeKind::Tuple);
    for (std::size_t i = 0; i < (list ? node.items.size() : 1); ++i) {
        subscript.items.push_back(list ? node.items[i] : node);
    }
    std::vector<Expr> out = bind_indices(subscript, buffer);
    if (lanes_->count == 1 || is_vector(buffer, VectorKind::Element)) return out;
    if (out.empty()) wrong(node, "a vector needs a dimension");
    Expr lane = out.back()->type == lanes_->var->type ? lanes_->var
                                                      : ctx_.cast(out.back()->type, lanes_->var);
    out.back() = plus(ctx_, out.back(), lane);
    return out;
}

// The buffer that a view's cells are those of.
Buffer StmtBinder::memory_below(Buffer buffer) const {
    for (auto view = views_.find(buffer); view != views_.end(); view = views_.find(buffer)) {
        buffer = view->second.base;
    }
    return buffer;
}

// TVM calls a function once for all lanes.
void StmtBinder::refuse_calls(Expr e, const Node& node) const {
    if (!contains(e, [](Expr n) { return n->op == Op::CallExtern; })) return;
    no_meaning(node, "a vector that calls a function has no meaning here");
}

Stmt StmtBinder::bind_vector_store(const Statement& s) {
    const bool call = s.is(StatementKind::Expression);  // B.vstore(start, value)
    if (call) check_arguments(exprs_.source(), s.value, 2, 2, {"begin", "value"});
    const Node& place = call ? *argument(s.value, 0, "begin") : s.target;
    const Node& value = call ? *argument(s.value, 1, "value") : s.value;
    const Node* vector = exprs_.find_vector(call ? value : s.target);
    const std::int64_t count = vector == nullptr ? 1 : exprs_.lanes_of(*vector);
    const Node& name = call ? s.value.items[0].items[0] : s.target.items[0];
    Buffer buffer = exprs_.bind_buffer_name(name);

    Expr lane = ctx_.var(names_.unique("lane"), kInt32);
    const LaneScope scope(exprs_, ExprBinder::Lanes{lane, count});
    std::vector<Expr> indices =
        call ? exprs_.bind_start(place, buffer) : exprs_.bind_indices(place, buffer);
    for (Expr index : indices) require_definite(index, place, "this index");
    Node sum = value;
    if (s.is(StatementKind::AugmentedAssign)) {  // A[0:4] += e is A[0:4] = A[0:4] + e
        sum = Node{};
        sum.kind = NodeKind::Binary;
        sum.at = s.target.at;
        sum.op_at = s.target.at;
        sum.text = s.text;
        sum.items = {s.target, value};
    }
    Expr stored = bind_stored(sum, buffer->type, "the value stored to `" + name.text + "`");
    // Lanes that go different ways may meet in a cell: then the last one counts. In a view, cells
    // of different indices may be one cell: where it has strides, or beyond its extents.
    const auto view = views_.find(buffer);
    const bool is_view = view != views_.end();
    const auto moving = std::count_if(indices.begin(), indices.end(),
                                      [&](Expr index) { return occurs_free(lane, index); });
    const bool apart = (!is_view || (view->second.compact && moving == 1)) &&
                       std::any_of(indices.begin(), indices.end(),
                                   [&](Expr index) { return is_apart(index, lane); });
    if (count == 1) {
        Substitution first{{lane, ctx_.i32(0)}};
        return substitute(ctx_, ctx_.store(buffer, indices, stored), first);
    }
    refuse_calls(stored, value);
    for (Expr index : indices) refuse_calls(index, place);
    // In one dimension the lane reads where it stores to, and no other lane does.
    const auto stays_in_lane = [&](Expr load) {
        if (!apart || load->buffer != buffer) return false;
        if (is_view) return load == ctx_.load(buffer, indices);
        for (std::size_t d = 0; d < indices.size(); ++d) {
            if (load->arg(d) == indices[d] && is_apart(indices[d], lane)) return true;
        }
        return false;
    };
    const auto sees_other_lanes = [&](Expr root) {
        return contains(root, [&](Expr e) {
            return e->op == Op::Load && memory_below(e->buffer) == memory_below(buffer) &&
                   !stays_in_lane(e);
        });
    };
    const ForKind kind = apart ? ForKind::Vectorized : ForKind::Serial;
    if (!sees_other_lanes(stored) &&
        std::none_of(indices.begin(), indices.end(), sees_other_lanes)) {
        return over_lanes(lane, count, ctx_.store(buffer, indices, stored), kind);
    }
    // All lanes of the value, and of indices that are read from this memory, before the first
    // store.
    Expr again = ctx_.var(names_.unique("lane"), kInt32);
    const Substitution to_again{{lane, again}};
    std::vector<Buffer> kept;
    std::vector<Stmt> fill;
    const auto keep = [&](Expr e) {
        kept.push_back(ctx_.buffer(names_.unique("lanes"), e->type, {ctx_.i32(count)}, "local"));
        fill.push_back(ctx_.store(kept.back(), {lane}, e));
        return ctx_.load(kept.back(), {again});
    };
    for (Expr& index : indices) {
        index = sees_other_lanes(index) ? keep(index) : substitute(ctx_, index, to_again);
    }
    Stmt stores = ctx_.store(buffer, indices, keep(stored));
    Stmt out = ctx_.seq({over_lanes(lane, count, ctx_.seq(fill), ForKind::Vectorized),
                         over_lanes(again, count, stores, kind)});
    for (std::size_t i = kept.size(); i-- > 0;) out = ctx_.stmt(Allocate{kept[i], out, {}});
    return out;
}

Stmt StmtBinder::over_lanes(Expr lane, std::int64_t count, Stmt body, ForKind kind) {
    return ctx_.for_(lane, ctx_.i32(0), ctx_.i32(count), body, kind);
}

// v: T.float32x4 = A[0:4]
Stmt StmtBinder::bind_vector_let(const Node& target, const Node* type, const Node& value,
                                 Lines rest) {
    const std::int64_t count = exprs_.lanes_of(*exprs_.find_vector(value));
    Expr lane = ctx_.var(names_.unique("lane"), kInt32);
    Expr bound = nullptr;
    {
        const LaneScope scope(exprs_, ExprBinder::Lanes{lane, count});
        const std::string what = "the value of `" + target.text + "`";
        bound = type == nullptr ? exprs_.bind(value)
                                : exprs_.bind_typed(value, exprs_.bind_type(*type), what);
    }
    const std::size_t mark = names_.mark();
    if (count == 1) {
        Expr one = substitute(ctx_, bound, Substitution{{lane, ctx_.i32(0)}});
        Expr var = declare_var(target, one->type);
        Stmt body = bind_rest(rest);
        names_.release(mark);
        return ctx_.stmt(LetStmt{var, one, body});
    }
    refuse_calls(bound, value);
    if (!target.is(NodeKind::Name)) wrong(target, "a name is expected here");
    Buffer lanes = ctx_.buffer(names_.unique(target.text), bound->type, {ctx_.i32(count)}, "local");
    names_.bind(target.text, NameEntry{nullptr, lanes});
    exprs_.add_vector(lanes, ExprBinder::VectorKind::Variable);
    Stmt body = bind_rest(rest);
    names_.release(mark);
    Stmt fill = over_lanes(lane, count, ctx_.store(lanes, {lane}, bound), ForKind::Vectorized);
    return ctx_.stmt(Allocate{lanes, ctx_.seq({fill, body}), {}});
}

}  // namespace proviso::ir
