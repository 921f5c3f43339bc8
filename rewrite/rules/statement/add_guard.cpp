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
// Obligations, in the program as it is, under the facts at each store and `not c`: as above; and c
// is computed without a fault. c reads no memory. S has no assert and makes no opaque call.
// Sufficient since both programs keep the same memory but for cells that a dead store has written
// in one and not in the other, and nothing reads those before they are overwritten.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/drop_store.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Guarding {
  public:
    Guarding(Context& ctx, const Function& f, const Site& site, Expr condition,
             const nlohmann::json& args)
        : ctx_(ctx),
          f_(f),
          site_(site),
          outside_(ctx.not_(condition)),
          args_(args),
          memory_(ctx, f) {}

    Status run(Stmt body, std::vector<Obligation>& out) {
        const Result<FactsByPoint> claims = read_claims(memory_, args_, site_, {outside_}, out);
        if (!claims) return claims.error();
        for (const auto& [point, facts] : *claims) {
            if (!site_.contains(point)) {
                return error("a claim at " + point.str() + ", outside the guarded statement");
            }
        }
        claims_ = *claims;
        std::vector<Buffer> own;
        for_each_stmt(body, [&](Stmt s) {
            if (const Allocate* n = s->as<Allocate>()) own.push_back(n->buffer);
        });
        for (const auto& [where, s] : all_statements(f_)) {
            const Store* store = s->as<Store>();
            if (store == nullptr || !site_.contains(where)) continue;
            if (std::find(own.begin(), own.end(), store->buffer) != own.end()) continue;
            const Status ok = not_missed(*store, where, out);
            if (!ok) return ok;
        }
        return args_.contains("stores") ? only_members(args_["stores"], explained_) : Unit{};
    }

  private:
    std::vector<Expr> facts(const Site& where) {
        std::vector<Expr> out = facts_at(ctx_, f_, where);
        out.push_back(outside_);
        const auto claimed = claims_.find(where);
        if (claimed != claims_.end()) append(out, claimed->second);
        return out;
    }

    Status not_missed(const Store& store, const Site& where, std::vector<Obligation>& out) {
        const auto stores = args_.find("stores");
        const std::string key = where.str();
        if (stores == args_.end() || !stores->is_object() || !stores->contains(key)) {
            return error(
                "nothing says why the store at " + key +
                    " is not missed where the condition is false",
                "say that the cell holds the value already, or that it is overwritten later");
        }
        const nlohmann::json& how = (*stores)[key];
        explained_ += key + " ";
        if (const Status ok = only_members(how, "mode writers"); !ok) return ok;
        const Result<std::string> mode = arg_string(how, "mode");
        if (!mode) return mode.error();
        if (*mode == "indet") {
            if (store.value->op == Op::Undef) return Unit{};
            return error("the value stored at " + key + " is not T.undef()");
        }
        if (*mode == "unreachable") {
            out.push_back(
                Obligation{"the store at " + key + " does not run where the condition is false",
                           facts(where), ctx_.false_()});
            return Unit{};
        }
        if (*mode == "same") {
            out.push_back(holds_already(ctx_, f_, store, facts(where)));
            return Unit{};
        }
        if (*mode == "dead") return dead(where, how, out);
        return error("no mode '" + *mode + "' for a store", "indet, same, dead or unreachable");
    }

    Status dead(const Site& where, const nlohmann::json& how, std::vector<Obligation>& out) {
        const Result<std::vector<Witness>> writers =
            read_witnesses(ctx_, f_, how, "writers", scope_at(ctx_, f_, where));
        if (!writers) return writers.error();
        for (const Witness& w : *writers) {
            if (site_.contains(w.statement)) {
                return error("the store at " + w.statement.str() +
                                 " that overwrites the cell is guarded as well",
                             "name a store outside of the guarded statement");
            }
        }
        const Exempt exempt = [&](const Instance& l) {
            if (!site_.contains(l.access->statement)) return ctx_.false_();
            return substitute(ctx_, substitute(ctx_, outside_, l.access->lets), l.at);
        };
        Result<Established> claim = dead_store(memory_, where, facts(where), *writers, exempt);
        if (!claim) return claim.error();
        append(out, std::move(claim->obligations));
        return Unit{};
    }

    Context& ctx_;
    const Function& f_;
    const Site& site_;
    Expr outside_;
    const nlohmann::json& args_;
    MemoryModel memory_;
    FactsByPoint claims_;
    std::string explained_;  // sites of stores
};

class AddGuard final : public Rule {
  public:
    std::string name() const override { return "add-guard"; }
    std::string summary() const override {
        return "a branch around what does nothing observable where its condition is false";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("add-guard works on a statement");
        const Result<Expr> condition =
            arg_expr(ctx, args, "condition", scope_at(ctx, before, site), kBool);
        if (!condition) return condition.error();
        Expr c = *condition;
        for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let, Op::Defined, Op::Same}) {
            if (has_op(c, op)) {
                return error("the condition is not over variables and constants only");
            }
        }
        if (contains_assert(at->stmt)) return error("the statement contains an assert");
        if (contains_extern_call(at->stmt)) return error("the statement makes an opaque call");
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.if_(c, at->stmt));
        Expr fine = no_fault(ctx, c);
        if (!is_true(fine)) {
            out.obligations.push_back(Obligation{"the condition is computed without a fault",
                                                 facts_at(ctx, before, site), fine});
        }
        Guarding work(ctx, before, site, c, args);
        const Status ok = work.run(at->stmt, out.obligations);
        if (!ok) return ok.error();
        return out;
    }
};

}  // namespace

const Rule& add_guard_rule() {
    static const AddGuard rule;
    return rule;
}

}  // namespace proviso::rewrite
