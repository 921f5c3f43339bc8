#include "backend/host_value.h"

#include "ir/check.h"

namespace proviso::backend {

std::size_t byte_count(ir::ScalarType type, const std::vector<std::int64_t>& shape) {
    std::size_t count = 1;
    for (std::int64_t extent : shape) {
        PROVISO_CHECK(extent >= 0, "negative extent of a host buffer");
        count *= static_cast<std::size_t>(extent);
    }
    return count * static_cast<std::size_t>(type.bytes());
}

HostBuffer make_host_buffer(ir::ScalarType type, std::vector<std::int64_t> shape) {
    const std::size_t bytes = byte_count(type, shape);
    return HostBuffer{type, std::move(shape), std::vector<std::byte>(bytes)};
}

}  // namespace proviso::backend
