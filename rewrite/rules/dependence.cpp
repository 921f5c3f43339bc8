#include "rewrite/rules/dependence.h"

#include <algorithm>

#include "analysis/facts.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

std::vector<const Access*> accesses_in(const MemoryModel& memory, const LoopPart& part) {
    std::vector<const Access*> out;
    for (const Access& a : memory.all()) {
        const bool inside = std::any_of(part.statements.begin(), part.statements.end(),
                                        [&](const Site& s) { return s.contains(a.statement); });
        if (inside) out.push_back(&a);
    }
    return out;
}

}  // namespace

std::vector<Obligation> no_crossing_dependence(const MemoryModel& memory, const Site& site,
                                               const LoopPart& first, const LoopPart& second,
                                               Crossing crossing, const std::string& what) {
    Context& ctx = memory.ctx();
    const std::vector<Expr> known = facts_at(ctx, memory.function(), site);
    const std::vector<Expr> outer = point_at(ctx, memory.function(), site).loops;
    const auto instance = [&](const Access& a, std::set<std::string>& names) {
        Instance out = renamed(ctx, a, names);
        for (Expr v : outer) out.at[v] = v;
        return out;
    };
    std::vector<Obligation> out;
    for (const Access* a : accesses_in(memory, first)) {
        for (const Access* b : accesses_in(memory, second)) {
            if (a->buffer != b->buffer || (!a->is_store && !b->is_store)) continue;
            std::set<std::string> names = memory.taken_names();
            const Instance one = instance(*a, names);
            const Instance other = instance(*b, names);
            Expr i = substitute(ctx, first.var, one.at);
            Expr j = substitute(ctx, second.var, other.at);
            Obligation o{
                what + " (" + a->buffer->name + ": " + a->site.str() + ", " + b->site.str() + ")",
                known, ctx.false_()};
            for (Expr e :
                 {one.may(ctx), other.may(ctx), same_cell(ctx, one.index(ctx), other.index(ctx)),
                  crossing == Crossing::Later ? ctx.lt(j, i) : ctx.ne(j, i)}) {
                if (!is_true(e)) o.facts.push_back(e);
            }
            out.push_back(std::move(o));
        }
    }
    return out;
}

}  // namespace proviso::rewrite
