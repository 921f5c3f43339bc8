// Quotients by one unknown, compared. a = b q + r and c = b p + t with remainders below |b|: where
// a - c is k b, q - p is k, as b (q - p - k) is t - r, less than b on either side. Where a + c is
// k b, b (q + p - k) is -(r + t), which leaves 0 and one |b|. So the difference is split where the
// other side falls by its product with |b|, which makes all of it linear.
#include <algorithm>

#include "analysis/certify/search.h"

namespace proviso::analysis::certificate {

namespace {

constexpr std::size_t kMostQuotients = 12;
constexpr int kMostOpen = 12;  // comparisons on one branch that perhaps decide nothing

}  // namespace

// k with p = k * divisor + rest; p is left with the rest. By the divisor's first term of the
// highest degree, so some multiples are not seen.
Poly Search::multiple_of(const Poly& divisor, Poly& p) {
    constexpr int most = 16;
    const auto degree_of = [&](const auto& t) { return algebra_.factors(t.first).size(); };
    const auto lead =
        std::max_element(divisor.terms.begin(), divisor.terms.end(),
                         [&](const auto& a, const auto& b) { return degree_of(a) < degree_of(b); });
    const std::vector<AtomId> own = algebra_.factors(lead->first);
    const Int128 scale = lead->second;
    Poly k;
    for (int round = 0; round < most; ++round) {
        bool any = false;
        for (const auto& [m, c] : p.terms) {
            const std::vector<AtomId>& factors = algebra_.factors(m);
            if (c % scale != 0 ||
                !std::includes(factors.begin(), factors.end(), own.begin(), own.end())) {
                continue;
            }
            std::vector<AtomId> left;
            std::set_difference(factors.begin(), factors.end(), own.begin(), own.end(),
                                std::back_inserter(left));
            const Poly part =
                left.empty() ? Poly{{}, c / scale}
                             : scaled(algebra_.monomial_poly(algebra_.monomial(left)), c / scale);
            k = combine(k, 1, part, 1);
            p = combine(p, 1, algebra_.multiply(part, divisor), -1);
            any = true;
            break;
        }
        if (!any) break;
    }
    work_.spend(p.terms.size() + divisor.terms.size());
    return k;
}

// p >= 0 as a case, once; a fact where the linear program refutes it.
std::optional<Search::Side> Search::next_side(Scope& s, const Poly& p, FactId size, bool open) {
    if (p.is_constant() || p.content() != 1) return std::nullopt;
    if (!s.compared.insert({p.terms, p.constant}).second) return std::nullopt;
    const std::optional<FactId> never = bound_above(s, p, -1);
    if (never) {
        s.queue.push_back(*never);
        return std::nullopt;
    }
    const bool always = is_impossible(scaled(p, -1, -1));
    simplex_.check();
    if (always && open) return std::nullopt;
    return Side{p, size, open};
}

// Exact: only where one dividend is the other one, or its opposite, but for multiples.
std::optional<Search::Side> Search::quotient_side(Scope& s, bool exact) {
    const bool any = compares_ && !s.quotients.empty();
    if (!any || s.quotients.size() > kMostQuotients) return std::nullopt;
    if (!exact && s.comparisons >= kMostOpen) return std::nullopt;
    const auto value_of = [&](AtomId a) { return algebra_.monomial_poly(algebra_.monomial({a})); };
    const auto first_of = [&](std::initializer_list<Poly> sides, FactId size,
                              bool open) -> std::optional<Side> {
        for (const Poly& p : sides) {
            if (std::optional<Side> side = next_side(s, p, size, open)) {
                s.comparisons += open ? 1 : 0;
                return side;
            }
            if (!s.queue.empty()) break;
        }
        return std::nullopt;
    };
    const std::size_t count = s.quotients.size();
    for (std::size_t i = 0; i < count; ++i) {
        const Scope::Quotient a = s.quotients[i];
        Poly rest = substituted(s, a.dividend);
        const Poly k = multiple_of(a.divisor, rest);
        const bool divides = rest == Poly{};
        if (exact == divides) {
            const Poly d = combine(value_of(a.q), 1, k, -1);
            auto side = first_of({scaled(d, 1, -1), scaled(d, -1, -1)}, a.size, !divides);
            if (side || !s.queue.empty()) return side;
        }
        for (std::size_t j = i + 1; j < count; ++j) {
            const Scope::Quotient b = s.quotients[j];
            Int128 same = 0;
            if (b.divisor == a.divisor) same = 1;
            if (b.divisor == scaled(a.divisor, -1)) same = -1;
            if (same == 0) continue;
            for (const Int128 turn : {Int128{1}, Int128{-1}}) {
                Poly between = substituted(s, combine(a.dividend, 1, b.dividend, -turn));
                const Poly by = multiple_of(a.divisor, between);
                const bool meets = between == Poly{};
                if (exact != meets || (!meets && turn < 0)) continue;
                Poly d = combine(value_of(a.q), 1, value_of(b.q), -turn * same);
                d = combine(d, 1, by, -1);
                std::optional<Side> side;
                if (turn > 0) {
                    side = first_of({scaled(d, 1, -1), scaled(d, -1, -1)}, a.size, !meets);
                } else {
                    const Poly e = a.positive ? scaled(d, -1) : d;  // the remainders are e * |b|
                    side = first_of({scaled(e, 1, -2), scaled(e, -1, -1), scaled(e, 1, -1)}, a.size,
                                    false);
                }
                if (side || !s.queue.empty()) return side;
            }
        }
    }
    return std::nullopt;
}

// side.poly >= 0 or not, with its product with |b|.
Search::Result Search::quotient_split(const Scope& s, const Side& side) {
    constexpr int deepest = 100;
    if (s.depth >= deepest) return std::nullopt;
    Node node;
    node.head = "(case " + algebra_.text(side.poly);
    node.tail = ")";
    for (const bool holds : {true, false}) {
        const Poly p = holds ? side.poly : scaled(side.poly, -1, -1);
        const FactId fact = proof_.add_fact(algebra_.at_least_zero(p));
        Scope inner = s;
        inner.steps.clear();
        inner.queue = {fact};
        ++inner.depth;
        work_.spend(s.arithmetic.size() / 4 + s.disjunctions.size() / 4 + s.candidates.size() / 4);
        if (holds || side.open) {
            Step step;
            step.head = "(mul";
            step.premises = {fact, side.size};
            step.tail = ")";
            inner.products.insert(std::minmax(fact, side.size));
            inner.queue.push_back(add_simple_step(
                inner, std::move(step),
                algebra_.at_least_zero(algebra_.multiply(p, formula(side.size).poly))));
        }
        simplex_.push();
        const Result b = close(inner, false);
        simplex_.pop();
        if (!b) return std::nullopt;
        if (!proof_.needs(*b, fact)) return proof_.lift(*b, s.steps);
        node.branch_facts.push_back(fact);
        node.branches.push_back(*b);
    }
    return proof_.close(std::move(node), s.steps);
}

}  // namespace proviso::analysis::certificate
