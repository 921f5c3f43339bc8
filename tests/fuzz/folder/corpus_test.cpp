// Guided campaigns: what a chunk is given, and that nothing else decides what comes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/folder/corpus.h"
#include "fuzz/guided/mutate.h"
#include "ir/context.h"
#include "ir/text.h"

namespace proviso::fuzz {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

CorpusPair pair_of(const std::string& schedule) {
    return {
        "@T.prim_func\ndef kernel(A: T.Buffer((4,), \"int32\"), Y: T.Buffer((4,), \"int32\")):\n"
        "    for i in range(4):\n        with T.block(\"b\"):\n"
        "            v = T.axis.spatial(4, i)\n            Y[v] = A[v] + 1\n",
        schedule,
        {{"A", {-100, 100}}}};
}

class CampaignCorpus : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "proviso-corpus-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        root_ = name;
        settings_.kind = "schedules";
        settings_.chunk = 10;
        settings_.guided = true;
        settings_.round = 2;
        ASSERT_TRUE(make_campaign(folder(), settings_));
    }
    void TearDown() override { fs::remove_all(root_); }

    std::string folder() const { return root_ + "/campaign"; }

    // A chunk whose case `number` reached these with this pair.
    FinishedChunk chunk_of(std::uint64_t chunk, const std::string& schedule,
                           const std::vector<std::string>& features) const {
        FinishedChunk out;
        out.chunk = chunk;
        out.cases = 10;
        out.given = "0123456789abcdef";
        out.reached = {{chunk * 10, pair_of(schedule).id(), features}};
        EXPECT_TRUE(keep_pair(folder(), pair_of(schedule), "me"));
        return out;
    }
    void journal(const std::string& name, const std::vector<FinishedChunk>& chunks) const {
        std::ofstream out(journal_folder(folder()) + "/" + name + ".jsonl", std::ios::binary);
        for (const FinishedChunk& c : chunks) out << journal_line(settings_, c);
    }
    Journal read() const {
        Journal out(journal_folder(folder()), settings_);
        EXPECT_TRUE(out.refresh());
        EXPECT_THAT(out.damaged(), IsEmpty());
        return out;
    }

    std::string root_;
    CampaignSettings settings_;
};

TEST_F(CampaignCorpus, SettingsReadBack) {
    const auto read = read_settings(folder());
    ASSERT_TRUE(read.ok()) << read.error().str();
    EXPECT_EQ(*read, settings_);
}

// Rounds end at 2, 4, 6, 8, 10, 12, 15, 18, …; what the round before has reached is not waited for.
TEST_F(CampaignCorpus, AChunkIsGivenTheRoundsBeforeTheLastOne) {
    std::vector<std::uint64_t> given;
    for (std::uint64_t k = 0; k < 16; ++k) given.push_back(settings_.given_to(k));
    EXPECT_THAT(given, ElementsAre(0, 0, 0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 10, 12));
    for (std::uint64_t k = 1; k < 5000; ++k) {
        EXPECT_LE(settings_.given_to(k - 1), settings_.given_to(k));
        EXPECT_LT(settings_.given_to(k), k);  // or nobody could ever run it
    }
    const Guides guides(folder(), settings_);
    journal("a", {chunk_of(0, "", {"x"}), chunk_of(3, "", {"x"})});
    EXPECT_TRUE(guides.ready(2, read()));
    EXPECT_FALSE(guides.ready(4, read()));
    journal("b", {chunk_of(1, "", {"x"})});
    EXPECT_TRUE(guides.ready(4, read()));
}

// In the order of chunks, not in that in which files are read or chunks end.
TEST_F(CampaignCorpus, OfPairsThatReachTheSameTheFirstIsGiven) {
    journal("a", {chunk_of(1, "sch.later()", {"p", "q"}), chunk_of(2, "sch.more()", {"q", "r"})});
    journal("b", {chunk_of(0, "sch.first()", {"p", "q"}), chunk_of(3, "sch.none()", {"s"})});
    const Journal j = read();
    const auto guide = read_guide(folder(), j, 3);
    ASSERT_TRUE(guide.ok()) << guide.error().str();
    EXPECT_EQ(guide->pairs, (std::vector{pair_of("sch.first()"), pair_of("sch.more()")}));
    EXPECT_THAT(guide->seen, ElementsAre("p", "q", "r"));
    EXPECT_EQ(j.coverage(), 4U);
    EXPECT_NE(digest_of(*guide), digest_of(*read_guide(folder(), j, 4)));
}

// Two processes that reach something else in a chunk are told, like any other difference.
TEST_F(CampaignCorpus, WhatIsReachedMustRepeat) {
    journal("a", {chunk_of(0, "", {"x"})});
    journal("b", {chunk_of(0, "", {"y"})});
    EXPECT_THAT(read().different(), ElementsAre(0U));
}

TEST_F(CampaignCorpus, APairThatIsDamagedOrMissingIsAnError) {
    journal("a", {chunk_of(0, "sch.first()", {"x"})});
    const std::string file = corpus_folder(folder()) + "/" + pair_of("sch.first()").id();
    ASSERT_TRUE(fs::exists(file));
    std::ofstream(file, std::ios::app) << " ";
    EXPECT_THAT(read_guide(folder(), read(), 1).error().message,
                HasSubstr("is not as it was written"));
    fs::remove(file);
    EXPECT_FALSE(read_guide(folder(), read(), 1));
}

TEST_F(CampaignCorpus, PairsReadBack) {
    CorpusPair pair = pair_of("sch.simplify()\n");
    pair.ranges["B"] = {ir::Int128{-1} << 70, ir::Int128{1} << 70};
    const auto again = read_pair(pair.text());
    ASSERT_TRUE(again.ok()) << again.error().str();
    EXPECT_EQ(*again, pair);
    for (const std::string text : {"", "{}", "[]", "{\"program\": 1}"}) {
        EXPECT_FALSE(read_pair(text)) << text;
    }
    EXPECT_FALSE(read_pair(pair.text() + " "));
}

// --- changes of texts ----------------------------------------------------------------------------

TEST(Mutations, PartsAreTheText) {
    const std::string text = "x_1 = T.float32(1e-40) <= \"a b\" // 10\n\"open\n";
    std::string all;
    std::vector<std::string> words;
    for (const TextPart& p : parts_of(text)) {
        all += p.text;
        if (p.kind != TextPart::Kind::Other) words.push_back(p.text);
    }
    EXPECT_EQ(all, text);
    EXPECT_THAT(words, ElementsAre("x_1", "T", "float32", "1e-40", "\"a b\"", "10", "\"open\n"));
}

// Many are programs, and other ones; the same seed gives the same.
TEST(Mutations, ManyProgramsStillRead) {
    const std::string text = pair_of("").program;
    int read = 0;
    int other = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Choice choice(seed);
        Choice again(seed);
        const std::string changed = mutated_program(text, choice);
        EXPECT_EQ(changed, mutated_program(text, again));
        ir::Context ctx;
        const auto f = ir::parse_function(ctx, changed, "changed");
        if (!f) continue;
        ++read;
        other += ir::print(*f) == text ? 0 : 1;
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(other, 80);
}

TEST(Mutations, SchedulesTakeOverCalls) {
    const std::string text = "b = sch.get_block(\"b\")\nl0, = sch.get_loops(b)\n";
    bool taken = false;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Choice choice(seed);
        const std::string changed =
            mutated_schedule(text, {"c = sch.get_block(\"c\")\nsch.compute_inline(c)\n"}, choice);
        EXPECT_EQ(changed.find("sch.compute_inline(c)"), std::string::npos) << changed;
        taken |= changed.find("sch.compute_inline(b)") != std::string::npos;
    }
    EXPECT_TRUE(taken);
    Choice choice(1);
    mutated_schedule("", {}, choice);
    mutated_program("", choice);
}

TEST(GuidedFeatures, ReasonsHaveNoNamesAndNumbers) {
    EXPECT_EQ(reason_of("block 'compute_1' has 12 loops: i0, jj"), "block _ has _ loops: _, jj");
    EXPECT_EQ(reason_of("it's \"x\"\nmore"), reason_of("it's \"y\""));
}

// --- cases ---------------------------------------------------------------------------------------

struct Seen {
    std::vector<std::pair<std::uint64_t, std::string>> reached;
    nlohmann::json summary;
    bool operator==(const Seen&) const = default;
};
Seen run_with(const Guide* guide, std::uint64_t first, std::uint64_t cases, unsigned jobs) {
    CampaignOptions o = schedule_campaign();
    o.seed = 11;
    o.first = first;
    o.cases = cases;
    o.jobs = jobs;
    o.guide = guide;
    Seen out;
    o.reached = [&](std::uint64_t k, const ReachedByCase& r) -> Status {
        std::string all = r.pair.text();
        for (const std::string& f : r.features) all += f + "\n";
        out.reached.emplace_back(k, all);
        return Unit{};
    };
    const auto summary = run_campaign(o);
    EXPECT_TRUE(summary.ok());
    out.summary = summary->json();
    out.summary.erase("time");
    return out;
}

// A case is a function of seed, number and guide: the number of threads, and the cases before it,
// change nothing.
TEST(GuidedCases, RepeatAlone) {
    Guide guide;
    guide.pairs = {pair_of("b = sch.get_block(\"b\")\nl0, = sch.get_loops(b)\n"
                           "l1, l2 = sch.split(l0, factors=[None, 2])\n"),
                   pair_of("sch.simplify()\n")};
    guide.mutated = 60;
    const Seen all = run_with(&guide, 0, 30, 1);
    EXPECT_EQ(run_with(&guide, 0, 30, 3), all);
    const std::uint64_t mutated = all.summary["features"].value("mutated", std::uint64_t{0});
    EXPECT_GT(mutated, 8U);
    EXPECT_LT(mutated, 28U);
    const Seen last = run_with(&guide, 20, 10, 1);
    const std::vector<std::pair<std::uint64_t, std::string>> expected(
        all.reached.end() - static_cast<std::ptrdiff_t>(last.reached.size()), all.reached.end());
    EXPECT_EQ(last.reached, expected);
    EXPECT_EQ(all.summary["findings"], 0);
}

// Without mutations, and with nothing to make any of, the cases are those of a blind campaign.
TEST(GuidedCases, BlindCasesStayWhatTheyAre) {
    Guide none;
    Guide never;
    never.pairs = {pair_of("sch.simplify()\n")};
    never.mutated = 0;
    const nlohmann::json blind = run_with(nullptr, 0, 20, 1).summary;
    EXPECT_EQ(run_with(&none, 0, 20, 1).summary, blind);
    const Seen with = run_with(&never, 0, 20, 1);
    EXPECT_EQ(with.summary, blind);
    EXPECT_GT(with.reached.size(), 15U);
    // What is seen already is not reached again.
    for (const auto& [k, text] : with.reached) {
        std::istringstream lines(text.substr(text.find('\n') + 1));
        for (std::string f; std::getline(lines, f);) never.seen.insert(f);
    }
    EXPECT_THAT(run_with(&never, 0, 20, 1).reached, IsEmpty());
}

}  // namespace
}  // namespace proviso::fuzz
