// What a refusal shows of the program: the block, loop or store that it is about, with carets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class Excerpts : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("sums.py", R"(
@T.prim_func
def sums(A: T.Buffer((4, 6), "int32"), S: T.Buffer((4,), "int32"), D: T.Buffer((4,), "int32")):
    for i, k in T.grid(4, 6):
        with T.block("sum"):
            vi, vk = T.axis.remap("SR", [i, k])
            with T.init():
                S[vi] = 0
            S[vi] = S[vi] + A[vi, vk]
    for m in range(4):
        with T.block("twice"):
            vm = T.axis.spatial(4, m)
            D[vm] = S[vm] * 2
)");
    }
    Seen scheduled(const std::string& schedule, const std::string& option = "--quiet") {
        file("s.py", schedule);
        return run({"lower", "sums.py", "-s", "s.py", "--no-cache", option});
    }
};

TEST_F(Excerpts, ShowTheLoopThatTheCallNames) {
    const Seen seen = scheduled("sch.split(sch.get_loops(\"sum\")[1], factors=[2, 2])\n");
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr(R"(
  note: the program at this call:
      for i in range(4):
          for k in range(6):
          ^^^^^^^^^^^^^^^^^^
              with T.block("sum"):
                  vi = T.axis.spatial(4, i)
                  vk = T.axis.reduce(6, k)
                  …
  hint: )"));
    EXPECT_THAT(seen.err, Not(HasSubstr("T.block(\"twice\")")));
}

TEST_F(Excerpts, ShowEveryBlockThatTheCallNames) {
    const Seen seen = scheduled("sch.fuse_reduction_epilogue(\"twice\", \"sum\")\n");
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.err, HasSubstr("              with T.block(\"sum\"):\n"
                                    "              ^^^^^^^^^^^^^^^^^^^^\n"));
    EXPECT_THAT(seen.err, HasSubstr("      for m in range(4):\n"
                                    "          with T.block(\"twice\"):\n"
                                    "          ^^^^^^^^^^^^^^^^^^^^^^\n"));
}

TEST_F(Excerpts, ShowWhatAStepIsAboutAndStandBeforeTheOtherNotes) {
    const Seen seen = scheduled("i, k = sch.get_loops(\"sum\")\nsch.parallel(k)\n");
    EXPECT_EQ(seen.code, 1);
    const std::size_t carets = seen.err.find("^^^^^");
    EXPECT_LT(carets, seen.err.find("note: step: "));
    EXPECT_LT(carets, seen.err.find("note: values: "));
    EXPECT_THAT(seen.err,
                HasSubstr("          for k in range(6):\n          ^^^^^^^^^^^^^^^^^^\n"));
}

// The site was taken for one of the program before the call.
TEST_F(Excerpts, SayThatStepsOfTheCallCameBefore) {
    const Seen seen = scheduled("i, k = sch.get_loops(\"sum\")\nsch.rfactor(k, 0)\n");
    EXPECT_EQ(seen.code, 3);  // not proved
    EXPECT_THAT(seen.err, HasSubstr("note: the program after the first steps of this call:\n"));
    EXPECT_THAT(seen.err, HasSubstr("^^^^"));
}

TEST_F(Excerpts, ALoopWithCopiesIsShownInEach) {
    const Seen seen = scheduled(
        "m, = sch.get_loops(\"twice\")\nsch.loop_partition(m, factors=[1, None])\nsch.unroll(m, "
        "copies=True)\n");
    EXPECT_EQ(seen.code, 1);
    std::size_t carets = 0;
    for (std::size_t at = 0; (at = seen.err.find(" ^^^^", at)) != std::string::npos; ++at) {
        ++carets;
    }
    EXPECT_EQ(carets, 2U) << seen.err;
}

TEST_F(Excerpts, AreANoteForMachines) {
    const Seen seen = scheduled("sch.split(sch.get_loops(\"sum\")[1], factors=[2, 2])\n", "--json");
    const auto notes = nlohmann::json::parse(seen.out)["diagnostic"]["notes"];
    ASSERT_FALSE(notes.empty());
    EXPECT_THAT(notes[0].get<std::string>(), HasSubstr("the program at this call:\n"));
}

// It said to write sch.rfactor(loop, 0), and that is what was written.
TEST_F(Excerpts, NoHintRepeatsTheCall) {
    for (const char* call :
         {"i, k = sch.get_loops(\"sum\")\nsch.rfactor(i, 0)\n",
          "i, k = sch.get_loops(\"sum\")\nm, = sch.get_loops(\"twice\")\nsch.fuse(i, m)\n",
          "i, k = sch.get_loops(\"sum\")\nm, = sch.get_loops(\"twice\")\nsch.reorder(m, i)\n",
          "m, = sch.get_loops(\"twice\")\nsch.decompose_reduction(\"sum\", m)\n",
          "m, = sch.get_loops(\"twice\")\nsch.compute_at(\"twice\", m)\n",
          "m, = sch.get_loops(\"twice\")\nsch.read_at(m, \"sum\", \"A\", \"local\")\n",
          "i, k = sch.get_loops(\"sum\")\nsch.blockize(i)\nsch.blockize(k)\n",
          "sch.compute_inline(\"sum\")\n", "sch.decompose_padding(\"sum\", sch.loop(\"i\"))\n"}) {
        const Seen seen = scheduled(call);
        if (seen.code == 0) continue;
        EXPECT_EQ(seen.code, 1) << call << seen.err;
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << call;
        EXPECT_THAT(seen.err, Not(HasSubstr("hint: write: "))) << call;
    }
}

}  // namespace
