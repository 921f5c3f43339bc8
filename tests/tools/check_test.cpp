// proviso check on the command line: its limits, each met from both sides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class Check : public Commands {
  protected:
    // Two functions of one meaning, with a buffer of so many cells inside.
    void scratch(const std::string& cells) {
        const std::string head =
            "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n"
            "    tmp = T.alloc_buffer((" +
            cells + ",), \"int32\")\n";
        file("one.py", head +
                           "    for i in range(8):\n        tmp[i * 8000] = A[i]\n"
                           "    for i in range(8):\n        B[i] = tmp[i * 8000]\n");
        file("two.py", head +
                           "    for i in range(8):\n        tmp[i * 8000] = A[i]\n"
                           "        B[i] = tmp[i * 8000]\n");
    }
};

TEST_F(Check, TheLimitOfCellsIsOneOfBuffersInsideToo) {
    scratch("70000");
    const Seen small = run({"check", "one.py", "two.py"});
    EXPECT_EQ(small.code, 3) << small.out;
    EXPECT_THAT(small.out, HasSubstr("a large allocation, tmp has more than 65536 cells "
                                     "(--cell-limit raises it)"));
    const Seen almost = run({"check", "one.py", "two.py", "--cell-limit", "69999"});
    EXPECT_EQ(almost.code, 3) << almost.out;
    const Seen raised = run({"check", "one.py", "two.py", "--cell-limit", "70000"});
    EXPECT_EQ(raised.code, 0) << raised.out;
    EXPECT_THAT(raised.out, HasSubstr("BOUNDED(constant extents)"));
    // And so is a lower one.
    const Seen lowered = run({"check", "one.py", "two.py", "--cell-limit", "100"});
    EXPECT_EQ(lowered.code, 3) << lowered.out;
    EXPECT_THAT(lowered.out, HasSubstr("tmp has more than 100 cells"));
}

// The interpreter's runs have room for what the option allows.
TEST_F(Check, RunsKeepToTheRaisedLimit) {
    scratch("5000000");
    const Seen few = run({"check", "one.py", "two.py", "--tests", "2"});
    EXPECT_EQ(few.code, 3) << few.out;
    EXPECT_THAT(few.out, HasSubstr("(--cell-limit raises it)"));
    const Seen raised =
        run({"check", "one.py", "two.py", "--tests", "2", "--cell-limit", "5000000"});
    EXPECT_EQ(raised.code, 0) << raised.out;
    EXPECT_THAT(raised.out, HasSubstr("interpreter: 2 runs, 2 of them without a fault"));
    EXPECT_THAT(raised.out, Not(HasSubstr("limit")));
}

TEST_F(Check, ALimitBeyondTheMachineIsAnError) {
    scratch("8");
    const Seen seen = run({"check", "one.py", "two.py", "--cell-limit", "16777217"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("--cell-limit"));
}

}  // namespace
