#include "verify/harness/ulps.h"

#include <algorithm>
#include <cmath>

namespace proviso::verify {

using namespace ir;

namespace {

struct Format {
    int precision;       // bits of the significand, the hidden one included
    int least_exponent;  // of a normal number
};

Format format_of(ScalarType type) {
    if (type == kBFloat16) return {8, -126};
    if (type == kFloat16) return {11, -14};
    if (type == kFloat32) return {24, -126};
    return {53, -1022};
}

// The number of the value among those of its sign, 0 for zero.
std::uint64_t number_of(const Format& f, double magnitude) {
    const double least = std::ldexp(1.0, f.least_exponent);
    const double unit = std::ldexp(1.0, f.least_exponent - f.precision + 1);
    if (magnitude < least) return static_cast<std::uint64_t>(magnitude / unit);
    const int exponent = std::ilogb(magnitude);
    const auto significand =
        static_cast<std::uint64_t>(std::ldexp(magnitude, f.precision - 1 - exponent));
    const auto steps = static_cast<std::uint64_t>(exponent - f.least_exponent);
    return (steps << (f.precision - 1)) + significand;
}

}  // namespace

std::optional<std::uint64_t> ulps_between(ScalarType type, double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) return std::nullopt;
    if (a == 0 && b == 0 && std::signbit(a) != std::signbit(b)) return std::nullopt;
    const Format f = format_of(type);
    const std::uint64_t x = number_of(f, std::fabs(a));
    const std::uint64_t y = number_of(f, std::fabs(b));
    return std::signbit(a) == std::signbit(b) ? std::max(x, y) - std::min(x, y) : x + y;
}

}  // namespace proviso::verify
