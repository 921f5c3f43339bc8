#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/child_at.h"
#include "ir/children.h"
#include "ir/inventory.h"
#include "ir/planted.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/reschedule/rescheduler.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

void Rescheduler::take_first_facts() {
    first_.clear();
    std::vector<Stmt> passed;
    evaluated_first(old_, Site{}, passed);
    for (Expr e : first_) {
        Expr fine = evaluated_bound(ctx_, e);
        if (std::find(known_.begin(), known_.end(), fine) == known_.end()) add_fact(known_, fine);
    }
}

bool Rescheduler::evaluated_first(Stmt s, const Site& at, std::vector<Stmt>& passed) {
    const auto goes_on = [&] {
        passed.push_back(s);
        // An assert may be the last that runs.
        return !contains_assert(s) || planted("reschedule:bounds-after-a-stop");
    };
    for (const Part& p : r_.parts) {
        if (p.origin == at) return goes_on();
    }
    const For* loop = s->as<For>();
    const IfElse* branch = s->as<IfElse>();
    const Seq* list = s->as<Seq>();
    std::vector<Expr> here;
    const Block* block = s->as<Block>();
    if (loop != nullptr) here = {loop->lo, loop->hi};
    if (branch != nullptr) here = {branch->cond};
    if (block != nullptr) here = {block->predicate};
    if (block != nullptr && is_true(block->predicate)) {
        for (const BlockIter& it : block->iters) append(here, {it.binding, it.lo, it.hi});
    }
    const std::optional<Site> site = in_function(at, old_, site_);
    for (Expr e : here) {
        const bool stays = site && stay_.count({*site, e}) != 0;
        if (stays || constant(e, passed)) first_.push_back(e);
    }
    for (std::size_t k = 0; list != nullptr && k < list->body.size(); ++k) {
        if (!evaluated_first(list->body[k], at.child(std::to_string(k)), passed)) return false;
    }
    return goes_on();
}

std::vector<Expr> Rescheduler::evaluated_there(const Piece& p) const {
    std::vector<Expr> out;
    for (const Evaluated& e : p.there.evaluated) {
        Expr fine = evaluated_bound(ctx_, e.value);
        if (e.holds != nullptr) fine = ctx_.all_of({fine, e.holds});
        if (is_true(fine)) continue;
        const auto first = p.runs_there.begin();
        const std::vector<Expr> under(first, first + static_cast<std::ptrdiff_t>(e.under));
        out.push_back(ctx_.implies(ctx_.all_of(under), substitute(ctx_, fine, p.part->from)));
    }
    return out;
}

namespace {

// `e` is evaluated whenever `within` is: it stands at no lazy place, under no let.
bool always_evaluates(Expr within, Expr e) {
    if (within == e) return true;
    if (within->op == Op::Let) return false;
    const std::size_t count = is_lazy(within->op) ? 1 : within->args.size();
    for (std::size_t k = 0; k < count; ++k) {
        if (always_evaluates(within->arg(k), e)) return true;
    }
    return false;
}

// The condition under which running `s`, a part of `whole`, evaluates `e`, before anything that
// could end the run; null: not known to. `e` mentions nothing that `s` binds, and the condition
// means the same before `whole`.
Expr evaluated_when(Context& ctx, Stmt whole, Stmt s, Expr e) {
    const auto direct = [&](Expr within) { return always_evaluates(within, e); };
    const auto always = [&](bool found) { return found ? ctx.true_() : nullptr; };
    return std::visit(
        Overloaded{
            [&](const Store& n) {
                return always(direct(n.value) ||
                              std::any_of(n.indices.begin(), n.indices.end(), direct));
            },
            [&](const For& n) -> Expr {
                if (direct(n.lo) || direct(n.hi)) return ctx.true_();
                Expr inside = evaluated_when(ctx, whole, n.body, e);
                if (inside == nullptr || occurs_free(n.var, inside)) return nullptr;
                for (Expr bound : {n.lo, n.hi}) {
                    if (!stays_the_same(bound, whole, "")) return nullptr;
                }
                return ctx.all_of({ctx.lt(n.lo, n.hi), inside});
            },
            [&](const IfElse& n) { return always(direct(n.cond)); },
            [&](const Seq& n) -> Expr {
                for (Stmt part : n.body) {
                    if (Expr found = evaluated_when(ctx, whole, part, e)) return found;
                    if (contains_assert(part)) return nullptr;
                }
                return nullptr;
            },
            [&](const LetStmt& n) -> Expr {
                if (direct(n.value)) return ctx.true_();
                Expr inside = evaluated_when(ctx, whole, n.body, e);
                return inside == nullptr || occurs_free(n.var, inside) ? nullptr : inside;
            },
            [&](const Allocate& n) { return evaluated_when(ctx, whole, n.body, e); },
            [&](const Assert& n) { return always(direct(n.cond)); },
            [&](const Assume& n) { return always(!is_permission(n.cond) && direct(n.cond)); },
            [&](const Evaluate& n) { return always(direct(n.value)); },
            [&](const Block& n) {
                const auto binds = [&](const BlockIter& it) { return direct(it.binding); };
                const bool bound =
                    is_true(n.predicate) && std::any_of(n.iters.begin(), n.iters.end(), binds);
                return always(bound || direct(n.predicate));
            },
        },
        s->data);
}

}  // namespace

Expr Rescheduler::evaluated_anyway(Expr e) const {
    if (!stays_the_same(e, old_, "") || !is_over(e, {})) return nullptr;
    return evaluated_when(ctx_, old_, old_, e);
}

void Rescheduler::lets_are_definite() {
    std::set<Site> done;
    for (const Piece& p : pieces_) {
        for (const Evaluated& e : p.there.evaluated) {
            if (!e.frozen || !done.insert(e.site).second || planted("reschedule:frozen")) continue;
            const auto begin = p.there.conditions.begin();
            owe({Owed::Definite, e.what + " is definite", e.site},
                {{begin, begin + static_cast<std::ptrdiff_t>(e.under)},
                 definedness_facts(ctx_, before_, {e.value})},
                definite(ctx_, e.value));
        }
    }
}

namespace {

// An assert of the text may run before what stands at `site`; `later`: in it or after it.
bool may_stop(Stmt text, const Site& site, bool later) {
    Stmt s = text;
    for (const std::string& label : site.steps) {
        if (s->is<For>() && contains_assert(s)) return true;  // in another iteration
        const Block* block = s->as<Block>();
        if (block != nullptr && block->init != nullptr) {
            Stmt other = label == "init" ? block->body : block->init;
            if (later == (label == "init") && contains_assert(other)) return true;
        }
        const Seq* list = s->as<Seq>();
        for (std::size_t k = 0; list != nullptr && k < list->body.size(); ++k) {
            const std::size_t at = std::stoul(label);
            if ((later ? k > at : k < at) && contains_assert(list->body[k])) return true;
        }
        s = child_at(s, label).stmt;
    }
    return later && contains_assert(s);
}

}  // namespace

std::vector<Expr> Rescheduler::evaluated_here(const Piece& p) const {
    std::vector<Expr> out = p.runs_here;
    const std::set<Expr> runs(out.begin(), out.end());
    if (!was_evaluated(p, {nullptr, 0, p.now, "", false})) return out;
    for (const Evaluated& e : p.there.evaluated) {
        const auto first = p.runs_there.begin();
        const bool reached =
            std::all_of(first, first + static_cast<std::ptrdiff_t>(e.under),
                        [&](Expr c) { return outcome(c) == true || runs.count(c) != 0; });
        if (!reached) continue;
        out.push_back(substitute(ctx_, evaluated_bound(ctx_, e.value), p.part->from));
    }
    return out;
}

void Rescheduler::compute_safely() {
    std::set<Asked> done;
    for (const Piece& p : pieces_) compute_safely(p.here, &p, done);
    for (const Around& here : bare_) compute_safely(here, nullptr, done);
}

bool Rescheduler::was_evaluated(const Piece& p, const Evaluated& e) const {
    if (planted("reschedule:facts-after-a-stop")) return true;
    if (!may_stop(old_, p.part->origin, false)) return true;
    const std::size_t outside = p.now.steps.size() - p.part->now.steps.size();
    Site at = p.part->now;
    at.steps.resize(e.site.steps.size() - outside);
    return !may_stop(r_.after, at, true);
}

void Rescheduler::compute_safely(const Around& here, const Piece* p, std::set<Asked>& done) {
    for (const Evaluated& e : here.evaluated) {
        const bool first = std::find(first_.begin(), first_.end(), e.value) != first_.end();
        if (first && e.holds == nullptr) continue;
        if (!done.emplace(e.site, e.what, e.value).second) continue;
        // That the ends of a domain and the value in it are computed is owed by themselves.
        const Expr fine = evaluated_bound(ctx_, e.value);
        Expr goal = e.holds == nullptr ? fine : e.holds;
        if (e.holds != nullptr && planted("reschedule:out-of-domain")) continue;
        Expr anyway = is_true(goal) ? nullptr : evaluated_anyway(e.value);
        if (has_op(e.value, Op::Load)) {
            reads_more_ = true;
            goal = ctx_.all_of({goal, may_be_read(e.value, anyway)});
        }
        const std::vector<Expr> facts =
            p != nullptr && was_evaluated(*p, e) ? evaluated_there(*p) : std::vector<Expr>{};
        // Owed once, where it is owed for any place.
        if (e.under == 0 && facts.empty() && !first) first_.push_back(e.value);
        const auto begin = here.conditions.begin();
        const Purpose purpose =
            e.holds == nullptr
                ? Purpose{Owed::NoFault, e.what + " is computed without a fault", e.site}
                : Purpose{Owed::InDomain, e.what + " stays in its domain", e.site};
        owe(purpose,
            {{begin, begin + static_cast<std::ptrdiff_t>(e.under)},
             definedness_facts(ctx_, before_, {e.value}),
             facts,
             known_anyway(e.value, anyway),
             e.holds == nullptr ? std::vector<Expr>{} : std::vector<Expr>{fine}},
            goal);
    }
}

std::vector<Expr> Rescheduler::known_anyway(Expr e, Expr anyway) const {
    if (anyway == nullptr) return {};
    std::vector<Expr> known = {no_fault(ctx_, e)};
    for (const LoadMade& load : loads_made(ctx_, e)) {  // of an arm, only where it is chosen
        Expr when = planted("reschedule:loads-of-both-arms") ? ctx_.true_() : load.when;
        known.push_back(
            ctx_.implies(when, accessible(ctx_, before_, load.load->buffer, load.load->args)));
    }
    return {ctx_.implies(anyway, ctx_.all_of(known))};
}

Expr Rescheduler::may_be_read(Expr e, Expr anyway) const {
    std::set<Expr> read;
    for (Expr f : first_) {
        for (const LoadMade& made : loads_made(ctx_, f)) {
            if (is_true(made.when)) read.insert(made.load);
        }
    }
    std::vector<Expr> out;
    for_each_node(e, [&](Expr load) {
        if (load->op != Op::Load || read.count(load) != 0) return;
        if (stored_beside(before_, site_, load->buffer)) {
            const bool races = planted("reschedule:reads-that-race");
            out.push_back(anyway == nullptr ? ctx_.bool_imm(races) : anyway);
        }
        out.push_back(loads_accessible(ctx_, before_, load));
    });
    return ctx_.all_of(out);
}

}  // namespace proviso::rewrite
