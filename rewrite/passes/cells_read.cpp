#include "rewrite/passes/cells_read.h"

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/regions/region.h"
#include "rewrite/passes/claim_search.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// The block that a statement stands in, or the statement itself.
Site own_block(const Function& f, const Site& statement) {
    for (Site at = statement; !at.steps.empty(); at = at.parent()) {
        if (locate(f, at)->stmt->is<Block>()) return at;
    }
    return statement;
}

// A condition on the cell with these indices: one of those that accesses for which `counts` holds
// read, in one iteration of the loops around `fixed`.
template <typename Counts>
Expr member(const MemoryModel& memory, Buffer buffer, const Site& fixed,
            const std::vector<Expr>& cell, const Counts& counts) {
    Context& ctx = memory.ctx();
    const Function& f = memory.function();
    if (cell.empty()) return nullptr;
    const auto around = static_cast<std::ptrdiff_t>(loops_around(f, fixed).size());
    std::set<std::string> used = bound_names(f);
    std::vector<Expr> coordinates;
    Substitution to;
    for (std::size_t d = 0; d < cell.size(); ++d) {
        if (cell[d]->type != cell[0]->type) return nullptr;
        const std::string name = fresh_name("p" + std::to_string(d), used);
        coordinates.push_back(ctx.var(name, cell[d]->type));
        to[coordinates[d]] = cell[d];
    }
    RegionScope scope(ctx, coordinates, facts_at(ctx, f, fixed));
    Region read;
    for (const Access& a : memory.all()) {
        if (a.is_store || a.buffer != buffer || !counts(a)) continue;
        IndexedCells cells;
        cells.varying.assign(a.loops.begin() + around, a.loops.end());
        cells.varying.insert(cells.varying.end(), a.opaque.begin(), a.opaque.end());
        cells.condition = a.may;
        cells.indices = a.indices;
        read = scope.unite(read, scope.image(cells));
    }
    std::vector<Expr> any;
    for (const Conjunction& part : read.parts) {
        Expr one = part.formula(ctx, cell[0]->type);
        if (one == nullptr) return nullptr;
        any.push_back(substitute(ctx, one, to));
    }
    return any.empty() ? nullptr : ctx.any_of(any);
}

}  // namespace

Expr cells_read(const MemoryModel& memory, const Access& store) {
    const Function& f = memory.function();
    const Site own = own_block(f, store.statement);
    for (const auto& [site, s] : all_statements(f)) {
        const Allocate* n = s->as<Allocate>();
        if (n == nullptr || n->buffer != store.buffer) continue;
        // The buffer is another one in each iteration of the loops around.
        return member(memory, store.buffer, site, store.indices,
                      [&](const Access& a) { return !own.contains(a.statement); });
    }
    return nullptr;
}

Expr cells_read_in(const MemoryModel& memory, Buffer buffer, const Site& site,
                   const std::vector<Expr>& cell) {
    return member(memory, buffer, site, cell,
                  [&](const Access& a) { return site.contains(a.statement); });
}

}  // namespace proviso::rewrite
