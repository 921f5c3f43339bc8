// SHA-256, and the content hash of programs: the hash of their canonical text.
#include <openssl/evp.h>

#include <array>

#include "ir/check.h"
#include "ir/text.h"

namespace proviso::ir {

std::string sha256_hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    const int ok =
        EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    PROVISO_CHECK(ok == 1 && size == 32, "SHA-256 is not available");
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out;
    for (unsigned int i = 0; i < size; ++i) {
        out += hex[digest[i] / 16];
        out += hex[digest[i] % 16];
    }
    return out;
}

std::string content_hash(const Function& f) {
    return "sha256:" + sha256_hex(print(f));
}

std::string content_hash(const Module& m) {
    return "sha256:" + sha256_hex(print(m));
}

}  // namespace proviso::ir
