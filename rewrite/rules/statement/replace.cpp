// replace: an expression by an equal one.
//
//   before   A[(io * 4 + ii) // 4] …            site: an expression; to: "A[io]"
//   after    A[io] …
//
// Arguments: "to": the new expression; "claims": what memory is known to hold here (optional);
// "licences" (optional): what the function grants and this step uses, and with reassociate "sum",
// the old expression with its terms in another order (licences.h).
// Obligations, under the facts at the site and the claims:
//   1. the new expression faults only where the old one does, and loads only cells that may be
//   touched;
//   2. it is definite where the old one is, and then has the same value bit for bit; under
//   no_signed_zero, or both are zeros; under reassociate, the value of the sum.
// An expression that is `indet` may become anything, which is how T.if_then_else(p, x, T.undef())
// becomes x. New loads in a concurrent loop, of a buffer that the function writes, must be of a
// cell that the old one loads whenever the new one does. Where loads are new, blocks around claim
// no regions any more. What the conditions of branches directly around read is not new.
// Expressions with opaque calls are left alone.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/inventory.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/licences.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Replace final : public Rule {
  public:
    std::string name() const override { return "replace"; }
    int version() const override { return 2; }
    std::string summary() const override { return "an expression by an equal one"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->expr == nullptr) return error("replace works on an expression, not a statement");
        const Site statement = statement_around(before, site);
        if (locate(before, statement)->stmt->is<Assume>() && has_op(at->expr, Op::Undef)) {
            return error("permission to read is not an equation, and cannot be rewritten");
        }
        const Result<Expr> to =
            arg_expr(ctx, args, "to", scope_at(ctx, before, site), at->expr->type);
        if (!to) return to.error();
        if (has_op(*to, Op::Defined) || has_op(*to, Op::Same)) {
            return error("the replacement is not an expression of the program language");
        }
        if (makes_call(at->expr) || makes_call(*to)) {
            return error("an opaque call is neither dropped nor added",
                         "replace its arguments, or what stands beside it");
        }
        Proposal out;
        const Function open = reads_more(ctx, before, site, at->expr, *to)
                                  ? without_region_claims(ctx, before, site, true)
                                  : before;
        if (!locate(open, site)) return error("a block's claim does not read memory");
        out.after = replace_at(ctx, open, site, *to);
        std::vector<Expr> facts = facts_at(ctx, before, site);
        if (args.contains("claims")) {
            const MemoryModel memory(ctx, before);
            const Result<FactsByPoint> claims =
                read_claims(memory, args, statement, {}, out.obligations);
            if (!claims) return claims.error();
            for (const auto& [point, established] : *claims) {
                if (point != statement) return error("a claim at another statement");
                append(facts, established);
            }
        }
        const Result<Choices> choices =
            read_choices(ctx, before, args, scope_at(ctx, before, site), at->expr, *to);
        if (!choices) return choices.error();
        append(facts, choices->facts);
        out.licences = choices->licences;
        const Expr original = choices->sum != nullptr ? choices->sum : at->expr;
        append(out.obligations,
               replacement_obligations(ctx, before, facts, original, *to, choices->either_zero));
        append(out.obligations, no_new_races(ctx, before, site, facts, at->expr, *to));
        return out;
    }

  private:
    // The new expression makes the load only where the old one does, as far as the text shows.
    static bool made_anyway(const LoadMade& load, const std::vector<LoadMade>& before) {
        return std::any_of(before.begin(), before.end(), [&](const LoadMade& old) {
            return old.load == load.load && (is_true(old.when) || old.when == load.when);
        });
    }

    // What the old expression reads, and the conditions of branches that stand directly around it.
    static std::vector<LoadMade> made_before(Context& ctx, const Function& f, const Site& site,
                                             Expr before) {
        std::vector<LoadMade> out = loads_made(ctx, before);
        for (Site at = statement_around(f, site); !at.steps.empty();) {
            at = at.parent();
            const IfElse* branch = locate(f, at)->as<IfElse>();
            if (branch == nullptr) break;
            for (const LoadMade& load : loads_made(ctx, branch->cond)) out.push_back(load);
        }
        return out;
    }

    static bool reads_more(Context& ctx, const Function& f, const Site& site, Expr before,
                           Expr after) {
        if (!has_op(after, Op::Load) || planted("replace:claimed-regions")) return false;
        const std::vector<LoadMade> made = made_before(ctx, f, site, before);
        const std::vector<LoadMade> now = loads_made(ctx, after);
        return std::any_of(now.begin(), now.end(),
                           [&](const LoadMade& load) { return !made_anyway(load, made); });
    }

    static std::vector<Obligation> no_new_races(Context& ctx, const Function& f, const Site& site,
                                                const std::vector<Expr>& facts, Expr before,
                                                Expr after) {
        std::vector<Obligation> out;
        std::vector<LoadMade> now = loads_made(ctx, after);
        std::erase_if(
            now, [&](const LoadMade& load) { return !stored_beside(f, site, load.load->buffer); });
        if (now.empty()) return out;
        const std::vector<LoadMade> made = made_before(ctx, f, site, before);
        for (const LoadMade& load : now) {
            Buffer b = load.load->buffer;
            if (made_anyway(load, made)) continue;
            std::vector<Expr> known_cells = {ctx.not_(load.when)};
            for (const LoadMade& old : made) {
                if (old.load->buffer != b) continue;
                known_cells.push_back(ctx.all_of(
                    {old.when, same_cell(ctx, {old.load->args.begin(), old.load->args.end()},
                                         {load.load->args.begin(), load.load->args.end()})}));
            }
            out.push_back(
                Obligation({Owed::NewLoad,
                            "a new load in a concurrent loop is of a cell already read", site, b},
                           facts, ctx.any_of(known_cells)));
        }
        return out;
    }
};

}  // namespace

const Rule& replace_rule() {
    static const Replace rule;
    return rule;
}

}  // namespace proviso::rewrite
