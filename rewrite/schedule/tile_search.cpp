#include "rewrite/schedule/tile_search.h"

#include <algorithm>

#include "analysis/facts/affine.h"
#include "analysis/facts/facts.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

TileSearch::TileSearch(Proposer& p, const Site& site) : p_(p), site_(site) {
    for_each_stmt(locate(p.current(), site)->stmt, [&](Stmt inner) {
        if (const For* n = inner->as<For>()) loops_.push_back(n);
    });
}

Reach TileSearch::run(Buffer buffer, std::size_t d, bool stores) {
    const Reach plain = over_all(buffer, d, stores, false);
    return plain.extent != 0 ? plain : over_all(buffer, d, stores, true);
}

Reach TileSearch::over_all(Buffer buffer, std::size_t d, bool stores, bool open) {
    Reach out;
    for (const Access& a : p_.memory().all()) {
        if (a.is_store && !stores) continue;
        if (a.buffer != buffer || !site_.contains(a.statement)) continue;
        const Reach one = reach(a.indices[d], open ? unclamped(a, d) : a.indices[d]);
        if (one.extent == 0) return {};
        if (out.low == nullptr) {
            out = one;
            continue;
        }
        const std::optional<Int128> apart = difference(one.low, out.low);
        if (!apart) return {};
        const Int128 start = std::min<Int128>(*apart, 0);
        const Int128 end = std::max<Int128>(*apart + one.extent, out.extent);
        if (*apart < 0) {
            out.low = one.low;
            out.clamped = one.clamped;
        }
        out.extent = end - start;
    }
    return out;
}

std::optional<Int128> TileSearch::difference(Expr a, Expr b) {
    if (a->type != b->type) return std::nullopt;
    Expr out = p_.simplified(p_.ctx().sub(a, b), site_);
    if (!is_int_const(out)) return std::nullopt;
    return out->int_value();
}

std::optional<Int128> TileSearch::apart_at_most(Expr high, Expr low) {
    if (high->type != low->type) return std::nullopt;
    const Affine between = Affine::of(high) - Affine::of(low);
    if (between.terms().size() != 2) return std::nullopt;
    auto [up, by] = between.terms()[0];
    auto [down, back] = between.terms()[1];
    if (by < Integer(0)) {
        std::swap(up, down);
        std::swap(by, back);
    }
    const auto is_quotient = [](Expr e) {
        return (e->op == Op::FloorDiv || e->op == Op::TruncDiv) && is_int_const(e->arg(1));
    };
    const bool same = is_quotient(up) && is_quotient(down) && up->arg(1) == down->arg(1) &&
                      by == Integer(1) && back == Integer(-1);
    if (!same) return std::nullopt;
    const Int128 divisor = up->arg(1)->int_value();
    const std::optional<Int128> steps = difference(up->arg(0), down->arg(0));
    if (!steps || *steps < 0 || divisor <= 0) return std::nullopt;
    Context& ctx = p_.ctx();
    const auto number = [&](Int128 quotients) {
        const Affine most = Affine(between.constant()) + Affine(Integer(quotients));
        return most.expr(ctx, high->type);
    };
    const Int128 least = *steps / divisor;
    Expr once = number(least);
    Expr more = number(least + 1);
    if (once == nullptr || more == nullptr) return std::nullopt;
    const std::vector<Expr> facts = facts_at(ctx, p_.current(), site_);
    const Expr within = ctx.le(ctx.sub(high, low), once);
    const bool always = p_.prover().prove(facts, within).verdict == Verdict::Proved;
    return (always ? once : more)->int_value();
}

Expr TileSearch::unclamped(const Access& a, std::size_t d) {
    const auto moves = [&](Expr e, bool inside) {
        return std::any_of(a.loops.begin(), a.loops.end(),
                           [&](Expr v) { return occurs_free(v, e) && (!inside || is_inside(v)); });
    };
    return rewrite_expr(p_.ctx(), a.indices[d], [&](Expr e) {
        if (e->op != Op::Min && e->op != Op::Max) return e;
        for (const bool inside : {false, true}) {
            const bool first = moves(e->args[0], inside);
            if (first != moves(e->args[1], inside)) return e->args[first ? 0 : 1];
        }
        return e;
    });
}

bool TileSearch::is_inside(Expr var) const {
    return std::any_of(loops_.begin(), loops_.end(), [&](const For* n) { return n->var == var; });
}

bool TileSearch::keeps_order(Expr index) {
    Context& ctx = p_.ctx();
    bool keeps = true;
    for_each_node(index, [&](Expr e) {
        const bool remainder = e->op == Op::FloorMod || e->op == Op::TruncMod;
        if (!keeps || !remainder || !is_int_const(e->arg(1))) return;
        const std::vector<Expr> used = free_vars(e->arg(0));
        if (std::none_of(used.begin(), used.end(), [&](Expr v) { return is_inside(v); })) return;
        const Reach argument = reach(e->arg(0), e->arg(0));
        if (argument.extent == 0) return;  // not known, as before
        const Affine last = Affine::of(argument.low) + Affine(Integer(argument.extent - 1));
        Expr high = last.expr(ctx, e->type);
        const auto quotient = [&](Expr a) { return ctx.floordiv(a, e->arg(1)); };
        keeps = high != nullptr && p_.prover()
                                           .prove(facts_at(ctx, p_.current(), site_),
                                                  ctx.eq(quotient(high), quotient(argument.low)))
                                           .verdict == Verdict::Proved;
    });
    return keeps;
}

Reach TileSearch::reach(Expr clamped, Expr index) {
    Context& ctx = p_.ctx();
    if (!keeps_order(index)) return {};
    Expr low = index;
    Expr high = index;
    // Inner loops first: their bounds may be over outer ones.
    for (auto it = loops_.rbegin(); it != loops_.rend(); ++it) {
        const For& n = **it;
        Expr last = ctx.sub(n.hi, ctx.int_imm(n.var->type, 1));
        Expr at_first = substitute(ctx, low, {{n.var, n.lo}});
        Expr at_last = substitute(ctx, low, {{n.var, last}});
        const std::optional<Int128> grows = difference(at_last, at_first);
        const bool falls = grows && *grows < 0;
        low = falls ? at_last : at_first;
        high = substitute(ctx, high, {{n.var, falls ? n.lo : last}});
        clamped = substitute(ctx, clamped, {{n.var, falls ? last : n.lo}});
    }
    std::optional<Int128> apart = difference(high, low);
    if (!apart) apart = apart_at_most(high, low);
    if (!apart || *apart < 0) return {};
    return {p_.simplified(low, site_), *apart + 1, p_.simplified(clamped, site_)};
}

}  // namespace proviso::rewrite
