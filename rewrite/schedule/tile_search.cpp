#include "rewrite/schedule/tile_search.h"

#include <algorithm>

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
    for (const Access& a : accesses(p_.ctx(), p_.current())) {
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

Reach TileSearch::reach(Expr clamped, Expr index) {
    Context& ctx = p_.ctx();
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
    const std::optional<Int128> apart = difference(high, low);
    if (!apart || *apart < 0) return {};
    return {p_.simplified(low, site_), *apart + 1, p_.simplified(clamped, site_)};
}

}  // namespace proviso::rewrite
