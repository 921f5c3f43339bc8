// Texts as OpenSSL takes them.
#pragma once

#include <string_view>

namespace proviso::verify {

inline const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace proviso::verify
