#include "backend/host_value.h"

#include "ir/check.h"

namespace proviso::backend {

HostBuffer make_host_buffer(ir::ScalarType type, std::vector<std::int64_t> shape) {
    std::size_t count = 1;
    for (std::int64_t extent : shape) {
        PROVISO_CHECK(extent >= 0, "negative extent of a host buffer");
        count *= static_cast<std::size_t>(extent);
    }
    return HostBuffer{type, std::move(shape),
                      std::vector<std::byte>(count * static_cast<std::size_t>(type.bytes()))};
}

}  // namespace proviso::backend
