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

// A caller with a tensor of strides passes its memory.
TEST_F(Lower, StridesAreFlatMemoryInC) {
    file("rows.py", R"(
@T.prim_func
def rows(A: T.Buffer((2, 3), "int32", strides=(4, 1)), B: T.Buffer((2,), "int32x3")):
    for i in range(2):
        B[i] = A[i, 0:3] + T.broadcast(1, 3)
)");
    const Seen seen = run({"lower", "rows.py", "--emit", "so,header", "-o", "out_"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(text_of(folder_ / "out_/rows.h"),
                HasSubstr("A: (7) elements of int32, row-major, read; the memory of a tensor of "
                          "shape (2, 3), strides (4, 1)"));
    file("use.c", R"(#include "out_/rows.h"
int main(void) {
    int32_t a[7] = {0, 1, 2, 90, 4, 5, 6};
    int32_t b[6];
    int32_t sum = 0;
    if (rows(a, b) != 0) return 1;
    for (int k = 0; k < 6; ++k) sum = sum * 10 + b[k];
    return sum == 123567 && a[3] == 90 ? 0 : 2;
}
)");
    EXPECT_EQ(shell("cc use.c ./out_/rows.so -o use && ./use").code, 0);
}

TEST_F(Lower, ASymbolCanBeChosen) {
    file("twice.py", kMain);
    EXPECT_EQ(run({"lower", "twice.py", "--emit", "llvm", "--symbol", "doubled", "-q"}).code, 0);
    EXPECT_THAT(text_of(folder_ / "doubled.ll"), HasSubstr("i32 @doubled(ptr"));
    const Seen wrong = run({"lower", "twice.py", "--emit", "llvm", "--symbol", "free"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("\"free\" is no symbol for C"));
    const Seen told = run({"lower", "twice.py", "--json"});
    EXPECT_EQ(json::parse(told.out)["symbol"], "twice_main");
}

// No symbol that a program in C has no use for, however it got there.
TEST_F(Lower, NoSymbolIsANameOfC) {
    file("twice.py", kMain);
    struct Case {
        const char* symbol;
        const char* why;
    };
    const std::vector<Case> cases = {{"", "C cannot spell it"},
                                     {"2fast", "C cannot spell it"},
                                     {"printf", "a function of C's library"},
                                     {"puts", "a function of C's library"},
                                     {"exit", "a function of C's library"},
                                     {"read", "a function of C's library"},
                                     {"pthread_create", "a function of C's library"},
                                     {"NULL", "a type or a macro of C's headers"},
                                     {"errno", "a type or a macro of C's headers"},
                                     {"int32_t", "a type or a macro of C's headers"},
                                     {"_start", "names that begin with an underscore"},
                                     {"_init", "names that begin with an underscore"},
                                     {"__foo", "names that begin with an underscore"},
                                     {"_Foo", "names that begin with an underscore"},
                                     {"__attribute__", "names that begin with an underscore"},
                                     {"protected", "a meaning of its own in C or C++"},
                                     {"f32", "a name of the text around GPU code"}};
    for (const Case& c : cases) {
        const Seen seen = run({"lower", "twice.py", "--emit", "so,header", "--symbol", c.symbol});
        EXPECT_EQ(seen.code, 2) << c.symbol;
        EXPECT_THAT(seen.err, HasSubstr(std::string("\"") + c.symbol + "\" is no symbol for C: "));
        EXPECT_THAT(seen.err, HasSubstr(c.why));
    }
    for (const char* name : {"errno", "printf", "div", "_start", "int32_t"}) {
        std::string text = kMain;
        text.replace(text.find("main"), 4, name);
        file("any.py", text);
        const json told = json::parse(run({"lower", "any.py", "--json"}).out);
        EXPECT_EQ(told["symbol"], std::string("any_") + name);
    }
}

// Files are named after the symbol, and a file's name has a longest length.
TEST_F(Lower, ASymbolTooLongForFilesSaysWhatToDo) {
    std::string text = kMain;
    text.replace(text.find("main"), 4, std::string(5000, 'f'));
    file("long.py", text);
    const Seen seen = run({"lower", "long.py", "--emit", "so"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("has 5000 characters: too long for the names of files"));
    EXPECT_THAT(seen.err, HasSubstr("`--symbol NAME`"));
    EXPECT_EQ(run({"lower", "long.py", "--emit", "so", "--symbol", "short_", "-q"}).code, 0);
    EXPECT_EQ(run({"lower", "long.py", "-q"}).code, 0) << "nothing is written";
    EXPECT_EQ(run({"lower", "long.py", "--emit", "so,adapters,header", "--symbol",
                   std::string(230, 'g'), "-q"})
                  .code,
              0);
}

// A header compiles whatever the parameters are called, and says whose names were changed.
TEST_F(Lower, ParametersWithNamesOfCAreRenamedInTheHeader) {
    file("named.py", R"(
@T.prim_func
def named(int32_t: T.Buffer((4,), "int32"), NULL: T.int32, EOF: T.int32, errno: T.int32,
          main: T.int32, restrict: T.int32, restrict_: T.int32, _Bool: T.int32, linux: T.int32):
    int32_t[0] = NULL + EOF + errno + main + restrict + restrict_ * 10 + _Bool + linux
)");
    const Seen seen = run({"lower", "named.py", "--emit", "so,header", "-o", "made"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(text_of(folder_ / "made/named.h"),
                HasSubstr("named(int32_t* int32_t_, int32_t NULL_, int32_t EOF_, int32_t errno_, "
                          "int32_t main_, int32_t restrict__, int32_t restrict_, int32_t p_Bool, "
                          "int32_t linux_);"));
    EXPECT_THAT(text_of(folder_ / "made/named.h"), HasSubstr("NULL_: int32, the program's NULL\n"));
    file("use.c", R"(#include <errno.h>
#include <stdio.h>
)"
                  "#include \"made/named.h\"\n"
                  R"(int main(void) {
    int32_t cells[4] = {0, 0, 0, 0};
    return named(cells, 1, 1, 1, 1, 1, 2, 1, 1) == 0 && cells[0] == 27 ? 0 : 1;
}
)");
    EXPECT_EQ(shell("cc -Wall -Wextra -Werror use.c ./made/named.so -o use && ./use").code, 0)
        << text_of(folder_ / "err");
    file("use.cpp", "#include <cerrno>\n#include <cstdio>\n#include \"made/named.h\"\n");
    EXPECT_EQ(shell("c++ -Wall -Wextra -Werror -c use.cpp").code, 0) << text_of(folder_ / "err");
}

constexpr const char* kBound = R"x(
@T.prim_func
def main(A: T.Buffer((n,), "float32"), B: T.Buffer((n,), "float32"), n: T.int32):
    T.func_attr({"tir_var_lower_bound": {"n": 32}, "tir_var_upper_bound": {"n": 100000}, "proviso.licences": ["finite(A)"]})
    assert n > 33, "too few"
    for bx in T.thread_binding(n // 32, thread="blockIdx.x"):
        for tx in T.thread_binding(32, thread="threadIdx.x"):
            B[bx * 32 + tx] = A[bx * 32 + tx]
)x";

// The launcher and the kernels are named after the symbol, chosen or not, in every language.
TEST_F(Lower, TheSymbolReachesGpuCode) {
    file("ga.py", kBound);
    const std::vector<std::string> all = {
        "lower", "ga.py", "--target", "cuda:sm_90", "--emit", "cuda,opencl,nvptx,llvm", "-q"};
    ASSERT_EQ(run(all).code, 0);
    std::vector<std::string> chosen = all;
    chosen.insert(chosen.end(), {"--symbol", "matmul127"});
    ASSERT_EQ(run(chosen).code, 0);
    for (const std::string& symbol : std::vector<std::string>{"ga_main", "matmul127"}) {
        const std::string cuda = text_of(folder_ / (symbol + ".cu"));
        EXPECT_THAT(cuda, HasSubstr("extern \"C\" int " + symbol + "("));
        EXPECT_THAT(cuda, HasSubstr(symbol + "_kernel0<<<"));
        for (const char* file : {".cu", ".cl", ".ll", ".nvptx.ptx"}) {
            const std::string text = text_of(folder_ / (symbol + file));
            EXPECT_THAT(text, HasSubstr(symbol + "_kernel0(")) << file;
            EXPECT_THAT(text, Not(HasSubstr(" main("))) << file;
            EXPECT_THAT(text, Not(HasSubstr(" main_"))) << file;
        }
    }
    EXPECT_EQ(
        run({"lower", "ga.py", "--target", "cuda", "--emit", "cuda", "--symbol", "free"}).code, 2);
    EXPECT_EQ(run({"run", "ga.py", "--target", "gpu-host", "--random", "--set", "n=64"}).code, 0);
}

// There is no header for a GPU: its text says what the caller keeps, and what the launcher returns.
TEST_F(Lower, GpuCodeSaysWhatTheCallerKeeps) {
    file("ga.py", kBound);
    ASSERT_EQ(run({"lower", "ga.py", "--target", "cuda", "--emit", "cuda,opencl", "-q"}).code, 0);
    for (const char* name : {"ga_main.cu", "ga_main.cl"}) {
        const std::string text = text_of(folder_ / name);
        EXPECT_EQ(text.rfind("/*\n * ga_main: the program's function main\n", 0), 0U) << text;
        const std::string comment = text.substr(0, text.find("*/"));
        EXPECT_THAT(comment, HasSubstr("A: (n) elements of float32, row-major, read\n"));
        EXPECT_THAT(comment,
                    HasSubstr("B: (n) elements of float32, row-major, read and written\n"));
        EXPECT_THAT(comment, HasSubstr(" * The caller keeps:\n"));
        EXPECT_THAT(comment, HasSubstr("32 <= n"));
        EXPECT_THAT(comment, HasSubstr("licence finite(A)"));
        const bool cuda = std::string(name) == "ga_main.cu";
        EXPECT_EQ(comment.find("1: stopped by the assertion \"too few\"") != std::string::npos,
                  cuda);
    }
}

// Conversion code is named after the symbol, so that a caller links.
TEST_F(Lower, AdaptersAreNamedAfterTheSymbol) {
    file("pc.py", R"(
@T.prim_func
def main(A: T.Buffer((6,), "float32"), S: T.Buffer((6,), "float32")):
    for i in range(6):
        with T.block("b"):
            vi = T.axis.spatial(6, i)
            S[vi] = A[vi]
)");
    file("pc.sch.py",
         "b = sch.get_block(\"b\")\n"
         "sch.transform_layout(b, \"A\", lambda i: [i // 4, i % 4], pad_value=0.0)\n");
    const std::vector<std::string> all = {
        "lower", "pc.py", "--schedule", "pc.sch.py", "--emit", "so,header,adapters", "-q"};
    ASSERT_EQ(run(all).code, 0) << text_of(folder_ / "err");
    std::vector<std::string> chosen = all;
    chosen.insert(chosen.end(), {"--symbol", "my_copy"});
    ASSERT_EQ(run(chosen).code, 0);
    EXPECT_THAT(text_of(folder_ / "my_copy.adapters.py"), HasSubstr("def my_copy_pack_A("));
    file("use.c", R"(#include "pc_main.h"
)"
                  "#include \"my_copy.h\"\n"
                  R"(int main(void) {
    float a[6] = {1, 2, 3, 4, 5, 6}, packed[8], s[6], back[6];
    if (pc_main_pack_A(a, packed) != 0 || my_copy(packed, s) != 0) return 1;
    if (my_copy_pack_A(s, packed) != 0 || pc_main_unpack_A(packed, back) != 0) return 2;
    return back[0] == 1 && back[5] == 6 && packed[7] == 0 ? 0 : 3;
}
)");
    EXPECT_EQ(shell("cc use.c ./pc_main.so ./my_copy.so -o use && ./use").code, 0)
        << text_of(folder_ / "err");
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
    EXPECT_THAT(seen.err,
                HasSubstr("w keeps its dimensions ('i + 1' speaks of i, which means nothing "));
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

// The theorem about a program whose every run faults is true, and says nothing.
TEST_F(Lower, AProgramWhoseEveryRunFaultsIsAWarning) {
    file("ffault.py", R"(
@T.prim_func
def f(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    for i in range(10):
        B[i] = A[i] // 0
)");
    const Seen seen = run({"lower", "ffault.py", "--log", "log", "-q", "--emit", "ir", "-o", "o"});
    EXPECT_EQ(seen.code, 0);
    EXPECT_THAT(seen.err, HasSubstr("warning: each of 20 inputs that were tried faults in the "
                                    "source, where nothing is promised: what is proved may say "
                                    "nothing (zero divisor"));
    const Seen strict = run({"lower", "ffault.py", "--strict"});
    EXPECT_EQ(strict.code, 3);
    EXPECT_THAT(strict.err, HasSubstr("inputs that were tried faults in the source"));
    EXPECT_EQ(strict.out, "");
    const json told = json::parse(run({"lower", "ffault.py", "--json"}).out);
    EXPECT_EQ(told["inputs"]["exist"], "not found");
    EXPECT_THAT(std::string(told["inputs"]["warning"]), HasSubstr("zero divisor"));
    const Seen audited = run({"audit", "log"});
    EXPECT_EQ(audited.code, 0) << audited.out;
    EXPECT_LT(audited.out.find("Theorem."), audited.out.find("(warning: each of 20 inputs"));
    EXPECT_EQ(run({"audit", "log", "--strict"}).code, 3);
    file("fine.py", kMain);
    EXPECT_EQ(run({"lower", "fine.py", "--strict", "-q"}).code, 0);
}

// No run has a cell that is above 5 and below 3: that is no branch that cannot run.
TEST_F(Lower, AssumptionsThatContradictEachOtherAreNamed) {
    file("contra.py", R"(
@T.prim_func
def f(A: T.Buffer((n,), "int32"), B: T.Buffer((n,), "int32"), n: T.int32):
    for i in range(n):
        T.assume(A[i] > 5)
        B[i] = A[i] // 4
    for i in range(n):
        T.assume(A[i] < 3)
        B[i] = A[i] // 4
)");
    ASSERT_EQ(run({"lower", "contra.py", "--log", "log", "-q", "--emit", "ir", "-o", "o"}).code, 0);
    for (const char* how : {"--no-validation", "--verbose"}) {
        const Seen seen = run({"audit", "log", how});
        EXPECT_EQ(seen.code, 0) << seen.out;
        EXPECT_THAT(seen.out, HasSubstr("A1 and A2 contradict each other: no run satisfies"));
        EXPECT_THAT(seen.out, Not(HasSubstr("That is normal")));
        const std::size_t theorem = seen.out.find("Theorem.");
        EXPECT_LT(theorem, seen.out.find("A1 and A2 contradict"));
        const std::size_t place = seen.out.find("facts contradictory");
        EXPECT_TRUE(place == std::string::npos || theorem < place) << seen.out;
    }
    EXPECT_EQ(json::parse(run({"audit", "log", "--json"}).out)["conflicts"].size(), 1U);
}

TEST_F(Lower, AnEmittedFileIsComparedWithTheLog) {
    file("twice.py", kMain);
    ASSERT_EQ(
        run({"lower", "twice.py", "--emit", "ir,header", "-o", "o", "--log", "log", "-q"}).code, 0);
    const Seen open = run({"audit", "log"});
    EXPECT_THAT(open.out, HasSubstr("Not checked:\n  subject twice_main.h: "));
    EXPECT_THAT(open.out, Not(HasSubstr("subject twice_main.lowered.py")));
    const Seen held =
        run({"audit", "log", "--output", "o/twice_main.h", "--output", "o/twice_main.lowered.py"});
    EXPECT_EQ(held.code, 0) << held.out;
    EXPECT_THAT(held.out, Not(HasSubstr("subject twice_main.h")));
    file("o/twice_main.h", "// another one\n");
    const Seen wrong = run({"audit", "log", "--output", "o/twice_main.h"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.out, HasSubstr("names another digest for twice_main.h than the file has"));
    EXPECT_EQ(run({"audit", "log", "--output", "nowhere.h"}).code, 2);
}

TEST_F(Lower, WhatIsAskedForTwiceIsWrittenOnce) {
    file("twice.py", kMain);
    const Seen seen = run({"lower", "twice.py", "--emit", "ir,header,ir", "-o", "o", "--json"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    const std::string name = "twice_main.lowered.py";
    const std::size_t first = seen.out.find(name);
    ASSERT_NE(first, std::string::npos) << seen.out;
    EXPECT_EQ(seen.out.find(name, first + 1), std::string::npos) << seen.out;
}

// Trap: nothing was written, and nothing said so.
TEST_F(Lower, AFolderForNothingIsANote) {
    file("one.py", kMain);
    const Seen seen = run({"lower", "one.py", "-o", "o"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr("note: nothing is written to o: --emit says what"));
    EXPECT_THAT(run({"lower", "one.py", "-o", "o", "--json"}).out,
                HasSubstr("nothing is written to o"));
    EXPECT_THAT(run({"lower", "one.py"}).err, testing::Not(HasSubstr("nothing is written")));
}

// Padding of zeros adds nothing to a sum from +0.0, whether or not its terms are finite.
TEST_F(Lower, ALicenceThatIsNotNeededIsNotUsed) {
    file("plain.py", R"py(
@T.prim_func
def sums(A: T.Buffer((5, 7), "float32"), S: T.Buffer((5,), "float32")):
    T.func_attr({"proviso.licences": ["finite(A)"]})
    for i, j in T.grid(5, 7):
        with T.block("s"):
            vi, vj = T.axis.remap("SR", [i, j])
            with T.init():
                S[vi] = T.float32(0)
            S[vi] = S[vi] + A[vi, vj]
)py");
    file("s.sch.py", R"(
s = sch.get_block("s")
sch.transform_layout(s, "A", lambda i, j: [i, j // 4, j % 4], pad_value=0.0)
i, j = sch.get_loops(s)
sch.split(j, factors=[None, 4])
sch.remove_branching_through_overcompute(block=s)
sch.simplify()
)");
    const Seen plain = run({"lower", "plain.py", "--schedule", "s.sch.py", "--json"});
    ASSERT_EQ(plain.code, 0) << plain.err;
    EXPECT_EQ(json::parse(plain.out)["licences"], json::array());
}

// A caller knows neither the names of loops nor what is said twice.
TEST_F(Lower, DutiesSayForWhichCellsAndOnlyOnce) {
    file("duty.py", R"(
@T.prim_func
def f(I: T.Buffer((m,), "int32"), A: T.Buffer((n,), "int32"), m: T.int32, n: T.int32):
    T.func_attr({"tir_var_lower_bound": {"n": 4}})
    for q in range(m):
        T.assume(0 <= I[q] and I[q] < n)
        A[I[q]] = 1
)");
    const Seen seen = run({"lower", "duty.py", "--json", "--emit", "header", "-o", "o"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    const json caller = json::parse(seen.out)["caller"];
    EXPECT_EQ(caller["axioms"][0]["when"], json::array({"for each q in range(m)"}));
    EXPECT_EQ(caller["constraints"], json::array({"4 <= n", "0 <= m"}));
    EXPECT_THAT(text_of(folder_ / "o/f.h"),
                HasSubstr("for each q in range(m): T.assume(0 <= I[q] and I[q] < n) at body"));
}

// Which number the cast gives does not matter here, and no solver has to compute its bits.
TEST_F(Lower, ASumWithACastIsSimplified) {
    file("cast.py", R"(
@T.prim_func
def f(V: T.Buffer((8,), "float64"), U: T.Buffer((8,), "uint64"), O: T.Buffer((8,), "float64")):
    for i in range(8):
        O[i] = T.float64(-0.0) / T.float64("inf") - V[i] + T.Cast("float64", U[i])
)");
    const Seen seen = run({"lower", "cast.py", "--no-validation"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("O[i] = T.Cast(\"float64\", U[i]) - V[i]"));
}

}  // namespace
