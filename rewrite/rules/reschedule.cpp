#include "rewrite/rules/reschedule.h"

#include <algorithm>
#include <optional>

#include "analysis/claims.h"
#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/children.h"
#include "ir/planted.h"
#include "rewrite/rules/accumulation.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// An expression that is evaluated on the way to a part, and the conditions under which it is.
struct Evaluated {
    Expr value;
    std::size_t under;  // so many of the conditions
    Site site;          // of the construct
    std::string what;
};

// What stands around a part, from the root of the text inwards.
struct Around {
    std::vector<Expr> vars;        // loop variables
    std::vector<Expr> conditions;  // ranges of loops, guards; block iterators replaced
    std::vector<Evaluated> evaluated;
};

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

class Rescheduler {
  public:
    Rescheduler(Context& ctx, const Function& before, const Site& site, const Rescheduling& r)
        : ctx_(ctx), before_(before), site_(site), r_(r) {}

    Result<Proposal> run() {
        const Status there = take_old_text();
        if (!there) return there.error();
        if (r_.reassociate && !before_.has_licence(kReassociate)) {
            return error("the function does not grant the licence 'reassociate'",
                         "T.func_attr({\"proviso.licences\": [\"reassociate\"]})");
        }
        if (r_.reassociate) out_.licences.emplace_back(kReassociate);
        for (Buffer b : stored_buffers(old_)) stored_.insert(b);
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
        evaluated_first(old_, Site{});
        for (Expr e : first_) add_fact(known_, evaluated_bound(ctx_, e));
        compute_safely();
        for (const Piece& p : pieces_) correspond(p);
        one_piece_each();
        const Status ordered = keep_order();
        if (!ordered) return ordered.error();
        if (reads_more_ || reads_inside_) {
            out_.after = without_region_claims(ctx_, out_.after, site_, reads_inside_);
        }
        return std::move(out_);
    }

  private:
    static constexpr const char* kReassociate = "reassociate";

    struct Piece {
        const Part* part;
        Site now, origin;  // in the functions
        Around here, there;
        std::vector<Expr> runs_here, runs_there;  // conditions, those there at `from`
    };

    static void add_fact(std::vector<Expr>& facts, Expr e) {
        if (!is_true(e)) facts.push_back(e);
    }

    void owe(std::string what, const std::vector<std::vector<Expr>>& more, Expr goal) {
        if (is_true(goal)) return;
        Obligation o{std::move(what), known_, goal};
        for (const std::vector<Expr>& facts : more) {
            for (Expr e : facts) add_fact(o.facts, e);
        }
        out_.obligations.push_back(std::move(o));
    }

    // The old text, and the function with the new one in its place.
    Status take_old_text() {
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

    // A site of the new text, in the function: a list in a list is one list there.
    Site in_function(const Site& relative, Stmt text, const Site& root) const {
        Site out = root;
        std::size_t first = 0;
        if (text->is<Seq>() && !root.steps.empty() && !relative.steps.empty() &&
            locate(before_, root.parent())->stmt->is<Seq>()) {
            out.steps.back() =
                std::to_string(std::stoul(root.steps.back()) + std::stoul(relative.steps[0]));
            first = 1;
        }
        for (std::size_t k = first; k < relative.steps.size(); ++k) {
            out.steps.push_back(relative.steps[k]);
        }
        return out;
    }

    // --- parts --------------------------------------------------------------------------------

    Status add(const Part& part) {
        Piece p;
        p.part = &part;
        p.now = in_function(part.now, r_.after, now_);
        p.origin = in_function(part.origin, old_, site_);
        const Result<Located> now = locate(out_.after, p.now);
        const Result<Located> origin = locate(before_, p.origin);
        if (!now || !origin || now->stmt == nullptr || origin->stmt == nullptr) {
            return error("there is no part at " + part.now.str() + " or " + part.origin.str());
        }
        Status fine = collect(out_.after, now_, p.now, p.here);
        if (fine) fine = collect(before_, site_, p.origin, p.there);
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
        const Status moves = no_capture(origin->stmt, part.from);
        if (!moves) return moves;
        Stmt moved = substitute(ctx_, origin->stmt, part.from);
        const Guarded stands = guarded(ctx_, now->stmt, moved);
        if (stands.guard != nullptr) take_condition(stands.guard, p.now, "the guard", p.here);
        const bool same = with_names_of(ctx_, moved, stands.rest) == stands.rest;
        if (!same && !planted("reschedule:another-text")) {
            return error("the part at " + part.now.str() + " is not the one at " +
                         part.origin.str());
        }
        p.runs_here = p.here.conditions;
        for (Expr c : p.there.conditions) p.runs_there.push_back(substitute(ctx_, c, part.from));
        std::vector<Expr> values;
        for (const Around* around : {&p.here, &p.there}) {
            for (const Evaluated& e : around->evaluated) values.push_back(e.value);
        }
        for (const auto& [v, e] : part.from) values.push_back(e);
        for (Expr e : values) {
            const Status still = constant(e);
            if (!still) return still;
        }
        pieces_.push_back(std::move(p));
        return Unit{};
    }

    // Parts are of statements of their own: none is in another one, no two are the same one now.
    Status stands_apart(const Part& part) const {
        for (const Part& other : r_.parts) {
            if (&other == &part) continue;
            const bool nested = other.now.contains(part.now) ||
                                (other.origin.contains(part.origin) && other.origin != part.origin);
            if (nested && !planted("reschedule:parts-in-parts")) {
                return error("the part at " + part.now.str() + " is in another one");
            }
        }
        return Unit{};
    }

    // A statement is moved by substitution only where it binds no name of the new values.
    static Status no_capture(Stmt s, const Substitution& from) {
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

    static bool binds(const Substitution& values, const std::vector<Expr>& vars) {
        return values.size() == vars.size() && std::all_of(vars.begin(), vars.end(), [&](Expr v) {
                   const auto found = values.find(v);
                   return found != values.end() && found->second->type == v->type;
               });
    }

    // The value is the same wherever it is evaluated in either text.
    Status constant(Expr e) const {
        for (Buffer b : loaded_buffers(e)) {
            if (stored_.count(b) != 0 && !planted("reschedule:bounds-that-change")) {
                return error("a bound or guard reads " + b->name + ", which the body writes");
            }
        }
        if (makes_call(e)) return error("a bound or guard makes an opaque call");
        if (has_op(e, Op::Undef) || has_op(e, Op::Let)) {
            return error("a bound or guard binds a name, or is undefined");
        }
        return Unit{};
    }

    static void take_value(Expr e, const Site& site, std::string what, Around& out) {
        out.evaluated.push_back({e, out.conditions.size(), site, std::move(what)});
    }
    static void take_condition(Expr e, const Site& site, const std::string& what, Around& out) {
        take_value(e, site, what, out);
        out.conditions.push_back(e);
    }

    // From the root of the text to `target`.
    Status collect(const Function& f, const Site& root, const Site& target, Around& out) const {
        for (const PathStep& step : path_to(f, target).steps) {
            if (step.site.steps.size() < root.steps.size() || step.stmt == nullptr) continue;
            const For* n = step.stmt->as<For>();
            const IfElse* branch = step.stmt->as<IfElse>();
            if (n != nullptr) {
                if (n->kind == ForKind::ThreadBinding) {
                    return error("loop " + *n->var->name + " is bound to threads");
                }
                const std::string& name = *n->var->name;
                take_value(n->lo, step.site, "the start of " + name, out);
                take_value(n->hi, step.site, "the end of " + name, out);
                out.vars.push_back(n->var);
                for (Expr c : range_facts(ctx_, n->var, n->lo, n->hi)) out.conditions.push_back(c);
            } else if (branch != nullptr) {
                take_value(branch->cond, step.site, "the guard", out);
                Expr holds = step.label == "then" ? branch->cond : ctx_.not_(branch->cond);
                out.conditions.push_back(holds);
            } else if (!step.stmt->is<Seq>()) {
                return error("something other than loops, guards and lists stands around a part");
            }
        }
        return Unit{};
    }

    // Every statement of a text is in a part; what stands around parts calls nothing.
    Status every_statement(Stmt s, const Site& at, bool is_new) const {
        for (const Part& p : r_.parts) {
            if ((is_new ? p.now : p.origin) == at) return Unit{};
        }
        if (const For* n = s->as<For>()) {
            if (makes_call(n->lo) || makes_call(n->hi)) return error("a bound makes a call");
            return every_statement(n->body, at.child("body"), is_new);
        }
        if (const Seq* n = s->as<Seq>()) {
            for (std::size_t k = 0; k < n->body.size(); ++k) {
                const Status ok = every_statement(n->body[k], at.child(std::to_string(k)), is_new);
                if (!ok) return ok;
            }
            return Unit{};
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

    // --- obligations --------------------------------------------------------------------------

    // What the old text evaluates around its parts whatever happens, at the start or later: it is
    // constant.
    bool evaluated_first(Stmt s, const Site& at) {
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

    // What the old text evaluated on its way to the instance that this one is.
    std::vector<Expr> evaluated_there(const Piece& p) const {
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

    // Obligation 1. What was evaluated first in the old text is not owed again.
    void compute_safely() {
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

    // Its cells may be touched, and nobody else is writing them: each is read by the old text
    // whatever happens; or the layouts allow it, and no loop around is concurrent.
    Expr may_be_read(Expr e) const {
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

    // Obligations 2 and 3, of one part.
    void correspond(const Piece& p) {
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

    // The goals that are not among the facts already.
    Expr open(const std::vector<Expr>& goals, const Piece& p, Expr when) const {
        std::vector<Expr> left;
        const std::vector<Expr>& facts = when != nullptr ? p.there.conditions : p.runs_here;
        for (Expr g : goals) {
            const bool given = std::find(facts.begin(), facts.end(), g) != facts.end() ||
                               std::find(known_.begin(), known_.end(), g) != known_.end();
            if (!given) left.push_back(g);
        }
        return ctx_.all_of(left);
    }

    // Obligation 2, of parts with one origin.
    void one_piece_each() {
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

    // --- order --------------------------------------------------------------------------------

    // A part at an iteration: conditions and places, now and before.
    struct Place {
        std::vector<Expr> runs;
        Instance now, origin;
        Substitution from;
    };

    Place place(const Piece& p, const Access& now, const Access& origin,
                const Substitution& copies) const {
        Place out{{}, Instance{&now, copies, {}}, Instance{&origin, {}, {}}, {}};
        for (Expr c : p.runs_here) out.runs.push_back(substitute(ctx_, c, copies));
        for (const auto& [v, e] : p.part->from) out.from[v] = substitute(ctx_, e, copies);
        out.origin.at = out.from;
        return out;
    }

    // Obligation 4.
    Status keep_order() {
        std::vector<Access> now, origin;
        for (const Piece& p : pieces_) {
            now.push_back(point_at(ctx_, out_.after, p.now));
            origin.push_back(point_at(ctx_, before_, p.origin));
        }
        const std::set<std::string> taken = bound_names(out_.after);
        for (std::size_t a = 0; a < pieces_.size(); ++a) {
            for (std::size_t b = 0; b < pieces_.size(); ++b) {
                std::set<std::string> used = taken;
                const std::set<std::string> old_names = bound_names(before_);
                used.insert(old_names.begin(), old_names.end());
                Substitution copies;
                for (Expr v : pieces_[b].here.vars) {
                    copies[v] = ctx_.var(fresh_name(*v->name, used), v->type);
                }
                const Place one = place(pieces_[a], now[a], origin[a], {});
                const Place other = place(pieces_[b], now[b], origin[b], copies);
                Expr first = may_be_before(ctx_, one.now, other.now);
                Expr goal = may_be_before(ctx_, one.origin, other.origin);
                if (is_false(first) || is_true(goal) || first == goal) continue;
                if (r_.apart.count({a, b}) != 0 || r_.apart.count({b, a}) != 0) {
                    const Status ok = accesses_keep_order(a, b, one, other, first, goal, used);
                    if (!ok) return ok;
                    continue;
                }
                owe("iterations keep their order", {one.runs, other.runs, {first}}, goal);
            }
        }
        return Unit{};
    }

    Status accesses_keep_order(std::size_t a, std::size_t b, const Place& one, const Place& other,
                               Expr first, Expr goal, std::set<std::string>& used) {
        for (std::size_t k : {a, b}) {
            const Status ok = may_change_places(locate(before_, pieces_[k].origin)->stmt);
            if (!ok) return ok;
        }
        if (!memory_) {
            memory_.emplace(ctx_, before_);
            find_accumulations();
        }
        for (const Access* x : inside(pieces_[a])) {
            for (const Access* y : inside(pieces_[b])) {
                if (x->buffer != y->buffer || (!x->is_store && !y->is_store)) continue;
                std::set<std::string> names = used;
                const std::set<std::string> more = memory_->taken_names();
                names.insert(more.begin(), more.end());
                const Instance left = inner(*x, one.from, names);
                const Instance right = inner(*y, other.from, names);
                if (exchange(*x, *y)) continue;
                owe(meeting(x->buffer->name) + " (" + x->site.str() + ", " + y->site.str() + ")",
                    {one.runs,
                     other.runs,
                     {first, left.may(ctx_), right.may(ctx_),
                      same_cell(ctx_, left.index(ctx_), right.index(ctx_))}},
                    goal);
            }
        }
        return Unit{};
    }

    std::string meeting(const std::string& buffer) const {
        std::string out =
            r_.reason.empty() ? "iterations that touch one cell of % keep their order" : r_.reason;
        const std::size_t at = out.find('%');
        return at == std::string::npos ? out : out.replace(at, 1, buffer);
    }

    // The accesses of statements that accumulate in a cell by an operator that is free of order.
    void find_accumulations() {
        for (const Access& a : memory_->all()) {
            if (!a.is_store) continue;
            const std::optional<Accumulation> found = accumulation_at(before_, a.statement);
            if (!found) continue;
            const ScalarType type = a.buffer->type;
            const bool float_sum = type.is_float() && found->by == Op::Add;
            if (!is_free_of_order(found->by, type) && !(float_sum && r_.reassociate)) continue;
            accumulations_.emplace(a.site, found->by);
            accumulations_.emplace(found->load, found->by);
        }
    }
    bool exchange(const Access& a, const Access& b) const {
        const auto first = accumulations_.find(a.site);
        const auto second = accumulations_.find(b.site);
        return first != accumulations_.end() && second != accumulations_.end() &&
               first->second == second->second;
    }

    // Accesses of a part to memory that outlives it.
    std::vector<const Access*> inside(const Piece& p) const {
        std::vector<const Access*> out;
        std::set<Buffer> own;
        for_each_stmt(locate(before_, p.origin)->stmt, [&](Stmt s) {
            if (const Allocate* n = s->as<Allocate>()) own.insert(n->buffer);
        });
        for (const Access& a : memory_->all()) {
            if (p.origin.contains(a.statement) && own.count(a.buffer) == 0) out.push_back(&a);
        }
        return out;
    }

    // The access at this iteration of its part, and at any one of the loops in it.
    Instance inner(const Access& a, const Substitution& from, std::set<std::string>& names) const {
        Instance out = renamed(ctx_, a, names);
        for (Expr v : point_at(ctx_, before_, site_).loops) out.at[v] = v;
        for (const auto& [v, e] : from) out.at[v] = e;
        return out;
    }

    static Status may_change_places(Stmt s) {
        if (contains_assert(s) && !planted("reschedule:stops-change-places")) {
            return error("a part that may change places contains an assert");
        }
        if (contains_extern_call(s)) {
            return error("a part that may change places makes an opaque call");
        }
        bool threads = false;
        for_each_stmt(s, [&](Stmt t) {
            const For* n = t->as<For>();
            threads |= n != nullptr && n->kind == ForKind::ThreadBinding;
        });
        if (threads) return error("a part that may change places stands around threads");
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const Site& site_;
    const Rescheduling& r_;
    Stmt old_ = nullptr;
    Site now_ = site_;  // of the new text
    Proposal out_;
    std::set<Buffer> stored_;
    std::vector<Expr> known_;
    std::vector<Piece> pieces_;
    std::vector<Expr> first_;    // evaluated_first
    bool reads_more_ = false;    // memory, around the parts
    bool reads_inside_ = false;  // and in them
    std::optional<MemoryModel> memory_;
    std::map<Site, Op> accumulations_;
};

}  // namespace

Result<Proposal> reschedule(Context& ctx, const Function& before, const Site& site,
                            const Rescheduling& proposed) {
    const Result<Located> at = locate(before, site);
    if (!at) return at.error();
    if (at->stmt == nullptr) return error("a statement is rescheduled, no expression");
    return Rescheduler(ctx, before, site, proposed).run();
}

}  // namespace proviso::rewrite
