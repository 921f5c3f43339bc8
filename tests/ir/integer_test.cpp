// Integers beyond 128 bits must be as right as small ones: the laws hold across the border.
#include "ir/domains/integer.h"

#include <gtest/gtest.h>

#include <vector>

namespace proviso::ir {
namespace {

Integer parsed(const char* text) {
    return *Integer::parse(text);
}

TEST(Integer, KnowsNumbersAcrossTheBorderOf128Bits) {
    const Integer border = Integer::power_of_two(127);
    EXPECT_EQ(border.str(), "170141183460469231731687303715884105728");
    EXPECT_FALSE(border.to_int128());
    EXPECT_TRUE((border - 1).to_int128());
    EXPECT_TRUE((-border).to_int128());
    EXPECT_FALSE((-border - 1).to_int128());
    EXPECT_EQ((-border - 1) + 1 + border, 0);
    EXPECT_EQ(border * border, Integer::power_of_two(254));
    EXPECT_EQ((border - 1).str(), "170141183460469231731687303715884105727");
    EXPECT_EQ(parsed("-170141183460469231731687303715884105729"), -border - 1);
    EXPECT_FALSE(Integer::parse("12a"));
    EXPECT_FALSE(Integer::parse("-"));
    EXPECT_EQ(Integer(255).bit_length(), 8U);
    EXPECT_EQ(border.bit_length(), 128U);
}

TEST(Integer, DividesTowardMinusInfinityAndTowardZero) {
    EXPECT_EQ(floordiv(-7, 2), -4);
    EXPECT_EQ(floormod(-7, 2), 1);
    EXPECT_EQ(truncdiv(-7, 2), -3);
    EXPECT_EQ(truncmod(-7, 2), -1);
    EXPECT_EQ(floordiv(7, -2), -4);
    EXPECT_EQ(floormod(7, -2), -1);
    EXPECT_EQ(truncmod(7, -2), 1);
    const Int128 lowest = *(-Integer::power_of_two(127)).to_int128();
    EXPECT_EQ(truncdiv(lowest, -1), Integer::power_of_two(127));
    EXPECT_EQ(floordiv(-Integer::power_of_two(200) - 1, Integer::power_of_two(200)), -2);
}

TEST(Integer, LawsHoldForSmallAndBig) {
    std::vector<Integer> samples = {0, 1, -1, 2, 3, -5, 127, 128, -128, 1000003};
    for (const unsigned k : {31U, 32U, 63U, 64U, 126U, 127U, 128U, 190U}) {
        for (const int d : {-1, 0, 1}) {
            samples.push_back(Integer::power_of_two(k) + d);
            samples.push_back(-Integer::power_of_two(k) + d);
        }
    }
    for (const Integer& a : samples) {
        EXPECT_EQ(parsed(a.str().c_str()), a);
        for (const Integer& b : samples) {
            EXPECT_EQ(a + b - b, a);
            EXPECT_EQ(a * b, b * a);
            EXPECT_EQ((a + 1) * b, a * b + b);
            EXPECT_EQ(a < b, (a - b).sign() < 0);
            EXPECT_EQ(a == b, (a - b).is_zero());
            EXPECT_TRUE(!(a == b) || a.hash() == b.hash());
            if (b.is_zero()) continue;
            EXPECT_EQ(floordiv(a, b) * b + floormod(a, b), a);
            EXPECT_EQ(truncdiv(a, b) * b + truncmod(a, b), a);
            EXPECT_LT(abs(truncmod(a, b)), abs(b));
            EXPECT_TRUE(floormod(a, b).is_zero() || floormod(a, b).sign() == b.sign());
            EXPECT_TRUE(truncmod(a, b).is_zero() || truncmod(a, b).sign() == a.sign());
            EXPECT_TRUE(floormod(a, gcd(a, b)).is_zero());
        }
        for (const ScalarType type : all_scalar_types()) {
            if (!type.is_int()) continue;
            EXPECT_TRUE(a.wrap(type).in_range(type));
            EXPECT_TRUE(floormod(a.wrap(type) - a, Integer::power_of_two(type.bits)).is_zero());
        }
    }
    EXPECT_EQ(gcd(0, 0), 0);
    EXPECT_EQ(gcd(-12, 18), 6);
}

TEST(Integer, CopiesAreIndependent) {
    Integer a = Integer::power_of_two(300);
    Integer b = a;
    a = a + 1;
    EXPECT_EQ(a - b, 1);
    b = 5;
    EXPECT_EQ(b, 5);
    Integer c = std::move(a);
    EXPECT_EQ(c, Integer::power_of_two(300) + 1);
}

}  // namespace
}  // namespace proviso::ir
