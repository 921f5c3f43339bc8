// `proviso lower` and its artefacts, as a user calls it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/commands.h"

namespace {

using nlohmann::json;
using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kMain = R"(
@T.prim_func
def main(A: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = T.max(A[i], 2)
)";

class Lower : public Commands {};

TEST_F(Lower, AFunctionOfAnyNameHasASymbol) {
    file("twice.py", kMain);
    const Seen seen = run({"lower", "twice.py", "--emit", "so,header", "-o", "out_"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("the symbol of main in C is twice_main"));
    const std::string header = text_of(folder_ / "out_/twice_main.h");
    EXPECT_THAT(header, HasSubstr("twice_main: the program's function main"));
    EXPECT_THAT(header, HasSubstr("int32_t twice_main(int32_t* A);"));
    file("use.c", R"(#include "out_/twice_main.h"
int main(void) {
    int32_t a[4] = {1, 2, 3, 4};
    return twice_main(a) == 0 && a[0] == 2 && a[3] == 4 ? 0 : 1;
}
)");
    EXPECT_EQ(shell("cc use.c ./out_/twice_main.so -o use && ./use").code, 0);
}

TEST_F(Lower, ASymbolCanBeChosen) {
    file("twice.py", kMain);
    EXPECT_EQ(run({"lower", "twice.py", "--emit", "llvm", "--symbol", "dup", "-q"}).code, 0);
    EXPECT_THAT(text_of(folder_ / "dup.ll"), HasSubstr("i32 @dup(ptr"));
    const Seen wrong = run({"lower", "twice.py", "--emit", "llvm", "--symbol", "free"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("\"free\" is no symbol for C"));
    const Seen told = run({"lower", "twice.py", "--json"});
    EXPECT_EQ(json::parse(told.out)["symbol"], "twice_main");
}

TEST_F(Lower, AnyNameRuns) {
    for (const char* name : {"main", "free", "double", "exp", "proviso_parallel_for"}) {
        std::string text = kMain;
        text.replace(text.find("main"), 4, name);
        file("any.py", text);
        const Seen seen = run({"run", "any.py", "--engine", "both", "--random", "--seed", "3"});
        EXPECT_EQ(seen.code, 0) << name << ": " << seen.err;
    }
}

// What an option leaves as it was is said.
TEST_F(Lower, BuffersThatKeepTheirDimensionsAreNamed) {
    file("ragged.py", R"(
@T.prim_func
def ragged(A: T.Buffer((4, 4), "int32")):
    for i in range(4):
        w = T.alloc_buffer((i + 1, 3), "int32")
        w[0, 0] = i
        A[i, 0] = w[0, 0]
)");
    const Seen seen = run({"lower", "ragged.py", "--flatten"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("w keeps its dimensions (the extents of w speak of i"));
    const json told = json::parse(run({"lower", "ragged.py", "--flatten", "--json"}).out);
    EXPECT_EQ(told["not_flat"][0]["buffer"], "w");
}

// What a theorem asks of the caller is said alike in the header, in the report and by the audit.
TEST_F(Lower, TheCallersDutiesAreTheSameEverywhere) {
    file("scaled.py", R"x(
@T.prim_func
def scaled(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int32):
    T.func_attr({"proviso.licences": ["finite(A)", "reassociate"], "tir_var_lower_bound": {"n": 1}})
    for i in range(8):
        T.assume(n < 9)
        B[i] = A[i] * T.float32(0.0)
)x");
    const Seen seen =
        run({"lower", "scaled.py", "--emit", "header", "--log", "log", "--json", "-o", "."});
    ASSERT_EQ(seen.code, 0) << seen.err;
    const std::string header = text_of(folder_ / "scaled.h");
    const Seen audit = run({"audit", "log", "--json"});
    const json told = json::parse(seen.out)["caller"];
    const json audited = json::parse(audit.out);
    for (const char* what : {"axioms", "constraints", "relations", "licences"}) {
        EXPECT_EQ(told[what], audited[what]) << what;
    }
    EXPECT_THAT(header, HasSubstr("T.assume(n < 9) at body"));
    EXPECT_THAT(header, HasSubstr("licence finite(A): no cell of A is a NaN or an infinity"));
    EXPECT_THAT(header, HasSubstr("sums of floats may be formed in another order (granted, not "
                                  "made use of)"));
    EXPECT_THAT(header, HasSubstr("1 <= n"));
}

// Facts that contradict each other are usual in a branch that cannot run: explained, and not first.
TEST_F(Lower, PlacesThatNoRunReachesAreANoteOfTheAudit) {
    file("vac.py", R"(
@T.prim_func
def vac(A: T.Buffer((8,), "int32"), n: T.int32):
    for i in range(8):
        if i == n and n > 7:
            A[i] = A[i] // (n + 3) + i * n
)");
    ASSERT_EQ(run({"lower", "vac.py", "--log", "log", "-q", "--emit", "ir", "-o", "made"}).code, 0);
    const Seen seen = run({"audit", "log"});
    EXPECT_EQ(seen.code, 0) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("a place that no run reaches, such as a branch that cannot "
                                    "run: the facts known there contradict each other. That is "
                                    "normal"));
    EXPECT_THAT(seen.out, Not(HasSubstr("facts contradictory")));
    EXPECT_LT(seen.out.find("obligations: "), seen.out.find("contradict"));
    EXPECT_THAT(run({"audit", "log", "--verbose"}).out,
                HasSubstr("facts contradictory (no run reaches this place)"));
}

}  // namespace
