// Bit-vectors as the numbers that their bits spell: what the steps (bits T) and (bitwise TERM I...)
// say. The number of a bit-vector of w bits is (bv2nat T), in [0, 2^w).
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/certcheck/formula.h"
#include "analysis/certcheck/sexp.h"

namespace proviso::certcheck {

inline constexpr std::string_view kNumber = "bv2nat";  // (bv2nat TERM): Int

// How many bits: of (_ BitVec 8); none of another sort, and of more than 1,024 bits.
std::optional<unsigned> width_of_sort(std::string_view sort);
// Of an application whose arguments have these widths; none where it is no bit-vector, or of an
// operator that is not known, or its arguments do not fit together.
std::optional<unsigned> width_of_result(const Term& t,
                                        const std::vector<std::optional<unsigned>>& args);
// Of (_ bv5 8), #b101 and #x05; none of other terms.
std::optional<Integer> number_of_constant(const Term& t);

// What is true of `(op ..)` for all values of its arguments, over the names
//   p or b      the number of the term, or its truth where it is Bool
//   x, y        the numbers of its arguments that are bit-vectors; of int2bv, the argument
//   sp, sx, sy  the same as two's complement
//   c           the condition of an ite
//   M           2^w, w the width of the term; of a claim, of its arguments
//   P           2^y, where y is a constant less than w: the operator needs one
// Null where nothing is known of the operator.
struct BitAxioms {
    std::string_view op;    // "_ int2bv" of (_ int2bv 8)
    std::size_t arguments;  // an ite's condition is none
    bool gives_bits;
    std::vector<std::string_view> facts;
};
const BitAxioms* bit_axioms(std::string_view op);

// The least and the greatest value of a sum of numbers of bit-vectors, as its bits one by one
// admit.
struct Bounds {
    Integer least;
    Integer greatest;
};
using WidthOf = std::function<std::optional<unsigned>(const Value&)>;
// Of `sum`, whose atoms are the number of a bit-vector, or its quotient or remainder by a power of
// two. `given`: facts that say of bits that they are 0, or of two bit-vectors that they are equal.
// Refuses what has no such form, more than 6 unknown bit-vectors, and facts that contradict each
// other.
Bounds bitwise_bounds(const Sexp& e, PolyId sum, const std::vector<FormulaId>& given,
                      const Formulas& formulas, const WidthOf& width, Budget& budget);

}  // namespace proviso::certcheck
