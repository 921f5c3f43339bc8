// proviso campaign where something is wrong with its folder, its machine, or how it is called.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace proviso::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class CampaignTrouble : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        const Seen made = run(
            {"campaign", "init", "c", "--kind", "expressions", "--cases", "20", "--chunk", "10"});
        ASSERT_EQ(made.code, 0) << made.err;
    }
};

TEST_F(CampaignTrouble, DamageIsNoSuccess) {
    ASSERT_EQ(run({"campaign", "run", "c", "-q"}).code, 0);
    file("c/journal/a.jsonl", "no line\n");
    for (const std::string action : {"status", "run"}) {
        const Seen seen = run({"campaign", action, "c"});
        EXPECT_EQ(seen.code, 1) << action;
        EXPECT_THAT(seen.out, HasSubstr("journal/a.jsonl:1 is damaged"));
    }
    std::filesystem::remove(folder_ / "c" / "journal" / "a.jsonl");
    std::filesystem::create_symlink("nowhere", folder_ / "c" / "journal" / "a.jsonl");
    for (const std::string action : {"status", "run", "report"}) {
        EXPECT_EQ(run({"campaign", action, "c"}).code, 2) << action;
    }
}

TEST_F(CampaignTrouble, EmptyNamesAreNone) {
    for (const std::string action : {"init", "status", "run", "report"}) {
        EXPECT_EQ(run({"campaign", action, ""}).code, 2) << action;
    }
    for (const std::string action : {"merge", "replay"}) {
        EXPECT_EQ(run({"campaign", action, "c", ""}).code, 2) << action;
    }
    EXPECT_EQ(run({"campaign", "submit", "c", "--slurm", "--dry-run", "--array", ""}).code, 2);
}

TEST_F(CampaignTrouble, AFolderIsNotMergedWithItself) {
    std::filesystem::create_directory_symlink("c", folder_ / "link");
    const Seen seen = run({"campaign", "merge", "c", "link"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("are one folder"));
}

TEST_F(CampaignTrouble, WithoutAFolderForTemporaryFiles) {
    const Seen seen = shell("TMPDIR=/nonexistent " PROVISO_BINARY " campaign run c -q");
    EXPECT_EQ(seen.code, 2) << seen.out;
    EXPECT_THAT(seen.err, HasSubstr("TMPDIR"));
    EXPECT_EQ(json::parse(run({"campaign", "status", "c", "--json"}).out)["cases"], 0);
}

TEST_F(CampaignTrouble, MoreProcessesThanThereCanBe) {
    EXPECT_EQ(run({"campaign", "run", "c", "--jobs", "4294967295"}).code, 2);
}

TEST_F(CampaignTrouble, WordsOfNoObligation) {
    EXPECT_THAT(run({"campaign", "init", "d", "--fault", "omit:xyzzy"}).err,
                HasSubstr("there is no fault 'omit:xyzzy'"));
}

// A lease of a chunk that there is none of leaves no number below zero.
TEST_F(CampaignTrouble, ALeaseBeyondTheEnd) {
    file("c/leases/99", "x");
    const json s = json::parse(run({"campaign", "status", "c", "--json"}).out);
    EXPECT_EQ(s["chunks"]["free"], 2);
    EXPECT_EQ(s["chunks"]["leased"], 0);
}

// What sbatch prints is part of the answer.
TEST_F(CampaignTrouble, TheJobIsNamed) {
    file("sbatch", "#!/bin/sh\necho Submitted batch job 17\n");
    std::filesystem::permissions(folder_ / "sbatch", std::filesystem::perms::owner_all);
    const std::string line = "PATH=.:$PATH " PROVISO_BINARY " campaign submit c --slurm";
    const Seen seen = shell(line + " --json");
    EXPECT_EQ(seen.code, 0) << seen.err;
    const json answer = json::parse(seen.out);
    EXPECT_EQ(answer["job"], 17);
    EXPECT_EQ(answer["submitted"], true);
    EXPECT_EQ(shell(line).out, "Submitted batch job 17\n");
}

}  // namespace
}  // namespace proviso::tests
