// Arguments of a compiled function, as raw bytes: what crosses the edge between this process and
// generated code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ir/type.h"

namespace proviso::backend {

// Row-major elements; bool is one byte 0 or 1, float16 and bfloat16 are their 16 bits.
struct HostBuffer {
    ir::ScalarType type;
    std::vector<std::int64_t> shape;  // elements
    std::vector<std::byte> bytes;     // product of shape times type.bytes()
};

// A scalar's bits, from the low end; floats as their bit pattern.
struct HostScalar {
    ir::ScalarType type;
    std::uint64_t bits = 0;
};

// A buffer in memory that somebody else owns.
struct HostView {
    ir::ScalarType type;
    std::vector<std::int64_t> shape;
    std::span<std::byte> bytes;
};

using HostArgument = std::variant<HostBuffer*, HostScalar, HostView>;

// The bytes of a buffer of that shape.
std::size_t byte_count(ir::ScalarType type, const std::vector<std::int64_t>& shape);
// A buffer of that shape, all bytes zero.
HostBuffer make_host_buffer(ir::ScalarType type, std::vector<std::int64_t> shape);

}  // namespace proviso::backend
