// Operators on operands of one type: which ones they take, and what TVM's operators of bits do with
// bool.
#include "ir/text/reader/expressions/expr_binder.h"

namespace proviso::ir {

using python::Node;
using python::NodeKind;
using python::Position;

namespace {

// Why the operator does not take operands of this type; empty when it does.
struct Refusal {
    std::string message;
    std::string hint;
};

Refusal refuses(Op op, ScalarType t) {
    const std::string type = t.str();
    switch (op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Min:
        case Op::Max:
        case Op::Lt:
        case Op::Le:
            if (t.is_bool()) return {"does not take bool", "cast first: T.Cast(\"int32\", …)"};
            return {};
        case Op::Div:
            if (t.is_int()) {
                return {"does not divide " + type,
                        "`//` rounds toward -inf, T.truncdiv toward 0; for floats, cast first"};
            }
            if (t.is_bool()) return {"does not take bool", ""};
            return {};
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
            if (t.is_float()) {
                const bool quotient = op == Op::FloorDiv || op == Op::TruncDiv;
                return {"is for integers, not " + type,
                        quotient ? "floats divide with `/`" : "there is no remainder of floats"};
            }
            if (t.is_bool()) return {"is for integers, not bool", ""};
            return {};
        case Op::BitAnd:
        case Op::BitOr:
        case Op::BitXor:
        case Op::Shl:
        case Op::Shr:
            if (t.is_bool()) return {"is for integers, not bool", "use `and`, `or`, `!=`"};
            if (t.is_float()) return {"is for integers, not " + type, ""};
            return {};
        case Op::And:
        case Op::Or:
        case Op::Not:
            if (!t.is_bool()) {
                return {"takes bool, not " + type, "compare with 0: `x != 0`"};
            }
            return {};
        default: return {};
    }
}

// Of two bools TVM's parser makes a bool with any of these, and its code generators refuse it.
bool is_left_open(Op op) {
    switch (op) {
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Min:
        case Op::Max:
        case Op::Lt:
        case Op::Le:
        case Op::Div:
        case Op::TruncMod: return true;
        default: return false;
    }
}

// Comparisons and logic of variables and numbers: nothing in it can fault.
bool is_total(Expr e) {
    switch (e->op) {
        case Op::Var:
        case Op::IntImm:
        case Op::FloatImm: return true;
        case Op::Lt:
        case Op::Le:
        case Op::Eq:
        case Op::Ne:
        case Op::And:
        case Op::Or:
        case Op::Not: break;
        default: return false;
    }
    for (std::size_t i = 0; i < e->args.size(); ++i) {
        if (!is_total(e->arg(i))) return false;
    }
    return true;
}

}  // namespace

// `a & b`, `a | b`, `a ^ b` of bools. Both operands are evaluated, so `and` and `or` say the same
// only where the one that they may leave out cannot fault.
Expr ExprBinder::bits_of_bools(Op op, Expr a, Expr b) {
    if (op == Op::BitXor) return ctx_.make(Op::Ne, {a, b});
    const bool both = op == Op::BitAnd;
    if (!is_total(b) && is_total(a)) std::swap(a, b);
    if (is_total(b)) return ctx_.make(both ? Op::And : Op::Or, {a, b});
    Expr known = ctx_.bool_imm(!both);
    return both ? ctx_.make(Op::Select, {a, b, known}) : ctx_.make(Op::Select, {a, known, b});
}

Expr ExprBinder::apply(Op op, Expr a, Expr b, Position at, const std::string& written) {
    if (!logic_ && a->type.is_bool()) {
        const bool bits = op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor;
        if (bits) return bits_of_bools(op, a, b);
        if (is_left_open(op)) {
            no_meaning(at, written + " of two bools has no meaning here",
                       "cast them first: T.Cast(\"int32\", …)");
        }
    }
    const Refusal refusal = refuses(op, a->type);
    // TVM takes it, as C's fmod; it takes no other quotient or remainder of floats.
    if (!logic_ && op == Op::TruncMod && a->type.is_float()) {
        no_meaning(at, written + " of " + a->type.str() + " has no meaning here", refusal.hint);
    }
    if (!refusal.message.empty()) wrong(at, written + " " + refusal.message, refusal.hint);
    return ctx_.make(op, {a, b});
}

Expr ExprBinder::bind_sign(const Node& node, const std::string& sign, const Node& operand,
                           std::optional<ScalarType> expected) {
    Expr e = bind(operand, expected);
    if (!logic_ && e->type.is_bool() && sign == "~") return ctx_.not_(e);
    if (e->type.is_bool()) {
        wrong(node, "`" + sign + "` does not take bool", sign == "~" ? "use `not`" : "");
    }
    if (sign == "+") return e;
    if (sign == "-") return ctx_.neg(e);
    if (!e->type.is_int()) wrong(node, "`~` is for integers, not " + e->type.str());
    const Int128 ones = e->type.is_signed() ? Int128(-1) : e->type.max_value();
    return ctx_.make(Op::BitXor, {e, ctx_.int_imm(e->type, ones)});
}

// A number beside an operand of the type: `b & 1` of a bool is `b & True`.
Expr ExprBinder::literal_of_type(const Node& node, ScalarType type) {
    if (type.is_bool() && node.is(NodeKind::Int) && (node.text == "0" || node.text == "1")) {
        return ctx_.bool_imm(node.text == "1");
    }
    return bind(node, type);
}

}  // namespace proviso::ir
