// For libFuzzer: a .npy file, of which the first byte says which type is wanted. What is taken is
// the same when it is written and read again.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "ir/files/npy.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace proviso;
    static constexpr std::array types = {"", "bool", "int32", "uint8", "float16", "bfloat16"};
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto wanted = ir::ScalarType::parse(types.at(data[0] % types.size()));
    const auto tensor = ir::parse_npy(bytes, "input.npy", wanted);
    if (!tensor) return 0;
    const std::string written = ir::npy_bytes(*tensor);
    const auto again = ir::parse_npy(written, "again.npy", tensor->type);
    if (!again || again->shape != tensor->shape || ir::npy_bytes(*again) != written) {
        std::fprintf(stderr, "a tensor reads back as another one\n");
        std::abort();
    }
    return 0;
}
