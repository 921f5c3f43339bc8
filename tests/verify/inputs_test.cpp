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

Result<ReplayResult> replayed(ir::Context& ctx, const std::string& before,
                              const std::string& after) {
    const auto was = ir::parse_function(ctx, before, "<before>");
    const auto is = ir::parse_function(ctx, after, "<after>");
    EXPECT_TRUE(was.ok() && is.ok());
    return replay(ctx, *was, *is, {});
}

// The assumption, and what is done where it says something.
std::string assuming(const std::string& assumption, const std::string& cells,
                     const std::string& stored) {
    return "@T.prim_func\ndef f(A: T.Buffer((12,), \"float32\"), I: T.Buffer((12,), \"int32\"), "
           "S: T.Buffer((12,), \"float32\")):\n    for i in range(12):\n        T.assume(" +
           assumption + ")\n    for i in range(" + cells + "):\n        S[i] = " + stored + "\n";
}

// Trap: none of the made-up inputs satisfies the assumption, and a search that only counts runs
// without a fault finds nothing. Of each assumption, a difference that only such inputs show.
TEST(Mending, MakesInputsThatSatisfyTheAssumptions) {
    const std::string assumptions[] = {
        "i < 4 or A[i] == T.float32(123.25)",
        "i < 4 or (T.float32(100) < A[i] and A[i] < T.float32(101))",
        "i < 4 or not (A[i] <= T.float32(77) or A[i] > T.float32(78))",
        "i < 4 or (I[i] == i - 4 and A[I[i]] == T.float32(9.5))",
        "A[i] == T.cast(i * 1000, \"float32\")",
    };
    for (const std::string& assumption : assumptions) {
        ir::Context ctx;
        const auto seen = replayed(ctx, assuming(assumption, "4, 12", "A[i - 4] + A[i]"),
                                   assuming(assumption, "4, 12", "A[i]"));
        ASSERT_TRUE(seen.ok()) << seen.error().str();
        EXPECT_TRUE(seen->found.has_value()) << assumption << ": " << seen->counted << " of "
                                             << seen->tries << " runs without a fault";
    }
}

TEST(Mending, KeepsLicences) {
    const std::string assumption = "i < 4 or A[i] == T.float32(\"inf\")";
    std::string before = assuming(assumption, "4, 12", "A[i]");
    std::string after = assuming(assumption, "4, 12", "A[i] + (A[i] - A[i])");
    const std::string at = "    for i in range(12):\n        T.assume";
    for (std::string* text : {&before, &after}) {
        text->insert(text->find(at), "    T.func_attr({\"proviso.licences\": [\"finite(A)\"]})\n");
    }
    ir::Context ctx;
    const auto seen = replayed(ctx, before, after);
    ASSERT_TRUE(seen.ok()) << seen.error().str();
    EXPECT_FALSE(seen->found.has_value()) << seen->found->str();
}

// Trap: an assumption that nothing satisfies is no reason to report what breaks it.
TEST(Mending, LeavesWhatCannotBeSatisfied) {
    const std::string assumption = "A[i] == T.float32(1) and A[i] == T.float32(2)";
    ir::Context ctx;
    const auto seen = replayed(ctx, assuming(assumption, "12", "A[i]"),
                               assuming(assumption, "12", "T.float32(5)"));
    ASSERT_TRUE(seen.ok()) << seen.error().str();
    EXPECT_FALSE(seen->found.has_value());
    EXPECT_EQ(seen->counted, 0U);
}

}  // namespace
}  // namespace proviso::verify
