#include "analysis/cheap/atoms.h"

#include <algorithm>

namespace proviso::analysis::cheap {

Interval intersect(const Interval& a, const Interval& b) {
    Interval out = a;
    if (b.lo && (!out.lo || *out.lo < *b.lo)) out.lo = b.lo;
    if (b.hi && (!out.hi || *b.hi < *out.hi)) out.hi = b.hi;
    return out;
}

namespace {

using End = std::optional<Int128>;

End plus(const End& a, const End& b) {
    Int128 out = 0;
    if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
    return out;
}

End times(const End& a, Int128 b) {
    if (a && is_narrow(*a) && is_narrow(b)) {
        return Int128{static_cast<std::int64_t>(*a)} * static_cast<std::int64_t>(b);
    }
    Int128 out = 0;
    if (!a || __builtin_mul_overflow(*a, b, &out)) return std::nullopt;
    return out;
}

}  // namespace

Interval sum(const Interval& a, const Interval& b) {
    return {plus(a.lo, b.lo), plus(a.hi, b.hi)};
}

Interval scaled(const Interval& a, Int128 by) {
    if (by < 0) return {times(a.hi, by), times(a.lo, by)};
    if (by == 0) return {0, 0};
    return {times(a.lo, by), times(a.hi, by)};
}

Interval product(const Interval& a, const Interval& b) {
    if (b.is_point()) return scaled(a, *b.lo);
    if (a.is_point()) return scaled(b, *a.lo);
    if (a.at_least(0) && b.at_least(0)) {
        Interval out{times(a.lo, *b.lo), a.hi && b.hi ? times(a.hi, *b.hi) : std::nullopt};
        if (!out.lo) out.lo = 0;
        return out;
    }
    if (!a.lo || !a.hi || !b.lo || !b.hi) return {};
    Interval out;
    for (const Int128 x : {*a.lo, *a.hi}) {
        for (const Int128 y : {*b.lo, *b.hi}) {
            const End p = times(x, y);
            if (!p) return {};
            if (!out.lo || *p < *out.lo) out.lo = p;
            if (!out.hi || *out.hi < *p) out.hi = p;
        }
    }
    return out;
}

Interval square(const Interval& a) {
    Interval out = product(a, a);
    if (!a.at_least(0) && !a.at_most(0)) out.lo = 0;
    if (a.at_most(0) && a.hi) out.lo = times(a.hi, *a.hi);
    if (!out.lo || *out.lo < 0) out.lo = 0;
    return out;
}

Interval range_of_type(ir::ScalarType type) {
    if (!type.is_int() && !type.is_bool()) return {};
    return {type.min_value(), type.max_value()};
}

std::size_t AtomTable::Hash::operator()(const Key& key) const {
    std::uint64_t h = key.size();
    for (const std::int64_t word : key) {
        h = (h ^ static_cast<std::uint64_t>(word)) * 0x9e3779b97f4a7c15ULL;
        h ^= h >> 29;
    }
    return h;
}

void AtomTable::append(Key& key, Int128 value) {
    key.push_back(static_cast<std::int64_t>(value));
    key.push_back(static_cast<std::int64_t>(value >> 64));
}

void AtomTable::append(Key& key, const Form& form) {
    key.push_back(static_cast<std::int64_t>(form.terms.size()));
    for (const Term& t : form.terms) {
        key.push_back(t.atom);
        append(key, t.factor);
    }
    append(key, form.constant);
}

int AtomTable::enter(Key key, Atom atom) {
    const auto [at, is_new] = known_.emplace(std::move(key), static_cast<int>(atoms_.size()));
    if (is_new) {
        atoms_.push_back(std::move(atom));
        keys_.push_back(&at->first);
    }
    return at->second;
}

void AtomTable::shrink(std::size_t size) {
    while (atoms_.size() > size) {
        known_.erase(known_.find(*keys_.back()));
        keys_.pop_back();
        atoms_.pop_back();
    }
}

namespace {

// First word of a key, apart from every operator's number.
constexpr std::int64_t kVariable = -1;
constexpr std::int64_t kQuotient = -2;
constexpr std::int64_t kProduct = -3;
constexpr std::int64_t kRatio = -4;

constexpr std::size_t kHighestDegree = 8;

}  // namespace

int AtomTable::variable(ir::Expr var, const Interval& range) {
    Atom atom;
    atom.kind = Atom::Kind::Variable;
    atom.expr = var;
    atom.range = range;
    return enter({kVariable, var->id}, std::move(atom));
}

int AtomTable::quotient(const Form& numerator, Int128 divisor) {
    Key key{kQuotient};
    append(key, numerator);
    append(key, divisor);
    Atom atom;
    atom.kind = Atom::Kind::Quotient;
    atom.numerator = numerator;
    atom.divisor = divisor;
    return enter(std::move(key), std::move(atom));
}

int AtomTable::ratio(const Form& numerator, const Form& denominator) {
    Key key{kRatio};
    append(key, numerator);
    append(key, denominator);
    Atom atom;
    atom.kind = Atom::Kind::Ratio;
    atom.numerator = numerator;
    atom.denominator = denominator;
    return enter(std::move(key), std::move(atom));
}

std::vector<int> AtomTable::factors_of(int atom) const {
    const Atom& a = (*this)[atom];
    return a.kind == Atom::Kind::Product ? a.factors : std::vector<int>{atom};
}

int AtomTable::product(int left, int right) {
    std::vector<int> factors = factors_of(left);
    for (const int f : factors_of(right)) factors.push_back(f);
    return product(std::move(factors));
}

int AtomTable::product(std::vector<int> factors) {
    if (factors.size() > kHighestDegree) throw GiveUp{};
    if (factors.size() == 1) return factors[0];
    std::sort(factors.begin(), factors.end());
    Key key{kProduct};
    key.insert(key.end(), factors.begin(), factors.end());
    Atom atom;
    atom.kind = Atom::Kind::Product;
    atom.factors = std::move(factors);
    return enter(std::move(key), std::move(atom));
}

int AtomTable::without(int atom, int part) {
    if (atom == part) return kOne;
    if ((*this)[atom].kind != Atom::Kind::Product) return kNotAFactor;
    std::vector<int> left = (*this)[atom].factors;
    for (const int f : factors_of(part)) {
        const auto at = std::find(left.begin(), left.end(), f);
        if (at == left.end()) return kNotAFactor;
        left.erase(at);
    }
    return left.empty() ? kOne : product(std::move(left));
}

int AtomTable::node(const Key& key, ir::Expr expr, const Interval& range) {
    Atom atom;
    atom.expr = expr;
    atom.range = range;
    return enter(key, std::move(atom));
}

}  // namespace proviso::analysis::cheap
