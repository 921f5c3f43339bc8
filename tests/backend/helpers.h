// What the tests of the CPU back end share: programs of one loop, and values to and from bytes.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "backend/cpu/unverified.h"
#include "ir/context.h"
#include "ir/domains/value.h"

namespace proviso::backend::testing {

using namespace proviso::ir;

// The bits of a float of `type` whose value is `value` exactly.
inline std::uint64_t float_bits(ScalarType type, double value) {
    if (type == kFloat64) return std::bit_cast<std::uint64_t>(value);
    const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (type == kFloat32) return single;
    if (type == kBFloat16) return single >> 16;
    const std::uint64_t sign = std::signbit(value) ? 0x8000U : 0U;
    if (std::isnan(value)) return sign | 0x7e00;
    if (std::isinf(value)) return sign | 0x7c00;
    const double magnitude = std::fabs(value);
    if (magnitude < 0x1p-14) return sign | static_cast<std::uint64_t>(magnitude * 0x1p24);
    int exponent = 0;
    const double fraction = std::frexp(magnitude, &exponent);  // [0.5, 1)
    const auto mantissa = static_cast<std::uint64_t>(fraction * 2048.0) - 1024;
    return sign | (static_cast<std::uint64_t>(exponent + 14) << 10) | mantissa;
}

inline double float_of_bits(ScalarType type, std::uint64_t bits) {
    if (type == kFloat64) return std::bit_cast<double>(bits);
    if (type == kFloat32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (type == kBFloat16) return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    const int exponent = static_cast<int>((bits >> 10) & 31);
    const auto mantissa = static_cast<double>(bits & 0x3ff);
    if (exponent == 31) return mantissa == 0 ? sign * INFINITY : NAN;
    if (exponent == 0) return sign * std::ldexp(mantissa, -24);
    return sign * std::ldexp(1024.0 + mantissa, exponent - 25);
}

inline std::uint64_t value_bits(ScalarType type, const Value& v) {
    if (v.is_float()) return float_bits(type, v.real());
    return static_cast<std::uint64_t>(*v.integer().to_int128());
}

inline Value bits_value(ScalarType type, std::uint64_t bits) {
    if (type.is_float()) return Value::of_float(float_of_bits(type, bits));
    if (type.is_bool()) return Value::of_bool(bits != 0);
    return Value::of_int(Integer(static_cast<Int128>(bits)).wrap(type));
}

inline void set_cell(HostBuffer& b, std::size_t i, std::uint64_t bits) {
    const auto width = static_cast<std::size_t>(b.type.bytes());
    std::memcpy(b.bytes.data() + i * width, &bits, width);
}

inline std::uint64_t cell(const HostBuffer& b, std::size_t i) {
    std::uint64_t bits = 0;
    const auto width = static_cast<std::size_t>(b.type.bytes());
    std::memcpy(&bits, b.bytes.data() + i * width, width);
    return bits;
}

inline HostBuffer host_buffer(ScalarType type, std::vector<std::int64_t> shape,
                              const std::vector<double>& values) {
    HostBuffer out = make_host_buffer(type, std::move(shape));
    for (std::size_t i = 0; i < values.size(); ++i) {
        set_cell(out, i,
                 type.is_float()
                     ? float_bits(type, values[i])
                     : static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])));
    }
    return out;
}

inline std::vector<double> values(const HostBuffer& b) {
    std::vector<double> out;
    const std::size_t count = b.bytes.size() / static_cast<std::size_t>(b.type.bytes());
    for (std::size_t i = 0; i < count; ++i) {
        const Value v = bits_value(b.type, cell(b, i));
        out.push_back(v.is_float() ? v.real() : static_cast<double>(*v.integer().to_int128()));
    }
    return out;
}

inline HostScalar int_scalar(ScalarType type, std::int64_t value) {
    return HostScalar{type, static_cast<std::uint64_t>(value)};
}

inline CpuModule compiled(const Function& f, const CpuOptions& options = {}) {
    Result<CpuModule> out = unverified::compile(f, options);
    EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().str());
    return std::move(out).value();
}

inline RunOutcome run(const CpuModule& m, const std::string& name,
                      const std::vector<HostArgument>& args) {
    const Result<RunOutcome> out = m.run(name, args);
    EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().str());
    return out.ok() ? *out : RunOutcome{-99, "refused"};
}

inline CpuOptions at(OptLevel level) {
    CpuOptions out;
    out.opt = level;
    return out;
}

}  // namespace proviso::backend::testing
