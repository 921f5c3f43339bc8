#include "rewrite/rules/statement/drop_guard.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/licences.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The work of one application: the rewritten program, the guard, and the obligations gathered so
// far.
class Overcompute {
  public:
    Overcompute(Context& ctx, const GuardRemoved& removed, const nlohmann::json& args)
        : ctx_(ctx),
          after_(removed.after),
          scopes_(removed.scopes),
          outside_(ctx.not_(removed.guard)),
          guard_(removed.guard),
          args_(args),
          memory_(ctx, removed.after) {}

    // Those that the obligations rest on.
    std::vector<std::string> licences() const { return {licences_.begin(), licences_.end()}; }

    const std::string& explained() const { return explained_; }  // sites of stores

    Status run(std::vector<Obligation>& obligations) {
        if (scopes_.empty() && planted("drop-guard:call-before-nothing")) return Unit{};
        if (makes_call(guard_)) return error("the guard makes an opaque call");
        if (scopes_.empty()) return Unit{};
        if (!is_true(settled(ctx_, guard_))) return error("the guard binds what it reads");
        Result<FactsByPoint> claims =
            read_claims(memory_, args_, scopes_.front(), {outside_}, obligations);
        if (!claims) return claims.error();
        for (const auto& [point, facts] : *claims) {
            if (!in_scope(point)) {
                return error("a claim at " + point.str() + ", outside the guarded statement");
            }
        }
        claims_ = *claims;
        for (const Site& scope : scopes_) {
            Stmt body = locate(after_, scope)->stmt;
            if (contains_extern_call(body)) {
                return error("the guarded statement makes an opaque call");
            }
            for (Buffer b : loaded_buffers(guard_)) {
                if (stores_to(body, b)) {
                    return error("the guard reads " + b->name +
                                 ", which the guarded statement writes");
                }
            }
            const Status ok = statement(body, scope);
            if (!ok) return ok;
        }
        append(obligations, std::move(obligations_));
        std::vector<const Access*> newcomers;
        for (const Access& a : memory_.all()) {
            if (in_scope(a.statement)) newcomers.push_back(&a);
        }
        append(obligations, race_freedom(memory_, newcomers, [&](const Instance& i) {
                   return at_instance(outside_, i);
               }));
        return Unit{};
    }

  private:
    bool in_scope(const Site& site) const {
        return std::any_of(scopes_.begin(), scopes_.end(),
                           [&](const Site& scope) { return scope.contains(site); });
    }

    // A condition of the guard's scope, at another iteration of something in that scope.
    Expr at_instance(Expr condition, const Instance& i) {
        return substitute(ctx_, substitute(ctx_, condition, i.access->lets), i.at);
    }

    std::vector<Expr> facts(const Site& site) {
        std::vector<Expr> out = facts_at(ctx_, after_, site);
        out.push_back(outside_);
        const auto claimed = claims_.find(site);
        if (claimed != claims_.end()) append(out, claimed->second);
        return out;
    }

    void evaluates(Expr e, const Site& site, const std::string& what, bool must_be_definite) {
        Obligation o = safe_to_evaluate(
            ctx_, after_, facts(site), e,
            {Owed::Safe,
             what + " at " + site.str() + " is safe to evaluate where the guard is false", site});
        if (must_be_definite) {
            o.goal = ctx_.all_of({o.goal, definite(ctx_, e), in_range(ctx_, e)});
        }
        if (!is_true(o.goal)) obligations_.push_back(std::move(o));
    }

    Status statement(Stmt s, const Site& site) {
        return std::visit([&](const auto& n) { return visit(n, site); }, s->data);
    }

    Status visit(const Store& n, const Site& site) {
        const auto stores = args_.find("stores");
        const std::string key = site.str();
        if (stores == args_.end() || !stores->is_object() || !stores->contains(key)) {
            return error(
                "nothing says why the store at " + key + " goes unnoticed where the guard is false",
                "say that the cell holds the value already, or that it is overwritten");
        }
        const nlohmann::json& how = (*stores)[key];
        explained_ += key + " ";
        if (const Status ok = only_members(how, "mode writer writers"); !ok) return ok;
        const Result<std::string> mode = arg_string(how, "mode");
        if (!mode) return mode.error();
        if (*mode == "unreachable") {
            obligations_.push_back(Obligation(
                {Owed::NotReached, "the store at " + key + " does not run where the guard is false",
                 site, n.buffer},
                facts(site), ctx_.false_()));
            return Unit{};
        }
        stored_value(n, site);
        if (*mode == "same") return same(n, site, how);
        if (*mode == "dead") return dead(site, how);
        return error("no mode '" + *mode + "' for a store", "same, dead or unreachable");
    }

    void stored_value(const Store& n, const Site& site) {
        Expr cell = ctx_.load(n.buffer, n.indices);  // in bounds, accessible, indices definite
        evaluates(cell, site, "the cell stored to", false);
        evaluates(n.value, site, "the value stored", false);
        observes(n.value, site, "the value stored at " + site.str());
    }

    // What is stored, bound to a name or evaluated is in its type's range; `indet` is.
    void observes(Expr e, const Site& site, const std::string& what) {
        Expr observed = in_range(ctx_, e);
        if (is_true(observed)) return;
        std::vector<Expr> given = facts(site);
        append(given, definedness_facts(ctx_, after_, {e}));
        given.push_back(definite(ctx_, e));
        obligations_.push_back(
            Obligation({Owed::InRange, what + " is in its type's range", site}, given, observed));
    }

    // The cell holds what is stored, and the function has written it before (so it may be written
    // again).
    Status same(const Store& n, const Site& site, const nlohmann::json& how) {
        Expr cell = ctx_.load(n.buffer, n.indices);
        std::vector<Expr> given = facts(site);
        append(given, definedness_facts(ctx_, after_, {cell, n.value}));
        const bool strict = arg_flag(args_, "strict");
        const Granted granted = strict ? Granted{} : finite_loads(ctx_, after_, {n.value});
        append(given, granted.facts);
        licences_.insert(granted.licences.begin(), granted.licences.end());
        given.push_back(ctx_.defined(cell));
        if (has_op(n.value, Op::Undef)) {
            return error("the store at " + site.str() + " may store an undefined value");
        }
        obligations_.push_back(Obligation(
            {Owed::HoldsAlready,
             "the store at " + site.str() + " writes what the cell holds where the guard is false",
             site, n.buffer},
            given,
            ctx_.all_of(
                {definite(ctx_, n.value), settled(ctx_, n.value), ctx_.same(n.value, cell)})));
        const bool is_parameter = after_.find_buffer_param(n.buffer->name) == n.buffer;
        if (!is_parameter) return Unit{};
        if (!how.contains("writer")) {
            return error("the store at " + site.str() +
                         " is to a parameter: name a store that has "
                         "written the cell before");
        }
        const Result<std::vector<Witness>> w =
            read_one_or_more(ctx_, after_, how["writer"], scope_at(ctx_, after_, site));
        if (!w) return w.error();
        const ClaimPoint point{site, facts(site)};
        Result<Established> before = written_before(memory_, point, n.buffer, n.indices, *w);
        if (!before) return before.error();
        append(obligations_, std::move(before->obligations));
        return Unit{};
    }

    // An extra store of what the cell holds overwrites nothing: a writer among the guarded
    // statements runs with the guard true, or writes something that is dead in its turn.
    Status really_overwrites(const Witness& w, const Site& site) {
        if (!in_scope(w.statement)) return Unit{};
        const auto& stores = args_["stores"];
        const auto how = stores.find(w.statement.str());
        if (how != stores.end()) {
            const Result<std::string> mode = arg_string(*how, "mode");
            if (mode && *mode == "dead") return Unit{};
        }
        const Access* writer = find_store(memory_.all(), w.statement);
        if (writer == nullptr) return error("no store at " + w.statement.str());
        for (Expr v :
             writer->opaque) {  // a witness names loops, and says nothing of what they read
            if (!occurs_free(v, guard_) || planted("drop-guard:read-in-another-iteration"))
                continue;
            return error("the guard depends on " + *v->name +
                         ", which is read from memory, so whether it is true at " +
                         w.statement.str() + " is not known");
        }
        obligations_.push_back(Obligation(
            {Owed::Overwritten,
             "the cell is overwritten later, at " + w.statement.str() + ", where the guard is true",
             site, writer->buffer},
            facts(site), at_instance(guard_, Instance{writer, w.at, {}})));
        return Unit{};
    }

    Status dead(const Site& site, const nlohmann::json& how) {
        const Result<std::vector<Witness>> writers =
            read_witnesses(ctx_, after_, how, "writers", scope_at(ctx_, after_, site));
        if (!writers) return writers.error();
        const bool data_dependent = has_op(guard_, Op::Load) || has_op(guard_, Op::CallExtern);
        if (data_dependent) {
            return error("the guard reads memory, so which iterations are extra is not known");
        }
        const Exempt exempt = [&](const Instance& l) {
            if (!in_scope(l.access->statement)) return ctx_.false_();
            return at_instance(outside_, l);
        };
        for (const Witness& w : *writers) {
            if (const Status ok = really_overwrites(w, site); !ok) return ok.error();
        }
        Result<Established> claim = dead_store(memory_, site, facts(site), *writers, exempt);
        if (!claim) return claim.error();
        append(obligations_, std::move(claim->obligations));
        return Unit{};
    }

    Status visit(const For& n, const Site& site) {
        evaluates(n.lo, site, "the loop bound", true);
        evaluates(n.hi, site, "the loop bound", true);
        return statement(n.body, site.child("body"));
    }
    Status visit(const IfElse& n, const Site& site) {
        evaluates(n.cond, site, "the condition", true);
        Status ok = statement(n.then_body, site.child("then"));
        if (!ok || n.else_body == nullptr) return ok;
        return statement(n.else_body, site.child("else"));
    }
    Status visit(const Seq& n, const Site& site) {
        for (std::size_t i = 0; i < n.body.size(); ++i) {
            Status ok = statement(n.body[i], site.child(std::to_string(i)));
            if (!ok) return ok;
        }
        return Unit{};
    }
    Status visit(const LetStmt& n, const Site& site) {
        evaluates(n.value, site, "the value bound", false);
        observes(n.value, site, "the value bound at " + site.str());
        return statement(n.body, site.child("body"));
    }
    Status visit(const Evaluate& n, const Site& site) {
        if (has_op(n.value, Op::CallExtern))
            return error("the guarded statement makes an opaque call");
        evaluates(n.value, site, "the expression", false);
        observes(n.value, site, "the value of the expression at " + site.str());
        return Unit{};
    }
    Status visit(const Assume& n, const Site& site) {
        if (is_permission(n.cond))
            return error("the guarded statement contains permission to read");
        Obligation o = safe_to_evaluate(
            ctx_, after_, facts(site), n.cond,
            {Owed::Assumption,
             "the assumption at " + site.str() + " holds where the guard is false", site});
        o.goal = ctx_.all_of({o.goal, definite(ctx_, n.cond), n.cond});
        obligations_.push_back(std::move(o));
        return Unit{};
    }
    Status visit(const Assert&, const Site& site) {
        return error("the guarded statement contains an assert, at " + site.str());
    }
    Status visit(const Allocate&, const Site& site) {
        return error("the guarded statement allocates a buffer, at " + site.str());
    }
    Status visit(const Block& n, const Site& site) {
        evaluates(n.predicate, site, "the predicate", true);
        for (std::size_t i = 0; i < n.iters.size(); ++i) {
            const BlockIter& it = n.iters[i];
            const Site at = site.child("bind" + std::to_string(i));
            evaluates(it.lo, at, "the domain of " + *it.var->name, true);
            evaluates(it.hi, at, "the domain of " + *it.var->name, true);
            Obligation o = safe_to_evaluate(
                ctx_, after_, facts(at), it.binding,
                {Owed::InDomain,
                 "iterator " + *it.var->name + " stays in its domain where the guard is false",
                 site});
            o.goal = ctx_.all_of({o.goal, in_range(ctx_, it.binding), definite(ctx_, it.binding),
                                  ctx_.le(it.lo, it.binding), ctx_.lt(it.binding, it.hi)});
            obligations_.push_back(std::move(o));
        }
        if (n.init != nullptr) {
            Status ok = statement(n.init, site.child("init"));
            if (!ok) return ok;
        }
        return statement(n.body, site.child("body"));
    }

    Context& ctx_;
    Function after_;
    std::vector<Site> scopes_;
    Expr outside_;
    Expr guard_;
    const nlohmann::json& args_;
    MemoryModel memory_;
    FactsByPoint claims_;
    std::vector<Obligation> obligations_;
    std::set<std::string> licences_;
    std::string explained_;
};

}  // namespace

Result<Proposal> overcompute(Context& ctx, const Function& before, const Site& site, Stmt now,
                             const nlohmann::json& args) {
    const Result<GuardRemoved> removed = without_guard(ctx, before, site, now);
    if (!removed) return removed.error();
    Proposal out;
    out.after = removed->after;
    for (const Site& scope : removed->scopes) {  // more is touched than blocks may claim
        out.after = without_region_claims(ctx, out.after, scope, true);
    }
    if (const Block* old = locate(before, site)->as<Block>()) {
        domains_only_grow(ctx, *old, *now->as<Block>(), facts_at(ctx, before, site),
                          out.obligations);
    }
    Overcompute work(ctx, *removed, args);
    const Status ok = work.run(out.obligations);
    if (!ok) return ok.error();
    if (args.contains("stores")) {
        const Status read = only_members(args["stores"], work.explained());
        if (!read) return read.error();
    }
    out.licences = work.licences();
    return out;
}

}  // namespace proviso::rewrite
