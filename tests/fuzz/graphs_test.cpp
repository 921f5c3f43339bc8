// Networks with layouts under random demands.
#include "fuzz/gen/graphs/graphs.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "fuzz/campaign/campaign.h"
#include "ir/planted.h"
#include "tests/sanitized.h"

namespace proviso::fuzz {
namespace {

// Traps: demands under which nothing but the network as it is remains; neighbours that never agree,
// so that each layout is undone at once.
TEST(Graphs, LayoutsPassFromOperatorToOperator) {
    CampaignOptions o = graph_campaign();
    o.cases = 60 / tests::kShare;
    o.seed = 3;
    o.runs = 8;
    const Result<Summary> s = run_campaign(o);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 0U) << s->json().dump(1);
    EXPECT_EQ(s->valid, s->cases);
    const GraphCounts& g = s->graphs;
    EXPECT_EQ(g.graphs, s->cases);
    EXPECT_GE(g.operators, 2 * g.graphs);
    EXPECT_LE(g.operators, 12 * g.graphs);
    EXPECT_GT(g.conversions, 0U);
    EXPECT_LE(g.cancelling_proved, g.proved);
    EXPECT_GE(g.cancelling_proved * 100, g.graphs * 15);
    EXPECT_GT(s->triples.triples, s->cases);
}

// A kernel that takes away the guard of padding which holds something: values are then wrong. Trap:
// networks whose padding nobody reads would show nothing of it.
TEST(Graphs, NoticeAnObligationLeftOut) {
    ir::planted_fault() = "omit:writes what the cell holds";
    CampaignOptions o = graph_campaign();
    o.cases = 40;
    o.seed = 3;
    o.stop_at_first = true;
    const Result<Summary> s = run_campaign(o);
    ir::planted_fault().clear();
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_GT(s->findings, 0U);
}

TEST(Graphs, ASeedIsANetwork) {
    std::set<std::string> texts;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<GeneratedGraph> twice;
        for (int k = 0; k < 2; ++k) {
            ir::Context ctx;
            analysis::ProverOptions options;
            options.use_z3 = false;
            options.use_cvc5 = false;
            analysis::Prover prover(ctx, options);
            Choice choice(seed);
            twice.push_back(generate_graph(ctx, choice, prover));
        }
        EXPECT_EQ(twice[0].text, twice[1].text);
        EXPECT_EQ(twice[0].pair.schedule, twice[1].pair.schedule);
        EXPECT_EQ(twice[0].cancelled, twice[1].cancelled);
        texts.insert(twice[0].text);
    }
    EXPECT_EQ(texts.size(), 20U);
}

}  // namespace
}  // namespace proviso::fuzz
