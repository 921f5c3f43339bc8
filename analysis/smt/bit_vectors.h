// Claims about exact integers and their bits, as bit-vectors. Integers that solvers reason about as
// such say nothing of bits: `x ^ y ^ y` would go from numbers to bits and back at each operator.
// Where the size of every value is bounded, bit-vectors wide enough for all of them are exact.
#pragma once

#include <optional>
#include <string>

#include "analysis/obligation.h"

namespace proviso::analysis::smt {

// What a division by zero and a shift by a strange count are: unspecified (obligation.h), so that
// only constants may divide and shift; or what bit-vectors make of it, for who shows elsewhere that
// they do not occur.
enum class Undefined { Refused, AnyValue };

// The negated claim in bit-vectors, to be refuted (logic QF_BV): a variable or a load is any of its
// type's values, and every operator has room for its result. Loads are as different as they are
// written, so this may only prove. None where the goal has no such form, or would need more than
// 256 bits, or something is unbounded; facts without such a form are left out.
std::optional<std::string> as_bit_vectors(const Obligation& claim,
                                          Undefined undefined = Undefined::Refused);

}  // namespace proviso::analysis::smt
