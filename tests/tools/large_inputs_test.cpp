// Programs that a machine made, larger than any that people write: a command ends on them, with the
// right result or a message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Seen;
using testing::HasSubstr;

class LargeInputs : public proviso::tests::Commands {
  protected:
    // B[0] = (p + 0) // m + (p + 1) // m + … + more
    void quotients(int count, const std::string& more = "") {
        std::string sum;
        for (int k = 0; k < count; ++k) sum += "(p + " + std::to_string(k) + ") // m + ";
        file("sum.py",
             "@T.prim_func\n"
             "def f(B: T.Buffer((1,), \"int32\"), p: T.int32, m: T.int32, q: T.int32):\n"
             "    B[0] = " +
                 sum + (more.empty() ? "q" : more) + "\n");
    }
    Seen run_sum(const std::string& q) {
        return run({"run", "sum.py", "--random", "--set", "p=7", "--set", "m=3", "--set", "q=" + q,
                    "--engine", "cpu"});
    }
};

// LLVM's passes are at least quadratic in the length of a function, and cubic in its branches:
// 3,000 checks of divisors took hours.
TEST_F(LargeInputs, SumsOfQuotientsRun) {
    quotients(3000);
    const Seen seen =
        run({"run", "sum.py", "--random", "--set", "p=7", "--set", "m=3", "--engine", "both"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("interpreter and cpu: equal"));
}

// Where the checks of divisors are calls, and the function is optimised.
TEST_F(LargeInputs, AManyFoldCheckedSumStillEndsAtADivision) {
    constexpr const char* fault = "cpu: arithmetic exception (a division without a quotient)";
    quotients(50, "100 // q");
    EXPECT_THAT(run_sum("5").out, HasSubstr("B = [528]"));
    const Seen by_zero = run_sum("0");
    EXPECT_EQ(by_zero.code, 1) << by_zero.out;
    EXPECT_THAT(by_zero.err, HasSubstr(fault));
    quotients(50, "(q - 1) // (m - 4)");
    const Seen too_large = run_sum("-2147483647");
    EXPECT_EQ(too_large.code, 1) << too_large.out;
    EXPECT_THAT(too_large.err, HasSubstr(fault));
}

}  // namespace
