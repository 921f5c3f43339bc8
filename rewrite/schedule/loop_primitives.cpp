// Primitives about the structure of loops beyond one nest: merging, taking apart, partitioning; and
// the passes that only a schedule asks for.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "rewrite/passes/block_domains.h"
#include "rewrite/passes/guard_bounds.h"
#include "rewrite/schedule/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// The statement after `site` in its list; null at the end, or where there is no list.
Stmt next_statement(const Function& f, const Site& site) {
    if (site.steps.empty()) return nullptr;
    const Seq* list = locate(f, site.parent())->stmt->as<Seq>();
    if (list == nullptr) return nullptr;
    const std::size_t k = std::stoul(site.steps.back()) + 1;
    return k < list->body.size() ? list->body[k] : nullptr;
}

bool is_loop(Stmt s) {
    return s != nullptr && s->is<For>();
}

// Inside of a loop that was merged: two loops that are its whole body, and so on inwards.
void merge_inner(Proposer& p, Site site) {
    while (true) {
        const For* loop = locate(p.current(), site)->stmt->as<For>();
        const Seq* body = loop == nullptr ? nullptr : loop->body->as<Seq>();
        if (body == nullptr || body->body.size() != 2) return;
        if (!is_loop(body->body[0]) || !is_loop(body->body[1])) return;
        const Site first = site.child("body").child("0");
        if (!p.try_apply("merge-loops", first, json::object())) return;
        site = site.child("body");
    }
}

// The loops of a nest with nothing between them, outermost first.
std::vector<Site> nest_of(const Function& f, Site site) {
    std::vector<Site> out;
    for (; locate(f, site)->stmt->is<For>(); site = site.child("body")) out.push_back(site);
    return out;
}

// The first statement in the nest is guarded, the second one not, and neither holds a loop.
bool may_complement(const Function& f, const std::vector<Site>& first,
                    const std::vector<Site>& second) {
    if (first.size() != second.size()) return false;
    Stmt data = locate(f, first.back().child("body"))->stmt;
    Stmt rest = locate(f, second.back().child("body"))->stmt;
    const Block* block = data->as<Block>();
    const IfElse* branch = data->as<IfElse>();
    const bool guarded = (block != nullptr && !is_true(block->predicate)) ||
                         (branch != nullptr && branch->else_body == nullptr);
    return guarded && rest->is<Store>();
}

// The loops at `second` over the ranges of those at `first`, with a guard around the store.
bool widen(Proposer& p, const std::vector<Site>& first, const std::vector<Site>& second) {
    for (std::size_t k = 0; k < first.size(); ++k) {
        const For to = *locate(p.current(), first[k])->stmt->as<For>();
        const For from = *locate(p.current(), second[k])->stmt->as<For>();
        if (from.lo == to.lo && from.hi == to.hi) continue;
        for (std::size_t outer = 0; outer < k; ++outer) {
            Expr v = locate(p.current(), first[outer])->stmt->as<For>()->var;
            if (occurs_free(v, to.lo) || occurs_free(v, to.hi)) return false;
        }
        std::set<std::string> used = bound_names(p.current());
        const json args = {{"offset", "0"},
                           {"lo", print(to.lo)},
                           {"hi", print(to.hi)},
                           {"name", fresh_name(*from.var->name, used)},
                           {"guard", "leaf"}};
        if (!p.try_apply("shift-loop", second[k], args)) return false;
    }
    return true;
}

// The two statements at `site`, the first one guarded, as one branch with an else part.
bool one_branch(Proposer& p, const Site& site) {
    Site first = site.child("0");
    if (const Block* block = locate(p.current(), first)->stmt->as<Block>()) {
        const std::string name = block->name;
        json args = json::object();
        const json domains = wider_domains(p, first, *block);
        if (!domains.empty()) args["domains"] = domains;
        if (!p.try_apply("guard-inside", first, args)) return false;
        if (!p.try_apply("join-block", first, json::object())) return false;
        first = p.index().block(name)->child("body").child("0");
    }
    return p.try_apply("merge-guards", first, json{{"kind", "complementary"}});
}

// A nest that is guarded, and one over a part of its range (a box of padding) that stores in just
// those iterations in which the guard is false: one nest, with both arms. Nothing changes where
// that is not so.
bool merge_with_part(Proposer& p, const Site& site) {
    const Function f = p.current();
    Site next = site.parent();
    next = next.child(std::to_string(std::stoul(site.steps.back()) + 1));
    const std::vector<Site> first = nest_of(f, site);
    const std::vector<Site> second = nest_of(f, next);
    if (!may_complement(f, first, second)) return false;
    const std::size_t start = p.derivation().steps().size();
    const auto merged = [&] {
        if (!widen(p, first, second)) return false;
        Site here = *p.index().loop(*locate(f, site)->stmt->as<For>()->var->name);
        for (std::size_t k = 0; k < first.size(); ++k) {
            if (k > 0) here = here.child("0");
            if (!p.try_apply("merge-loops", here, json::object())) return false;
            const std::string name = *locate(f, first[k])->stmt->as<For>()->var->name;
            here = p.index().loop(name)->child("body");
        }
        return one_branch(p, here);
    };
    if (merged()) return true;
    p.derivation().roll_back(start);
    return false;
}

}  // namespace

Expr Primitives::loop_variable(const std::string& loop) const {
    const std::optional<Site> site = p_.index().loop(loop);
    return site ? locate(p_.current(), *site)->stmt->as<For>()->var : nullptr;
}

Outcome Primitives::merge_adjacent_loops(const std::vector<std::string>& loops) {
    if (loops.empty()) {
        Names merged;
        for (bool again = true; again;) {
            again = false;
            const Function f = p_.current();
            for (const auto& [site, stmt] : all_statements(f)) {
                if (!is_loop(stmt) || !is_loop(next_statement(f, site))) continue;
                const std::string name = *stmt->as<For>()->var->name;
                if (p_.try_apply("merge-loops", site, json::object())) {
                    merge_inner(p_, *p_.index().loop(name));
                } else if (!merge_with_part(p_, site)) {
                    continue;
                }
                if (std::find(merged.begin(), merged.end(), name) == merged.end()) {
                    merged.push_back(name);
                }
                again = true;
                break;
            }
        }
        return merged;
    }
    if (loops.size() != 2) return refuse("two adjacent loops are merged");
    const std::optional<Site> first = p_.index().loop(loops[0]);
    if (!first) return refuse("there is no loop '" + loops[0] + "' any more");
    Stmt next = next_statement(p_.current(), *first);
    if (!is_loop(next) || *next->as<For>()->var->name != loops[1]) {
        return refuse("loop " + loops[1] + " does not follow loop " + loops[0],
                      "loops that stand next to each other can be merged");
    }
    if (!p_.try_apply("merge-loops", *first, json::object())) {
        if (merge_with_part(p_, *first)) return Names{loops[0]};
        return *step("merge-loops", *first, json::object());
    }
    merge_inner(p_, *p_.index().loop(loops[0]));
    return Names{loops[0]};
}

Outcome Primitives::fission(const std::string& loop, std::int64_t count) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    std::set<std::string> used = bound_names(p_.current());
    const std::string second = fresh_name(loop, used);
    if (auto no = step("fission", *site, json{{"at", count}})) return *no;
    return Names{loop, p_.index().loop(second) ? second : loop};
}

Outcome Primitives::unroll(const std::string& loop) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    if (auto no = step("unroll", *site, json::object())) return *no;
    return Names{};
}

Outcome Primitives::partition(const std::string& loop,
                              const std::vector<std::optional<std::int64_t>>& factors) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    if (factors.size() < 2) return refuse("a partition has two parts or more");
    const std::size_t start = p_.derivation().steps().size();
    Names parts = {loop};
    Expr lo = locate(p_.current(), *site)->stmt->as<For>()->lo;
    for (std::size_t k = 0; k + 1 < factors.size(); ++k) {
        if (!factors[k] || *factors[k] <= 0) {
            p_.derivation().roll_back(start);
            return refuse("only the last part may be open, and every part has iterations",
                          "factors=[2, 4, None]");
        }
        lo = p_.simplified(p_.ctx().add(lo, p_.ctx().int_imm(lo->type, *factors[k])), *site);
        const Site here = *p_.index().loop(parts.back());
        if (auto no = step("split-range", here, json{{"at", print(lo)}})) {
            p_.derivation().roll_back(start);
            return *no;
        }
        Stmt upper = next_statement(p_.current(), *p_.index().loop(parts.back()));
        parts.push_back(*upper->as<For>()->var->name);
    }
    return parts;
}

Outcome Primitives::partition(const std::string& loop, Expr var, Expr hint) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return refuse("there is no loop '" + loop + "' any more");
    Expr own = loop_variable(loop);
    Expr condition = substitute(p_.ctx(), hint, {{var, own}});
    const std::vector<Expr> points =
        turning_points(p_.ctx(), condition, own, variables_at(p_.ctx(), p_.current(), *site));
    if (points.empty()) {
        return refuse("the hint does not say where to partition the loop",
                      "comparisons that are linear in " + loop + " do");
    }
    const Names parts = partition_at(p_, loop, points);
    if (parts.size() == 1) return refuse("the hint changes nowhere inside of loop " + loop);
    return parts;
}

Outcome Primitives::partition(const std::string& loop) {
    if (!p_.index().loop(loop)) {
        return refuse("there is no loop '" + loop + "' any more");
    }
    return partition_by_guards(p_, loop);
}

Outcome Primitives::remove_overcompute(const std::string& block) {
    const PassResult result = remove_overcompute_through_branching(p_, block);
    note_ = result.limit;
    if (result.steps > 0) return Names{};
    if (result.refused.empty()) {
        return refuse(
            "no guard is known for what " + (block.empty() ? "any block" : "block " + block) +
                " stores",
            "give the buffer a layout with padding, or let something overwrite the cells");
    }
    for (const Rejection& no : result.refused) p_.derivation().record(no);
    const auto refuted = std::find_if(
        result.refused.begin(), result.refused.end(),
        [](const Rejection& r) { return r.answer.verdict == analysis::Verdict::Refuted; });
    return refuse(refuted != result.refused.end() ? *refuted : result.refused.front());
}

Outcome Primitives::lower_assume(const std::string& block, bool check) {
    if (const std::optional<Diagnostic> wrong = impossible_assumption(p_)) {
        return Refusal{*wrong, std::nullopt};
    }
    lower_assumptions(p_, check, block);
    return Names{};
}

}  // namespace proviso::rewrite
