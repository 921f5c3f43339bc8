// The cheapest choice: as brute force finds it, with a certificate that adds up, and none that does
// not.
#include "rewrite/graph/select/select.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

#include "rewrite/graph/select/conversions.h"

namespace proviso::rewrite {
namespace {

using ::testing::HasSubstr;

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) {
    return random() % n;
}

constexpr std::size_t kMost = std::size_t{1} << 20;

// Tables over neighbours in a tree, or over anything; many costs alike; some that nothing pays.
CostProblem random_problem(Random& random, std::size_t most_choices) {
    CostProblem out;
    std::size_t choices = 1;
    const std::size_t variables = 1 + below(random, 9);
    for (std::size_t v = 0; v < variables; ++v) {
        const std::size_t values = 1 + below(random, 5);
        if (choices * values > most_choices) break;
        choices *= values;
        out.sizes.push_back(values);
    }
    const std::size_t n = out.sizes.size();
    const bool tree = below(random, 3) == 0;
    const std::size_t kinds = 1 + below(random, 4);
    const std::int64_t largest = below(random, 2) == 0 ? 3 : 1'000'000;
    const std::size_t never = below(random, 3) == 0 ? 4 : 1000;
    for (std::size_t k = 0; k < (tree ? n : below(random, 2 * n + 2)); ++k) {
        std::set<std::size_t> over;
        if (tree && k > 0) over = {k, below(random, k)};
        for (std::size_t i = 0; !tree && i < below(random, kinds + 1); ++i) {
            over.insert(below(random, n));
        }
        CostTable t{{over.begin(), over.end()}, {}};
        t.cells.resize(cells_over(t.variables, out.sizes, kMost));
        for (std::int64_t& cost : t.cells) {
            cost =
                below(random, never) == 0
                    ? kNever
                    : static_cast<std::int64_t>(below(random, static_cast<std::size_t>(largest)));
        }
        out.tables.push_back(std::move(t));
    }
    return out;
}

std::int64_t least_by_force(const CostProblem& p) {
    std::vector<std::size_t> all(p.sizes.size());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<std::size_t> values(p.sizes.size(), 0);
    std::int64_t least = kNever;
    for_all_values(all, p.sizes, values, [&] { least = std::min(least, cost_at(p, values)); });
    return least;
}

TEST(Selection, IsThatOfBruteForce) {
    Random random(20);
    std::size_t without = 0;
    for (int round = 0; round < 3000; ++round) {
        const CostProblem p = random_problem(random, round % 100 == 0 ? 1'000'000 : 2000);
        const std::int64_t least = least_by_force(p);
        const Result<Selection> s = cheapest(p);
        if (least == kNever) {
            ++without;
            ASSERT_FALSE(s.ok());
            EXPECT_THAT(s.error().message, HasSubstr("no choice has a cost"));
            continue;
        }
        ASSERT_TRUE(s.ok()) << s.error().str();
        ASSERT_EQ(s->cost, least) << round;
        ASSERT_EQ(cost_at(p, s->values), s->cost);
        ASSERT_TRUE(s->exact);
        ASSERT_EQ(s->certificate.bound, least);
        const Status shown = check_certificate(p, s->certificate, kMost);
        ASSERT_TRUE(shown.ok()) << shown.error().str();
    }
    EXPECT_GT(without, 10U);
}

// The trap: a bound that is none, or a choice that is called the best and is not.
TEST(Selection, MiniBucketsGiveABoundBelowEveryChoice) {
    Random random(21);
    std::size_t inexact = 0;
    for (int round = 0; round < 6000; ++round) {
        const CostProblem p = random_problem(random, 2000);
        SelectionLimits small;
        small.most_cells = 1;
        for (const CostTable& t : p.tables) {
            small.most_cells = std::max(small.most_cells, t.cells.size());
        }
        const std::int64_t least = least_by_force(p);
        const Result<Selection> s = cheapest(p, small);
        if (!s.ok()) continue;  // nothing was found
        ASSERT_LE(s->certificate.bound, least);
        ASSERT_GE(s->cost, least);
        ASSERT_EQ(cost_at(p, s->values), s->cost);
        ASSERT_EQ(s->exact, s->cost == s->certificate.bound);
        inexact += s->exact ? 0 : 1;
        const Status shown = check_certificate(p, s->certificate, kMost);
        ASSERT_TRUE(shown.ok()) << shown.error().str();
    }
    EXPECT_GT(inexact, 20U);
}

// Traps: a bound that nothing shows; a cost that is counted twice or not at all; a message that is
// larger than what its cluster has, or that goes in a circle.
TEST(Selection, CertificatesThatDoNotAddUpAreRefused) {
    Random random(22);
    std::size_t forged = 0;
    std::size_t accepted = 0;
    for (int round = 0; round < 4000; ++round) {
        const CostProblem p = random_problem(random, 500);
        const Result<Selection> s = cheapest(p);
        if (!s.ok() || s->certificate.clusters.empty()) continue;
        CostCertificate c = s->certificate;
        CostCluster& cluster = c.clusters[below(random, c.clusters.size())];
        switch (below(random, 6)) {
            case 0: c.bound += 1; break;
            case 1:
                if (cluster.tables.empty()) continue;
                cluster.tables.pop_back();
                break;
            case 2:
                cluster.message.cells[below(random, cluster.message.cells.size())] +=
                    1 + static_cast<std::int64_t>(below(random, 5));
                break;
            case 3: cluster.to = below(random, c.clusters.size() + 1); break;
            case 4:
                if (cluster.tables.empty()) continue;
                c.clusters.back().tables.push_back(cluster.tables.front());
                break;
            default: cluster.message.variables.push_back(p.sizes.size()); break;
        }
        ++forged;
        // What is accepted is true: no bound that it shows is above the least cost.
        if (!check_certificate(p, c, kMost).ok()) continue;
        ++accepted;
        ASSERT_LE(c.bound, least_by_force(p));
    }
    EXPECT_GT(forged, 1000U);
    EXPECT_LT(accepted, forged / 4);
    // A bound that is claimed and pushed through a message from nowhere.
    const CostProblem p{{2}, {{{0}, {3, 5}}}};
    CostCertificate c{4, {{{0}, {{}, {4}}, 0}}};
    EXPECT_THAT(check_certificate(p, c, kMost).error().message, HasSubstr("more than it has"));
    c = {3, {{{0}, {{}, {3}}, 0}}};
    EXPECT_TRUE(check_certificate(p, c, kMost).ok());
    c = {kNever, {{{0}, {{}, {kNever}}, 0}}};
    EXPECT_FALSE(check_certificate(p, c, kMost).ok());
    EXPECT_THAT(check_certificate(p, {3, {{{0}, {{}, {3}}, 0}}}, 1).error().message,
                HasSubstr("too large"));
    // Each of these would show a bound that is too high.
    const auto refused = [&](const CostCertificate& forgery) {
        const Status shown = check_certificate(p, forgery, kMost);
        return shown.ok() ? std::string("accepted") : shown.error().message;
    };
    EXPECT_THAT(refused({6, {{{0, 0}, {{}, {6}}, 0}}}), HasSubstr("taken twice"));
    EXPECT_THAT(refused({6, {{{0}, {{}, {3}}, 0}, {{0}, {{}, {3}}, 1}}}), HasSubstr("taken twice"));
    EXPECT_THAT(refused({0, {{{}, {{}, {0}}, 0}}}), HasSubstr("left out"));
    EXPECT_THAT(refused({3, {{{0, 1}, {{}, {3}}, 0}}}), HasSubstr("no such table"));
    EXPECT_THAT(refused({5, {{{0}, {{}, {3}}, 0}}}), HasSubstr("another one"));
    EXPECT_THAT(refused({3, {{{0}, {{0}, {3, 5}}, 0}}}), HasSubstr("no number"));
    // What the first sends comes back to it.
    EXPECT_THAT(refused({9, {{{0}, {{}, {9}}, 1}, {{}, {{}, {9}}, 0}, {{}, {{}, {9}}, 2}}}),
                HasSubstr("no later cluster"));
}

TEST(Selection, ProblemsThatAreNoneAreErrors) {
    const auto message = [](const CostProblem& p, const SelectionLimits& limits = {}) {
        const Result<Selection> s = cheapest(p, limits);
        return s.ok() ? std::string() : s.error().message;
    };
    EXPECT_THAT(message({{2, 0}, {}}), HasSubstr("variable 1 has no value"));
    EXPECT_THAT(message({{2}, {{{1}, {1, 2}}}}), HasSubstr("a variable that there is not"));
    EXPECT_THAT(message({{2, 2}, {{{1, 0}, {1, 2, 3, 4}}}}), HasSubstr("must ascend"));
    EXPECT_THAT(message({{2}, {{{0}, {1}}}}), HasSubstr("not a cost for each choice"));
    EXPECT_THAT(message({{2}, {{{0}, {1, -1}}}}), HasSubstr("a cost that is none"));
    EXPECT_THAT(message({{1}, {{{0}, {kNever - 1}}, {{0}, {1}}}}), HasSubstr("too large"));
    EXPECT_THAT(message({{2}, {{{0}, {1, 2}}}}, {1, 1, 1}), HasSubstr("too large"));
    EXPECT_EQ(message({{}, {}}), "");
    EXPECT_EQ(message({{3}, {}}), "");
}

// As many operators as a large network has, each with sixteen variants, and edges that skip some.
TEST(Selection, NetworksAreDecidedExactly) {
    Random random(23);
    CostProblem p;
    p.sizes.assign(241, 16);
    for (std::size_t v = 0; v < p.sizes.size(); ++v) {
        CostTable own{{v}, {}};
        for (int i = 0; i < 16; ++i)
            own.cells.push_back(static_cast<std::int64_t>(below(random, 900)));
        p.tables.push_back(std::move(own));
        for (const std::size_t back : {std::size_t{1}, std::size_t{3}}) {
            if (v < back || (back == 3 && v % 4 != 0)) continue;
            CostTable edge{{v - back, v}, {}};
            for (int i = 0; i < 256; ++i) {
                edge.cells.push_back(i % 17 == 0 ? 0
                                                 : static_cast<std::int64_t>(below(random, 400)));
            }
            p.tables.push_back(std::move(edge));
        }
    }
    const Result<Selection> s = cheapest(p);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_TRUE(s->exact);
    EXPECT_TRUE(check_certificate(p, s->certificate, kMost).ok());
    EXPECT_EQ(cheapest(p)->values, s->values);
}

// The trap: a limit on each table, and none on all of them, so that the search does not end.
TEST(Selection, WhatIsHardEndsWithABound) {
    Random random(25);
    CostProblem p;
    p.sizes.assign(100, 2);
    for (int k = 0; k < 600; ++k) {
        std::set<std::size_t> over{below(random, 100), below(random, 100)};
        CostTable t{{over.begin(), over.end()}, {}};
        t.cells.resize(cells_over(t.variables, p.sizes, kMost));
        for (std::int64_t& cost : t.cells) cost = static_cast<std::int64_t>(below(random, 100));
        p.tables.push_back(std::move(t));
    }
    SelectionLimits limits;
    limits.most_sums = std::size_t{1} << 22;
    const Result<Selection> s = cheapest(p, limits);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_LE(s->certificate.bound, s->cost);
    EXPECT_GT(s->certificate.bound, 0);
    EXPECT_TRUE(check_certificate(p, s->certificate, kMost).ok());
    // A long chain and many readers of one tensor take time that grows with their length.
    CostProblem chain;
    chain.sizes.assign(20'000, 2);
    for (std::size_t v = 0; v + 1 < chain.sizes.size(); ++v) {
        chain.tables.push_back({{v, v + 1}, {0, 3, 1, 0}});
    }
    const Result<Selection> of_chain = cheapest(chain);
    ASSERT_TRUE(of_chain.ok());
    EXPECT_EQ(of_chain->cost, 0);
    EXPECT_TRUE(check_certificate(chain, of_chain->certificate, kMost).ok());
}

// Two readers want one layout, a third one another; which copies are made is a question of costs.
TEST(Conversions, AreSharedAndPaidOnce) {
    const auto decided = [](std::int64_t convert, std::int64_t slow) {
        CostProblem p;
        p.sizes = {2, 2, 2};                     // of each operator: layout 0 or 1
        p.tables.push_back({{0}, {0, kNever}});  // the writer writes layout 0
        p.tables.push_back({{1}, {slow, 0}});    // readers are faster on layout 1
        p.tables.push_back({{2}, {slow, 0}});
        const LayoutChoice writer{0, {0, 1}};
        add_conversions(p, writer, {{1, {0, 1}}, {2, {0, 1}}}, 2,
                        [&](std::size_t from, std::size_t to) {
                            EXPECT_NE(from, to);
                            return convert;
                        });
        Result<Selection> s = cheapest(p);
        EXPECT_TRUE(s.ok());
        return std::pair(s->cost, s->values[1] + s->values[2]);
    };
    EXPECT_EQ(decided(10, 6), (std::pair<std::int64_t, std::size_t>{10, 2}));  // not 20, and not 12
    EXPECT_EQ(decided(10, 4), (std::pair<std::int64_t, std::size_t>{8, 0}));
}

// As brute force over the operators alone finds it, where each copy is counted by hand.
TEST(Conversions, CostWhatTheCopiesCost) {
    Random random(24);
    for (int round = 0; round < 300; ++round) {
        CostProblem p;
        const std::size_t layouts = 2 + below(random, 3);
        const std::size_t operators = 2 + below(random, 4);
        std::vector<LayoutChoice> choices;
        for (std::size_t v = 0; v < operators; ++v) {
            p.sizes.push_back(1 + below(random, 4));
            choices.push_back({v, {}});
            CostTable own{{v}, {}};
            for (std::size_t value = 0; value < p.sizes[v]; ++value) {
                choices[v].layout.push_back(below(random, layouts));
                own.cells.push_back(static_cast<std::int64_t>(below(random, 50)));
            }
            p.tables.push_back(std::move(own));
        }
        const CostProblem own = p;
        const std::vector<LayoutChoice> readers(choices.begin() + 1, choices.end());
        const auto convert = [](std::size_t from, std::size_t to) {
            return static_cast<std::int64_t>(7 * from + 3 * to + 1);
        };
        add_conversions(p, choices[0], readers, layouts, convert);
        std::vector<std::size_t> all(operators);
        std::iota(all.begin(), all.end(), 0U);
        std::vector<std::size_t> values(operators, 0);
        std::int64_t least = kNever;
        for_all_values(all, own.sizes, values, [&] {
            std::int64_t cost = cost_at(own, values);
            const std::size_t from = choices[0].layout[values[0]];
            std::set<std::size_t> copies;
            for (const LayoutChoice& r : readers) copies.insert(r.layout[values[r.variable]]);
            for (const std::size_t to : copies) {
                if (to != from) cost += convert(from, to);
            }
            least = std::min(least, cost);
        });
        const Result<Selection> s = cheapest(p);
        ASSERT_TRUE(s.ok());
        ASSERT_EQ(s->cost, least);
    }
}

}  // namespace
}  // namespace proviso::rewrite
