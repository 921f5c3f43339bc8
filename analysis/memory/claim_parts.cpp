#include "analysis/memory/claim_parts.h"

#include <algorithm>
#include <optional>

#include "analysis/facts/path.h"
#include "ir/children.h"

namespace proviso::analysis {

using namespace ir;

Obligation claim(Purpose purpose, std::vector<Expr> facts, Expr goal) {
    return Obligation{std::move(purpose), std::move(facts), goal};
}

Obligation impossible(Context& ctx, Purpose purpose, std::vector<Expr> facts,
                      const std::vector<Expr>& more) {
    for (Expr e : more) {
        if (!is_true(e)) facts.push_back(e);
    }
    return claim(std::move(purpose), std::move(facts), ctx.false_());
}

bool plainly_apart(const std::vector<Expr>& a, const std::vector<Expr>& b) {
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const bool constants = is_int_const(a[i]) && is_int_const(b[i]);
        if (constants && a[i]->int_value() != b[i]->int_value()) return true;
    }
    return false;
}

namespace {

// The name `v`, bound to data around `a`, is at the witness's iteration what it is at `point`.
Status same_binding(Context& ctx, const Access& a, Expr v, const Substitution& at,
                    const Site& point, std::vector<Expr>& goals) {
    for (const Access::Surrounding& s : a.surrounding) {
        if (s.var != v || s.depth > common_steps(a.site, point)) continue;
        for (Expr loop : s.loops) {
            Expr value = substitute(ctx, loop, at);
            if (value != loop) goals.push_back(ctx.eq(value, loop));
        }
        return Unit{};
    }
    return error("the statement at " + a.statement.str() +
                 " depends on a value read from memory (" + *v->name + ")");
}

}  // namespace

Status check_witness(Context& ctx, const Access& a, const Substitution& at, const Site& point,
                     std::vector<Expr> speaks_of, std::vector<Expr>& goals) {
    for (Expr v : a.loops) {
        const auto it = at.find(v);
        if (it == at.end()) {
            return error("the witness for " + a.statement.str() + " gives no value for loop " +
                         *v->name);
        }
        if (it->second->type != v->type) {
            return error("the witness for loop " + *v->name + " has another type");
        }
    }
    if (std::find(a.shifting.begin(), a.shifting.end(), true) != a.shifting.end()) {
        return error("the cell that " + a.statement.str() +
                     " touches depends on memory that the function writes");
    }
    speaks_of.insert(speaks_of.end(), a.indices.begin(), a.indices.end());
    speaks_of.push_back(a.plain);
    for (Expr v : a.opaque) {
        const bool spoken = std::any_of(speaks_of.begin(), speaks_of.end(),
                                        [&](Expr e) { return occurs_free(v, e); });
        if (!spoken) continue;
        const Status ok = same_binding(ctx, a, v, at, point, goals);
        if (!ok) return ok;
    }
    return Unit{};
}

Result<Access> store_access(const MemoryModel& memory, const Witness& w, const Site& point,
                            std::vector<Expr>& goals) {
    const Access* a = find_store(memory.all(), w.statement);
    if (a == nullptr) return error("no store at " + w.statement.str());
    const Status ok = check_witness(memory.ctx(), *a, w.at, point, {}, goals);
    if (!ok) return ok.error();
    return *a;
}

void no_store_between(const MemoryModel& memory, const std::vector<Expr>& facts, Buffer buffer,
                      const std::vector<Expr>& cell, const Instance& from, const Instance& to,
                      const std::string& what, std::vector<Obligation>& out) {
    Context& ctx = memory.ctx();
    for (const Access& other : memory.all()) {
        if (!other.is_store || other.buffer != buffer) continue;
        if (plainly_apart(cell, other.indices)) continue;
        TakenNames names = memory.taken_names();
        const Instance w = renamed(ctx, other, names);
        Expr after = may_be_before(ctx, from, w);
        Expr before = may_be_before(ctx, w, to);
        if (is_false(after) || is_false(before)) continue;
        out.push_back(
            impossible(ctx,
                       {Owed::Unchanged, what + " (store at " + other.statement.str() + ")",
                        other.statement, buffer},
                       facts, {w.may(ctx), same_cell(ctx, cell, w.index(ctx)), after, before}));
    }
}

Expr happens(const MemoryModel& memory, const Instance& a, const Site& point,
             std::vector<GuardOnData>& guards) {
    Context& ctx = memory.ctx();
    std::optional<Scope> scope;  // at the point
    return must_given(ctx, a, point, [&](const Access::Surrounding& s) {
        if (has_any(s.condition, {Op::Undef, Op::CallExtern, Op::Let})) return ctx.false_();
        for (Expr v : a.access->opaque) {
            if (occurs_free(v, s.condition)) return ctx.false_();
        }
        if (!scope) scope = scope_at(ctx, memory.function(), point);
        for (Buffer b : loaded_buffers(s.condition)) {
            const auto found = scope->buffers.find(b->name);
            const bool here = found != scope->buffers.end() && found->second == b;
            // Each iteration around an allocation has cells of its own.
            if (!here || !memory.loops_around(b).empty()) return ctx.false_();
        }
        guards.push_back({substitute(ctx, s.condition, a.at),
                          point_at(ctx, memory.function(), a.access->outer(s.depth).parent())});
        return guards.back().condition;
    });
}

void guards_unchanged(const MemoryModel& memory, const std::vector<GuardOnData>& guards,
                      const Substitution& at, const Site& point, bool later,
                      std::vector<Expr> facts, Expr when, std::vector<Obligation>& out) {
    if (guards.empty()) return;
    if (!is_true(when)) facts.push_back(when);
    const Access here = point_at(memory.ctx(), memory.function(), point);
    for (const GuardOnData& g : guards) {
        const Instance there{&g.moment, at, {}};
        for_each_node(g.condition, [&](Expr e) {
            if (e->op != Op::Load) return;
            no_store_between(memory, facts, e->buffer, {e->args.begin(), e->args.end()},
                             later ? itself(here) : there, later ? there : itself(here),
                             "what the guard at " + g.moment.site.str() + " reads of " +
                                 e->buffer->name + " is unchanged",
                             out);
        });
    }
}

void same_allocation(const MemoryModel& memory, Buffer buffer, const Witness& witness,
                     std::vector<Expr>& goals) {
    for (Expr v : memory.loops_around(buffer)) {
        Expr at = substitute(memory.ctx(), v, witness.at);
        if (at != v) goals.push_back(memory.ctx().eq(at, v));
    }
}

}  // namespace proviso::analysis
