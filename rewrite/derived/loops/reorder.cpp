// reorder: perfectly nested loops in another order.
//
//   before   for i: for j: S               after   for j: for i: S
//
// Arguments: "order": the loop variables of the nest, outermost first, as they are to be;
// "licences" (optional): ["reassociate"], where the function grants it. The nest starts at the
// site. The loops are serial; their bounds are over variables and constants, and do not depend on
// one another.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class Reorder final : public RescheduleRule {
  public:
    std::string name() const override { return "reorder"; }
    std::string summary() const override { return "perfectly nested loops in another order"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("reorder works on a loop nest");
        const Result<std::vector<std::string>> order = arg_strings(args, "order");
        if (!order) return order.error();
        if (order->empty()) return error("'order' names no loop");
        std::vector<For> loops;
        Stmt body = at->stmt;
        Part part;
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
            part.now = part.origin = part.origin.child("body");
            part.from[loop->var] = part.to[loop->var] = loop->var;
        }
        Result<std::vector<For>> wanted = in_order(loops, *order);
        if (!wanted) return wanted.error();
        const Status shape = independent_bounds(loops);
        if (!shape) return shape.error();
        Rescheduling out;
        const Result<bool> any_order = sums_in_any_order(args);
        if (!any_order) return any_order.error();
        out.reassociate = *any_order;
        out.after = body;
        for (auto it = wanted->rbegin(); it != wanted->rend(); ++it) {
            it->body = out.after;
            out.after = ctx.stmt(*it);
        }
        out.parts.push_back(std::move(part));
        out.apart.emplace(0, 0);
        return out;
    }

  private:
    static Result<std::vector<For>> in_order(const std::vector<For>& loops,
                                             const std::vector<std::string>& order) {
        std::vector<For> out;
        for (const std::string& name : order) {
            const auto found = std::find_if(loops.begin(), loops.end(), [&](const For& loop) {
                return *loop.var->name == name;
            });
            if (found == loops.end()) return error("loop " + name + " is not in the nest");
            const bool twice = std::any_of(out.begin(), out.end(),
                                           [&](const For& w) { return w.var == found->var; });
            if (twice) return error("loop " + name + " is named twice");
            out.push_back(*found);
        }
        return out;
    }

    static Result<bool> sums_in_any_order(const nlohmann::json& args) {
        if (!args.contains("licences")) return false;
        const Result<std::vector<std::string>> named = arg_strings(args, "licences");
        if (!named) return named.error();
        if (*named != std::vector<std::string>{"reassociate"}) {
            return error("of licences, reorder uses reassociate");
        }
        return true;
    }

    static Status independent_bounds(const std::vector<For>& loops) {
        for (const For& loop : loops) {
            for (Expr bound : {loop.lo, loop.hi}) {
                for (const For& other : loops) {
                    if (occurs_free(other.var, bound)) {
                        return error("the bounds of " + *loop.var->name + " depend on " +
                                     *other.var->name);
                    }
                }
                if (is_plain(bound)) continue;
                return error("the bounds of " + *loop.var->name +
                                 " are over more than variables and constants",
                             "what a bound reads may not be there yet where a loop is empty");
            }
        }
        return Unit{};
    }
};

}  // namespace

const Rule& reorder_rule() {
    static const Reorder rule;
    return rule;
}

}  // namespace proviso::rewrite
