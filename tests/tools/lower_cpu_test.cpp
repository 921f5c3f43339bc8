// Machine code of `proviso lower` and `proviso run` for a CPU that is chosen, and what is said of
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;

constexpr const char* kAtLeastTwo = R"(
@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = T.max(A[i], 2)
)";

class LowerForCpu : public Commands {};

TEST_F(LowerForCpu, ACpuIsChosenAndNamed) {
    file("twice.py", kAtLeastTwo);
    const auto lowered = [this](const std::string& cpu) {
        return run({"lower", "twice.py", "--emit", "header", "-o", "out_", "--cpu", cpu});
    };
    EXPECT_EQ(lowered("v2").code, 0);
    EXPECT_THAT(text_of(folder_ / "out_/twice_main.h"),
                HasSubstr("The code is for this CPU: x86-64-v2."));
    const Seen wrong = lowered("haswel");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("did you mean `haswell`?"));
    const Seen gpu = run({"lower", "twice.py", "--target", "opencl:generic", "--cpu", "v2"});
    EXPECT_EQ(gpu.code, 2);
    EXPECT_THAT(gpu.err, HasSubstr("--cpu is about machine code of the CPU"));
    const Seen ran =
        run({"run", "twice.py", "--random", "--engine", "both", "--cpu", "x86-64", "-q"});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("equal, bit for bit"));
    EXPECT_EQ(run({"run", "twice.py", "--random", "--cpu", "haswel"}).code, 2);
    const Seen none = run({"run", "twice.py", "--random", "--engine", "interp", "--cpu", "v2"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("--cpu is about machine code of the CPU"));
}

TEST_F(LowerForCpu, LoopsAreExplained) {
    file("twice.py", kAtLeastTwo);
    const Seen seen = run({"lower", "twice.py", "--emit", "ir", "-o", "out_", "--explain-speed"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("speed of main on x86-64-v3, by its innermost loops:\n"
                                    "  line 3: for i in range(4): vectors of 4 i32\n"));
    const Seen told = run({"lower", "twice.py", "--explain-speed", "--json", "--cpu", "v2"});
    const json speed = json::parse(told.out).at("speed");
    EXPECT_EQ(speed.at("cpu"), "x86-64-v2");
    ASSERT_EQ(speed.at("loops").size(), 1U);
    EXPECT_EQ(speed.at("loops")[0].at("lanes"), 4);
    const Seen gpu = run({"lower", "twice.py", "--target", "opencl:generic", "--explain-speed"});
    EXPECT_EQ(gpu.code, 2);
    EXPECT_THAT(gpu.err, HasSubstr("--explain-speed is about machine code of the CPU"));
}

}  // namespace
