// hoist: a guard, a let or a subexpression, evaluated once before a statement.
//
//   "what": "condition"    S → if c: S else: S'          S' is S with names of its own. In each
//                          copy c is decided: `replace` makes it True, or False.
//   "what": "let"          S with { let v = e: T } in it → let v = e: S with T
//   "what": "expression"   S → let v = e: S[e := v]
//
// The site is S: a loop, a guard, a list. Arguments: "condition": c; or "let": the site of the let;
// or "expression": e, and "name": v. Assumptions keep their own e: they speak of memory. Between S
// and the let stand loops, guards, lists, lets and blocks.
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// A statement without the let in it, whose parts are what stands beside the way to the let and in
// it.
class WithoutLet {
  public:
    WithoutLet(Context& ctx, const LetStmt& let, bool is_used)
        : ctx_(ctx), let_(let), is_used_(is_used) {}

    // `way`: from `s` to the let. `at`: the values of what stands around, and the places of `s`.
    Result<Stmt> take(Stmt s, std::span<const Label> way, Part at) {
        if (way.empty()) {
            if (is_used_) at.from[let_.var] = let_.var;
            at.to[let_.var] = let_.var;
            at.origin = at.origin.child("body");
            add(let_.body, at);
            return let_.body;
        }
        const std::string& label = way.front();
        const std::span<const Label> rest = way.subspan(1);
        if (const Seq* list = s->as<Seq>()) return take(*list, rest, at, std::stoul(label));
        Part next = at;
        next.now = at.now.child(label);
        next.origin = at.origin.child(label);
        const auto around = [&](Expr v) { next.from[v] = next.to[v] = v; };
        if (const For* n = s->as<For>()) {
            around(n->var);
            Result<Stmt> body = take(n->body, rest, next);
            if (!body) return body;
            For out = *n;
            out.body = *body;
            return ctx_.stmt(std::move(out));
        }
        if (const LetStmt* n = s->as<LetStmt>()) {
            around(n->var);
            Result<Stmt> body = take(n->body, rest, next);
            if (!body) return body;
            return ctx_.stmt(LetStmt{n->var, n->value, *body});
        }
        if (const IfElse* n = s->as<IfElse>()) {
            const bool then = label == "then";
            Result<Stmt> arm = take(then ? n->then_body : n->else_body, rest, next);
            if (!arm) return arm;
            beside(then ? n->else_body : n->then_body, then ? "else" : "then", at);
            return ctx_.if_(n->cond, then ? *arm : n->then_body, then ? n->else_body : *arm);
        }
        if (const Block* n = s->as<Block>()) {
            for (const BlockIter& it : n->iters) around(it.var);
            const bool init = label == "init";
            Result<Stmt> inside = take(init ? n->init : n->body, rest, next);
            if (!inside) return inside;
            Part other = next;
            other.now = at.now;
            other.origin = at.origin;
            beside(init ? n->body : n->init, init ? "body" : "init", other);
            Block out = *n;
            (init ? out.init : out.body) = *inside;
            out.reads.reset();
            out.writes.reset();
            return ctx_.stmt(std::move(out));
        }
        return error("an allocation stands around the let",
                     "hoist it to a place in the allocation");
    }

    std::vector<Part> parts;

  private:
    void add(Stmt s, const Part& whole) {
        for (Part& p : as_parts(s, whole)) parts.push_back(std::move(p));
    }

    void beside(Stmt s, const char* label, Part at) {
        if (s == nullptr) return;
        at.now = at.now.child(label);
        at.origin = at.origin.child(label);
        at.to[let_.var] = let_.value;
        add(s, at);
    }

    Result<Stmt> take(const Seq& list, std::span<const Label> way, const Part& at,
                      std::size_t where) {
        std::vector<Stmt> now;
        const std::size_t begin = parts.size();
        std::vector<std::pair<std::size_t, std::size_t>> places;  // part, element
        for (std::size_t k = 0; k < list.body.size(); ++k) {
            Part element = at;
            element.now = at.now.child(std::to_string(now.size()));
            element.origin = at.origin.child(std::to_string(k));
            if (k != where) {
                element.to[let_.var] = let_.value;
                parts.push_back(std::move(element));
                now.push_back(list.body[k]);
                continue;
            }
            const std::size_t first = parts.size();
            Result<Stmt> inside = take(list.body[k], way, element);
            if (!inside) return inside;
            const Seq* spliced = (*inside)->as<Seq>();
            for (std::size_t p = first; spliced != nullptr && p < parts.size(); ++p) {
                // An element of the list that it is becomes one of this list.
                std::vector<Label>& steps = parts[p].now.steps;
                const std::size_t depth = at.now.steps.size();
                steps[depth] = std::to_string(now.size() + std::stoul(steps[depth + 1]));
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
            }
            if (spliced == nullptr) {
                now.push_back(*inside);
            } else {
                now.insert(now.end(), spliced->body.begin(), spliced->body.end());
            }
        }
        if (now.size() == 1) {  // no list any more
            for (std::size_t p = begin; p < parts.size(); ++p) {
                std::vector<Label>& steps = parts[p].now.steps;
                steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at.now.steps.size()));
            }
        }
        return ctx_.seq(now);
    }

    Context& ctx_;
    const LetStmt& let_;
    bool is_used_;
};

class Hoist final : public RescheduleRule {
  public:
    std::string name() const override { return "hoist"; }
    std::string summary() const override {
        return "a guard, a let or a subexpression evaluated once before a statement";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
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
    static Result<Rescheduling> condition(Context& ctx, const Function& before, const Site& site,
                                          Stmt s, const nlohmann::json& args) {
        const Result<Expr> c = arg_expr(ctx, args, "condition", scope_at(ctx, before, site), kBool);
        if (!c) return c.error();
        if (Status ok = plain(*c); !ok) return ok.error();
        std::set<std::string> used = used_names(before);
        Rescheduling out;
        out.after = ctx.if_(*c, s, fresh_copy(ctx, s, used));
        for (const char* arm : {"then", "else"}) {
            Expr when = arm == std::string("then") ? *c : ctx.not_(*c);
            for (Part& p : as_parts(s, {Site{}.child(arm), Site{}, {}, {}, when})) {
                out.parts.push_back(std::move(p));
            }
        }
        return out;
    }

    static Result<Rescheduling> let(Context& ctx, const Function& before, const Site& site, Stmt s,
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
        Expr other = ctx.var(*n->var->name + "_other", n->var->type);
        WithoutLet rest(ctx, *n, substitute(ctx, n->body, {{n->var, other}}) != n->body);
        const std::span<const Label> way(where->steps);
        const Part whole{Site{}.child("body"), Site{}, {}, {}};
        const Result<Stmt> body = rest.take(s, way.subspan(site.steps.size()), whole);
        if (!body) return body.error();
        Rescheduling out;
        out.after = ctx.stmt(LetStmt{n->var, n->value, *body});
        out.parts = std::move(rest.parts);
        return out;
    }

    static Result<Rescheduling> expression(Context& ctx, const Function& before, const Site& site,
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
        Stmt named = substituted(ctx, s, e, v);
        if (named == s) return error("the statement does not evaluate " + print(e));
        Rescheduling out;
        out.after = ctx.stmt(LetStmt{v, e, named});
        out.parts = as_parts(s, {Site{}.child("body"), Site{}, {}, {{v, e}}});
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

    // It is in scope at the site, and `s` does not change it.
    static Status invariant(Context& ctx, const Function& f, const Site& site, Stmt s, Expr e) {
        const Scope scope = scope_at(ctx, f, site);
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
        return stays_the_same(e, s, "what is hoisted");
    }
};

}  // namespace

const Rule& hoist_rule() {
    static const Hoist rule;
    return rule;
}

}  // namespace proviso::rewrite
