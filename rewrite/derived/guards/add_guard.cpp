// add-guard: a branch around a statement that does nothing observable where its condition is false.
//
//   before   S                                  after   if c: S
//
// Arguments: "condition": c, over the scope of the site; "stores": {SITE: HOW} for each store in S
// to a buffer from outside of S, where HOW says why it is not missed where c is false:
//   {"mode": "indet"}                        it stores T.undef()
//   {"mode": "unreachable"}                  it does not run there
//   {"mode": "same"}                         the cell holds the value already
//   {"mode": "dead", "writers": [WITNESS]}   the cell is overwritten later, on every run, and no
//                                            load sees it before, except loads of S at iterations
//                                            where c is false as well: those do not run any more.
//                                            Writers are outside of S (inside they may be gone).
// "claims": what memory is known to hold, each at a "point" in S.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class AddGuard final : public RescheduleRule {
  public:
    std::string name() const override { return "add-guard"; }
    std::string summary() const override {
        return "a branch around what does nothing observable where its condition is false";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("add-guard works on a statement");
        const Result<Expr> c =
            arg_expr(ctx, args, "condition", analysis::scope_at(ctx, before, site), kBool);
        if (!c) return c.error();
        if (!is_plain(*c)) return error("the condition is not over variables and constants only");
        if (analysis::contains_assert(at->stmt)) return error("the statement contains an assert");
        const Result<nlohmann::json> reasons = reasons_of(before, site, at->stmt, args);
        if (!reasons) return reasons.error();
        Rescheduling out;
        out.after = ctx.if_(*c, at->stmt);
        out.parts = {{Site{}.child("then"), Site{}, {}, {}, *c}};
        out.dropped = {Site{}};
        nlohmann::json unseen;
        if (!reasons->empty()) unseen["stores"] = *reasons;
        if (args.contains("claims")) unseen["claims"] = args["claims"];
        if (!unseen.empty()) out.unseen = unseen.dump();
        return out;
    }

  private:
    // What is said of stores, but for those that do not run; each store is spoken of.
    static Result<nlohmann::json> reasons_of(const Function& before, const Site& site, Stmt s,
                                             const nlohmann::json& args) {
        nlohmann::json out = args.value("stores", nlohmann::json::object());
        if (!out.is_object()) return error("'stores' must be an object");
        std::vector<Buffer> own;
        for_each_stmt(s, [&](Stmt t) {
            if (const Allocate* n = t->as<Allocate>()) own.push_back(n->buffer);
        });
        for (const auto& [where, t] : all_statements(before)) {
            const Store* store = t->as<Store>();
            if (store == nullptr || !site.contains(where)) continue;
            if (std::find(own.begin(), own.end(), store->buffer) != own.end()) continue;
            const auto found = out.find(where.str());
            if (found == out.end()) {
                return error(
                    "nothing says why the store at " + where.str() +
                        " is not missed where the condition is false",
                    "say that the cell holds the value already, or that it is overwritten later");
            }
            if (*found == nlohmann::json{{"mode", "unreachable"}}) out.erase(found);
        }
        return out;
    }
};

}  // namespace

const Rule& add_guard_rule() {
    static const AddGuard rule;
    return rule;
}

}  // namespace proviso::rewrite
