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

// Each division was printed with all that stands in it, one line each: 160 KB of warnings.
TEST_F(LargeInputs, DivisionsThatStayAreToldBriefly) {
    std::string nest = "p";
    for (int k = 0; k < 30; ++k) nest = "(" + nest + " // m + 1)";
    file("nest.py",
         "@T.prim_func\ndef f(B: T.Buffer((1,), \"int32\"), p: T.int32, m: T.int32):\n"
         "    B[0] = " +
             nest + "\n");
    const Seen seen = run({"lower", "nest.py", "-q"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_LT(seen.err.size(), 10'000U);
    EXPECT_THAT(seen.err, HasSubstr(" … "));
    EXPECT_THAT(seen.err, HasSubstr("more divisions are not lowered; --json lists them"));
}

// (x0 + 1) * (x1 + 2) * …, from the first factor or from the last.
std::string product(int factors, bool backwards = false) {
    std::string out;
    for (int k = 0; k < factors; ++k) {
        const int n = backwards ? factors - 1 - k : k;
        out += (k == 0 ? "(x" : " * (x") + std::to_string(n) + " + " + std::to_string(n + 1) + ")";
    }
    return out;
}

// Multiplied out, the product has 2^24 terms; as one claim each of these went to the solvers.
TEST_F(LargeInputs, ResultsAreProvedInSmallPieces) {
    EXPECT_EQ(run({"simplify", product(24), "--no-cache"}).code, 0);
    std::string minima = "x";
    for (int k = 0; k < 600; ++k) minima = "T.min(" + minima + ", y)";
    const Seen least = run({"simplify", minima, "--no-cache"});
    EXPECT_EQ(least.code, 0) << least.err;
    EXPECT_EQ(least.out, "T.min(x, y)\n");
    std::string quotients = "x";
    for (int k = 0; k < 250; ++k) {
        quotients = "((" + quotients + " * 3 + y) // " + std::to_string(k % 7 + 2) + ")";
    }
    EXPECT_EQ(run({"simplify", quotients, "--no-cache"}).code, 0);
}

// Trap: factors that are nearly the same ones.
TEST_F(LargeInputs, ProductsOfTheSameFactorsAreEqual) {
    EXPECT_EQ(run({"prove", product(24) + " == " + product(24, true), "--no-cache"}).code, 0);
    const std::string other = product(23, true) + " * (x23 + 23)";
    EXPECT_NE(run({"prove", product(24) + " == " + other, "--no-cache"}).code, 0);
    const std::string twice = product(23, true) + " * (x22 + 23)";
    EXPECT_NE(run({"prove", product(24) + " == " + twice, "--no-cache"}).code, 0);
}

}  // namespace
