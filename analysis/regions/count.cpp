#include "analysis/regions/count.h"

#include <algorithm>
#include <map>

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

ir::ScalarType type_of(const Affine& form) {
    return form.terms().empty() ? ir::kInt64 : form.terms()[0].first->type;
}

// floor(form / by); none where the number does not fit.
std::optional<Affine> quotient(ir::Context& ctx, const Affine& form, const Integer& by) {
    if (by == 1) return form;
    Affine whole = floordiv(form.constant(), by);
    Affine rest = floormod(form.constant(), by);
    for (const auto& [term, factor] : form.terms()) {
        whole.add(Affine::term(term, floordiv(factor, by)));
        rest.add(Affine::term(term, floormod(factor, by)));
    }
    if (rest.is_constant()) return whole;
    const ir::ScalarType type = type_of(rest);
    Expr e = rest.expr(ctx, type);
    if (e == nullptr || !by.in_range(type)) return std::nullopt;
    return whole + Affine::term(ctx.floordiv(e, ctx.int_imm(type, *by.to_int128())));
}

// What one coordinate may be, over parameters and other coordinates.
struct Ends {
    std::vector<Affine> lows, highs;
    std::vector<Congruence> steps;
    bool plain = true;  // else an end has a factor that is not 1
};

Ends ends_of(ir::Context& ctx, const Conjunction& part, Expr p) {
    Ends out;
    const auto use = [&](const Affine& e, int side) {
        const Integer a = e.factor_of(p);
        if (a.is_zero() || (side != 0 && a.sign() != side)) return;
        out.plain = out.plain && abs(a) == 1;
        const Affine rest = e.without(p);
        if (a.sign() > 0 || side == 0) {  // p >= -rest / a, rounded up
            const Affine up = (a.sign() > 0 ? rest : rest * Integer(-1));
            const auto floor = quotient(ctx, up, abs(a));
            if (floor) out.lows.push_back(*floor * Integer(-1));
            out.plain = out.plain && floor.has_value();
        }
        if (a.sign() < 0 || side == 0) {
            const Affine down = (a.sign() < 0 ? rest : rest * Integer(-1));
            const auto floor = quotient(ctx, down, abs(a));
            if (floor) out.highs.push_back(*floor);
            out.plain = out.plain && floor.has_value();
        }
    };
    for (const Affine& e : part.equalities()) use(e, 0);
    for (const Affine& e : part.inequalities()) {
        use(e, 1);
        use(e, -1);
    }
    for (const Congruence& g : part.congruences()) {
        if (!g.form.factor_of(p).is_zero()) out.steps.push_back(g);
    }
    return out;
}

Integer inverse(const Integer& k, const Integer& m) {
    for (Integer x = 1; x < m; x = x + 1) {
        if (floormod(k * x, m) == 1) return x;
    }
    return 0;
}

// The largest of lower ends, the smallest of upper ones: T.max(…), T.min(…) where they are several.
std::optional<Affine> one_end(ir::Context& ctx, const std::vector<Affine>& ends, bool lower) {
    if (ends.empty()) return std::nullopt;
    if (ends.size() == 1) return ends[0];
    const auto typed = std::find_if(ends.begin(), ends.end(),
                                    [](const Affine& end) { return !end.terms().empty(); });
    Expr out = nullptr;
    for (const Affine& end : ends) {
        const ir::ScalarType type =
            type_of(end.terms().empty() && typed != ends.end() ? *typed : end);
        Expr e = end.expr(ctx, type);
        if (e == nullptr || (out != nullptr && out->type != e->type)) return std::nullopt;
        out = out == nullptr ? e : lower ? ctx.max(out, e) : ctx.min(out, e);
    }
    return Affine::term(out);
}

// Ends and stride where there is one of each.
std::optional<Span> single_span(ir::Context& ctx, const Ends& ends, Expr p) {
    constexpr int kWidestStride = 4096;
    const auto lo = one_end(ctx, ends.lows, true);
    const auto hi = one_end(ctx, ends.highs, false);
    if (!lo || !hi || ends.steps.size() > 1) return std::nullopt;
    Span out{*lo, *hi, 1};
    if (ends.steps.empty()) return out;
    const Congruence& g = ends.steps[0];
    if (g.modulus > Integer(kWidestStride)) return std::nullopt;
    const Integer inv = inverse(g.form.factor_of(p), g.modulus);
    if (inv.is_zero()) return std::nullopt;
    // p == anchor (mod m): the first member is lo + (anchor - lo) % m.
    const Affine gap = g.form.without(p) * (-inv) - out.lo;
    const auto whole = quotient(ctx, gap, g.modulus);
    if (!whole) return std::nullopt;
    out.lo = out.lo + gap - *whole * g.modulus;
    out.stride = g.modulus;
    return out;
}

bool couples(const RegionScope& scope, const Affine& form, Expr p) {
    return std::any_of(scope.coordinates().begin(), scope.coordinates().end(),
                       [&](Expr q) { return q != p && !form.factor_of(q).is_zero(); });
}

// The constraints that do not mention p.
Conjunction without(const Conjunction& part, Expr p) {
    Conjunction out;
    for (const Affine& e : part.equalities()) {
        if (e.factor_of(p).is_zero()) out.equal(e);
    }
    for (const Affine& e : part.inequalities()) {
        if (e.factor_of(p).is_zero()) out.at_least(e);
    }
    for (const Congruence& g : part.congruences()) {
        if (g.form.factor_of(p).is_zero()) out.congruent(g.form, g.modulus);
    }
    return out;
}

// The sum of a polynomial over the cells of a part, one coordinate after the other, innermost
// first.
class Sum {
  public:
    explicit Sum(const RegionScope& scope) : scope_(scope) {}

    std::optional<Polynomial> over(const Conjunction& part, const Polynomial& f,
                                   const std::vector<Expr>& coordinates) const {
        if (part.contradictory()) return Polynomial(0);
        if (coordinates.empty()) {
            // A condition on parameters alone would be a factor that is 0 or 1.
            return part.size() == 0 ? std::optional(f) : std::nullopt;
        }
        // One that no other has to do with comes first, whichever it is; of others the order
        // counts.
        for (const bool alone : {true, false}) {
            for (std::size_t k = coordinates.size(); k-- > 0;) {
                Expr p = coordinates[k];
                if (alone != stands_alone(part, p)) continue;
                std::vector<Expr> others = coordinates;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
                const auto step = over_one(part, f, p, alone);
                if (step) {
                    auto out = over(tidied(step->left, scope_.known()), step->sum, others);
                    if (out) return out;
                }
                if (alone) return std::nullopt;
            }
        }
        return std::nullopt;
    }

  private:
    struct Step {
        Polynomial sum;
        Conjunction left;  // of the other coordinates
    };

    // No constraint is about p and another coordinate.
    bool stands_alone(const Conjunction& part, Expr p) const {
        const auto alone = [&](const Affine& form) {
            return form.factor_of(p).is_zero() || !couples(scope_, form, p);
        };
        const auto& congruent = part.congruences();
        return std::all_of(part.equalities().begin(), part.equalities().end(), alone) &&
               std::all_of(part.inequalities().begin(), part.inequalities().end(), alone) &&
               std::all_of(congruent.begin(), congruent.end(),
                           [&](const Congruence& g) { return alone(g.form); });
    }

    // `independent`: p stands alone.
    std::optional<Step> over_one(const Conjunction& part, const Polynomial& f, Expr p,
                                 bool independent) const {
        const Ends ends = ends_of(scope_.ctx(), part, p);
        const auto span = single_span(scope_.ctx(), ends, p);
        if (!ends.plain || !span) return std::nullopt;
        // T.min and T.max of other coordinates are no polynomials.
        if (!independent && ends.lows.size() + ends.highs.size() > 2) return std::nullopt;
        if (span->point()) {
            const Elimination rest = eliminated(part, p);
            const auto one = sum_over(f, p, Polynomial::of(span->lo), Polynomial::of(span->hi));
            if (!rest.exact || !one) return std::nullopt;
            return Step{*one, rest.rest};
        }
        const Conjunction around = without(part, p);
        const auto steps = quotient(scope_.ctx(), span->hi - span->lo, span->stride);
        if (!steps) return std::nullopt;
        const bool strided = span->stride != 1;
        const auto members = strided ? std::nullopt : difference(ends);
        const Affine width = members ? *members : *steps + Affine(1);  // how many, or 0, or less
        const bool alone = f.degree_in(p) == 0 && !f.hides(p);
        if (strided && (!alone || !independent)) return std::nullopt;
        const auto summed = [&]() -> std::optional<Polynomial> {
            if (strided || alone) return f * Polynomial::of(width);
            return sum_over(f, p, Polynomial::of(span->lo), Polynomial::of(span->hi));
        };
        // hi - lo + stride >= 0 means that width >= 0.
        const Affine enough = span->hi - span->lo + Affine(span->stride);
        Conjunction there = around;
        std::optional<Polynomial> out = summed();
        if (!out) return std::nullopt;
        there.add(scope_.known());
        const bool never_less =
            strided ? known_at_least_zero(there, enough) : never_less_than_none(there, ends);
        if (never_less) return Step{*out, around};
        if (independent && alone) {
            const ir::ScalarType type = type_of(width);
            Expr e = width.expr(scope_.ctx(), type);
            if (e == nullptr) return std::nullopt;
            Expr some = scope_.ctx().max(e, scope_.ctx().int_imm(type, 0));
            return Step{f * Polynomial::of(Affine::term(some)), around};
        }
        const Elimination rest = eliminated(part, p);
        if (!rest.exact || strided) return std::nullopt;
        return Step{*out, rest.rest};
    }

    // One more than from the largest lower end to the smallest upper one.
    std::optional<Affine> difference(const Ends& ends) const {
        std::vector<Affine> all;
        for (const Affine& lo : ends.lows) {
            for (const Affine& hi : ends.highs) {
                const Affine one = hi - lo + Affine(1);
                if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
            }
        }
        return one_end(scope_.ctx(), all, false);
    }

    static bool never_less_than_none(const Conjunction& there, const Ends& ends) {
        return std::all_of(ends.lows.begin(), ends.lows.end(), [&](const Affine& lo) {
            return std::all_of(ends.highs.begin(), ends.highs.end(), [&](const Affine& hi) {
                return known_at_least_zero(there, hi - lo + Affine(1));
            });
        });
    }

    const RegionScope& scope_;
};

// Counts by trying the values of one coordinate after another, where no formula is found.
class Counter {
  public:
    Counter(const RegionScope& scope, std::size_t budget) : scope_(scope), budget_(budget) {}

    std::optional<Integer> run(const Conjunction& part, const std::vector<Expr>& coordinates) {
        if (budget_ == 0) return std::nullopt;
        --budget_;
        if (part.contradictory()) return Integer(0);
        if (coordinates.empty()) {
            if (scope_.known_empty(part)) return Integer(0);
            // What is left is about parameters: it may hold of some sizes only.
            if (tidied(part, scope_.known()).size() != 0) return std::nullopt;
            return Integer(1);
        }
        if (const auto formula = Sum(scope_).over(part, 1, coordinates)) {
            if (const auto n = formula->constant()) return n;
        }
        Expr best = nullptr;
        ConstantRange range;
        for (Expr p : coordinates) {
            Conjunction c = part;
            for (Expr q : coordinates) {
                if (q != p) c = eliminated(c, q, false).rest;
            }
            if (c.contradictory()) return Integer(0);
            const ConstantRange r = constant_range(c, p);
            if (!r.lo || !r.hi) return std::nullopt;
            if (best == nullptr || *r.hi - *r.lo < *range.hi - *range.lo) {
                best = p;
                range = r;
            }
        }
        std::vector<Expr> others;
        for (Expr p : coordinates) {
            if (p != best) others.push_back(p);
        }
        Integer total = 0;
        for (Integer x = *range.lo; x <= *range.hi; x = x + 1) {
            const auto some = run(part.substituted(best, Affine(x)), others);
            if (!some) return std::nullopt;
            total = total + *some;
        }
        return total;
    }

  private:
    const RegionScope& scope_;
    std::size_t budget_;
};

}  // namespace

std::optional<Span> span_of(const RegionScope& scope, const Conjunction& part, Expr p) {
    const auto alone = [&](const Affine& form) {
        return form.factor_of(p).is_zero() || !couples(scope, form, p);
    };
    const auto& congruent = part.congruences();
    const bool all = std::all_of(part.equalities().begin(), part.equalities().end(), alone) &&
                     std::all_of(part.inequalities().begin(), part.inequalities().end(), alone) &&
                     std::all_of(congruent.begin(), congruent.end(),
                                 [&](const Congruence& g) { return alone(g.form); });
    if (!all) return std::nullopt;
    return single_span(scope.ctx(), ends_of(scope.ctx(), part, p), p);
}

std::optional<std::vector<Span>> box_of(const RegionScope& scope, const Conjunction& part) {
    std::vector<Span> out;
    for (Expr p : scope.coordinates()) {
        const auto span = span_of(scope, part, p);
        if (!span) return std::nullopt;
        out.push_back(*span);
    }
    return out;
}

std::optional<Polynomial> count(const RegionScope& scope, const Conjunction& part) {
    return Sum(scope).over(tidied(part, scope.known()), 1, scope.coordinates());
}

std::optional<Polynomial> count(const RegionScope& scope, const Region& region) {
    const auto parts = scope.disjoint(region);
    if (!parts) return std::nullopt;
    Polynomial out = 0;
    for (const Conjunction& part : parts->parts) {
        const auto one = count(scope, part);
        if (!one) return std::nullopt;
        out = out + *one;
    }
    return out;
}

Region with_values(const RegionScope& scope, const Region& region, const ir::Substitution& values) {
    Region out = region;
    out.parts.clear();
    for (const Conjunction& part : region.parts) {
        Conjunction there =
            part.mapped([&](const Affine& form) { return with_values(scope.ctx(), form, values); });
        if (!there.contradictory()) out.parts.push_back(std::move(there));
    }
    return out;
}

std::optional<Integer> count_cells(const RegionScope& scope, const Region& region,
                                   std::size_t budget) {
    const auto parts = scope.disjoint(region);
    if (!parts) return std::nullopt;
    Counter counter(scope, budget);
    Integer total = 0;
    for (const Conjunction& part : parts->parts) {
        const auto one = counter.run(part, scope.coordinates());
        if (!one) return std::nullopt;
        total = total + *one;
    }
    return total;
}

}  // namespace proviso::analysis
