#include "rewrite/rules/race_free.h"

#include <algorithm>

#include "analysis/facts.h"
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

}  // namespace

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
            Obligation o{"no race between iterations of " + *var->name + " on " + a.buffer->name +
                             " (" + access_text(a) + ", " + access_text(b) + ")",
                         known, ctx.false_()};
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
