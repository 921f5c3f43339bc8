// How far floats are apart: counted by hand around zero, powers of two, and the ends of types.
#include "verify/harness/ulps.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace proviso::verify {
namespace {

using namespace ir;

TEST(Ulps, CountTheValuesBetween) {
    EXPECT_EQ(ulps_between(kFloat32, 1.5, 1.5), 0U);
    EXPECT_EQ(ulps_between(kFloat32, 1.0, std::nextafter(1.0F, 2.0F)), 1U);
    EXPECT_EQ(ulps_between(kFloat32, 1.0, std::nextafter(1.0F, 0.0F)), 1U);
    EXPECT_EQ(ulps_between(kFloat32, 1.0, 2.0), 1U << 23U);
    EXPECT_EQ(ulps_between(kFloat64, 1.0, std::nextafter(1.0, 2.0)), 1U);
    EXPECT_EQ(ulps_between(kFloat16, 1.0, 1.0 + std::ldexp(1.0, -10)), 1U);
    EXPECT_EQ(ulps_between(kBFloat16, 1.0, 1.0 + std::ldexp(1.0, -7)), 1U);
    EXPECT_EQ(ulps_between(kFloat32, -1.0, 1.0), 2U * (127U << 23U));
}

// Traps: subnormal numbers are counted as normal ones, and the step between the two twice.
TEST(Ulps, CountSubnormalNumbers) {
    const double least = std::numeric_limits<float>::denorm_min();
    const double normal = std::numeric_limits<float>::min();
    EXPECT_EQ(ulps_between(kFloat32, 0.0, least), 1U);
    EXPECT_EQ(ulps_between(kFloat32, -least, least), 2U);
    EXPECT_EQ(ulps_between(kFloat32, normal - least, normal), 1U);
    EXPECT_EQ(ulps_between(kFloat32, normal, normal + least), 1U);
    EXPECT_EQ(ulps_between(kFloat64, 0.0, std::numeric_limits<double>::denorm_min()), 1U);
    EXPECT_EQ(ulps_between(kFloat16, std::ldexp(1.0, -14), std::ldexp(1.0, -15)), 512U);
}

TEST(Ulps, NothingIsNearNanInfinityOrTheOtherZero) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double largest = std::numeric_limits<float>::max();
    EXPECT_EQ(ulps_between(kFloat32, nan, 1.0), std::nullopt);
    EXPECT_EQ(ulps_between(kFloat32, 1.0, nan), std::nullopt);
    EXPECT_EQ(ulps_between(kFloat32, largest, infinity), std::nullopt);
    EXPECT_EQ(ulps_between(kFloat32, -infinity, infinity), std::nullopt);
    EXPECT_EQ(ulps_between(kFloat32, 0.0, -0.0), std::nullopt);
    EXPECT_EQ(ulps_between(kFloat32, 0.0, 0.0), 0U);
    EXPECT_EQ(ulps_between(kFloat32, -0.0, -0.0), 0U);
}

}  // namespace
}  // namespace proviso::verify
