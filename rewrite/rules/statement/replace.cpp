// replace: an expression by an equal one.
//
//   before   A[(io * 4 + ii) // 4] …            site: an expression; to: "A[io]"
//   after    A[io] …
//
// Arguments: "to": the new expression; "claims": what memory is known to hold here (optional).
// Obligations, under the facts at the site and the claims:
//   1. the new expression faults only where the old one does, and loads only cells that may be
//   touched;
//   2. it is definite where the old one is, and then has the same value bit for bit.
// An expression that is `indet` may become anything, which is how T.if_then_else(p, x, T.undef())
// becomes x. New loads in a concurrent loop, of a buffer that the function writes, must be of a
// cell that the old one loads.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Replace final : public Rule {
  public:
    std::string name() const override { return "replace"; }
    std::string summary() const override { return "an expression by an equal one"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->expr == nullptr) return error("replace works on an expression, not a statement");
        const Path path = path_to(before, site);
        if (path.statement()->is<Assume>() && has_op(at->expr, Op::Undef)) {
            return error("permission to read is not an equation, and cannot be rewritten");
        }
        const Result<Expr> to =
            arg_expr(ctx, args, "to", scope_at(ctx, before, site), at->expr->type);
        if (!to) return to.error();
        if (has_op(*to, Op::Defined) || has_op(*to, Op::Same)) {
            return error("the replacement is not an expression of the program language");
        }
        Proposal out;
        out.after = replace_at(ctx, before, site, *to);
        std::vector<Expr> facts = facts_at(ctx, before, site);
        const MemoryModel memory(ctx, before);
        const Result<FactsByPoint> claims =
            read_claims(memory, args, path.statement_site, {}, out.obligations);
        if (!claims) return claims.error();
        for (const auto& [point, established] : *claims) {
            if (point != path.statement_site) return error("a claim at another statement");
            append(facts, established);
        }
        append(out.obligations, replacement_obligations(ctx, before, facts, at->expr, *to));
        append(out.obligations, no_new_races(ctx, before, site, facts, at->expr, *to));
        return out;
    }

  private:
    static std::vector<Obligation> no_new_races(Context& ctx, const Function& f, const Site& site,
                                                const std::vector<Expr>& facts, Expr before,
                                                Expr after) {
        std::vector<Obligation> out;
        if (!in_concurrent_loop(f, site)) return out;
        std::vector<Expr> old_loads;
        for_each_node(before, [&](Expr e) {
            if (e->op == Op::Load) old_loads.push_back(e);
        });
        for_each_node(after, [&](Expr e) {
            if (e->op != Op::Load || !stores_to(f.body, e->buffer)) return;
            std::vector<Expr> known_cells;
            for (Expr old : old_loads) {
                if (old == e) return;
                if (old->buffer != e->buffer) continue;
                known_cells.push_back(same_cell(ctx, {old->args.begin(), old->args.end()},
                                                {e->args.begin(), e->args.end()}));
            }
            out.push_back(Obligation{"a new load in a concurrent loop is of a cell already read",
                                     facts, ctx.any_of(known_cells)});
        });
        return out;
    }
};

}  // namespace

const Rule& replace_rule() {
    static const Replace rule;
    return rule;
}

}  // namespace proviso::rewrite
