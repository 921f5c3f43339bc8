// Integrality: a form that must be an integer and is not in the model gets a bound as a cut, when
// the linear program shows that only one side is possible.
#include <algorithm>

#include "analysis/certify/search.h"

namespace proviso::analysis::certificate {

std::optional<FactId> Search::bound_above(Scope& s, const Poly& p, Int128 limit) {
    Poly above = p;  // p - limit - 1 >= 0 is tried
    above.constant = add(above.constant, negate(add(limit, 1)));
    const FactId trial = proof_.add_fact(algebra_.at_least_zero(above));
    simplex_.push();
    Scope scratch;
    const bool refuted = assert_fact(scratch, trial).has_value() || !simplex_.check();
    Multipliers m;
    if (refuted) m = to_integers(simplex_.conflict());
    simplex_.pop();
    if (!refuted) return std::nullopt;
    Multipliers others;
    for (const auto& [f, k] : m) {
        if (f != trial) others.emplace_back(f, k);
    }
    if (others.size() == m.size()) return std::nullopt;
    return add_cut(s, others, false);
}

// True when a cut was added. `open`: a form with a fractional value and both sides possible, moved
// so that >= 0 and <= -1 are the sides.
bool Search::cut_by_probing(Scope& s, std::optional<Poly>& open) {
    constexpr int most = 24;
    int probed = 0;
    int narrow_tried = 0;
    bool is_narrow_open = false;  // what is split on should have few values
    for (const Poly& p : s.candidates) {
        if (probed >= most) break;
        const Rational v = value(s, p);
        if (v.is_integer()) continue;
        ++probed;
        const Poly form = p;
        const Int128 below = v.floor();
        std::optional<FactId> cut = bound_above(s, form, below);
        if (!cut) cut = bound_above(s, scaled(form, -1), negate(add(below, 1)));
        if (cut) {
            s.queue.push_back(*cut);
            return true;
        }
        if (!open || (!is_narrow_open && narrow_tried++ < 6 && is_narrow(form, below))) {
            is_narrow_open = open.has_value() || is_narrow(form, below);
            open = scaled(form, 1, negate(add(below, 1)));
        }
        simplex_.check();
    }
    return false;
}

bool Search::is_impossible(Poly at_least_zero) {
    const FactId trial = proof_.add_fact(algebra_.at_least_zero(std::move(at_least_zero)));
    simplex_.push();
    Scope scratch;
    const bool out = assert_fact(scratch, trial).has_value() || !simplex_.check();
    simplex_.pop();
    return out;
}

// Few values are possible for p.
bool Search::is_narrow(const Poly& p, Int128 below) {
    constexpr Int128 width = 8;
    return is_impossible(scaled(p, 1, negate(add(below, width)))) &&
           is_impossible(scaled(p, -1, add(below, -width)));
}

namespace {

using Key = std::pair<Int128, std::vector<std::pair<MonomialId, Int128>>>;
using Linear = std::vector<std::pair<MonomialId, Int128>>;

// A fact d P + R + c >= 0, sign times what it is written as.
struct Row {
    FactId fact;
    Int128 sign;
    Int128 constant;
    Int128 scale;  // R is this many times what it is listed under
    bool has_part;
};

constexpr std::size_t kLongestRow = 8;
constexpr std::size_t kLongestRest = 4;
constexpr std::size_t kMostDivisors = 10;
constexpr std::size_t kMostRowCuts = 150;  // in a scope
constexpr Int128 kLargestScale = 64;

}  // namespace

// d P + R + b >= 0 and d Q - R + c >= 0 give P + Q >= -floor((b + c) / d): quotients of one
// dividend get compared.
bool Search::combine_rows(Scope& s) {
    if (s.combined == s.arithmetic.size() || s.row_cuts >= kMostRowCuts) return false;
    s.combined = s.arithmetic.size();
    std::set<Int128> divisors;
    std::vector<FactId> facts;
    std::map<Linear, Int128> known;  // best constant of an inequality
    for (FactId f : s.arithmetic) {
        const Poly& p = formula(f).poly;
        if (p.terms.size() > kLongestRow) continue;
        if (p.terms.size() == 1 && magnitude(p.constant) >= (Int128{1} << 31) - 1) continue;
        facts.push_back(f);
        if (formula(f).kind == Formula::Kind::AtLeastZero) {
            const auto [at, is_new] = known.emplace(p.terms, p.constant);
            at->second = std::min(at->second, p.constant);
        }
        for (const auto& [m, c] : p.terms) {
            if (magnitude(c) > 1 && divisors.size() < kMostDivisors) divisors.insert(magnitude(c));
        }
    }
    work_.spend(s.arithmetic.size());
    if (facts.size() > 200) return false;
    std::map<Key, std::vector<Row>> rows;
    std::vector<Multipliers> cuts;
    for (FactId f : facts) {
        const bool equation = formula(f).kind == Formula::Kind::Zero;
        for (const Int128 d : divisors) {
            for (const Int128 sign : {Int128{1}, Int128{-1}}) {
                if (sign < 0 && !equation) continue;
                const Poly p = scaled(formula(f).poly, sign);
                Linear rest;
                for (const auto& [m, c] : p.terms) {
                    if (c % d != 0) rest.emplace_back(m, c);
                }
                if (rest.empty() || rest.size() > kLongestRest) continue;
                Int128 scale = 0;
                for (const auto& [m, c] : rest) scale = gcd(scale, c);
                const Row row{f, sign, p.constant, scale, rest.size() < p.terms.size()};
                Linear opposite = rest;
                for (auto& [m, c] : rest) c /= scale;
                for (auto& [m, c] : opposite) c = negate(c) / scale;
                work_.spend(rest.size() + 2);
                const auto partners = rows.find({d, opposite});
                if (partners != rows.end()) {
                    for (const Row& other : partners->second) {
                        if (other.fact == f || (!row.has_part && !other.has_part)) continue;
                        const Int128 g = gcd(row.scale, other.scale);
                        const Int128 mine = other.scale / g;
                        const Int128 its = row.scale / g;
                        if (mine > kLargestScale || its > kLargestScale) continue;
                        if (add(multiply(row.constant, mine), multiply(other.constant, its)) % d ==
                            0) {
                            continue;
                        }
                        cuts.push_back(
                            {{other.fact, multiply(other.sign, its)}, {f, multiply(sign, mine)}});
                    }
                }
                rows[{d, rest}].push_back(row);
            }
        }
    }
    bool any = false;
    for (const Multipliers& m : cuts) {
        if (s.row_cuts >= kMostRowCuts) break;
        Poly sum =
            combine(formula(m[0].first).poly, m[0].second, formula(m[1].first).poly, m[1].second);
        const Int128 g = sum.content();
        if (g == 0) continue;
        for (auto& [mono, c] : sum.terms) c /= g;
        sum.constant = floor_div(sum.constant, g);
        const auto [at, is_new] = known.emplace(sum.terms, sum.constant);
        if (!is_new && at->second <= sum.constant) continue;
        at->second = sum.constant;
        s.queue.push_back(add_cut(s, m, false));
        ++s.row_cuts;
        any = true;
    }
    return any;
}

}  // namespace proviso::analysis::certificate
