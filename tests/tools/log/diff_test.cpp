// proviso diff: its diffs are those of the programs, and lead from one to the next.
#include "tests/tools/log/log_fixture.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class DiffCommand : public LogCommands {};

// Applied one after the other, by a program of others, they lead from the source to the final one.
TEST_F(DiffCommand, EveryStepAppliesToTheProgramBefore) {
    if (shell("command -v patch").code != 0) GTEST_SKIP() << "patch is not installed";
    file("at.py", run({"log", "cat", "log", "source"}).out);
    const std::size_t count = steps().size();
    ASSERT_GE(count, 2U);
    for (std::size_t n = 1; n <= count; ++n) {
        const Seen seen = run({"diff", "log", std::to_string(n)});
        ASSERT_EQ(seen.code, 0) << seen.err;
        EXPECT_THAT(seen.out, testing::StartsWith("# step " + std::to_string(n) + ": "));
        file("step.diff", seen.out);
        const Seen applied = shell("patch at.py step.diff");
        ASSERT_EQ(applied.code, 0) << applied.out << applied.err;
        EXPECT_EQ("sha256:" + ir::sha256_hex(text_of(folder_ / "at.py")),
                  steps()[n - 1]["after"].get<std::string>());
    }
    EXPECT_EQ(text_of(folder_ / "at.py"), run({"log", "cat", "log", "final"}).out);
    file("at.py", run({"log", "cat", "log", "source"}).out);
    file("all.diff", run({"diff", "log"}).out);
    EXPECT_EQ(shell("patch at.py all.diff").code, 0);
    EXPECT_EQ(text_of(folder_ / "at.py"), run({"log", "cat", "log", "final"}).out);
}

TEST_F(DiffCommand, IsWhatLowerPrints) {
    const Seen lowered = run({"lower", "p.py", "-s", "s.py", "-q", "--print-after", "1", "--emit",
                              "ir", "-o", "out", "--no-cache"});
    EXPECT_EQ(lowered.out, run({"diff", "log", "1"}).out);
}

TEST_F(DiffCommand, TakesRanges) {
    const std::string count = std::to_string(steps().size());
    const std::string all = run({"diff", "log"}).out;
    EXPECT_EQ(run({"diff", "log", "0.."}).out, all);
    EXPECT_EQ(run({"diff", "log", ".."}).out, all);
    EXPECT_EQ(run({"diff", "log", ".." + count}).out, all);
    EXPECT_EQ(run({"diff", "log", "0..1"}).out, run({"diff", "log", "1"}).out);
    EXPECT_EQ(run({"diff", "log", "1..1"}).out, "");
    const auto forth = json_of({"diff", "log", "1..2", "--json"});
    const auto back = json_of({"diff", "log", "2..1", "--json"});
    EXPECT_EQ(forth["before"], back["after"]);
    EXPECT_EQ(forth["steps"].size(), 1U);
    EXPECT_EQ(forth["steps"][0]["step"], 2);
    EXPECT_TRUE(back["steps"].empty());
    for (const char* wrong : {"x", "1...2", "-1", "1..x", "99", "1..99", "0", "1 2", "0x1"}) {
        const Seen seen = run({"diff", "log", wrong});
        EXPECT_EQ(seen.code, 2) << wrong;
        EXPECT_THAT(seen.err, HasSubstr("error: ")) << wrong;
    }
}

TEST_F(DiffCommand, HasColoursWhereTheyAreWanted) {
    const std::string plain = run({"diff", "log", "1"}).out;
    EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
    const std::string colored = run({"diff", "log", "1", "--color", "always"}).out;
    EXPECT_THAT(colored, HasSubstr("\x1b[31m-"));
    EXPECT_THAT(colored, HasSubstr("\x1b[32m+"));
    EXPECT_THAT(colored, HasSubstr("\x1b[36m@@"));
    const auto on_terminal = [&](const std::string& before) {
        return shell(before + " script -qec '" PROVISO_BINARY " diff log 1' /dev/null").out;
    };
    if (shell("command -v script").code != 0) GTEST_SKIP() << "script is not installed";
    EXPECT_THAT(on_terminal("env -u NO_COLOR TERM=xterm"), HasSubstr("\x1b[31m-"));
    EXPECT_THAT(on_terminal("NO_COLOR=1 TERM=xterm"), Not(HasSubstr("\x1b")));
    EXPECT_THAT(on_terminal("env -u NO_COLOR TERM=dumb"), Not(HasSubstr("\x1b")));
}

// All hashes of the files fit, and the edits of a step give another program than it names.
TEST_F(DiffCommand, EditsThatLieAreNotShown) {
    std::vector<nlohmann::json> all = steps();
    std::string added = all.back()["edits"][0][2];
    all.back()["edits"][0][2] = added + "    pass\n";
    std::string lines;
    for (const nlohmann::json& step : all) lines += step.dump(-1, ' ', true) + "\n";
    const std::string last = all.back().dump(-1, ' ', true);
    auto statement = nlohmann::json::parse(text_of(folder_ / "log" / "run.json"));
    statement["predicate"]["steps"]["lines"].back() = "sha256:" + ir::sha256_hex(last);
    file("log/steps.jsonl", lines);
    file("log/run.json", statement.dump() + "\n");
    file("log/run.sha256", ir::sha256_hex(statement.dump() + "\n") + "\n");
    const std::string number = std::to_string(all.size());
    EXPECT_EQ(run({"diff", "log", "1"}).code, 0) << "the steps before";
    const Seen seen = run({"diff", "log", number});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("steps.jsonl:" + number +
                                    ": its edits do not give the program that it names"));
    EXPECT_EQ(run({"show", "log", number}).code, 2);
    EXPECT_EQ(run({"audit", "log", "--no-validation"}).code, 2);
}

TEST_F(DiffCommand, ALogThatDoesNotHoldTogetherIsNotShown) {
    shell("sed -i '1s/\"seq\":0/\"seq\":7/' log/steps.jsonl");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"diff", "log"},
                                               {"show", "log", "1"},
                                               {"log", "ls", "log"},
                                               {"log", "cat", "log", "source"},
                                               {"log", "pack", "log", "new.tar.zst"}}) {
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 2) << words[0];
        EXPECT_EQ(seen.out, "") << words[0];
        EXPECT_THAT(seen.err,
                    HasSubstr("log is no whole proof log: steps.jsonl:1: the line was changed"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "new.tar.zst"));
}

}  // namespace
}  // namespace proviso::tests
