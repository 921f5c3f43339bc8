// The table of expressions with the best form known of each (tests/data/simplifier): no result is
// wrong, and of each family at least as many come out that small as once did. A floor only rises.
#include "rewrite/corpus/best_forms.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "ir/text.h"

namespace proviso::rewrite {
namespace {

const std::string kFolder = std::string(PROVISO_SOURCE_DIR) + "/tests/data/simplifier/";

std::string text_of(const std::string& name) {
    std::ifstream in(kFolder + name);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
}

// "FAMILY: NUMBER", a line each.
std::map<std::string, std::size_t> floors() {
    std::map<std::string, std::size_t> out;
    std::istringstream in(text_of("floors.txt"));
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.rfind(": ");
        if (colon != std::string::npos)
            out[line.substr(0, colon)] = std::stoul(line.substr(colon + 2));
    }
    return out;
}

class BestForms : public testing::Test {
  protected:
    std::vector<BestForm> read(const std::string& text) {
        auto out = read_best_forms(ctx, text, "table");
        EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().str());
        return out.ok() ? *out : std::vector<BestForm>{};
    }
    std::string message(const std::string& text) {
        const auto out = read_best_forms(ctx, text, "table");
        return out.ok() ? "read" : out.error().str();
    }

    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
};

TEST_F(BestForms, NoneIsWrongAndNoFewerAreReachedThanOnce) {
    Simplifier simplifier(prover);
    std::map<std::string, std::size_t> reached;
    std::map<std::string, std::size_t> cases;
    for (const BestForm& c : read(text_of("best_forms.txt"))) {
        const JudgedForm judged = judge_best_form(simplifier, c);
        EXPECT_EQ(judged.wrong, "") << "line " << c.line << ": " << ir::print(c.expr) << " gave "
                                    << ir::print(judged.result);
        EXPECT_EQ(where_they_differ(c, c.expr, c.best), "")
            << "line " << c.line << ": the best form is none";
        ++cases[c.family];
        reached[c.family] += judged.reached ? 1 : 0;
    }
    const auto least = floors();
    EXPECT_FALSE(least.empty());
    for (const auto& [family, count] : cases) {
        EXPECT_GE(count, 15U) << family;
        ASSERT_TRUE(least.contains(family)) << family << " has no floor";
        EXPECT_GE(reached[family], least.at(family)) << family;
    }
    for (const auto& [family, count] : least) EXPECT_TRUE(cases.contains(family)) << family;
}

TEST_F(BestForms, ADifferenceIsSeenAtCornersAndInFaults) {
    const auto cases = read(
        "[family]\n"
        "vars x -9..1000000, y 0..9\n"
        "x // 2 => T.truncdiv(x, 2)\n"
        "x => T.max(x, -8)\n"
        "x + 0 => x + y // 10\n"
        "y => y + x // y * 0\n"
        "x // y => x // y\n");
    ASSERT_EQ(cases.size(), 5U);
    EXPECT_NE(where_they_differ(cases[0], cases[0].expr, cases[0].best), "");
    EXPECT_NE(where_they_differ(cases[1], cases[1].expr, cases[1].best).find("x = -9"),
              std::string::npos);
    EXPECT_EQ(where_they_differ(cases[2], cases[2].expr, cases[2].best), "");
    EXPECT_NE(where_they_differ(cases[3], cases[3].expr, cases[3].best).find("a fault"),
              std::string::npos);
    // Where the first has a fault the second may be anything.
    EXPECT_EQ(where_they_differ(cases[4], cases[4].expr, ctx.add(cases[4].expr, ctx.i32(0))), "");
}

TEST_F(BestForms, AMistakeInATableHasItsLine) {
    EXPECT_NE(message("[a]\nvars x\nx => x\n").find("table:2:1: error: `x` needs a range"),
              std::string::npos);
    EXPECT_NE(message("[a]\nvars x 9..0\n").find("`9..0` is no range"), std::string::npos);
    EXPECT_NE(message("[a]\nvars x int33 0..1\n").find("no type is called `int33`"),
              std::string::npos);
    EXPECT_NE(message("[a]\nvars x 0..1\nx + 1\n").find("table:3:1: error: expected a case"),
              std::string::npos);
    EXPECT_NE(message("[a]\nvars x 0..1\nx + => x\n").find("table:3:"), std::string::npos);
    EXPECT_NE(message("vars x 0..1\nx => x\n").find("before any family"), std::string::npos);
    EXPECT_NE(message("[a\n").find("ends in `]`"), std::string::npos);
}

}  // namespace
}  // namespace proviso::rewrite
