// Troubles of a campaign's folder and of its machine: none is silent, and none becomes a finding.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "fuzz/folder/chunk_process.h"
#include "fuzz/folder/scratch.h"
#include "ir/planted.h"
#include "tests/fuzz/folder/campaign_folder.h"

namespace proviso::fuzz {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class FolderTrouble : public CampaignRuns {
  protected:
    std::string journal_file(const std::string& name) const {
        return journal_folder(folder()) + "/" + name + ".jsonl";
    }
    // Of cause and size, by number.
    static std::map<FoundCause, std::vector<std::string>> kept(const std::string& folder) {
        std::map<FoundCause, std::vector<std::string>> out;
        const KeptFindings all = kept_findings(folder);
        for (std::size_t k = 0; k < all.list.size(); ++k) {
            out[all.list[k].cause].push_back(all.ids[k] + " " +
                                             std::to_string(all.list[k].case_number));
        }
        return out;
    }
};

// The trap: a chunk that keeps the first finding of a kind loses its other causes, and smaller
// ones; so what is kept depends on the size of chunks.
TEST_F(FolderTrouble, ChunksOfAnySizeKeepTheSameFindings) {
    ir::planted_fault() = "omit:writes what the cell holds";
    std::vector<std::map<FoundCause, std::vector<std::string>>> seen;
    for (const std::uint64_t size : {7, 140}) {
        CampaignSettings s;
        s.kind = "schedules";
        s.seed = 3;
        s.cases = 140;
        s.chunk = size;
        const std::string where = root_ + "/of" + std::to_string(size);
        ASSERT_TRUE(make_campaign(where, s));
        for (const CampaignKind& kind : campaign_kinds()) {
            for (std::uint64_t c = 0; kind.name == s.kind && c < s.chunks(); ++c) {
                ASSERT_TRUE(
                    run_chunk({&kind, s, where, "me", "", "", c, {}, {}}, [](auto) {}).ok());
            }
        }
        seen.push_back(kept(where));
    }
    ir::planted_fault().clear();
    EXPECT_FALSE(seen[0].empty());
    EXPECT_EQ(seen[0], seen[1]);
}

TEST_F(FolderTrouble, TheFirstCaseWithAFindingIsNamed) {
    CampaignFinding later = finding_of("split", 3, 1);
    CampaignFinding earlier = later;
    later.case_number = 9;
    for (const auto& one : {later, earlier, later}) ASSERT_TRUE(keep_finding(folder(), one, "me"));
    EXPECT_EQ(kept_findings(folder()).list.at(0).case_number, 1U);
    EXPECT_THAT(kept_findings(folder()).damaged, IsEmpty());
}

// nohup ignores SIGHUP, and a shell ignores SIGINT for what it starts in the background.
TEST_F(FolderTrouble, SignalsThatAreIgnoredStaySo) {
    for (const int number : {SIGHUP, SIGINT}) {
        const auto before = std::signal(number, SIG_IGN);
        static int sent = 0;
        sent = number;
        const CampaignKind kind = kind_of([](std::uint64_t k) {
            if (k == 5) kill(getppid(), sent);
        });
        const auto report = run(kind);
        std::signal(number, before);
        ASSERT_TRUE(report.ok());
        EXPECT_EQ(report->end, RunEnd::Finished) << number;
        fs::remove_all(journal_folder(folder()));
        fs::create_directory(journal_folder(folder()));
    }
}

TEST_F(FolderTrouble, AJournalThatCannotBeReadIsAnError) {
    fs::create_symlink("nowhere", journal_file("a"));
    Journal j(journal_folder(folder()), settings_);
    EXPECT_THAT(j.refresh().error().message, HasSubstr("cannot read"));
    EXPECT_FALSE(run(kind_of([](std::uint64_t) {})).ok());
    fs::remove(journal_file("a"));
    fs::create_directory(journal_file("b"));
    EXPECT_THAT(read().damaged(), ElementsAre("b.jsonl"));
}

// Trap: a file that is there, and that this user may not open, has no lines.
TEST_F(FolderTrouble, AJournalThatMayNotBeReadIsAnError) {
    journal("a", {chunk_of(0, 3)});
    for (const std::string& open : {root_, folder(), journal_folder(folder())}) {
        fs::permissions(open, fs::perms::all);
    }
    fs::permissions(journal_file("a"), fs::perms::none);
    const bool root = ::geteuid() == 0;  // whom permissions do not stop
    if (root && ::seteuid(65534) != 0) GTEST_SKIP() << "no other user here";
    const Status seen = Journal(journal_folder(folder()), settings_).refresh();
    if (root) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    ASSERT_FALSE(seen.ok());
    EXPECT_THAT(seen.error().message, HasSubstr("cannot read"));
    EXPECT_THAT(seen.error().message, HasSubstr("a.jsonl"));
}

TEST_F(FolderTrouble, LinesThatAreLostAreAnError) {
    journal("a", {chunk_of(0, 3), chunk_of(1, 3)});
    journal("b", {chunk_of(2, 3)});
    Journal j = read();
    journal("a", {chunk_of(0, 3)});
    EXPECT_THAT(j.refresh().error().message, HasSubstr("has become smaller"));
    Journal other = read();
    fs::remove(journal_file("b"));
    EXPECT_THAT(other.refresh().error().message, HasSubstr("lines are lost"));
}

TEST_F(FolderTrouble, AJournalThatIsRemovedWhileItIsWrittenIsAnError) {
    AppendedFile file(journal_file("mine"));
    ASSERT_TRUE(file.append("one\n"));
    fs::remove(journal_file("mine"));
    EXPECT_FALSE(file.append("two\n").ok());
    journal("mine", {chunk_of(0, 3)});  // another one by that name
    EXPECT_FALSE(file.append("three\n").ok());
}

// Numbers that are none, with a digest that fits.
TEST_F(FolderTrouble, ForgedNumbersDoNotFit) {
    FinishedChunk beyond = chunk_of(10, 3);
    EXPECT_FALSE(read_journal_line(settings_, journal_line(settings_, beyond)).has_value());
    std::string line = journal_line(settings_, chunk_of(1, 3));
    line.pop_back();
    EXPECT_TRUE(read_journal_line(settings_, line).has_value());
}

TEST_F(FolderTrouble, FindingsThatCannotBeReadAreAnError) {
    fs::remove_all(findings_folder(folder()));
    std::ofstream(findings_folder(folder())) << "no folder";
    EXPECT_FALSE(kept_findings(folder()).read.ok());
    EXPECT_FALSE(keep_finding(folder(), finding_of("split", 3, 1), "me").ok());
}

// The id speaks for cause and files, a digest for the rest.
TEST_F(FolderTrouble, FindingsAreCheckedAndHealed) {
    const CampaignFinding one = finding_of("split", 3, 1);
    ASSERT_TRUE(keep_finding(folder(), one, "me"));
    const std::string path = findings_folder(folder()) + "/" + one.id();
    const std::string about = "{\"size\": 3}";
    for (const auto& [name, text] : {std::pair<std::string, std::string>{"program.py", "q"},
                                     {"more.py", "x"},
                                     {"finding.json", about}}) {
        std::ofstream(path + "/" + name) << text;
        EXPECT_THAT(kept_findings(folder()).damaged, ElementsAre(one.id())) << name;
        EXPECT_TRUE(kept_findings(folder()).accounts_for(one.named()) == false) << name;
        ASSERT_TRUE(keep_finding(folder(), one, "me"));
        EXPECT_THAT(kept_findings(folder()).damaged, IsEmpty()) << name;
        EXPECT_THAT(kept_findings(folder()).ids, ElementsAre(one.id())) << name;
    }
}

// A finding that is not there was removed for smaller ones of its cause, or is lost.
TEST_F(FolderTrouble, FindingsThatAreLostAreNoticed) {
    for (std::uint64_t k = 1; k < 6; ++k) {
        ASSERT_TRUE(keep_finding(folder(), finding_of("split", k, k), "me"));
    }
    const KeptFindings kept = kept_findings(folder());
    EXPECT_EQ(kept.ids.size(), kKeptOfACause);
    EXPECT_TRUE(kept.accounts_for(finding_of("split", 5, 5).named()));
    EXPECT_TRUE(kept.accounts_for(finding_of("split", 1, 1).named()));
    EXPECT_FALSE(kept.accounts_for(finding_of("fuse", 5, 5).named()));
    fs::remove_all(findings_folder(folder()) + "/" + finding_of("split", 1, 1).id());
    EXPECT_FALSE(kept_findings(folder()).accounts_for(finding_of("split", 1, 1).named()));
}

// --- merging -------------------------------------------------------------------------------------

// The trap: of two files with one name the longer one has all.
TEST_F(FolderTrouble, MergingLosesNoLineAndHealsOnes) {
    const std::string other = root_ + "/other";
    ASSERT_TRUE(make_campaign(other, settings_));
    journal("a", {chunk_of(0, 3), chunk_of(1, 3)});
    fs::copy_file(journal_file("a"), journal_folder(other) + "/a.jsonl");
    journal("a", {chunk_of(0, 3)},
            "damaged\n" + journal_line(settings_, chunk_of(2, 3)) +
                journal_line(settings_, chunk_of(3, 3)));
    const auto before = fs::file_size(journal_file("a"));
    for (int k = 0; k < 2; ++k) {
        const auto merged = add_campaign_folder(folder(), other);
        ASSERT_TRUE(merged.ok()) << merged.error().str();
        EXPECT_THAT(*merged, IsEmpty());
        EXPECT_EQ(read().cases(), 40U);
        EXPECT_EQ(read().repeated(), 0U);
        EXPECT_EQ(fs::file_size(journal_file("a")), before);
    }
    EXPECT_THAT(*add_campaign_folder(other, folder()), ElementsAre("journal/a.jsonl:2"));
    Journal j(journal_folder(other), settings_);
    ASSERT_TRUE(j.refresh());
    EXPECT_EQ(j.cases(), 40U);
    EXPECT_THAT(j.damaged(), IsEmpty());
}

TEST_F(FolderTrouble, AFolderIsNotMergedWithItself) {
    fs::create_directory_symlink(folder(), root_ + "/link");
    for (const std::string& other : {folder(), folder() + "/.", root_ + "/link"}) {
        EXPECT_THAT(add_campaign_folder(folder(), other).error().message,
                    HasSubstr("are one folder"));
    }
}

// --- leases --------------------------------------------------------------------------------------

TEST_F(FolderTrouble, AProcessWhoseFileIsGoneJoinsAgain) {
    Leases a(lease_folder(folder()), 120);
    ASSERT_TRUE(a.join());
    EXPECT_TRUE(*a.take(1));
    const std::string id = a.owner().id;
    fs::remove(lease_folder(folder()) + "/owner-" + id);
    const auto got = a.take(2);
    ASSERT_TRUE(got.ok()) << got.error().str();
    EXPECT_TRUE(*got);
    EXPECT_EQ(a.owner().id, id);  // what its processes write is still known as its own
    for (const std::uint64_t c : {1, 2}) a.give_back(c);
    EXPECT_THAT(a.state().leased, IsEmpty());
}

// What cannot be read is held as long as one of another machine, and no time is one to come.
TEST_F(FolderTrouble, LeasesThatCannotBeReadEnd) {
    const std::string leases = lease_folder(folder());
    fs::create_directory(leases + "/1");
    std::ofstream(leases + "/2") << std::string(5000, 'x');
    fs::create_symlink("nowhere", leases + "/3");
    std::ofstream(leases + "/4") << "x";
    for (const auto& [name, time] : {std::pair{"1", 1}, {"2", 1}, {"3", 1}, {"4", 2000000000}}) {
        const timespec both[2] = {{time, 0}, {time, 0}};
        ASSERT_EQ(utimensat(AT_FDCWD, (leases + "/" + name).c_str(), both, AT_SYMLINK_NOFOLLOW), 0);
    }
    Leases a(leases, 120);
    ASSERT_TRUE(a.join());
    for (const std::uint64_t c : {1, 2, 3, 4}) EXPECT_TRUE(*a.take(c)) << c;
}

TEST_F(FolderTrouble, FilesOfOthersStayAmongLeases) {
    const std::string notes = lease_folder(folder()) + "/notes.txt";
    std::ofstream(notes) << "mine";
    const timespec both[2] = {{1, 0}, {1, 0}};
    ASSERT_EQ(utimensat(AT_FDCWD, notes.c_str(), both, 0), 0);
    ASSERT_TRUE(run(kind_of([](std::uint64_t) {})).ok());
    EXPECT_TRUE(fs::exists(notes));
}

// --- the beginning -------------------------------------------------------------------------------

TEST_F(FolderTrouble, OneOfManyMakesTheCampaign) {
    const std::string name = root_ + "/new";
    fs::create_directories(journal_folder(name));        // by one that was killed
    std::ofstream(name + "/.campaign-host-1-a") << "{";  // likewise
    std::vector<pid_t> children;
    for (std::uint64_t k = 0; k < 8; ++k) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        CampaignSettings s = settings_;
        s.seed = k;
        _exit(make_campaign(name, s).ok() ? static_cast<int>(k) : 99);
    }
    std::vector<int> made;
    for (const pid_t child : children) {
        int how = 0;
        waitpid(child, &how, 0);
        if (WEXITSTATUS(how) != 99) made.push_back(WEXITSTATUS(how));
    }
    ASSERT_EQ(made.size(), 1U);
    EXPECT_EQ(read_settings(name)->seed, static_cast<std::uint64_t>(made[0]));
}

TEST_F(FolderTrouble, EmptyFoldersThatAreLostAreMadeAgain) {
    for (const auto part : {journal_folder, lease_folder, findings_folder}) {
        fs::remove(part(folder()));
    }
    ASSERT_TRUE(run(kind_of([](std::uint64_t) {})).ok());
    EXPECT_EQ(read().counts().at("ran"), 100U);
}

// --- the machine ---------------------------------------------------------------------------------

// The trap: the time that a process was suspended for is taken for that of its case.
TEST_F(FolderTrouble, ASuspendedProcessIsAtNothing) {
    settings_.case_seconds = 3;
    settings_.cases = 10;
    static std::string at;
    at = root_;
    const CampaignKind kind = kind_of([](std::uint64_t k) {
        if (k != 3) return;
        const std::ofstream begun(at + "/begun");
        for (int tries = 0; tries < 1200 && !fs::exists(at + "/go"); ++tries) usleep(10'000);
    });
    const pid_t runner = fork();
    if (runner == 0) _exit(run(kind).ok() ? 0 : 1);
    for (int tries = 0; tries < 12000 && !fs::exists(root_ + "/begun"); ++tries) usleep(10'000);
    kill(runner, SIGSTOP);
    std::this_thread::sleep_for(std::chrono::seconds(4));
    kill(runner, SIGCONT);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const std::ofstream go(root_ + "/go");
    int how = 0;
    waitpid(runner, &how, 0);
    EXPECT_EQ(WEXITSTATUS(how), 0);
    EXPECT_THAT(kept_findings(folder()).ids, IsEmpty());
    EXPECT_EQ(read().counts().at("ran"), 10U);
}

class WithoutTemporaryFolder : public FolderTrouble {
  protected:
    void SetUp() override {
        FolderTrouble::SetUp();
        const char* const set = std::getenv("TMPDIR");
        before_ = set == nullptr ? "/tmp" : set;
    }
    void TearDown() override {
        setenv("TMPDIR", before_.c_str(), 1);
        FolderTrouble::TearDown();
    }
    std::string before_;
};

TEST_F(WithoutTemporaryFolder, ACampaignStops) {
    setenv("TMPDIR", "/nonexistent", 1);
    EXPECT_FALSE(machine_works().ok());
    const auto report = run(kind_of([](std::uint64_t) {}));
    ASSERT_FALSE(report.ok());
    EXPECT_THAT(report.error().hint, HasSubstr("TMPDIR"));
    EXPECT_FALSE(run_case_again(kind_of([](std::uint64_t) {}), settings_, {}, "", folder()).ok());
    EXPECT_TRUE(read().chunks().empty());
}

// What goes wrong in a case while it is gone is no finding.
TEST_F(WithoutTemporaryFolder, NothingIsFound) {
    for (void (*one)(std::uint64_t) :
         {+[](std::uint64_t) {
              setenv("TMPDIR", "/nonexistent", 1);
              throw std::runtime_error("wrong");
          },
          +[](std::uint64_t) { (void)fs::canonical("/nonexistent"); }}) {
        const auto report = run(kind_of(one));
        EXPECT_FALSE(report.ok());
        EXPECT_TRUE(read().chunks().empty());
        EXPECT_THAT(kept_findings(folder()).ids, IsEmpty());
    }
}

// Temporary files of a process that was killed go with its runner.
TEST_F(WithoutTemporaryFolder, TemporaryFilesGoWithTheRunner) {
    setenv("TMPDIR", root_.c_str(), 1);
    ASSERT_TRUE(run(kind_of([](std::uint64_t k) {
                    std::ofstream(fs::temp_directory_path() / "left") << "x";
                    if (k == 7) std::abort();
                })).ok());
    for (const auto& entry : fs::directory_iterator(root_)) {
        EXPECT_EQ(entry.path().filename(), "campaign");
    }
}

}  // namespace
}  // namespace proviso::fuzz
