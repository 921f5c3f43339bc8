// `proviso prove` and `simplify`: what values refute and what they do not, and that each question
// ends within its budget.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::quoted;
using proviso::tests::Seen;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

class Prove : public proviso::tests::Commands {
  protected:
    Seen prove(const std::string& goal, const std::vector<std::string>& more = {}) {
        std::vector<std::string> words = {"prove", goal, "--no-cache"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words);
    }
    void expect(int code, const std::string& part, const std::string& goal,
                const std::vector<std::string>& more = {}) {
        const Seen seen = prove(goal, more);
        EXPECT_EQ(seen.code, code) << goal << "\n" << seen.out << seen.err;
        EXPECT_THAT(seen.out, HasSubstr(part)) << goal;
    }
    // A program of this name that the command finds before any other.
    void program(const std::string& name, const std::string& script) {
        file(name, "#!/bin/sh\n" + script);
        ASSERT_EQ(chmod((folder_ / name).c_str(), 0700), 0);
    }
};

const std::vector<std::string> kA = {"--var", "A:int32[8]"};

TEST_F(Prove, ACellOutsideOfItsBufferRefutesNothing) {
    expect(3, "they tell no value of A[9], which is outside of A[8]: a fault, where a program",
           "A[9] == 0", kA);
    expect(3, "no value of A[-1], which is outside of A[8]", "A[-1] == 0", kA);
    expect(3, "no value of A[8]", "A[8] < 5", kA);
    expect(3, "outside of A[2, 3]", "A[1, 3] == 0", {"--var", "A:int32[2, 3]"});
    // One inside does, and one outside says nothing of it.
    expect(1, "REFUTED", "A[7] == 0", kA);
    expect(1, "REFUTED", "A[0] == 0", kA);
    // It is one value, whatever it is.
    expect(0, "PROVED", "A[9] == A[9]", kA);
    expect(0, "PROVED", "A[9] * 2 == A[9] + A[9]", kA);
}

// Traps: a conjunct that is false wherever it stands, and an arm that is not chosen, decide a
// formula but not what a program does.
TEST_F(Prove, ValuesAtWhichAPartFaultsRefuteNothing) {
    const auto with = [](const std::string& fact) {
        return std::vector<std::string>{"--given", fact};
    };
    for (const std::string goal :
         {"10 // y == 1 and x > 0", "T.Select(x > 0, 10 // y, 5) == 4",
          "not (10 // y == 3 or x < 5)", "T.if_then_else(10 // y < 3, x > 2, x > 3)",
          "T.shift_left(1, y - 40) == 2 and x > 0"}) {
        expect(3, "UNKNOWN", goal, with("y == 0"));
        expect(1, "REFUTED", goal, with("y >= 41"));
    }
    expect(3, "no value of 10 // y, whose divisor is 0 (--given 'y != 0')",
           "10 // y == 1 and x > 0", with("y == 0"));
    expect(1, "REFUTED", "x > 0", with("10 // y == 1 or y == 0"));  // not by y = 0
    expect(3, "UNKNOWN", "x > 0", with("10 // y == 7 or y == 0"));
    expect(1, "REFUTED", "x > 0", with("y == 0 or 10 // y == 1"));
    // What is not evaluated does not fault.
    expect(1, "REFUTED", "x > 0 and 10 // y == 1", with("y == 0"));
    expect(1, "REFUTED", "T.if_then_else(y == 0, x, 10 // y) == 4", with("y == 0"));
}

TEST_F(Prove, AnIndexThatMayBeOutsideRefutesByOneThatIsInside) {
    const auto given = [](std::vector<std::string> facts) {
        std::vector<std::string> out = kA;
        for (std::string& fact : facts) {
            out.emplace_back("--given");
            out.push_back(std::move(fact));
        }
        return out;
    };
    // Whatever is tried first, the values that are shown lie inside.
    for (const std::string goal : {"A[i] == 0", "A[i - 20] == 0", "A[i * 7] == 0"}) {
        std::vector<std::string> words = kA;
        words.emplace_back("--json");
        const Seen seen = prove(goal, words);
        EXPECT_EQ(seen.code, 1) << goal << seen.out;
        const json answer = json::parse(seen.out);
        for (const auto& [name, value] : answer["model"].items()) {
            if (name[0] != 'A') continue;
            const int index = std::stoi(name.substr(2));
            EXPECT_GE(index, 0) << goal;
            EXPECT_LT(index, 8) << goal;
        }
    }
    // No index inside is left.
    expect(3, "outside of A[8] (--given '0 <= i' --given 'i < 8')", "A[i] == 0", given({"i > 7"}));
    expect(3, "outside of A[8]", "A[i] == 0", given({"i < 0"}));
    expect(1, "i = 7", "A[i] == 0", given({"i > 6"}));
    // A condition keeps it from being looked at.
    expect(1, "REFUTED", "i < 8 and A[i] == 0", given({"i > 7"}));
    expect(0, "PROVED", "i < 8 or i >= 8 or A[i] == 0", given({"i > 7"}));
    // Trap: what comes before it is a fault, and the condition is not looked at.
    expect(3, "outside of A[8]", "A[i] == 0 and i < 8", given({"i > 7"}));
    // A fact that speaks of a cell outside says nothing either.
    expect(3, "UNKNOWN", "x > 0", given({"A[9] == x"}));
}

TEST_F(Prove, ValuesThatFaultRefuteNothingWhereOthersDo) {
    expect(1, "REFUTED", "x // y == 3");
    expect(3, "whose divisor is 0", "x // y == 3", {"--given", "y == 0"});
    expect(1, "REFUTED", "x // y <= x", {"--given", "y <= 0"});
    expect(3, "UNKNOWN", "x % (y - y) == 1");
    expect(1, "REFUTED", "x << y == x");
    expect(3, "UNKNOWN", "x << y == x", {"--given", "y > 40"});
    // int32 and int64 are read as integers without an end: nothing overflows.
    expect(0, "PROVED", "x + 1 > x");
    expect(1, "x = 2147483647", "x + 1 <= 2147483647", {"--given", "x > 2147483646"});
}

// Z3's resources are hardly metered where integers become bit-vectors.
TEST_F(Prove, AShiftByItselfIsDecidedWithinTheBudget) {
    const std::vector<std::string> facts = {"--var", "x:int64", "--given",
                                            "5 < x", "--given", "x <= 13"};
    expect(0, "PROVED", "(T.Cast(\"int32\", (x << x) ^ T.int64(15))) % 4 == 3", facts);
    std::vector<std::string> words = {"simplify", "(T.Cast(\"int32\", (x << x) ^ T.int64(15))) % 4",
                                      "--no-cache"};
    words.insert(words.end(), facts.begin(), facts.end());
    EXPECT_THAT(run(words).code, AnyOf(0, 3));
}

TEST_F(Prove, ASolverThatDoesNotEndIsStoppedAndNothingIsKept) {
    program("cvc5",
            "if [ \"$1\" = --version ]; then echo 'version 9'; exit; fi\nexec sleep 1000\n");
    const std::string ask = " 'x * x + y * y != 3 * z * z' --given 'x > 0' --given 'z > 1' ";
    const Seen seen = shell("PATH=\"$PWD:$PATH\" " + std::string(PROVISO_BINARY) + " prove" + ask +
                            "--solver-seconds 1 --cache kept");
    EXPECT_EQ(seen.code, 3) << seen.out << seen.err;
    EXPECT_THAT(seen.out, StartsWith("UNKNOWN"));
    EXPECT_THAT(seen.out, HasSubstr("did not keep to its budget and was stopped after 1 s"));
    EXPECT_THAT(seen.out, HasSubstr("--solver-seconds N gives it more"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "kept"));
}

TEST_F(Prove, SecondsAreOneOrMore) {
    for (const char* command : {"prove", "simplify"}) {
        for (const char* seconds : {"0", "-1", "x", "100000", "1.5"}) {
            EXPECT_EQ(run({command, "x > 0", "--solver-seconds", seconds}).code, 2) << seconds;
        }
        EXPECT_THAT(run({command, "--help"}).out, HasSubstr("--solver-seconds"));
    }
}

TEST_F(Prove, WhatASolverSaysWhereItBreaksIsNotShown) {
    program("cvc5",
            "if [ \"$1\" = --version ]; then echo 'version 9'; exit; fi\ncat >/dev/null\n"
            "echo 'cadical: fatal error: invalid API usage'\nkill -ABRT $$\n");
    const Seen seen = shell("PATH=\"$PWD:$PATH\" " + std::string(PROVISO_BINARY) +
                            " prove 'x * x + y * y != 3 * z * z' --given 'x > 0' --given 'z > 1' "
                            "--no-cache");
    EXPECT_EQ(seen.code, 3) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("cvc5 ended abnormally"));
    EXPECT_THAT(seen.out, testing::Not(HasSubstr("cadical")));
}

// Trap: of a buffer without cells anything is proved.
TEST_F(Prove, ExtentsAreNotNegative) {
    for (const char* type : {"A:int32[-1]", "A:int32[4, -2]"}) {
        const Seen seen = prove("A[0] == A[0]", {"--var", type});
        EXPECT_EQ(seen.code, 2) << type << seen.out;
        EXPECT_THAT(seen.err, HasSubstr("an extent of 'A' is ")) << type;
        EXPECT_THAT(seen.err, HasSubstr("hint: extents are ")) << type;
    }
    file("q.jsonl", R"({"vars": {"A": "int32[-1]"}, "goal": "A[0] == A[0]"})");
    const Seen batch = run({"prove", "--batch", "q.jsonl", "--no-cache"});
    EXPECT_EQ(batch.code, 2);
    EXPECT_THAT(batch.out, HasSubstr("an extent of 'A' is negative: -1"));
}

TEST_F(Prove, CallsThatAreNoneSayWhatToWrite) {
    const std::vector<std::vector<std::string>> cases = {
        {"T.foo(x) == 1", "`T.foo` is not supported", "docs/semantics.md"},
        {"T.min(x) == x", "`T.min` takes 2 arguments, not 1", "hint: T.min(a, b)"},
        {"T.exp(f, f) > f", "`T.exp` takes 1 argument, not 2", "hint: T.exp(a)"},
        {"T.Select(x > 0, x) > 0", "`T.Select` takes 3 arguments, not 2",
         "hint: T.Select(condition, a, b)"},
    };
    for (const auto& c : cases) {
        const Seen seen = prove(c[0]);
        EXPECT_EQ(seen.code, 2) << c[0];
        EXPECT_THAT(seen.err, HasSubstr(c[1])) << c[0];
        EXPECT_THAT(seen.err, HasSubstr(c[2])) << c[0];
    }
}

// Trap: the answer of one solver must not pass for that of two.
TEST_F(Prove, CrossCheckNeedsBothSolvers) {
    const Seen alone = shell("PATH=/nowhere " + quoted(PROVISO_BINARY) +
                             " prove 'x + 1 > x' --cross-check --no-cache");
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("cvc5 is not installed"));
}

}  // namespace
