// simplify: one `replace` step for each expression that gets simpler, then `decide-branch` and
// `drop-empty`.
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/path.h"
#include "ir/hint.h"
#include "rewrite/passes/known_values.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// Proposes `simpler` for the expression at `site`, piece by piece: only the subexpressions that
// differ are replaced, so that obligations stay small (an index inside a float product says nothing
// about floats).
bool replace_differences(Proposer& p, const Site& site, Expr e, Expr simpler, PassResult& out) {
    if (e == simpler) return true;
    const bool same_node = e->args.size() == simpler->args.size() && e->op == simpler->op &&
                           !e->args.empty() && e->op != Op::Let &&
                           with_args(p.ctx(), e, simpler->args) == simpler;
    if (same_node) {
        bool all = true;
        for (std::size_t i = 0; i < e->args.size() && all; ++i) {
            all = replace_differences(p, site.child("a" + std::to_string(i)), e->arg(i),
                                      simpler->arg(i), out);
        }
        if (all) return true;
    }
    const bool accepted = p.try_apply("replace", site, json{{"to", print(simpler)}});
    out.steps += accepted ? 1 : 0;
    return accepted;
}

void simplify_at(Proposer& p, const Site& site, bool in_assume, PassResult& out);

// A hint stays while its condition is not decided: the parts are simplified, and what becomes of
// the whole is taken only where it is a constant.
void simplify_hinted(Proposer& p, const Site& site, bool in_assume, PassResult& out) {
    const std::size_t parts = locate(p.current(), site)->expr->args.size();
    for (std::size_t i = 0; i < parts; ++i) {
        simplify_at(p, site.child("a" + std::to_string(i)), in_assume, out);
    }
    Expr e = locate(p.current(), site)->expr;
    Expr simpler = p.simplified(e, site);
    if (is_const(simpler) || (is_hint(e) && is_const(e->arg(0)))) {
        replace_differences(p, site, e, simpler, out);
    } else if (!has_hint(e)) {
        simplify_at(p, site, in_assume, out);
    }
}

// An assume that is permission to read has no value to replace as a whole: work on its parts.
void simplify_at(Proposer& p, const Site& site, bool in_assume, PassResult& out) {
    const Result<Located> at = locate(p.current(), site);
    if (!at || at->expr == nullptr) return;
    Expr e = at->expr;
    // Of leaves, only a condition by name may be known.
    if (e->args.empty() && !(e->op == Op::Var && e->type.is_bool())) return;
    if (in_assume && has_op(e, Op::Undef)) {
        for (std::size_t i = 0; i < e->args.size(); ++i) {
            simplify_at(p, site.child("a" + std::to_string(i)), in_assume, out);
        }
        return;
    }
    if (has_hint(e)) {
        simplify_hinted(p, site, in_assume, out);
        return;
    }
    Expr simpler = p.simplified(e, site);
    if (simpler == e) return;
    replace_differences(p, site, e, simpler, out);
}

}  // namespace

PassResult simplify(Proposer& p, const std::string& block) {
    PassResult out;
    const Function start = p.current();
    for (const auto& [site, stmt] : all_statements(start)) {
        if (!in_scope(start, site, block)) continue;
        for (const Child& c : children(stmt)) {
            if (c.expr == nullptr) continue;
            simplify_at(p, site.child(c.label), stmt->is<Assume>(), out);
            out.steps += simplify_by_memory(p, site.child(c.label)) ? 1 : 0;
        }
    }
    out.steps += decide_structure(p, block, StructureOptions{});
    out.steps += merge_equal_branches(p, block);
    out.steps += merge_guards(p, block);
    return out;
}

std::size_t simplify_expressions(Proposer& p, const Site& below) {
    PassResult out;
    for (const auto& [site, stmt] : all_statements(p.current())) {
        if (!below.contains(site)) continue;
        for (const Child& c : children(stmt)) {
            if (c.expr == nullptr) continue;
            simplify_at(p, site.child(c.label), stmt->is<Assume>(), out);
        }
    }
    return out.steps;
}

std::size_t merge_guards(Proposer& p, const std::string& block) {
    std::size_t steps = 0;
    std::set<std::pair<Stmt, Stmt>> refused;
    for (bool changed = true; changed;) {
        changed = false;
        const Function f = p.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            const Seq* list = stmt->as<Seq>();
            if (list == nullptr || !in_scope(f, site, block)) continue;
            for (std::size_t k = 0; k + 1 < list->body.size() && !changed; ++k) {
                const std::pair<Stmt, Stmt> pair{list->body[k], list->body[k + 1]};
                if (!pair.first->is<IfElse>() || !pair.second->is<IfElse>()) continue;
                if (!refused.insert(pair).second) continue;
                const Site first = site.child(std::to_string(k));
                changed = p.try_apply("merge-guards", first, json{{"kind", "identical"}}) ||
                          p.try_apply("merge-guards", first, json{{"kind", "complementary"}});
            }
            if (changed) break;
        }
        steps += changed ? 1 : 0;
    }
    return steps;
}

std::size_t simplify_assumptions(Proposer& p) {
    PassResult out;
    const Function start = p.current();
    for (const auto& [site, stmt] : all_statements(start)) {
        if (stmt->is<Assume>()) simplify_at(p, site.child("cond"), true, out);
    }
    return out.steps;
}

std::size_t decide_structure(Proposer& p, const std::string& block,
                             const StructureOptions& options) {
    std::size_t steps = 0;
    for (bool changed = true; changed;) {
        changed = false;
        const Function f = p.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            if (!in_scope(f, site, block)) continue;
            if (decided(stmt, options) && p.try_apply("decide-branch", site, json::object())) {
                changed = true;
            } else if (without_effect(stmt, options) &&
                       p.try_apply("drop-empty", site, json::object())) {
                changed = true;
            }
            if (changed) {
                ++steps;
                break;
            }
        }
    }
    return steps;
}

bool decided(Stmt s, const StructureOptions& options) {
    if (const IfElse* n = s->as<IfElse>()) {
        return is_true(n->cond) || is_false(n->cond) || n->then_body == n->else_body;
    }
    if (const For* n = s->as<For>()) {
        if (!is_int_const(n->lo) || !is_int_const(n->hi)) return false;
        const Int128 trips = n->hi->int_value() - n->lo->int_value();
        return trips <= 0 || (trips == 1 && options.unit_loops);
    }
    return false;
}

namespace {

// An allocation whose buffer is neither stored to nor loaded.
bool is_unused(const Allocate& a) {
    bool used = analysis::stores_to(a.body, a.buffer);
    for_each_expr(a.body, [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) used |= b == a.buffer;
    });
    return !used;
}

}  // namespace

bool without_effect(Stmt s, const StructureOptions& options) {
    if (const Allocate* a = s->as<Allocate>(); a != nullptr && is_unused(*a)) return true;
    bool assumes = false;
    bool effect = false;
    std::set<Buffer> inside;
    std::set<Buffer> stored;
    for_each_stmt(s, [&](Stmt t) {
        assumes |= t->is<Assume>();
        effect |= t->is<Assert>();
        if (const Allocate* n = t->as<Allocate>()) inside.insert(n->buffer);
        if (const Store* n = t->as<Store>()) stored.insert(n->buffer);
    });
    for (Buffer b : stored) effect |= inside.count(b) == 0;
    if (const Seq* n = s->as<Seq>(); n != nullptr && n->body.empty()) return false;
    if (s->is<Assume>()) return false;
    return !effect && !analysis::contains_extern_call(s) && (!assumes || options.drop_assumes);
}

}  // namespace proviso::rewrite
