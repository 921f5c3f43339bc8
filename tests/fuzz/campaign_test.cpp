// A small campaign: every oracle on generated programs, reproducible case by case.
#include "fuzz/campaign/campaign.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace proviso::fuzz {
namespace {

TEST(Campaign, FindsNothingInASoundBuild) {
    CampaignOptions o;
    o.cases = 150;
    o.seed = 11;
    const Result<Summary> s = run_campaign(o);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 0U) << s->json().dump(1);
    EXPECT_EQ(s->valid, s->cases);
    EXPECT_GT(s->refinement.counted, 100U);
    EXPECT_GT(s->cpu.runs, 100U);
    EXPECT_EQ(s->cpu.refused, 0U);
}

TEST(Campaign, TheSameSeedGivesTheSameSummary) {
    CampaignOptions o;
    o.cases = 20;
    o.seed = 5;
    nlohmann::json first = run_campaign(o)->json();
    nlohmann::json second = run_campaign(o)->json();
    first.erase("time");
    second.erase("time");
    EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace proviso::fuzz
