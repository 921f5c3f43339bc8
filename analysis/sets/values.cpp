#include "analysis/sets/values.h"

#include <algorithm>
#include <set>

#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/domains/number.h"
#include "ir/planted.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;
using ir::Op;

namespace {

constexpr std::size_t kMostSummands = 32;  // members of one piece that are added one by one

IndexSet inexact(IndexSet a) {
    a.exact = false;
    return a;
}

// How many members a piece with ends at a constant distance has.
std::optional<Integer> count(const Piece& p) {
    if (!p.lo || !p.hi) return std::nullopt;
    const Affine gap = *p.hi - *p.lo;
    if (!gap.is_constant()) return std::nullopt;
    if (gap.constant().sign() < 0) return Integer(0);
    return floordiv(gap.constant(), p.stride) + 1;
}

// Where members are counted from; a piece without a lower end has none.
bool starts_at_lo(const Piece& p) {
    if (!p.lo) return false;
    if (p.stride == 1) return true;
    const Affine gap = *p.lo - p.anchor;
    return gap.is_constant() && floormod(gap.constant(), p.stride).is_zero();
}

std::optional<Affine> ends_sum(const std::optional<Affine>& a, const std::optional<Affine>& b) {
    return a && b ? std::optional<Affine>(*a + *b) : std::nullopt;
}

// {x + y}: a range again, and whether it has no gaps that the sum does not have.
struct PieceSum {
    Piece piece;
    bool exact;
};

PieceSum range_sum(const Piece& a, const Piece& b) {
    const Piece& fine = a.stride <= b.stride ? a : b;
    const Piece& coarse = a.stride <= b.stride ? b : a;
    const std::optional<Integer> fine_count = count(fine);
    Piece out{ends_sum(a.lo, b.lo), ends_sum(a.hi, b.hi), gcd(a.stride, b.stride), {}};
    if (out.stride != 1) out.anchor = a.anchor + b.anchor;
    const std::optional<Integer> coarse_count = count(coarse);
    if ((fine_count && *fine_count == 1) || (coarse_count && *coarse_count == 1)) {
        const Piece& many = fine_count && *fine_count == 1 ? coarse : fine;
        const Piece& one = &many == &coarse ? fine : coarse;
        out.stride = many.stride;
        out.anchor = out.stride == 1 ? Affine(0) : many.anchor + *one.lo;
        return {out, true};
    }
    // The fine steps fill the gap between two coarse ones.
    const bool fills = floormod(coarse.stride, fine.stride).is_zero() &&
                       (!fine_count || (*fine_count) * fine.stride >= coarse.stride);
    if (ir::planted("sets:gaps-are-filled")) return {out, true};
    const bool known = fine_count.has_value() || coarse.stride == fine.stride;
    return {out, fills && known};
}

}  // namespace

IndexSet ValueSets::sum(const IndexSet& a, const IndexSet& b) const {
    IndexSet out = IndexSet::none();
    bool exact = a.exact && b.exact;
    for (const Piece& p : a.pieces) {
        for (const Piece& q : b.pieces) {
            const PieceSum whole = range_sum(p, q);
            // With gaps: one range for each member of the smaller piece.
            const auto np = count(p);
            const auto nq = count(q);
            const bool p_small = np && (!nq || *np <= *nq);
            const Piece& few = p_small ? p : q;
            const Piece& many = p_small ? q : p;
            const std::optional<Integer> n = p_small ? np : nq;
            // A range that may be empty adds nothing, but the sum of the ends may look like one.
            const bool there =
                (a.pieces.size() == 1 || scope.is_empty({{p}, true, false}) == false) &&
                (b.pieces.size() == 1 || scope.is_empty({{q}, true, false}) == false);
            exact = exact && there;
            if (whole.exact || !n || *n > Integer(static_cast<ir::Int128>(kMostSummands)) ||
                !starts_at_lo(few)) {
                exact = exact && whole.exact;
                out = scope.unite(out, {{whole.piece}, true, false});
                continue;
            }
            for (Integer k = 0; k < *n; k = k + 1) {
                const Affine x = *few.lo + Affine(k * few.stride);
                out = scope.unite(out, {{range_sum(many, Piece{x, x, 1, 0}).piece}, true, false});
            }
        }
    }
    out.exact = out.exact && exact;
    out.hull = out.hull || a.hull || b.hull;
    return out;
}

IndexSet ValueSets::scaled(const IndexSet& a, const Integer& by) const {
    if (by.is_zero()) return a.pieces.empty() ? a : IndexSet::at(0);
    IndexSet out = a;
    for (Piece& p : out.pieces) {
        const auto times = [&](const std::optional<Affine>& end) {
            return end ? std::optional<Affine>(*end * by) : std::nullopt;
        };
        const Affine base = p.stride == 1 ? Affine(0) : p.anchor;
        p = {times(p.lo), times(p.hi), p.stride * abs(by), base * by};
        if (by.sign() < 0) std::swap(p.lo, p.hi);
        if (p.stride == 1) p.anchor = 0;
    }
    IndexSet rebuilt = scope.unite(out, IndexSet::none());
    rebuilt.exact = out.exact;
    return rebuilt;
}

IndexSet ValueSets::affine(const Affine& form) const {
    IndexSet out = IndexSet::at(form.constant());
    std::set<Expr> used;
    bool repeated = false;
    for (const auto& [term, factor] : form.terms()) {
        for (Expr v : free_vars(term)) {
            if (domains.count(v) != 0) repeated = !used.insert(v).second || repeated;
        }
        out = sum(out, scaled(of(term), factor));
    }
    return repeated ? inexact(out) : out;
}

// floor(x / by) for by > 0. Steps up to `by` leave no quotient out.
IndexSet ValueSets::quotient(const IndexSet& a, const Integer& by) const {
    IndexSet out = IndexSet::none();
    bool exact = a.exact;
    for (const Piece& p : a.pieces) {
        const auto end = [&](const std::optional<Affine>& x) -> std::optional<Affine> {
            if (!x) return std::nullopt;
            if (x->is_constant()) return Affine(floordiv(x->constant(), by));
            Affine whole;
            Affine rest = x->constant() - floordiv(x->constant(), by) * by;
            whole.add(floordiv(x->constant(), by));
            for (const auto& [term, factor] : x->terms()) {
                const Integer q = floordiv(factor, by);
                whole.add(Affine::term(term, q));
                rest.add(Affine::term(term, factor - q * by));
            }
            if (rest.is_constant()) return whole;
            const ir::ScalarType type = rest.terms()[0].first->type;
            Expr e = rest.expr(scope.ctx(), type);
            if (e == nullptr || !by.in_range(type)) return std::nullopt;
            Expr divisor = scope.ctx().int_imm(type, *by.to_int128());
            return whole + Affine::term(scope.ctx().floordiv(e, divisor));
        };
        Piece q{end(p.lo), end(p.hi), 1, 0};
        const bool lost = (p.lo && !q.lo) || (p.hi && !q.hi);
        if (p.stride > by && floormod(p.stride, by).is_zero() && p.anchor.is_constant()) {
            q.stride = floordiv(p.stride, by);
            q.anchor = floordiv(p.anchor.constant(), by);
        } else if (p.stride > by) {
            exact = false;
        }
        // An upper end that is no member may have a quotient that no member has.
        const bool tight = p.stride == 1 || (p.is_constant() && starts_at_lo(p));
        const bool there = a.pieces.size() == 1 || scope.is_empty({{p}, true, false}) == false;
        exact = exact && !lost && tight && there;
        out = scope.unite(out, {{q}, true, false});
    }
    out.exact = out.exact && exact;
    out.hull = out.hull || a.hull;
    return out;
}

// x - by * floor(x / by) for by > 0: pieces that cross a multiple of `by` are cut there.
IndexSet ValueSets::remainder(const IndexSet& a, const Integer& by) const {
    IndexSet out = IndexSet::none();
    bool exact = a.exact;
    for (const Piece& p : a.pieces) {
        const Integer step = gcd(p.stride, by);
        const bool fixed = p.anchor.is_constant();
        Piece whole{Affine(0), Affine(by - 1), fixed ? step : Integer(1), 0};
        if (fixed && step != 1) whole.anchor = p.anchor;
        const std::optional<Integer> n = count(p);
        const bool constant = p.is_constant() && p.lo && p.hi;
        // All residues of a full round: every member of `whole` is met.
        const bool full = n ? *n * p.stride >= floordiv(p.stride, step) * by : !(p.lo && p.hi);
        if (full || !constant) {
            exact = exact && full && (fixed || p.stride == 1);
            out = scope.unite(out, {{whole}, true, false});
            continue;
        }
        if (*n > Integer(static_cast<ir::Int128>(kMostSummands)) && p.stride != 1) {
            exact = false;
            out = scope.unite(out, {{whole}, true, false});
            continue;
        }
        Integer at = p.lo->constant();
        const Integer end = p.hi->constant();
        while (at <= end) {  // one run of members between two multiples of `by`
            const Integer base = floordiv(at, by) * by;
            Integer last = min(end, base + by - 1);
            last = last - floormod(last - at, p.stride);
            out = scope.unite(out, IndexSet::range(at - base, last - base, p.stride));
            at = last + p.stride;
        }
    }
    out.exact = out.exact && exact;
    out.hull = out.hull || a.hull;
    return out;
}

// min and max cut the other operand's set at a constant or parameter.
IndexSet ValueSets::extremum(Expr e) const {
    for (const auto& [x, y] : {std::pair(e->arg(0), e->arg(1)), std::pair(e->arg(1), e->arg(0))}) {
        const IndexSet limit = of(y);
        if (limit.pieces.size() != 1 || !limit.exact) continue;
        const Piece& p = limit.pieces[0];
        if (!p.lo || !p.hi || !(*p.lo == *p.hi)) continue;
        const IndexSet values = of(x);
        const Piece beyond =
            e->op == Op::Min ? Piece{p.lo, std::nullopt, 1, 0} : Piece{std::nullopt, p.lo, 1, 0};
        const IndexSet cut{{beyond}, true, false};
        const auto reached = scope.intersect(values, cut);
        const auto kept = scope.subtract(values, cut);
        if (!reached || !kept) continue;
        const std::optional<bool> none = scope.is_empty(*reached);
        if (none == true) return *kept;
        const IndexSet out = scope.unite(*kept, IndexSet::at(*p.lo));
        return none == false ? out : inexact(out);
    }
    return bounds(e);
}

// Of u * s, for a parameter s that is not negative: the ends of u, times s. A stride would be a
// multiple of s, which a piece cannot say.
std::optional<IndexSet> ValueSets::product(Expr e) const {
    const auto varies = [&](Expr x) {
        const std::vector<Expr> used = free_vars(x);
        return std::any_of(used.begin(), used.end(), [&](Expr v) { return domains.count(v) != 0; });
    };
    for (const auto& [u, s] : {std::pair(e->arg(0), e->arg(1)), std::pair(e->arg(1), e->arg(0))}) {
        if (varies(s) || !scope.proves_le(0, Affine::of(s))) continue;
        IndexSet out = inexact(of(u));
        const auto times = [&](const std::optional<Affine>& end) -> std::optional<Affine> {
            if (!end) return std::nullopt;
            Affine sum = Affine::of(s) * end->constant();
            for (const auto& [t, factor] : end->terms()) {
                sum.add(Affine::term(scope.ctx().mul(t, s)), factor);
            }
            return sum;
        };
        for (Piece& p : out.pieces) p = {times(p.lo), times(p.hi), 1, 0};
        return out;
    }
    return std::nullopt;
}

// What intervals, congruences and known bits say, one piece.
IndexSet ValueSets::bounds(Expr e) const {
    ir::NumberEval eval(ir::Reading::Program);
    for (const auto& [v, set] : domains) {
        ir::Interval range;
        bool first = true;
        for (const Piece& p : set.pieces) {
            ir::Interval piece;
            if (p.lo && p.lo->is_constant()) piece.lo = p.lo->constant();
            if (p.hi && p.hi->is_constant()) piece.hi = p.hi->constant();
            range = first ? piece : join(range, piece);
            first = false;
        }
        eval.know(v, ir::Number::of(range));
    }
    const ir::Number known = eval(e);
    Piece out;
    if (known.range.lo) out.lo = Affine(*known.range.lo);
    if (known.range.hi) out.hi = Affine(*known.range.hi);
    if (!known.rest.is_constant()) {
        out.stride = known.rest.modulus;
        out.anchor = known.rest.remainder;
    }
    if (out.stride == 1) out.anchor = 0;
    return inexact(scope.unite({{out}, true, false}, IndexSet::none()));
}

IndexSet ValueSets::structural(Expr e) const {
    const auto constant = [&]() -> std::optional<Integer> {
        if (e->args.size() != 2 || !ir::is_int_const(e->arg(1))) return std::nullopt;
        return Integer(e->arg(1)->int_value());
    };
    const std::optional<Integer> c = constant();
    switch (e->op) {
        case Op::Var: {
            const auto at = domains.find(e);
            return at == domains.end() ? IndexSet::at(Affine::term(e)) : at->second;
        }
        case Op::IntImm:
        case Op::Neg:
        case Op::Add:
        case Op::Sub:
        case Op::Shl:
        case Op::Mul: {
            const Affine form = Affine::of(e);
            const bool opaque = form.terms().size() == 1 && form.terms()[0].first == e;
            if (!opaque) return affine(form);
            const std::vector<Expr> used = free_vars(e);
            const bool varies = std::any_of(used.begin(), used.end(),
                                            [&](Expr v) { return domains.count(v) != 0; });
            if (!varies) return IndexSet::at(Affine::term(e));
            if (e->op != Op::Mul) return bounds(e);
            const std::optional<IndexSet> scaled = product(e);
            return scaled ? *scaled : bounds(e);
        }
        case Op::FloorDiv:
            if (c && c->sign() > 0) return quotient(of(e->arg(0)), *c);
            break;
        case Op::FloorMod:
            if (c && c->sign() > 0) return remainder(of(e->arg(0)), *c);
            break;
        case Op::Shr:
            if (c && c->sign() >= 0 && *c < Integer(e->type.bits)) {
                const auto k = static_cast<unsigned>(*c->to_int128());
                return quotient(of(e->arg(0)), Integer::power_of_two(k));
            }
            break;
        case Op::BitAnd:
            if (c && c->sign() > 0 &&
                (*c + 1) == Integer::power_of_two(static_cast<unsigned>(c->bit_length()))) {
                return remainder(of(e->arg(0)), *c + 1);
            }
            break;
        case Op::Min:
        case Op::Max: return extremum(e);
        case Op::Select:
        case Op::IfThenElse: return inexact(scope.unite(of(e->arg(1)), of(e->arg(2))));
        default: break;
    }
    return bounds(e);
}

std::optional<IndexSet> ValueSets::enumerated(Expr e) const {
    std::vector<std::pair<Expr, std::vector<Integer>>> axes;
    std::size_t points = 1;
    for (Expr v : free_vars(e)) {
        const auto at = domains.find(v);
        if (at == domains.end() || !at->second.exact) return std::nullopt;
        auto values = members(at->second, most_points);
        if (!values || values->empty()) return std::nullopt;
        points *= values->size();
        if (points > most_points) return std::nullopt;
        axes.emplace_back(v, std::move(*values));
    }
    std::set<Integer> found;
    for (std::size_t n = 0; n < points; ++n) {
        ir::Environment env;
        std::size_t rest = n;
        for (const auto& [v, values] : axes) {
            env.vars[v] = ir::Value::of_int(values[rest % values.size()]);
            rest /= values.size();
        }
        const ir::Evaluation out = evaluate(e, env);
        if (!out.ok()) continue;
        if (out.value.is_indet()) return std::nullopt;
        found.insert(out.value.integer());
    }
    // Runs of equal steps; a run of two is two numbers.
    std::vector<Integer> sorted(found.begin(), found.end());
    IndexSet out = IndexSet::none();
    for (std::size_t i = 0; i < sorted.size();) {
        std::size_t end = i + 1;
        const Integer step = end < sorted.size() ? sorted[end] - sorted[i] : Integer(1);
        while (end < sorted.size() && sorted[end] - sorted[end - 1] == step) ++end;
        if (end == i + 2 && step != 1) end = i + 1;
        out = scope.unite(out, IndexSet::range(sorted[i], sorted[end - 1], step));
        i = end;
    }
    return out;
}

IndexSet ValueSets::of(Expr e) const {
    IndexSet out = e->type.is_exact_int() || e->op == Op::Var ? structural(e) : bounds(e);
    if (out.exact) return out;
    const bool loads = has_op(e, Op::Load) || has_op(e, Op::CallExtern) || has_op(e, Op::Undef);
    if (loads) return out;
    std::optional<IndexSet> listed = enumerated(e);
    // A hull of what was listed may be no better than what is known.
    return listed && listed->exact ? *listed : out;
}

std::optional<std::vector<Integer>> members(const IndexSet& a, std::size_t most) {
    std::set<Integer> out;
    for (const Piece& p : a.pieces) {
        if (!p.is_constant() || !p.lo || !p.hi) return std::nullopt;
        for (Integer x = p.lo->constant(); x <= p.hi->constant(); x = x + p.stride) {
            if (p.stride != 1) {  // the lower end may be no member
                x = x + floormod(p.anchor.constant() - x, p.stride);
                if (x > p.hi->constant()) break;
            }
            out.insert(x);
            if (out.size() > most) return std::nullopt;
        }
    }
    return std::vector<Integer>(out.begin(), out.end());
}

}  // namespace proviso::analysis
