#include "rewrite/rules/race_free.h"

#include <algorithm>
#include <array>

#include "analysis/facts/facts.h"
#include "ir/planted.h"
#include "ir/text.h"

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

std::vector<const Access*> shared_accesses(const MemoryModel& memory, const Site& site, Expr var) {
    std::vector<const Access*> out;
    const Site body = site.child("body");
    for (const Access& a : memory.all()) {
        if (!body.contains(a.statement)) continue;
        const std::vector<Expr>& own = memory.loops_around(a.buffer);
        if (std::find(own.begin(), own.end(), var) == own.end()) out.push_back(&a);
    }
    return out;
}

// The access at its own iteration, but with nothing known of indices that read what is written.
Instance at_own_iteration(Context& ctx, const Access& a, std::set<std::string>& names) {
    Instance out = itself(a);
    for (std::size_t d = 0; d < a.shifting.size(); ++d) {
        if (a.shifting[d]) out.unknown[d] = ctx.var(fresh_name("index", names), a.indices[d]->type);
    }
    return out;
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

// One of two phases, and who runs it.
struct PhaseAccesses {
    std::array<const For*, kAxes> threads{};
    std::vector<const Access*> accesses;
};

PhaseAccesses phase_accesses(const MemoryModel& memory, const Site& site) {
    PhaseAccesses out;
    Stmt phase = locate(memory.function(), site)->stmt;
    out.threads = thread_loops(phase);
    std::set<Buffer> own;
    for_each_stmt(phase, [&](Stmt s) {
        if (const Allocate* n = s->as<Allocate>()) own.insert(n->buffer);
    });
    for (const Access& a : memory.all()) {
        if (site.contains(a.statement) && own.count(a.buffer) == 0) out.accesses.push_back(&a);
    }
    return out;
}

// The two instances are of different threads.
Expr different_threads(Context& ctx, const PhaseAccesses& first, const Instance& one,
                       const PhaseAccesses& second, const Instance& other) {
    std::vector<Expr> differ;
    const std::size_t axes = planted("sync:first-axis") ? 1 : kAxes;
    for (std::size_t a = 0; a < axes; ++a) {
        Expr i = thread_index(ctx, first.threads[a], one);
        Expr j = thread_index(ctx, second.threads[a], other);
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
    const PhaseAccesses first = phase_accesses(memory, level.phases()[way.first]);
    const PhaseAccesses second = phase_accesses(memory, level.phases()[way.second]);
    const std::vector<Expr> known = facts_at(ctx, f, way.around);
    const Access point = point_at(ctx, f, way.around);
    std::vector<Expr> outer = point.loops;
    outer.insert(outer.end(), point.opaque.begin(), point.opaque.end());
    const For* loop =
        way.when == BlockLevel::When::Same ? nullptr : locate(f, way.around)->stmt->as<For>();
    std::vector<Obligation> out;
    for (const Access* a : first.accesses) {
        for (const Access* b : second.accesses) {
            if (a->buffer != b->buffer || (!a->is_store && !b->is_store)) continue;
            std::set<std::string> names = memory.taken_names();
            Instance one = renamed(ctx, *a, names);
            Instance other = renamed(ctx, *b, names);
            for (Expr v : outer) one.at[v] = other.at[v] = v;
            Expr differ = different_threads(ctx, first, one, second, other);
            if (is_false(differ)) continue;  // one thread runs both phases
            Expr order = ctx.true_();
            if (loop != nullptr) {
                Expr next =
                    ctx.add(substitute(ctx, loop->var, one.at), ctx.int_imm(loop->var->type, 1));
                Expr then = substitute(ctx, loop->var, other.at);
                order =
                    way.when == BlockLevel::When::Next ? ctx.eq(then, next) : ctx.lt(next, then);
            }
            Obligation o({Owed::NoRace,
                          "no race between threads that do not wait, on " + a->buffer->name + " (" +
                              access_text(*a) + ", " + access_text(*b) + ")",
                          a->site, a->buffer},
                         known, ctx.false_());
            for (Expr e : {one.may(ctx), other.may(ctx), order, differ,
                           same_cell(ctx, one.index(ctx), other.index(ctx))}) {
                if (!is_true(e)) o.facts.push_back(e);
            }
            out.push_back(std::move(o));
        }
    }
    return out;
}

std::vector<Obligation> iterations_share_nothing(Context& ctx, const Function& f,
                                                 const Site& site) {
    const Expr var = locate(f, site)->stmt->as<For>()->var;
    const MemoryModel memory(ctx, f);
    const std::vector<Expr> known = facts_at(ctx, f, site);
    // Loops and lets around the loop have one value for all its iterations.
    const Access point = point_at(ctx, f, site);
    std::vector<Expr> outer = point.loops;
    outer.insert(outer.end(), point.opaque.begin(), point.opaque.end());
    const std::vector<const Access*> inside = shared_accesses(memory, site, var);
    std::vector<Obligation> out;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        for (std::size_t j = i; j < inside.size(); ++j) {
            const Access& a = *inside[i];
            const Access& b = *inside[j];
            if (a.buffer != b.buffer || (!a.is_store && !b.is_store)) continue;
            std::set<std::string> names = memory.taken_names();
            const Instance one = at_own_iteration(ctx, a, names);
            Instance other = renamed(ctx, b, names);
            for (Expr v : outer) other.at[v] = v;
            Obligation o({Owed::NoRace,
                          "no race between iterations of " + *var->name + " on " + a.buffer->name +
                              " (" + access_text(a) + ", " + access_text(b) + ")",
                          a.site, a.buffer},
                         known, ctx.false_());
            for (Expr e :
                 {one.may(ctx), other.may(ctx), same_cell(ctx, one.index(ctx), other.index(ctx)),
                  ctx.ne(var, substitute(ctx, var, other.at))}) {
                if (!is_true(e)) o.facts.push_back(e);
            }
            out.push_back(std::move(o));
        }
    }
    return out;
}

}  // namespace proviso::rewrite
