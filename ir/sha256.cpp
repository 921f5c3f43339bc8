// SHA-256, declared in ir/text.h beside the content hashes that are made of it.
#include <openssl/evp.h>

#include <array>

#include "ir/text.h"

namespace proviso::ir {

std::string sha256_hex(std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const int done =
        EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
    PROVISO_CHECK(done == 1 && length == 32, "SHA-256 failed");
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (unsigned i = 0; i < length; ++i) {
        out += digits[digest[i] >> 4];
        out += digits[digest[i] & 15];
    }
    return out;
}

}  // namespace proviso::ir
