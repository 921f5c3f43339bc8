#include "verify/tv/renamed_claim.h"

#include <algorithm>
#include <map>
#include <string>

#include "ir/text.h"

namespace proviso::verify {

using namespace ir;

std::optional<RenamedClaim> renamed(Context& ctx, Expr claim) {
    if (has_any(claim, {Op::Defined, Op::Let, Op::CallExtern, Op::Undef})) return std::nullopt;
    std::vector<Expr> symbols;
    bool plain = true;
    for_each_node(claim, [&](Expr e) {
        if (e->op == Op::Load) {
            plain = plain && std::all_of(e->args.begin(), e->args.end(), is_const);
        }
        if (e->op == Op::Load || e->op == Op::Var) symbols.push_back(e);
    });
    if (!plain) return std::nullopt;
    RenamedClaim out;
    std::map<Expr, Expr> names;
    for (Expr e : symbols) {
        Expr name = ctx.var("cell_" + std::to_string(names.size()), e->type);
        names.emplace(e, name);
        out.was.emplace(name, e);
    }
    out.claim = rewrite_expr(ctx, claim, [&](Expr e) {
        const auto found = names.find(e);
        return found == names.end() ? e : found->second;
    });
    return out;
}

void RenamedClaim::rename_back(std::vector<analysis::ModelValue>& model) const {
    for (analysis::ModelValue& v : model) {
        const auto found = was.find(v.expr);
        if (found == was.end()) continue;
        v.expr = found->second;
        v.name = print(v.expr);
    }
}

}  // namespace proviso::verify
