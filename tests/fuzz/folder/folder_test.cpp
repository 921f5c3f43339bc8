// The folder of a campaign: what is written, what is read back, and who works on what.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tests/fuzz/folder/campaign_folder.h"

namespace proviso::fuzz {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(CampaignFolder, SettingsReadBackAsTheyWereWritten) {
    const auto read = read_settings(folder());
    ASSERT_TRUE(read.ok()) << read.error().str();
    EXPECT_EQ(*read, settings_);
    EXPECT_EQ(read->chunks(), 10U);
    EXPECT_FALSE(make_campaign(folder(), settings_));
    std::ofstream(folder() + "/campaign.json", std::ios::app) << " ";
    EXPECT_THAT(read_settings(folder()).error().message, HasSubstr("it was edited"));
}

TEST_F(CampaignFolder, TheLastChunkIsSmaller) {
    settings_.cases = 95;
    EXPECT_EQ(settings_.chunks(), 10U);
    EXPECT_EQ(settings_.cases_of(8), 10U);
    EXPECT_EQ(settings_.cases_of(9), 5U);
    EXPECT_EQ(settings_.cases_of(10), 0U);
}

// Two processes, one of which ran a chunk that the other one has finished.
TEST_F(CampaignFolder, AChunkCountsOnce) {
    journal("a", {chunk_of(0, 3), chunk_of(1, 4)});
    journal("b", {chunk_of(1, 4), chunk_of(3, 5)});
    const Journal j = read();
    EXPECT_EQ(j.cases(), 30U);
    EXPECT_EQ(j.counts().at("rules/split/accepted"), 12U);
    EXPECT_EQ(j.repeated(), 1U);
    EXPECT_THAT(j.different(), IsEmpty());
    EXPECT_EQ(j.first_open(), 2U);
}

// Results that do not repeat are told: the trap is to take one of them in silence.
TEST_F(CampaignFolder, DifferentResultsOfAChunkAreTold) {
    journal("a", {chunk_of(1, 4)});
    journal("b", {chunk_of(1, 5)});
    const Journal j = read();
    EXPECT_THAT(j.different(), ElementsAre(1U));
    EXPECT_EQ(j.cases(), 10U);
}

TEST_F(CampaignFolder, AnUnfinishedLastLineIsIgnoredAndTold) {
    const std::string whole = journal_line(settings_, chunk_of(2, 7));
    for (std::size_t n = 1; n < whole.size(); ++n) {
        journal("a", {chunk_of(0, 3)}, whole.substr(0, n));
        const Journal j = read();
        EXPECT_EQ(j.cases(), 10U) << n;
        EXPECT_THAT(j.unfinished(), ElementsAre("a.jsonl")) << n;
        EXPECT_THAT(j.damaged(), IsEmpty()) << n;
    }
}

TEST_F(CampaignFolder, ALineThatGrowsIsReadOnce) {
    const std::string whole = journal_line(settings_, chunk_of(2, 7));
    journal("a", {chunk_of(0, 3)}, whole.substr(0, 20));
    Journal j = read();
    journal("a", {chunk_of(0, 3), chunk_of(2, 7)});
    ASSERT_TRUE(j.refresh());
    ASSERT_TRUE(j.refresh());
    EXPECT_EQ(j.cases(), 20U);
    EXPECT_EQ(j.repeated(), 0U);
    EXPECT_THAT(j.unfinished(), IsEmpty());
}

// A digit that a disk has changed, a line of another campaign, and what is no line.
TEST_F(CampaignFolder, DamagedLinesCountForNothing) {
    std::string changed = journal_line(settings_, chunk_of(1, 4));
    changed[changed.find(":4") + 1] = '9';
    CampaignSettings other = settings_;
    other.seed = 99;
    journal("a", {chunk_of(0, 3)},
            changed + journal_line(other, chunk_of(2, 1)) + "\n" + "no line\n");
    const Journal j = read();
    EXPECT_EQ(j.cases(), 10U);
    EXPECT_THAT(j.damaged(), ElementsAre("a.jsonl:2", "a.jsonl:3", "a.jsonl:4", "a.jsonl:5"));
}

TEST_F(CampaignFolder, OneProcessGetsALease) {
    Leases a(lease_folder(folder()), 120);
    Leases b(lease_folder(folder()), 120);
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(b.join());
    EXPECT_TRUE(*a.take(7));
    EXPECT_FALSE(*b.take(7));
    EXPECT_FALSE(b.state().leased.at(7));
    a.give_back(7);
    EXPECT_TRUE(*b.take(7));
    a.give_back(7);  // no longer its own
    EXPECT_EQ(b.state().leased.count(7), 1U);
    EXPECT_EQ(b.state().owners, 2U);
}

// The owner's number may be that of another process by now: its start tells them apart.
TEST_F(CampaignFolder, ALeaseOfAProcessThatIsGoneIsTakenOver) {
    Owner gone = this_process();
    gone.start = "1";
    gone.id = "gone";
    lease_of(gone, "4", std::time(nullptr));
    Leases a(lease_folder(folder()), 120);
    ASSERT_TRUE(a.join());
    EXPECT_TRUE(a.state().leased.at(4));
    EXPECT_TRUE(*a.take(4));
    EXPECT_FALSE(a.state().leased.at(4));
    a.tidy(a.state(), [](std::uint64_t) { return false; });
    EXPECT_FALSE(fs::exists(lease_folder(folder()) + "/owner-gone"));
    EXPECT_TRUE(fs::exists(lease_folder(folder()) + "/4"));
    a.finished(4);
    EXPECT_THAT(a.state().leased, IsEmpty());
}

// A process of another machine that was silent, and is there after all. Trap: it gives back the
// lease of who has taken over from it, and a third process runs the chunk once more.
TEST_F(CampaignFolder, ASlowProcessGivesBackWhatIsItsOwn) {
    Leases slow(lease_folder(folder()), 120);
    Leases next(lease_folder(folder()), 120);
    Leases third(lease_folder(folder()), 120);
    for (Leases* const one : {&slow, &next, &third}) ASSERT_TRUE(one->join());
    ASSERT_TRUE(*slow.take(7));
    Owner elsewhere = slow.owner();
    elsewhere.boot = "another";
    const std::string file = lease_folder(folder()) + "/owner-" + elsewhere.id;
    std::ofstream(file) << elsewhere.text();
    const timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), long_ago, 0), 0);
    ASSERT_TRUE(*next.take(7));
    EXPECT_FALSE(*third.take(7));
    for (int k = 0; k < 2; ++k) {
        slow.give_back(7);
        EXPECT_FALSE(third.state().leased.at(7));
        EXPECT_FALSE(*third.take(7));  // with the first name free
        EXPECT_FALSE(fs::exists(lease_folder(folder()) + "/7"));
    }
    next.give_back(7);
    EXPECT_TRUE(*third.take(7));
    EXPECT_TRUE(fs::exists(lease_folder(folder()) + "/7"));
}

// Whose lease a name is cannot be asked and used at once, so names are never used again: who is
// taken over from often leaves one each time, and all go with the chunk.
TEST_F(CampaignFolder, ALeaseThatIsTakenOverOftenIsOneLease) {
    constexpr int owners = 5;
    for (int k = 0; k < owners; ++k) {
        Owner gone = this_process();
        gone.start = "1";
        lease_of(gone, k == 0 ? "4" : "4." + std::to_string(k), std::time(nullptr));
    }
    for (const char* const none : {"4.", "4.0", "4.x", "4.1.1", ".4"}) {
        std::ofstream(lease_folder(folder()) + "/" + none);
    }
    Leases a(lease_folder(folder()), 120);
    Leases b(lease_folder(folder()), 120);
    ASSERT_TRUE(a.join());
    ASSERT_TRUE(b.join());
    EXPECT_THAT(a.state().leased, ElementsAre(testing::Pair(4U, true)));
    EXPECT_TRUE(*a.take(4));
    EXPECT_FALSE(*b.take(4));
    EXPECT_THAT(b.state().leased, ElementsAre(testing::Pair(4U, false)));
    EXPECT_TRUE(fs::exists(lease_folder(folder()) + "/4.5"));
    a.finished(4);
    EXPECT_THAT(b.state().leased, IsEmpty());
    EXPECT_THAT(b.state().ended, IsEmpty());
}

TEST_F(CampaignFolder, ALeaseOfAnotherMachineIsTakenOverAfterSilenceOnly) {
    Owner other = this_process();
    other.boot = "another";
    other.id = "other";
    lease_of(other, "4", std::time(nullptr) - 60);
    Leases a(lease_folder(folder()), 120);
    ASSERT_TRUE(a.join());
    EXPECT_FALSE(*a.take(4));
    other.id = "silent";
    lease_of(other, "5", std::time(nullptr) - 200);
    EXPECT_TRUE(*a.take(5));
}

// A process that was killed while it made its file left it empty.
TEST_F(CampaignFolder, ALeaseWithoutAnOwnerIsOneOfAnotherMachine) {
    std::ofstream(lease_folder(folder()) + "/4");
    Leases a(lease_folder(folder()), 120);
    ASSERT_TRUE(a.join());
    EXPECT_FALSE(*a.take(4));
}

// Many processes, and leases of one that is gone: each chunk goes to one of them.
TEST_F(CampaignFolder, ProcessesThatTakeOverShareTheChunks) {
    Owner gone = this_process();
    gone.start = "1";
    gone.id = "gone";
    lease_of(gone, "0", std::time(nullptr));
    const std::string file = lease_folder(folder()) + "/owner-gone";
    constexpr int chunks = 200;
    for (int c = 1; c < chunks; ++c) {
        fs::create_hard_link(file, lease_folder(folder()) + "/" + std::to_string(c));
    }
    constexpr int processes = 6;
    std::vector<pid_t> children;
    for (int p = 0; p < processes; ++p) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        std::ofstream out(root_ + "/got" + std::to_string(p));
        Leases mine(lease_folder(folder()), 120);
        if (!mine.join()) _exit(1);
        for (std::uint64_t c = 0; c < chunks; ++c) {
            const Result<bool> got = mine.take(c);
            if (got && *got) out << c << std::endl;
        }
        out.flush();
        pause();  // a process that is there keeps what it has
        _exit(0);
    }
    const auto all_taken = [&] {
        std::multiset<int> out;
        for (int p = 0; p < processes; ++p) {
            std::ifstream in(root_ + "/got" + std::to_string(p));
            for (int c = 0; in >> c;) out.insert(c);
        }
        return out;
    };
    std::multiset<int> taken;
    for (int k = 0; k < 4000 && taken.size() < chunks; ++k) {
        usleep(50'000);
        taken = all_taken();
    }
    usleep(200'000);
    taken = all_taken();
    for (const pid_t child : children) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }
    EXPECT_EQ(taken.size(), static_cast<std::size_t>(chunks));
    EXPECT_EQ(std::set<int>(taken.begin(), taken.end()).size(), static_cast<std::size_t>(chunks));
}

// The trap: which ones are kept depends on who came first.
TEST_F(CampaignFolder, TheSmallestFindingsOfACauseAreKeptInAnyOrder) {
    std::vector<CampaignFinding> all;
    for (std::uint64_t k = 0; k < 8; ++k) all.push_back(finding_of("split", 20 - k, k));
    all.push_back(finding_of("fuse", 50, 100));
    std::vector<std::string> first;
    for (int turn = 0; turn < 2; ++turn) {
        for (const CampaignFinding& f : all) ASSERT_TRUE(keep_finding(folder(), f, "me"));
        const KeptFindings kept = kept_findings(folder());
        EXPECT_EQ(kept.causes(), 2U);
        ASSERT_EQ(kept.ids.size(), kKeptOfACause + 1);
        EXPECT_EQ(kept.list[0].cause.rule, "fuse");
        EXPECT_EQ(kept.list[1].size, 13U);
        if (turn == 0) first = kept.ids;
        EXPECT_EQ(kept.ids, first);
        fs::remove_all(findings_folder(folder()));
        fs::create_directory(findings_folder(folder()));
        std::reverse(all.begin(), all.end());
    }
}

TEST_F(CampaignFolder, AFindingIsFoundByTheFirstDigitsOfItsId) {
    ASSERT_TRUE(keep_finding(folder(), finding_of("split", 3, 1), "me"));
    const KeptFindings kept = kept_findings(folder());
    EXPECT_TRUE(find_finding(kept, kept.ids[0].substr(0, 4)).ok());
    EXPECT_THAT(find_finding(kept, "xyz").error().message, HasSubstr("no finding"));
    EXPECT_FALSE(find_finding(kept, "").ok());
}

// What a process that was killed has left is no finding, and goes.
TEST_F(CampaignFolder, AnUnfinishedFindingIsNone) {
    fs::create_directory(findings_folder(folder()) + "/.part-host-1-a-0");
    fs::create_directory(findings_folder(folder()) + "/.part-host-2-b-0");
    EXPECT_THAT(kept_findings(folder()).ids, IsEmpty());
    remove_unfinished(folder(), {"host-2-b"});
    EXPECT_FALSE(fs::exists(findings_folder(folder()) + "/.part-host-1-a-0"));
    EXPECT_TRUE(fs::exists(findings_folder(folder()) + "/.part-host-2-b-0"));
}

TEST_F(CampaignFolder, TwoFoldersAreMerged) {
    const std::string other = root_ + "/other";
    ASSERT_TRUE(make_campaign(other, settings_));
    journal("a", {chunk_of(0, 3)});
    fs::copy_file(journal_folder(folder()) + "/a.jsonl", journal_folder(other) + "/a.jsonl");
    journal("b", {chunk_of(1, 3)});
    ASSERT_TRUE(keep_finding(folder(), finding_of("split", 3, 1), "me"));
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(add_campaign_folder(other, folder()));
    Journal j(journal_folder(other), settings_);
    ASSERT_TRUE(j.refresh());
    EXPECT_EQ(j.cases(), 20U);
    EXPECT_EQ(j.repeated(), 0U);
    EXPECT_EQ(kept_findings(other).ids.size(), 1U);
}

// --- what cases do to their process --------------------------------------------------------------

TEST_F(CampaignRuns, EachCaseOnce) {
    const CampaignKind kind = kind_of([](std::uint64_t) {});
    const auto report = run(kind);
    ASSERT_TRUE(report.ok()) << report.error().str();
    EXPECT_EQ(report->end, RunEnd::Finished);
    EXPECT_EQ(read().counts().at("ran"), 100U);
    EXPECT_THAT(read_leases(lease_folder(folder()), 120, std::time(nullptr)).leased, IsEmpty());
    EXPECT_EQ(run(kind)->chunks, 0U);
}

// A case that crashes, throws or ends its process is a finding, and the others are run.
TEST_F(CampaignRuns, ACaseThatEndsItsProcessIsAFinding) {
    const CampaignKind kind = kind_of([](std::uint64_t k) {
        if (k == 33) std::abort();
        if (k == 37) throw std::runtime_error("wrong");
        if (k == 99) _exit(7);
    });
    ASSERT_TRUE(run(kind).ok());
    const Journal j = read();
    EXPECT_EQ(j.cases(), 100U);
    EXPECT_EQ(j.counts().at("ran"), 97U);
    EXPECT_EQ(j.counts().at("findings"), 3U);
    const KeptFindings kept = kept_findings(folder());
    std::vector<std::string> causes;
    for (const CampaignFinding& f : kept.list) {
        causes.push_back(f.cause.signature + " " + std::to_string(f.case_number));
    }
    EXPECT_THAT(causes, testing::UnorderedElementsAre("SIGABRT 33", "an exception: wrong 37",
                                                      "exit code 7 99"));
    const auto again = run_case_again(kind, settings_, kept.list[0], "", folder());
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->reproduced) << again->text;
}

TEST_F(CampaignRuns, ACaseThatDoesNotEndIsAFinding) {
    settings_.case_seconds = 1;
    settings_.cases = 20;
    const CampaignKind kind = kind_of([](std::uint64_t k) {
        while (k == 13) usleep(1000);
    });
    ASSERT_TRUE(run(kind).ok());
    const KeptFindings kept = kept_findings(folder());
    ASSERT_EQ(kept.list.size(), 1U);
    EXPECT_EQ(kept.list[0].cause.signature, "does not end");
    EXPECT_EQ(kept.list[0].case_number, 13U);
    EXPECT_EQ(read().counts().at("ran"), 19U);
}

// A chunk all of whose cases crash does not hold the campaign up.
TEST_F(CampaignRuns, AChunkThatAlwaysCrashesEnds) {
    settings_.chunk = 50;
    const CampaignKind kind = kind_of([](std::uint64_t k) {
        if (k >= 50) std::abort();
    });
    ASSERT_TRUE(run(kind).ok());
    EXPECT_EQ(read().counts().at("ran"), 50U);
    EXPECT_EQ(read().chunks().size(), 2U);
}

// The time is that of a clock, also in the middle of a case; what was begun is run again later.
// Trap: who looks at the clock between cases only waits for this one for ever.
TEST_F(CampaignRuns, TheTimeIsABound) {
    const CampaignKind endless = kind_of([](std::uint64_t) {
        while (true) usleep(1'000'000);
    });
    const auto report = run(endless, 0.5);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->end, RunEnd::Time);
    EXPECT_THAT(kept_findings(folder()).ids, IsEmpty());
    const CampaignKind kind = kind_of([](std::uint64_t) {});
    ASSERT_TRUE(run(kind).ok());
    EXPECT_EQ(read().counts().at("ran"), 100U);
}

}  // namespace
}  // namespace proviso::fuzz
