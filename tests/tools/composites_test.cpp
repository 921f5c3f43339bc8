// How the progress shows a function of an imported file: one line, or, with --verbose, its calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class Composites : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("move.py", R"(
@T.prim_func
def moved(A: T.Buffer((40,), "int32"), B: T.Buffer((40,), "int32")):
    for i in range(40):
        with T.block("move"):
            v = T.axis.spatial(40, i)
            B[v] = A[v]
)");
        file("parts.py",
             "def inner(s, block):\n    return s.get_loops(block)[0]\n"
             "def twice(s, block):\n    s.split(inner(s, block), factors=[None, 8])\n"
             "    s.split(inner(s, block), factors=[5, None])\n");
        file("s.py", "from parts import twice\ntwice(sch, \"move\")\nsch.simplify()\n");
    }
    Seen lowered(const std::string& option) {
        return run({"lower", "move.py", "-s", "s.py", "--no-cache", "--emit", "ir", option});
    }
};

TEST_F(Composites, AreOneLineUnlessUnfolded) {
    const Seen folded = lowered("--no-validation");
    EXPECT_EQ(folded.code, 0) << folded.err;
    EXPECT_THAT(folded.err, HasSubstr("  parts.twice                              2 steps\n"));
    EXPECT_THAT(folded.err, HasSubstr("  simplify "));
    EXPECT_THAT(folded.err, Not(HasSubstr("  split ")));
    EXPECT_THAT(folded.err, Not(HasSubstr("parts.inner")));
    const Seen unfolded = lowered("--verbose");
    EXPECT_THAT(unfolded.err, HasSubstr("  split                                    1 step"));
    EXPECT_THAT(unfolded.err, Not(HasSubstr("parts.twice")));
    // For machines all calls are told.
    const auto told = nlohmann::json::parse(lowered("--json").out)["schedule"];
    EXPECT_EQ(told.size(), 5U) << told;
}

}  // namespace
