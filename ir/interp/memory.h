// Memory of the interpreter: tensors whose cells are definite, indeterminate, or closed to the
// program, and what goes into and comes out of a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/domains/value.h"

namespace proviso::ir {

enum class CellState : std::uint8_t {
    Definite,
    Indet,
    Inaccessible,  // any touch is a fault: how a harness shows that a cell is out of the footprint
};

// Cells in row-major order. `bits` holds integers as two's complement of 64 bits (sign-extended for
// signed types), bool as 0/1, floats of every type as the bits of a double.
struct Tensor {
    ScalarType type;
    std::vector<std::int64_t> shape;  // elements; none negative
    std::vector<std::uint64_t> bits;
    std::vector<CellState> states;

    // Every cell `value`, which may be indet.
    static Tensor filled(ScalarType type, std::vector<std::int64_t> shape, const Value& value);
    // Cells from numbers, for tests and examples: rounded to a float type, wrapped to an integer
    // one.
    static Tensor of(ScalarType type, std::vector<std::int64_t> shape,
                     const std::vector<double>& cells);

    std::size_t size() const { return bits.size(); }
    // Row-major position of an index tuple; nullopt when it is out of bounds.
    std::optional<std::size_t> offset(std::span<const std::int64_t> indices) const;
    std::vector<std::int64_t> indices(std::size_t offset) const;  // the other way

    Value at(std::size_t offset) const;  // of an accessible cell
    void set(std::size_t offset, const Value& value);

    // Same type, shape, states, and the same values in definite cells.
    bool operator==(const Tensor& other) const;
};

// Number of cells of a shape.
std::size_t cell_count(std::span<const std::int64_t> shape);
// The index tuple of the cell at a row-major position.
std::vector<std::int64_t> cell_indices(std::span<const std::int64_t> shape, std::size_t offset);

using Input = std::variant<Tensor, Value>;    // for a buffer, for a scalar parameter
using Inputs = std::map<std::string, Input>;  // by parameter name

}  // namespace proviso::ir
