// What the atoms of linear forms stand for. An atom is a term that the cheap deciders do not look
// into: a variable, a load, floor(f / c), floor(f / g), a product of atoms, any other operator
// applied to terms in normal form. Equal atoms are equal values. Values that are no integers are
// numbered by the same table, so that loads and literals may be compared by number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/cheap/linear_form.h"
#include "ir/context.h"

namespace proviso::analysis::cheap {

// Closed interval of integers; an absent end is infinite. What does not fit 128 bits is infinite.
struct Interval {
    std::optional<Int128> lo;
    std::optional<Int128> hi;

    bool is_empty() const { return lo && hi && *hi < *lo; }
    bool is_point() const { return lo && hi && *lo == *hi; }
    bool within(Int128 low, Int128 high) const { return lo && hi && low <= *lo && *hi <= high; }
    bool at_least(Int128 low) const { return lo && *lo >= low; }
    bool at_most(Int128 high) const { return hi && *hi <= high; }
};
Interval intersect(const Interval& a, const Interval& b);
Interval sum(const Interval& a, const Interval& b);
Interval scaled(const Interval& a, Int128 by);
Interval product(const Interval& a, const Interval& b);
Interval square(const Interval& a);
Interval range_of_type(ir::ScalarType type);
using BoundsOf = std::function<Interval(int atom)>;

struct Atom {
    enum class Kind : std::uint8_t {
        Variable,  // `expr`
        Quotient,  // floor(numerator / divisor), divisor > 0
        Ratio,     // floor(numerator / denominator), made only where denominator >= 1
        Product,   // of `factors`
        Node,      // an operator applied to numbered arguments
    };
    Kind kind = Kind::Node;
    ir::Expr expr = nullptr;  // a term that the atom stands for, where there is one
    Form numerator;
    Int128 divisor = 1;
    Form denominator;
    std::vector<int> factors;  // in order, at least two, none of them a product
    Interval range;            // of every value of it, whatever the facts
};

class AtomTable {
  public:
    using Key = std::vector<std::int64_t>;

    int variable(ir::Expr var, const Interval& range);
    int quotient(const Form& numerator, Int128 divisor);
    int ratio(const Form& numerator, const Form& denominator);
    // Products of products are products of their factors.
    int product(int left, int right);
    int product(std::vector<int> factors);
    int node(const Key& key, ir::Expr expr, const Interval& range);

    // The atoms that a product is made of; of another atom, the atom.
    std::vector<int> factors_of(int atom) const;
    // The product that `atom` is without `part`'s factors: -1 when they are not among its own, and
    // none left is -2.
    int without(int atom, int part);
    static constexpr int kNotAFactor = -1;
    static constexpr int kOne = -2;

    const Atom& operator[](int atom) const { return atoms_[static_cast<std::size_t>(atom)]; }
    std::size_t size() const { return atoms_.size(); }
    // Forgets the atoms after the first `size`.
    void shrink(std::size_t size);

    static void append(Key& key, Int128 value);
    static void append(Key& key, const Form& form);

  private:
    int enter(Key key, Atom atom);

    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    std::vector<Atom> atoms_;
    std::unordered_map<Key, int, Hash> known_;
    std::vector<const Key*> keys_;  // of each atom, in the map
};

}  // namespace proviso::analysis::cheap
