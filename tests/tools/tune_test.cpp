// `proviso tune`, and `lower` with what it finds, as a user calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kExamples = std::string(PROVISO_SOURCE_DIR) + "/examples/";

struct Tune : Commands {
    void SetUp() override {
        Commands::SetUp();
        file("product.py", text_of(kExamples + "product.py"));
        file("product.sch.py", text_of(kExamples + "product.sch.py"));
    }

    Seen tune(const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {"tune", "product.py", "-s",        "product.sch.py",
                                          "-o",   "tuned.json", "--no-cache"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    Seen lower(const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {
            "lower", "product.py", "-s", "product.sch.py", "-q", "--no-cache", "--no-validation"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    json tuned() { return json::parse(text_of(folder_ / "tuned.json"), nullptr, false); }
    void tuned(const json& content) { file("tuned.json", content.dump()); }

    static std::vector<json> choices_of(const json& tuning) {
        std::vector<json> out;
        for (const json& c : tuning["candidates"]) out.push_back(c["choices"]);
        return out;
    }
};

TEST_F(Tune, EveryCandidateIsProvedAndMeasuredOrRefused) {
    const Seen seen = tune({"--svg", "plot.svg", "-q"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("6 of 6 candidates tried: 4 measured, 2 refused"));
    EXPECT_THAT(seen.out, HasSubstr("not taken: remove_branching_through_overcompute refused"));
    const json all = tuned();
    ASSERT_EQ(all["candidates"].size(), 6U);
    for (const json& c : all["candidates"]) {
        // Rows of 5 do not divide 24, and nothing is there for what they would compute beyond it.
        const bool refused = c["choices"]["rows"] == "5";
        EXPECT_EQ(c["verdict"], refused ? "REFUTED" : "PROVED");
        EXPECT_EQ(c.contains("nanoseconds"), !refused);
        EXPECT_EQ(c.contains("reason"), refused);
    }
    EXPECT_EQ(shell("xmllint --noout plot.svg").code, 0);
    EXPECT_THAT(text_of(folder_ / "plot.svg"), HasSubstr("rows = 5, columns = 8"));
}

TEST_F(Tune, LowerTakesWhatWasFastest) {
    ASSERT_EQ(tune({"-q"}).code, 0);
    json all = tuned();
    const json last = all["candidates"].back()["choices"];
    for (json& c : all["candidates"]) {
        if (c.contains("nanoseconds")) c["nanoseconds"] = 100;
        if (c.contains("rounds")) c["rounds"] = 2;
    }
    // Of equals the first one that was measured.
    tuned(all);
    const Seen first = lower({"--tuned", "tuned.json", "--json"});
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(json::parse(first.out)["chosen"], (json{{"rows", "4"}, {"columns", "8"}}));
    // A shorter time of fewer rounds is by chance; one of as many counts.
    for (json& c : all["candidates"]) {
        if (c["choices"] == json{{"rows", "6"}, {"columns", "16"}}) c["nanoseconds"] = 90;
        if (c["choices"] == json{{"rows", "4"}, {"columns", "16"}}) {
            c["nanoseconds"] = 80;
            c["rounds"] = 1;
        }
    }
    tuned(all);
    const Seen fastest = lower({"--tuned", "tuned.json", "--json"});
    ASSERT_EQ(fastest.code, 0) << fastest.err;
    EXPECT_EQ(json::parse(fastest.out)["chosen"], (json{{"rows", "6"}, {"columns", "16"}}));
}

// A chosen value is an argument like any other: the steps are those of a schedule without choices.
TEST_F(Tune, ChosenValuesAreOrdinarySteps) {
    const Seen chosen = lower({"--choose", "rows=6", "--choose", "columns=16", "--emit", "ir"});
    ASSERT_EQ(chosen.code, 0) << chosen.err;
    const std::string result = text_of(folder_ / "product.lowered.py");
    std::string schedule = text_of(folder_ / "product.sch.py");
    schedule.replace(schedule.find("sch.choose([4, 5, 6])"), 21, "6");
    schedule.replace(schedule.find("sch.choose([8, 16])"), 19, "16");
    file("product.sch.py", schedule);
    ASSERT_EQ(lower({"--emit", "ir"}).code, 0);
    EXPECT_EQ(text_of(folder_ / "product.lowered.py"), result);
    EXPECT_THAT(result, HasSubstr("range(4)"));
}

TEST_F(Tune, AChoiceWithoutAValueIsAMistake) {
    const Seen none = lower();
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("product.sch.py:2:8: error: nothing says which value "
                                    "the choice rows has"));
    EXPECT_THAT(none.err, HasSubstr("--choose rows=4"));
    const Seen half = lower({"--choose", "rows=4"});
    EXPECT_EQ(half.code, 2);
    EXPECT_THAT(half.err, HasSubstr("the choice columns has"));
    const Seen name = lower({"--choose", "row=4"});
    EXPECT_EQ(name.code, 2);
    EXPECT_THAT(name.err, HasSubstr("did you mean `rows`?"));
    const Seen value = lower({"--choose", "rows=7"});
    EXPECT_EQ(value.code, 2);
    EXPECT_THAT(value.err, HasSubstr("the choice rows has no value '7'"));
    EXPECT_THAT(value.err, HasSubstr("there are: 4, 5, 6"));
    const Seen twice = lower({"--choose", "rows=4", "--choose", "rows=6"});
    EXPECT_EQ(twice.code, 2);
    EXPECT_THAT(twice.err, HasSubstr("--choose rows=…"));
    EXPECT_EQ(run({"lower", "product.py", "--choose", "rows=4"}).code, 2);
    EXPECT_EQ(lower({"--choose", "rows=4", "--tuned", "tuned.json"}).code, 2);
}

// Trap: results of another program, of an older schedule, of half a file.
TEST_F(Tune, AFileThatDoesNotFitIsRefused) {
    ASSERT_EQ(tune({"-q", "--limit", "1"}).code, 0);
    const std::string whole = text_of(folder_ / "tuned.json");
    const std::string schedule = text_of(folder_ / "product.sch.py");
    const auto refused = [&](const std::string& why) {
        const Seen seen = lower({"--tuned", "tuned.json"});
        EXPECT_EQ(seen.code, 2) << why;
        EXPECT_THAT(seen.err, HasSubstr(why));
    };
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, whole.size() / 2}) {
        file("tuned.json", whole.substr(0, size));
        refused("tuned.json is no tuning file: it is no JSON; was it cut off?");
    }
    for (const char* text : {"[]", "{}", "3", R"({"format": "proviso-tuning-2"})"}) {
        file("tuned.json", text);
        refused("its format is not proviso-tuning-1");
    }
    json less = json::parse(whole);
    less.erase("choices");
    tuned(less);
    refused("something is missing in it");
    json other = json::parse(whole);
    other["candidates"][0]["choices"]["rows"] = "7";
    tuned(other);
    refused("its candidates do not fit its choices");
    json before = json::parse(whole);
    before["candidates"][0]["same_as"] = 0;
    tuned(before);
    refused("its candidates do not fit its choices");
    json none = json::parse(whole);
    none["candidates"] = json::array();
    tuned(none);
    refused("has no candidate that was measured");
    file("tuned.json", whole);
    file("product.sch.py", schedule + "sch.simplify()\n");
    refused("tuned.json is about another schedule");
    file("product.sch.py", schedule);
    std::string program = text_of(folder_ / "product.py");
    program.replace(program.find("T.float32(0.0)"), 14, "T.float32(1.0)");
    file("product.py", program);
    refused("tuned.json is about another program (product)");
}

TEST_F(Tune, ResumeKeepsWhatWasMeasured) {
    ASSERT_EQ(tune({"-q", "--limit", "2", "--seed", "5"}).code, 0);
    const json half = tuned();
    ASSERT_EQ(half["candidates"].size(), 2U);
    const Seen again = tune({"-q"});
    EXPECT_EQ(again.code, 2);
    EXPECT_THAT(again.err, HasSubstr("tuned.json is there already"));
    const Seen resumed = tune({"-q", "--resume"});
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const json all = tuned();
    ASSERT_EQ(all["candidates"].size(), 6U);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(all["candidates"][k]["choices"], half["candidates"][k]["choices"]);
        EXPECT_LE(all["candidates"][k].value("nanoseconds", 0),
                  half["candidates"][k].value("nanoseconds", 0));
    }
    // The order is that of the seed, interrupted or not.
    shell("rm tuned.json");
    ASSERT_EQ(tune({"-q", "--seed", "5"}).code, 0);
    EXPECT_EQ(choices_of(tuned()), choices_of(all));
    json elsewhere = tuned();
    elsewhere["machine"] = "another one";
    tuned(elsewhere);
    const Seen moved = tune({"-q", "--resume"});
    EXPECT_EQ(moved.code, 2);
    EXPECT_THAT(moved.err, HasSubstr("was measured on another one"));
}

// A signal ends the search between two candidates, and what was found is kept.
TEST_F(Tune, ASignalLeavesAFileToGoOnWith) {
    std::string many = "k = sch.choose([0";
    for (int k = 1; k < 5000; ++k) many += ", " + std::to_string(k);
    file("product.sch.py",
         many + "])\n" + "sch.annotate(sch.get_loops(\"product\")[0], \"k\", k)\n");
    const Seen seen =
        shell(std::string("( ") + PROVISO_BINARY +
              " tune product.py -s product.sch.py -o tuned.json -q --no-cache & tuning=$!; "
              "while [ ! -e tuned.json ]; do sleep 0.1; done; kill -TERM $tuning; wait $tuning )");
    EXPECT_EQ(seen.code, 3) << seen.err;
    const json all = tuned();
    ASSERT_FALSE(all.is_discarded());
    EXPECT_GT(all["candidates"].size(), 0U);
    EXPECT_LT(all["candidates"].size(), 5000U);
}

// Choices that come to the same program are measured once.
TEST_F(Tune, TheSameProgramIsMeasuredOnce) {
    file("product.sch.py",
         "if sch.choose(\"split\", [True, False]):\n"
         "    sch.split(sch.get_loops(\"product\")[0], factors=[None, sch.choose(\"by\", [4, "
         "6])])\n");
    ASSERT_EQ(tune({"-q"}).code, 0);
    std::size_t same = 0;
    std::size_t measured = 0;
    const json all = tuned();
    for (const json& c : all["candidates"]) {
        same += c.contains("same_as") ? 1U : 0U;
        measured += c.contains("nanoseconds") ? 1U : 0U;
    }
    EXPECT_EQ(same, 1U);
    EXPECT_EQ(measured, 3U);
}

TEST_F(Tune, WhereNothingIsLeftTheVerdictIsTheCode) {
    std::string schedule = text_of(folder_ / "product.sch.py");
    schedule.replace(schedule.find("[4, 5, 6]"), 9, "[5, 7]");
    file("product.sch.py", schedule);
    const Seen seen = tune({"-q"});
    EXPECT_EQ(seen.code, 1) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("0 measured, 4 refused"));
    const Seen lowered = lower({"--tuned", "tuned.json"});
    EXPECT_EQ(lowered.code, 2);
}

TEST_F(Tune, MistakesAreFoundBeforeAnyWork) {
    const auto wrong = [&](const std::string& schedule, const std::string& why) {
        file("product.sch.py", schedule);
        const Seen seen = tune();
        EXPECT_EQ(seen.code, 2) << schedule;
        EXPECT_THAT(seen.err, HasSubstr(why)) << schedule;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "tuned.json"));
    };
    wrong("sch.simplify()\n", "product.sch.py has no choices");
    wrong("x = sch.choose([])\n", "expected a list of values to choose from");
    wrong("x = sch.choose(3)\n", "expected a list of values to choose from");
    wrong("n = 4\nx = sch.choose([n, 8])\n", "a choice is among constants");
    wrong("x = sch.choose([4, 8, 4])\n", "the value 4 is there twice");
    wrong("print(sch.choose([4, 8]))\n", "this choice has no name");
    wrong("x = sch.choose([1, 2])\nx = sch.choose([1, 3])\n",
          "the choice x has other values before: 1, 2");
    std::string hundred = "[0";
    for (int k = 1; k < 101; ++k) hundred += ", " + std::to_string(k);
    wrong("x = sch.choose(" + hundred + "])\ny = sch.choose(" + hundred + "])\n",
          "more than 10000 combinations");
    file("product.sch.py", text_of(kExamples + "product.sch.py"));
    file("product.py", R"(
@T.prim_func
def product(n: T.int32, A: T.Buffer((n,), "float32")):
    for i in range(n):
        A[i] = A[i] + T.float32(1.0)
)");
    const Seen sizes = tune();
    EXPECT_EQ(sizes.code, 2);
    EXPECT_THAT(sizes.err, HasSubstr("so there is no one time"));
}

}  // namespace
