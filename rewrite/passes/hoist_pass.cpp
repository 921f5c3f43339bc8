// hoist_expression: conditions and lets, out of the outermost loop that they do not depend on. A
// condition is hoisted by deciding the loop on it; each copy is then simplified with what it knows.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/guard_bounds.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr std::size_t kMostConditions = 32;  // each may double a nest

bool in_scope_at(Context& ctx, const Function& f, const Site& site, Expr e) {
    const Scope scope = scope_at(ctx, f, site);
    for (Expr v : free_vars(e)) {
        const auto found = scope.vars.find(*v->name);
        if (found == scope.vars.end() || found->second != v) return false;
    }
    for (Buffer b : loaded_buffers(e)) {
        if (scope.buffers.count(b->name) == 0) return false;
    }
    return true;
}

// Loops around a statement, outermost first, at which everything in `e` is in scope.
std::vector<Site> loops_outside_of(Proposer& p, const Site& statement, Expr e) {
    std::vector<Site> out;
    const Function& f = p.current();
    for (const PathStep& step : path_to(f, statement).steps) {
        const bool loop = step.stmt != nullptr && step.stmt->is<For>() && step.label == "body";
        if (loop && in_scope_at(p.ctx(), f, step.site, e)) out.push_back(step.site);
    }
    return out;
}

void boolean_parts(Expr e, std::vector<Expr>& out) {
    if (e->op == Op::And || e->op == Op::Or || e->op == Op::Not) {
        for (Expr a : e->args) boolean_parts(a, out);
        return;
    }
    if (!is_const(e) && e->type.is_bool()) out.push_back(e);
}

// Conditions that a statement evaluates itself, of the kinds asked for.
std::vector<Expr> conditions_of(Stmt s, const HoistOptions& o) {
    std::vector<Expr> out;
    if (const IfElse* n = s->as<IfElse>(); n != nullptr && o.if_statements) out.push_back(n->cond);
    if (const Block* n = s->as<Block>();
        n != nullptr && o.if_statements && !is_true(n->predicate)) {
        out.push_back(n->predicate);
    }
    if (s->is<Assume>()) return out;
    for (const Child& c : children(s)) {
        if (c.expr == nullptr) continue;
        for_each_node(c.expr, [&](Expr n) {
            if (n->op == Op::IfThenElse && o.if_expressions) out.push_back(n->arg(0));
        });
        if (o.booleans) {
            for_each_node(c.expr, [&](Expr n) {
                if (n->type.is_bool() && !is_const(n)) boolean_parts(n, out);
            });
        }
    }
    std::erase_if(out, is_const);
    return out;
}

class Hoisting {
  public:
    Hoisting(Proposer& p, const HoistOptions& options, const std::string& block)
        : p_(p), o_(options), block_(block) {}

    void conditions() {
        while (done_ < kMostConditions && one_condition()) ++done_;
    }
    bool stopped() const { return done_ == kMostConditions; }

    void lets() {
        while (o_.let_statements && one_let()) {
        }
        while (o_.let_expressions && one_let_expression()) {
        }
    }

  private:
    // A condition is asked about once at each place.
    bool is_new(const Site& site, const std::string& what) {
        return asked_.insert(site.str() + " " + what).second;
    }

    bool one_condition() {
        const Function f = p_.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            if (!in_scope(f, site, block_)) continue;
            for (Expr c : conditions_of(stmt, o_)) {
                if (o_.let_required) release(site, c);
                if (p_.current().body != f.body) return true;  // a let moved: look again
                for (const Site& loop : loops_outside_of(p_, site, c)) {
                    if (!is_new(loop, print(c))) continue;
                    if (hoist_condition(loop, c)) return true;
                }
            }
        }
        return false;
    }

    // Decides the loop on a condition; taken back where a copy has to ask as often as before, such
    // as for a condition on a cell that the loop stores to.
    bool hoist_condition(const Site& loop, Expr c) {
        const std::size_t start = p_.derivation().steps().size();
        const std::size_t before = evaluations(locate(p_.current(), loop)->stmt, c);
        const json args = {{"what", "condition"}, {"condition", print(c)}};
        if (!p_.try_apply("hoist", loop, args)) return false;
        simplify_expressions(p_, loop);
        for (const char* arm : {"then", "else"}) {
            const Result<Located> copy = locate(p_.current(), loop.child(arm));
            if (copy && evaluations(copy->stmt, c) >= before) {
                p_.derivation().roll_back(start);
                return false;
            }
        }
        decide_structure(p_, block_, StructureOptions{});
        return true;
    }

    // How often a statement's conditions ask `c`.
    static std::size_t evaluations(Stmt s, Expr c) {
        std::size_t out = 0;
        for_each_expr(s, [&](Expr e) { for_each_node(e, [&](Expr n) { out += n == c ? 1 : 0; }); });
        return out;
    }

    // Lets that a condition needs, out of the loops that the lets do not depend on.
    void release(const Site& site, Expr condition) {
        const Function f = p_.current();
        for (const PathStep& step : path_to(f, site).steps) {
            const LetStmt* n = step.stmt == nullptr ? nullptr : step.stmt->as<LetStmt>();
            if (n == nullptr || !occurs_free(n->var, condition)) continue;
            if (move_let(step.site, *n)) return;
        }
    }

    bool move_let(const Site& site, const LetStmt& n) {
        for (const Site& loop : loops_outside_of(p_, site, n.value)) {
            if (!is_new(loop, *n.var->name)) continue;
            if (p_.try_apply("hoist", loop, json{{"what", "let"}, {"let", site.str()}})) {
                return true;
            }
        }
        return false;
    }

    bool one_let() {
        const Function f = p_.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            const LetStmt* n = stmt->as<LetStmt>();
            if (n != nullptr && in_scope(f, site, block_) && move_let(site, *n)) return true;
        }
        return false;
    }

    bool one_let_expression() {
        const Function f = p_.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            if (!in_scope(f, site, block_) || stmt->is<Assume>()) continue;
            std::vector<Expr> lets;
            for (const Child& c : children(stmt)) {
                if (c.expr == nullptr) continue;
                for_each_node(c.expr, [&](Expr e) {
                    if (e->op == Op::Let && !is_const(e->arg(0)) && e->arg(0)->op != Op::Var) {
                        lets.push_back(e);
                    }
                });
            }
            for (Expr let : lets) {
                for (const Site& loop : loops_outside_of(p_, site, let->arg(0))) {
                    if (!is_new(loop, print(let->arg(0)))) continue;
                    std::set<std::string> used = bound_names(p_.current());
                    const json args = {{"what", "expression"},
                                       {"expression", print(let->arg(0))},
                                       {"name", fresh_name(*let->name, used)}};
                    if (p_.try_apply("hoist", loop, args)) return true;
                }
            }
        }
        return false;
    }

    Proposer& p_;
    const HoistOptions& o_;
    const std::string& block_;
    std::set<std::string> asked_;
    std::size_t done_ = 0;
};

}  // namespace

PassResult hoist_expressions(Proposer& p, const HoistOptions& options, const std::string& block) {
    PassResult out;
    const std::size_t before = p.derivation().steps().size();
    Hoisting work(p, options, block);
    work.lets();
    if (options.if_statements || options.if_expressions || options.booleans) work.conditions();
    out.steps = p.derivation().steps().size() - before;
    if (work.stopped()) out.limit = "stopped at " + std::to_string(kMostConditions) + " conditions";
    return out;
}

}  // namespace proviso::rewrite
