#include "ir/interp/memory.h"

#include <bit>

namespace proviso::ir {

namespace {

std::uint64_t to_bits(const Value& value) {
    if (value.is_float()) return std::bit_cast<std::uint64_t>(value.real());
    return static_cast<std::uint64_t>(*value.integer().to_int128());
}

}  // namespace

std::size_t cell_count(std::span<const std::int64_t> shape) {
    std::size_t count = 1;
    for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
    return count;
}

std::vector<std::int64_t> cell_indices(std::span<const std::int64_t> shape, std::size_t offset) {
    std::vector<std::int64_t> out(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        const auto extent = static_cast<std::size_t>(shape[d]);
        out[d] = static_cast<std::int64_t>(offset % extent);
        offset /= extent;
    }
    return out;
}

Tensor Tensor::filled(ScalarType type, std::vector<std::int64_t> shape, const Value& value) {
    const std::size_t count = cell_count(shape);
    const bool indet = value.is_indet();
    return Tensor{type, std::move(shape),
                  std::vector<std::uint64_t>(count, indet ? 0 : to_bits(value)),
                  std::vector<CellState>(count, indet ? CellState::Indet : CellState::Definite)};
}

Tensor Tensor::of(ScalarType type, std::vector<std::int64_t> shape,
                  const std::vector<double>& cells) {
    Tensor out = filled(type, std::move(shape), Value::indet());
    PROVISO_CHECK(cells.size() == out.size(), "Tensor::of: other number of cells than the shape's");
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (type.is_float()) {
            out.set(i, Value::of_float(type, cells[i]));
        } else {
            out.set(i, Value::of_int(Integer(static_cast<Int128>(cells[i])).wrap(type)));
        }
    }
    return out;
}

std::optional<std::size_t> Tensor::offset(std::span<const std::int64_t> indices) const {
    if (indices.size() != shape.size()) return std::nullopt;
    std::size_t out = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (indices[d] < 0 || indices[d] >= shape[d]) return std::nullopt;
        out = out * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(indices[d]);
    }
    return out;
}

std::vector<std::int64_t> Tensor::indices(std::size_t offset) const {
    return cell_indices(shape, offset);
}

Value Tensor::at(std::size_t offset) const {
    if (states[offset] != CellState::Definite) return Value::indet();
    const std::uint64_t cell = bits[offset];
    if (type.is_float()) return Value::of_float(std::bit_cast<double>(cell));
    if (type.is_signed()) return Value::of_int(static_cast<std::int64_t>(cell));
    return Value::of_int(cell);
}

void Tensor::set(std::size_t offset, const Value& value) {
    states[offset] = value.is_indet() ? CellState::Indet : CellState::Definite;
    if (!value.is_indet()) bits[offset] = to_bits(value);
}

bool Tensor::operator==(const Tensor& other) const {
    if (type != other.type || shape != other.shape || states != other.states) return false;
    for (std::size_t i = 0; i < bits.size(); ++i) {
        if (states[i] == CellState::Definite && bits[i] != other.bits[i]) return false;
    }
    return true;
}

}  // namespace proviso::ir
