#include "analysis/certcheck/polynomial.h"

#include <algorithm>

namespace proviso::certcheck {

namespace {

constexpr std::size_t kMostWork = 10'000'000;  // monomials looked at, in all
constexpr std::size_t kHighestDegree = 64;
constexpr unsigned kMostBits = 65'536;  // of a coefficient

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

Polynomials::Polynomials() {
    monomial({});  // number 0
}

void Polynomials::spend(std::size_t work) {
    work_ += work;
    if (work_ > kMostWork) throw TooLarge("polynomials of more than 10,000,000 terms in all");
}

MonomialId Polynomials::monomial(const Monomial& m) {
    if (m.size() > kHighestDegree) throw TooLarge("a product of more than 64 factors");
    const auto [at, is_new] = monomial_ids_.emplace(m, static_cast<MonomialId>(monomials_.size()));
    if (is_new) monomials_.push_back(&at->first);
    return at->second;
}

PolyId Polynomials::make(const Sum& sum) {
    Terms terms;
    for (const auto& [m, coefficient] : sum) {
        if (coefficient.is_zero()) continue;
        check_size(coefficient);
        terms.emplace_back(m, coefficient);
    }
    spend(sum.size() + 1);
    const auto [at, is_new] =
        poly_ids_.emplace(std::move(terms), static_cast<PolyId>(polys_.size()));
    if (is_new) polys_.push_back(&at->first);
    return at->second;
}

void Polynomials::add(Sum& sum, PolyId p, const Integer& factor) {
    spend(terms(p).size() + 1);
    for (const auto& [m, coefficient] : terms(p)) sum[m] += coefficient * factor;
}

PolyId Polynomials::constant(const Integer& value) {
    return make({{MonomialId{0}, value}});
}

PolyId Polynomials::atom(AtomId atom) {
    return make({{monomial({atom}), Integer(1)}});
}

PolyId Polynomials::product(PolyId a, PolyId b) {
    Sum sum;
    spend(terms(a).size() * terms(b).size());
    for (const auto& [m, x] : terms(a)) {
        for (const auto& [n, y] : terms(b)) {
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
