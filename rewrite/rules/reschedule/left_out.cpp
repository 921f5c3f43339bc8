#include "rewrite/rules/reschedule/left_out.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/reschedule/rescheduler.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

Obligation holds_already(Context& ctx, const Function& f, const Store& store, const Site& at,
                         std::vector<Expr> facts) {
    Expr cell = ctx.load(store.buffer, store.indices);
    append(facts, definedness_facts(ctx, f, {cell, store.value}));
    facts.push_back(no_fault(ctx, store.value));
    Expr value_definite = definite(ctx, store.value);
    if (has_op(value_definite, Op::Undef) || has_op(store.value, Op::Undef)) {
        return Obligation(
            {Owed::HoldsAlready, "a value that may be undefined is not known to be there already",
             at, store.buffer},
            facts, ctx.false_());
    }
    facts.push_back(value_definite);
    return Obligation(
        {Owed::HoldsAlready, "the cell already holds the stored value", at, store.buffer}, facts,
        ctx.all_of({ctx.defined(cell), ctx.same(cell, store.value), settled(ctx, store.value)}));
}

std::vector<Expr> Rescheduler::guards_between(const Site& part, const Site& inner,
                                              const std::set<Buffer>& own) const {
    std::vector<Expr> out;
    const std::vector<PassedNode> way = passed_on_the_way(before_, inner);
    for (std::size_t depth = part.steps.size(); depth < way.size(); ++depth) {
        const PassedNode& step = way[depth];
        const IfElse* branch = step.stmt == nullptr ? nullptr : step.stmt->as<IfElse>();
        if (branch == nullptr || !is_value(branch->cond)) continue;
        const std::vector<Buffer> read = loaded_buffers(branch->cond);
        if (std::any_of(read.begin(), read.end(), [&](Buffer b) { return own.count(b) != 0; })) {
            continue;
        }
        out.push_back(step.label == "then" ? branch->cond : ctx_.not_(branch->cond));
    }
    return out;
}

Status Rescheduler::reads_nothing_of(Stmt left_out) const {
    std::set<Buffer> stored;
    for (Buffer b : stored_buffers(left_out)) stored.insert(b);
    std::vector<Expr> brought;
    for (const Around& here : bare_) {
        for (const Evaluated& e : here.evaluated) brought.push_back(e.value);
    }
    for (const Piece& p : pieces_) {
        for (const Evaluated& e : p.here.evaluated) brought.push_back(e.value);
        for (const auto* values : {&p.part->from, &p.part->to}) {
            for (const auto& [v, e] : *values) brought.push_back(e);
        }
        for (Expr e : {p.part->when, p.part->where}) {
            if (e != nullptr) brought.push_back(e);
        }
    }
    for (Expr e : brought) {
        for (Buffer b : loaded_buffers(e)) {
            if (stored.count(b) == 0 || planted("reschedule:reads-what-is-left-out")) continue;
            return error("a condition reads " + b->name +
                         ", to which is stored in what is left out");
        }
    }
    return Unit{};
}

Status Rescheduler::without_effect(const Site& origin, Expr goes, const std::vector<Expr>& runs) {
    const std::optional<Site> found = in_function(origin, old_, site_);
    const Result<Located> at = found ? locate(before_, *found) : Located{};
    if (!at || at->stmt == nullptr) return error("there is no part at " + origin.str());
    const Site& root = *found;
    if (const Status one = is_value(goes); !one) return one;
    Expr left_out = ctx_.not_(goes);
    std::vector<Expr> known = runs;
    known.push_back(left_out);
    stays(goes, root, false, known);
    if (contains_extern_call(at->stmt)) return error("what is left out makes an opaque call");
    const bool has_effect = !r_.unseen.empty();
    const nlohmann::json given =
        nlohmann::json::parse(has_effect ? r_.unseen : "{}", nullptr, /*allow_exceptions=*/false);
    if (!given.is_object()) return error("reasons are no object");
    FactsByPoint claims;
    if (has_effect) {
        if (r_.dropped.size() != 1) return error("reasons are given for one statement only");
        if (const Status apart = reads_nothing_of(at->stmt); !apart) return apart;
        Result<FactsByPoint> read =
            read_claims(memory(false), given, root, {left_out}, out_.obligations);
        if (!read) return read.error();
        claims = *std::move(read);
        for (const auto& [point, facts] : claims) {
            if (!root.contains(point)) {
                return error("a claim at " + point.str() + ", outside of what is left out");
            }
        }
    }
    const std::set<Buffer> own = allocated_buffers(at->stmt);
    const nlohmann::json reasons = given.value("stores", nlohmann::json::object());
    std::string explained;
    for (const auto& [site, s] : all_statements(before_)) {
        if (!root.contains(site)) continue;
        const Store* store = s->as<Store>();
        const bool seen = store != nullptr ? own.count(store->buffer) == 0 : s->is<Assert>();
        const char* const fault =
            store != nullptr ? "reschedule:stores-left-out" : "reschedule:stops-left-out";
        if (!seen || planted(fault)) continue;
        std::vector<Expr> facts = facts_at(ctx_, before_, site);
        append(facts, claims[site]);
        add_fact(facts, left_out);
        const std::string key = site.str();
        if (store != nullptr && reasons.is_object() && reasons.contains(key)) {
            explained += key + " ";
            const Status ok = unseen(*store, site, root, reasons[key], std::move(facts), left_out);
            if (!ok) return ok;
            continue;
        }
        // Nothing is stored from the start of the part up to here, but to what is its own.
        if (!has_effect) append(facts, guards_between(root, site, own));
        append(facts, definedness_facts(ctx_, before_, facts));
        out_.obligations.push_back(
            Obligation({Owed::NotReached, "what is left out does nothing (" + key + ")", site},
                       std::move(facts), ctx_.false_()));
    }
    return only_members(reasons, explained);
}

Status Rescheduler::unseen(const Store& store, const Site& at, const Site& root,
                           const nlohmann::json& reason, std::vector<Expr> facts, Expr left_out) {
    if (const Status ok = only_members(reason, "mode writers"); !ok) return ok;
    const Result<std::string> mode = arg_string(reason, "mode");
    if (!mode) return mode.error();
    if (*mode == "indet") {
        if (store.value->op == Op::Undef || planted("reschedule:indet")) return Unit{};
        return error("the value stored at " + at.str() + " is not T.undef() but " +
                     print(store.value));
    }
    if (*mode == "same") {
        out_.obligations.push_back(holds_already(ctx_, before_, store, at, std::move(facts)));
        return Unit{};
    }
    if (*mode != "dead") return error("no mode '" + *mode + "' for a store", "indet, same or dead");
    const Result<std::vector<Witness>> writers =
        read_witnesses(ctx_, before_, reason, "writers", scope_at(ctx_, before_, at));
    if (!writers) return writers.error();
    for (const Witness& w : *writers) {
        if (!root.contains(w.statement) || planted("reschedule:writers-left-out")) continue;
        return error(
            "the store at " + w.statement.str() + " that overwrites the cell is left out as well",
            "name a store outside of what is left out");
    }
    const Exempt exempt = [&](const Instance& load) {
        if (!root.contains(load.access->statement)) return ctx_.false_();
        return substitute(ctx_, substitute(ctx_, left_out, load.access->lets), load.at);
    };
    Result<Established> dead = dead_store(memory(false), at, facts, *writers, exempt);
    if (!dead) return dead.error();
    append(out_.obligations, std::move(dead->obligations));
    return Unit{};
}

}  // namespace proviso::rewrite
