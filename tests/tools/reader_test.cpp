// What the reader makes of a program, as the commands see it: early exits run as they are written,
// and notes say what was taken for something else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

class Reader : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        // Stops at the first pair of equal neighbours of a row; the rest of the row is not looked
        // at.
        file("early.py", R"(
@T.prim_func
def early(A: T.Buffer((4, 6), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    if n < 0:
        return
    for i in range(4):
        if i == n:
            break
        B[i] = 100
        for j in range(1, 6):
            if A[i, j] % 2 == 0:
                continue
            if A[i, j] == A[i, j - 1]:
                B[i] = j
                break
            B[i] = B[i] + 1
    B[3] = -1
)");
        file("plain.py", R"(
@T.prim_func
def early(A: T.Buffer((4, 6), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    if 0 <= n:
        for i in range(4):
            if i < n:
                found = T.alloc_buffer((1,), "int32", scope="local")
                found[0] = 0
                B[i] = 100
                for j in range(1, 6):
                    if found[0] == 0 and A[i, j] % 2 != 0:
                        if A[i, j] == A[i, j - 1]:
                            B[i] = j
                            found[0] = 1
                        else:
                            B[i] = B[i] + 1
        B[3] = -1
)");
        file("scopes.py", R"(
@T.prim_func
def scopes(A: T.Buffer((8,), "int32", scope="global.vtcm"), B: T.Buffer((8,), "int32")):
    X = T.alloc_buffer((8,), "int32", scope="warp")
    Y = T.alloc_buffer((8,), "int32", scope="warp")
    S = T.alloc_buffer((8,), "int32", scope="shared")
    for i in range(8):
        X[i] = A[i]
        Y[i] = X[i]
        S[i] = Y[i]
        B[i] = S[i]
)");
    }
};

TEST_F(Reader, EarlyExitsRunAsWritten) {
    for (const char* n : {"-1", "0", "2", "9"}) {
        for (const char* seed : {"2", "5"}) {
            const Seen exits = run({"run", "early.py", "--engine", "both", "--random", "--seed",
                                    seed, "--set", std::string("n=") + n});
            EXPECT_EQ(exits.code, 0) << exits.out << exits.err;
            EXPECT_THAT(exits.out, HasSubstr("equal, bit for bit"));
            const Seen by_hand = run({"run", "plain.py", "--engine", "both", "--random", "--seed",
                                      seed, "--set", std::string("n=") + n});
            EXPECT_EQ(exits.out, by_hand.out) << n;
        }
    }
}

TEST_F(Reader, EarlyExitsAreCheckedAndLowered) {
    const Seen same = run({"check", "early.py", "plain.py", "--set", "n=2"});
    EXPECT_EQ(same.code, 0) << same.out << same.err;
    // Trap: a `break` that only ends its iteration.
    file("wrong.py", R"(
@T.prim_func
def early(A: T.Buffer((4, 6), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    if 0 <= n:
        for i in range(4):
            if i != n:
                B[i] = 100
        B[3] = -1
)");
    file("breaks.py", R"(
@T.prim_func
def early(A: T.Buffer((4, 6), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    if n < 0:
        return
    for i in range(4):
        if i == n:
            break
        B[i] = 100
    B[3] = -1
)");
    EXPECT_EQ(run({"check", "breaks.py", "wrong.py", "--set", "n=1"}).code, 1);
    const Seen lowered = run({"lower", "breaks.py", "--emit", "ir", "-o", "out_", "-q"});
    EXPECT_EQ(lowered.code, 0) << lowered.out << lowered.err;
}

TEST_F(Reader, ScopesWithoutAMeaningAreNoted) {
    const std::string first =
        "note: scope \"global.vtcm\" has no meaning of its own here: `A` of `scopes` is memory "
        "like "
        "any other\n";
    const std::string second =
        "note: scope \"warp\" has no meaning of its own here: `X` and 1 more of `scopes` are "
        "memory "
        "like any other\n";
    const Seen fmt = run({"fmt", "scopes.py"});
    EXPECT_EQ(fmt.code, 0);
    EXPECT_EQ(fmt.err, first + second);
    EXPECT_EQ(run({"run", "scopes.py", "--random", "-q"}).err, first + second);
    EXPECT_THAT(run({"lower", "scopes.py", "-q", "--emit", "ir", "-o", "out_"}).err,
                HasSubstr(first + second));
    const Seen check = run({"check", "scopes.py", "scopes.py"});
    EXPECT_EQ(check.code, 0) << check.out;
    EXPECT_EQ(check.err, first + second) << "once for both programs";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", "scopes.py", "--random", "--json"},
          {"check", "scopes.py", "scopes.py", "--json"},
          {"lower", "scopes.py", "--json", "--emit", "ir", "-o", "out_"}}) {
        const Seen seen = run(words);
        const json told = json::parse(seen.out);
        ASSERT_EQ(told["notes"].size(), 2U) << seen.out;
        EXPECT_THAT(told["notes"][1].get<std::string>(), HasSubstr("scope \"warp\""));
        EXPECT_THAT(seen.err, Not(HasSubstr("note: scope")));
    }
    // The usual ones have a meaning, to back ends for GPUs.
    file("usual.py", R"(
@T.prim_func
def usual(A: T.Buffer((8,), "int32")):
    X = T.alloc_buffer((8,), "int32", scope="shared.dyn")
    Y = T.alloc_buffer((8,), "int32", scope="local")
    for i in range(8):
        X[i] = A[i]
        Y[i] = X[i]
        A[i] = Y[i]
)");
    EXPECT_EQ(run({"fmt", "usual.py"}).err, "");
    EXPECT_FALSE(json::parse(run({"run", "usual.py", "--random", "--json"}).out).contains("notes"));
}

TEST_F(Reader, MissingFunctionsAreErrors) {
    file("module.py", R"(
@I.ir_module
class Module:
    @T.prim_func
    def fill(A: T.Buffer((8,), "int32")):
        A[0] = 1

    @T.prim_func
    def main(A: T.Buffer((8,), "int32")):
        cls = Module
        cls.fil(A)
)");
    const Seen seen = run({"fmt", "module.py"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("module.py:11:9: error: the module has no function `fil`"));
    EXPECT_THAT(seen.err, HasSubstr("did you mean `fill`?"));
}

}  // namespace
