// What a refusal says would help: something that is about the call, and not how to spell it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;

constexpr const char* kStages = R"(
@T.prim_func
def stages(A: T.Buffer((8, 8), "int32"), C: T.Buffer((8, 8), "int32")):
    B = T.alloc_buffer((8, 8), "int32")
    for i in range(8):
        for j in range(8):
            with T.block("start"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = vi
    for i in range(8):
        for j in range(8):
            with T.block("add"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = B[vi, vj] ^ A[vi, vj]
    for i in range(8):
        for j in range(8):
            with T.block("use"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = B[7 - vi, vj]
)";

class ScheduleHints : public Commands {};

TEST_F(ScheduleHints, AreAboutWhatWasRefused) {
    file("stages.py", kStages);
    struct Case {
        std::string calls, message, hint;
    };
    const std::vector<Case> cases = {
        {"sch.fuse(j, i)", "does not stand directly in", "name the outer loop first"},
        {"sch.parallel(i)\nsch.fuse(i, j)", "the loops are of different kinds",
         "before one of them is made parallel"},
        {"sch.parallel(i)\nsch.unroll(i)", "is not serial", "no order to be written out in"},
        {"sch.cache_read(\"add\", \"B\", \"local\", [\"add\"])", "the statement stores to B",
         "a copy holds what B held before the statement"},
        {"sch.read_at(sch.get_loops(\"add\")[0], \"add\", \"B\", \"local\")",
         "the statement stores to B", "a copy holds what B held before the statement"},
        {"sch.store_at(\"add\", i)", "B is stored to at", "without a loop keeps the result"},
    };
    for (const Case& c : cases) {
        file("s.py", "i, j = sch.get_loops(\"use\")\n" + c.calls + "\n");
        const Seen seen = run({"lower", "stages.py", "-s", "s.py", "--no-cache", "-q"});
        EXPECT_EQ(seen.code, 1) << c.calls;
        EXPECT_THAT(seen.err, HasSubstr(c.message)) << c.calls;
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << c.calls;
        EXPECT_THAT(seen.err, HasSubstr(c.hint)) << c.calls;
    }
}

}  // namespace
