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

Status Rescheduler::is_value(Expr e) const {
    if (makes_call(e)) return error("a bound or guard makes an opaque call");
    const bool freezes = has_op(e, Op::Let) && !is_true(settled(ctx_, e));
    if ((freezes && !planted("reschedule:binds-again")) || has_op(e, Op::Undef)) {
        return error("a bound or guard binds a name, or is undefined");
    }
    return Unit{};
}

namespace {

// One of the buffers that `e` reads, to which one of the statements stores; null: there is none.
Buffer reads_stored(Expr e, const std::vector<Stmt>& statements) {
    for (Buffer b : loaded_buffers(e)) {
        for (Stmt s : statements) {
            if (stores_to(s, b)) return b;
        }
    }
    return nullptr;
}

}  // namespace

Status Rescheduler::constant(Expr e, const std::vector<Stmt>& passed) const {
    Buffer b = reads_stored(e, passed);
    if (b != nullptr && !planted("reschedule:bounds-that-change")) {
        return error("a bound or guard reads " + b->name + ", which the body writes");
    }
    return is_value(e);
}

Status Rescheduler::take_value(Expr e, const Site& site, std::string what, Around& out) const {
    const bool changes = reads_stored(e, out.passed) != nullptr;
    out.evaluated.push_back(
        {e, out.conditions.size(), site, std::move(what), changes, false, nullptr});
    return is_value(e);
}

bool Rescheduler::is_unused(Stmt s, bool is_new) const {
    const LetStmt* let = s->as<LetStmt>();
    if (let != nullptr) {
        Expr other = ctx_.var(*let->var->name + "_other", let->var->type);
        return !is_new && !makes_call(let->value) &&
               substitute(ctx_, let->body, {{let->var, other}}) == let->body;
    }
    const Allocate* allocation = s->as<Allocate>();
    if (allocation == nullptr) return false;
    const Buffer buffer = allocation->buffer;
    bool found = stores_to(allocation->body, buffer);
    for (Expr extent : buffer->shape) found |= is_new && !is_int_const(extent);
    for_each_expr(allocation->body, [&](Expr e) {
        for (Buffer b : loaded_buffers(e)) found |= b == buffer;
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

Expr equals(Context& ctx, Expr value, Expr var) {
    return var->type.is_float() ? ctx.same(value, var) : ctx.eq(value, var);
}

Status Rescheduler::take_let(const LetStmt& n, const Site& site, Around& out) const {
    const Status fine = take_value(n.value, site, "the value of " + *n.var->name, out);
    out.evaluated.back().frozen = true;
    out.conditions.push_back(equals(ctx_, n.value, n.var));
    out.vars.push_back(n.var);
    if (stays_the_same(n.value, n.body, "")) out.lets.emplace_back(n.var, n.value);
    return fine;
}

Status Rescheduler::take_block(const Block& n, const Site& site, const std::string& label,
                               bool is_new, Around& out) const {
    if (is_new && (n.reads || n.writes)) return error("a block around a part claims a region");
    Status fine = take_value(n.predicate, site, "the predicate", out);
    if (!is_true(n.predicate)) out.conditions.push_back(n.predicate);
    for (const BlockIter& it : n.iters) {
        const std::string what = "iterator " + *it.var->name;
        for (Expr e : {it.binding, it.lo, it.hi}) {
            if (fine) fine = take_value(e, site, what, out);
        }
        Expr inside = ctx_.all_of({ctx_.le(it.lo, it.binding), ctx_.lt(it.binding, it.hi)});
        if (fine) fine = take_value(inside, site, what, out);
        out.evaluated.back().holds = inside;
    }
    for (const BlockIter& it : n.iters) {
        out.conditions.push_back(equals(ctx_, it.binding, it.var));
        out.vars.push_back(it.var);
    }
    for (const BlockIter& it : n.iters) {
        if (label != "init" || it.kind != IterKind::Reduce || planted("reschedule:any-start")) {
            continue;
        }
        out.conditions.push_back(ctx_.eq(it.binding, it.lo));
    }
    if (label != "init" && n.init != nullptr && !planted("reschedule:stores-of-init")) {
        out.passed.push_back(n.init);
    }
    return fine;
}

Status Rescheduler::is_same_text(Stmt moved, Stmt stands, const Part& part, const Around& here) {
    const auto same = [&] { return with_names_of(ctx_, moved, stands) == stands; };
    if (same() || planted("reschedule:another-text")) return Unit{};
    for (auto let = here.lets.rbegin(); let != here.lets.rend(); ++let) {
        const Substitution value = {{let->first, let->second}};
        Status fine = no_capture(stands, value);
        if (fine) fine = no_capture(moved, value);
        for_each_stmt(stands, [&](Stmt s) {  // an assumption speaks of memory
            const Assume* n = s->as<Assume>();
            if (n == nullptr || !occurs_free(let->first, n->cond)) return;
            if (planted("reschedule:assumed-names")) return;
            fine = error("an assumption speaks of " + *let->first->name);
        });
        if (!fine) return fine;
        Stmt named = moved;
        moved = substitute(ctx_, named, value);
        stands = substitute(ctx_, stands, value);
        // What had the name may read the cell itself now.
        reads_inside_ |= moved != named && has_op(let->second, Op::Load) &&
                         !planted("reschedule:claimed-regions");
    }
    if (same()) return Unit{};
    return error("the part at " + part.now.str() + " is not the one at " + part.origin.str());
}

Status Rescheduler::collect(const Function& f, const Site& root, const Site& target, bool is_new,
                            Around& out) {
    const std::vector<PassedNode> way = passed_on_the_way(f, target);
    for (std::size_t depth = std::max<std::size_t>(root.steps.size(), 1) - 1; depth < way.size();
         ++depth) {
        const PassedNode& step = way[depth];
        if (step.stmt == nullptr) continue;
        if (const Seq* list = step.stmt->as<Seq>()) {
            const bool around = depth < root.steps.size();  // the root is an element
            for (std::size_t k = around ? std::stoul(root.steps.back()) : 0;
                 k < std::stoul(step.label) && !planted("reschedule:stores-further-up"); ++k) {
                out.passed.push_back(list->body[k]);
            }
            continue;
        }
        if (depth < root.steps.size()) continue;
        const For* n = step.stmt->as<For>();
        const IfElse* branch = step.stmt->as<IfElse>();
        const LetStmt* let = step.stmt->as<LetStmt>();
        const Block* block = step.stmt->as<Block>();
        if (is_unused(step.stmt, is_new)) continue;
        const Site site = first_steps(target, depth);
        Status fine = Unit{};
        if (n != nullptr) {
            if (n->kind == ForKind::ThreadBinding) {
                return error("loop " + *n->var->name + " is bound to threads");
            }
            const std::string& name = *n->var->name;
            fine = take_value(n->lo, site, "the start of " + name, out);
            if (fine) fine = take_value(n->hi, site, "the end of " + name, out);
            out.vars.push_back(n->var);
            for (Expr c : range_facts(ctx_, n->var, n->lo, n->hi)) out.conditions.push_back(c);
            if (!planted("reschedule:stores-in-other-iterations")) out.passed.push_back(n->body);
        } else if (branch != nullptr) {
            fine = take_value(branch->cond, site, "the guard", out);
            Expr holds = step.label == "then" ? branch->cond : ctx_.not_(branch->cond);
            out.conditions.push_back(holds);
        } else if (let != nullptr) {
            fine = take_let(*let, site, out);
        } else if (block != nullptr) {
            fine = take_block(*block, site, step.label, is_new, out);
            // Its accumulator is one of the blocks around, which do not claim to read it.
            const bool accumulates = !is_new && block->init != nullptr && block->writes.has_value();
            reads_more_ |= accumulates && !planted("reschedule:accumulators-around");
        } else {
            return error("an allocation stands around a part");
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
        if (makes_call(n->lo) || makes_call(n->hi)) return error("a bound makes an opaque call");
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
    if (is_unused(s, is_new)) {
        const LetStmt* let = s->as<LetStmt>();
        Stmt body = let != nullptr ? let->body : s->as<Allocate>()->body;
        return every_statement(body, at.child("body"), is_new);
    }
    if (const IfElse* n = s->as<IfElse>()) {
        if (makes_call(n->cond) && !planted("reschedule:call-before-nothing")) {
            return error("a guard makes an opaque call");
        }
        Status ok = every_statement(n->then_body, at.child("then"), is_new);
        if (ok && n->else_body != nullptr) {
            ok = every_statement(n->else_body, at.child("else"), is_new);
        }
        return ok;
    }
    if (const LetStmt* n = s->as<LetStmt>()) {
        if (makes_call(n->value)) return error("a let makes an opaque call");
        return every_statement(n->body, at.child("body"), is_new);
    }
    if (const Block* n = s->as<Block>()) {
        if (makes_call(n->predicate)) return error("a predicate makes an opaque call");
        for (const BlockIter& it : n->iters) {
            if (makes_call(it.binding)) return error("an iterator makes an opaque call");
        }
        const Status ok = n->init == nullptr ? Status{Unit{}}
                                             : every_statement(n->init, at.child("init"), is_new);
        return !ok ? ok : every_statement(n->body, at.child("body"), is_new);
    }
    if (planted("reschedule:left-out") && !is_new) return Unit{};
    return error("the statement at " + at.str() + (is_new ? " is new" : " is left out"));
}

}  // namespace proviso::rewrite
