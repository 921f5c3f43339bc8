#include "analysis/certcheck/polynomial.h"

#include <algorithm>

namespace proviso::certcheck {

namespace {

// A term of a polynomial: a place in a table on the way, and then one in a vector.
constexpr std::size_t kTerm = 10;

void check_size(const Integer& value) {
    if (!value.is_zero() && boost::multiprecision::msb(abs(value)) >= kMostBits) {
        throw TooLarge("a coefficient of more than 65,536 bits");
    }
}

}  // namespace

Integer floor_divide(const Integer& dividend, const Integer& divisor) {
    const Integer quotient = dividend / divisor;  // towards zero
    return quotient * divisor > dividend ? quotient - 1 : quotient;
}

Polynomials::Polynomials(Budget& budget) : budget_(budget) {
    monomial({});  // number 0
}

MonomialId Polynomials::monomial(const Monomial& m) {
    if (m.size() > kMostFactors) throw TooLarge("a product of more than 64 factors");
    budget_.work(Budget::kLookup + m.size());
    const auto [at, is_new] = monomial_ids_.emplace(m, static_cast<MonomialId>(monomials_.size()));
    if (is_new) {
        monomials_.push_back(&at->first);
        budget_.keep(sizeof(Monomial) + 4 * m.size() + 64);
    }
    return at->second;
}

PolyId Polynomials::make(const Sum& sum) {
    Terms terms;
    std::size_t words = 0;
    for (const auto& [m, coefficient] : sum) {
        if (coefficient.is_zero()) continue;
        check_size(coefficient);
        words += words_in(coefficient);
        terms.emplace_back(m, coefficient);
    }
    const std::size_t size = terms.size();
    budget_.work(Budget::kLookup + kTerm * sum.size() + words);
    const auto [at, is_new] =
        poly_ids_.emplace(std::move(terms), static_cast<PolyId>(polys_.size()));
    if (is_new) {
        polys_.push_back(&at->first);
        budget_.keep(sizeof(Terms) + 64 + size * sizeof(Terms::value_type) + 8 * words);
    }
    return at->second;
}

void Polynomials::add(Sum& sum, PolyId p, const Integer& factor) {
    for (const auto& [m, coefficient] : terms(p)) {
        budget_.work(kTerm + words_in(coefficient) * words_in(factor));
        sum[m] += coefficient * factor;
    }
}

PolyId Polynomials::constant(const Integer& value) {
    return make({{MonomialId{0}, value}});
}

PolyId Polynomials::atom(AtomId atom) {
    return make({{monomial({atom}), Integer(1)}});
}

PolyId Polynomials::product(PolyId a, PolyId b) {
    Sum sum;
    for (const auto& [m, x] : terms(a)) {
        for (const auto& [n, y] : terms(b)) {
            budget_.work(kTerm + words_in(x) * words_in(y));
            Monomial both;
            std::merge(monomials_[m]->begin(), monomials_[m]->end(), monomials_[n]->begin(),
                       monomials_[n]->end(), std::back_inserter(both));
            sum[monomial(both)] += x * y;
        }
    }
    return make(sum);
}

PolyId Polynomials::scaled(PolyId p, const Integer& a, const Integer& b) {
    Sum sum{{MonomialId{0}, b}};
    add(sum, p, a);
    return make(sum);
}

PolyId Polynomials::difference(PolyId a, PolyId b) {
    Sum sum;
    add(sum, a, 1);
    add(sum, b, -1);
    return make(sum);
}

std::optional<Integer> Polynomials::constant_value(PolyId p) const {
    const Terms& t = terms(p);
    if (t.empty()) return Integer(0);
    if (t.size() > 1 || t[0].first != 0) return std::nullopt;
    return t[0].second;
}

std::optional<AtomId> Polynomials::single_atom(PolyId p) const {
    const Terms& t = terms(p);
    if (t.size() != 1 || t[0].second != 1) return std::nullopt;
    const Monomial& m = *monomials_[t[0].first];
    if (m.size() != 1) return std::nullopt;
    return m[0];
}

}  // namespace proviso::certcheck
