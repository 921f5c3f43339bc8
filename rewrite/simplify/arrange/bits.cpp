// Chains of one bit operator, however they are bracketed: operands in one order, each once, and of
// `^` only those that stand there an odd number of times.
//
//   x ^ y ^ x        y
//   x & (y & x)      x & y
//   (x | y) & z & x  x & z, as x has no bit that x | y has not
#include <algorithm>

#include "rewrite/simplify/arrange/arrange.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Op;

namespace {

constexpr std::size_t kMostOperands = 12;

using Operands = boost::container::small_vector<Expr, kMostOperands>;

void collect_operands(Expr e, Op op, Operands& out) {
    if (e->op != op || out.size() > kMostOperands) {
        out.push_back(e);
        return;
    }
    for (Expr a : e->args) collect_operands(a, op, out);
}

bool contains(const Operands& operands, Expr e) {
    return std::find(operands.begin(), operands.end(), e) != operands.end();
}

// Constants last.
bool is_before(Expr a, Expr b) {
    if (ir::is_const(a) != ir::is_const(b)) return ir::is_const(b);
    return compare_structure(a, b) < 0;
}

// Pairs of equals go; `operands` are sorted.
void cancel_pairs(Operands& operands) {
    std::size_t kept = 0;
    for (Expr e : operands) {
        if (kept > 0 && operands[kept - 1] == e) {
            --kept;
        } else {
            operands[kept++] = e;
        }
    }
    operands.resize(kept);
}

// An operand that is the other operator's chain with one of the others in it changes nothing.
void absorb(Operands& operands, Op other) {
    for (std::size_t i = 0; i < operands.size();) {
        Operands inner;
        if (operands[i]->op == other) collect_operands(operands[i], other, inner);
        const bool absorbed =
            std::any_of(inner.begin(), inner.end(), [&](Expr e) { return contains(operands, e); });
        if (absorbed) {
            operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
            ++i;
        }
    }
}

}  // namespace

Arranged Arranger::bits(Expr e) const {
    Operands operands;
    collect_operands(e, e->op, operands);
    if (operands.size() > kMostOperands) return {};
    std::sort(operands.begin(), operands.end(), is_before);
    if (e->op == Op::BitXor) {
        cancel_pairs(operands);
    } else {
        operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
        absorb(operands, e->op == Op::BitAnd ? Op::BitOr : Op::BitAnd);
    }
    if (operands.empty()) return found("bits-of-chain", e, ctx_.int_imm(e->type, 0));
    Expr after = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i)
        after = ctx_.make(e->op, {after, operands[i]});
    return found(after->size < e->size ? "bits-of-chain" : "order-operands", e, after);
}

namespace {

// What counts of a sum of a wrapping type modulo the literal `c`, a power of two; null where that
// is a multiple of it.
Expr counting_modulo(ir::Context& ctx, Expr e, ir::Int128 c) {
    if (e->op == Op::IntImm) {
        const ir::Int128 rest = e->int_value() % c;
        return rest == 0 ? nullptr : ctx.int_imm(e->type, rest);
    }
    if (e->op == Op::Mul && ir::is_int_const(e->arg(1))) {
        return e->arg(1)->int_value() % c == 0 ? nullptr : e;
    }
    if (e->op != Op::Add && e->op != Op::Sub && e->op != Op::Neg) return e;
    Expr a = counting_modulo(ctx, e->arg(0), c);
    if (e->op == Op::Neg) return a == nullptr ? nullptr : ctx.neg(a);
    Expr b = counting_modulo(ctx, e->arg(1), c);
    if (b == nullptr) return a;
    if (a == nullptr) return e->op == Op::Sub ? ctx.neg(b) : b;
    return ctx.make(e->op, {a, b});
}

}  // namespace

// (x * T.uint32(8) + y) % T.uint32(4) is y % T.uint32(4): the divisor divides 2^32.
Arranged Arranger::wrapped_remainder(Expr e) const {
    constexpr std::uint32_t largest = 64;
    if (!e->type.is_int() || e->type.is_signed() || e->size > largest) return {};
    if (!ir::is_int_const(e->arg(1)) || ir::is_const(e->arg(0))) return {};
    const ir::Int128 c = e->arg(1)->int_value();
    if (c <= 1 || (c & (c - 1)) != 0) return {};
    Expr number = counting_modulo(ctx_, e->arg(0), c);
    Expr after = number == nullptr ? ctx_.int_imm(e->type, 0) : ctx_.floormod(number, e->arg(1));
    if (after->size >= e->size) return {};
    return found("rest-of-wrapping", e, after, {{"x", e->arg(0)}, {"c1", e->arg(1)}});
}

}  // namespace proviso::rewrite
