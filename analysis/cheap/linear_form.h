// Linear forms over numbered atoms: 2 * a0 - 3 * a4 + 7. The normal form of exact-integer terms in
// the cheap deciders; what an atom stands for is said in atoms.h.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <vector>

#include "ir/int128.h"

namespace proviso::analysis::cheap {

using ir::Int128;

// Thrown inside the cheap deciders, never out of them: numbers beyond 128 bits, a term that has no
// place here, a budget used up. The claim is then not decided.
struct GiveUp {};

using ir::ceil_div;
using ir::floor_div;
using ir::is_narrow;
using ir::truncated_div;
inline Int128 checked_add(Int128 a, Int128 b) {
    return ir::checked_sum<GiveUp>(a, b);
}
inline Int128 checked_mul(Int128 a, Int128 b) {
    return ir::checked_product<GiveUp>(a, b);
}
inline Int128 checked_neg(Int128 a) {
    return checked_mul(a, -1);
}
inline Int128 magnitude(Int128 a) {
    return a < 0 ? checked_neg(a) : a;
}
Int128 gcd(Int128 a, Int128 b);

struct Term {
    int atom;
    Int128 factor;  // not 0
    bool operator==(const Term&) const = default;
};

struct Form {
    boost::container::small_vector<Term, 4> terms;  // by increasing atom
    Int128 constant = 0;

    static Form of_constant(Int128 value);
    static Form of_atom(int atom, Int128 factor = 1);

    bool is_constant() const { return terms.empty(); }
    // The atom when the form is just that.
    int as_atom() const {
        return terms.size() == 1 && terms[0].factor == 1 && constant == 0 ? terms[0].atom : -1;
    }
    Int128 factor_of(int atom) const;
    // gcd of the factors of the atoms; 0 when there are none.
    Int128 content() const;
    bool operator==(const Form&) const = default;

    void add(const Form& other, Int128 scale = 1);
    void add_atom(int atom, Int128 factor);
};

// Sums of many terms: each is appended, all are put in order once.
class LongSum {
  public:
    void add(const Form& f, Int128 scale);
    Form take();

  private:
    std::vector<Term> terms_;
    Int128 constant_ = 0;
};

// Of the atoms and factors (times `sign`), not of the constant.
std::uint32_t hash_of_terms(const Form& f, int sign = 1);
// The forms differ in their constants only; their sum is a constant.
bool same_terms(const Form& a, const Form& b);
bool opposite_terms(const Form& a, const Form& b);

Form scaled(const Form& f, Int128 by);
Form difference(const Form& a, const Form& b);

}  // namespace proviso::analysis::cheap
