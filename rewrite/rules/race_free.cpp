#include "rewrite/rules/race_free.h"

#include <algorithm>
#include <array>

#include "analysis/facts/facts.h"
#include "analysis/memory/claim_parts.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// "B[i // 2] stored at body/0"
std::string access_text(const Access& a) {
    std::string out = a.buffer->name + "[";
    for (std::size_t d = 0; d < a.indices.size(); ++d) {
        out += (d == 0 ? "" : ", ") + print(a.indices[d]);
    }
    return out + "] " + (a.is_store ? "stored" : "loaded") + " at " + a.site.str();
}

// The access at its own iteration, but with nothing known of indices that read what is written.
Instance at_own_iteration(Context& ctx, const Access& a, TakenNames& names) {
    Instance out = itself(a);
    for (std::size_t d = 0; d < a.shifting.size(); ++d) {
        if (a.shifting[d]) out.unknown[d] = ctx.var(fresh_name("index", names), a.indices[d]->type);
    }
    return out;
}

// Loops and lets around a site, which have one value for all that happens in it.
std::vector<Expr> bound_around(Context& ctx, const Function& f, const Site& site) {
    Access point = point_at(ctx, f, site);
    append(point.loops, point.opaque);
    return std::move(point.loops);
}

Obligation no_race(Context& ctx, const std::string& between, const Access& a, const Access& b,
                   const std::vector<Expr>& known, const std::vector<Expr>& meet) {
    return impossible(ctx,
                      {Owed::NoRace,
                       "no race between " + between + a.buffer->name + " (" + access_text(a) +
                           ", " + access_text(b) + ")",
                       a.site, a.buffer},
                      known, meet);
}

constexpr std::size_t kAxes = 3;

// The loops bound to threads that a phase begins with, by axis.
std::array<const For*, kAxes> thread_loops(Stmt phase) {
    std::array<const For*, kAxes> out{};
    while (const For* n = phase->as<For>()) {
        if (!is_bound(*n) || is_block_loop(*n)) break;
        out[axis_of(*n)] = n;
        phase = n->body;
    }
    return out;
}

// The index of an instance's thread on an axis; null: 0.
Expr thread_index(Context& ctx, const For* loop, const Instance& at) {
    if (loop == nullptr) return nullptr;
    Expr var = substitute(ctx, loop->var, at.at);
    return is_int_const(loop->lo, 0) ? var : ctx.sub(var, substitute(ctx, loop->lo, at.at));
}

// The two instances are of different threads.
Expr different_threads(Context& ctx, Stmt first, const Instance& one, Stmt second,
                       const Instance& other) {
    const auto loops = thread_loops(first);
    const auto others = thread_loops(second);
    std::vector<Expr> differ;
    const std::size_t axes = planted("sync:first-axis") ? 1 : kAxes;
    for (std::size_t a = 0; a < axes; ++a) {
        Expr i = thread_index(ctx, loops[a], one);
        Expr j = thread_index(ctx, others[a], other);
        if (i == nullptr && j == nullptr) continue;
        if (i == nullptr) i = ctx.int_imm(j->type, 0);
        if (j == nullptr) j = ctx.int_imm(i->type, 0);
        if (i->type != j->type) {
            i = ctx.cast(kInt64, i);
            j = ctx.cast(kInt64, j);
        }
        differ.push_back(ctx.ne(i, j));
    }
    return ctx.any_of(differ);
}

}  // namespace

std::vector<Obligation> threads_need_not_wait(const MemoryModel& memory, const BlockLevel& level,
                                              const BlockLevel::Way& way) {
    Context& ctx = memory.ctx();
    const Function& f = memory.function();
    const Site& first = level.phases()[way.first];
    const Site& second = level.phases()[way.second];
    const std::vector<Expr> known = facts_at(ctx, f, way.around);
    const std::vector<Expr> outer = bound_around(ctx, f, way.around);
    const For* loop =
        way.when == BlockLevel::When::Same ? nullptr : locate(f, way.around)->stmt->as<For>();
    std::vector<Obligation> out;
    for_each_conflict(
        memory.inside(first), memory.inside(second), [&](const Access& a, const Access& b) {
            TakenNames names = memory.taken_names();
            Instance one = renamed(ctx, a, names);
            Instance other = renamed(ctx, b, names);
            for (Expr v : outer) one.at[v] = other.at[v] = v;
            Expr differ =
                different_threads(ctx, locate(f, first)->stmt, one, locate(f, second)->stmt, other);
            if (is_false(differ)) return;  // one thread runs both phases
            std::vector<Expr> facts = meeting(ctx, one, other);
            facts.push_back(differ);
            if (loop != nullptr) {
                Expr next =
                    ctx.add(substitute(ctx, loop->var, one.at), ctx.int_imm(loop->var->type, 1));
                Expr then = substitute(ctx, loop->var, other.at);
                facts.push_back(way.when == BlockLevel::When::Next ? ctx.eq(then, next)
                                                                   : ctx.lt(next, then));
            }
            out.push_back(no_race(ctx, "threads that do not wait, on ", a, b, known, facts));
        });
    return out;
}

std::vector<Obligation> iterations_share_nothing(Context& ctx, const Function& f,
                                                 const Site& site) {
    const Expr var = locate(f, site)->stmt->as<For>()->var;
    const MemoryModel memory(ctx, f);
    const std::vector<Expr> known = facts_at(ctx, f, site);
    const std::vector<Expr> outer = bound_around(ctx, f, site);
    const std::vector<const Access*> inside = memory.inside(site.child("body"));
    std::vector<Obligation> out;
    for_each_conflict(inside, inside, [&](const Access& a, const Access& b) {
        if (&b < &a) return;  // each pair once
        TakenNames names = memory.taken_names();
        const Instance one = at_own_iteration(ctx, a, names);
        Instance other = renamed(ctx, b, names);
        for (Expr v : outer) other.at[v] = v;
        std::vector<Expr> facts = meeting(ctx, one, other);
        facts.push_back(ctx.ne(var, substitute(ctx, var, other.at)));
        out.push_back(no_race(ctx, "iterations of " + *var->name + " on ", a, b, known, facts));
    });
    return out;
}

}  // namespace proviso::rewrite
