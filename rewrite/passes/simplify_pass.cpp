// simplify: one `replace` step for each expression that gets simpler, then `decide-branch` and
// `drop-empty`.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/path.h"
#include "ir/hint.h"
#include "rewrite/passes/known_values.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"
#include "rewrite/passes/sweep.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// The variable of a loop or of a block's iterator, which has one value only while it is there: it
// keeps its name until the loop is dropped.
bool counts_to_one(const Function& f, const Site& site, Expr e, Expr simpler) {
    if (e->op != Op::Var || !is_int_const(simpler)) return false;
    for (const analysis::PassedNode& step : analysis::passed_on_the_way(f, site)) {
        if (step.stmt == nullptr) continue;
        if (const For* loop = step.stmt->as<For>(); loop != nullptr && loop->var == e) return true;
        const Block* block = step.stmt->as<Block>();
        if (block == nullptr) continue;
        for (const BlockIter& it : block->iters) {
            if (it.var == e) return true;
        }
    }
    return false;
}

// Proposes `simpler` for the expression at `site`, piece by piece: only the subexpressions that
// differ are replaced, so that obligations stay small (an index inside a float product says nothing
// about floats).
bool replace_differences(Proposer& p, const Site& site, Expr e, Expr simpler, PassResult& out) {
    if (e == simpler || counts_to_one(p.current(), site, e, simpler)) return true;
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

// Each choice makes the expression smaller by the rules' measure; the limit is a safeguard.
constexpr int kMostChoices = 100;

void simplify_by_licences(Proposer& p, const Site& site, PassResult& out) {
    for (int n = 0; n < kMostChoices && choose_by_licences(p, site); ++n) {
        ++out.steps;
        simplify_at(p, site, false, out);
    }
}

}  // namespace

PassResult simplify(Proposer& p, const std::string& block) {
    PassResult out;
    const Function start = p.current();
    const PassScope scope(start, block);
    for (const auto& [site, stmt] : all_statements(start)) {
        if (!scope.contains(site)) continue;
        for (const Child& c : children(stmt)) {
            if (c.expr == nullptr) continue;
            simplify_at(p, site.child(c.label), stmt->is<Assume>(), out);
            if (!stmt->is<Assume>()) simplify_by_licences(p, site.child(c.label), out);
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
    const Function start = p.current();
    for (const auto& [site, stmt] : all_statements(start)) {
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
    const auto is_pair = [](const Seq& list, std::size_t k) {
        return list.body[k]->is<IfElse>() && list.body[k + 1]->is<IfElse>();
    };
    Sweep sweep([&](Stmt s) {
        const Seq* list = s->as<Seq>();
        bool found = false;
        for (std::size_t k = 0; list != nullptr && k + 1 < list->body.size(); ++k) {
            found |= is_pair(*list, k);
        }
        return found;
    });
    for (bool changed = true; changed;) {
        const Function f = p.current();
        const PassScope scope(f, block);
        changed = sweep.find(f.body, [&](const Site& site, Stmt stmt) {
            if (!scope.contains(site)) return false;
            const Seq& list = *stmt->as<Seq>();
            for (std::size_t k = 0; k + 1 < list.body.size(); ++k) {
                if (!is_pair(list, k)) continue;
                if (!refused.emplace(list.body[k], list.body[k + 1]).second) continue;
                const Site first = site.child(std::to_string(k));
                if (p.try_apply("merge-guards", first, json{{"kind", "identical"}}) ||
                    p.try_apply("merge-guards", first, json{{"kind", "complementary"}})) {
                    return true;
                }
            }
            return false;
        });
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
    Sweep sweep([&](Stmt s) { return decided(s, options) || without_effect(s, options); });
    for (bool changed = true; changed;) {
        const Function f = p.current();
        const PassScope scope(f, block);
        changed = sweep.find(f.body, [&](const Site& site, Stmt stmt) {
            if (!scope.contains(site)) return false;
            if (decided(stmt, options) && p.try_apply("decide-branch", site, json::object())) {
                return true;
            }
            return without_effect(stmt, options) && p.try_apply("drop-empty", site, json::object());
        });
        steps += changed ? 1 : 0;
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

// Some statement of which `wanted` says so; the first one ends the search.
bool any_statement(Stmt s, const std::function<bool(Stmt)>& wanted) {
    if (wanted(s)) return true;
    if (const Seq* list = s->as<Seq>()) {
        return std::any_of(list->body.begin(), list->body.end(),
                           [&](Stmt c) { return any_statement(c, wanted); });
    }
    const std::vector<Child> parts = children(s);
    return std::any_of(parts.begin(), parts.end(), [&](const Child& c) {
        return c.stmt != nullptr && any_statement(c.stmt, wanted);
    });
}

// An allocation whose buffer is neither stored to nor loaded.
bool is_unused(const Allocate& a) {
    return !any_statement(a.body, [&](Stmt s) {
        if (const Store* n = s->as<Store>(); n != nullptr && n->buffer == a.buffer) return true;
        if (s->is<Seq>()) return false;
        const std::vector<Child> parts = children(s);
        return std::any_of(parts.begin(), parts.end(), [&](const Child& c) {
            if (c.expr == nullptr) return false;
            const std::vector<Buffer> read = loaded_buffers(c.expr);
            return std::find(read.begin(), read.end(), a.buffer) != read.end();
        });
    });
}

// A check, or a store to a buffer that is seen outside.
bool has_effect(Stmt root) {
    std::set<Buffer> inside;
    return any_statement(root, [&](Stmt s) {
        if (const Allocate* n = s->as<Allocate>()) inside.insert(n->buffer);
        const Store* n = s->as<Store>();
        return s->is<Assert>() || (n != nullptr && inside.count(n->buffer) == 0);
    });
}

}  // namespace

bool without_effect(Stmt s, const StructureOptions& options) {
    if (const Allocate* a = s->as<Allocate>(); a != nullptr && is_unused(*a)) return true;
    if (const Seq* n = s->as<Seq>(); n != nullptr && n->body.empty()) return false;
    if (s->is<Assume>() || has_effect(s) || analysis::contains_extern_call(s)) return false;
    return options.drop_assumes || !any_statement(s, [](Stmt t) { return t->is<Assume>(); });
}

}  // namespace proviso::rewrite
