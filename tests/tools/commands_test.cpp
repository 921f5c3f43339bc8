// The commands that read expressions, as a user calls them: whatever is typed gets an answer, or an
// error that says where and what would help; with --json on standard output, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/commands.h"

namespace fs = std::filesystem;

namespace {

using nlohmann::json;
using proviso::tests::Seen;
using testing::HasSubstr;

class Commands : public proviso::tests::Commands {
  protected:
    // The lines of a batch's output.
    std::vector<json> batch(const std::vector<std::string>& words, const std::string& lines,
                            int code) {
        std::ofstream(folder_ / "lines", std::ios::binary) << lines;
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--no-cache", "--batch", "lines"});
        const Seen seen = run(all);
        EXPECT_EQ(seen.code, code) << seen.out << seen.err;
        std::vector<json> out;
        std::istringstream in(seen.out);
        for (std::string line; std::getline(in, line);) out.push_back(json::parse(line));
        return out;
    }
};

std::string repeated(const std::string& part, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += part;
    return out;
}

// first 0 second 1 … last: "x0 + x1 + x2" of ("x", " + ", 3).
std::string chain(const std::string& name, const std::string& op, int count, int names) {
    std::string out = name + "0";
    for (int i = 1; i < count; ++i) out += op + name + std::to_string(i % names);
    return out;
}

json line_of(const std::string& key, const std::string& text) {
    return {{key, text}};
}

std::string lines(const std::vector<json>& all) {
    std::string out;
    for (const json& one : all) out += one.dump() + "\n";
    return out;
}

// What `prove` is asked, and a part of what it answers: its verdict, or the error's message and
// hint.
struct Row {
    const char* goal;
    const char* part;
    const char* hint = "";
};

TEST_F(Commands, EveryGoalGetsAnAnswer) {
    const std::vector<Row> table = {
        // Zero divisors and shifts: some value, which nothing should rely on.
        {"x // 0 == 0", "UNKNOWN"},
        {"0 // 0 == 0", "UNKNOWN"},
        {"x % 0 < 1", "UNKNOWN"},
        {"x // 0 == x // 0", "PROVED"},
        {"T.truncdiv(x, 0) == 5", "UNKNOWN"},
        {"x << 32 == 0", "UNKNOWN"},
        {"1 << -1 == 0", "UNKNOWN"},
        {"x // (y - y) == 1", "UNKNOWN"},
        // Literals.
        {"x < 2147483648", "2147483648 does not fit int32", "write T.int64(2147483648)"},
        {"x < 9223372036854775808", "does not fit int32"},
        {"T.int64(9223372036854775808) > 0", "does not fit int64 (-2**63 to 2**63 - 1)"},
        {"x < "
         "1000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
         "... (85 digits) is too large for every type"},
        {"T.int64(9223372036854775807) + 1 > T.int64(9223372036854775807)", "PROVED"},
        {"x + 0x7fffffff >= x", "PROVED"},
        // What is no claim.
        {"x", "this expression is int32, not bool", "compare with 0: `x != 0`"},
        {"x + 1", "this expression is int32, not bool"},
        {"(x, y)", "one value is expected here"},
        {"\"x\"", "a string is not a value here"},
        {"None", "None is not a value here"},
        {"x = 3", "expected the end of the expression, found `=`", "compare with `==`"},
        {"x > 0; y > 0", "expected the end of the expression, found `;`"},
        {"x y", "expected the end of the expression, found `y`"},
        // Nothing at all.
        {"", "expected an expression, found the end of the text"},
        {"  \t ", "expected an expression, found the end of the text"},
        {"# only this", "expected an expression, found the end of the text"},
        // Calls.
        {"frobnicate(x) > 0", "`frobnicate` is not supported", "T.call_extern(\"int32\""},
        {"min(x, y) <= x", "`min` is not supported", "did you mean `T.min`?"},
        {"T.fma(f[0], f[0], f[0]) > 0", "`T.fma` has no meaning here",
         "a * b + c, which rounds twice"},
        {"A[0] > 0", "`A` is not defined", "--var A:float32[8]"},
        {"x.y > 0", "attribute `.y` has no meaning here"},
        {"x.astype(\"int64\") <= T.int64(2147483647)", "PROVED"},
        // Characters of other keyboards.
        {"x \u2264 3", "character `\u2264` is not understood", "write `<=`"},
        {"\u03b1 > 0", "character `\u03b1` is not understood", "names have letters a to z"},
        {"x ! 3", "character `!` is not understood"},
        // Keywords are no names.
        {"for > 0", "found the keyword `for`"},
        {"lambda > 0", "expected a parameter of the lambda, found `>`"},
        // Comments end with their line; what they say are no names.
        {"x + 1 > x  # or A[0]", "PROVED"},
    };
    std::vector<json> asked;
    for (const Row& row : table) asked.push_back(line_of("goal", row.goal));
    const std::vector<json> answers = batch({"prove"}, lines(asked), 2);
    ASSERT_EQ(answers.size(), table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const json& a = answers[i];
        EXPECT_EQ(a["line"], i + 1);
        if (a.contains("verdict")) {
            EXPECT_EQ(a["verdict"], table[i].part) << table[i].goal;
            continue;
        }
        EXPECT_THAT(a["error"]["message"].get<std::string>(), HasSubstr(table[i].part))
            << table[i].goal;
        EXPECT_THAT(a["error"].value("hint", ""), HasSubstr(table[i].hint)) << table[i].goal;
        EXPECT_GE(a["error"].value("line", 0), 1) << table[i].goal;
        EXPECT_GE(a["error"].value("column", 0), 1) << table[i].goal;
    }
}

// A word that is passed over would be a fact that nobody uses.
TEST_F(Commands, LinesOfABatchAreReadStrictly) {
    struct Line {
        std::string text;
        std::string message;
        std::string hint;
    };
    const std::string good = R"({"goal": "x + 1 > x"})";
    const std::vector<Line> table = {
        {R"({"gvien": ["x > 0"], "goal": "x > 0"})", "unknown key \"gvien\"",
         "did you mean `given`?"},
        {R"({"goal": "x > 0", "Goal": "x > 1"})", "unknown key \"Goal\"", "did you mean `goal`?"},
        {R"({"goal": "x > 0", "comment": "no"})", "unknown key \"comment\"",
         "there are: vars, given, goal"},
        {R"({"goal": "x > 0", "goal": "x > 1"})", "the key \"goal\" is given twice", ""},
        {R"({"vars": {"x": "int32", "x": "int64"}, "goal": "x > 0"})",
         "the key \"x\" is given twice", ""},
        {R"({"expr": "x > 0"})", "unknown key \"expr\"", ""},
        {R"({"given": ["x > 0"]})", "there is no \"goal\"", ""},
        {R"({"goal": 5})", "\"goal\" must be a string, not number", ""},
        {R"({"goal": null})", "\"goal\" must be a string, not null", ""},
        {R"({"goal": "x > 0", "given": "x > 0"})",
         "\"given\" must be a list of strings, not string", ""},
        {R"({"goal": "x > 0", "given": [true]})",
         "an element of \"given\" must be a string, not boolean", ""},
        {R"({"goal": "x > 0", "given": ["x > 1", "x >"]})", "expected an expression", ""},
        {R"({"goal": "x > 0", "vars": ["x"]})",
         "\"vars\" must be an object: name -> text, not array", ""},
        {R"({"goal": "x > 0", "vars": {"x": 32}})", "x of \"vars\" must be a string, not number",
         ""},
        {R"({"goal": "x > 0", "vars": {"x": "int7"}})", "there is no 'int7'", "did you mean `int"},
        {R"({"goal": "x > 0", "vars": {"for": "int32"}})", "'for' is a keyword, not a name", ""},
        {R"({"goal": "x > 0", "vars": {"": "int32"}})", "'' is not a name", ""},
        {R"({"goal": "x > 0", "vars": {"x + y": "int32"}})", "'x + y' is not a name", ""},
        {R"({"goal": "x > 0", "vars": {"A": "float32[4"}})", "'float32[4' is not a type", ""},
        {R"(["x > 0"])", "a line is one JSON object, not array", "{\"goal\": …}"},
        {R"("x > 0")", "a line is one JSON object, not string", ""},
        {"x > 0", "not JSON: ", ""},
        {R"({"goal": "x > 0"} {"goal": "x > 0"})", "not JSON: ", ""},
        {R"({"goal": "x > 0")", "not JSON: ", ""},
        {"{\"goal\": \"x > \xff\"}", "not JSON: ", ""},
        {"\xff\xfe{", "not JSON: ", ""},
        {R"({"goal": "x > 0", "given": [1e999]})", "not JSON: ", ""},
    };
    std::string text;
    for (const Line& line : table) text += line.text + "\n" + good + "\n";
    const std::vector<json> answers = batch({"prove"}, text, 2);
    ASSERT_EQ(answers.size(), 2 * table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
        const json& bad = answers[2 * i];
        EXPECT_EQ(bad["line"], 2 * i + 1);
        ASSERT_TRUE(bad.contains("error")) << table[i].text << bad;
        EXPECT_THAT(bad["error"]["message"].get<std::string>(), HasSubstr(table[i].message));
        EXPECT_THAT(bad["error"].value("hint", ""), HasSubstr(table[i].hint)) << table[i].text;
        EXPECT_EQ(answers[2 * i + 1]["verdict"], "PROVED") << "the line after " << table[i].text;
    }
    EXPECT_EQ(answers[0]["error"].count("column"), 0U);
    EXPECT_EQ(batch({"simplify"}, R"({"expr": "x", "gven": []})", 2)[0]["error"]["hint"],
              "did you mean `given`?");
    EXPECT_EQ(
        batch({"solve"}, R"({"solve": "bounds", "condtion": "x > 0"})", 2)[0]["error"]["hint"],
        "did you mean `condition`?");
    EXPECT_THAT(batch({"solve"}, R"({"solve": "invert", "map": "i -> i", "for": "i"})",
                      2)[0]["error"]["message"]
                    .get<std::string>(),
                HasSubstr("--for is for bounds and project"));
}

// Blank lines count and are passed over; the end of the last line, carriage returns and the mark of
// some editors make no difference.
TEST_F(Commands, FilesOfOtherSystemsAreRead) {
    const std::string goal = R"({"goal": "x + 1 > x"})";
    const auto check = [&](const std::string& text, const std::vector<int>& numbers) {
        const std::vector<json> answers = batch({"prove"}, text, 0);
        ASSERT_EQ(answers.size(), numbers.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            EXPECT_EQ(answers[i]["line"], numbers[i]);
            EXPECT_EQ(answers[i]["verdict"], "PROVED");
        }
    };
    check(goal, {1});
    check(goal + "\r\n\r\n" + goal + "\r\n", {1, 3});
    check("\n \t\n" + goal + "\n\n", {3});
    check("\xEF\xBB\xBF" + goal + "\n", {1});
    for (const char* nothing : {"", "\n", " \r\n\n", "\xEF\xBB\xBF"}) {
        const std::vector<json> answers = batch({"prove"}, nothing, 2);
        ASSERT_EQ(answers.size(), 1U);
        EXPECT_EQ(answers[0]["error"]["message"], "lines holds no line to answer");
    }
}

// With --json, standard output has an object whatever happens, and standard error the same in
// words.
TEST_F(Commands, ErrorsAreJsonToo) {
    const std::vector<std::vector<std::string>> table = {
        {"prove", "x >"},
        {"prove"},
        {"prove", "x > 0", "--given", "y +"},
        {"prove", "x > 0", "--var", "x:int7"},
        {"prove", "x > 0", "--var", "x", "--var", "x:int64"},
        {"prove", "x > 0", "--gven", "y > 0"},
        {"prove", "x > 0", "y > 0"},
        {"prove", "--batch", "nowhere"},
        {"prove", "--smt", "x >"},
        {"simplify", "x +"},
        {"simplify", "x", "--licence", "everything"},
        {"solve", "bounds", "x <", "--for", "x"},
        {"solve", "bounds", "x < 3"},
        {"solve", "around", "x < 3"},
        {"solve", "invert", "i - i", "--extent", "i=4"},
        {"solve", "invert", "i -> i", "--extent", "i=4", "--for", "i"},
        {"solve", "bounds", "x < 3", "--for", "x", "--extent", "x=4"},
        {"rules", "show", "no-such-rule"},
        {"rules", "--family", "no-such-family"},
        {"lower", "nowhere.py"},
        {"run", "nowhere.py"},
        {"check", "nowhere.py", "nowhere.py"},
        {"fuzz", "--reproduce", "nowhere"},
        {"prvoe", "x > 0"},
    };
    for (std::vector<std::string> words : table) {
        words.emplace_back("--json");
        const Seen seen = run(words);
        const std::string what = testing::PrintToString(words);
        EXPECT_EQ(seen.code, 2) << what;
        EXPECT_THAT(seen.err, HasSubstr("error: ")) << what;
        const json out = json::parse(seen.out, nullptr, false);
        ASSERT_TRUE(out.is_object()) << what << seen.out;
        const std::string message = out["error"]["message"];
        EXPECT_FALSE(message.empty()) << what;
        EXPECT_THAT(seen.err, HasSubstr(message)) << what;
        words.pop_back();
        const bool is_batch = words.size() > 1 && words[1] == "--batch";  // JSON in any case
        if (is_batch) continue;
        EXPECT_EQ(run(words).out, "") << what;  // nothing that reads as an answer
    }
    EXPECT_THAT(run({"prove", "x > 0", "--gven", "y"}).err, HasSubstr("did you mean `--given`?"));
    EXPECT_THAT(run({"prove", "x > 0", "--given", "y > 0", "--given", "z >"}).err,
                HasSubstr("<given 2>:1:4: error: expected an expression"));
}

// Facts that contradict each other are said to, by whatever method that shows.
TEST_F(Commands, ContradictionsAreSaid) {
    const std::vector<std::vector<std::string>> facts = {
        {"x > 1", "x < 0"},                           // by ranges
        {"x < y", "y < z", "z < x"},                  // a cycle
        {"x % 4 == 1", "x % 2 == 0"},                 // congruences
        {"x * x == 3", "x > 0"},                      // a case split
        {"2 * x + 2 * y == 7"},                       // divisibility
        {"x // 8 == y", "x % 8 == 3", "x == 8 * y"},  // quotients
    };
    std::string asked;
    for (const auto& given : facts) {
        asked += json{{"given", given}, {"goal", "u > 7"}}.dump() + "\n";
    }
    const std::vector<json> proved = batch({"prove"}, asked, 3);
    asked.clear();
    for (const auto& given : facts) {
        asked += json{{"given", given}, {"expr", "x < 7"}}.dump() + "\n";
        asked += json{{"given", given}, {"expr", "u + 0"}}.dump() + "\n";
    }
    const std::vector<json> simplified = batch({"simplify"}, asked, 0);
    ASSERT_EQ(simplified.size(), 2 * facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        EXPECT_EQ(proved[i]["verdict"], "VACUOUS") << proved[i];
        for (const json& s : {simplified[2 * i], simplified[2 * i + 1]}) {
            EXPECT_TRUE(s.value("contradictory", false)) << facts[i].front() << s;
        }
        EXPECT_EQ(simplified[2 * i]["result"], "x < 7");
        EXPECT_EQ(simplified[2 * i + 1]["result"], "u");
    }
    EXPECT_FALSE(batch({"simplify"}, R"({"given": ["x > 1"], "expr": "x < 7"})", 0)[0].contains(
        "contradictory"));
}

// Deep and long texts: an answer, or an error that names the limit; never an overflow.
TEST_F(Commands, TheVersionNamesSemanticsAndLog) {
    EXPECT_THAT(run({"--version"}).out, testing::MatchesRegex("proviso [0-9.]+ \\(semantics "
                                                              "[0-9]+, proof log [0-9]+\\)\n"));
}

TEST_F(Commands, CountsAreCounts) {
    const std::vector<std::vector<std::string>> wrong = {
        {"fuzz", "--cases", "-3"},
        {"fuzz", "--expressions", "-1"},
        {"fuzz", "--time", "-1"},
        {"check", "a.py", "b.py", "--tests", "-1"},
        {"check", "a.py", "b.py", "--tests", "18446744073709551616"},
        {"fuzz", "--steps", "--schedules"},
        {"fuzz", "--steps", "--gpu"},
        {"fuzz", "--planted", "--only", "nothing at all"},
        {"fuzz", "--omissions", "--only", "nothing at all"},
        {"audit", "log", "--policy", "E1+v", "--no-validation"},
    };
    for (const std::vector<std::string>& words : wrong) {
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 2) << words[1] << " " << words.back() << seen.out;
        EXPECT_THAT(seen.err, HasSubstr("error")) << words.back();
    }
}

// Counts are integers, in digits or as 1e6, and a message has no other numbers.
TEST_F(Commands, CountsAreWrittenInTwoForms) {
    file("f.py",
         "@T.prim_func\ndef f(A: T.Buffer((10,), \"int32\")):\n    for i in range(10):\n"
         "        A[i] = i\n");
    struct Case {
        const char* text;
        int code;
        const char* says;
    };
    const std::vector<Case> cases = {
        {"10", 0, ""},
        {"1e1", 0, ""},
        {"1.5E+3", 0, ""},
        {"1e18", 0, ""},
        {"1e0", 3, "more cells than the limit of 1\n"},
        {"9", 3, "more cells than the limit of 9\n"},
        {"10k", 2, "--max-cells: '10k' is no integer; write it in digits, or as 1e6"},
        {"1.5", 2, "'1.5' is no integer"},
        {"1.25e1", 2, "'1.25e1' is no integer"},
        {"1e", 2, "'1e' is no integer"},
        {"e3", 2, "'e3' is no integer"},
        {"0x10", 2, "'0x10' is no integer"},
        {"", 2, "--max-cells"},
        {"0", 2, "0 is not from 1 to 1000000000000000000"},
        {"0e5", 2, "0e5 is not from 1 to 1000000000000000000"},
        {"1e19", 2, "1e19 is not from 1 to 1000000000000000000"},
        {"1e99999999999999999999", 2, "is not from 1 to 1000000000000000000"},
        {"18446744073709551617", 2, "is not from 1 to 1000000000000000000"},
        {"-5", 2, "-5 is negative"},
    };
    for (const Case& c : cases) {
        const Seen seen = run({"run", "f.py", std::string("--max-cells=") + c.text});
        EXPECT_EQ(seen.code, c.code) << c.text << seen.err;
        EXPECT_THAT(seen.err, HasSubstr(c.says)) << c.text;
    }
    EXPECT_THAT(run({"run", "--help"}).out, testing::Not(HasSubstr("e+18")));
}

TEST_F(Commands, HelpIsFoundAndOptionsAreSuggested) {
    const Seen help = run({"help"});
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_EQ(help.out, run({"--help"}).out);
    const Seen of_one = run({"help", "run"});
    EXPECT_EQ(of_one.code, 0) << of_one.err;
    EXPECT_EQ(of_one.out, run({"run", "--help"}).out);
    EXPECT_THAT(run({"help", "rnu"}).err, HasSubstr("no command 'rnu'"));
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {"--versoin", "did you mean `--version`?"},
        {"-v", "did you mean `--version`?"},
        {"--hlep", "did you mean `--help`?"},
        {"--emit", "an option of a command stands after it"}};
    for (const auto& [option, hint] : wrong) {
        const Seen seen = run({option});
        EXPECT_EQ(seen.code, 2) << option;
        EXPECT_THAT(seen.err, HasSubstr("proviso has no option '" + option + "'"));
        EXPECT_THAT(seen.err, HasSubstr(hint));
    }
    const Seen none = run({});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("no command is named\n  hint: proviso --help"));
}

TEST_F(Commands, FmtRefusesWhatItCannotDo) {
    file("f.py", "@T.prim_func\ndef f(A: T.Buffer((1,), \"int32\")):\n    A[0]=1\n");
    const Seen standard = run({"fmt", "-i", "-"});
    EXPECT_EQ(standard.code, 2);
    EXPECT_THAT(standard.err, HasSubstr("--in-place cannot rewrite standard input"));
    const Seen both = run({"fmt", "--check", "--in-place", "f.py"});
    EXPECT_EQ(both.code, 2);
    EXPECT_THAT(both.err, HasSubstr("--check excludes --in-place"));
    EXPECT_EQ(run({"fmt", "--in-place", "f.py"}).code, 0);
    EXPECT_EQ(run({"fmt", "--check", "f.py"}).code, 0);
}

TEST_F(Commands, DeepTextGetsAnAnswer) {
    const auto paren = [](int levels) {
        return repeated("(", levels) + "x" + repeated(")", levels) + " == x";
    };
    const std::string sum = chain("x", " + ", 10'000, 10'000);
    const std::string hundred = chain("x", " + ", 100, 100);
    const std::vector<json> asked = {
        line_of("goal", sum + " == " + sum),
        line_of("goal", chain("x", " + ", 20'000, 100) + " == (" + hundred + ") * 200"),
        line_of("goal", paren(3'000)),
        line_of("goal", paren(100'000)),
        line_of("goal", "x" + repeated(" + x", 100'000) + " == x"),
        line_of("goal", repeated("-", 100'000) + "x == x"),
        line_of("goal", repeated("(", 300) + "x" + repeated(" + y) * z", 300) + " == 0"),
    };
    const std::vector<json> answers = batch({"prove"}, lines(asked), 2);
    ASSERT_EQ(answers.size(), asked.size());
    for (const int i : {0, 1, 2}) EXPECT_EQ(answers[i].value("verdict", ""), "PROVED") << i;
    EXPECT_EQ(answers[3]["error"]["message"], "brackets are nested more than 4000 deep");
    EXPECT_EQ(answers[3]["error"]["column"], 4001);
    EXPECT_EQ(answers[4]["error"]["message"], "this expression is more than 50000 operators deep");
    EXPECT_EQ(answers[5]["error"]["message"], "nested more than 4000 levels deep");
    EXPECT_EQ(answers[6].value("verdict", ""), "REFUTED") << answers[6];
}

// What could not be written was not answered.
TEST_F(Commands, AFullDiskIsNoSuccess) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
    const std::string line = std::string(PROVISO_BINARY) + " prove 'x + 1 > x' >/dev/full 2>&1";
    const int status = std::system(line.c_str());
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace
