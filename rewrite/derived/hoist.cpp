// hoist: a guard, a let or a subexpression, evaluated once before a statement.
//
//   "what": "condition"    S → if c: S else: S'          S' is S with names of its own. In each
//                          copy c is decided: `replace` makes it True, or False.
//   "what": "let"          S with { let v = e: T } in it → let v = e: S with T
//   "what": "expression"   S → let v = e: S[e := v]
//
// The site is S: a loop, a guard, a list. Arguments: "condition": c; or "let": the site of the let;
// or "expression": e, and "name": v. Assumptions keep their own e: they speak of memory.
// Obligations:
//   1. c or e is safe to evaluate before S: without a fault, every cell accessible; c is definite,
//      and e, since a let observes it, in its type's range. A subexpression is definite as well: a
//      let would freeze it to any value, with which S might fault. What S evaluates on every run
//      that reaches it (where the loops on the way run) is known to be so: a loop that may not run,
//      or a guard that may be false, does not count;
//   2. in a concurrent loop, where the function writes what c or e reads: S evaluates it on every
//      run, so that the load is not a new one.
// e is the same wherever S evaluates it: it reads nothing that S stores, mentions no variable of S,
// and calls nothing. (c may change: then `replace` will not find it in the copies.) A let that
// froze an indeterminate value once in every iteration now freezes it once: one of the values that
// it could be.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/layout.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// `e` is evaluated whenever `within` is: it stands at no lazy place, under no let.
bool always_evaluates(Expr within, Expr e) {
    if (within == e) return true;
    const bool lazy = within->op == Op::And || within->op == Op::Or || within->op == Op::IfThenElse;
    if (within->op == Op::Let) return false;
    const std::size_t count = lazy ? 1 : within->args.size();
    for (std::size_t k = 0; k < count; ++k) {
        if (always_evaluates(within->arg(k), e)) return true;
    }
    return false;
}

// The condition under which running `s`, a part of `whole`, evaluates `e`, before anything that
// could end the run; null: not known to. `e` mentions nothing that `s` binds, and the condition
// means the same before `whole`.
Expr evaluated_when(Context& ctx, Stmt whole, Stmt s, Expr e) {
    const auto direct = [&](Expr within) { return always_evaluates(within, e); };
    const auto always = [&](bool found) { return found ? ctx.true_() : nullptr; };
    return std::visit(
        Overloaded{
            [&](const Store& n) {
                return always(direct(n.value) ||
                              std::any_of(n.indices.begin(), n.indices.end(), direct));
            },
            [&](const For& n) -> Expr {
                if (direct(n.lo) || direct(n.hi)) return ctx.true_();
                Expr inside = evaluated_when(ctx, whole, n.body, e);
                if (inside == nullptr || occurs_free(n.var, inside)) return nullptr;
                for (Expr bound : {n.lo, n.hi}) {
                    if (!stays_the_same(bound, whole, "")) return nullptr;
                }
                return ctx.all_of({ctx.lt(n.lo, n.hi), inside});
            },
            [&](const IfElse& n) { return always(direct(n.cond)); },
            [&](const Seq& n) -> Expr {
                for (Stmt part : n.body) {
                    if (Expr found = evaluated_when(ctx, whole, part, e)) return found;
                    if (contains_assert(part)) return nullptr;
                }
                return nullptr;
            },
            [&](const LetStmt& n) -> Expr {
                if (direct(n.value)) return ctx.true_();
                Expr inside = evaluated_when(ctx, whole, n.body, e);
                return inside == nullptr || occurs_free(n.var, inside) ? nullptr : inside;
            },
            [&](const Allocate& n) { return evaluated_when(ctx, whole, n.body, e); },
            [&](const Assert& n) { return always(direct(n.cond)); },
            [&](const Assume& n) { return always(!is_permission(n.cond) && direct(n.cond)); },
            [&](const Evaluate& n) { return always(direct(n.value)); },
            [&](const Block& n) { return always(direct(n.predicate)); },
        },
        s->data);
}

// Every variable and buffer of `e` is in scope.
Status in_scope(Expr e, const Scope& scope) {
    for (Expr v : free_vars(e)) {
        const auto found = scope.vars.find(*v->name);
        if (found == scope.vars.end() || found->second != v) {
            return error("what is hoisted depends on " + *v->name,
                         "the place is outside of the scope of " + *v->name);
        }
    }
    for (Buffer b : loaded_buffers(e)) {
        if (scope.buffers.count(b->name) == 0) {
            return error("what is hoisted reads " + b->name + ", which is allocated inside");
        }
    }
    return Unit{};
}

class Hoist final : public Rule {
  public:
    std::string name() const override { return "hoist"; }
    std::string summary() const override {
        return "a guard, a let or a subexpression evaluated once before a statement";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("hoist works on a statement");
        const Result<std::string> what = arg_string(args, "what");
        if (!what) return what.error();
        if (*what == "condition") return condition(ctx, before, site, at->stmt, args);
        if (*what == "let") return let(ctx, before, site, at->stmt, args);
        if (*what == "expression") return expression(ctx, before, site, at->stmt, args);
        return error("nothing '" + *what + "' to hoist", "condition, let or expression");
    }

  private:
    enum class Use : std::uint8_t { Condition, Let, Expression };

    static Result<Proposal> condition(Context& ctx, const Function& before, const Site& site,
                                      Stmt s, const nlohmann::json& args) {
        const Result<Expr> c = arg_expr(ctx, args, "condition", scope_at(ctx, before, site), kBool);
        if (!c) return c.error();
        if (Status ok = plain(*c); !ok) return ok.error();
        std::set<std::string> used = used_names(before);
        Proposal out = placed(ctx, before, site, *c, [&](Stmt now) {
            return ctx.if_(*c, now, fresh_copy(ctx, now, used));
        });
        owes(ctx, before, site, s, *c, Use::Condition, out);
        return out;
    }

    static Result<Proposal> let(Context& ctx, const Function& before, const Site& site, Stmt s,
                                const nlohmann::json& args) {
        const Result<Site> where = arg_site(args, "let");
        if (!where) return where.error();
        const Result<Located> at = locate(before, *where);
        if (!at) return at.error();
        const LetStmt* n = at->as<LetStmt>();
        if (n == nullptr || !site.contains(*where) || *where == site) {
            return error("there is no let at " + where->str() + " inside of " + site.str());
        }
        if (Status ok = invariant(ctx, before, site, s, n->value); !ok) return ok.error();
        Proposal out;
        Function open = opened(ctx, before, site, n->value);
        open = replace_at(ctx, open, *where, locate(open, *where)->stmt->as<LetStmt>()->body);
        out.after = replace_at(ctx, open, site,
                               ctx.stmt(LetStmt{n->var, n->value, locate(open, site)->stmt}));
        owes(ctx, before, site, s, n->value, Use::Let, out);
        return out;
    }

    static Result<Proposal> expression(Context& ctx, const Function& before, const Site& site,
                                       Stmt s, const nlohmann::json& args) {
        const Scope scope = scope_at(ctx, before, site);
        const Result<std::string> text = arg_string(args, "expression");
        if (!text) return text.error();
        const Result<Expr> read = parse_expr(ctx, *text, scope);
        if (!read) return read.error();
        Expr e = *read;
        if (Status ok = plain(e); !ok) return ok.error();
        const Result<std::string> name = arg_string(args, "name");
        if (!name) return name.error();
        if (Status ok = invariant(ctx, before, site, s, e); !ok) return ok.error();
        Expr v = ctx.var(*name, e->type);
        if (substituted(ctx, s, e, v) == s) {
            return error("the statement does not evaluate " + print(e));
        }
        Proposal out = placed(ctx, before, site, e, [&](Stmt now) {
            return ctx.stmt(LetStmt{v, e, substituted(ctx, now, e, v)});
        });
        owes(ctx, before, site, s, e, Use::Expression, out);
        return out;
    }

    // Every evaluation of `e` outside of assumptions by `v`.
    static Stmt substituted(Context& ctx, Stmt s, Expr e, Expr v) {
        const auto on_expr = [&](Expr whole) {
            return rewrite_expr(ctx, whole, [&](Expr n) { return n == e ? v : n; });
        };
        std::map<Stmt, Stmt> originals;  // assumptions, by what they would have become
        for_each_stmt(s, [&](Stmt t) {
            if (const Assume* n = t->as<Assume>()) {
                originals[ctx.stmt(Assume{on_expr(n->cond)})] = t;
            }
        });
        return rewrite_stmt(ctx, s, on_expr, [&](Stmt t) {
            const auto original = originals.find(t);
            return original == originals.end() ? t : original->second;
        });
    }

    static Status plain(Expr e) {
        if (makes_call(e)) return error("an opaque call is not hoisted");
        for (Op op : {Op::Undef, Op::Same, Op::Defined}) {
            if (has_op(e, op)) return error("what is hoisted is not a plain expression");
        }
        return Unit{};
    }

    static Status invariant(Context& ctx, const Function& f, const Site& site, Stmt s, Expr e) {
        if (Status ok = in_scope(e, scope_at(ctx, f, site)); !ok) return ok;
        return stays_the_same(e, s, "what is hoisted");
    }

    // Blocks around claim no regions where they would have to claim more.
    static Function opened(Context& ctx, const Function& f, const Site& site, Expr e) {
        return loaded_buffers(e).empty() ? f : without_region_claims(ctx, f, site, false);
    }

    template <typename Make>
    static Proposal placed(Context& ctx, const Function& before, const Site& site, Expr e,
                           const Make& make) {
        Proposal out;
        const Function open = opened(ctx, before, site, e);
        out.after = replace_at(ctx, open, site, make(locate(open, site)->stmt));
        return out;
    }

    static void owes(Context& ctx, const Function& f, const Site& site, Stmt s, Expr e, Use use,
                     Proposal& out) {
        std::vector<Expr> facts = facts_at(ctx, f, site);
        append(facts, definedness_facts(ctx, f, {e}));
        const bool same = stays_the_same(e, s, "").ok();
        Expr anyway = same ? evaluated_when(ctx, s, s, e) : nullptr;
        if (anyway != nullptr) {
            std::vector<Expr> known = {no_fault(ctx, e)};
            for (const LoadMade& load : loads_made(ctx, e)) {  // of an arm, only where it is chosen
                Expr when = planted("hoist:loads-of-both-arms") ? ctx.true_() : load.when;
                known.push_back(
                    ctx.implies(when, accessible(ctx, f, load.load->buffer, load.load->args)));
            }
            facts.push_back(ctx.implies(anyway, ctx.all_of(known)));
        }
        Obligation o = safe_to_evaluate(
            ctx, f, facts, e,
            "what is hoisted is safe to evaluate at " + site.str() + ", where it was not yet");
        if (use != Use::Let) o.goal = ctx.all_of({o.goal, definite(ctx, e)});
        if (use != Use::Condition) o.goal = ctx.all_of({o.goal, in_range(ctx, e)});
        out.obligations.push_back(std::move(o));
        for (Buffer b : loaded_buffers(e)) {
            if (!in_concurrent_loop(f, site) || !stores_to(f.body, b)) continue;
            out.obligations.push_back(
                Obligation{"in a concurrent loop, what is hoisted is read anyway", facts,
                           anyway == nullptr ? ctx.false_() : anyway});
            break;
        }
    }
};

}  // namespace

const Rule& hoist_rule() {
    static const Hoist rule;
    return rule;
}

}  // namespace proviso::rewrite
