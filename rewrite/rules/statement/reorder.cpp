// reorder: perfectly nested loops in another order.
//
//   before   for i: for j: S               after   for j: for i: S
//
// Arguments: "order": the loop variables of the nest, outermost first, as they are to be;
// "licences" (optional): ["reassociate"], where the function grants it. The nest
// starts at the site. The loops are serial; their bounds are over variables and constants, and do
// not depend on one another; S has no assert and no opaque call. Obligations:
//   1. for every pair of conflicting accesses in S (one a store), no two iterations that touch one
//      cell change their order. For a reduction that means: the iterations of one cell stay in
//      sequence (strict floats). Not so for two stores that accumulate in a cell by one operator
//      (accumulation.h): they may change places where the operator is free of order for the type
//      (`+` of wrapping integers; T.max, T.min, bits of all integers; `and`, `or`), and additions
//      of floats with the licence. Whatever else touches the cell, by another operator too, keeps
//      its place among them, so that it sees the same terms combined;
//   2. where the loops that are now around a loop run, its bounds are computed without a fault:
//      they need not have been computed at all where a loop ran no iteration that is no longer
//      around it.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/accumulation.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Reorder final : public Rule {
  public:
    std::string name() const override { return "reorder"; }
    std::string summary() const override { return "perfectly nested loops in another order"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("reorder works on a loop nest");
        const Result<std::vector<std::string>> order = arg_strings(args, "order");
        if (!order) return order.error();
        if (order->empty()) return error("'order' names no loop");
        std::vector<For> loops;
        Stmt body = at->stmt;
        while (loops.size() < order->size()) {
            const For* loop = body->as<For>();
            if (loop == nullptr) {
                return error("the nest at " + site.str() + " has only " +
                                 std::to_string(loops.size()) + " perfectly nested loops",
                             "something stands between the loops");
            }
            if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
                return error("loop " + *loop->var->name + " is not serial");
            }
            loops.push_back(*loop);
            body = loop->body;
        }
        std::vector<For> wanted;
        for (const std::string& name : *order) {
            const auto found = std::find_if(loops.begin(), loops.end(), [&](const For& loop) {
                return *loop.var->name == name;
            });
            if (found == loops.end()) return error("loop " + name + " is not in the nest");
            const bool twice = std::any_of(wanted.begin(), wanted.end(),
                                           [&](const For& w) { return w.var == found->var; });
            if (twice) return error("loop " + name + " is named twice");
            wanted.push_back(*found);
        }
        const Status shape = independent_bounds(loops, body);
        if (!shape) return shape.error();
        Stmt nest = body;
        for (auto it = wanted.rbegin(); it != wanted.rend(); ++it) {
            For copy = *it;
            copy.body = nest;
            nest = ctx.stmt(copy);
        }
        const Result<bool> any_order = sums_in_any_order(before, args);
        if (!any_order) return any_order.error();
        Proposal out;
        out.after = replace_at(ctx, before, site, nest);
        if (*any_order) out.licences.emplace_back(kReassociate);
        bounds_computed(ctx, before, site, loops, wanted, out.obligations);
        order_kept(ctx, before, site, loops, wanted, *any_order, out.obligations);
        return out;
    }

  private:
    static constexpr const char* kReassociate = "reassociate";

    static Result<bool> sums_in_any_order(const Function& f, const nlohmann::json& args) {
        if (!args.contains("licences")) return false;
        const Result<std::vector<std::string>> named = arg_strings(args, "licences");
        if (!named) return named.error();
        if (*named != std::vector<std::string>{kReassociate}) {
            return error("of licences, reorder uses reassociate");
        }
        if (!f.has_licence(kReassociate)) {
            return error("the function does not grant the licence 'reassociate'",
                         "T.func_attr({\"proviso.licences\": [\"reassociate\"]})");
        }
        return true;
    }

    // The accesses of statements that accumulate in a cell by an operator that is free of order.
    static std::map<Site, Op> accumulations(const Function& f,
                                            const std::vector<const Access*>& inside,
                                            bool sums_in_any_order) {
        std::map<Site, Op> out;
        for (const Access* a : inside) {
            if (!a->is_store) continue;
            const std::optional<Accumulation> found = accumulation_at(f, a->statement);
            if (!found) continue;
            const ScalarType type = a->buffer->type;
            const bool float_sum = type.is_float() && found->by == Op::Add;
            if (!is_free_of_order(found->by, type) && !(float_sum && sums_in_any_order)) continue;
            out.emplace(a->site, found->by);
            out.emplace(found->load, found->by);
        }
        return out;
    }

    static Status independent_bounds(const std::vector<For>& loops, Stmt body) {
        for (const For& loop : loops) {
            for (Expr bound : {loop.lo, loop.hi}) {
                for (const For& other : loops) {
                    if (occurs_free(other.var, bound)) {
                        return error("the bounds of " + *loop.var->name + " depend on " +
                                     *other.var->name);
                    }
                }
                for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let}) {
                    if (!has_op(bound, op)) continue;
                    return error("the bounds of " + *loop.var->name +
                                     " are over more than variables and constants",
                                 "what a bound reads may not be there yet where a loop is empty");
                }
            }
        }
        if (contains_assert(body)) return error("the body contains an assert");
        if (contains_extern_call(body)) return error("the body makes an opaque call");
        return Unit{};
    }

    // A bound is now computed where the loops around it run. Those that were around it before tell
    // that it was computed there; where one of them has gone inwards that has to be shown.
    static void bounds_computed(Context& ctx, const Function& f, const Site& site,
                                const std::vector<For>& loops, const std::vector<For>& wanted,
                                std::vector<Obligation>& out) {
        const auto computed = [&](const For& loop) {
            return ctx.all_of({evaluated_bound(ctx, loop.lo), evaluated_bound(ctx, loop.hi)});
        };
        std::vector<Expr> known = facts_at(ctx, f, site);
        append(known, {computed(loops.front())});  // whatever happens
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            const For& loop = wanted[k];
            const auto around = [&](const For& outer) {
                return std::any_of(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(k),
                                   [&](const For& w) { return w.var == outer.var; });
            };
            const auto place = std::find_if(loops.begin(), loops.end(),
                                            [&](const For& l) { return l.var == loop.var; });
            Expr goal = computed(loop);
            if (!std::all_of(loops.begin(), place, around) && !is_true(goal)) {
                out.push_back(Obligation{"the bounds of " + *loop.var->name +
                                             " are computed without a fault where it now stands",
                                         known, goal});
            }
            known.push_back(goal);
            append(known, range_facts(ctx, loop.var, loop.lo, loop.hi));
        }
    }

    static Expr lexicographic(Context& ctx, const std::vector<For>& loops, const Instance& a,
                              const Instance& b) {
        Expr out = ctx.false_();
        for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
            Expr i = substitute(ctx, it->var, a.at);
            Expr j = substitute(ctx, it->var, b.at);
            Expr rest = is_false(out) ? out : ctx.and_(ctx.eq(i, j), out);
            out = ctx.any_of({ctx.lt(i, j), rest});
        }
        return out;
    }

    // Buffers allocated inside the nest are new in each iteration, so no two iterations share a
    // cell of theirs. The order of accesses in one iteration of the nest does not change, so only
    // different iterations matter.
    static void order_kept(Context& ctx, const Function& f, const Site& site,
                           const std::vector<For>& loops, const std::vector<For>& wanted,
                           bool sums_in_any_order, std::vector<Obligation>& out) {
        const MemoryModel memory(ctx, f);
        const std::vector<Expr> known = facts_at(ctx, f, site);
        const std::size_t depth = point_at(ctx, f, site).loops.size() + loops.size();
        std::vector<const Access*> inside;
        for (const Access& a : memory.all()) {
            const bool own = memory.loops_around(a.buffer).size() >= depth;
            if (site.contains(a.statement) && !own) inside.push_back(&a);
        }
        std::vector<Expr> outer;
        for (Expr v : point_at(ctx, f, site).loops) outer.push_back(v);
        const std::map<Site, Op> free = accumulations(f, inside, sums_in_any_order);
        const auto exchange = [&](const Access* a, const Access* b) {
            const auto first = free.find(a->site);
            const auto second = free.find(b->site);
            return first != free.end() && second != free.end() && first->second == second->second;
        };
        for (const Access* a : inside) {
            for (const Access* b : inside) {
                if (a->buffer != b->buffer || (!a->is_store && !b->is_store)) continue;
                if (exchange(a, b)) continue;
                std::set<std::string> names = memory.taken_names();
                Instance second = renamed(ctx, *b, names);
                for (Expr v : outer) second.at[v] = v;
                const Instance first = itself(*a);
                std::vector<Expr> facts = known;
                append(facts, {first.may(ctx), second.may(ctx),
                               same_cell(ctx, first.index(ctx), second.index(ctx)),
                               lexicographic(ctx, loops, first, second)});
                out.push_back(Obligation{"iterations that touch one cell of " + a->buffer->name +
                                             " keep their order (" + a->site.str() + ", " +
                                             b->site.str() + ")",
                                         facts, lexicographic(ctx, wanted, first, second)});
            }
        }
    }
};

}  // namespace

const Rule& reorder_rule() {
    static const Reorder rule;
    return rule;
}

}  // namespace proviso::rewrite
