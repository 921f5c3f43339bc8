// proviso show: steps and obligations of a log, and the commented SMT-LIB text.
#include <algorithm>
#include <regex>

#include "tests/tools/log/log_fixture.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class ShowCommand : public LogCommands {
  protected:
    // What is left of a commented text without its comments.
    static std::string without_comments(const std::string& text) {
        std::string out;
        std::istringstream in(text);
        for (std::string line; std::getline(in, line);) {
            line = line.substr(0, line.find(';'));
            line.erase(line.find_last_not_of(' ') + 1);
            if (!line.empty()) out += line + "\n";
        }
        return out;
    }
};

TEST_F(ShowCommand, AStepIsShownWithItsPlaceAndWhatItOwes) {
    const std::vector<nlohmann::json> all = steps();
    for (std::size_t n = 1; n <= all.size(); ++n) {
        const Seen seen = run({"show", "log", std::to_string(n)});
        ASSERT_EQ(seen.code, 0) << seen.err;
        EXPECT_EQ(seen.out, run({"show", "log", "step:" + std::to_string(n)}).out);
        EXPECT_THAT(seen.out, HasSubstr("step " + std::to_string(n) + ": " +
                                        all[n - 1]["rule"].get<std::string>() + " at "));
        EXPECT_THAT(seen.out, HasSubstr("\n+++ step " + std::to_string(n) + "\n"));
        EXPECT_THAT(seen.out, HasSubstr("^"));
        for (const nlohmann::json& o : all[n - 1]["obligations"]) {
            EXPECT_THAT(seen.out, HasSubstr(o["id"].get<std::string>().substr(0, 19)));
            EXPECT_THAT(seen.out, HasSubstr(o["purpose"].get<std::string>()));
        }
        const auto told = json_of({"show", "log", std::to_string(n), "--json"});
        EXPECT_EQ(told["step"], n);
        EXPECT_EQ(told["after"], all[n - 1]["after"]);
    }
    EXPECT_EQ(run({"show", "log", "step:0"}).code, 2);
    EXPECT_EQ(run({"show", "log", "step:99"}).code, 2);
    EXPECT_EQ(run({"show", "log", "step:x"}).code, 2);
    EXPECT_THAT(run({"show", "log", "1", "--smt2"}).err,
                HasSubstr("--smt2 is about an obligation"));
}

// The carets are below the text that the site names.
TEST_F(ShowCommand, CaretsAreBelowTheSite) {
    file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((27,), "int32"), B: T.Buffer((27,), "int32")):
    for i in range(27):
        B[i] = A[i] + A[i] // -3 * 2
)");
    file("s.py", "sch.simplify()\n");
    make_log("log");
    const std::vector<nlohmann::json> all = steps();
    const auto division = std::find_if(all.begin(), all.end(), [](const nlohmann::json& step) {
        return step["rule"] == "lower-division";
    });
    ASSERT_NE(division, all.end());
    const std::string out = run({"show", "log", std::to_string(division - all.begin() + 1)}).out;
    const std::size_t line = out.find("A[i] // ");
    ASSERT_NE(line, std::string::npos) << out;
    const std::size_t start = out.rfind('\n', line) + 1;
    const std::size_t end = out.find('\n', line);
    const std::string carets = out.substr(end + 1, out.find('\n', end + 1) - end - 1);
    EXPECT_EQ(carets.find('^'), line - start) << out;
    const std::size_t width =
        static_cast<std::size_t>(std::count(carets.begin(), carets.end(), '^'));
    const std::string under = out.substr(line, width);
    EXPECT_TRUE(under == "A[i] // -3" || under == "A[i] // T.int32(-3)") << under;
}

TEST_F(ShowCommand, AnObligationIsNamedByItsFirstDigits) {
    for (const std::string& id : ids()) {
        const Seen whole = run({"show", "log", id});
        ASSERT_EQ(whole.code, 0) << whole.err;
        EXPECT_THAT(whole.out, HasSubstr("obligation " + id + "\n"));
        EXPECT_THAT(whole.out, HasSubstr("  owed by     step "));
        EXPECT_THAT(whole.out, HasSubstr("  in the log  PROVED by "));
        EXPECT_EQ(run({"show", "log", id.substr(0, 7 + 16)}).out, whole.out);
        EXPECT_EQ(run({"show", "log", "sha256:" + id.substr(7, 20)}).out, whole.out);
        EXPECT_EQ(run({"show", "log", id.substr(7)}).out, whole.out);
    }
    EXPECT_THAT(run({"show", "log", "sha256:abc"}).err, HasSubstr("too short"));
    EXPECT_THAT(run({"show", "log", "0000000000000000"}).err, HasSubstr("has no obligation 0000"));
    EXPECT_THAT(run({"show", "log", "ABCDEF"}).err, HasSubstr("names no step and no obligation"));
    EXPECT_THAT(run({"show", "log", ""}).err, HasSubstr("names no step and no obligation"));
    EXPECT_THAT(run({"show", "log", "split"}).err, HasSubstr("names no step and no obligation"));
}

// Comments take nothing away and add nothing: what is left has the obligation's id as its hash.
TEST_F(ShowCommand, CommentedTextIsTheObligation) {
    bool names = false;
    for (const std::string& id : ids()) {
        const std::string commented = run({"show", "log", id, "--smt2"}).out;
        EXPECT_EQ("sha256:" + ir::sha256_hex(without_comments(commented)), id) << commented;
        EXPECT_THAT(commented, HasSubstr("; obligation " + id + "\n; purpose: "));
        EXPECT_THAT(commented, HasSubstr("\n;   goal  "));
        names = names || commented.find("(declare-fun v0 () Int) ; i") != std::string::npos;
        const auto told = json_of({"show", "log", id, "--json"});
        EXPECT_EQ(told["commented"], commented);
        EXPECT_EQ("sha256:" + ir::sha256_hex(told["smt2"].get<std::string>()), id);
    }
    EXPECT_TRUE(names) << "no symbol has the name of a loop";
}

TEST_F(ShowCommand, SolversTakeTheCommentedText) {
    if (shell("command -v z3").code != 0) GTEST_SKIP() << "z3 is not installed";
    const Seen made = run({"log", "smt2", "log", "claims"});
    ASSERT_EQ(made.code, 0) << made.err;
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "claims")) {
        const std::string name = entry.path().filename().string();
        EXPECT_EQ(ir::sha256_hex(without_comments(text_of(entry.path()))) + ".smt2", name);
        EXPECT_EQ(shell("z3 claims/" + name).out, "unsat\n") << name;
        ++files;
    }
    EXPECT_EQ(files, ids().size());
}

// The certificate that the log has is shown, and what the checker says of it now.
TEST_F(ShowCommand, CertificatesAreShown) {
    std::size_t certified = 0;
    for (const std::string& id : ids()) {
        const auto told = json_of({"show", "log", id, "--json"});
        if (!told.contains("certificate")) continue;
        ++certified;
        EXPECT_TRUE(told["certificate"]["accepted"].get<bool>()) << told;
        EXPECT_THAT(run({"show", "log", id}).out, HasSubstr("steps, accepted\n"));
    }
    EXPECT_GT(certified, 0U);
}

// A refused step's obligation has no step, and says what breaks it.
TEST_F(ShowCommand, RefusedObligationsAreShownWithTheirValues) {
    file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((27,), "int32"), B: T.Buffer((27,), "int32")):
    for i in range(26):
        with T.block("chain"):
            vi = T.axis.opaque(26, i)
            B[vi + 1] = B[vi] + A[vi]
)");
    file("s.py", "sch.parallel(sch.get_loops(\"chain\")[0])\n");
    const Seen refused =
        run({"lower", "p.py", "-s", "s.py", "-q", "--log", "refused", "--no-cache"});
    ASSERT_EQ(refused.code, 1) << refused.err;
    const std::string lines = run({"log", "cat", "refused", "refusals.jsonl"}).out;
    const auto line = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
    ASSERT_TRUE(line.contains("obligation")) << line;
    const Seen seen = run({"show", "refused", line["obligation"]["id"]});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("  owed by     refusal 1: "));
    EXPECT_THAT(seen.out, HasSubstr("  in the log  REFUTED"));
    EXPECT_THAT(seen.out, HasSubstr("  value       i = "));
    EXPECT_THAT(seen.out, HasSubstr("(check-sat)"));
    const Seen by_number = run({"show", "refused", "refusal:1"});
    EXPECT_EQ(by_number.code, 0) << by_number.err;
    EXPECT_THAT(by_number.out,
                testing::StartsWith("refusal 1: bind at body\n  why         REFUTED"));
    EXPECT_THAT(by_number.out, testing::EndsWith(seen.out));
    const auto told = json_of({"show", "refused", "refusal:1", "--json"});
    EXPECT_EQ(told["shown"]["id"], line["obligation"]["id"]);
    EXPECT_FALSE(told["shown"]["uses"][0]["model"].empty());
    EXPECT_EQ(run({"show", "refused", "refusal:1", "--smt2"}).out,
              run({"show", "refused", line["obligation"]["id"], "--smt2"}).out);
    for (const char* none : {"refusal:0", "refusal:2", "refusal:x", "refusal:"}) {
        EXPECT_THAT(run({"show", "refused", none}).err, HasSubstr("refused steps")) << none;
    }
}

// Names in a log do not command the terminal.
TEST_F(ShowCommand, ControlCharactersAreWrittenOut) {
    file("p.py", R"(
@T.prim_func
def f(B: T.Buffer((27,), "int32")):
    for i in range(27):
        with T.block("a\x1b[2Jb"):
            vi = T.axis.spatial(27, i)
            B[vi] = 1
)");
    file("s.py", "sch.simplify()\n");
    make_log("odd");
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"diff", "odd"}, {"show", "odd", "1"}, {"log", "ls", "odd"}}) {
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 0) << seen.err;
        EXPECT_THAT(seen.out, Not(HasSubstr("\x1b"))) << words[0];
    }
}

}  // namespace
}  // namespace proviso::tests
