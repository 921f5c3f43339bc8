// Programs that a machine makes: deep, or with many statements alike. Lowering one is not cubic in
// its size; each has a size here that took a minute once.
#include <gtest/gtest.h>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/passes/passes.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

class LargePrograms : public testing::Test {
  protected:
    // Questions that lowering asked.
    std::uint64_t asked(const std::string& program) {
        Context ctx;
        const Result<Function> f = parse_function(ctx, "@T.prim_func\n" + program, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        if (!f.ok()) return 0;
        Result<Derivation> derivation = Derivation::start(ctx, *f);
        EXPECT_TRUE(derivation.ok()) << derivation.error().str();
        analysis::Prover prover(ctx, {});
        Proposer proposer(*derivation, prover);
        EXPECT_FALSE(lower(proposer).wrong);
        return prover.stats().asked;
    }

    static std::string arms(int count) {
        const std::string n = std::to_string(count);
        std::string out = "def f(A: T.Buffer((" + n + ",), \"int32\"), B: T.Buffer((" + n +
                          ",), \"int32\")):\n    for i in range(" + n + "):\n";
        for (int k = 0; k < count; ++k) {
            out += std::string(k == 0 ? "        if" : "        elif") +
                   " A[i] == " + std::to_string(3 * k) +
                   ":\n            B[i] = " + std::to_string(k % 7) + "\n";
        }
        return out;
    }

    // Each reads what earlier ones may have stored, at places that data gives.
    static std::string data_dependent_stores(int count) {
        const std::string n = std::to_string(count);
        std::string out =
            "def f(I: T.Buffer((" + n + ",), \"int32\"), B: T.Buffer((1000,), \"float32\")):\n";
        for (int k = 0; k < count; ++k) {
            const std::string at = "B[I[" + std::to_string(k) + "]]";
            const std::string other = "B[I[" + std::to_string((k + 1) % count) + "]]";
            out += "    " + at + " = T.if_then_else(" + other +
                   " < T.float32(0.0), T.float32(0.0), B[" + std::to_string(k) + "])\n";
        }
        return out;
    }
};

TEST_F(LargePrograms, NestedArms) {
    EXPECT_LT(asked(arms(180)), 4 * asked(arms(90)) + 100);
}

TEST_F(LargePrograms, LetsInsideEachOther) {
    std::string out = "def f(p: T.int32, B: T.Buffer((1,), \"int32\")):\n    x0: T.int32 = p\n";
    for (int k = 1; k < 900; ++k) {
        out += "    x" + std::to_string(k) + ": T.int32 = x" + std::to_string(k - 1) + " + 1\n";
    }
    EXPECT_LT(asked(out + "    B[0] = x899\n"), 3000U);
}

// Trap: each arm is simplified under every set of the conditions around it, which took 5 GB for 40.
TEST_F(LargePrograms, ChoicesInsideEachOther) {
    constexpr int count = 60;
    std::string out = "def f(p: T.int32, m: T.int32, B: T.Buffer((1,), \"int32\")):\n    B[0] = ";
    for (int k = 0; k < count; ++k) {
        const std::string n = std::to_string(k);
        out += "T.Select(p == " + n + ", m + " + n + ", ";
    }
    EXPECT_LT(asked(out + "p" + std::string(count, ')') + "\n"), 1000U);
}

// What a search has found of a store is kept for the next load.
TEST_F(LargePrograms, StoresAtPlacesThatDataGives) {
    EXPECT_LT(asked(data_dependent_stores(20)), 6 * asked(data_dependent_stores(10)));
}

// The point and the path to a deep site name no other sites on their way.
TEST_F(LargePrograms, PointsOfDeepSites) {
    Context ctx;
    const Result<Function> f = parse_function(ctx, "@T.prim_func\n" + arms(50), "<test>");
    ASSERT_TRUE(f.ok());
    for (const auto& [site, stmt] : all_statements(*f)) {
        const analysis::Access at = analysis::point_at(ctx, *f, site);
        EXPECT_EQ(at.site, site);
        const analysis::Path path = analysis::path_to(*f, site);
        const auto passed = analysis::passed_on_the_way(*f, site);
        ASSERT_EQ(passed.size(), path.steps.size());
        EXPECT_EQ(path.target.stmt, stmt);
        EXPECT_EQ(path.statement_site, site);
        for (std::size_t k = 0; k < passed.size(); ++k) {
            EXPECT_EQ(passed[k].stmt, path.steps[k].stmt);
            EXPECT_EQ(at.outer(k), path.steps[k].site);
        }
    }
}

}  // namespace
}  // namespace proviso::rewrite
