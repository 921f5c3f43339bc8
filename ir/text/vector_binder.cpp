// Stores of vectors: slices, T.Ramp, T.Broadcast, vload and vstore. A store of n cells is a loop
// over n lanes; in lane k a ramp is its k-th index, and a broadcast its value:
//     C[i:i + 4] = A[i:i + 4] * T.Broadcast(x, 4)
//     for lane in T.vectorized(4): C[i + lane] = A[i + lane] * x
// TVM evaluates all lanes before it stores the first. So a value that reads the buffer that is
// stored to does so at the cell of its own lane only, and calls nothing.
#include <algorithm>

#include "ir/children.h"
#include "ir/text/folding.h"
#include "ir/text/stmt_binder.h"
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

// The first part of a vector in a tree; null where there is none.
const Node* find_vector(const Node& node) {
    if (node.is(NodeKind::Slice) || is_ramp(node) || is_broadcast(node)) return &node;
    if (member_call(node, "vload") != nullptr) return &node;
    for (const Node& item : node.items) {
        if (const Node* found = find_vector(item)) return found;
    }
    return nullptr;
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

bool StmtBinder::is_vector_store(const Statement& s) const {
    if (s.is(StatementKind::Expression)) return member_call(s.value, "vstore") != nullptr;
    return s.target.is(NodeKind::Subscript) && find_vector(s.target) != nullptr;
}

// How many cells a slice, a ramp, a broadcast or a vload is.
std::int64_t ExprBinder::lanes_of(const Node& node) {
    if (member_call(node, "vload") != nullptr) {
        const Node* type = argument(node, 1, "dtype");
        if (type == nullptr) return 1;
        const std::string name = type->is(NodeKind::String) ? type->text : type->dotted();
        const std::size_t x = name.rfind('x');
        const bool counted = x != std::string::npos && x + 1 < name.size() && name.size() - x < 6 &&
                             std::all_of(
                                 name.begin() + static_cast<std::ptrdiff_t>(x) + 1, name.end(),
                                 [](char c) { return c >= '0' && c <= '9'; });
        return counted ? std::stoll(name.substr(x + 1)) : 1;
    }
    Expr count = nullptr;
    if (node.is(NodeKind::Slice)) {
        if (!node.items[0] || !node.items[1]) {
            no_meaning(node, "a slice without an end has no meaning here", "write lo:hi");
        }
        const auto [lo, hi] =
            bind_pair(node.items[0], node.items[1], std::nullopt, "the ends of the slice", node.at);
        count = visible_extent(ctx_, lo, hi);
        if (count != nullptr && node.items[2]) {
            Expr step = bind_int(node.items[2], "the step of a slice");
            if (!is_int_const(step) || step->int_value() <= 0) {
                no_meaning(node.items[2], "this step of a slice has no meaning here");
            }
            count = floor_quotient(
                ctx_, plus(ctx_, count, ctx_.int_imm(count->type, step->int_value() - 1)),
                ctx_.int_imm(count->type, step->int_value()));
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
    const std::int64_t count = lanes_of(node);
    if (count != lanes_->count) {
        wrong(node, "a vector of " + std::to_string(count) + " lanes among vectors of " +
                        std::to_string(lanes_->count));
    }
    if (is_broadcast(node)) {
        check_arguments(node, 2, 2, {"value", "lanes"});
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
        lo = bind_pair(node.items[0], node.items[1], std::nullopt, "the ends of the slice", node.at)
                 .first;
        step = node.items[2] ? bind_int(node.items[2], "the step of a slice", lo->type)
                             : ctx_.int_imm(lo->type, 1);
    } else {
        check_arguments(node, 3, 3, {"base", "stride", "lanes"});
        std::tie(lo, step) = bind_operands(*argument(node, 0, "base"), *argument(node, 1, "stride"),
                                           std::nullopt, "base and stride", node.at);
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
    if (lanes_->count == 1) return out;
    if (out.empty()) wrong(node, "a vector needs a dimension");
    Expr lane = out.back()->type == lanes_->var->type ? lanes_->var
                                                      : ctx_.cast(out.back()->type, lanes_->var);
    out.back() = plus(ctx_, out.back(), lane);
    return out;
}

bool ExprBinder::is_vector(const Node& node) const {
    return node.is(NodeKind::Slice) || is_ramp(node) || is_broadcast(node) ||
           member_call(node, "vload") != nullptr;
}

Stmt StmtBinder::bind_vector_store(const Statement& s) {
    const bool call = s.is(StatementKind::Expression);  // B.vstore(start, value)
    if (call) check_arguments(exprs_.source(), s.value, 2, 2, {"begin", "value"});
    const Node& place = call ? *argument(s.value, 0, "begin") : s.target;
    const Node& value = call ? *argument(s.value, 1, "value") : s.value;
    const Node* vector = call ? find_vector(value) : find_vector(s.target);
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
    Expr own = ctx_.load(buffer, indices);
    const auto memory = [&](Buffer b) {  // below its views
        for (auto view = views_.find(b); view != views_.end(); view = views_.find(b)) {
            b = view->second.base;
        }
        return b;
    };
    const auto reads_elsewhere = [&](Expr root) {
        return contains(root, [&](Expr e) {
            return e->op == Op::CallExtern ||
                   (e->op == Op::Load && memory(e->buffer) == memory(buffer) && e != own);
        });
    };
    const bool elsewhere =
        reads_elsewhere(stored) || std::any_of(indices.begin(), indices.end(), reads_elsewhere);
    if (elsewhere && count > 1) {
        no_meaning(value,
                   "a vector that reads `" + name.text +
                       "` at other cells than it stores to, "
                       "or calls a function, has no meaning here",
                   "store to another buffer first");
    }
    // Lanes that go different ways may meet in a cell: then the last one counts.
    // Cells of a view with strides may be one cell.
    const auto view = views_.find(buffer);
    const bool apart = (view == views_.end() || view->second.compact) &&
                       std::any_of(indices.begin(), indices.end(),
                                   [&](Expr index) { return is_apart(index, lane); });
    if (count == 1) {
        Substitution first{{lane, ctx_.i32(0)}};
        return substitute(ctx_, ctx_.store(buffer, indices, stored), first);
    }
    return ctx_.for_(lane, ctx_.i32(0), ctx_.i32(count), ctx_.store(buffer, indices, stored),
                     apart ? ForKind::Vectorized : ForKind::Serial);
}

}  // namespace proviso::ir
