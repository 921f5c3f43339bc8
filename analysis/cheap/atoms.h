// What the atoms of linear forms stand for. An atom is a term that the cheap deciders do not look
// into: a variable, a load, floor(f / c), a product of two atoms, any other operator applied to
// terms in normal form. Equal atoms are equal values. Values that are no exact integers are
// numbered by the same table, so that loads and literals may be compared by number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/cheap/linear_form.h"
#include "ir/context.h"

namespace proviso::analysis::cheap {

// Closed interval of integers; an absent end is infinite.
struct Interval {
    std::optional<Int128> lo;
    std::optional<Int128> hi;

    bool is_empty() const { return lo && hi && *hi < *lo; }
    bool within(Int128 low, Int128 high) const { return lo && hi && low <= *lo && *hi <= high; }
};
Interval intersect(const Interval& a, const Interval& b);
Interval sum(const Interval& a, const Interval& b);
Interval scaled(const Interval& a, Int128 by);
Interval product(const Interval& a, const Interval& b);
Interval range_of_type(ir::ScalarType type);

struct Atom {
    enum class Kind : std::uint8_t {
        Variable,  // `expr`
        Quotient,  // floor(numerator / divisor), divisor > 0
        Product,   // left * right
        Node,      // an operator applied to numbered arguments
    };
    Kind kind = Kind::Node;
    ir::Expr expr = nullptr;  // a term that the atom stands for, where there is one
    Form numerator;
    Int128 divisor = 1;
    int left = -1;
    int right = -1;
    Interval range;  // of every value of it, whatever the facts
};

class AtomTable {
  public:
    using Key = std::vector<std::int64_t>;

    int variable(ir::Expr var, const Interval& range);
    int quotient(const Form& numerator, Int128 divisor);
    int product(int left, int right);
    int node(const Key& key, ir::Expr expr, const Interval& range);

    const Atom& operator[](int atom) const { return atoms_[static_cast<std::size_t>(atom)]; }
    std::size_t size() const { return atoms_.size(); }

    static void append(Key& key, Int128 value);
    static void append(Key& key, const Form& form);

  private:
    int enter(const Key& key, Atom atom);

    struct Hash {
        std::size_t operator()(const Key& key) const;
    };
    std::vector<Atom> atoms_;
    std::unordered_map<Key, int, Hash> known_;
};

}  // namespace proviso::analysis::cheap
