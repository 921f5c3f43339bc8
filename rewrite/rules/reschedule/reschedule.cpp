#include "rewrite/rules/reschedule/reschedule.h"

#include <algorithm>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
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
        Block copy = *block;
        copy.predicate = own_block->predicate;
        return {split(block->predicate, own_block->predicate), ctx.stmt(std::move(copy))};
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

void Rescheduler::owe(std::string what, const std::vector<std::vector<Expr>>& more, Expr goal) {
    if (outcome(goal) == true) return;
    Obligation o{std::move(what), known_, goal};
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
    const Scope around = scope_at(ctx_, before_, site_);
    for (Expr v : free_vars(e)) {
        const auto found = around.vars.find(*v->name);
        const bool known = (found != around.vars.end() && found->second == v) ||
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
    const bool same = with_names_of(ctx_, moved, stands.rest) == stands.rest;
    if (!same && !planted("reschedule:another-text")) {
        return error("the part at " + part.now.str() + " is not the one at " + part.origin.str());
    }
    p.runs_here = p.here.conditions;
    if (part.where != nullptr) p.runs_here.push_back(part.where);
    for (Expr c : p.there.conditions) p.runs_there.push_back(substitute(ctx_, c, part.from));
    // The values of `from` are evaluated while the part runs.
    std::set<Buffer> stored = p.here.stored;
    for (Buffer b : stored_buffers(now->stmt)) stored.insert(b);
    for (const auto& [v, e] : part.from) {
        const Status still = constant(e, stored);
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
    return Unit{};
}

Status Rescheduler::no_capture(Stmt s, const Substitution& from) {
    std::set<std::string> free;
    for (const auto& [v, e] : from) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::Var) free.insert(*n->name);
            if (n->op == Op::Load) free.insert(n->buffer->name);
        });
    }
    Status out = Unit{};
    const auto bound = [&](const std::string& name) {
        if (free.count(name) == 0 || planted("reschedule:captured-names")) return;
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

Status Rescheduler::is_value(Expr e) const {
    if (makes_call(e)) return error("a bound or guard makes an opaque call");
    const bool freezes = has_op(e, Op::Let) && !is_true(settled(ctx_, e));
    if (freezes || has_op(e, Op::Undef)) {
        return error("a bound or guard binds a name, or is undefined");
    }
    return Unit{};
}

namespace {

// One of the buffers that `e` reads; null: it reads none of them.
Buffer reads_of(Expr e, const std::set<Buffer>& buffers) {
    for (Buffer b : loaded_buffers(e)) {
        if (buffers.count(b) != 0) return b;
    }
    return nullptr;
}

}  // namespace

Status Rescheduler::constant(Expr e, const std::set<Buffer>& stored) const {
    if (Buffer b = reads_of(e, stored); b != nullptr && !planted("reschedule:bounds-that-change")) {
        return error("a bound or guard reads " + b->name + ", which the body writes");
    }
    return is_value(e);
}

Status Rescheduler::take_value(Expr e, const Site& site, std::string what, Around& out) const {
    const bool changes = reads_of(e, out.stored) != nullptr;
    out.evaluated.push_back({e, out.conditions.size(), site, std::move(what), changes});
    return is_value(e);
}

bool Rescheduler::is_unused(Stmt s) const {
    const LetStmt* let = s->as<LetStmt>();
    if (let != nullptr) {
        Expr other = ctx_.var(*let->var->name + "_other", let->var->type);
        return !makes_call(let->value) &&
               substitute(ctx_, let->body, {{let->var, other}}) == let->body;
    }
    const Allocate* allocation = s->as<Allocate>();
    if (allocation == nullptr) return false;
    const Buffer buffer = allocation->buffer;
    bool found = stores_to(allocation->body, buffer);
    for_each_expr(allocation->body, [&](Expr e) {
        const std::vector<Buffer> read = loaded_buffers(e);
        found |= std::find(read.begin(), read.end(), buffer) != read.end();
    });
    for_each_stmt(allocation->body, [&](Stmt inner) {
        const Block* n = inner->as<Block>();
        if (n == nullptr) return;
        for (const auto* regions : {&n->reads, &n->writes}) {
            if (!regions->has_value()) continue;
            for (const BufferRegion& r : **regions) found |= r.buffer == buffer;
        }
    });
    return !found;
}

Status Rescheduler::collect(const Function& f, const Site& root, const Site& target, bool is_new,
                            Around& out) const {
    const auto store = [&](Stmt s) {
        for (Buffer b : stored_buffers(s)) out.stored.insert(b);
    };
    for (const PathStep& step : path_to(f, target).steps) {
        const std::size_t depth = step.site.steps.size();
        if (depth + 1 < root.steps.size() || step.stmt == nullptr) continue;
        if (const Seq* list = step.stmt->as<Seq>()) {
            const bool around = depth < root.steps.size();  // the root is an element
            for (std::size_t k = around ? std::stoul(root.steps.back()) : 0;
                 k < std::stoul(step.label); ++k) {
                store(list->body[k]);
            }
            continue;
        }
        if (depth < root.steps.size()) continue;
        const For* n = step.stmt->as<For>();
        const IfElse* branch = step.stmt->as<IfElse>();
        Status fine = Unit{};
        if (n != nullptr) {
            if (n->kind == ForKind::ThreadBinding) {
                return error("loop " + *n->var->name + " is bound to threads");
            }
            const std::string& name = *n->var->name;
            fine = take_value(n->lo, step.site, "the start of " + name, out);
            if (fine) fine = take_value(n->hi, step.site, "the end of " + name, out);
            out.vars.push_back(n->var);
            for (Expr c : range_facts(ctx_, n->var, n->lo, n->hi)) out.conditions.push_back(c);
            store(n->body);  // in other iterations
        } else if (branch != nullptr) {
            fine = take_value(branch->cond, step.site, "the guard", out);
            Expr holds = step.label == "then" ? branch->cond : ctx_.not_(branch->cond);
            out.conditions.push_back(holds);
        } else if (is_new || !is_unused(step.stmt)) {
            return error("something other than loops, guards and lists stands around a part");
        }
        if (!fine) return fine;
    }
    return Unit{};
}

Status Rescheduler::every_statement(Stmt s, const Site& at, bool is_new) {
    for (const Part& p : r_.parts) {
        if ((is_new ? p.now : p.origin) == at) return Unit{};
    }
    if (!is_new && std::count(r_.dropped.begin(), r_.dropped.end(), at) != 0) return Unit{};
    if (const For* n = s->as<For>()) {
        if (makes_call(n->lo) || makes_call(n->hi)) return error("a bound makes a call");
        return every_statement(n->body, at.child("body"), is_new);
    }
    if (const Seq* n = s->as<Seq>()) {
        const bool bare = is_new && n->body.empty() && !at.steps.empty();
        if (bare && !planted("reschedule:around-nothing")) {
            return collect(out_.after, now_, *in_function(at, r_.after, now_), is_new,
                           bare_.emplace_back());
        }
        for (std::size_t k = 0; k < n->body.size(); ++k) {
            const Status ok = every_statement(n->body[k], at.child(std::to_string(k)), is_new);
            if (!ok) return ok;
        }
        return Unit{};
    }
    if (!is_new && is_unused(s)) {
        const LetStmt* let = s->as<LetStmt>();
        Stmt body = let != nullptr ? let->body : s->as<Allocate>()->body;
        return every_statement(body, at.child("body"), is_new);
    }
    if (const IfElse* n = s->as<IfElse>()) {
        if (makes_call(n->cond)) return error("a guard makes a call");
        Status ok = every_statement(n->then_body, at.child("then"), is_new);
        if (ok && n->else_body != nullptr) {
            ok = every_statement(n->else_body, at.child("else"), is_new);
        }
        return ok;
    }
    if (planted("reschedule:left-out") && !is_new) return Unit{};
    return error("the statement at " + at.str() + (is_new ? " is new" : " is left out"));
}

Result<Proposal> reschedule(Context& ctx, const Function& before, const Site& site,
                            const Rescheduling& proposed) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("a statement is rescheduled, no expression");
    return Rescheduler(ctx, before, site, proposed).run();
}

}  // namespace proviso::rewrite
