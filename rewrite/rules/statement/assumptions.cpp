// Knowledge written down, and taken away again.
//
// add-assume     S → T.assume(c); S. Arguments: "condition": c; "claims": what memory is known to
//                hold here. Obligation: c is evaluated without a fault, touches only cells that may
//                be touched, is definite, and true. In a concurrent loop it reads nothing that the
//                function writes. With "loops": [{"var": v, "extent": e}, …] it is assumed for all
//                v in [0, e): S → for v in range(e): T.assume(c); S. Claims are then made at the
//                assume of the rewritten program. What they need to know may be that the disjuncts
//                of c that read no memory are false: where one is true, so is c. Permission to
//                read, `B[i] == T.undef()` below `and` and `or`, looks at no cell: it owes that i
//                is in bounds, definite, and of a cell that may be touched.
// drop-assume    T.assume(c) → nothing, where c is proved from what is known without it. Argument
//                "claims". (`lower-assume` drops any: lowering needs no knowledge any more. This
//                rule is for programs that are still to be reasoned about, where an assumption that
//                nobody can prove must stay.) Obligation: c is definite and true.
// check-assume   T.assume(c) → assert c, "message". Arguments: "message". No obligation: a run that
//                has no fault passes the check, and what it tells holds after it as before.
//                Not for permission to read, which has no value to check.
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/let_free.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The disjuncts of a condition, left to right.
void disjuncts(Expr c, std::vector<Expr>& out) {
    if (c->op != Op::Or) {
        out.push_back(c);
        return;
    }
    disjuncts(c->arg(0), out);
    disjuncts(c->arg(1), out);
}

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
        if (!is_plain_term(*extent)) return error("the extent is over variables and constants");
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

// Facts before the statement at `site`, and claims, which may need that the disjuncts of `c` that
// read no memory are false: what they give holds where these are.
Result<std::vector<Expr>> known_unless(Context& ctx, const Function& f, const Site& site, Expr c,
                                       const nlohmann::json& args, std::vector<Obligation>& out) {
    std::vector<Expr> facts = facts_at(ctx, f, site);
    std::vector<Expr> parts;
    disjuncts(c, parts);
    std::vector<Expr> opposite;
    Expr otherwise = ctx.false_();
    for (Expr d : parts) {
        if (has_op(d, Op::Load)) continue;
        opposite.push_back(ctx.not_(d));
        otherwise = is_false(otherwise) ? d : ctx.or_(otherwise, d);
    }
    const MemoryModel memory(ctx, f);
    const Result<FactsByPoint> claims = read_claims(memory, args, site, opposite, out);
    if (!claims) return claims.error();
    for (const auto& [point, established] : *claims) {
        if (point != site) return error("a claim at another statement");
        for (Expr fact : established) {
            facts.push_back(is_false(otherwise) ? fact : ctx.or_(otherwise, fact));
        }
    }
    return facts;
}

// Facts at the assume in its loops, which stand where `site` was; claims as above.
Result<std::vector<Expr>> known_inside(Context& ctx, const Function& after, const Site& site,
                                       std::size_t depth, Expr c, const nlohmann::json& args,
                                       std::vector<Obligation>& out) {
    // Replaced by a list, an element of a list is the first of several; anything else holds one.
    const bool in_list = !site.steps.empty() && locate(after, site.parent())->stmt->is<Seq>();
    Site inside = in_list ? site : site.child("0");
    for (std::size_t k = 0; k < depth; ++k) inside = inside.child("body");
    const Result<Located> at = locate(after, inside);
    if (!at || at->stmt == nullptr || !at->stmt->is<Assume>()) {
        return error("the assumption is not where it was put");
    }
    return known_unless(ctx, after, inside, c, args, out);
}

// T.undef() stands in permissions to read only.
bool only_in_permissions(Expr c) {
    if (!has_op(c, Op::Undef) || is_read_permission(c)) return true;
    const bool connective = c->op == Op::And || c->op == Op::Or;
    return connective && only_in_permissions(c->arg(0)) && only_in_permissions(c->arg(1));
}

// Assuming `c`, in which a permission to read is true and looks at no cell: when that is no fault,
// and what it comes to.
struct Assuming {
    Expr safe = nullptr;
    Expr value = nullptr;
};
Assuming assuming(Context& ctx, const Function& f, Expr c) {
    if (is_read_permission(c)) {
        Expr cell = c->arg(0)->op == Op::Load ? c->arg(0) : c->arg(1);
        const bool any = planted("add-assume:frozen-index");
        Expr frozen = any ? ctx.true_() : settled(ctx, cell);
        return {ctx.all_of({no_fault(ctx, cell), frozen, loads_accessible(ctx, f, cell)}),
                ctx.true_()};
    }
    if (!has_op(c, Op::Undef)) {
        return {ctx.all_of({no_fault(ctx, c), settled(ctx, c), loads_accessible(ctx, f, c),
                            definite(ctx, c)}),
                let_free(ctx, c)};
    }
    const Assuming a = assuming(ctx, f, c->arg(0));
    const Assuming b = assuming(ctx, f, c->arg(1));
    if (c->op == Op::And) {
        return {ctx.all_of({a.safe, ctx.implies(a.value, b.safe)}), ctx.all_of({a.value, b.value})};
    }
    return {ctx.all_of({a.safe, ctx.or_(a.value, b.safe)}), ctx.any_of({a.value, b.value})};
}

class AddAssume final : public Rule {
  public:
    std::string name() const override { return "add-assume"; }
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
        const Result<Expr> condition = arg_expr(ctx, args, "condition", scope, kBool);
        if (!condition) return condition.error();
        Expr c = *condition;
        if (has_any(c, {Op::CallExtern, Op::Same, Op::Defined})) {
            return error("the condition is not one that a program can check");
        }
        if (!only_in_permissions(c)) {
            return error("T.undef() stands in permission to read only: p or B[i] == T.undef()");
        }
        for (Buffer b : loaded_buffers(c)) {
            if (in_concurrent_loop(before, site) && stores_to(before.body, b)) {
                return error("the assumption reads " + b->name +
                             ", which is written, in a concurrent loop");
            }
        }
        Proposal out;
        const Function open =
            loaded_buffers(c).empty() ? before : without_region_claims(ctx, before, site, false);
        out.after =
            replace_at(ctx, open, site,
                       ctx.seq({nest(ctx, *loops, ctx.stmt(Assume{c})), locate(open, site)->stmt}));
        for (const LoopRange& l : *loops) {
            Obligation o = safe_to_evaluate(
                ctx, before, facts_at(ctx, before, site), l.hi,
                {Owed::Safe, "the extent of " + *l.var->name + " is safe to evaluate", site});
            o.goal = ctx.all_of({o.goal, definite(ctx, l.hi), in_range(ctx, l.hi)});
            out.obligations.push_back(std::move(o));
        }
        Result<std::vector<Expr>> facts =
            loops->empty()
                ? known_unless(ctx, before, site, c, args, out.obligations)
                : known_inside(ctx, out.after, site, loops->size(), c, args, out.obligations);
        if (!facts) return facts.error();
        append(*facts, definedness_facts(ctx, before, {c}));
        const Assuming now = assuming(ctx, before, c);
        out.obligations.push_back(
            Obligation({Owed::Assumption, "the assumption is proved where it is added", site},
                       *facts, ctx.all_of({now.safe, now.value})));
        return out;
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
        Proposal out;
        out.after = replace_at(ctx, before, around ? site.parent() : site, ctx.pass());
        Result<std::vector<Expr>> facts = known_at(ctx, before, site, args, out.obligations);
        if (!facts) return facts.error();
        append(*facts, definedness_facts(ctx, before, {assume->cond}));
        out.obligations.push_back(Obligation(
            {Owed::Assumption, "the assumption is proved without it", site}, *facts,
            ctx.all_of({definite(ctx, assume->cond), settled(ctx, assume->cond), assume->cond})));
        return out;
    }
};

class CheckAssume final : public Rule {
  public:
    std::string name() const override { return "check-assume"; }
    std::string summary() const override { return "an assumption as a check at run time"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const Assume* assume = at->as<Assume>();
        if (assume == nullptr) return error("check-assume works on an assume");
        if (is_permission(assume->cond)) {
            return error("permission to read is not knowledge, and nothing that could be checked",
                         "drop it: lower-assume");
        }
        const Result<std::string> message = arg_string(args, "message");
        if (!message) return message.error();
        Proposal out;
        Expr checked = planted("check-assume:opposite") ? ctx.not_(assume->cond) : assume->cond;
        out.after = replace_at(ctx, before, site, ctx.stmt(Assert{checked, *message}));
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

const Rule& check_assume_rule() {
    static const CheckAssume rule;
    return rule;
}

}  // namespace proviso::rewrite
