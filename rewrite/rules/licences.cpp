#include "rewrite/rules/licences.h"

#include <algorithm>
#include <limits>
#include <set>

#include "analysis/layout.h"
#include "analysis/path.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

// The cell, by its physical indices, is one of the tensor that the caller knows.
Expr is_callers(Context& ctx, const Function& f, Buffer b, std::span<const Expr> indices) {
    const std::vector<analysis::Layout> layouts = analysis::layouts_of(ctx, f, b->name);
    std::vector<Expr> at(indices.begin(), indices.end());
    std::vector<Expr> conditions;
    for (std::size_t level = layouts.size(); level-- > 0;) {
        const analysis::Layout& layout = layouts[level];
        conditions.push_back(layout.in_image(ctx, at));
        Substitution to_physical;
        for (std::size_t k = 0; k < at.size(); ++k) to_physical[layout.physical_vars[k]] = at[k];
        std::vector<Expr> logical;
        for (Expr g : layout.inverse) logical.push_back(substitute(ctx, g, to_physical));
        at = std::move(logical);
    }
    return ctx.all_of(conditions);
}

}  // namespace

Granted finite_loads(Context& ctx, const Function& f, const std::vector<Expr>& exprs) {
    Granted out;
    std::set<std::uint32_t> seen;
    for (Expr root : exprs) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Load || !e->type.is_float() || !seen.insert(e->id).second) return;
            Buffer b = e->buffer;
            const std::string licence = "finite(" + b->name + ")";
            if (!f.has_licence(licence) || f.find_buffer_param(b->name) != b) return;
            if (analysis::stores_to(f.body, b)) return;
            Expr infinity = ctx.float_imm(e->type, std::numeric_limits<double>::infinity());
            Expr finite = ctx.lt(ctx.math(MathFn::Abs, {e}), infinity);
            Expr callers = is_callers(ctx, f, b, e->args);
            out.facts.push_back(is_true(callers) ? finite : ctx.implies(callers, finite));
            if (std::find(out.licences.begin(), out.licences.end(), licence) ==
                out.licences.end()) {
                out.licences.push_back(licence);
            }
        });
    }
    return out;
}

}  // namespace proviso::rewrite
