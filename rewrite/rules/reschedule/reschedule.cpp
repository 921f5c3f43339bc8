#include "rewrite/rules/reschedule/reschedule.h"

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/reschedule/rescheduler.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

constexpr const char* kReassociate = "reassociate";

// A condition in front of what `moved` asks for itself: a guard that `stands` has more; and
// `stands` without it.
struct Guarded {
    Expr guard = nullptr;  // null: none
    Stmt rest = nullptr;
};
Guarded guarded(Context& ctx, Stmt stands, Stmt moved) {
    const auto split = [&](Expr now, Expr own) -> Expr {
        if (now == own) return nullptr;
        if (is_true(own)) return now;
        return now->op == Op::And && now->arg(1) == own ? now->arg(0) : nullptr;
    };
    const Block* block = stands->as<Block>();
    const Block* own_block = moved->as<Block>();
    if (block != nullptr && own_block != nullptr) {
        Expr guard = split(block->predicate, own_block->predicate);
        if (guard == nullptr && !planted("reschedule:another-predicate")) return {nullptr, stands};
        Block copy = *block;
        copy.predicate = own_block->predicate;
        return {guard, ctx.stmt(std::move(copy))};
    }
    const IfElse* branch = stands->as<IfElse>();
    const IfElse* own = moved->as<IfElse>();
    if (branch != nullptr && own != nullptr && branch->else_body == nullptr) {
        Expr guard = split(branch->cond, own->cond);
        if (guard != nullptr)
            return {guard, ctx.stmt(IfElse{own->cond, branch->then_body, nullptr})};
    }
    return {nullptr, stands};
}

// Sites of a list in a list, or of a list of one, are others in the function.
Status lists_are_flat(Stmt text) {
    if (text == nullptr) return error("there is no new text");
    bool flat = true;
    for_each_stmt(text, [&](Stmt s) {
        const Seq* list = s->as<Seq>();
        if (list == nullptr) return;
        flat &= list->body.size() != 1;
        for (Stmt inner : list->body) flat &= !inner->is<Seq>();
    });
    return flat ? Status{Unit{}} : Status{error("a list stands in a list, or is of one statement")};
}

}  // namespace

std::optional<bool> outcome(Expr e) {
    if (is_true(e) || is_false(e)) return is_true(e);
    if (e->op == Op::And || e->op == Op::Or) {
        const bool decides = e->op == Op::Or;
        const auto a = outcome(e->arg(0));
        const auto b = outcome(e->arg(1));
        if (a == decides || b == decides) return decides;
        return a && b ? std::optional<bool>(!decides) : std::nullopt;
    }
    if (e->op == Op::Not) {
        const auto a = outcome(e->arg(0));
        return a ? std::optional<bool>(!*a) : std::nullopt;
    }
    const bool equal = e->args.size() == 2 && e->arg(0) == e->arg(1);
    if (equal && (e->op == Op::Same || (e->op == Op::Eq && !e->arg(0)->type.is_float())))
        return true;
    if (e->args.size() != 2 || !is_int_const(e->arg(0)) || !is_int_const(e->arg(1))) {
        return std::nullopt;
    }
    const Int128 a = e->arg(0)->int_value();
    const Int128 b = e->arg(1)->int_value();
    if (e->op == Op::Lt) return a < b;
    if (e->op == Op::Le) return a <= b;
    if (e->op == Op::Eq) return a == b;
    if (e->op == Op::Ne) return a != b;
    return std::nullopt;
}

Result<Proposal> Rescheduler::run() {
    const Status one = lists_are_flat(r_.after);
    if (!one) return one.error();
    const Status there = take_old_text();
    if (!there) return there.error();
    if (r_.reassociate && !before_.has_licence(kReassociate)) {
        return error("the function does not grant the licence 'reassociate'",
                     "T.func_attr({\"proviso.licences\": [\"reassociate\"]})");
    }
    if (r_.reassociate) out_.licences.emplace_back(kReassociate);
    known_ = facts_at(ctx_, before_, site_);
    scope_ = scope_at(ctx_, before_, site_);
    for (const Part& p : r_.parts) {
        Status fine = stands_apart(p);
        if (fine) fine = add(p);
        if (!fine) return fine.error();
    }
    for (const auto& [text, is_new] : {std::pair{old_, false}, std::pair{r_.after, true}}) {
        const Status covered = every_statement(text, Site{}, is_new);
        if (!covered) return covered.error();
    }
    take_first_facts();
    control_stays();
    if (!stay_.empty()) take_first_facts();
    lets_are_definite();
    compute_safely();
    for (const Piece& p : pieces_) correspond(p);
    const Status once = each_instance_once();
    if (!once) return once.error();
    const Status ordered = keep_order();
    if (!ordered) return ordered.error();
    if (reads_more_ || reads_inside_) {
        out_.after = without_claims();
    }
    return std::move(out_);
}

void Rescheduler::add_fact(std::vector<Expr>& facts, Expr e) {
    if (!is_true(e)) facts.push_back(e);
}

void Rescheduler::owe(Purpose purpose, const std::vector<std::vector<Expr>>& more, Expr goal) {
    if (outcome(goal) == true) return;
    Obligation o{std::move(purpose), known_, goal};
    for (const std::vector<Expr>& facts : more) {
        for (Expr e : facts) {
            if (outcome(e) == false) return;
            add_fact(o.facts, e);
        }
    }
    out_.obligations.push_back(std::move(o));
}

Status Rescheduler::take_old_text() {
    old_ = locate(before_, site_)->stmt;
    if (r_.count <= 1) {
        out_.after = replace_at(ctx_, before_, site_, r_.after);
        return Unit{};
    }
    const Stmt around = site_.steps.empty() ? nullptr : locate(before_, site_.parent())->stmt;
    const Seq* list = around == nullptr ? nullptr : around->as<Seq>();
    const std::size_t first = list == nullptr ? 0 : std::stoul(site_.steps.back());
    if (list == nullptr || list->body.size() - first < r_.count) {
        return error("not so many statements follow the one at " + site_.str());
    }
    const auto from = list->body.begin() + static_cast<std::ptrdiff_t>(first);
    const auto to = from + static_cast<std::ptrdiff_t>(r_.count);
    old_ = ctx_.seq({from, to});
    std::vector<Stmt> all(list->body.begin(), from);
    all.push_back(r_.after);
    all.insert(all.end(), to, list->body.end());
    out_.after = replace_at(ctx_, before_, site_.parent(), ctx_.seq(all));
    if (all.size() == 1 && !r_.after->is<Seq>()) now_ = site_.parent();  // no list any more
    return Unit{};
}

bool Rescheduler::is_spliced(Stmt text, const Site& root) const {
    return text->is<Seq>() && !root.steps.empty() &&
           locate(before_, root.parent())->stmt->is<Seq>();
}

std::optional<Site> Rescheduler::in_function(const Site& relative, Stmt text,
                                             const Site& root) const {
    Site out = root;
    std::size_t first = 0;
    if (is_spliced(text, root)) {
        if (relative.steps.empty()) return std::nullopt;
        const auto k = list_position(relative.steps[0], text->as<Seq>()->body.size());
        if (!k) return std::nullopt;
        out.steps.back() = std::to_string(std::stoul(root.steps.back()) + *k);
        first = 1;
    }
    for (std::size_t k = first; k < relative.steps.size(); ++k) {
        out.steps.push_back(relative.steps[k]);
    }
    return out;
}

Status Rescheduler::is_over(Expr e, const std::vector<Expr>& vars) const {
    for (Expr v : free_vars(e)) {
        const auto found = scope_.vars.find(*v->name);
        const bool known = (found != scope_.vars.end() && found->second == v) ||
                           std::find(vars.begin(), vars.end(), v) != vars.end();
        if (!known && !planted("reschedule:other-names")) {
            return error("a part speaks of `" + *v->name + "`, which does not stand around it");
        }
    }
    return Unit{};
}

Function Rescheduler::without_claims() const {
    if (!is_spliced(r_.after, now_)) {
        return without_region_claims(ctx_, out_.after, now_, reads_inside_);
    }
    Function out = out_.after;
    for (std::size_t k = 0; k < r_.after->as<Seq>()->body.size(); ++k) {
        const Site at = *in_function(Site{}.child(std::to_string(k)), r_.after, now_);
        out = without_region_claims(ctx_, out, at, reads_inside_);
    }
    return out;
}

Status Rescheduler::add(const Part& part) {
    Piece p;
    p.part = &part;
    const std::optional<Site> is_at = in_function(part.now, r_.after, now_);
    const std::optional<Site> was_at = in_function(part.origin, old_, site_);
    const Result<Located> now = is_at ? locate(out_.after, *is_at) : Located{};
    const Result<Located> origin = was_at ? locate(before_, *was_at) : Located{};
    if (!now || !origin || now->stmt == nullptr || origin->stmt == nullptr) {
        return error("there is no part at " + part.now.str() + " or " + part.origin.str());
    }
    p.now = *is_at;
    p.origin = *was_at;
    Status fine = collect(out_.after, now_, p.now, true, p.here);
    if (fine) fine = collect(before_, site_, p.origin, false, p.there);
    if (!fine) return fine;
    for (std::size_t k = 0; k < p.here.vars.size(); ++k) {
        Expr v = p.here.vars[k];
        if (std::find(p.here.vars.begin(), p.here.vars.begin() + static_cast<std::ptrdiff_t>(k),
                      v) != p.here.vars.begin() + static_cast<std::ptrdiff_t>(k)) {
            return error("`" + *v->name + "` is bound twice");
        }
    }
    if (!binds(part.from, p.there.vars) || !binds(part.to, p.here.vars)) {
        return error("a part does not say which iteration it is of");
    }
    std::vector<std::pair<Expr, const std::vector<Expr>*>> values = {{part.when, &p.there.vars},
                                                                     {part.where, &p.here.vars}};
    for (const auto& [v, e] : part.from) values.emplace_back(e, &p.here.vars);
    for (const auto& [v, e] : part.to) values.emplace_back(e, &p.there.vars);
    for (const auto& [e, vars] : values) {
        if (e == nullptr) continue;
        const Status over = is_over(e, *vars);
        if (!over) return over;
    }
    for (Expr e : {part.when, part.where}) {
        if (e != nullptr && !e->type.is_bool()) return error("a part's condition is no condition");
    }
    Status moves = no_capture(origin->stmt, part.from);
    if (!moves) return moves;
    Stmt moved = substitute(ctx_, origin->stmt, part.from);
    const Guarded stands = guarded(ctx_, now->stmt, moved);
    if (stands.guard != nullptr) {
        fine = take_value(stands.guard, p.now, "the guard", p.here);
        if (!fine) return fine;
        p.here.conditions.push_back(stands.guard);
    }
    fine = is_same_text(moved, stands.rest, part, p.here);
    if (!fine) return fine;
    p.runs_here = p.here.conditions;
    if (part.where != nullptr) p.runs_here.push_back(part.where);
    for (Expr c : p.there.conditions) p.runs_there.push_back(substitute(ctx_, c, part.from));
    // The values of `from` are evaluated while the part runs.
    std::vector<Stmt> passed = p.here.passed;
    passed.push_back(now->stmt);
    for (const auto& [v, e] : part.from) {
        const Status still = constant(e, passed);
        if (!still) return still;
    }
    // Conditions that nothing evaluates: of the state at the start, and one value each.
    for (Expr e : {part.when, part.where}) {
        const Status still = e == nullptr ? Status(Unit{}) : constant(e, {});
        if (!still) return still;
    }
    pieces_.push_back(std::move(p));
    return Unit{};
}

Status Rescheduler::stands_apart(const Part& part) const {
    for (const Part& other : r_.parts) {
        if (&other == &part) continue;
        const bool nested = (other.now.contains(part.now) && other.now != part.now) ||
                            (other.origin.contains(part.origin) && other.origin != part.origin);
        if (nested && !planted("reschedule:parts-in-parts")) {
            return error("the part at " + part.now.str() + " is in another one");
        }
    }
    for (const Site& dropped : r_.dropped) {
        const bool nested = dropped.contains(part.origin) && dropped != part.origin;
        if (nested && !planted("reschedule:parts-in-parts")) {
            return error("the part at " + part.now.str() + " is in what is left out");
        }
    }
    return Unit{};
}

Status Rescheduler::no_capture(Stmt s, const Substitution& from) {
    std::set<std::string> free, replaced;
    for (const auto& [v, e] : from) {
        replaced.insert(*v->name);
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Var) free.insert(*n->name);
            if (n->op == Op::Load) free.insert(n->buffer->name);
        });
    }
    Status out = Unit{};
    const auto bound = [&](const std::string& name) {
        if (planted("reschedule:captured-names")) return;
        if (replaced.count(name) != 0) out = error("`" + name + "` is bound twice");
        if (free.count(name) == 0) return;
        out = error("a part binds '" + name + "', which is used now");
    };
    for_each_stmt(s, [&](Stmt t) {
        if (const For* n = t->as<For>()) bound(*n->var->name);
        if (const LetStmt* n = t->as<LetStmt>()) bound(*n->var->name);
        if (const Allocate* n = t->as<Allocate>()) bound(n->buffer->name);
        if (const Block* n = t->as<Block>()) {
            for (const BlockIter& it : n->iters) bound(*it.var->name);
        }
    });
    return out;
}

bool Rescheduler::binds(const Substitution& values, const std::vector<Expr>& vars) {
    return values.size() == vars.size() && std::all_of(vars.begin(), vars.end(), [&](Expr v) {
               const auto found = values.find(v);
               return found != values.end() && found->second != nullptr &&
                      found->second->type == v->type;
           });
}

Result<Proposal> reschedule(Context& ctx, const Function& before, const Site& site,
                            const Rescheduling& proposed) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("a statement is rescheduled, no expression");
    return Rescheduler(ctx, before, site, proposed).run();
}

}  // namespace proviso::rewrite
