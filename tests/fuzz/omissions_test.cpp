// Campaigns of schedules notice an obligation that the kernel forgets: a few of them, on the pairs
// that are about them. `proviso fuzz --omissions` measures all, on what a campaign runs.
#include "fuzz/planted/omissions.h"

#include <gtest/gtest.h>

#include "fuzz/campaign/campaign.h"
#include "fuzz/gen/pairs/pairs.h"

namespace proviso::fuzz {
namespace {

struct About {
    const char* words;
    const char* family;
};

class Omissions : public testing::TestWithParam<About> {};

TEST_P(Omissions, AreNoticed) {
    OmissionOptions o;
    o.only = GetParam().words;
    o.pair_family = GetParam().family;
    o.cases = 300;
    o.seed = 7;
    const auto results = run_omissions(o);
    ASSERT_TRUE(results.ok()) << results.error().str();
    ASSERT_EQ(results->size(), 1U);
    EXPECT_TRUE(results->front().noticed.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    All, Omissions,
    testing::Values(About{"keep their order", "stencil"},
                    About{"no later iteration of the first loop meets", "two stages"},
                    About{"no later iteration of the first part meets", "two stages"},
                    About{"no race between iterations", "one loop"},
                    About{"every iteration is visited", "adjacent guards"},
                    About{"the cell is not read at", "overwritten"},
                    About{"writes what the cell holds", "window"},
                    About{"range where the original is indeterminate", "undefined arms"},
                    About{"reschedule:call-before-nothing", "calls in guards"},
                    About{"the value of the expression", "evaluates"}));

// With every obligation in its place nothing is found, and no program faults.
TEST(Pairs, AreValidAndSound) {
    for (const auto* families : {&loop_pairs(), &store_pairs(), &layout_pairs(), &padding_pairs(),
                                 &copy_pairs(), &placement_pairs(), &corner_pairs()}) {
        for (const PairFamily& family : *families) {
            CampaignOptions o;
            o.cases = 12;
            o.seed = 5;
            o.schedules_only = true;
            o.pair_family = family.name;
            o.tiers = Tiers{0, 0, 0, 0, 0};
            const Result<Summary> s = run_campaign(o);
            ASSERT_TRUE(s.ok()) << s.error().str();
            EXPECT_EQ(s->findings, 0U) << family.name;
            EXPECT_EQ(s->valid, s->cases) << family.name;
            EXPECT_EQ(s->schedules_mistaken, 0U) << family.name;
        }
    }
}

}  // namespace
}  // namespace proviso::fuzz
