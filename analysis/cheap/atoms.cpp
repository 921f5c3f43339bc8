#include "analysis/cheap/atoms.h"

#include <algorithm>

namespace proviso::analysis::cheap {

Interval intersect(const Interval& a, const Interval& b) {
    Interval out = a;
    if (b.lo && (!out.lo || *out.lo < *b.lo)) out.lo = b.lo;
    if (b.hi && (!out.hi || *b.hi < *out.hi)) out.hi = b.hi;
    return out;
}

Interval sum(const Interval& a, const Interval& b) {
    Interval out;
    if (a.lo && b.lo) out.lo = checked_add(*a.lo, *b.lo);
    if (a.hi && b.hi) out.hi = checked_add(*a.hi, *b.hi);
    return out;
}

Interval scaled(const Interval& a, Int128 by) {
    Interval out;
    if (a.lo) (by < 0 ? out.hi : out.lo) = checked_mul(*a.lo, by);
    if (a.hi) (by < 0 ? out.lo : out.hi) = checked_mul(*a.hi, by);
    return out;
}

Interval product(const Interval& a, const Interval& b) {
    Interval out;
    if (a.lo && a.hi && b.lo && b.hi) {
        const Int128 ends[] = {checked_mul(*a.lo, *b.lo), checked_mul(*a.lo, *b.hi),
                               checked_mul(*a.hi, *b.lo), checked_mul(*a.hi, *b.hi)};
        out.lo = *std::min_element(std::begin(ends), std::end(ends));
        out.hi = *std::max_element(std::begin(ends), std::end(ends));
    } else if (a.lo && b.lo && *a.lo >= 0 && *b.lo >= 0) {
        out.lo = checked_mul(*a.lo, *b.lo);
    }
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

int AtomTable::enter(const Key& key, Atom atom) {
    const auto [at, is_new] = known_.emplace(key, static_cast<int>(atoms_.size()));
    if (is_new) atoms_.push_back(std::move(atom));
    return at->second;
}

namespace {

// First word of a key, apart from every operator's number.
constexpr std::int64_t kVariable = -1;
constexpr std::int64_t kQuotient = -2;
constexpr std::int64_t kProduct = -3;

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
    return enter(key, std::move(atom));
}

int AtomTable::product(int left, int right) {
    if (right < left) std::swap(left, right);
    Atom atom;
    atom.kind = Atom::Kind::Product;
    atom.left = left;
    atom.right = right;
    return enter({kProduct, left, right}, std::move(atom));
}

int AtomTable::node(const Key& key, ir::Expr expr, const Interval& range) {
    Atom atom;
    atom.expr = expr;
    atom.range = range;
    return enter(key, std::move(atom));
}

}  // namespace proviso::analysis::cheap
