#include "ir/text/reader/expressions/expr_binder.h"
#include "ir/text/reader/expressions/foreign.h"

#include <algorithm>

#include "ir/planted.h"
#include "ir/text/reader/expressions/folding.h"
#include "ir/text/spelling.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Position;

namespace {

struct WrittenOperator {
    std::string_view text;
    Op op;
    bool swap;  // `a > b` is `b < a`
};

const WrittenOperator* find_operator(std::string_view text) {
    static constexpr WrittenOperator table[] = {
        {"+", Op::Add, false},   {"-", Op::Sub, false},       {"*", Op::Mul, false},
        {"/", Op::Div, false},   {"//", Op::FloorDiv, false}, {"%", Op::FloorMod, false},
        {"<<", Op::Shl, false},  {">>", Op::Shr, false},      {"&", Op::BitAnd, false},
        {"|", Op::BitOr, false}, {"^", Op::BitXor, false},    {"<", Op::Lt, false},
        {"<=", Op::Le, false},   {">", Op::Lt, true},         {">=", Op::Le, true},
        {"==", Op::Eq, false},   {"!=", Op::Ne, false},
    };
    for (const WrittenOperator& row : table) {
        if (row.text == text) return &row;
    }
    return nullptr;
}

}  // namespace

Expr ExprBinder::bind(const Node& node, std::optional<ScalarType> expected) {
    if (lanes_ && is_part_of_vector(node)) return bind_lane(node, expected);
    switch (node.kind) {
        case NodeKind::Int:
        case NodeKind::Float: return literal(node, false, expected);
        case NodeKind::Constant:
            if (node.text == "None") wrong(node, "None is not a value here");
            return ctx_.bool_imm(node.text == "True");
        case NodeKind::Name: return bind_name(node);
        case NodeKind::Unary: return bind_unary(node, expected);
        case NodeKind::Binary: return bind_binary(node, expected);
        case NodeKind::Compare: return bind_compare(node);
        case NodeKind::Logic: return bind_logic(node);
        case NodeKind::Conditional:
            return bind_choice(Op::IfThenElse, node.items[1], node.items[0], node.items[2],
                               expected);
        case NodeKind::Subscript: return bind_load(node);
        case NodeKind::Call: return bind_call(node, expected);
        case NodeKind::Attribute: {
            const std::string name = node.dotted();
            if (name.rfind("T.", 0) == 0) {
                if (is_foreign_name(name)) no_meaning(node, "`" + name + "` has no meaning here");
                wrong(node, "`" + name + "` is not a value", "is a call meant: `" + name + "(…)`?");
            }
            const std::string message = "attribute `." + node.text + "` has no meaning here";
            if (is_foreign_member(node.text)) no_meaning(node, message);
            wrong(node, message);
        }
        case NodeKind::String: wrong(node, "a string is not a value here");
        case NodeKind::Tuple:
        case NodeKind::List:
        case NodeKind::Dict: wrong(node, "one value is expected here");
        case NodeKind::Lambda: wrong(node, "a lambda is not a value here");
        case NodeKind::Slice:
            no_meaning(node, "a slice as an index has no meaning here", "load one cell at a time");
        case NodeKind::Starred:
        case NodeKind::Comprehension:
        case NodeKind::Clause:
            no_meaning(node, "what Python computes has no meaning here", "write it out");
        case NodeKind::Missing: wrong(node, "a value is expected here");
    }
    wrong(node, "not a value");
}

Expr ExprBinder::bind_typed(const Node& node, ScalarType type, const std::string& what) {
    Expr e = bind(node, type);
    if (e->type != type) {
        wrong(node, what + " is " + e->type.str() + ", not " + type.str(),
              type.is_bool() ? "compare with 0: `x != 0`" : cast_hint(type));
    }
    return e;
}

Expr ExprBinder::bind_int(const Node& node, const std::string& what,
                          std::optional<ScalarType> expected) {
    Expr e = bind(node, expected);
    if (!e->type.is_int()) wrong(node, what + " must be an integer, not " + e->type.str());
    return e;
}

void ExprBinder::require_bool(Expr e, const Node& node, const std::string& what) {
    if (e->type.is_bool()) return;
    wrong(node, what + " must be bool, not " + e->type.str(), "compare with 0: `x != 0`");
}

// Two operands, literals in the type of their neighbour.
std::pair<Expr, Expr> ExprBinder::bind_both(const Node& a, const Node& b,
                                            std::optional<ScalarType> expected) {
    const bool fa = is_flexible(a);
    const bool fb = is_flexible(b);
    Expr ea = nullptr;
    Expr eb = nullptr;
    if (fa && fb) {
        std::optional<ScalarType> type = expected;
        if (!type) {
            const auto na = natural_type(a);
            const auto nb = natural_type(b);
            type = na && na->is_float() ? na : nb ? nb : na;
        }
        ea = bind(a, type);
        eb = bind(b, type);
    } else if (fa) {
        eb = bind(b, expected);
        ea = bind(a, eb->type);
    } else {
        ea = bind(a, expected);
        eb = bind(b, ea->type);
    }
    return {ea, eb};
}

void ExprBinder::require_one_type(const std::pair<Expr, Expr>& pair, const std::string& what,
                                  Position at) const {
    const auto& [a, b] = pair;
    if (a->type == b->type) return;
    wrong(at, what + " have types " + a->type.str() + " and " + b->type.str(),
          "cast one of them: " + cast_hint(a->type).substr(6));
}

std::pair<Expr, Expr> ExprBinder::bind_pair(const Node& a, const Node& b,
                                            std::optional<ScalarType> expected,
                                            const std::string& what, Position at) {
    const auto out = bind_both(a, b, expected);
    require_one_type(out, what, at);
    return out;
}

namespace {

// The type in which TVM's operators bring two others together; nullopt for types that it does not.
std::optional<ScalarType> meeting_type(ScalarType a, ScalarType b) {
    if (a == b) return a;
    if (a.is_bool() || b.is_bool()) return a.is_bool() ? b : a;
    if (a.is_float() && b.is_float()) {
        if (a.bits == b.bits) return std::nullopt;  // float16 and bfloat16
        return a.bits > b.bits ? a : b;
    }
    if (a.is_float() || b.is_float()) return a.is_float() ? a : b;
    if (a.bits != b.bits) return a.bits > b.bits ? a : b;
    return a.is_signed() ? b : a;
}

}  // namespace

Expr ExprBinder::converted(Expr e, ScalarType type) {
    if (e->type == type) return e;
    const bool constant = e->op == Op::IntImm && type.is_int() && type.contains(e->int_value());
    return constant ? ctx_.int_imm(type, e->int_value()) : ctx_.cast(type, e);
}

std::pair<Expr, Expr> ExprBinder::promote_literal(const Node& literal, Expr operand) {
    const std::optional<ScalarType> own = natural_type(literal);
    const auto type = own ? meeting_type(*own, operand->type) : operand->type;
    if (!type) return {bind(literal, own), operand};
    return {bind(literal, type), converted(operand, *type)};
}

std::pair<Expr, Expr> ExprBinder::bind_operands(const Node& a, const Node& b,
                                                std::optional<ScalarType> expected,
                                                const std::string& what, Position at,
                                                Beside beside) {
    const bool fa = is_flexible(a);
    const bool promoted = !logic_ && beside != Beside::OtherType && fa != is_flexible(b);
    std::pair<Expr, Expr> out;
    if (promoted && !fa) {
        const auto [literal, operand] = promote_literal(b, bind(a, expected));
        out = {operand, literal};
    } else if (promoted && beside == Beside::Promoted) {
        out = promote_literal(a, bind(b, expected));
    } else if (!logic_ && fa != is_flexible(b)) {
        Expr operand = bind(fa ? b : a, expected);
        Expr number = literal_of_type(fa ? a : b, operand->type);
        out = fa ? std::pair(number, operand) : std::pair(operand, number);
    } else {
        out = bind_both(a, b, expected);
    }
    const ScalarType ta = out.first->type;
    const ScalarType tb = out.second->type;
    const bool indices = ta.is_exact_int() && tb.is_exact_int();
    const auto type = indices || !logic_ ? meeting_type(ta, tb) : std::nullopt;
    if (type) out = {converted(out.first, *type), converted(out.second, *type)};
    require_one_type(out, what, at);
    return out;
}

Expr ExprBinder::bind_name(const Node& node) {
    const NameEntry* entry = names_.find(node.text);
    if (entry == nullptr) {
        if (names_.is_of_file(node.text)) {
            no_meaning(node, "`" + node.text + "` is made by Python, and has no meaning here");
        }
        const std::string message = names_.was_bound(node.text)
                                        ? "`" + node.text + "` is not in scope here"
                                        : "`" + node.text + "` is not defined";
        wrong(node, message, suggest(node.text, names_.visible()));
    }
    if (entry->var != nullptr) return entry->var;
    if (is_vector(entry->buffer, VectorKind::Variable)) {
        return bind_vector_variable(node, entry->buffer);
    }
    if (entry->buffer != nullptr && !logic_ && is_one_cell(entry->buffer)) {
        return ctx_.load(entry->buffer, {ctx_.i32(0)});
    }
    if (entry->buffer != nullptr) {
        wrong(node, "`" + node.text + "` is a buffer, not a value",
              "load a cell: `" + node.text + "[…]`");
    }
    no_meaning(node, "`" + node.text + "` is a handle, not a value",
               "match it to a buffer: `X = T.match_buffer(" + node.text + ", shape, dtype)`");
}

Expr ExprBinder::bind_unary(const Node& node, std::optional<ScalarType> expected) {
    const Node& operand = node.items[0];
    if (node.text == "not") {
        Expr e = bind(operand);
        require_bool(e, operand, "the operand of `not`");
        return ctx_.not_(e);
    }
    const bool is_literal = operand.is(NodeKind::Int) || operand.is(NodeKind::Float);
    if (node.text == "-" && is_literal && !operand.parenthesized) {
        return literal(operand, true, expected);
    }
    return bind_sign(node, node.text, operand, expected);
}

ExprBinder::Beside ExprBinder::literal_beside(Op op) {
    const bool bits = op_info(op).op_class == OpClass::Bits;
    return bits || op == Op::Eq || op == Op::Ne ? Beside::OtherType : Beside::Promoted;
}

Expr ExprBinder::bind_binary(const Node& node, std::optional<ScalarType> expected) {
    const WrittenOperator* row = find_operator(node.text);
    if (row == nullptr) {
        wrong(node.op_at, "operator `" + node.text + "` is not supported",
              node.text == "**" ? "write the product out, or T.pow for floats" : "");
    }
    if (expected && expected->is_bool()) expected.reset();
    if (!logic_ && is_flexible(node.items[0]) && is_flexible(node.items[1])) expected.reset();
    const std::string written = "`" + node.text + "`";
    const auto [a, b] =
        bind_operands(node.items[0], node.items[1], expected, "the operands of " + written,
                      node.op_at, literal_beside(row->op));
    const bool misread = row->op == Op::Add && planted("text:reads-plus-as-minus");
    return apply(misread ? Op::Sub : row->op, a, b, node.op_at, written);
}

Expr ExprBinder::bind_compare(const Node& node) {
    std::vector<Expr> parts;
    for (std::size_t i = 0; i < node.names.size(); ++i) {
        const WrittenOperator* row = find_operator(node.names[i]);
        if (row == nullptr) wrong(node.op_at, "`" + node.names[i] + "` is not supported");
        const std::string written = "`" + node.names[i] + "`";
        const bool order = row->op != Op::Eq && row->op != Op::Ne;
        auto [a, b] = bind_operands(node.items[i], node.items[i + 1], std::nullopt,
                                    "the operands of " + written, node.op_at,
                                    order ? Beside::Order : Beside::OtherType);
        if (row->swap) std::swap(a, b);
        parts.push_back(apply(row->op, a, b, node.op_at, written));
    }
    Expr out = parts.back();
    for (std::size_t i = parts.size() - 1; i-- > 0;) out = ctx_.and_(parts[i], out);
    return out;
}

Expr ExprBinder::bind_logic(const Node& node) {
    const Op op = node.text == "and" ? Op::And : Op::Or;
    std::vector<Expr> parts;
    for (const Node& item : node.items) {
        Expr e = bind(item);
        require_bool(e, item, "an operand of `" + node.text + "`");
        parts.push_back(e);
    }
    Expr out = parts.back();
    for (std::size_t i = parts.size() - 1; i-- > 0;) out = ctx_.make(op, {parts[i], out});
    return out;
}

Expr ExprBinder::bind_choice(Op op, const Node& cond, const Node& yes, const Node& no,
                             std::optional<ScalarType> expected) {
    Expr c = bind(cond);
    require_bool(c, cond, "the condition");
    if (!logic_ && is_flexible(yes) && is_flexible(no)) {  // floats are float32 here
        const auto a = natural_type(yes);
        const auto b = natural_type(no);
        if ((a && a->is_float()) || (b && b->is_float())) expected = kFloat32;
    }
    // TVM brings the arms of T.if_then_else to one type, and those of T.Select not.
    const auto [a, b] = op == Op::Select ? bind_pair(yes, no, expected, "the two arms", yes.at)
                                         : bind_operands(yes, no, expected, "the two arms", yes.at);
    return ctx_.make(op, {c, a, b});
}

Buffer ExprBinder::bind_buffer_name(const Node& node) {
    if (!node.is(NodeKind::Name)) wrong(node, "the name of a buffer is expected here");
    const NameEntry* entry = names_.find(node.text);
    if (entry == nullptr || entry->buffer == nullptr) {
        std::vector<std::string> buffers;
        for (const std::string& name : names_.visible()) {
            if (names_.find(name)->buffer != nullptr) buffers.push_back(name);
        }
        const bool exists = entry != nullptr;
        if (!exists && names_.is_of_file(node.text)) {
            no_meaning(node, "`" + node.text + "` is made by Python, and has no meaning here");
        }
        const std::string message = exists && entry->var != nullptr ? "` is a scalar, not a buffer"
                                    : exists ? "` is a handle that is not matched to a buffer yet"
                                    : names_.was_bound(node.text) ? "` is not in scope here"
                                                                  : "` is not defined";
        wrong(node, "`" + node.text + message, suggest(node.text, buffers));
    }
    if (is_vector(entry->buffer, VectorKind::Variable)) {
        wrong(node, "`" + node.text + "` is a vector, not a buffer");
    }
    return entry->buffer;
}

std::vector<Expr> ExprBinder::bind_indices(const Node& node, Buffer buffer) {
    const std::size_t count = node.items.size() - 1;
    const bool of_vectors = is_vector(buffer, VectorKind::Element);
    const std::size_t rank = buffer->rank() - (of_vectors ? 1 : 0);
    if (count != rank) {
        wrong(node,
              "`" + node.items[0].text + "` has " + std::to_string(rank) + " dimension" +
                  (rank == 1 ? "" : "s") + ", but " + std::to_string(count) +
                  (count == 1 ? " index is" : " indices are") + " given",
              rank == 0 ? "write `" + node.items[0].text + "[()]`" : "");
    }
    std::vector<Expr> out;
    for (std::size_t i = 1; i < node.items.size(); ++i) {
        if (of_vectors) refuse_vector(node.items[i], "an index of a buffer of vectors");
        out.push_back(bind_int(node.items[i], "an index"));
    }
    if (!of_vectors) return out;
    const auto lanes = static_cast<std::int64_t>(buffer->shape.back()->int_value());
    if (!lanes_) {
        no_meaning(node,
                   "a vector of " + std::to_string(lanes) +
                       " lanes has no meaning where one value is expected",
                   "vectors are stored and bound to names");
    }
    require_lanes(node, lanes);
    out.push_back(lanes_->var);
    return out;
}

// A.shape[0], A.strides[0]
Expr ExprBinder::bind_shape_or_stride(const Node& node) {
    const Node& name = node.items[0].items[0];
    const std::string& member = node.items[0].text;
    Buffer buffer = bind_buffer_name(name);
    const auto strides = strides_.find(buffer);
    const bool shape = member == "shape";
    if (!shape && (strides == strides_.end() || strides->second.empty())) {
        no_meaning(node, "the declaration of `" + name.text + "` says no strides");
    }
    const bool one = node.items.size() == 2 && node.items[1].is(NodeKind::Int);
    const auto number = one ? number_of(node.items[1], false) : std::nullopt;
    const std::size_t rank = buffer->shape.size() - (vectors_.count(buffer) != 0 ? 1 : 0);
    const Int128* k = number ? std::get_if<Int128>(&*number) : nullptr;
    if (k == nullptr || *k >= static_cast<Int128>(rank)) {
        wrong(node, "`" + name.text + "." + member + "` takes a dimension of `" + name.text + "`",
              rank < 2 ? (rank == 0 ? "it has none" : "0") : "0 to " + std::to_string(rank - 1));
    }
    return (shape ? buffer->shape : strides->second)[static_cast<std::size_t>(*k)];
}

std::optional<std::vector<Node>> ExprBinder::parts_of_shape(const Node& node) const {
    const bool shape =
        node.is(NodeKind::Attribute) && node.text == "shape" && node.items[0].is(NodeKind::Name);
    const NameEntry* entry = shape ? names_.find(node.items[0].text) : nullptr;
    if (entry == nullptr || entry->buffer == nullptr) return std::nullopt;
    std::vector<Node> out;
    const std::size_t rank = entry->buffer->rank() - (vectors_.count(entry->buffer) != 0 ? 1 : 0);
    for (std::size_t k = 0; k < rank; ++k) {
        Node number;
        number.kind = NodeKind::Int;
        number.at = node.at;
        number.text = std::to_string(k);
        Node part;
        part.kind = NodeKind::Subscript;
        part.at = node.at;
        part.items = {node, std::move(number)};
        part.depth = node.depth + 1;
        out.push_back(std::move(part));
    }
    return out;
}

Expr ExprBinder::bind_load(const Node& node) {
    const Node& base = node.items[0];
    const bool of_buffer = base.is(NodeKind::Attribute) && base.items[0].is(NodeKind::Name);
    if (of_buffer && (base.text == "shape" || base.text == "strides")) {
        return bind_shape_or_stride(node);
    }
    Buffer buffer = bind_buffer_name(node.items[0]);
    return ctx_.load(buffer, bind_indices(node, buffer));
}

ScalarType ExprBinder::type_of_name(const Node& node, const std::string& name) {
    if (const auto type = ScalarType::parse(name)) return *type;
    if (lanes_) {  // a lane of the vector
        const std::string lanes = "x" + std::to_string(lanes_->count);
        const std::size_t at = name.rfind(lanes);
        if (at != std::string::npos && at + lanes.size() == name.size()) {
            if (const auto type = ScalarType::parse(name.substr(0, at))) return *type;
        }
    }
    if (is_foreign_type(name)) no_meaning(node, "the type `" + name + "` has no meaning here");
    std::vector<std::string> names;
    for (const ScalarType& t : all_scalar_types()) names.push_back(t.str());
    wrong(node, "`" + name + "` is not a type",
          suggest(name, names, "types are \"int32\", \"float32\", …"));
}

ScalarType ExprBinder::bind_type(const Node& node) {
    if (node.is(NodeKind::String)) return type_of_name(node, node.text);
    const std::string name = node.dotted();
    if (name.rfind("T.", 0) == 0) return type_of_name(node, name.substr(2));
    const std::string applied = node.is(NodeKind::Call) ? node.items[0].dotted() : "";
    if (is_foreign_name(applied) || applied == "T.handle") {
        no_meaning(node, "the type `" + applied + "` has no meaning here");
    }
    wrong(node, "a type is expected here", "types are written \"int32\", \"float32\", …");
}

std::string cast_hint(ScalarType type) {
    return "cast: T.Cast(\"" + type.str() + "\", …)";
}

}  // namespace proviso::ir
