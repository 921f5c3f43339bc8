// Inputs for programs: what the generated ranges allow, or what no program expects.
#pragma once

#include <map>
#include <string>

#include "fuzz/gen/program.h"
#include "ir/interp/memory.h"
#include "ir/result.h"

namespace proviso::fuzz {

enum class InputStyle : std::uint8_t {
    Small,        // small integers, in floats too, so that sums are exact in any order
    Adversarial,  // NaN, infinities, both zeros, subnormals; the ends of the stated integer ranges
    Extreme,      // integers at the ends of their type, whatever the program expects
    Same,         // one value in all cells of a tensor: a zero of either sign, NaN, an end, …
    Sparse,       // one such value but in few cells, which are adversarial
    AnyExponent,  // floats of any size, subnormal to infinite; any integer of the stated range
};

// A value of `type` within [lo, hi] (integers; ignored for Extreme). Of Same and Sparse: one that
// all cells may have.
ir::Value random_value(ir::ScalarType type, const CellRange& range, InputStyle style,
                       Choice& choice);

// Definite values for every parameter, in shapes as the function states them. Scalar parameters are
// drawn within their declared bounds, or from 1..8; cells are finite where a licence says so.
// `ranges` may lack parameters: small ranges then. Fails when a shape has no value (a division by
// zero in an extent).
Result<ir::Inputs> random_inputs(const ir::Function& f,
                                 const std::map<std::string, CellRange>& ranges, InputStyle style,
                                 Choice& choice);

// The extents of a shape under the scalar parameters in `inputs`.
Result<std::vector<std::int64_t>> evaluate_shape(std::span<const ir::Expr> shape,
                                                 const ir::Function& f, const ir::Inputs& inputs);

}  // namespace proviso::fuzz
