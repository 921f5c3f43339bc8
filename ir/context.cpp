#include "ir/context.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <unordered_set>

#include "ir/intern.h"

namespace proviso::ir {

namespace {

std::size_t mix(std::size_t seed, std::size_t value) {
    return seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2));
}

std::size_t mix_pointer(std::size_t seed, const void* p) {
    return mix(seed, std::hash<const void*>{}(p));
}

std::size_t mix_type(std::size_t seed, ScalarType t) {
    return mix(seed, (static_cast<std::size_t>(t.code) << 8) | t.bits);
}

struct BufferHash {
    std::size_t operator()(Buffer b) const {
        std::size_t h = std::hash<std::string>{}(b->name);
        h = mix_type(h, b->type);
        for (Expr e : b->shape) h = mix(h, e->id);
        return mix(h, std::hash<std::string>{}(b->scope));
    }
};

struct BufferEqual {
    bool operator()(Buffer a, Buffer b) const {
        return a->name == b->name && a->type == b->type && a->scope == b->scope &&
               std::equal(a->shape.begin(), a->shape.end(), b->shape.begin(), b->shape.end());
    }
};

// Hash of a statement's own fields and its children's handles.
struct StmtHash {
    static std::size_t of(std::size_t h, Expr e) { return mix_pointer(h, e); }
    static std::size_t of(std::size_t h, Stmt s) { return mix_pointer(h, s); }
    std::size_t operator()(Stmt s) const {
        const std::size_t h = s->data.index();
        return std::visit(
            Overloaded{
                [&](const Store& n) {
                    std::size_t r = of(mix_pointer(h, n.buffer), n.value);
                    for (Expr e : n.indices) r = of(r, e);
                    return r;
                },
                [&](const For& n) {
                    return of(
                        of(of(of(mix(h, static_cast<std::size_t>(n.kind)), n.var), n.lo), n.hi),
                        n.body);
                },
                [&](const IfElse& n) { return of(of(of(h, n.cond), n.then_body), n.else_body); },
                [&](const Seq& n) {
                    std::size_t r = h;
                    for (Stmt c : n.body) r = of(r, c);
                    return r;
                },
                [&](const LetStmt& n) { return of(of(of(h, n.var), n.value), n.body); },
                [&](const Allocate& n) { return of(mix_pointer(h, n.buffer), n.body); },
                [&](const Assert& n) {
                    return mix(of(h, n.cond), std::hash<std::string>{}(n.message));
                },
                [&](const Assume& n) { return of(h, n.cond); },
                [&](const Evaluate& n) { return of(h, n.value); },
                [&](const Block& n) {
                    std::size_t r = of(of(of(h, n.predicate), n.init), n.body);
                    for (const BlockIter& it : n.iters) r = of(of(r, it.var), it.binding);
                    return mix(r, std::hash<std::string>{}(n.name));
                },
            },
            s->data);
    }
};

struct StmtEqual {
    bool operator()(Stmt a, Stmt b) const { return a->data == b->data; }
};

ScalarType result_type(Op op, std::span<const Expr> args) {
    const OpClass kind = op_info(op).op_class;
    if (kind == OpClass::Comparison || kind == OpClass::Logic) return kBool;
    return args[kind == OpClass::Choice ? 1 : 0]->type;
}

// What an operator demands of its arguments' types; null when satisfied.
const char* type_error(Op op, std::span<const Expr> args) {
    if (op_info(op).arity != static_cast<int>(args.size())) return "wrong number of arguments";
    const ScalarType t = args[0]->type;
    if (args.size() == 2 && args[0]->type != args[1]->type) return "operands of different types";
    switch (op) {
        case Op::Neg: return t.is_bool() ? "neg of a bool" : nullptr;
        case Op::Not: return t.is_bool() ? nullptr : "not of a number";
        case Op::Select:
        case Op::IfThenElse:
            if (!t.is_bool()) return "condition is not bool";
            return args[1]->type == args[2]->type ? nullptr : "arms of different types";
        case Op::And:
        case Op::Or: return t.is_bool() ? nullptr : "logic on numbers";
        case Op::Div: return t.is_float() ? nullptr : "true division of integers";
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr: return t.is_int() ? nullptr : "integer operator on another type";
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Min:
        case Op::Max: return t.is_bool() ? "arithmetic on bool" : nullptr;
        case Op::Lt:
        case Op::Le: return t.is_bool() ? "ordering of bools" : nullptr;
        case Op::Eq:
        case Op::Ne:
        case Op::Same: return nullptr;
        case Op::IntImm:
        case Op::FloatImm:
        case Op::Var:
        case Op::Undef:
        case Op::Cast:
        case Op::Let:
        case Op::Load:
        case Op::Math:
        case Op::CallExtern:
        case Op::Defined: break;
    }
    return "not an operator with plain arguments";
}

}  // namespace

struct Context::Impl {
    intern::NodeStore nodes;
    std::uint32_t node_count = 0;
    std::deque<BufferNode> buffers;
    std::deque<StmtNode> stmts;
    std::deque<std::vector<Expr>> shapes;
    std::unordered_set<std::string> names;
    intern::ExprTable expr_table;
    // Literals that are asked for again and again.
    static constexpr int kSmallInts = 256;
    std::array<Expr, kSmallInts> small_ints{};
    std::unordered_set<Buffer, BufferHash, BufferEqual> buffer_table;
    std::unordered_set<Stmt, StmtHash, StmtEqual> stmt_table;
    std::map<const void*, std::shared_ptr<void>> kept;

    const std::string* name(std::string_view text) { return &*names.emplace(text).first; }

    Expr intern_node(ExprNode node, std::span<const Expr> args) {
        node.args = args;
        const std::size_t hash = intern::hash_of(node);
        Expr found =
            expr_table.find(hash, nodes, [&](const ExprNode& e) { return intern::equal(e, node); });
        return found != nullptr ? found : insert(node, hash);
    }

    // An operator without payload: looked up before a node is made.
    Expr intern_operator(Op op, ScalarType type, std::span<const Expr> args) {
        const std::size_t hash = intern::hash_of(op, type, args);
        Expr found = expr_table.find(hash, nodes, [&](const ExprNode& e) {
            if (e.op != op || e.type != type || e.args.size() != args.size()) return false;
            for (std::size_t i = 0; i < args.size(); ++i) {
                if (e.args[i] != args[i]) return false;
            }
            return true;
        });
        if (found != nullptr) return found;
        ExprNode node = blank(op, type, args);
        return insert(node, hash);
    }

    static ExprNode blank(Op op, ScalarType type, std::span<const Expr> args = {}) {
        return ExprNode{op, type, 0, 0, 1, 0, nullptr, nullptr, ScalarType{}, args};
    }

  private:
    // Fills in what follows from the arguments.
    Expr insert(ExprNode& node, std::size_t hash) {
        std::uint64_t size = 1;
        node.within = intern::mark_of(node.op);
        for (Expr a : node.args) {
            size += a->size;
            node.within |= a->within;
        }
        node.size = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
        node.id = node_count++;
        const intern::NodeStore::Place place = nodes.keep(node);
        expr_table.insert(place, hash);
        return &nodes.at(place);
    }
};

Context::Context() : impl_(std::make_unique<Impl>()) {}
Context::~Context() = default;

double ExprNode::float_value() const {
    return std::bit_cast<double>(bits);
}

Expr Context::int_imm(ScalarType type, Int128 value) {
    const bool small = type == kInt32 && 0 <= value && value < Impl::kSmallInts;
    if (small) {
        Expr known = impl_->small_ints[static_cast<std::size_t>(value)];
        if (known != nullptr) return known;
    }
    PROVISO_CHECK(type.is_int() || type.is_bool(), "integer constant of type " + type.str());
    PROVISO_CHECK(type.contains(value), "integer constant out of the range of " + type.str());
    ExprNode node = Impl::blank(Op::IntImm, type);
    node.bits = static_cast<std::int64_t>(value);
    Expr out = impl_->intern_node(node, {});
    if (small) impl_->small_ints[static_cast<std::size_t>(value)] = out;
    return out;
}

Expr Context::float_imm(ScalarType type, double value) {
    PROVISO_CHECK(type.is_float(), "float constant of type " + type.str());
    if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
    PROVISO_CHECK(std::isnan(value) || round_to_type(type, value) == value,
                  "float constant not representable in " + type.str());
    ExprNode node = Impl::blank(Op::FloatImm, type);
    node.bits = std::bit_cast<std::int64_t>(value);
    return impl_->intern_node(node, {});
}

Expr Context::var(std::string_view name, ScalarType type) {
    ExprNode node = Impl::blank(Op::Var, type);
    node.name = impl_->name(name);
    return impl_->intern_node(node, {});
}

Expr Context::undef(ScalarType type) {
    return impl_->intern_node(Impl::blank(Op::Undef, type), {});
}

namespace {

// Of integers of one type: nearly all there is.
bool is_plain_pair(Op op, std::span<const Expr> args) {
    return args.size() == 2 && args[0]->type == args[1]->type && args[0]->type.is_int() &&
           ((Op::Add <= op && op <= Op::Mul) || (Op::FloorDiv <= op && op <= Op::Le));
}

}  // namespace

Expr Context::make(Op op, std::span<const Expr> args) {
    if (is_plain_pair(op, args)) {
        return impl_->intern_operator(op, op >= Op::Eq ? kBool : args[0]->type, args);
    }
    const char* wrong = type_error(op, args);
    PROVISO_CHECK(wrong == nullptr, std::string(op_info(op).name) + ": " + (wrong ? wrong : ""));
    return impl_->intern_operator(op, result_type(op, args), args);
}

Expr Context::cast(ScalarType type, Expr value) {
    return impl_->intern_node(Impl::blank(Op::Cast, type), {&value, 1});
}

Expr Context::let(Expr var, Expr value, Expr body) {
    PROVISO_CHECK(var->op == Op::Var && var->type == value->type, "let: variable and value differ");
    ExprNode node = Impl::blank(Op::Let, body->type);
    node.name = var->name;
    node.var_type = var->type;
    const std::array<Expr, 2> args = {value, body};
    return impl_->intern_node(node, args);
}

Expr Context::load(Buffer buffer, const std::vector<Expr>& indices) {
    PROVISO_CHECK(buffer->rank() == indices.size(), "load: wrong number of indices");
    for (Expr i : indices) PROVISO_CHECK(i->type.is_int(), "load: index is not an integer");
    ExprNode node = Impl::blank(Op::Load, buffer->type);
    node.buffer = buffer;
    return impl_->intern_node(node, indices);
}

Expr Context::math(MathFn fn, const std::vector<Expr>& args) {
    PROVISO_CHECK(math_fn_info(fn).arity == static_cast<int>(args.size()),
                  "math call: wrong number of arguments");
    const ScalarType t = args[0]->type;
    PROVISO_CHECK(t.is_float() || (fn == MathFn::Abs && t.is_int()), "math call of a non-float");
    for (Expr a : args) PROVISO_CHECK(a->type == t, "math call: operands of different types");
    ExprNode node = Impl::blank(Op::Math, fn == MathFn::IsNan ? kBool : t);
    node.bits = static_cast<std::int64_t>(fn);
    return impl_->intern_node(node, args);
}

Expr Context::call_extern(ScalarType type, std::string_view name, const std::vector<Expr>& args) {
    ExprNode node = Impl::blank(Op::CallExtern, type);
    node.name = impl_->name(name);
    return impl_->intern_node(node, args);
}

Expr Context::defined(Expr load) {
    PROVISO_CHECK(load->op == Op::Load, "defined: not a load");
    return impl_->intern_node(Impl::blank(Op::Defined, kBool), {&load, 1});
}

Expr Context::all_of(const std::vector<Expr>& conditions) {
    Expr out = nullptr;
    for (auto it = conditions.rbegin(); it != conditions.rend(); ++it) {
        if (is_true(*it)) continue;
        out = out == nullptr ? *it : and_(*it, out);
    }
    return out == nullptr ? true_() : out;
}

Expr Context::any_of(const std::vector<Expr>& conditions) {
    Expr out = nullptr;
    for (auto it = conditions.rbegin(); it != conditions.rend(); ++it) {
        if (is_false(*it)) continue;
        out = out == nullptr ? *it : or_(*it, out);
    }
    return out == nullptr ? false_() : out;
}

Buffer Context::buffer(std::string_view name, ScalarType type, const std::vector<Expr>& shape,
                       std::string_view scope) {
    for (Expr e : shape) PROVISO_CHECK(e->type.is_int(), "buffer extent is not an integer");
    BufferNode node{std::string(name), type, shape, std::string(scope), 0};
    const auto found = impl_->buffer_table.find(&node);
    if (found != impl_->buffer_table.end()) return *found;
    node.shape = impl_->shapes.emplace_back(shape);
    node.id = static_cast<std::uint32_t>(impl_->buffers.size());
    impl_->buffers.push_back(std::move(node));
    impl_->buffer_table.insert(&impl_->buffers.back());
    return &impl_->buffers.back();
}

Stmt Context::stmt(StmtData data) {
    StmtNode node{std::move(data), 0};
    const auto found = impl_->stmt_table.find(&node);
    if (found != impl_->stmt_table.end()) return *found;
    node.id = static_cast<std::uint32_t>(impl_->stmts.size());
    impl_->stmts.push_back(std::move(node));
    impl_->stmt_table.insert(&impl_->stmts.back());
    return &impl_->stmts.back();
}

Stmt Context::store(Buffer b, std::vector<Expr> indices, Expr value) {
    PROVISO_CHECK(b->rank() == indices.size(), "store: wrong number of indices");
    PROVISO_CHECK(b->type == value->type, "store: value of another type");
    return stmt(Store{b, std::move(indices), value});
}

Stmt Context::for_(Expr var, Expr lo, Expr hi, Stmt body, ForKind kind) {
    PROVISO_CHECK(var->op == Op::Var && var->type == lo->type && var->type == hi->type,
                  "for: variable and bounds differ in type");
    return stmt(For{var, lo, hi, kind, {}, body});
}

Stmt Context::if_(Expr cond, Stmt then_body, Stmt else_body) {
    PROVISO_CHECK(cond->type.is_bool(), "if: condition is not bool");
    return stmt(IfElse{cond, then_body, else_body});
}

Stmt Context::seq(const std::vector<Stmt>& parts) {
    std::vector<Stmt> flat;
    for (Stmt p : parts) {
        if (const Seq* inner = p->as<Seq>()) {
            flat.insert(flat.end(), inner->body.begin(), inner->body.end());
        } else {
            flat.push_back(p);
        }
    }
    if (flat.size() == 1) return flat[0];
    return stmt(Seq{std::move(flat)});
}

std::shared_ptr<void>& Context::kept_for(const void* type) {
    return impl_->kept[type];
}

namespace {

// Rounds to `digits` significand bits with the smallest normal exponent `min_exponent` (value
// 2^min_exponent) and overflow to infinity above `max_finite`; correct for subnormals of the
// target.
double round_to_format(double value, int digits, int min_exponent, double max_finite) {
    if (std::isinf(value) || value == 0.0) return value;
    int exponent = 0;
    std::frexp(value, &exponent);  // |value| = m * 2^exponent, 0.5 <= m < 1
    const int quantum = std::max(exponent - digits, min_exponent - digits + 1);
    const double scaled = std::ldexp(value, -quantum);
    const double rounded = std::ldexp(std::nearbyint(scaled), quantum);
    if (std::fabs(rounded) > max_finite) return std::copysign(INFINITY, value);
    return rounded == 0.0 ? std::copysign(0.0, value) : rounded;
}

}  // namespace

double round_to_type(ScalarType type, double value) {
    if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
    if (type.code == TypeCode::BFloat) {
        return round_to_format(value, 8, -126, 0x1.fep127);
    }
    switch (type.bits) {
        case 16: return round_to_format(value, 11, -14, 65504.0);
        case 32: return static_cast<double>(static_cast<float>(value));
        default: return value;
    }
}

}  // namespace proviso::ir
