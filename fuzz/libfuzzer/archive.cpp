// For libFuzzer: an archive, of which the first byte says whether it is compressed first. What is
// taken has plain names, and is the same when it is packed and read again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "verify/files/archive.h"

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace proviso::verify;
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto files = unpack_archive(data[0] % 2 == 0 ? bytes : compress(bytes));
    if (!files || files->empty()) return 0;
    bool plain = true;
    bool long_name = false;  // of all 100 bytes: read, and not written
    for (const auto& [name, content] : *files) {
        plain = plain && name != ".." && name.find('/') == std::string::npos;
        long_name = long_name || name.size() > 99;
    }
    const auto again = long_name ? files : unpack_archive(pack_archive(*files));
    if (!plain || !again || *again != *files) {
        std::fprintf(stderr, "an archive is taken that should not be\n");
        std::abort();
    }
    return 0;
}
