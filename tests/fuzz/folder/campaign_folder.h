// A folder of a campaign, for tests of what is written to it.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/folder/copy.h"
#include "fuzz/folder/journal.h"
#include "fuzz/folder/leases.h"
#include "fuzz/folder/run.h"

namespace proviso::fuzz {

class CampaignFolder : public testing::Test {
  protected:
    void SetUp() override {
        std::string name =
            (std::filesystem::temp_directory_path() / "proviso-folder-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        root_ = name;
        settings_.chunk = 10;
        settings_.cases = 100;
        ASSERT_TRUE(make_campaign(folder(), settings_));
    }
    void TearDown() override { std::filesystem::remove_all(root_); }

    std::string folder() const { return root_ + "/campaign"; }

    static FinishedChunk chunk_of(std::uint64_t number, std::uint64_t count) {
        FinishedChunk out;
        out.chunk = number;
        out.cases = 10;
        out.counts = {{"rules/split/accepted", count}};
        return out;
    }
    // A journal file as a process writes it, and a part of a line at its end.
    void journal(const std::string& name, const std::vector<FinishedChunk>& chunks,
                 const std::string& more = "") const {
        std::ofstream out(journal_folder(folder()) + "/" + name + ".jsonl", std::ios::binary);
        for (const FinishedChunk& c : chunks) out << journal_line(settings_, c);
        out << more;
    }
    Journal read() const {
        Journal out(journal_folder(folder()), settings_);
        EXPECT_TRUE(out.refresh());
        return out;
    }
    void lease_of(const Owner& owner, const std::string& chunk, std::time_t heard) const {
        const std::string file = lease_folder(folder()) + "/owner-" + owner.id;
        std::ofstream(file) << owner.text();
        std::filesystem::create_hard_link(file, lease_folder(folder()) + "/" + chunk);
        const timespec time{heard, 0};
        const timespec both[2] = {time, time};
        ASSERT_EQ(utimensat(AT_FDCWD, file.c_str(), both, 0), 0);
    }

    std::string root_;
    CampaignSettings settings_;
};

inline CampaignFinding finding_of(const std::string& rule, std::uint64_t size,
                                  std::uint64_t number) {
    CampaignFinding out;
    out.cause = {"refinement", "differs", rule, "safe", "store"};
    out.case_number = number;
    out.size = size;
    out.detail = "in words\nof two lines";
    out.files = {{"program.py", "p" + std::to_string(number)}};
    return out;
}

inline CampaignKind kind_of(void (*one)(std::uint64_t)) {
    return {
        "test", "", "case", 10, 0, 0, false, [one](const CasesToRun& work) -> Result<CasesDone> {
            CasesDone out;
            for (std::uint64_t k = work.first; k < work.first + work.cases; ++k) {
                work.before(k);
                one(k);
                ++out.cases;
                ++out.counts["ran"];
            }
            return out;
        }};
}

class CampaignRuns : public CampaignFolder {
  protected:
    Result<RunReport> run(const CampaignKind& kind, double seconds = 0) {
        RunOptions o;
        o.folder = folder();
        o.settings = settings_;
        o.kind = &kind;
        o.jobs = 2;
        o.seconds = seconds;
        o.proviso = "/proc/self/exe";
        return run_campaign_folder(o);
    }
};

}  // namespace proviso::fuzz
