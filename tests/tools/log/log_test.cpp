// proviso log, and logs that are one file.
#include "tests/tools/log/log_fixture.h"

namespace proviso::tests {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LogCommand : public LogCommands {};

TEST_F(LogCommand, ListsEverything) {
    const auto parts = json_of({"log", "ls", "log", "--json"});
    std::map<std::string, std::string> what;
    for (const auto& part : parts) what[part["name"]] = part["what"];
    EXPECT_EQ(what.at("run.json"), "statement");
    const auto run_json = nlohmann::json::parse(run({"log", "cat", "log", "run.json"}).out);
    EXPECT_EQ(what.at(run_json["predicate"]["input"]["digest"]), "source program");
    EXPECT_EQ(what.at(run_json["predicate"]["output"]), "final program");
    EXPECT_EQ(what.at(run_json["predicate"]["rule_table"]), "rule table");
    EXPECT_EQ(what.at(run_json["predicate"]["schedule"]), "schedule");
    for (const std::string& id : ids()) EXPECT_THAT(what.at(id), HasSubstr("obligation of step "));
    for (const auto& [id, certificate] : run_json["predicate"]["certificates"].items()) {
        EXPECT_EQ(what.at(certificate), "certificate of " + id.substr(0, 19));
    }
    EXPECT_EQ(what.size(), run_json["predicate"]["objects"].size() + 4);
    // Each part is printed, and objects have their hash.
    for (const auto& part : parts) {
        const std::string name = part["name"];
        const Seen seen = run({"log", "cat", "log", name});
        ASSERT_EQ(seen.code, 0) << name;
        EXPECT_EQ(seen.out.size(), part["bytes"].get<std::size_t>()) << name;
        if (name.rfind("sha256:", 0) != 0) continue;
        EXPECT_EQ("sha256:" + ir::sha256_hex(seen.out), name);
        EXPECT_EQ(run({"log", "cat", "log", name.substr(7, 20)}).out, seen.out);
    }
    EXPECT_EQ(run({"log", "cat", "log", "objects.pack"}).out,
              text_of(folder_ / "log" / "objects.pack"));
    EXPECT_THAT(run({"log", "cat", "log", "schedule"}).out,
                testing::StartsWith(text_of(folder_ / "s.py") + "# calls: "));
}

TEST_F(LogCommand, SaysWhatIsMissingOrTooMuch) {
    for (const auto& [words, message] :
         std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"log", "cat", "log"}, "NAME is missing"},
             {{"log", "pack", "log"}, "NAME is missing"},
             {{"log", "ls", "log", "x"}, "'x' is one argument too many"},
             {{"log", "cat", "log", "x"}, "the log has no part 'x'"},
             {{"log", "cat", "log", "abc"}, "the log has no part 'abc'"},
             {{"log", "cat", "log", "../p.py"}, "the log has no part '../p.py'"},
             {{"log", "pack", "log", "folder"}, "folder is no name of one file"},
             {{"log", "unpack", "log", "x.tar"}, "x.tar is no name of a folder"},
             {{"log", "sign", "log"}, "--key is missing"},
             {{"log", "ls", "log", "--key", "k"}, "--key is for signing"},
             {{"log", "eat", "log"}, "eat not in {"},
             {{"log"}, "ACTION is required"},
             {{"log", "ls", "p.py"}, "is neither a folder nor an archive"},
             {{"log", "ls", "nowhere"}, "nowhere: cannot be read"}}) {
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 2) << message;
        EXPECT_THAT(seen.err, HasSubstr(message));
    }
}

// The same log in three forms: the same parts, the same audit, and back again byte for byte.
TEST_F(LogCommand, OneFileIsTheSameLog) {
    make_log("log.tar.zst");
    make_log("log.tar");
    ASSERT_EQ(run({"log", "pack", "log", "packed.tar.zst"}).code, 0);
    EXPECT_EQ(text_of(folder_ / "log.tar.zst"), text_of(folder_ / "packed.tar.zst"));
    ASSERT_EQ(run({"log", "pack", "packed.tar.zst", "packed.tar"}).code, 0);
    EXPECT_EQ(text_of(folder_ / "log.tar"), text_of(folder_ / "packed.tar"));
    EXPECT_LT(fs::file_size(folder_ / "log.tar.zst") * 3, fs::file_size(folder_ / "log.tar"));
    for (const char* log : {"log.tar.zst", "log.tar"}) {
        EXPECT_EQ(run({"log", "ls", log}).out, run({"log", "ls", "log"}).out);
        EXPECT_EQ(run({"diff", log}).out, run({"diff", "log"}).out);
        EXPECT_EQ(run({"show", log, "1"}).out, run({"show", "log", "1"}).out);
        const Seen audited = shell(std::string(PROVISO_AUDIT) + " " + log + " --no-validation");
        EXPECT_EQ(audited.code, 0) << audited.out;
        EXPECT_THAT(audited.out, HasSubstr(std::string("audit of ") + log + ": VERIFIED"));
        ASSERT_EQ(run({"log", "unpack", log, "again"}).code, 0);
        EXPECT_EQ(shell("diff -r log again").code, 0);
    }
    if (shell("command -v tar && command -v zstd").code != 0) return;
    // What others make of the files, and what others read.
    EXPECT_EQ(shell("tar -C log -cf other.tar $(ls log)").code, 0);
    EXPECT_EQ(run({"audit", "other.tar", "--no-validation"}).code, 0);
    EXPECT_EQ(shell("zstd -q -19 other.tar -o other.tar.zst").code, 0);
    EXPECT_EQ(run({"audit", "other.tar.zst", "--no-validation"}).code, 0);
    EXPECT_EQ(
        shell("mkdir there && zstd -qdc log.tar.zst | tar -xf - -C there && diff -r log there")
            .code,
        0);
    // With its folder in it, it is refused, and so is a link.
    EXPECT_EQ(shell("tar -cf folder.tar log").code, 0);
    EXPECT_THAT(run({"audit", "folder.tar"}).out, HasSubstr("no regular file with a plain name"));
    EXPECT_EQ(shell("ln -s /etc/passwd notes && tar -cf link.tar notes").code, 0);
    EXPECT_THAT(run({"audit", "link.tar"}).out, HasSubstr("no regular file with a plain name"));
}

TEST_F(LogCommand, ALogHasTenTimesFewerFilesThanObjects) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(folder_ / "log")) {
        EXPECT_TRUE(entry.is_regular_file());
        ++files;
    }
    EXPECT_EQ(files, 5U);
}

// Nothing of the user's is replaced, and this is said before any work is done.
TEST_F(LogCommand, OtherFilesStay) {
    file("thesis.tar.zst", "years of work");
    const Seen lowered = run({"lower", "p.py", "--log", "thesis.tar.zst", "--no-cache"});
    EXPECT_EQ(lowered.code, 2);
    EXPECT_THAT(lowered.err, HasSubstr("thesis.tar.zst is there and is no proof log"));
    EXPECT_EQ(run({"log", "pack", "log", "thesis.tar.zst"}).code, 2);
    EXPECT_EQ(text_of(folder_ / "thesis.tar.zst"), "years of work");
    fs::create_directory(folder_ / "thesis");
    file("thesis/thesis.tex", "years of work");
    EXPECT_EQ(run({"log", "unpack", "log", "thesis"}).code, 2);
    EXPECT_EQ(text_of(folder_ / "thesis" / "thesis.tex"), "years of work");
}

// Trap: a pipe that nobody writes to is waited for, or called a log with files missing.
TEST_F(LogCommand, PipesAndDevicesAreNamed) {
    ASSERT_EQ(shell("mkfifo pipe").code, 0);
    for (const auto& [log, what] :
         std::map<std::string, std::string>{{"pipe", "pipe is a named pipe, not a file"},
                                            {"/dev/zero", "/dev/zero is a device, not a file"}}) {
        for (const char* command : {"audit", "diff", "log ls"}) {
            const Seen seen =
                shell("timeout 300 " + std::string(PROVISO_BINARY) + " " + command + " " + log);
            EXPECT_EQ(seen.code, 2) << command;
            EXPECT_THAT(seen.out + seen.err, HasSubstr(what)) << command;
        }
    }
}

TEST_F(LogCommand, NamesOfOtherKindsOfFilesAreRefused) {
    for (const char* name : {"log.tar.gz", "log.tgz", "log.zip", "log.zst"}) {
        const Seen seen = run({"lower", "p.py", "--log", name, "--no-cache"});
        EXPECT_EQ(seen.code, 2) << name;
        EXPECT_THAT(seen.err, HasSubstr("a name that ends in .tar.zst or .tar")) << name;
        EXPECT_FALSE(fs::exists(folder_ / name));
    }
}

// The logs of converters stand beside the log, in its form.
TEST_F(LogCommand, AdaptersHaveLogsOfTheSameForm) {
    file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((27,), "int32"), B: T.Buffer((27,), "int32")):
    for i in range(27):
        with T.block("twice"):
            vi = T.axis.spatial(27, i)
            B[vi] = A[vi] * 2
)");
    file("s.py",
         "sch.transform_layout(\"twice\", \"A\", lambda i: [i // 4, i % 4], pad_value=0)\n");
    const Seen made = run({"lower", "p.py", "-s", "s.py", "-q", "--log", "made/log.tar.zst",
                           "--emit", "adapters", "-o", "made", "--no-cache"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(run({"audit", "made/log.tar.zst", "--no-validation"}).code, 0);
    EXPECT_EQ(run({"audit", "made/log.adapters/A/pack.tar.zst", "--no-validation"}).code, 0);
}

}  // namespace
}  // namespace proviso::tests
