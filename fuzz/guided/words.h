// Characters of words and numbers in texts that are taken apart.
#pragma once

#include <cctype>

namespace proviso::fuzz {

inline bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
inline bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace proviso::fuzz
