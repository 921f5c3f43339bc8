// Scalar types. The split that matters for every proof is `is_exact_int` against `is_wrapping_int`:
// signed integers of 32 and 64 bits compute in Z and their range bites where a value is observed;
// unsigned integers and signed ones of 8 and 16 bits wrap modulo 2^bits at each operation. See
// docs/semantics.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace proviso::ir {

__extension__ typedef __int128 Int128;

enum class TypeCode : std::uint8_t { Bool, Int, UInt, Float, BFloat };

struct ScalarType {
    TypeCode code = TypeCode::Int;
    std::uint8_t bits = 32;  // 1 for bool; width in bits otherwise

    auto operator<=>(const ScalarType&) const = default;

    bool is_bool() const { return code == TypeCode::Bool; }
    bool is_int() const { return code == TypeCode::Int || code == TypeCode::UInt; }
    bool is_signed() const { return code == TypeCode::Int; }
    bool is_float() const { return code == TypeCode::Float || code == TypeCode::BFloat; }
    bool is_exact_int() const { return code == TypeCode::Int && bits >= 32; }
    bool is_wrapping_int() const { return is_int() && !is_exact_int(); }
    int bytes() const { return bits <= 8 ? 1 : bits / 8; }

    // Smallest and largest value of an integer type or bool; `max` of uint64 does not fit int64,
    // hence 128 bits.
    Int128 min_value() const {
        return code == TypeCode::Int ? -(static_cast<Int128>(1) << (bits - 1)) : 0;
    }
    Int128 max_value() const {
        if (code == TypeCode::Bool) return 1;
        return (static_cast<Int128>(1) << (code == TypeCode::Int ? bits - 1 : bits)) - 1;
    }
    bool contains(Int128 value) const { return min_value() <= value && value <= max_value(); }

    // "int32", "uint8", "bool", "float16", "bfloat16": TVM's and NumPy's spelling.
    std::string str() const;
    static std::optional<ScalarType> parse(std::string_view text);
};

inline constexpr ScalarType kBool{TypeCode::Bool, 1};
inline constexpr ScalarType kInt8{TypeCode::Int, 8};
inline constexpr ScalarType kInt16{TypeCode::Int, 16};
inline constexpr ScalarType kInt32{TypeCode::Int, 32};
inline constexpr ScalarType kInt64{TypeCode::Int, 64};
inline constexpr ScalarType kUInt8{TypeCode::UInt, 8};
inline constexpr ScalarType kUInt16{TypeCode::UInt, 16};
inline constexpr ScalarType kUInt32{TypeCode::UInt, 32};
inline constexpr ScalarType kUInt64{TypeCode::UInt, 64};
inline constexpr ScalarType kFloat16{TypeCode::Float, 16};
inline constexpr ScalarType kBFloat16{TypeCode::BFloat, 16};
inline constexpr ScalarType kFloat32{TypeCode::Float, 32};
inline constexpr ScalarType kFloat64{TypeCode::Float, 64};

// Every scalar type, in a fixed order.
const std::vector<ScalarType>& all_scalar_types();

}  // namespace proviso::ir
