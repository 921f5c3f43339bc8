#include "rewrite/rules/reschedule/rescheduler.h"

#include <algorithm>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

bool Rescheduler::evaluated_first(Stmt s, const Site& at) {
    for (const Part& p : r_.parts) {
        if (p.origin == at) {
            return !contains_assert(s) || planted("reschedule:bounds-after-a-stop");
        }
    }
    const For* loop = s->as<For>();
    const IfElse* branch = s->as<IfElse>();
    const Seq* list = s->as<Seq>();
    std::vector<Expr> here;
    if (loop != nullptr) here = {loop->lo, loop->hi};
    if (branch != nullptr) here = {branch->cond};
    for (Expr e : here) {
        if (constant(e)) first_.push_back(e);
    }
    for (std::size_t k = 0; list != nullptr && k < list->body.size(); ++k) {
        if (!evaluated_first(list->body[k], at.child(std::to_string(k)))) return false;
    }
    // An assert may be the last that runs.
    return !contains_assert(s) || planted("reschedule:bounds-after-a-stop");
}

std::vector<Expr> Rescheduler::evaluated_there(const Piece& p) const {
    std::vector<Expr> out;
    for (const Evaluated& e : p.there.evaluated) {
        Expr fine = evaluated_bound(ctx_, e.value);
        if (is_true(fine)) continue;
        const auto first = p.runs_there.begin();
        const std::vector<Expr> under(first, first + static_cast<std::ptrdiff_t>(e.under));
        out.push_back(ctx_.implies(ctx_.all_of(under), substitute(ctx_, fine, p.part->from)));
    }
    return out;
}

void Rescheduler::compute_safely() {
    std::set<std::pair<Site, std::string>> done;
    for (const Piece& p : pieces_) {
        for (const Evaluated& e : p.here.evaluated) {
            if (std::find(first_.begin(), first_.end(), e.value) != first_.end()) continue;
            if (!done.emplace(e.site, e.what).second) continue;
            Expr goal = evaluated_bound(ctx_, e.value);
            if (e.under == 0) first_.push_back(e.value);  // owed once
            if (has_op(e.value, Op::Load)) {
                reads_more_ = true;
                goal = ctx_.all_of({goal, may_be_read(e.value)});
            }
            const auto begin = p.here.conditions.begin();
            owe(e.what + " is computed without a fault",
                {{begin, begin + static_cast<std::ptrdiff_t>(e.under)},
                 definedness_facts(ctx_, before_, {e.value}),
                 evaluated_there(p)},
                goal);
        }
    }
}

Expr Rescheduler::may_be_read(Expr e) const {
    std::set<Expr> read;
    for (Expr f : first_) {
        for (const LoadMade& made : loads_made(ctx_, f)) {
            if (is_true(made.when)) read.insert(made.load);
        }
    }
    std::vector<Expr> out;
    for_each_node(e, [&](Expr load) {
        if (load->op != Op::Load || read.count(load) != 0) return;
        if (in_concurrent_loop(before_, site_) && stores_to(before_.body, load->buffer)) {
            out.push_back(ctx_.bool_imm(planted("reschedule:reads-that-race")));
        }
        out.push_back(loads_accessible(ctx_, before_, load));
    });
    return ctx_.all_of(out);
}

void Rescheduler::correspond(const Piece& p) {
    const Part& part = *p.part;
    Expr when = part.when == nullptr ? ctx_.true_() : part.when;
    std::vector<Expr> visited;
    for (Expr c : p.here.conditions) visited.push_back(substitute(ctx_, c, part.to));
    for (Expr v : p.there.vars) {
        Expr back = substitute(ctx_, part.from.at(v), part.to);
        if (back != v) visited.push_back(ctx_.eq(back, v));
    }
    owe("every iteration is visited", {p.there.conditions, {when}}, open(visited, p, when));

    std::vector<Expr> only = p.runs_there;
    if (!is_true(when)) only.push_back(substitute(ctx_, when, part.from));
    for (Expr v : p.there.vars) {
        Expr at = part.from.at(v);
        add_fact(only, evaluated_bound(ctx_, at));
        if (!has_op(at, Op::Load)) continue;
        reads_inside_ = !planted("reschedule:claimed-regions");
        add_fact(only, may_be_read(at));
    }
    owe("no other iteration is visited", {p.runs_here}, open(only, p, nullptr));
    std::vector<Expr> once;
    for (Expr v : p.here.vars) {
        Expr back = substitute(ctx_, part.to.at(v), part.from);
        if (back != v) once.push_back(ctx_.eq(back, v));
    }
    owe("every iteration is visited once", {p.runs_here}, ctx_.all_of(once));
}

Expr Rescheduler::open(const std::vector<Expr>& goals, const Piece& p, Expr when) const {
    std::vector<Expr> left;
    const std::vector<Expr>& facts = when != nullptr ? p.there.conditions : p.runs_here;
    for (Expr g : goals) {
        const bool given = std::find(facts.begin(), facts.end(), g) != facts.end() ||
                           std::find(known_.begin(), known_.end(), g) != known_.end();
        if (!given) left.push_back(g);
    }
    return ctx_.all_of(left);
}

void Rescheduler::one_piece_each() {
    std::set<Site> done;
    for (const Piece& p : pieces_) {
        if (!done.insert(p.origin).second) continue;
        std::vector<Expr> all;
        for (const Piece& q : pieces_) {
            if (q.origin == p.origin) {
                all.push_back(q.part->when == nullptr ? ctx_.true_() : q.part->when);
            }
        }
        owe("every iteration goes somewhere", {p.there.conditions}, ctx_.any_of(all));
        for (std::size_t j = 0; j < all.size(); ++j) {
            for (std::size_t k = j + 1; k < all.size(); ++k) {
                owe("no iteration goes to two places", {p.there.conditions, {all[j], all[k]}},
                    ctx_.false_());
            }
        }
    }
}

}  // namespace proviso::rewrite
