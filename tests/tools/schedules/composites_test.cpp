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

// Loops of one iteration go away on the way: the composite looked for them later.
TEST_F(Composites, TilesMayBeAsLargeAsTheMatrix) {
    for (const auto& [rows, columns] : {std::pair{"3", "100"}, {"1", "1"}, {"13", "17"}}) {
        std::string program = R"(
@T.prim_func
def product(A: T.Buffer((M, 2), "float64"), B: T.Buffer((2, N), "float64"), C: T.Buffer((M, N), "float64")):
    for i, j, k in T.grid(M, N, 2):
        with T.block("product"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float64(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
)";
        for (const auto& [name, size] : {std::pair{"M", rows}, {"N", columns}}) {
            for (std::size_t at; (at = program.find(name)) != std::string::npos;) {
                program.replace(at, 1, size);
            }
        }
        file("product.py", program);
        file("s.py", "from matmul import register_tile\nregister_tile(sch, \"product\")\n");
        const Seen seen = run({"lower", "product.py", "-s", "s.py", "--no-cache", "-q"});
        EXPECT_EQ(seen.code, 0) << seen.err;
    }
}

}  // namespace
