// Made-up inputs that show what runs of small values do not.
#include <gtest/gtest.h>

#include "ir/text.h"
#include "verify/harness/replay.h"

namespace proviso::verify {
namespace {

std::string sum(const char* type, const char* outer, const char* inner) {
    return std::string("@T.prim_func\ndef f(A: T.Buffer((4, 4), \"") + type +
           "\"), S: T.Buffer((1,), \"" + type + "\")):\n    S[0] = T.cast(0, \"" + type +
           "\")\n    for " + outer + " in range(4):\n        for " + inner +
           " in range(4):\n            S[0] = S[0] + A[i, k]\n";
}

class OrderOfASum : public testing::TestWithParam<const char*> {};

// Trap: in exact arithmetic the order of a sum does not matter. With a fault on overflow, or with
// rounding, it does, but only for values that small inputs do not have.
TEST_P(OrderOfASum, IsSeenByAReplay) {
    ir::Context ctx;
    const auto rows = ir::parse_function(ctx, sum(GetParam(), "i", "k"), "<rows>");
    const auto columns = ir::parse_function(ctx, sum(GetParam(), "k", "i"), "<columns>");
    ASSERT_TRUE(rows.ok() && columns.ok()) << rows.error().str();
    const Result<ReplayResult> seen = replay(ctx, *rows, *columns, {});
    ASSERT_TRUE(seen.ok()) << seen.error().str();
    EXPECT_TRUE(seen->found.has_value()) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(Types, OrderOfASum,
                         testing::Values("int32", "int64", "float16", "float32", "float64"));

}  // namespace
}  // namespace proviso::verify
