// The blocks of a tar archive (ustar): where the fields of a header are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace proviso::verify::tar {

inline constexpr std::size_t kBlock = 512;

struct Field {
    std::size_t at;
    std::size_t size;
    std::string_view of(std::string_view header) const { return header.substr(at, size); }
};
inline constexpr Field kName{0, 100};
inline constexpr Field kMode{100, 8};
inline constexpr Field kUser{108, 8};
inline constexpr Field kGroup{116, 8};
inline constexpr Field kSize{124, 12};
inline constexpr Field kTime{136, 12};
inline constexpr Field kChecksum{148, 8};
inline constexpr Field kType{156, 1};
inline constexpr Field kLinkName{157, 100};
inline constexpr Field kMagic{257, 8};  // with the version
inline constexpr Field kPrefix{345, 155};

inline std::size_t padded(std::size_t size) {
    return (size + kBlock - 1) / kBlock * kBlock;
}

// The sum of a header's bytes, those of the checksum's field as blanks.
inline std::uint64_t checksum(std::string_view header) {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < header.size(); ++k) {
        const bool own = k >= kChecksum.at && k < kChecksum.at + kChecksum.size;
        sum += own ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(header[k]);
    }
    return sum;
}

}  // namespace proviso::verify::tar
