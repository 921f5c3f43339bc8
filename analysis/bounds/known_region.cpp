#include "analysis/bounds/known_region.h"

#include <algorithm>
#include <functional>

#include "ir/domains/evaluate.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

// Iterations of fixed loops for which a formula is evaluated, or cells are counted.
constexpr int kMostIterations = 1 << 12;
constexpr int kMostCounted = 1 << 8;

// Calls `at` for each iteration of the loops; false: their ends are not known, or they have too
// many iterations.
bool each_iteration(ir::Context& ctx, const std::vector<FixedLoop>& loops, int left,
                    const std::function<bool(const ir::Substitution&)>& at) {
    ir::Substitution values;
    const std::function<bool(std::size_t)> run = [&](std::size_t k) {
        if (k == loops.size()) return left-- > 0 && at(values);
        const FixedLoop& loop = loops[k];
        const Affine lo = with_values(ctx, Affine::of(loop.lo), values);
        const Affine hi = with_values(ctx, Affine::of(loop.hi), values);
        if (!lo.is_constant() || !hi.is_constant()) return false;
        for (Integer x = lo.constant(); x < hi.constant(); x = x + 1) {
            if (!x.in_range(loop.var->type)) return false;
            values[loop.var] = ctx.int_imm(loop.var->type, *x.to_int128());
            if (!run(k + 1)) return false;
        }
        values.erase(loop.var);
        return true;
    };
    return run(0);
}

void take(CellCount& out, const Integer& n) {
    out.least = out.least ? min(*out.least, n) : n;
    out.most = out.most ? max(*out.most, n) : n;
}

// The least and the most of all iterations.
void count_iterations(const RegionScope& scope, const Region& region,
                      const std::vector<FixedLoop>& fixed, CellCount& out) {
    if (out.formula) {
        if (const auto n = out.formula->constant()) return take(out, *n);
    }
    CellCount seen;
    const int most = out.formula ? kMostIterations : kMostCounted;
    const bool all = each_iteration(scope.ctx(), fixed, most, [&](const ir::Substitution& at) {
        const auto n = out.formula ? out.formula->at(scope.ctx(), at)
                                   : count_cells(scope, with_values(scope, region, at));
        if (n) take(seen, *n);
        return n.has_value();
    });
    if (!all || !seen.most) return;
    out.least = seen.least;
    out.most = seen.most;
    if (!out.formula) out.how = "counted";
}

// As many as iterations, where no two of them reach one cell.
std::optional<Polynomial> count_iterations_of(const IndexedCells& cells, ir::Context& ctx,
                                              const std::vector<Expr>& known) {
    if (cells.over || cells.varying.empty() || !known_injective(ctx, cells, known)) {
        return std::nullopt;
    }
    std::vector<Expr> coordinates;
    for (std::size_t k = 0; k < cells.varying.size(); ++k) {
        coordinates.push_back(ctx.var("x " + std::to_string(k), cells.varying[k]->type));
    }
    RegionScope scope(ctx, coordinates, known);
    const Region all = scope.image({cells.varying, cells.condition, cells.varying, false});
    return all.exact ? count(scope, all) : std::nullopt;
}

// The constraints on coordinates.
Conjunction about_coordinates(const RegionScope& scope, const Conjunction& part) {
    const auto about = [&](const Affine& form) {
        return std::any_of(scope.coordinates().begin(), scope.coordinates().end(),
                           [&](Expr p) { return !form.factor_of(p).is_zero(); });
    };
    Conjunction out;
    for (const Affine& e : part.equalities()) {
        if (about(e)) out.equal(e);
    }
    for (const Affine& e : part.inequalities()) {
        if (about(e)) out.at_least(e);
    }
    for (const Congruence& g : part.congruences()) {
        if (about(g.form)) out.congruent(g.form, g.modulus);
    }
    return out;
}

}  // namespace

std::string CellCount::str() const {
    if (least && most && *least != *most) return least->str() + " to " + most->str();
    if (most) return most->str();
    return formula ? (or_none ? "0 or " : "") + formula->str() : "?";
}

std::string KnownRegion::kind() const {
    if (region.hull) return "hull of more than " + std::to_string(kMostParts) + " parts";
    return region.exact ? "exact" : "at most";
}

void measure(KnownRegion& r, const std::vector<FixedLoop>& fixed, const IndexedCells* only,
             const std::vector<Expr>& known, const std::string& buffer) {
    const RegionScope& scope = *r.scope;
    r.text = region_text(scope, r.region, buffer);
    r.cells.formula = count(scope, r.region);
    if (r.cells.formula) r.cells.how = r.region.parts.size() < 2 ? "one part" : "disjoint parts";
    if (!r.cells.formula && only != nullptr) {
        r.cells.formula = count_iterations_of(*only, scope.ctx(), known);
        if (r.cells.formula) r.cells.how = "an injective index map";
    }
    count_iterations(scope, r.region, fixed, r.cells);
    if (!r.cells.known() && r.region.parts.size() == 1) {
        // Where a condition on parameters and fixed loops holds; elsewhere there is no cell.
        Region where = r.region;
        where.parts[0] = about_coordinates(scope, where.parts[0]);
        r.cells.formula = count(scope, where);
        if (r.cells.formula) r.cells.how = "one part, where its condition holds";
        r.cells.or_none = r.cells.formula.has_value();
        if (r.cells.formula && r.cells.formula->constant()) {
            take(r.cells, 0);
            take(r.cells, *r.cells.formula->constant());
        }
    }
    const Region box = scope.bounding_box(r.region);
    r.hull.formula = count(scope, box);
    r.hull.how = "one part";
    count_iterations(scope, box, fixed, r.hull);
}

}  // namespace proviso::analysis
