// Integrality: a form that must be an integer and is not in the model gets a bound as a cut, when
// the linear program shows that only one side is possible.
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
    for (const Poly& p : s.candidates) {
        if (probed >= most) break;
        const Rational v = value(p);
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
        if (!open) open = scaled(form, 1, negate(add(below, 1)));
        simplex_.check();
    }
    return false;
}

}  // namespace proviso::analysis::certificate
