// Knowledge written down, and taken away again.
//
// add-assume     S → T.assume(c); S. Arguments: "condition": c; "claims": what memory is known to
//                hold here (rules/statement/assumptions.h). With "loops": [{"var": v, "extent": e},
//                …] it is assumed for all v in [0, e): S → for v in range(e): T.assume(c); S. That
//                is two steps: loops around nothing, and the assumption in them. Claims are then
//                made at the assume of the rewritten program.
// drop-assume    T.assume(c) → nothing, where c is proved from what is known without it. Argument
//                "claims". (`lower-assume` drops any: lowering needs no knowledge any more. This
//                rule is for programs that are still to be reasoned about, where an assumption that
//                nobody can prove must stay. So what it owes besides is nothing that refinement
//                needs.)
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/sequence.h"
#include "rewrite/rules/statement/assumptions.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The loops that an assumption is made for: {"var", "extent"} each.
Result<std::vector<LoopRange>> read_loops(Context& ctx, const Function& f, const Site& site,
                                          const nlohmann::json& args) {
    std::vector<LoopRange> out;
    const auto list = args.find("loops");
    if (list == args.end()) return out;
    if (!list->is_array()) return error("argument 'loops' must be a list");
    std::set<std::string> used = used_names(f);
    for (const nlohmann::json& item : *list) {
        if (const Status ok = only_members(item, "extent var"); !ok) return ok.error();
        const Result<std::string> name = arg_string(item, "var");
        if (!name) return name.error();
        const Result<std::string> text = arg_string(item, "extent");
        if (!text) return text.error();
        const Result<Expr> extent =
            parse_expr(ctx, *text, scope_at(ctx, f, site), std::nullopt, "<argument extent>");
        if (!extent) return extent.error();
        if (!(*extent)->type.is_exact_int()) return error("the extent is no int32 or int64");
        for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let}) {
            if (has_op(*extent, op)) return error("the extent is over variables and constants");
        }
        if (!is_printable_name(*name) || !used.insert(*name).second) {
            return error("'" + *name + "' is not a new name");
        }
        const ScalarType type = (*extent)->type;
        out.push_back(LoopRange{ctx.var(*name, type), ctx.int_imm(type, 0), *extent});
    }
    return out;
}

// Facts just before the statement at `site`, with the claims that the arguments make there.
Result<std::vector<Expr>> known_at(Context& ctx, const Function& f, const Site& site,
                                   const nlohmann::json& args, std::vector<Obligation>& out) {
    std::vector<Expr> facts = facts_at(ctx, f, site);
    const MemoryModel memory(ctx, f);
    const Result<FactsByPoint> claims = read_claims(memory, args, site, {}, out);
    if (!claims) return claims.error();
    for (const auto& [point, established] : *claims) {
        if (point != site) return error("a claim at another statement");
        append(facts, established);
    }
    return facts;
}

// Loops around nothing before the statement.
Rescheduling loops_before(Context& ctx, Stmt s, const std::vector<LoopRange>& loops) {
    Rescheduling out;
    out.after = ctx.seq({nest(ctx, loops, ctx.pass()), s});
    const std::size_t count = list_length(s);
    for (std::size_t k = 0; k < count; ++k) {
        Part& part = out.parts.emplace_back();
        part.now = Site{}.child(std::to_string(k + 1));
        part.origin = list_element(Site{}, s, k);
    }
    return out;
}

class AddAssume final : public Rule {
  public:
    std::string name() const override { return "add-assume"; }
    int version() const override { return 2; }
    std::string summary() const override { return "an assumption that is proved where it stands"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("an assumption stands before a statement");
        const Result<std::vector<LoopRange>> loops = read_loops(ctx, before, site, args);
        if (!loops) return loops.error();
        Scope scope = scope_at(ctx, before, site);
        for (const LoopRange& l : *loops) scope.vars[*l.var->name] = l.var;
        const Result<Expr> c = arg_expr(ctx, args, "condition", scope, kBool);
        if (!c) return c.error();
        if (loops->empty()) return add_assume(ctx, before, site, *c, args);
        // Replaced by a list, an element of a list is the first of several; anything else holds
        // one, but for what is nothing.
        const bool in_list = !site.steps.empty() && locate(before, site.parent())->stmt->is<Seq>();
        Site inside = in_list || list_length(at->stmt) == 0 ? site : site.child("0");
        for (std::size_t k = 0; k < loops->size(); ++k) inside = inside.child("body");
        const auto around = [&](const Function& f) {
            return reschedule(ctx, f, site, loops_before(ctx, at->stmt, *loops));
        };
        const auto assumed = [&](const Function& f) {
            return add_assume(ctx, f, inside, *c, args);
        };
        return in_sequence(before, {{"", around}, {"", assumed}});
    }
};

class DropAssume final : public Rule {
  public:
    std::string name() const override { return "drop-assume"; }
    std::string summary() const override { return "an assumption that is proved without it"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Assume* assume = at->as<Assume>();
        if (assume == nullptr) return error("drop-assume works on an assume");
        if (is_permission(assume->cond)) {
            return error("permission to read is not proved by anything");
        }
        const bool around = planted("drop-assume:around") && !site.steps.empty();
        Result<Proposal> out = move_by(ctx, "", "lower-assume", around ? site.parent() : site,
                                       nlohmann::json::object())
                                   .step(before);
        if (!out) return out;
        Result<std::vector<Expr>> facts = known_at(ctx, before, site, args, out->obligations);
        if (!facts) return facts.error();
        append(*facts, definedness_facts(ctx, before, {assume->cond}));
        out->obligations.push_back(Obligation(
            {Owed::Assumption, "the assumption is proved without it", site}, *facts,
            ctx.all_of({definite(ctx, assume->cond), settled(ctx, assume->cond), assume->cond})));
        return out;
    }
};

}  // namespace

const Rule& add_assume_rule() {
    static const AddAssume rule;
    return rule;
}

const Rule& drop_assume_rule() {
    static const DropAssume rule;
    return rule;
}

}  // namespace proviso::rewrite
