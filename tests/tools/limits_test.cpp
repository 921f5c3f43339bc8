// Hostile files: whatever lies where a command reads, it ends with a message. docs/limits.md says
// what the limits are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ir/deep_stack.h"
#include "ir/depth.h"
#include "ir/files/limits.h"
#include "ir/files/read.h"
#include "ir/interp/interpreter.h"
#include "ir/text.h"
#include "ir/text/reader/python/python.h"
#include "ir/text/reader/stmt_binder.h"
#include "tests/tools/commands.h"

namespace fs = std::filesystem;

namespace {

using namespace proviso;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;

constexpr const char* kProgram = R"(@T.prim_func
def scale(A: T.Buffer((4,), "int8"), B: T.Buffer((4,), "int8")):
    for i in range(4):
        B[i] = A[i]
)";

class Limits : public proviso::tests::Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("scale.py", kProgram);
        ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
        fs::create_symlink("/dev/zero", folder_ / "zero");
        fs::create_directory(folder_ / "folder");
    }

    // A file that takes no room on the disk.
    void large(const std::string& name, std::uint64_t bytes) {
        fs::remove(folder_ / name);
        file(name, "");
        fs::resize_file(folder_ / name, bytes);
    }

    // A fresh proof log in log/.
    void make_log() {
        fs::remove_all(folder_ / "log");
        const Seen seen = run({"lower", "scale.py", "--log", "log", "--emit", "ir", "-o", "made",
                               "-q", "--no-cache"});
        ASSERT_EQ(seen.code, 0) << seen.err;
    }
    // With its hash, so that it is looked into.
    void write_run(const std::string& text) {
        file("log/run.json", text);
        file("log/run.sha256", ir::sha256_hex(text) + "\n");
    }
    Seen audit() { return run({"audit", "log", "--no-validation", "--no-solvers"}); }
};

// The commands, with FILE where each reads one.
const std::vector<std::vector<std::string>>& readers() {
    static const std::vector<std::vector<std::string>> all = {
        {"fmt", "FILE"},
        {"fmt", "--check", "FILE"},
        {"lower", "FILE"},
        {"lower", "scale.py", "--schedule", "FILE"},
        {"run", "FILE"},
        {"run", "scale.py", "--in", "A=FILE"},
        {"check", "FILE", "scale.py"},
        {"check", "scale.py", "FILE"},
        {"audit", "FILE"},
        {"prove", "--batch", "FILE"},
        {"prove", "--batch", "FILE", "--certificate", "out"},
        {"simplify", "--batch", "FILE"},
        {"solve", "--batch", "FILE"},
        {"fuzz", "--reproduce", "FILE"},
    };
    return all;
}

TEST_F(Limits, NoCommandOpensAPipeADeviceOrAFolder) {
    for (const std::vector<std::string>& reader : readers()) {
        for (const char* what : {"pipe", "zero", "folder", "nowhere", "/dev/null"}) {
            std::vector<std::string> words = reader;
            for (std::string& word : words) {
                if (const auto at = word.find("FILE"); at != std::string::npos) {
                    word.replace(at, 4, what);
                }
            }
            const Seen seen = run(words);
            EXPECT_EQ(seen.code, 2) << words[0] << " " << what << "\n" << seen.out << seen.err;
        }
    }
    EXPECT_THAT(run({"fmt", "pipe"}).err, HasSubstr("pipe is a named pipe, not a file"));
    EXPECT_THAT(run({"run", "scale.py", "--in", "A=zero"}).err,
                HasSubstr("zero is a device, not a file"));
}

TEST_F(Limits, AFileThatIsTooLargeIsNotRead) {
    large("large", ir::limits::kProgramBytes + 1);
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"fmt", "large"},
                                               {"lower", "large"},
                                               {"lower", "scale.py", "--schedule", "large"},
                                               {"run", "large"},
                                               {"check", "scale.py", "large"}}) {
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 2) << words[0];
        EXPECT_THAT(seen.err, HasSubstr("large is larger than 16 MiB")) << words[0];
    }
    large("large", ir::limits::kBatchBytes + 1);
    for (const char* command : {"prove", "simplify", "solve"}) {
        EXPECT_THAT(run({command, "--batch", "large"}).out, HasSubstr("is larger than 1 GiB"));
    }
    large("large", ir::limits::kTensorBytes + 1);
    EXPECT_THAT(run({"run", "scale.py", "--in", "A=large"}).err, HasSubstr("larger than 1 GiB"));
}

TEST_F(Limits, JsonOfABatchIsNestedUpToALimit) {
    for (const char* command : {"prove", "simplify", "solve"}) {
        file("deep", std::string(2'000'000, '[') + "\n");
        const Seen seen = run({command, "--batch", "deep"});
        EXPECT_EQ(seen.code, 2) << command;
        EXPECT_THAT(seen.out, HasSubstr("JSON is nested more than 200 deep")) << command;
    }
}

TEST_F(Limits, AnAuditOpensNoPipeOrDevice) {
    for (const char* name : {"steps.jsonl", "run.json", "run.sha256", "refusals.jsonl",
                             "objects.pack", "run.dsse.json", "timing.jsonl"}) {
        for (const char* kind : {"pipe", "zero", "loop", "folder"}) {
            make_log();
            const fs::path place = folder_ / "log" / name;
            fs::remove_all(place);
            const std::string what = kind;
            if (what == "pipe") {
                ASSERT_EQ(mkfifo(place.c_str(), 0600), 0);
            } else if (what == "folder") {
                fs::create_directory(place);
            } else {
                fs::create_symlink(what == "zero" ? "/dev/zero" : name, place);
            }
            const Seen seen = audit();
            EXPECT_EQ(seen.code, 2) << name << " " << kind << "\n" << seen.out << seen.err;
            EXPECT_THAT(seen.out, HasSubstr("it is not read")) << name << " " << kind;
        }
    }
}

TEST_F(Limits, AStatementThatIsNestedTooDeepIsRefused) {
    make_log();
    for (const char* bracket : {"[", "{\"a\":"}) {
        std::string text;
        const int depth = *bracket == '[' ? 20'000'000 : 2'000'000;
        for (int i = 0; i < depth; ++i) text += bracket;
        write_run(text);
        const Seen seen = audit();
        EXPECT_EQ(seen.code, 2) << seen.err;
        EXPECT_THAT(seen.out, HasSubstr("run.json: JSON is nested more than 200 deep"));
    }
}

TEST_F(Limits, ALineOfALogThatIsNestedTooDeepIsRefused) {
    make_log();
    std::string line;
    line.resize(20'000'000, '[');
    nlohmann::json statement = nlohmann::json::parse(text_of(folder_ / "log" / "run.json"));
    statement["predicate"]["steps"]["lines"] = {"sha256:" + ir::sha256_hex(line)};
    write_run(statement.dump() + "\n");
    file("log/steps.jsonl", line + "\n");
    const Seen seen = audit();
    EXPECT_EQ(seen.code, 2) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("steps.jsonl:1: JSON is nested more than 200 deep"));
}

TEST_F(Limits, ALogThatIsTooLargeIsNotRead) {
    make_log();
    large("log/steps.jsonl", ir::limits::kLogBytes + 1);
    const Seen seen = audit();
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.out, HasSubstr("steps.jsonl is larger than 1 GiB"));
    // All files together, where each is small enough.
    large("log/steps.jsonl", ir::limits::kLogBytes - 10);
    EXPECT_THAT(audit().out, HasSubstr("is not read: the log is larger than 1 GiB"));
}

TEST_F(Limits, ALogWithTooManyLinesOrProblemsEnds) {
    make_log();
    file("log/steps.jsonl", std::string(ir::limits::kLogLines + 10, '\n'));
    const Seen seen = audit();
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.out, HasSubstr("steps.jsonl: has more than 1000000 lines"));
    for (std::size_t i = 0; i < ir::limits::kLogProblems + 5; ++i) {
        file("log/" + std::to_string(i), "");
    }
    EXPECT_THAT(audit().out, HasSubstr("more problems"));
}

TEST_F(Limits, ACacheEntryThatIsNoFileReadsAsAbsent) {
    const std::vector<std::string> question = {"prove", "x * y * z == z * y * x", "--cross-check",
                                               "--cache", "cache"};
    const Seen first = run(question);
    ASSERT_EQ(first.code, 0) << first.err;
    std::vector<fs::path> entries;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache")) {
        if (entry.is_regular_file()) entries.push_back(entry.path());
    }
    ASSERT_EQ(entries.size(), 1U);
    fs::remove(entries[0]);
    ASSERT_EQ(mkfifo(entries[0].c_str(), 0600), 0);
    EXPECT_EQ(run(question).out, first.out);
    fs::remove(entries[0]);
    fs::create_symlink("/dev/zero", entries[0]);
    EXPECT_EQ(run(question).out, first.out);
}

TEST_F(Limits, TheCertificateCheckerReadsRegularFilesOnly) {
    const auto check = [&](const std::string& words) {
        return shell(std::string(PROVISO_CERTCHECK) + " " + words);
    };
    file("list", "pipe zero\nfolder nowhere\n");
    for (const char* words : {"pipe pipe", "zero zero", "folder folder", "scale.py pipe",
                              "--batch pipe", "--batch zero", "--batch folder", "--batch list"}) {
        EXPECT_EQ(check(words).code, 2) << words;
    }
    EXPECT_THAT(check("pipe pipe").err, HasSubstr("cannot read pipe: not a regular file"));
    large("large", (std::uint64_t{16} << 20) + 1);
    const Seen seen = check("large large");
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("cannot read large: longer than 16 MiB"));
    file("deep.smt2", std::string(1'000'000, '('));
    EXPECT_EQ(check("deep.smt2 deep.smt2").code, 1);
}

TEST_F(Limits, ASavedFailureIsReadWithinLimits) {
    fs::create_directory(folder_ / "failure");
    const auto reproduce = [&] { return run({"fuzz", "--reproduce", "failure"}); };
    ASSERT_EQ(mkfifo((folder_ / "failure" / "program.py").c_str(), 0600), 0);
    EXPECT_THAT(reproduce().err, HasSubstr("is a named pipe, not a file"));
    fs::remove(folder_ / "failure" / "program.py");
    file("failure/program.py", kProgram);
    // Numbers and words where something else belongs.
    for (const char* steps : {"[]\n", "{\"site\": 3}\n", "{\"site\": \"body\", \"rule\": []}\n"}) {
        file("failure/steps.jsonl", steps);
        EXPECT_EQ(reproduce().code, 2) << steps;
    }
    file("failure/steps.jsonl", "");
    for (const char* inputs :
         {"", "[]", "{\"inputs\": {}}", "{\"inputs\": {}, \"setup\": {\"style\": 77}}",
          "{\"inputs\": {\"A\": {\"type\": \"int8\", \"shape\": [4]}}, \"setup\": {}}",
          "{\"inputs\": {\"A\": {\"type\": \"int8\", \"shape\": [-1], \"bits\": [], \"states\": "
          "[]}}, \"setup\": {}}",
          "{\"inputs\": {\"A\": {\"type\": \"int8\", \"shape\": [1], \"bits\": [1], \"states\": "
          "[9]}}, \"setup\": {}}",
          "{\"inputs\": 3, \"setup\": 4}"}) {
        file("failure/inputs.json", inputs);
        EXPECT_EQ(reproduce().code, 2) << inputs << reproduce().err;
    }
}

// Each layout rewrites what stands for the ones before it: hundreds would take gigabytes.
TEST_F(Limits, ABufferHasSoManyLayouts) {
    file("twice.py",
         "@T.prim_func\n"
         "def twice(A: T.Buffer((22,), \"float32\"), B: T.Buffer((22,), \"float32\")):\n"
         "    for i in range(22):\n"
         "        with T.block(\"b\"):\n"
         "            vi = T.axis.spatial(22, i)\n"
         "            B[vi] = A[vi] * T.float32(2)\n");
    std::string text = "b = sch.get_block(\"b\")\n";
    for (std::size_t k = 0; k <= ir::limits::kLayouts; ++k) {
        text += "sch.transform_layout(b, \"A\", lambda i: [21 - i])\n";
    }
    file("s.py", text);
    const Seen seen = run({"lower", "twice.py", "--schedule", "s.py", "-q"});
    EXPECT_EQ(seen.code, 1) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("s.py:66:"));
    EXPECT_THAT(seen.err, HasSubstr("the layout of A has changed 64 times, which is the limit"));
}

// A program within the limit of bytes, of which each token takes hundreds of bytes when it is read.
TEST_F(Limits, ATextHasSoManyWordsNumbersAndSigns) {
    std::string text = "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\")):\n    A[0] = 1";
    text.reserve(9'000'000);
    while (text.size() < 8'500'000) text += "+1";
    ASSERT_LT(text.size(), ir::limits::kProgramBytes);
    file("large.py", text + "\n");
    const Seen seen = run({"fmt", "large.py"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("large.py:3:"));
    EXPECT_THAT(seen.err, HasSubstr("more than 4000000 words, numbers and signs"));
    EXPECT_THAT(seen.err, HasSubstr("docs/limits.md"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Sanitizers reserve more than any limit on address space.
TEST_F(Limits, MemoryThatRunsOutIsNoBrokenInvariant) {
    std::string text = "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\")):\n";
    for (int k = 0; k < 300'000; ++k) text += "    A[0] = " + std::to_string(k) + "\n";
    file("large.py", text);
    const Seen seen = shell("ulimit -v 600000 && " PROVISO_BINARY " fmt large.py");
    EXPECT_EQ(seen.code, 3) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("error: out of memory"));
}
#endif

// docs/limits.md tells the numbers that the sources hold to.
TEST(LimitsPage, SaysWhatTheSourcesSay) {
    const std::string page = text_of(fs::path(PROVISO_SOURCE_DIR) / "docs" / "limits.md");
    using namespace ir::limits;
    const auto row = [](const std::string& what, const std::string& most) {
        return "| " + what + " | " + most + " |";
    };
    const auto bytes = [](std::uint64_t n) { return ir::bytes_text(n); };
    const auto number = [](auto n) { return std::to_string(n); };
    for (const std::string& line :
         {row("a program, a schedule", bytes(kProgramBytes)),
          row("a batch of JSON lines (`--batch`)", bytes(kBatchBytes)),
          row("a `.npy` file", bytes(kTensorBytes) + ", " + number(kTensorCells) + " cells, " +
                                   number(kTensorRank) + " dimensions, a header of " +
                                   bytes(kTensorHeaderBytes) + "; its shape must fit its size"),
          row("a [proof log](proof-log.md), all its files together", bytes(kLogBytes)),
          row("a proof log that is one file", bytes(kLogBytes) + ", packed or not; " +
                                                  number(kLogArchiveFiles) +
                                                  " files; Zstandard that looks back " +
                                                  bytes(std::uint64_t{1} << kLogArchiveWindow)),
          row("lines of `steps.jsonl`, of `refusals.jsonl`; objects", number(kLogLines) + " each"),
          row("signatures of a log; a key in PEM",
              number(kLogSignatures) + "; " + bytes(kKeyBytes)),
          row("an emitted file that an audit compares (`--output`)", bytes(kOutputBytes)),
          row("what is told of a broken log", number(kLogProblems) + " problems"),
          row("JSON, wherever it is read", number(kJsonDepth) + " brackets inside each other, " +
                                               number(kJsonValues) + " values"),
          row("an answer in the [cache](cache.md)",
              bytes(kCacheBytes) + "; one that is larger, or no file, reads as absent"),
          row("a file of a failure that [`proviso fuzz`](fuzz.md) has saved", bytes(kCaseBytes)),
          row("brackets, signs, `not` and bodies inside each other in any text",
              number(ir::python::kLimitsOnDeepStack.brackets)),
          row("other operators inside each other",
              number(ir::python::kLimitsOnDeepStack.operators)),
          row("words, numbers, signs and ends of lines of a program, of a schedule",
              number(kTokens)),
          row("values that Python makes while a program is read: items, copies",
              number(kPythonValues)),
          row("values of `T.allocate_const`",
              std::to_string(ir::kMaxConstants) + "; with more the function is opaque"),
          row("loops inside each other, bindings of one list", number(ir::python::kMaxStatements)),
          row("layouts that a schedule gives one buffer, one after another", number(kLayouts)),
          row("instructions of a [trace](traces.md)", number(kTraceInstructions)),
          row("files that a schedule [imports](schedules.md#imports)",
              number(kImports) + ", at most " + number(kImportDepth) +
                  " of them one importing another"),
          row("nesting of an expression in an obligation", number(ir::kDeepestOnDeepStack)),
          row("a run of the interpreter", number(ir::InterpOptions{}.step_limit) + " steps, " +
                                              number(ir::InterpOptions{}.cell_limit) +
                                              " cells of one allocation")}) {
        EXPECT_THAT(page, HasSubstr(line));
    }
    EXPECT_EQ(kLogLines, kLogObjects);
}

}  // namespace
