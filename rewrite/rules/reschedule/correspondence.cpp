#include "rewrite/rules/reschedule/rescheduler.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/reschedule/extra.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

const MemoryModel& Rescheduler::memory(bool is_new) {
    std::optional<MemoryModel>& out = is_new ? new_memory_ : memory_;
    if (!out) out.emplace(ctx_, is_new ? out_.after : before_);
    return *out;
}

bool Rescheduler::is_in(const Site& at, bool is_new) const {
    Stmt text = is_new ? r_.after : old_;
    const Site& root = is_new ? now_ : site_;
    if (!is_spliced(text, root)) return root.contains(at);
    for (std::size_t k = 0; k < text->as<Seq>()->body.size(); ++k) {
        if (in_function(Site{}.child(std::to_string(k)), text, root)->contains(at)) return true;
    }
    return false;
}

void Rescheduler::control_stays() {
    std::set<std::tuple<Site, Expr, bool>> done;
    const auto take = [&](const Around& around, bool is_new) {
        for (const Evaluated& e : around.evaluated) {
            if (!e.reads_stored || !done.emplace(e.site, e.value, is_new).second) continue;
            const auto begin = around.conditions.begin();
            stays(e.value, e.site, is_new, {begin, begin + static_cast<std::ptrdiff_t>(e.under)});
            if (!is_new) stay_.emplace(e.site, e.value);
        }
    };
    for (const Piece& p : pieces_) {
        take(p.here, true);
        take(p.there, false);
    }
    for (const Around& here : bare_) take(here, true);
}

void Rescheduler::stays(Expr e, const Site& at, bool is_new, const std::vector<Expr>& known) {
    if (planted("reschedule:bounds-that-change")) return;
    const Access point = point_at(ctx_, is_new ? out_.after : before_, at);
    const Access start = point_at(ctx_, before_, site_);
    for (const LoadMade& made : loads_made(ctx_, e)) {
        for (const Access& a : memory(is_new).all()) {
            if (!a.is_store || a.buffer != made.load->buffer || !is_in(a.statement, is_new)) {
                continue;
            }
            TakenNames names = memory(is_new).taken_names();
            Instance store = renamed(ctx_, a, names);
            for (const auto* outer : {&start.loops, &start.opaque}) {
                for (Expr v : *outer) store.at[v] = v;
            }
            // Names of lets and iterators around the store are those of its iteration.
            for (const Piece& p : pieces_) {
                if (!(is_new ? p.now : p.origin).contains(a.statement)) continue;
                for (Expr v : (is_new ? p.here : p.there).vars) {
                    if (store.at.count(v) != 0 || planted("reschedule:names-of-another")) continue;
                    store.at[v] = ctx_.var(fresh_name(*v->name, names), v->type);
                }
            }
            const std::vector<Expr> cell{made.load->args.begin(), made.load->args.end()};
            std::vector<Expr> meet = {made.when, store.may(ctx_),
                                      may_be_before(ctx_, store, itself(point)),
                                      same_cell(ctx_, cell, store.index(ctx_))};
            // What stood around the store had the value that it has at the start as well.
            for (const Piece& p : pieces_) {
                if (!(is_new ? p.now : p.origin).contains(a.statement)) continue;
                for (Expr c : (is_new ? p.here : p.there).conditions) {
                    meet.push_back(substitute(ctx_, c, store.at));
                }
                break;
            }
            owe({Owed::ControlStays,
                 "nothing stores to what a bound or guard reads (" + a.buffer->name + ", " +
                     a.statement.str() + ", " + at.str() + ")",
                 at, a.buffer},
                {known, meet}, ctx_.false_());
        }
    }
}

void Rescheduler::correspond(const Piece& p) {
    const Part& part = *p.part;
    std::vector<Expr> goes = p.there.conditions;
    if (part.when != nullptr) goes.push_back(part.when);
    std::vector<Expr> visited;
    for (Expr c : p.runs_here) visited.push_back(substitute(ctx_, c, part.to));
    for (Expr v : p.there.vars) {
        Expr back = substitute(ctx_, part.from.at(v), part.to);
        if (back != v) visited.push_back(equals(ctx_, back, v));
    }
    owe({Owed::Visited, "every iteration is visited", p.origin}, {goes}, open(visited, goes));

    std::vector<Expr> only = p.runs_there;
    if (part.when != nullptr) only.push_back(substitute(ctx_, part.when, part.from));
    for (Expr v : p.there.vars) {
        Expr at = part.from.at(v);
        add_fact(only, evaluated_bound(ctx_, at));
        if (!has_op(at, Op::Load)) continue;
        reads_inside_ = !planted("reschedule:claimed-regions");
        add_fact(only, may_be_read(at, nullptr));
    }
    owe({Owed::NoOther, "no other iteration is visited", p.now}, {p.runs_here},
        open(only, evaluated_here(p)));
    std::vector<Expr> once;
    for (Expr v : p.here.vars) {
        Expr back = substitute(ctx_, part.to.at(v), part.from);
        if (back != v) once.push_back(equals(ctx_, back, v));
    }
    owe({Owed::Once, "every iteration is visited once", p.now}, {p.runs_here}, ctx_.all_of(once));
}

Expr Rescheduler::open(const std::vector<Expr>& goals, const std::vector<Expr>& facts) const {
    std::set<Expr> given;
    for (const auto* list : {&facts, &known_}) {
        for (Expr fact : *list) {
            for (Expr e : conjuncts(fact)) given.insert(e);
        }
    }
    std::vector<Expr> left;
    for (Expr goal : goals) {
        for (Expr e : conjuncts(goal)) {
            if (given.count(e) == 0 && outcome(e) != true) left.push_back(e);
        }
    }
    return ctx_.all_of(left);
}

Status Rescheduler::each_instance_once() {
    std::map<Site, std::vector<const Piece*>> from, at;
    for (const Piece& p : pieces_) {
        from[p.part->origin].push_back(&p);
        at[p.part->now].push_back(&p);
    }
    for (const Site& origin : r_.dropped) from[origin];
    const auto or_true = [&](Expr e) { return e == nullptr ? ctx_.true_() : e; };
    for (const auto& [origin, pieces] : from) {
        std::vector<Expr> when;
        for (const Piece* p : pieces) when.push_back(or_true(p->part->when));
        const bool some = std::count(r_.dropped.begin(), r_.dropped.end(), origin) != 0;
        const std::vector<Expr> runs =
            pieces.empty() ? std::vector<Expr>{} : pieces[0]->there.conditions;
        if (some) {
            const Status fine = without_effect(origin, ctx_.any_of(when), runs);
            if (!fine) return fine;
        }
        const std::optional<Site> site = in_function(origin, old_, site_);
        one_of(when, runs, {Owed::OnePlace, some ? "" : "every iteration goes somewhere", site},
               {Owed::OnePlace, "no iteration goes to two places", site});
    }
    std::vector<Site> places;  // where more runs than before
    Expr guard = nullptr;
    for (const auto& [now, pieces] : at) {
        std::vector<Expr> where;
        for (const Piece* p : pieces) where.push_back(or_true(p->part->where));
        const Site& site = pieces[0]->now;
        Expr comes = ctx_.any_of(where);
        const bool more = !r_.extra.empty() && !is_true(comes);
        one_of(where, pieces[0]->here.conditions,
               {Owed::OneOrigin, more ? "" : "every iteration comes from somewhere", site},
               {Owed::OneOrigin, "no iteration comes from two places", site});
        if (!more) continue;
        if (guard != nullptr && guard != comes) return error("what is extra differs by places");
        guard = comes;
        places.push_back(site);
    }
    return r_.extra.empty() ? Status(Unit{}) : unnoticed(places, guard);
}

Status Rescheduler::unnoticed(const std::vector<Site>& places, Expr guard) {
    const nlohmann::json reasons =
        nlohmann::json::parse(r_.extra, nullptr, /*allow_exceptions=*/false);
    if (!reasons.is_object()) return error("reasons are no object");
    if (places.empty()) return only_members(reasons.value("stores", nlohmann::json::object()), "");
    // The guard is what it was at the start, wherever the new text stands.
    if (const Status still = constant(guard, {r_.after}); !still) return still;
    for (Buffer b : loaded_buffers(guard)) {
        const bool races = stored_beside(before_, site_, b);
        Expr anyway = races ? evaluated_anyway(guard) : ctx_.true_();
        if (anyway != nullptr && is_true(anyway)) continue;
        return error("the guard reads " + b->name + ", which another iteration may write");
    }
    reads_inside_ = true;  // more is touched than blocks may claim
    return extra_instances(memory(true), places, guard, reasons, out_);
}

void Rescheduler::one_of(const std::vector<Expr>& cases, const std::vector<Expr>& runs,
                         const Purpose& none, const Purpose& two) {
    if (!none.words.empty()) owe(none, {runs}, ctx_.any_of(cases));
    // `number == v` excludes `another == v`.
    const auto differ = [](Expr a, Expr b) {
        return a->op == Op::Eq && b->op == Op::Eq && is_int_const(a->arg(0)) &&
               is_int_const(b->arg(0)) && a->arg(0) != b->arg(0) &&
               (a->arg(1) == b->arg(1) || planted("reschedule:two-equations"));
    };
    for (std::size_t j = 0; j < cases.size(); ++j) {
        for (std::size_t k = j + 1; k < cases.size(); ++k) {
            if (!differ(cases[j], cases[k])) owe(two, {runs, {cases[j], cases[k]}}, ctx_.false_());
        }
    }
}

}  // namespace proviso::rewrite
