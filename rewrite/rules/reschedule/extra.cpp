#include "rewrite/rules/reschedule/extra.h"

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

class Extra {
  public:
    Extra(const MemoryModel& memory, const std::vector<Site>& scopes, Expr guard,
          const nlohmann::json& reasons, Proposal& out)
        : ctx_(memory.ctx()),
          memory_(memory),
          after_(memory.function()),
          scopes_(scopes),
          guard_(guard),
          outside_(ctx_.not_(guard)),
          reasons_(reasons),
          stores_(reasons.value("stores", nlohmann::json::object())),
          out_(out) {}

    Status run() {
        if (const Status ok = only_members(reasons_, "claims stores strict"); !ok) return ok;
        Result<FactsByPoint> claims =
            read_claims(memory_, reasons_, scopes_.front(), {outside_}, out_.obligations);
        if (!claims) return claims.error();
        claims_ = *std::move(claims);
        for (const auto& [point, facts] : claims_) {
            if (in_scope(point)) continue;
            return error("a claim at " + point.str() + ", outside the guarded statement");
        }
        for (const auto& [site, s] : all_statements(after_)) {
            if (!in_scope(site)) continue;
            const Status ok =
                std::visit([&, &at = site](const auto& n) { return visit(n, at); }, s->data);
            if (!ok) return ok;
        }
        std::vector<const Access*> newcomers;
        for (const Access& a : memory_.all()) {
            if (in_scope(a.statement)) newcomers.push_back(&a);
        }
        append(out_.obligations, race_freedom(memory_, newcomers, [&](const Instance& i) {
                   return at_instance(outside_, i);
               }));
        return only_members(stores_, explained_);
    }

  private:
    bool in_scope(const Site& site) const {
        return std::any_of(scopes_.begin(), scopes_.end(),
                           [&](const Site& scope) { return scope.contains(site); });
    }

    // A condition of the scopes, at another iteration of something in them.
    Expr at_instance(Expr condition, const Instance& i) {
        return substitute(ctx_, substitute(ctx_, condition, i.access->lets), i.at);
    }

    std::vector<Expr> facts(const Site& site) {
        std::vector<Expr> out = facts_at(ctx_, after_, site);
        out.push_back(outside_);
        append(out, claims_[site]);
        return out;
    }

    // What is owed for an expression: it is definite and in range, too; or it is in range where it
    // is definite, since what is stored, bound or evaluated may be `indet`; or neither.
    enum class Use : std::uint8_t { Definite, Value, Cell };

    void evaluates(Expr e, const Site& site, const std::string& what, Use use,
                   const std::string& observed = "") {
        Obligation o = safe_to_evaluate(
            ctx_, after_, facts(site), e,
            {Owed::Safe,
             what + " at " + site.str() + " is safe to evaluate where the guard is false", site});
        if (use == Use::Definite) {
            o.goal = ctx_.all_of({o.goal, definite(ctx_, e), in_range(ctx_, e)});
        }
        if (!is_true(o.goal)) out_.obligations.push_back(std::move(o));
        Expr range = in_range(ctx_, e);
        if (use != Use::Value || is_true(range)) return;
        std::vector<Expr> given = facts(site);
        append(given, definedness_facts(ctx_, after_, {e}));
        given.push_back(definite(ctx_, e));
        out_.obligations.push_back(Obligation(
            {Owed::InRange, observed + " at " + site.str() + " is in its type's range", site},
            given, range));
    }

    Status visit(const Store& n, const Site& site) {
        const std::string key = site.str();
        if (!stores_.is_object() || !stores_.contains(key)) {
            return error(
                "nothing says why the store at " + key + " goes unnoticed where the guard is false",
                "say that the cell holds the value already, or that it is overwritten");
        }
        const nlohmann::json& how = stores_[key];
        explained_ += key + " ";
        if (const Status ok = only_members(how, "mode writer writers"); !ok) return ok;
        const Result<std::string> mode = arg_string(how, "mode");
        if (!mode) return mode.error();
        if (*mode == "unreachable") {
            out_.obligations.push_back(Obligation(
                {Owed::NotReached, "the store at " + key + " does not run where the guard is false",
                 site, n.buffer},
                facts(site), ctx_.false_()));
            return Unit{};
        }
        // In bounds, accessible, indices definite.
        evaluates(ctx_.load(n.buffer, n.indices), site, "the cell stored to", Use::Cell);
        evaluates(n.value, site, "the value stored", Use::Value, "the value stored");
        if (*mode == "same") return same(n, site, how);
        if (*mode == "dead") return dead(site, how);
        return error("no mode '" + *mode + "' for a store", "same, dead or unreachable");
    }

    // The cell holds what is stored, and the function has written it before (so it may be written
    // again).
    Status same(const Store& n, const Site& site, const nlohmann::json& how) {
        Expr cell = ctx_.load(n.buffer, n.indices);
        std::vector<Expr> given = facts(site);
        append(given, definedness_facts(ctx_, after_, {cell, n.value}));
        const bool strict = arg_flag(reasons_, "strict");
        const Granted granted = strict ? Granted{} : finite_loads(ctx_, after_, {n.value});
        append(given, granted.facts);
        for (const std::string& licence : granted.licences) {
            auto& used = out_.licences;
            if (std::find(used.begin(), used.end(), licence) == used.end()) used.push_back(licence);
        }
        given.push_back(ctx_.defined(cell));
        if (has_op(n.value, Op::Undef)) {
            return error("the store at " + site.str() + " may store an undefined value");
        }
        out_.obligations.push_back(Obligation(
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
        append(out_.obligations, std::move(before->obligations));
        return Unit{};
    }

    // An extra store of what the cell holds overwrites nothing: a writer in the scopes runs with
    // the guard true, or writes something that is dead in its turn.
    Status really_overwrites(const Witness& w, const Site& site) {
        if (!in_scope(w.statement)) return Unit{};
        const auto how = stores_.find(w.statement.str());
        if (how != stores_.end()) {
            const Result<std::string> mode = arg_string(*how, "mode");
            if (mode && *mode == "dead") return Unit{};
        }
        const Access* writer = find_store(memory_.all(), w.statement);
        if (writer == nullptr) return error("no store at " + w.statement.str());
        for (Expr v :
             writer->opaque) {  // a witness names loops, and says nothing of what they read
            if (!occurs_free(v, guard_) || planted("reschedule:read-in-another-iteration"))
                continue;
            return error("the guard depends on " + *v->name +
                         ", which is read from memory, so whether it is true at " +
                         w.statement.str() + " is not known");
        }
        out_.obligations.push_back(Obligation(
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
        if (has_op(guard_, Op::Load)) {
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
        append(out_.obligations, std::move(claim->obligations));
        return Unit{};
    }

    Status visit(const For& n, const Site& site) {
        for (Expr e : {n.lo, n.hi}) evaluates(e, site, "the loop bound", Use::Definite);
        return Unit{};
    }
    Status visit(const IfElse& n, const Site& site) {
        evaluates(n.cond, site, "the condition", Use::Definite);
        return Unit{};
    }
    Status visit(const Seq&, const Site&) { return Unit{}; }
    Status visit(const LetStmt& n, const Site& site) {
        evaluates(n.value, site, "the value bound", Use::Value, "the value bound");
        return Unit{};
    }
    Status visit(const Evaluate& n, const Site& site) {
        evaluates(n.value, site, "the expression", Use::Value, "the value of the expression");
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
        out_.obligations.push_back(std::move(o));
        return Unit{};
    }
    Status visit(const Assert&, const Site& site) {
        return error("the guarded statement contains an assert, at " + site.str());
    }
    Status visit(const Allocate&, const Site& site) {
        return error("the guarded statement allocates a buffer, at " + site.str());
    }
    Status visit(const Block& n, const Site& site) {
        evaluates(n.predicate, site, "the predicate", Use::Definite);
        for (std::size_t i = 0; i < n.iters.size(); ++i) {
            const BlockIter& it = n.iters[i];
            const Site at = site.child("bind" + std::to_string(i));
            evaluates(it.lo, at, "the domain of " + *it.var->name, Use::Definite);
            evaluates(it.hi, at, "the domain of " + *it.var->name, Use::Definite);
            Obligation o = safe_to_evaluate(
                ctx_, after_, facts(at), it.binding,
                {Owed::InDomain,
                 "iterator " + *it.var->name + " stays in its domain where the guard is false",
                 site});
            o.goal = ctx_.all_of({o.goal, in_range(ctx_, it.binding), definite(ctx_, it.binding),
                                  ctx_.le(it.lo, it.binding), ctx_.lt(it.binding, it.hi)});
            out_.obligations.push_back(std::move(o));
        }
        return Unit{};
    }

    Context& ctx_;
    const MemoryModel& memory_;
    const Function& after_;
    const std::vector<Site>& scopes_;
    const Expr guard_, outside_;
    const nlohmann::json& reasons_;
    const nlohmann::json stores_;
    Proposal& out_;
    FactsByPoint claims_;
    std::string explained_;  // sites of stores
};

}  // namespace

Status extra_instances(const MemoryModel& memory, const std::vector<Site>& scopes, Expr guard,
                       const nlohmann::json& reasons, Proposal& out) {
    for (const Site& scope : scopes) {
        if (!contains_extern_call(locate(memory.function(), scope)->stmt)) continue;
        return error("the guarded statement makes an opaque call");
    }
    return Extra(memory, scopes, guard, reasons, out).run();
}

}  // namespace proviso::rewrite
