#include "analysis/sets/index_set.h"

#include <algorithm>

#include "ir/domains/congruence.h"

namespace proviso::analysis {

using ir::Expr;
using ir::Integer;

namespace {

constexpr int kMostResidues = 16;  // that a difference of strided pieces is split into

// Whether a - b is a multiple of m, whatever the parameters; none: it depends.
std::optional<bool> congruent(const Affine& a, const Affine& b, const Integer& m) {
    const Affine gap = a - b;
    for (const auto& [term, factor] : gap.terms()) {
        if (!floormod(factor, m).is_zero()) return std::nullopt;
    }
    return floormod(gap.constant(), m).is_zero();
}

// Constant ends moved inwards to members, a constant anchor reduced.
Piece normal(Piece p) {
    if (p.stride == 1) {
        p.anchor = 0;
        return p;
    }
    if (p.anchor.is_constant()) p.anchor = floormod(p.anchor.constant(), p.stride);
    const auto gap = [&](const Affine& from, const Affine& to) -> std::optional<Integer> {
        const Affine d = to - from;
        for (const auto& [term, factor] : d.terms()) {
            if (!floormod(factor, p.stride).is_zero()) return std::nullopt;
        }
        return floormod(d.constant(), p.stride);
    };
    if (p.lo) {
        if (const auto up = gap(*p.lo, p.anchor)) p.lo = *p.lo + Affine(*up);
    }
    if (p.hi) {
        if (const auto down = gap(p.anchor, *p.hi)) p.hi = *p.hi - Affine(*down);
    }
    return p;
}

// The first member is the lower end itself.
bool starts_at_member(const Piece& p) {
    return p.stride == 1 || (p.lo && congruent(*p.lo, p.anchor, p.stride) == true);
}

bool constant(const std::optional<Affine>& end) {
    return !end || end->is_constant();
}

}  // namespace

bool Piece::is_constant() const {
    return constant(lo) && constant(hi) && anchor.is_constant();
}

IndexSet IndexSet::everything() {
    return {{Piece{std::nullopt, std::nullopt, 1, 0}}, true, false};
}

IndexSet IndexSet::at(const Affine& value) {
    return {{Piece{value, value, 1, 0}}, true, false};
}

IndexSet IndexSet::range(const Affine& lo, const Affine& hi, const Integer& stride) {
    return {{normal(Piece{lo, hi, stride, lo})}, true, false};
}

bool IndexSet::is_constant() const {
    return std::all_of(pieces.begin(), pieces.end(),
                       [](const Piece& p) { return p.is_constant(); });
}

bool SetScope::proves_le(const Affine& a, const Affine& b) const {
    const Affine gap = b - a;
    if (gap.is_constant()) return gap.constant().sign() >= 0;
    const ir::ScalarType type = gap.terms()[0].first->type;
    Expr e = gap.expr(ctx(), type);
    return e != nullptr && prover_.proves_cheaply(facts_, ctx().le(ctx().int_imm(type, 0), e));
}

std::optional<bool> SetScope::compare(const Affine& a, const Affine& b) const {
    if (proves_le(a, b)) return true;
    if (proves_le(b + Affine(1), a)) return false;
    return std::nullopt;
}

std::optional<Affine> SetScope::least(const Affine& a, const Affine& b) const {
    if (proves_le(a, b)) return a;
    if (proves_le(b, a)) return b;
    return std::nullopt;
}

std::optional<Affine> SetScope::most(const Affine& a, const Affine& b) const {
    if (proves_le(a, b)) return b;
    if (proves_le(b, a)) return a;
    return std::nullopt;
}

std::optional<bool> SetScope::is_empty(const Piece& p) const {
    if (!p.lo || !p.hi) return false;
    if (const auto some = compare(*p.lo, *p.hi)) {
        if (!*some) return true;
        if (starts_at_member(p)) return false;
    }
    return std::nullopt;
}

bool SetScope::within(const Piece& a, const Piece& b) const {
    const bool lower = !b.lo || (a.lo && proves_le(*b.lo, *a.lo));
    const bool upper = !b.hi || (a.hi && proves_le(*a.hi, *b.hi));
    return lower && upper && floormod(a.stride, b.stride).is_zero() &&
           congruent(a.anchor, b.anchor, b.stride) == true;
}

// One range, where the second starts within the first or right after it.
std::optional<Piece> SetScope::merged(const Piece& a, const Piece& b) const {
    if (a.stride != b.stride || congruent(a.anchor, b.anchor, a.stride) != true) {
        return std::nullopt;
    }
    if (!starts_at_member(b) || !b.lo || (a.lo && !starts_at_member(a))) return std::nullopt;
    if (a.lo && !proves_le(*a.lo, *b.lo)) return std::nullopt;
    if (a.hi && !proves_le(*b.lo, *a.hi + Affine(a.stride))) return std::nullopt;
    Piece out = a;
    if (!a.hi || !b.hi) {
        out.hi = std::nullopt;
        return out;
    }
    out.hi = most(*a.hi, *b.hi);
    return out.hi ? std::optional<Piece>(out) : std::nullopt;
}

void SetScope::insert(std::vector<Piece>& pieces, Piece piece) const {
    if (is_empty(piece) == true) return;
    for (std::size_t i = 0; i < pieces.size();) {
        if (within(piece, pieces[i])) return;
        std::optional<Piece> one;
        if (within(pieces[i], piece)) one = piece;
        if (!one) one = merged(pieces[i], piece);
        if (!one) one = merged(piece, pieces[i]);
        if (!one) {
            ++i;
            continue;
        }
        piece = *one;  // may now touch one that was passed already
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i));
        i = 0;
    }
    pieces.push_back(std::move(piece));
}

Piece SetScope::hull_of(const std::vector<Piece>& pieces) const {
    Piece out = pieces.at(0);
    for (const Piece& p : pieces) {
        out.lo = out.lo && p.lo ? least(*out.lo, *p.lo) : std::nullopt;
        out.hi = out.hi && p.hi ? most(*out.hi, *p.hi) : std::nullopt;
        out.stride = gcd(out.stride, p.stride);
        const Affine gap = p.anchor - out.anchor;
        for (const auto& [term, factor] : gap.terms()) out.stride = gcd(out.stride, factor);
        out.stride = gcd(out.stride, gap.constant());
    }
    return normal(out);
}

IndexSet SetScope::collected(const std::vector<Piece>& pieces, bool exact, bool hull) const {
    IndexSet out{{}, exact, hull};
    for (const Piece& p : pieces) insert(out.pieces, normal(p));
    if (out.pieces.size() > kMostPieces) {
        out.pieces = {hull_of(out.pieces)};
        out.exact = false;
        out.hull = true;
    }
    if (out.is_constant()) {
        std::stable_sort(out.pieces.begin(), out.pieces.end(), [](const Piece& a, const Piece& b) {
            if (!a.lo || !b.lo) return !a.lo && b.lo;
            return a.lo->constant() < b.lo->constant();
        });
    }
    return out;
}

IndexSet SetScope::unite(const IndexSet& a, const IndexSet& b) const {
    std::vector<Piece> all = a.pieces;
    all.insert(all.end(), b.pieces.begin(), b.pieces.end());
    return collected(all, a.exact && b.exact, a.hull || b.hull);
}

std::optional<std::optional<Piece>> SetScope::intersect(const Piece& a, const Piece& b) const {
    Piece out;
    out.lo = a.lo && b.lo ? most(*a.lo, *b.lo) : a.lo ? a.lo : b.lo;
    out.hi = a.hi && b.hi ? least(*a.hi, *b.hi) : a.hi ? a.hi : b.hi;
    const bool incomparable = (a.lo && b.lo && !out.lo) || (a.hi && b.hi && !out.hi);
    if (incomparable) return std::nullopt;
    const auto same = congruent(a.anchor, b.anchor, gcd(a.stride, b.stride));
    if (!same) return std::nullopt;
    if (!*same) return std::optional<Piece>();
    if (floormod(a.stride, b.stride).is_zero() || floormod(b.stride, a.stride).is_zero()) {
        const Piece& finer = a.stride < b.stride ? b : a;
        out.stride = finer.stride;
        out.anchor = finer.anchor;
    } else {
        if (!a.anchor.is_constant() || !b.anchor.is_constant()) return std::nullopt;
        const auto both = meet(ir::Congruence::of(a.stride, a.anchor.constant()),
                               ir::Congruence::of(b.stride, b.anchor.constant()));
        const Integer period = floordiv(a.stride, gcd(a.stride, b.stride)) * b.stride;
        if (!both || both->modulus != period) return std::nullopt;
        out.stride = period;
        out.anchor = both->remainder;
    }
    out = normal(out);
    if (is_empty(out) == true) return std::optional<Piece>();
    return std::optional<Piece>(out);
}

std::optional<IndexSet> SetScope::intersect(const IndexSet& a, const IndexSet& b) const {
    std::vector<Piece> out;
    for (const Piece& p : a.pieces) {
        for (const Piece& q : b.pieces) {
            const auto both = intersect(p, q);
            if (!both) return std::nullopt;
            if (*both) out.push_back(**both);
        }
    }
    return collected(out, a.exact && b.exact, a.hull || b.hull);
}

// p without q: below q, above q, and within q the residues that q leaves out.
std::optional<std::vector<Piece>> SetScope::subtract(const Piece& p, const Piece& q) const {
    const auto apart = congruent(p.anchor, q.anchor, gcd(p.stride, q.stride));
    if (apart == false) return std::vector<Piece>{p};
    if (!apart) return std::nullopt;
    std::vector<Piece> out;
    if (q.lo) {
        Piece below = p;
        below.hi = p.hi ? least(*p.hi, *q.lo - Affine(1)) : *q.lo - Affine(1);
        if (!below.hi) return std::nullopt;
        out.push_back(normal(below));
    }
    if (q.hi) {
        Piece above = p;
        above.lo = p.lo ? most(*p.lo, *q.hi + Affine(1)) : *q.hi + Affine(1);
        if (!above.lo) return std::nullopt;
        out.push_back(normal(above));
    }
    const Integer period = floordiv(q.stride, gcd(p.stride, q.stride));  // in steps of p
    if (period == 1) return out;
    if (period > kMostResidues) return std::nullopt;
    for (Integer k = 0; k < period; k = k + 1) {
        Piece rest = p;
        rest.stride = p.stride * period;
        rest.anchor = p.anchor + Affine(k * p.stride);
        const auto taken = congruent(rest.anchor, q.anchor, q.stride);
        if (!taken) return std::nullopt;
        if (*taken) continue;
        Piece inside = q;
        inside.stride = 1;
        inside.anchor = 0;
        const auto part = intersect(rest, inside);
        if (!part) return std::nullopt;
        if (*part) out.push_back(**part);
    }
    return out;
}

std::optional<IndexSet> SetScope::subtract(const IndexSet& a, const IndexSet& b) const {
    // Taking away members that may be no values could take away values.
    if (!b.exact) return std::nullopt;
    std::vector<Piece> rest = a.pieces;
    for (const Piece& q : b.pieces) {
        std::vector<Piece> next;
        for (const Piece& p : rest) {
            const auto parts = subtract(p, q);
            if (!parts) return std::nullopt;
            for (const Piece& part : *parts) {
                if (is_empty(part) != true) next.push_back(part);
            }
        }
        rest = std::move(next);
        if (rest.size() > kMostPieces * kMostPieces) return std::nullopt;
    }
    return collected(rest, a.exact, a.hull);
}

std::optional<bool> SetScope::contains(const IndexSet& a, const Affine& value) const {
    bool known = true;
    for (const Piece& p : a.pieces) {
        const auto above = p.lo ? compare(*p.lo, value) : std::optional<bool>(true);
        const auto below = p.hi ? compare(value, *p.hi) : std::optional<bool>(true);
        const auto on = congruent(value, p.anchor, p.stride);
        if (above == true && below == true && on == true) return true;
        known = known && (above == false || below == false || on == false);
    }
    return known ? std::optional<bool>(false) : std::nullopt;
}

std::optional<bool> SetScope::is_empty(const IndexSet& a) const {
    bool known = true;
    for (const Piece& p : a.pieces) {
        const auto empty = is_empty(p);
        if (empty == false) return false;
        known = known && empty == true;
    }
    return known ? std::optional<bool>(true) : std::nullopt;
}

std::optional<bool> SetScope::within(const IndexSet& a, const IndexSet& b) const {
    const bool each = std::all_of(a.pieces.begin(), a.pieces.end(), [&](const Piece& p) {
        return std::any_of(b.pieces.begin(), b.pieces.end(),
                           [&](const Piece& q) { return within(p, q); });
    });
    if (each) return true;
    IndexSet members = b;
    members.exact = true;  // asked of members, not of values
    const std::optional<IndexSet> rest = subtract(a, members);
    return rest ? is_empty(*rest) : std::nullopt;
}

std::string SetScope::str(const Piece& p) const {
    if (p.lo && p.hi && *p.lo == *p.hi && starts_at_member(p)) return "{" + p.lo->str(ctx()) + "}";
    std::string out =
        "[" + (p.lo ? p.lo->str(ctx()) : "-inf") + ", " + (p.hi ? p.hi->str(ctx()) : "inf") + "]";
    if (p.stride == 1) return out;
    out += " by " + p.stride.str();
    if (!starts_at_member(p)) out += " from " + p.anchor.str(ctx());
    return out;
}

std::string SetScope::str(const IndexSet& a) const {
    if (a.pieces.empty()) return "{}";
    std::string out;
    for (const Piece& p : a.pieces) out += (out.empty() ? "" : " + ") + str(p);
    if (a.hull) return out + " (hull)";
    return a.exact ? out : out + " (at most)";
}

}  // namespace proviso::analysis
