// Claims joined by `and` and `or` that say one thing together.
#include <algorithm>
#include <optional>

#include "rewrite/simplify/computing.h"
#include "rewrite/simplify/definite.h"
#include "rewrite/simplify/elsewhere.h"

namespace proviso::rewrite {

using ir::Expr;
using ir::Int128;
using ir::Op;

namespace {

constexpr std::uint32_t kLargest = 48;

// number % divisor == rest, or !=.
struct RestClaim {
    Expr number = nullptr;
    Int128 divisor = 0;
    Int128 rest = 0;
};

std::optional<RestClaim> rest_claim(Expr claim, Op op) {
    // m < 1 is m == 0 of a remainder, 0 < m and 1 <= m are m != 0.
    const bool order = claim->op == Op::Lt || claim->op == Op::Le;
    const std::size_t literal = order && op == Op::Ne ? 0 : 1;
    const Int128 end = op == Op::Ne && claim->op == Op::Lt ? 0 : 1;
    const bool at_end = order && (op == Op::Ne || claim->op == Op::Lt) &&
                        ir::is_int_const(claim->arg(literal)) &&
                        claim->arg(literal)->int_value() == end;
    const bool equation = claim->op == op && ir::is_int_const(claim->arg(1));
    if (!equation && !at_end) return std::nullopt;
    Expr m = claim->arg(1 - literal);
    const bool remainder = m->op == Op::FloorMod && m->type.is_exact_int() &&
                           ir::is_int_const(m->arg(1)) && m->arg(1)->int_value() > 1;
    const Int128 rest = equation ? claim->arg(1)->int_value() : 0;
    if (!remainder || rest < 0 || rest >= m->arg(1)->int_value()) return std::nullopt;
    return RestClaim{m->arg(0), m->arg(1)->int_value(), rest};
}

// The rest by the least common multiple; none where no number has both.
std::optional<Int128> common_rest(const RestClaim& a, const RestClaim& b) {
    const Int128 steps = b.divisor / gcd(a.divisor, b.divisor);
    for (Int128 k = 0; k < steps; ++k) {
        const Int128 rest = a.rest + k * a.divisor;
        if (rest % b.divisor == b.rest) return rest;
    }
    return std::nullopt;
}

// x % 6 == 0 and x % 4 == 0 is x % 12 == 0 (the Chinese remainder theorem).
Expr of_two_rests(ir::Context& ctx, Op op, const RestClaim& a, const RestClaim& b) {
    constexpr Int128 largest = 1024;  // by trial
    if (a.number != b.number || a.divisor > largest || b.divisor > largest) return nullptr;
    const ir::ScalarType type = a.number->type;
    const Int128 divisor = a.divisor / gcd(a.divisor, b.divisor) * b.divisor;
    const auto rest = common_rest(a, b);
    if (!rest) return ctx.bool_imm(op == Op::Ne);
    return ctx.make(op,
                    {ctx.floormod(a.number, ctx.int_imm(type, divisor)), ctx.int_imm(type, *rest)});
}

// x % 8 == 4 and x // 8 == n is x == n * 8 + 4.
Expr of_rest_and_quotient(ir::Context& ctx, const RestClaim& rest, Expr claim, Op op) {
    if (claim->op != op) return nullptr;
    for (const std::size_t side : {0, 1}) {
        Expr q = claim->arg(side);
        const bool quotient = q->op == Op::FloorDiv && q->arg(0) == rest.number &&
                              ir::is_int_const(q->arg(1)) && q->arg(1)->int_value() == rest.divisor;
        if (!quotient) continue;
        const ir::ScalarType type = rest.number->type;
        Expr whole =
            ctx.add(ctx.mul(claim->arg(1 - side), q->arg(1)), ctx.int_imm(type, rest.rest));
        return ctx.make(op, {rest.number, whole});
    }
    return nullptr;
}

}  // namespace

Arranged one_claim(ir::Context& ctx, Surroundings& surroundings, FactSet& s, Expr e) {
    if ((e->op != Op::And && e->op != Op::Or) || e->size > kLargest) return {};
    const Op op = e->op == Op::And ? Op::Eq : Op::Ne;
    const auto first = rest_claim(e->arg(0), op);
    const auto second = rest_claim(e->arg(1), op);
    Expr after = nullptr;
    if (first && second) {
        after = of_two_rests(ctx, op, *first, *second);
    } else if (first || second) {
        after = of_rest_and_quotient(ctx, first ? *first : *second, e->arg(first ? 1 : 0), op);
    }
    if (after == nullptr || after->size >= e->size || !surely_definite(e)) return {};
    const bool safe =
        after->args.empty() || std::all_of(after->args.begin(), after->args.end(), [&](Expr side) {
            Expr observed = side->op == Op::FloorMod ? side->arg(0) : side;
            return evaluates_no_more(e, observed) && surroundings.in_range(s, observed);
        });
    return safe ? Arranged{"one-claim", after} : Arranged{};
}

Arranged regrouped(ir::Context& ctx, Surroundings& surroundings, FactSet& s, Expr e,
                   const Visit& visit) {
    if ((e->op != Op::And && e->op != Op::Or) || e->size > kLargest) return {};
    const bool nested_left = e->arg(0)->op == e->op;
    const bool nested_right = e->arg(1)->op == e->op;
    if (nested_left == nested_right) return {};
    LinearForms& forms = surroundings.forms();
    Expr a = nested_left ? e->arg(0)->arg(0) : e->arg(0);
    Expr b = nested_left ? e->arg(0)->arg(1) : e->arg(1)->arg(0);
    Expr c = nested_left ? e->arg(1) : e->arg(1)->arg(1);
    // As a whole where that is smaller than the two beside each other.
    const auto together = [&](Expr x, Expr y) -> Expr {
        const bool meet = (forms.occurring(x) & forms.occurring(y) & ~LinearForms::kTwice) != 0;
        if (!meet || !is_comparison(x->op) || !is_comparison(y->op)) return nullptr;
        Expr both = ctx.make(e->op, {x, y});
        Expr out = visit(both, s);
        return out->size < both->size ? out : nullptr;
    };
    // `and` and `or` are associative, faults included.
    if (Expr ab = nested_right ? together(a, b) : nullptr) {
        return Arranged{"regroup", ctx.make(e->op, {ab, c})};
    }
    if (Expr bc = nested_left ? together(b, c) : nullptr) {
        return Arranged{"regroup", ctx.make(e->op, {a, bc})};
    }
    // What stood behind `b` is now evaluated before it.
    if (!surely_definite(e)) return {};
    Expr ac = together(a, c);
    if (ac == nullptr || !evaluates_no_more(e, ac)) return {};
    return Arranged{"regroup", ctx.make(e->op, {ac, b})};
}

}  // namespace proviso::rewrite
