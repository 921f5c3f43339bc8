// A cast to int32 of int64 arithmetic on what was int32: the same arithmetic there, where its
// results are known to fit.
//
//   T.Cast("int32", T.Cast("int64", x) * T.int64(4) + T.Cast("int64", y))    x * 4 + y
#include "analysis/facts/formula.h"
#include "rewrite/simplify/arrange/arrange.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

constexpr std::uint32_t kLargest = 64;

bool observes_operands(Op op) {
    switch (op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::Min:
        case Op::Max: return true;
        default: return false;
    }
}

// Divides by something other than 0 and -1: as in the wider type.
bool divides_safely(Expr e) {
    switch (e->op) {
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod: return ir::is_int_const(e->arg(1)) && e->arg(1)->int_value() > 0;
        default: return true;
    }
}

}  // namespace

// The same value by operators of `type`, whose observed operands are known to fit; null when there
// are none.
Expr Arranger::narrowed(FactSet& s, Expr e, ir::ScalarType type) const {
    switch (e->op) {
        case Op::IntImm: return constant(type, e->int_value());
        case Op::Cast: return e->arg(0)->type == type ? e->arg(0) : nullptr;
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Neg:
        case Op::FloorDiv:
        case Op::FloorMod:
        case Op::TruncDiv:
        case Op::TruncMod:
        case Op::Min:
        case Op::Max: break;
        default: return nullptr;
    }
    if (!divides_safely(e)) return nullptr;
    boost::container::small_vector<Expr, 2> args;
    for (Expr a : e->args) {
        Expr x = narrowed(s, a, type);
        if (x == nullptr || (observes_operands(e->op) && !observable(s, x))) return nullptr;
        args.push_back(x);
    }
    return ctx_.make(e->op, std::span<const Expr>(args.data(), args.size()));
}

Expr Arranger::as_narrow(FactSet& s, Expr e) const {
    Expr first = e->arg(0);
    if (e->size > kLargest || first->type != ir::kInt64) return nullptr;
    const bool is_claim = e->type.is_bool();
    Expr args[] = {e, nullptr};
    if (is_claim) {
        args[0] = first;
        args[1] = e->arg(1);
    }
    for (Expr& a : args) {
        if (a == nullptr) continue;
        a = narrowed(s, a, ir::kInt32);
        if (a == nullptr || !observable(s, a)) return nullptr;
    }
    const bool only_literals = ir::is_const(args[0]) && (!is_claim || ir::is_const(args[1]));
    if (only_literals) return nullptr;
    return is_claim ? ctx_.make(e->op, args) : args[0];
}

Arranged Arranger::cast(FactSet& s, Expr e) const {
    Expr x = e->arg(0);
    // An unsigned byte is a float, and comes back as it was. Of others solvers do not find that.
    const bool through_float = x->op == Op::Cast && x->type.is_float() && x->type.bits >= 32 &&
                               e->type.is_exact_int() && x->arg(0)->type == ir::kUInt8;
    if (through_float) {
        return found("cast-through-float", e, ctx_.cast(e->type, x->arg(0)), {{"x", x->arg(0)}});
    }
    const bool narrows = e->type.is_exact_int() && x->type.is_exact_int() &&
                         e->type.bits < x->type.bits && x->op != Op::Cast;
    if (!narrows || x->size > kLargest) return {};
    Expr after = narrowed(s, x, e->type);
    if (after == nullptr || after->size >= e->size || !observable(s, after)) return {};
    std::vector<Expr> conditions;
    if (explain_) [[unlikely]]
        conditions = {analysis::in_range(ctx_, after)};
    return found("narrow-under-cast", e, after, {{"x", after}}, std::move(conditions));
}

}  // namespace proviso::rewrite
