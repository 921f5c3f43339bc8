// proviso campaign as a user calls it, also where it is killed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "fuzz/folder/findings.h"
#include "tests/sanitized.h"
#include "tests/tools/commands.h"

namespace proviso::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Campaign : public Commands {
  protected:
    json status(const std::string& folder) {
        return json::parse(run({"campaign", "status", folder, "--json"}).out);
    }
    // What must be the same whoever has run the campaign, and how often he was killed.
    json totals(const std::string& folder) {
        const json s = status(folder);
        json ids = json::array();
        for (const json& f : s["findings"]) ids.push_back(f["id"]);
        return {{"cases", s["cases"]},
                {"chunks", s["chunks"]["finished"]},
                {"different", s["chunks"]["different"]},
                {"complete", s["complete"]},
                {"counts", s["counts"]},
                {"coverage", s["coverage"]},
                {"findings", ids},
                {"damaged", s["damaged"]["findings"]}};
    }
    // `proviso campaign run FOLDER` in the background.
    pid_t start(const std::string& folder) const {
        const std::string path = (folder_ / folder).string();
        const pid_t child = fork();
        if (child != 0) return child;
        signal(SIGINT, SIG_DFL);  // it is ignored where a shell runs this in the background
        const int none = open("/dev/null", O_RDWR);
        for (int k = 0; k < 3; ++k) dup2(none, k);
        execl(PROVISO_BINARY, "proviso", "campaign", "run", path.c_str(), "-q", "-j2", nullptr);
        _exit(127);
    }
};

// A fault is on, so that there is something to find.
const std::vector<std::string> kWithAFault = {
    "--kind", "schedules", "--fault", "omit:writes what the cell holds", "--seed", "3"};

std::vector<std::string> init(const std::string& folder, const std::string& cases,
                              const std::string& chunk) {
    std::vector<std::string> out = {"campaign", "init", folder, "--cases", cases, "--chunk", chunk};
    out.insert(out.end(), kWithAFault.begin(), kWithAFault.end());
    return out;
}

// kill -9 at random moments, of two processes that share the folder: the totals are those of a
// campaign that nobody touched, and no finding is lost. PROVISO_KILLS=1000 for a long run.
TEST_F(Campaign, SurvivesBeingKilled) {
    if (kShare != 1) GTEST_SKIP() << "a process starts longer than it lives here";
    const char* const wanted = std::getenv("PROVISO_KILLS");
    const int kills = wanted == nullptr ? 30 : std::atoi(wanted);
    const std::string cases = std::to_string((wanted == nullptr ? 10 : 25) * kills);
    ASSERT_EQ(run(init("whole", cases, "5")).code, 0);
    EXPECT_EQ(run({"campaign", "run", "whole", "-q", "-j2"}).code, 1);
    ASSERT_EQ(run(init("killed", cases, "5")).code, 0);
    std::mt19937 random(7);
    pid_t first = start("killed");
    pid_t second = start("killed");
    int done = 0;
    for (; done < kills; ++done) {
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 500));
        pid_t& one = random() % 2 == 0 ? first : second;
        kill(one, SIGKILL);
        int how = 0;
        waitpid(one, &how, 0);
        if (!WIFSIGNALED(how)) --done;  // it had ended before
        if (!WIFSIGNALED(how) && status("killed")["complete"] == true) break;
        one = start("killed");
    }
    for (const pid_t one : {first, second}) {
        kill(one, SIGKILL);
        waitpid(one, nullptr, 0);
    }
    EXPECT_EQ(run({"campaign", "run", "killed", "-q", "-j2"}).code, 1);
    EXPECT_GT(done, kills / 4);  // a fast machine finishes before the last of them
    std::size_t processes = 0;   // that have finished a chunk
    for (const auto& file : std::filesystem::directory_iterator(folder_ / "killed" / "journal")) {
        processes += file.file_size() > 0 ? 1 : 0;
    }
    EXPECT_GT(processes, 3U);
    const json expected = totals("whole");
    EXPECT_EQ(totals("killed"), expected);
    EXPECT_EQ(expected["complete"], true);
    EXPECT_FALSE(expected["findings"].empty());
    RecordProperty("kills", done);
}

// What a chunk of a guided campaign is given does not depend on who runs it, nor on which chunks
// others have finished by then: killed and shared, it is the campaign of one process.
TEST_F(Campaign, AGuidedOneIsTheSameWhoeverRunsIt) {
    std::vector<std::string> words = init("whole", "120", "5");
    words.insert(words.end(), {"--guided", "--round", "2"});
    ASSERT_EQ(run(words).code, 0);
    words[2] = "shared";
    ASSERT_EQ(run(words).code, 0);
    run({"campaign", "run", "whole", "-q"});
    const pid_t other = start("shared");
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    run({"campaign", "run", "shared", "-q", "-j3"});
    const json expected = totals("whole");
    EXPECT_EQ(totals("shared"), expected);
    EXPECT_EQ(expected["complete"], true);
    EXPECT_GT(expected["coverage"], 100);
    EXPECT_GT(expected["counts"]["features/mutated"], 15);
    const Seen text = run({"campaign", "status", "whole"});
    EXPECT_THAT(text.out, HasSubstr(" features, by "));
    EXPECT_THAT(text.out, HasSubstr(" after 120 cases, "));
    // Merged from another folder: with the pairs.
    words[2] = "merged";
    ASSERT_EQ(run(words).code, 0);
    run({"campaign", "merge", "merged", "shared"});
    EXPECT_EQ(totals("merged"), expected);
    for (const auto& pair : std::filesystem::directory_iterator(folder_ / "shared" / "corpus")) {
        EXPECT_TRUE(
            std::filesystem::exists(folder_ / "merged" / "corpus" / pair.path().filename()));
    }
}

TEST_F(Campaign, OnlySchedulesAreGuided) {
    EXPECT_THAT(run({"campaign", "init", "c", "--guided"}).err, HasSubstr("cannot be guided"));
    EXPECT_THAT(run({"campaign", "init", "c", "--kind", "schedules", "--mutated", "20"}).err,
                HasSubstr("--mutated means nothing without --guided"));
    EXPECT_EQ(
        run({"campaign", "init", "c", "--kind", "schedules", "--guided", "--mutated", "101"}).code,
        2);
}

// SIGTERM ends it at once, and leaves no lease.
TEST_F(Campaign, EndsAtOnceWhenItIsTold) {
    ASSERT_EQ(run({"campaign", "init", "c", "--kind", "schedules"}).code, 0);
    for (const int number : {SIGTERM, SIGINT}) {
        const pid_t one = start("c");
        bool runs = false;
        for (int tries = 0; tries < 3000 && !runs; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            runs = status("c")["processes"] == 1;
        }
        EXPECT_TRUE(runs);
        kill(one, number);
        int how = 0;
        waitpid(one, &how, 0);
        EXPECT_TRUE(WIFEXITED(how));
        EXPECT_EQ(WEXITSTATUS(how), 0);
        EXPECT_TRUE(std::filesystem::is_empty(folder_ / "c" / "leases"));
    }
}

// A limit on the size of files stands for a full disk: the journal is cut off in the middle of a
// line otherwise.
TEST_F(Campaign, StopsWhenTheDiskIsFullAndContinuesLater) {
    ASSERT_EQ(run(init("whole", "60", "10")).code, 0);
    ASSERT_NE(run({"campaign", "run", "whole", "-q"}).code, 2);
    ASSERT_EQ(run(init("c", "60", "10")).code, 0);
    const Seen full = shell("(ulimit -f 24; exec " PROVISO_BINARY " campaign run c -q)");
    EXPECT_EQ(full.code, 2) << full.out;
    EXPECT_THAT(full.err, HasSubstr("File too large"));
    EXPECT_THAT(full.err, HasSubstr("make space and run again"));
    EXPECT_EQ(status("c")["complete"], false);
    EXPECT_TRUE(status("c")["damaged"]["unfinished"].empty());
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "c" / "leases"));
    run({"campaign", "run", "c", "-q"});
    EXPECT_EQ(totals("c"), totals("whole"));
}

TEST_F(Campaign, AFindingIsReplayed) {
    ASSERT_EQ(run(init("c", "140", "20")).code, 0);
    EXPECT_EQ(run({"campaign", "run", "c", "-q", "-j2"}).code, 1);
    const json s = status("c");
    ASSERT_FALSE(s["findings"].empty());
    const std::string id = s["findings"][0]["id"];
    const Seen again = run({"campaign", "replay", "c", id.substr(0, 6)});
    EXPECT_EQ(again.code, 1) << again.err;
    EXPECT_THAT(again.out, HasSubstr("reproduced\ndiffers: "));
    EXPECT_EQ(run({"campaign", "replay", "c", "xyz"}).code, 2);
}

TEST_F(Campaign, FoldersOfOneCampaignAreMerged) {
    for (const std::string name : {"a", "b", "both"}) {
        ASSERT_EQ(run({"campaign", "init", name, "--cases", "40", "--chunk", "10"}).code, 0);
    }
    ASSERT_EQ(run({"campaign", "init", "other", "--cases", "50", "--chunk", "10"}).code, 0);
    EXPECT_EQ(run({"campaign", "run", "a", "--chunks", "2", "-q"}).code, 0);
    EXPECT_EQ(run({"campaign", "run", "b", "--chunks", "3", "-q"}).code, 0);
    EXPECT_EQ(run({"campaign", "run", "both", "-q"}).code, 0);
    const Seen merged = run({"campaign", "merge", "a", "b", "--json"});
    EXPECT_EQ(merged.code, 0) << merged.err;
    const json s = json::parse(merged.out);
    EXPECT_EQ(s["chunks"]["different"], json::array());
    EXPECT_GE(s["chunks"]["finished"], 3);
    EXPECT_EQ(run({"campaign", "run", "a", "-q"}).code, 0);
    EXPECT_EQ(totals("a"), totals("both"));
    EXPECT_THAT(run({"campaign", "merge", "a", "other"}).err, HasSubstr("different campaigns"));
}

// The same cases as `proviso fuzz` runs.
TEST_F(Campaign, CountsWhatFuzzCounts) {
    ASSERT_EQ(run({"campaign", "init", "c", "--cases", "30", "--chunk", "10", "--kind", "forged",
                   "--seed", "4"})
                  .code,
              0);
    EXPECT_EQ(run({"campaign", "run", "c", "-q"}).code, 0);
    const json fuzz =
        json::parse(run({"fuzz", "--forged", "--cases", "30", "--seed", "4", "--json"}).out);
    const json counts = status("c")["counts"];
    EXPECT_EQ(counts["judged"], fuzz["judged"]);
    EXPECT_EQ(counts["refinement/runs"], fuzz["refinement"]["runs"]);
}

// Each pair of a program and a schedule on as many inputs as the folder says, whoever runs it.
TEST_F(Campaign, RunsEachPairOnItsInputs) {
    const auto run_with = [&](const std::string& folder, const std::string& inputs) {
        std::vector<std::string> words = {"campaign",  "init",    folder, "--kind",
                                          "schedules", "--cases", "24",   "--chunk",
                                          "8",         "--seed",  "4"};
        if (!inputs.empty()) words.insert(words.end(), {"--inputs", inputs});
        EXPECT_EQ(run(words).code, 0);
        EXPECT_EQ(run({"campaign", "run", folder, "-q", "--chunks", "1"}).code, 0);
        EXPECT_EQ(run({"campaign", "run", folder, "-q"}).code, 0);
        return status(folder);
    };
    const json few = run_with("few", "3");
    EXPECT_EQ(few["settings"]["inputs"], 3);
    EXPECT_LE(few["triples"]["triples"], 3 * few["triples"]["pairs"].get<int>());
    const json usual = run_with("usual", "");
    EXPECT_EQ(usual["settings"]["inputs"], 32);
    EXPECT_EQ(usual["triples"]["pairs"], few["triples"]["pairs"]);
    EXPECT_GT(usual["triples"]["triples"], 5 * few["triples"]["triples"].get<int>());
    const json fuzz =
        json::parse(run({"fuzz", "--schedules", "--cases", "24", "--seed", "4", "--json"}).out);
    EXPECT_EQ(usual["triples"]["triples"], fuzz["triples"]["triples"]);
    EXPECT_EQ(usual["triples"]["compiled"], fuzz["triples"]["compiled"]);
    const Seen text = run({"campaign", "status", "few"});
    EXPECT_THAT(text.out, HasSubstr(" pairs, up to 3 inputs each; "));
    run({"campaign", "report", "few", "--html", "p.html", "--junit", "r.xml", "-q"});
    EXPECT_THAT(text_of(folder_ / "p.html"), HasSubstr("up to 3 inputs each"));
    EXPECT_THAT(text_of(folder_ / "r.xml"), HasSubstr("up to 3 inputs each"));
    EXPECT_THAT(run({"campaign", "init", "c", "--inputs", "3"}).err,
                HasSubstr("a campaign of programs has no --inputs"));
    EXPECT_EQ(run({"campaign", "init", "c", "--kind", "schedules", "--inputs", "0"}).code, 2);
    EXPECT_EQ(run({"fuzz", "--inputs", "3"}).code, 2);
}

TEST_F(Campaign, EveryKindRuns) {
    for (const std::string kind : {"programs", "schedules", "graphs", "steps", "forged", "gpu",
                                   "expressions", "planted", "omissions", "hostile"}) {
        std::vector<std::string> words = {"campaign", "init", kind,      "--kind", kind,
                                          "--cases",  "2",    "--chunk", "1"};
        if (kind == "omissions" || kind == "hostile") {
            words.insert(words.end(), {"--each", "20"});
        }
        ASSERT_EQ(run(words).code, 0) << kind;
        const Seen seen = run({"campaign", "run", kind, "-q"});
        EXPECT_EQ(seen.code, 0) << kind << seen.out << seen.err;
        EXPECT_EQ(status(kind)["cases"], 2) << kind;
    }
}

// One file without a script, whatever a finding says; XML that is well formed.
TEST_F(Campaign, TheReportIsOnePageAndXml) {
    ASSERT_EQ(run(init("c", "140", "20")).code, 0);
    EXPECT_EQ(run({"campaign", "run", "c", "-q", "-j2"}).code, 1);
    const std::string found = status("c")["findings"][0]["id"];
    auto finding = fuzz::read_finding((folder_ / "c" / "findings" / found).string());
    ASSERT_TRUE(finding.has_value());
    finding->files["report.md"] = "<script>alert(1)</script> \x1b[31m";
    finding->size = 0;
    ASSERT_TRUE(fuzz::keep_finding((folder_ / "c").string(), *finding, "test"));
    const std::string id = finding->id();
    EXPECT_EQ(run({"campaign", "report", "c", "--html", "p.html", "--junit", "r.xml"}).code, 1);
    const std::string page = text_of(folder_ / "p.html");
    EXPECT_THAT(page, HasSubstr("&#60;script&#62;alert(1)"));
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find("http:"), std::string::npos);
    EXPECT_THAT(page, HasSubstr("default-src 'none'; img-src data:; style-src 'sha256-"));
    EXPECT_THAT(page, HasSubstr("Coverage over time"));
    EXPECT_EQ(shell("xmllint --noout r.xml").code, 0);
    EXPECT_THAT(text_of(folder_ / "r.xml"), HasSubstr("finding " + id));
    EXPECT_EQ(run({"campaign", "report", "c", "--junit", "-"}).code, 2);
}

TEST_F(Campaign, ASlurmScriptIsPrintedOrRefused) {
    std::filesystem::create_directory(folder_ / "it's 100%");
    ASSERT_EQ(run({"campaign", "init", "it's 100%"}).code, 0);
    const Seen seen = run({"campaign", "submit", "it's 100%", "--slurm", "--nodes", "3", "--jobs",
                           "4", "--time", "90", "--dry-run"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("#SBATCH --array=0-2\n"));
    EXPECT_THAT(seen.out, HasSubstr("#SBATCH --time=3\n"));
    EXPECT_THAT(seen.out, HasSubstr("it's 100%%/slurm-"));
    EXPECT_THAT(seen.out, HasSubstr("it'\\''s 100%' --jobs 4 --time 90"));
    file("script", seen.out);
    EXPECT_EQ(shell("sh -n script").code, 0);
    EXPECT_EQ(run({"campaign", "submit", "it's 100%"}).code, 2);
    EXPECT_EQ(
        run({"campaign", "submit", "it's 100%", "--slurm", "--dry-run", "--array", "1; rm"}).code,
        2);
}

// On a terminal, lines that are written anew; elsewhere none of their commands.
TEST_F(Campaign, AScreenIsForTerminalsOnly) {
    ASSERT_EQ(run({"campaign", "init", "c"}).code, 0);
    const std::string line =
        std::string(PROVISO_BINARY) + " campaign run c --time " + (kShare == 1 ? "2" : "10");
    const Seen live = shell("script -qec " + quoted(line) + " typescript");
    EXPECT_EQ(live.code, 0) << live.err;
    EXPECT_THAT(live.out, HasSubstr("\x1b[J"));
    for (const char* const row :
         {"cases", "rate", "chunks", "coverage", "findings", "slowest", "others", "running"}) {
        EXPECT_THAT(live.out, HasSubstr(std::string("\n  ") + row)) << row;
    }
    const Seen plain = shell(line);
    EXPECT_EQ(plain.out.find('\x1b'), std::string::npos);
    EXPECT_EQ(plain.err.find('\x1b'), std::string::npos);
}

TEST_F(Campaign, SaysWhatIsWrong) {
    ASSERT_EQ(run({"campaign", "init", "c"}).code, 0);
    EXPECT_EQ(run({"campaign", "init", "c"}).code, 2);
    EXPECT_THAT(run({"campaign", "run", "nowhere"}).err, HasSubstr("there is no campaign in"));
    EXPECT_THAT(run({"campaign", "status", "c", "--seed", "3"}).err,
                HasSubstr("campaign status has no option --seed"));
    EXPECT_THAT(run({"campaign", "run", "c", "more"}).err, HasSubstr("one argument too many"));
    EXPECT_THAT(run({"campaign", "init", "d", "--fault", "no-such"}).err,
                HasSubstr("there is no fault 'no-such'"));
    EXPECT_THAT(run({"campaign", "init", "d", "--each", "3"}).err, HasSubstr("has no --each"));
    EXPECT_THAT(run({"campaign", "init", "d", "--kind", "schedule"}).err,
                HasSubstr("did you mean `schedules`?"));
    EXPECT_THAT(run({"campaign", "init", "d", "--kind", "xyzzy"}).err,
                HasSubstr("hint: proviso campaign --help"));
    EXPECT_THAT(run({"campaign", "stauts", "c"}).err, HasSubstr("did you mean `status`?"));
    file("c/campaign.json", "{\"format\": 9}");
    EXPECT_EQ(run({"campaign", "run", "c"}).code, 2);
}

}  // namespace
}  // namespace proviso::tests
