// Scalar kinds: the sets of types that an expression rule claims to be right for. A rule is proved,
// matched and tested once for each type in its set.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/type.h"

namespace proviso::rewrite {

class KindSet {
  public:
    constexpr KindSet() = default;
    constexpr explicit KindSet(std::uint16_t bits) : bits_(bits) {}

    constexpr KindSet operator|(KindSet other) const {
        return KindSet(static_cast<std::uint16_t>(bits_ | other.bits_));
    }
    bool contains(ir::ScalarType type) const;
    // In the order of ir::all_scalar_types().
    std::vector<ir::ScalarType> types() const;
    // "exact, uint8": named groups where the whole group is in the set.
    std::string str() const;

  private:
    std::uint16_t bits_ = 0;
};

// Signed integers of 32 and 64 bits: they compute in Z; see docs/semantics.md.
inline constexpr KindSet kExactInt32{1U << 0};
inline constexpr KindSet kExactInt64{1U << 1};
inline constexpr KindSet kExact = kExactInt32 | kExactInt64;
// Integers that wrap at each operation.
inline constexpr KindSet kWrapInt8{1U << 2};
inline constexpr KindSet kWrapInt16{1U << 3};
inline constexpr KindSet kWrapUInt8{1U << 4};
inline constexpr KindSet kWrapUInt16{1U << 5};
inline constexpr KindSet kWrapUInt32{1U << 6};
inline constexpr KindSet kWrapUInt64{1U << 7};
inline constexpr KindSet kWrapSigned = kWrapInt8 | kWrapInt16;
inline constexpr KindSet kUnsigned = kWrapUInt8 | kWrapUInt16 | kWrapUInt32 | kWrapUInt64;
inline constexpr KindSet kWrapping = kWrapSigned | kUnsigned;

inline constexpr KindSet kSigned = kExact | kWrapSigned;
inline constexpr KindSet kInts = kExact | kWrapping;
inline constexpr KindSet kBoolean{1U << 8};
inline constexpr KindSet kHalf{1U << 9};
inline constexpr KindSet kBrain{1U << 10};
inline constexpr KindSet kSingle{1U << 11};
inline constexpr KindSet kDouble{1U << 12};
inline constexpr KindSet kFloats = kHalf | kBrain | kSingle | kDouble;
inline constexpr KindSet kNumbers = kInts | kFloats;
inline constexpr KindSet kAll = kNumbers | kBoolean;

}  // namespace proviso::rewrite
