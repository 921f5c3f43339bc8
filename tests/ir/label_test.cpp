// Labels: one handle for each text, whoever asks, and the order of the texts.
#include "ir/label.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "ir/site.h"

namespace proviso::ir {
namespace {

TEST(Labels, AreTheirTexts) {
    const Label body("body");
    EXPECT_EQ(body, Label(std::string("bo") + "dy"));
    EXPECT_EQ(body, "body");
    EXPECT_NE(body, Label("then"));
    EXPECT_NE(body, "bod");
    EXPECT_EQ(Label(), "");
    EXPECT_EQ(Label("a0").str(), "a0");
}

// Sites are keys of maps, whose order decides that of obligations: it must be that of the texts,
// not that in which they were met.
TEST(Labels, HaveTheOrderOfTheirTexts) {
    std::vector<Label> labels = {"label-z", "label-10", "label-9", "label-a", "label"};
    std::sort(labels.begin(), labels.end());
    EXPECT_EQ(labels, (std::vector<Label>{"label", "label-10", "label-9", "label-a", "label-z"}));
    EXPECT_LT((Site{{"body", "10"}}), (Site{{"body", "9"}}));
    EXPECT_LT((Site{{"body"}}), (Site{{"body", "0"}}));
}

TEST(Labels, AreOneForAllThreads) {
    constexpr int kTexts = 2000;
    std::vector<std::vector<Label>> met(4);
    std::vector<std::thread> threads;
    for (std::vector<Label>& mine : met) {
        threads.emplace_back([&mine] {
            for (int k = 0; k < kTexts; ++k) mine.emplace_back("thread-" + std::to_string(k));
        });
    }
    for (std::thread& t : threads) t.join();
    for (const std::vector<Label>& other : met) EXPECT_EQ(other, met[0]);
    EXPECT_EQ(met[0][kTexts - 1].str(), "thread-1999");
}

}  // namespace
}  // namespace proviso::ir
