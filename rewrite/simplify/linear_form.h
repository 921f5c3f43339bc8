// Linear forms of exact integer expressions: constant + Σ coefficient * monomial, where a monomial
// is a product of terms that are not sums. In exact integers re-association, distribution and
// cancellation are unconditional (docs/semantics.md), so an expression and its linear form are
// equal and fault alike on the same monomials; a monomial that cancels is no longer evaluated,
// which is allowed.
//
// The canonical spelling orders monomials by descending size of coefficient, then by structure,
// never by address, and writes a common coefficient or a common symbolic factor once:
//   i*16 + j*4 + k - 3      (i + j)*4 + k      n*(x + y)
#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <memory>
#include <vector>

#include "ir/context.h"
#include "rewrite/simplify/inline_vector.h"
#include "rewrite/simplify/node_table.h"

namespace proviso::rewrite {

// A total order on expressions of one context by their structure: operator, type, names, payload,
// arguments. -1, 0, 1; 0 only for one and the same handle.
int compare_structure(ir::Expr a, ir::Expr b);

// Thrown where a coefficient leaves 64 bits or a constant 120, and caught by the simplifier, which
// then leaves the expression as it is.
struct TooLarge {};
inline ir::Int128 magnitude(ir::Int128 a) {
    return a < 0 ? -a : a;
}
// Whether it leaves [-2^120, 2^120), which the upper half tells.
inline bool is_too_large(ir::Int128 a) {
    constexpr std::int64_t limit = std::int64_t{1} << 56;
    const auto high = static_cast<std::int64_t>(a >> 64);
    return high < -limit || high >= limit;
}
inline ir::Int128 checked_add(ir::Int128 a, ir::Int128 b) {
    const ir::Int128 r = a + b;  // both are within 120 bits
    if (is_too_large(r)) [[unlikely]]
        throw TooLarge{};
    return r;
}
inline ir::Int128 checked_mul(ir::Int128 a, ir::Int128 b) {
    const auto x = static_cast<std::int64_t>(a);
    const auto y = static_cast<std::int64_t>(b);
    ir::Int128 r = ir::Int128{x} * y;
    const bool narrow = a == x && b == y;
    const bool wraps = !narrow && __builtin_mul_overflow(a, b, &r);
    if (wraps || is_too_large(r)) [[unlikely]]
        throw TooLarge{};
    return r;
}
ir::Int128 gcd(ir::Int128 a, ir::Int128 b);  // not negative; gcd(0, 0) = 0

// Computed with as an Int128, kept in half of it: forms are copied and gone through all the time,
// and beyond 63 bits a coefficient is none of a form that could be written.
class Coefficient {
  public:
    Coefficient(ir::Int128 value) : value_(static_cast<std::int64_t>(value)) {
        if (value != value_) [[unlikely]]
            throw TooLarge{};
    }
    operator ir::Int128() const { return value_; }
    Coefficient& operator/=(ir::Int128 divisor) { return *this = ir::Int128{value_} / divisor; }
    Coefficient& operator%=(ir::Int128 divisor) { return *this = ir::Int128{value_} % divisor; }

  private:
    std::int64_t value_;
};

struct LinearTerm {
    ir::Expr monomial = nullptr;
    Coefficient coefficient = 0;  // not 0
    bool operator==(const LinearTerm&) const = default;
};

struct LinearForm {
    using Terms = InlineVector<LinearTerm, 6>;

    ir::ScalarType type;
    Terms terms;  // by increasing id, each monomial once; no order that may be seen outside
    ir::Int128 constant = 0;

    bool is_constant() const { return terms.empty(); }
    ir::Int128 coefficient_of(ir::Expr monomial) const;
    ir::Int128 content() const;  // gcd of the coefficients; 0 when there are none
    void add(const LinearForm& other, ir::Int128 factor = 1);
    void add(ir::Expr monomial, ir::Int128 coefficient);
    void scale(ir::Int128 factor);
    bool operator==(const LinearForm&) const = default;
};

// The form of an expression of exact integer type, or of factor * e. Sums may be of any length, and
// parts that they share are looked at once. Products of sums stay monomials.
LinearForm linear_form(ir::Context& ctx, ir::Expr e, ir::Int128 factor = 1);

// The same with products of sums multiplied out, as long as few terms arise; `form` itself where
// there are none, or too many.
LinearForm expanded(ir::Context& ctx, const LinearForm& form);

// Which operators the monomials of a form have, a bit each.
using MonomialKinds = std::uint8_t;
inline constexpr MonomialKinds kProducts = 1;
inline constexpr MonomialKinds kQuotients = 2;   // of both families
inline constexpr MonomialKinds kRemainders = 4;  // of both families
inline constexpr MonomialKinds kExtrema = 8;
inline constexpr MonomialKinds kOthers = 16;  // but variables
MonomialKinds kinds_of(const LinearForm& form);

// Forms by handle, each computed once, and what else is true of an expression whatever the facts.
// What it gives stays where it is.
class LinearForms {
  public:
    explicit LinearForms(ir::Context& ctx) : ctx_(ctx) {}
    const LinearForm& plain(ir::Expr e) { return *about_plain(e).plain; }
    // What its monomials are.
    MonomialKinds kinds(ir::Expr e) { return about_plain(e).kinds; }
    // Tells that `e` has the same form as `other`.
    void set_plain_as(ir::Expr e, ir::Expr other) {
        About& about = about_[e];
        if (about.plain != nullptr) return;
        const About& same = about_plain(other);
        about.plain = same.plain;
        about.kinds = same.kinds;
    }
    const LinearForm& expanded(ir::Expr e);

    // Sums that are spelled as their forms are.
    bool is_spelled(ir::Expr e) { return about_[e].spelled; }
    void set_spelled(ir::Expr e) { about_[e].spelled = true; }

    // Sums, spelled as their forms are, of variables and of digits of such sums: x // c and x % c
    // with literals c > 1. Where nothing occurs twice in one, there is nothing to join or cancel.
    bool is_sum_of_digits(ir::Expr e);

    // Which variables and loads occur in an expression, a bit each (others may have the same one),
    // and whether one of them may occur twice. All bits for what is too large to be looked at.
    using Occurring = std::uint64_t;
    static constexpr Occurring kTwice = Occurring{1} << 63;
    Occurring occurring(ir::Expr e);
    // Of two expressions beside each other.
    static Occurring both(Occurring a, Occurring b) { return a | b | ((a & b) != 0 ? kTwice : 0); }

  private:
    struct About {
        const LinearForm* plain = nullptr;
        const LinearForm* expanded = nullptr;
        Occurring occurring = 0;
        MonomialKinds kinds = 0;  // of `plain`
        bool counted = false;     // what occurs
        bool spelled = false;
        bool sum_of_digits = false;  // it is known to be one
    };
    // With the plain form.
    About& about_plain(ir::Expr e) {
        About& about = about_[e];
        if (about.plain == nullptr) [[unlikely]]
            make_plain(about, e);
        return about;
    }
    void make_plain(About& about, ir::Expr e);
    const LinearForm* keep(LinearForm&& form);

    static constexpr std::size_t kBlock = 32;
    ir::Context& ctx_;
    NodeTable<About> about_;
    std::vector<std::unique_ptr<std::array<LinearForm, kBlock>>> blocks_;
    std::size_t used_ = kBlock;  // of the last block
};

// The factors of a monomial, by structure. A monomial that is no product is its own only factor.
using Factors = boost::container::small_vector<ir::Expr, 4>;
Factors factors_of(ir::Expr monomial);
void sort_factors(Factors& factors);  // by structure
ir::Expr product_of(ir::Context& ctx, ir::ScalarType type, const Factors& factors);

// `monomial` without the factors of `divisor`; null when it does not have them all. The product of
// no factors is the constant 1.
ir::Expr without_factors(ir::Context& ctx, ir::Expr monomial, const Factors& divisor);

// The canonical spelling. Null when a coefficient or the constant is not a value of the type.
// `like` may be it, which is quicker to see than to look up.
ir::Expr to_expr(ir::Context& ctx, const LinearForm& form, ir::Expr like = nullptr);

// Sizes of tiles, above 1: largest first, each once.
using TileSizes = InlineVector<ir::Int128, 8>;
void add_tile(TileSizes& sizes, ir::Int128 size);

// form = multiple * divisor + rest, term by term: the part of the terms whose coefficient `divisor`
// (> 0) divides, already divided, and the other terms. The constant is divided with a remainder in
// [0, divisor).
struct SplitForm {
    LinearForm multiple;
    LinearForm rest;
};
SplitForm split_by(const LinearForm& form, ir::Int128 divisor);

}  // namespace proviso::rewrite
