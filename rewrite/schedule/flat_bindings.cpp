#include "rewrite/schedule/flat_bindings.h"

#include <nlohmann/json.hpp>

#include "ir/children.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// `a + (b + c) * 4` as `a + b * 4 + c * 4`: a sum of terms in their order, as TVM writes it.
void terms_of(Context& ctx, Expr e, Expr factor, std::vector<Expr>& out) {
    if (e->op == Op::Add) {
        terms_of(ctx, e->arg(0), factor, out);
        terms_of(ctx, e->arg(1), factor, out);
        return;
    }
    const bool scaled = e->op == Op::Mul && is_int_const(e->arg(1));
    if (scaled && e->arg(0)->op == Op::Add) {
        Expr all = factor == nullptr
                       ? e->arg(1)
                       : ctx.int_imm(e->type, e->arg(1)->int_value() * factor->int_value());
        return terms_of(ctx, e->arg(0), all, out);
    }
    if (factor == nullptr) {
        out.push_back(e);
    } else if (scaled) {
        Expr all = ctx.int_imm(e->type, e->arg(1)->int_value() * factor->int_value());
        out.push_back(ctx.mul(e->arg(0), all));
    } else {
        out.push_back(ctx.mul(e, factor));
    }
}

Expr flat(Context& ctx, Expr e) {
    return rewrite_expr(ctx, e, [&](Expr n) {
        if (n->op != Op::Add || !n->type.is_int()) return n;
        std::vector<Expr> terms;
        terms_of(ctx, n, nullptr, terms);
        Expr sum = terms[0];
        for (std::size_t k = 1; k < terms.size(); ++k) sum = ctx.add(sum, terms[k]);
        return sum;
    });
}

}  // namespace

void write_bindings_flat(Proposer& p, const std::string& loop) {
    const Site below = *p.index().loop(loop);
    for (const auto& [site, stmt] : all_statements(p.current())) {
        if (!stmt->is<Block>() || !below.contains(site)) continue;
        for (const Child& c : children(stmt)) {
            if (c.expr == nullptr) continue;
            Expr now = flat(p.ctx(), c.expr);
            if (now != c.expr)
                p.try_apply("replace", site.child(c.label), json{{"to", print(now)}});
        }
    }
}

}  // namespace proviso::rewrite
