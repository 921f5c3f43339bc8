// trim-loop: smaller bounds for a loop some of whose iterations do nothing.
//
//   before   for i in range(8): if i >= 2 and i < 5: S
//   after    for i in range(2, 5): if i >= 2 and i < 5: S
//
// Arguments: "lo", "hi": the new bounds, over the scope of the loop. They read no memory.
// Obligations:
//   1. the new bounds are computed without a fault;
//   2. every new iteration is an old one;
//   3. in every iteration that is left out, each guard under which the body does anything is false
//      (branches without else, predicates of blocks; whatever is not under one must be without
//      effect). Of guards within guards the innermost ones, where the outer ones are known to hold.
//      That those guards are evaluated without a fault there is known: the source does so.
// Iterations that are kept stay the same and in their order. Not for thread-bound loops.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The guards of a statement: where all are false, it does nothing.
struct Guard {
    Expr condition;
    Site site;  // of the condition
};

class Guards {
  public:
    std::vector<Guard> found;

    // Fails when the statement does something under no guard.
    Status visit(Stmt s, const Site& site) {
        return std::visit([&](const auto& n) { return at(n, site); }, s->data);
    }

  private:
    static Status evaluated(Expr e, const Site& site) {
        if (makes_call(e)) return error("an opaque call at " + site.str());
        return Unit{};
    }
    Status at(const Store&, const Site& site) {
        return error("the store at " + site.str() + " is under no guard");
    }
    Status at(const Assert&, const Site& site) {
        return error("the assert at " + site.str() + " is under no guard");
    }
    Status at(const IfElse& n, const Site& site) {
        if (n.else_body != nullptr) {
            if (const Status ok = evaluated(n.cond, site); !ok) return ok;
            const Status both = visit(n.then_body, site.child("then"));
            return both ? visit(n.else_body, site.child("else")) : both;
        }
        if (const Status ok = evaluated(n.cond, site); !ok) return ok;
        const std::size_t outside = found.size();
        if (visit(n.then_body, site.child("then"))) return Unit{};
        found.resize(outside);
        found.push_back(Guard{n.cond, site.child("cond")});
        return Unit{};
    }
    Status at(const Block& n, const Site& site) {
        if (const Status ok = evaluated(n.predicate, site); !ok) return ok;
        const std::size_t outside = found.size();
        Status inside = Unit{};
        for (const BlockIter& iter : n.iters) {
            if (inside) inside = evaluated(iter.binding, site);
        }
        if (inside && n.init != nullptr) inside = visit(n.init, site.child("init"));
        if (inside) inside = visit(n.body, site.child("body"));
        if (inside || is_true(n.predicate)) return inside;
        found.resize(outside);
        found.push_back(Guard{n.predicate, site.child("predicate")});
        return Unit{};
    }
    Status at(const For& n, const Site& site) {
        for (Expr bound : {n.lo, n.hi}) {
            if (const Status ok = evaluated(bound, site); !ok) return ok;
        }
        return visit(n.body, site.child("body"));
    }
    Status at(const Seq& n, const Site& site) {
        for (std::size_t k = 0; k < n.body.size(); ++k) {
            const Status ok = visit(n.body[k], site.child(std::to_string(k)));
            if (!ok) return ok;
        }
        return Unit{};
    }
    Status at(const LetStmt& n, const Site& site) {
        const Status ok = evaluated(n.value, site);
        return ok ? visit(n.body, site.child("body")) : ok;
    }
    Status at(const Allocate& n, const Site& site) { return visit(n.body, site.child("body")); }
    Status at(const Assume& n, const Site& site) { return evaluated(n.cond, site); }
    Status at(const Evaluate& n, const Site& site) { return evaluated(n.value, site); }
};

class TrimLoop final : public Rule {
  public:
    std::string name() const override { return "trim-loop"; }
    std::string summary() const override {
        return "smaller bounds for a loop some of whose iterations do nothing";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        if (loop == nullptr) return error("trim-loop works on a loop");
        if (loop->kind == ForKind::ThreadBinding) return error("the loop is bound to threads");
        const Scope scope = scope_at(ctx, before, site);
        std::vector<Expr> bounds;
        for (const char* key : {"lo", "hi"}) {
            const Result<Expr> bound = arg_expr(ctx, args, key, scope, loop->var->type);
            if (!bound) return bound.error();
            for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let, Op::Same, Op::Defined}) {
                if (has_op(*bound, op)) {
                    return error("a bound is not over variables and constants only");
                }
            }
            bounds.push_back(*bound);
        }
        for (Expr e : {loop->lo, loop->hi}) {
            if (makes_call(e)) return error("a bound makes an opaque call");
        }
        Proposal out;
        For trimmed = *loop;
        trimmed.lo = bounds[0];
        trimmed.hi = bounds[1];
        out.after = replace_at(ctx, before, site, ctx.stmt(trimmed));

        std::vector<Expr> facts = facts_at(ctx, before, site);
        for (Expr e : {loop->lo, loop->hi}) {
            Expr evaluated = evaluated_bound(ctx, e);
            if (!is_true(evaluated)) facts.push_back(evaluated);
        }
        std::vector<Expr> computed;
        for (Expr e : bounds) append(computed, {no_fault(ctx, e), in_range(ctx, e)});
        out.obligations.push_back(
            Obligation{"the new bounds are computed without a fault", facts, ctx.all_of(computed)});
        std::vector<Expr> kept = range_facts(ctx, loop->var, bounds[0], bounds[1]);
        append(facts, kept);
        out.obligations.push_back(
            Obligation{"every new iteration is an old one", facts,
                       ctx.all_of(range_facts(ctx, loop->var, loop->lo, loop->hi))});
        Guards guards;
        const Status shape = guards.visit(loop->body, site.child("body"));
        if (!shape) return shape.error();
        for (const Guard& g : guards.found) {
            out.obligations.push_back(does_nothing(ctx, before, g, ctx.not_(ctx.all_of(kept))));
        }
        return out;
    }

  private:
    static Obligation does_nothing(Context& ctx, const Function& f, const Guard& g, Expr left_out) {
        std::vector<Expr> facts = facts_at(ctx, f, g.site);
        append(facts, definedness_facts(ctx, f, {g.condition}));
        for (Expr known : {left_out, no_fault(ctx, g.condition), definite(ctx, g.condition)}) {
            if (!is_true(known)) facts.push_back(known);
        }
        return Obligation{
            "iterations outside of the new bounds do nothing (guard at " + g.site.str() + ")",
            std::move(facts), ctx.all_of({settled(ctx, g.condition), ctx.not_(g.condition)})};
    }
};

}  // namespace

const Rule& trim_loop_rule() {
    static const TrimLoop rule;
    return rule;
}

}  // namespace proviso::rewrite
