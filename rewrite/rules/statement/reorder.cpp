// reorder: perfectly nested loops in another order.
//
//   before   for i: for j: S               after   for j: for i: S
//
// Arguments: "order": the loop variables of the nest, outermost first, as they are to be. The nest
// starts at the site. The loops are serial; their bounds do not depend on one another; S has no
// assert and no opaque call. Obligations: for every pair of conflicting accesses in S (one a
// store), no two iterations that touch one cell change their order. For a reduction that means: the
// iterations of one cell stay in sequence (strict floats).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
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
        Proposal out;
        out.after = replace_at(ctx, before, site, nest);
        order_kept(ctx, before, site, loops, wanted, out.obligations);
        return out;
    }

  private:
    static Status independent_bounds(const std::vector<For>& loops, Stmt body) {
        for (const For& loop : loops) {
            for (Expr bound : {loop.lo, loop.hi}) {
                for (const For& other : loops) {
                    if (occurs_free(other.var, bound)) {
                        return error("the bounds of " + *loop.var->name + " depend on " +
                                     *other.var->name);
                    }
                }
                for (Buffer b : loaded_buffers(bound)) {
                    if (stores_to(body, b)) {
                        return error("the bounds of " + *loop.var->name + " read " + b->name +
                                     ", which the body writes");
                    }
                }
                // A bound that could fault must not run where an outer loop was empty before.
                if (!is_const(bound) && bound->op != Op::Var) {
                    return error("the bounds of " + *loop.var->name + " are not simple",
                                 "loops with constant or variable bounds can be reordered");
                }
            }
        }
        if (contains_assert(body)) return error("the body contains an assert");
        if (contains_extern_call(body)) return error("the body makes an opaque call");
        return Unit{};
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
                           std::vector<Obligation>& out) {
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
        for (const Access* a : inside) {
            for (const Access* b : inside) {
                if (a->buffer != b->buffer || (!a->is_store && !b->is_store)) continue;
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
