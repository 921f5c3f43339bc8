// proviso check --workspace, --float and --assume-no-overflow: what the programs are compared up
// to, and what they are not; and texts of many statements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class CheckWorkspace : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        const std::string head =
            "@T.prim_func\ndef f(A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,), \"float32\"), ";
        file("plain.py", head +
                             "n: T.int32):\n    for i in range(n):\n"
                             "        B[i] = A[i] * A[i] + T.float32(1)\n");
        const auto lent = [&](const std::string& name, const std::string& first,
                              const std::string& then) {
            file(name, head + "W: T.Buffer((n,), \"float32\"), n: T.int32):\n    for i in range(" +
                           first + "):\n        W[i] = A[i] * A[i]\n" +
                           "    for i in range(n):\n        " + then + "\n");
        };
        lent("lent.py", "n", "B[i] = W[i] + T.float32(1)");
        lent("stale.py", "n - 1", "B[i] = W[i] + T.float32(1)");
        lent("dirty.py", "n", "W[i] = W[i] + T.float32(1)\n        B[i] = W[i]");
    }
};

TEST_F(CheckWorkspace, HoldsNothingAndIsNotSeen) {
    for (const char* after : {"lent.py", "dirty.py"}) {
        const Seen seen = run({"check", "plain.py", after, "--workspace", "W"});
        EXPECT_EQ(seen.code, 0) << after << seen.out << seen.err;
        EXPECT_THAT(seen.out, HasSubstr("PROVED (all sizes)"));
        EXPECT_THAT(seen.out, HasSubstr("under: W of after is a workspace: nobody knows what it "
                                        "holds at the start, nor looks at it in the end"));
    }
    EXPECT_EQ(run({"check", "plain.py", "lent.py"}).code, 2) << "another interface";
}

// Trap: the last cell is what the caller has left there.
TEST_F(CheckWorkspace, AStaleValueIsRefuted) {
    const Seen seen = run({"check", "plain.py", "stale.py", "--workspace", "W"});
    EXPECT_EQ(seen.code, 1) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("after indet"));
}

// Trap: what one program leaves in a workspace of both counts as an output.
TEST_F(CheckWorkspace, MayBeOneOfBothPrograms) {
    EXPECT_EQ(run({"check", "lent.py", "dirty.py"}).code, 1) << "W is an output";
    const Seen seen = run({"check", "lent.py", "dirty.py", "--workspace", "W"});
    EXPECT_EQ(seen.code, 0) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("under: W is a workspace"));
    EXPECT_EQ(run({"check", "lent.py", "stale.py", "--workspace", "W"}).code, 1);
}

TEST_F(CheckWorkspace, WhatCannotBeOneIsAnError) {
    const Seen misspelt = run({"check", "plain.py", "lent.py", "--workspace", "WW"});
    EXPECT_EQ(misspelt.code, 2);
    EXPECT_THAT(misspelt.err, HasSubstr("no program has a buffer parameter of that name"));
    EXPECT_THAT(misspelt.err, HasSubstr("hint: did you mean `W`?"));
    const std::string none = "no program has a buffer parameter of that name";
    EXPECT_THAT(run({"check", "plain.py", "lent.py", "--workspace", "n"}).err, HasSubstr(none));
    const Seen twice =
        run({"check", "plain.py", "lent.py", "--workspace", "W", "--workspace", "W"});
    EXPECT_EQ(twice.code, 2);
    EXPECT_THAT(twice.err, HasSubstr(none));
}

class CheckFloats : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        const auto by = [&](const std::string& name, const std::string& value) {
            file(name,
                 "@T.prim_func\ndef f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), "
                 "\"float32\")):\n    for i in range(8):\n        B[i] = " +
                     value + "\n");
        };
        by("tenth.py", "A[i] / T.float32(10)");
        by("times.py", "A[i] * T.float32(0.1)");
        by("wrong.py", "A[i] * T.float32(0.11)");
        by("same.py", "A[i]");
        by("plus_zero.py", "A[i] + T.float32(0)");
        by("finite.py", "T.if_then_else(A[i] != A[i], T.float32(0), A[i])");
    }
};

// Trap: floats that differ a little are called proved, or bounded.
TEST_F(CheckFloats, WithinUlpsIsTestedAtBest) {
    EXPECT_EQ(run({"check", "tenth.py", "times.py"}).code, 1);
    const Seen seen = run({"check", "tenth.py", "times.py", "--float", "ulp=1"});
    EXPECT_EQ(seen.code, 3) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("), floats within 1 unit in the last place: some floats differ "
                                    "in "));
    EXPECT_EQ(seen.out.rfind("TESTED(", 0), 0U) << seen.out;
    EXPECT_THAT(seen.out, Not(HasSubstr("PROVED")));
    const Seen told = run({"check", "tenth.py", "times.py", "--float", "ulp=1", "--json"});
    const auto json = nlohmann::json::parse(told.out);
    EXPECT_EQ(json["ulp"], 1);
    EXPECT_GT(json["runs_within_ulp"], 0);
    EXPECT_EQ(run({"check", "tenth.py", "wrong.py", "--float", "ulp=2"}).code, 1);
    const Seen proved = run({"check", "tenth.py", "tenth.py", "--float", "ulp=2"});
    EXPECT_EQ(proved.code, 0) << "of equal floats there is a proof: " << proved.out;
}

// Traps: -0.0 and 0.0 are neighbours, NaN is near anything.
TEST_F(CheckFloats, ZerosAndNanAreNeverNear) {
    EXPECT_EQ(run({"check", "same.py", "plus_zero.py", "--float", "ulp=1000000"}).code, 1);
    EXPECT_EQ(run({"check", "same.py", "finite.py", "--float", "ulp=1000000"}).code, 1);
    const Seen licensed =
        run({"check", "same.py", "plus_zero.py", "--float", "no_signed_zero,ulp=2"});
    EXPECT_EQ(licensed.code, 0) << licensed.out;
    EXPECT_THAT(licensed.out, HasSubstr("under: licence no_signed_zero"));
}

TEST_F(CheckFloats, WhatIsNoneIsAnError) {
    const auto error = [&](const std::string& list) {
        const Seen seen = run({"check", "same.py", "same.py", "--float", list});
        EXPECT_EQ(seen.code, 2) << list;
        return seen.err;
    };
    for (const char* units : {"ulp=-1", "ulp=x", "ulp=", "ulp=0", "ulp=1.5", "ulp=1000001",
                              "ulp=99999999999999999999", "ulp=1,ulp=2"}) {
        EXPECT_THAT(error(units), HasSubstr("is no number of units")) << units;
    }
    EXPECT_THAT(error("contract"), HasSubstr("programs have no multiply-add that rounds once"));
    EXPECT_THAT(error("reasociate,ulp=1"), HasSubstr("did you mean `reassociate`?"));
    EXPECT_THAT(error(""), HasSubstr("'' is no licence"));
    EXPECT_THAT(error("finite(C)"), HasSubstr("has no parameter 'C'"));
}

class CheckTexts : public Commands {};

// A text of many statements: each a stage that reads the one before.
TEST_F(CheckTexts, ChainsOfAHundredStatements) {
    const auto chain = [&](const std::string& name, bool one_loop, int slip) {
        const int stages = 100;
        std::string text =
            "@T.prim_func\ndef f(A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,), \"float32\"), "
            "n: T.int32):\n";
        for (int k = 1; k < stages; ++k) {
            text += "    t" + std::to_string(k) + " = T.alloc_buffer((n,), \"float32\")\n";
        }
        for (int k = 1; k <= stages; ++k) {
            if (!one_loop || k == 1) text += "    for i in range(n):\n";
            const std::string from = k == 1 ? "A" : "t" + std::to_string(k - 1);
            const std::string to = k == stages ? "B" : "t" + std::to_string(k);
            text += "        " + to + "[i] = T.float32(" + std::to_string(k == slip ? k + 1 : k) +
                    ") - " + from + "[i]\n";
        }
        file(name, text);
    };
    chain("apart.py", false, 0);
    chain("together.py", true, 0);
    chain("slip.py", true, 50);
    const Seen seen = run({"check", "apart.py", "together.py"});
    EXPECT_EQ(seen.code, 0) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("PROVED (all sizes)"));
    EXPECT_EQ(run({"check", "apart.py", "slip.py"}).code, 1);
}

class CheckNoOverflow : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        const std::string head =
            "@T.prim_func\ndef f(A: T.Buffer((6,), \"uint8\"), B: T.Buffer((6,), \"int32\")):\n"
            "    for i in range(6):\n        B[i] = ";
        file("bytes.py", head + "T.cast(A[i] + A[i], \"int32\")\n");
        file("wide.py", head + "T.cast(A[i], \"int32\") * 2\n");
        file("wraps.py", head + "T.cast(A[i] * T.uint8(4), \"int32\") // 2\n");
    }
};

// The answer, the report for machines, the page and the log say what it rests on.
TEST_F(CheckNoOverflow, IsAnAxiomWithAName) {
    EXPECT_EQ(run({"check", "bytes.py", "wide.py"}).code, 1);
    const Seen seen = run({"check", "bytes.py", "wide.py", "--assume-no-overflow", "--log",
                           "under.log", "--html", "under.html"});
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("PROVED (all sizes), under N1: "));
    EXPECT_THAT(seen.out, HasSubstr("under: axiom N1: no +, - or * of BEFORE on integers that "
                                    "wrap leaves its type"));
    EXPECT_THAT(proviso::tests::text_of(folder_ / "under.html"),
                HasSubstr("axiom N1: no +, - or * of BEFORE"));
    const Seen audit = run({"audit", "under.log"});
    EXPECT_EQ(audit.code, 0) << audit.out;
    EXPECT_THAT(audit.out, HasSubstr("A1  for each i in range(6): T.assume("));
    const auto told = nlohmann::json::parse(
        run({"check", "bytes.py", "wide.py", "--assume-no-overflow", "--json"}).out);
    EXPECT_EQ(told["axioms"], nlohmann::json({"N1"}));
    EXPECT_EQ(told["verdict"], "PROVED (all sizes), under N1");
    const Seen executed =
        run({"check", "bytes.py", "wide.py", "--assume-no-overflow", "--no-proof"});
    EXPECT_THAT(executed.out, HasSubstr("constant extents, under N1"));
}

// Trap: what is assumed of the first program is assumed of the second one.
TEST_F(CheckNoOverflow, SaysNothingOfTheSecondProgram) {
    const Seen seen = run({"check", "bytes.py", "wraps.py", "--assume-no-overflow"});
    EXPECT_EQ(seen.code, 1) << seen.out;
    EXPECT_THAT(seen.out, Not(HasSubstr("under N1")));
    const Seen needless = run({"check", "wide.py", "bytes.py", "--assume-no-overflow"});
    EXPECT_EQ(needless.code, 2);
    EXPECT_THAT(needless.err, HasSubstr("no +, - or * of BEFORE wraps"));
}

}  // namespace
