// `proviso run`, as a user calls it: no program brings it down, and limits have names.
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

class Run : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("divide.py", R"(
@T.prim_func
def divide(S: T.Buffer((2,), "int32")):
    S[0] = (S[0] + 5) // S[1]
)");
        file("beyond.py", R"(
@T.prim_func
def beyond(A: T.Buffer((4,), "int32")):
    for i in range(100000):
        A[i] = 7
)");
        file("wild.py", R"(
@T.prim_func
def wild(A: T.Buffer((4,), "int32"), n: T.int32):
    A[n] = 7
)");
        file("stops.py", R"(
@T.prim_func
def stops(A: T.Buffer((4,), "int32")):
    for i in range(4):
        assert A[i] < 0, "a sign"
)");
    }
    static void expect_no_trace_of_a_crash(const Seen& seen) {
        EXPECT_EQ(seen.code, 1) << seen.out << seen.err;
        for (const char* word : {"double free", "invalid pointer", "corruption", "core"}) {
            EXPECT_THAT(seen.out + seen.err, Not(HasSubstr(word)));
        }
    }
};

// With both engines, code runs only where the interpreter has seen no fault.
TEST_F(Run, CodeRunsOnlyWhereTheInterpreterSeesNoFault) {
    const std::vector<std::vector<std::string>> faulty = {
        {"divide.py"}, {"beyond.py"}, {"wild.py", "--set", "n=4"}, {"wild.py", "--set", "n=-1"}};
    for (const std::vector<std::string>& words : faulty) {
        std::vector<std::string> all = {"run", "--engine", "both"};
        all.insert(all.end(), words.begin(), words.end());
        const Seen seen = run(all);
        expect_no_trace_of_a_crash(seen);
        EXPECT_THAT(seen.out, HasSubstr("interpreter: faulted: "));
        EXPECT_THAT(seen.out, HasSubstr("cpu: not run: a program that faults may do anything\n"));
        EXPECT_THAT(seen.out, Not(HasSubstr("A = "))) << "no results";
        all.emplace_back("--json");
        const json told = json::parse(run(all).out);
        EXPECT_EQ(told["cpu"]["not_run"], "a program that faults may do anything");
        EXPECT_FALSE(told.contains("outputs"));
        EXPECT_FALSE(told.contains("equal"));
    }
    const Seen fine = run({"run", "wild.py", "--set", "n=3", "--engine", "both"});
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_THAT(fine.out, HasSubstr("equal, bit for bit\nA = [0, 0, 0, 7]\n"));
}

// An assert is no fault: the code stops there, too.
TEST_F(Run, AssertsAreCompared) {
    const Seen seen = run({"run", "stops.py", "--random", "--engine", "both"});
    EXPECT_EQ(seen.code, 1) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("interpreter: stopped: a sign\ncpu: stopped: a sign\n"
                                    "interpreter and cpu: equal, bit for bit\n"));
    std::string text = R"(
@T.prim_func
def stops(A: T.Buffer((4,), "int32")):
    for i in T.parallel(4):
        assert A[i] < 0, "a sign"
)";
    file("parallel.py", text);
    EXPECT_THAT(run({"run", "parallel.py", "--random", "--engine", "both"}).out,
                HasSubstr("cpu: not run: iterations after the one that stopped may do anything"));
}

// The code's process ends by a signal, the command with a message that says which, of which input,
// and what to ask next.
TEST_F(Run, WildCodeEndsInAMessage) {
    file("reads.py", R"(
@T.prim_func
def reads(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        B[i] = A[i + n]
)");
    struct Case {
        std::vector<std::string> words;
        std::string says;
    };
    const std::vector<Case> cases = {
        {{"divide.py"}, "cpu: arithmetic exception (a division without a quotient)"},
        {{"reads.py", "--random", "--set", "n=4"},
         "cpu: segmentation fault (memory that is not there)"},
        {{"reads.py", "--random", "--set", "n=1000000"}, "cpu: segmentation fault"},
        {{"reads.py", "--random", "--set", "n=-2000000000"}, "cpu: segmentation fault"},
    };
    for (const Case& c : cases) {
        std::vector<std::string> all = {"run"};
        all.insert(all.end(), c.words.begin(), c.words.end());
        const Seen seen = run(all);
        expect_no_trace_of_a_crash(seen);
        EXPECT_THAT(seen.err, HasSubstr(c.says));
        EXPECT_THAT(seen.err, HasSubstr(", on the input "));
        EXPECT_THAT(seen.err, HasSubstr("`--engine interp`"));
        EXPECT_EQ(seen.out, "") << "no results";
        all.insert(all.end(), {"-o", "folder"});
        EXPECT_EQ(run(all).code, 1);
        EXPECT_FALSE(std::filesystem::exists(folder_ / "folder/A.npy"));
    }
    const Seen seeded =
        run({"run", "reads.py", "--random", "--set", "n=4", "--seed", "12", "--json"});
    EXPECT_EQ(seeded.code, 1);
    const json told = json::parse(seeded.out);
    EXPECT_EQ(told["cpu"]["crash"],
              "segmentation fault (memory that is not there), on the input of seed 12");
    EXPECT_FALSE(told.contains("outputs"));
}

// Guarded code names the access: buffer, text, indices, site.
TEST_F(Run, GuardedCodeNamesTheAccess) {
    file("table.py", R"(
@T.prim_func
def table(A: T.Buffer((4, 3), "int32"), S: T.Buffer((4,), "int32"), n: T.int32, d: T.int32):
    for i in range(4):
        for k in range(3):
            S[i] = S[i] + A[i, k + n] // (i - d)
)");
    struct Case {
        std::vector<std::string> words;
        std::string says;
    };
    const std::vector<Case> cases = {
        {{"wild.py", "--set", "n=4"},
         "out of bounds: store of A[n] at body: index (4) in shape (4)"},
        {{"wild.py", "--set", "n=-1"},
         "out of bounds: store of A[n] at body: index (-1) in shape (4)"},
        {{"beyond.py"}, "out of bounds: store of A[i] at body/body: index (4) in shape (4)"},
        {{"divide.py"}, "division without a quotient: "},
        // Within the buffer, and out of bounds all the same.
        {{"table.py", "--set", "n=1", "--set", "d=7", "--random"},
         "out of bounds: load of A[i, k + n] at body/body/body: index (0, 3) in shape (4, 3)"},
        {{"table.py", "--set", "n=0", "--set", "d=2", "--random"},
         "division without a quotient: A[i, k + n] // (i - d) at body/body/body: "},
    };
    for (const Case& c : cases) {
        std::vector<std::string> all = {"run", "--guarded"};
        all.insert(all.end(), c.words.begin(), c.words.end());
        const Seen seen = run(all);
        expect_no_trace_of_a_crash(seen);
        EXPECT_THAT(seen.out, HasSubstr("cpu: stopped: " + c.says));
        all.emplace_back("--json");
        EXPECT_THAT(json::parse(run(all).out)["cpu"]["message"].get<std::string>(),
                    HasSubstr(c.says));
    }
    const Seen fine = run({"run", "table.py", "--set", "n=0", "--set", "d=7", "--random",
                           "--guarded", "--engine", "both"});
    EXPECT_EQ(fine.code, 0) << fine.err;
    EXPECT_THAT(fine.out, HasSubstr("interpreter and cpu: equal, bit for bit"));
    EXPECT_EQ(run({"run", "wild.py", "--guarded", "--engine", "interp"}).code, 2);
    EXPECT_EQ(run({"run", "wild.py", "--guarded", "--target", "gpu-host"}).code, 2);
}

// The lowest number by -1 has no quotient either.
TEST_F(Run, QuotientsOutOfRangeAreNamed) {
    file("least.py", R"(
@T.prim_func
def least(S: T.Buffer((2,), "int32"), n: T.int32, d: T.int32):
    S[0] = n // d
    S[1] = n % d
)");
    const std::vector<std::string> all = {"run",           "least.py", "--set",
                                          "n=-2147483648", "--set",    "d=-1"};
    const Seen crashed = run(all);
    expect_no_trace_of_a_crash(crashed);
    EXPECT_THAT(crashed.err, HasSubstr("arithmetic exception"));
    std::vector<std::string> guarded = all;
    guarded.emplace_back("--guarded");
    const Seen seen = run(guarded);
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.out, HasSubstr("-2147483648 by -1"));
}

// More cells than the sixty thousand that made-up inputs of other commands have.
TEST_F(Run, EnginesAgreeOnLargeBuffers) {
    file("large.py", R"(
@T.prim_func
def large(A: T.Buffer((300000,), "float32"), B: T.Buffer((300000,), "float32")):
    for i in range(300000):
        B[i] = A[i] * T.float32(2.0)
)");
    const Seen seen = run({"run", "large.py", "--random", "--engine", "both"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("interpreter and cpu: equal, bit for bit"));
}

// A limit that is met is no bad input: exit code 3, with the option that raises it.
TEST_F(Run, LimitsAreNamed) {
    file("two.py", R"(
@T.prim_func
def two(A: T.Buffer((50,), "int32"), B: T.Buffer((50,), "int32")):
    for i in range(50):
        B[i] = A[i]
)");
    file("inside.py", R"(
@T.prim_func
def inside(A: T.Buffer((50,), "int32")):
    t = T.alloc_buffer((200,), "int32")
    for i in range(50):
        t[i] = A[i]
        A[i] = t[i]
)");
    const std::vector<std::string> both = {"run", "two.py", "--random", "--engine", "both"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), both.begin(), both.end());
        return run(more);
    };
    EXPECT_EQ(with({"--max-cells", "100"}).code, 0);
    const Seen cells = with({"--max-cells", "99"});  // of both together
    EXPECT_EQ(cells.code, 3);
    EXPECT_THAT(cells.err, HasSubstr("the buffers have more cells than the limit of 99"));
    EXPECT_THAT(cells.err, HasSubstr("`--max-cells N` raises it"));
    EXPECT_EQ(with({"--max-cells", "99", "--json"}).code, 3);
    const Seen steps = with({"--max-steps", "50"});
    EXPECT_EQ(steps.code, 3);
    EXPECT_THAT(steps.out, HasSubstr("interpreter: not finished: step limit reached"));
    EXPECT_THAT(steps.out, HasSubstr("cpu: not run: the interpreter has not seen its end"));
    EXPECT_THAT(steps.err, HasSubstr("`--max-steps N` raises it"));
    const json told = json::parse(with({"--max-steps", "50", "--json"}).out);
    EXPECT_EQ(told["limit"], "`--max-steps N` raises it");
    EXPECT_EQ(with({"--max-steps", "1000000"}).code, 0);
    const Seen inside =
        run({"run", "inside.py", "--random", "--engine", "interp", "--max-cells", "100"});
    EXPECT_EQ(inside.code, 3);
    EXPECT_THAT(inside.err, HasSubstr("`--max-cells N` raises it"));
    const Seen compiled =
        run({"run", "inside.py", "--random", "--engine", "cpu", "--max-cells", "100"});
    EXPECT_EQ(compiled.code, 3);
    EXPECT_THAT(compiled.err, HasSubstr("`--max-cells N` raises it"));
    EXPECT_EQ(with({"--max-cells", "0"}).code, 2);
    EXPECT_EQ(with({"--max-steps", "-1"}).code, 2);
}

// What no memory is large enough for.
TEST_F(Run, WhatDoesNotFitIsALimit) {
    file("vast.py", R"(
@T.prim_func
def vast(A: T.Buffer((2000000, 1000000), "int32")):
    A[0, 0] = 1
)");
    const Seen seen = run({"run", "vast.py"});
    EXPECT_EQ(seen.code, 3);
    EXPECT_THAT(seen.err, HasSubstr("`--max-cells N` raises it"));
}

// Sizes come from the tensors given.
TEST_F(Run, TensorsGiveSizes) {
    file("fill.py", R"(
@T.prim_func
def fill(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "int32")
    B = T.match_buffer(b, (n,), "int32")
    for i in range(n):
        B[i] = A[i]
)");
    ASSERT_EQ(run({"run", "fill.py", "--random", "--set", "n=9", "-o", "first"}).code, 0);
    const Seen seen =
        run({"run", "fill.py", "--in", "A=first/B.npy", "--random", "--engine", "both"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("equal, bit for bit"));
    // Without --random as well: B is stored to, and n is what A says.
    const Seen alone = run({"run", "fill.py", "--in", "A=first/B.npy", "-o", "second"});
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(text_of(folder_ / "second/B.npy"), text_of(folder_ / "first/B.npy"));
    // A size that is given counts, and tensors must agree.
    EXPECT_EQ(run({"run", "fill.py", "--in", "A=first/B.npy", "--set", "n=8"}).code, 2);
    ASSERT_EQ(run({"run", "fill.py", "--random", "--set", "n=4", "-o", "third"}).code, 0);
    const Seen two = run({"run", "fill.py", "--in", "A=first/B.npy", "--in", "B=third/B.npy"});
    EXPECT_EQ(two.code, 2) << two.out;
    EXPECT_THAT(two.err, HasSubstr("shape"));
}

// An extent that is computed gives the size in it, after those that it needs.
TEST_F(Run, TensorsGiveSizesOfComputedExtents) {
    file("make.py", R"(
@T.prim_func
def make(A: T.Buffer((11,), "int32"), B: T.Buffer((5,), "int32")):
    for i in range(11):
        A[i] = i * 10
    for i in range(5):
        B[i] = i
)");
    file("lengths.py", R"(
@T.prim_func
def lengths(A: T.Buffer(("n * m - 1",), "int32"), B: T.Buffer(("m + 2",), "int32"), C: T.Buffer(("n",), "int32")):
    for i in range(n):
        C[i] = A[i * m] + B[m]
)");
    ASSERT_EQ(run({"run", "make.py", "-o", "in"}).code, 0);
    const std::vector<std::string> words = {"run",      "lengths.py", "--in", "A=in/A.npy",
                                            "--engine", "both",       "-o",   "result"};
    std::vector<std::string> both = words;
    both.insert(both.end(), {"--in", "B=in/B.npy"});
    // A has 11 cells and B has 5: m is 3, so n is 4.
    const Seen seen = run(both);
    EXPECT_EQ(seen.code, 0) << seen.err;
    const std::string shown = text_of(folder_ / "result/C.npy");
    EXPECT_THAT(shown, HasSubstr("'shape': (4,)"));
    EXPECT_THAT(shown,
                testing::EndsWith(std::string("\3\0\0\0\x21\0\0\0\x3f\0\0\0\x5d\0\0\0", 16)));
    // One product of two unknown sizes tells neither.
    const Seen alone = run(words);
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("no value for parameter"));
    // 12 = n * m has no solution in n for m = 5.
    std::vector<std::string> none = words;
    none.insert(none.end(), {"--random", "--set", "m=5"});
    const Seen refused = run(none);
    EXPECT_EQ(refused.code, 2) << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("`A` has length 11 in dimension 0, and no int32 `n` makes "
                                       "`n * m - 1` that length"));
}

// A run that takes long says so, unless it is told to be quiet.
TEST_F(Run, LongRunsSayThatTheyGoOn) {
    file("long.py", R"(
@T.prim_func
def long(A: T.Buffer((1,), "int32")):
    for i in range(2000000000):
        A[0] = T.max(A[0], i)
)");
    const std::string line = std::string(PROVISO_BINARY) + " run long.py --engine interp";
    const std::string until_told = "{ " + line +
                                   " & p=$!; k=0; until grep -q '2 s$' err || [ $k = 600 ]; "
                                   "do sleep 0.1; k=$((k+1)); done; kill $p; wait $p; }";
    shell(until_told);
    EXPECT_THAT(text_of(folder_ / "err"), HasSubstr("interpreter: 2 s\n"));
    EXPECT_EQ(shell("timeout 4 " + line + " -q").code, 124);
    EXPECT_EQ(text_of(folder_ / "err"), "");
}

// Lanes of vectors and cells under strides are the same ones in code.
TEST_F(Run, VectorsAndStridesRunAlike) {
    file("vectors.py", R"(
@T.prim_func
def vectors(a: T.handle, B: T.Buffer((8,), "float32"), I: T.Buffer((4,), "float32x2")):
    m, s = T.int32(), T.int32()
    A = T.match_buffer(a, (m, 4), "float32", strides=[s, 1])
    X = T.alloc_buffer((3, 2), "float32", strides=[1, 1])
    for i, j in T.grid(3, 2):
        X[i, j] = A[i, j]
    v: T.float32x4 = A[m - 1, 0:4]
    B[1:5] = B[0:4] + v
    B[0:8] += B[T.ramp(7, -1, 8)]
    for i in range(4):
        I[i] = I[3 - i] + T.broadcast(X[1, 1], 2)
)");
    const Seen seen =
        run({"run", "vectors.py", "--engine", "both", "--random", "--set", "m=3", "--set", "s=6"});
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("interpreter and cpu: equal, bit for bit"));
}

// Code may hold anything where the program's meaning gives no value, and "equal" alone would say
// that both have the same one.
TEST_F(Run, CellsWithoutAValueAreNamed) {
    file("undefined.py", R"(
@T.prim_func
def undefined(A: T.Buffer((8,), "int32"), B: T.Buffer((2, 4), "int32")):
    S = T.alloc_buffer((8,), "int32")
    S[0] = 1
    A[0] = S[3]
    A[1] = S[0]
    for i in range(4):
        B[1, i] = S[i + 1]
)");
    const std::vector<std::string> words = {"run", "undefined.py", "--engine", "both"};
    const Seen seen = run(words);
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("equal, bit for bit, where the interpreter has values: A[0], "
                                    "B[1, 0], B[1, 1], B[1, 2] and 1 more are undefined"));
    const json report = json::parse(run({"run", "undefined.py", "--engine", "both", "--json"}).out);
    EXPECT_EQ(report["undefined"]["cells"], 5);
    EXPECT_EQ(report["undefined"]["first"][0], "A[0]");
    EXPECT_EQ(report["equal"], true);
}

// TVM's blocks of external code claim to touch nothing.
TEST_F(Run, AFalseClaimSaysWhatToWrite) {
    file("extern.py", R"(
@T.prim_func
def claims(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32")):
    with T.block("extern"):
        T.reads()
        T.writes()
        for i in range(8):
            B[i] = A[i]
)");
    for (const char* engine : {"interp", "both"}) {
        const Seen seen = run({"run", "extern.py", "--engine", engine, "--random"});
        EXPECT_EQ(seen.code, 1);
        EXPECT_THAT(seen.out, HasSubstr("access outside of the block's regions"));
        EXPECT_THAT(seen.err, HasSubstr("hint: T.reads and T.writes of the block do not name"));
    }
}

TEST_F(Run, NamesOfParametersAreSuggested) {
    const std::vector<std::vector<std::string>> cases = {
        {"--set", "m=5", "no scalar parameter 'm'", "there are: n"},
        {"--set", "size=5", "no scalar parameter 'size'", "there are: n"},
        {"--set", "n", "'n' is not NAME=VALUE", "the name of a parameter, `=`"},
        {"--in", "a=x.npy", "no buffer parameter 'a'", "did you mean `A`?"},
        {"--in", "Input=x.npy", "no buffer parameter 'Input'", "there are: A"},
        {"--in", "A", "'A' is not NAME=VALUE", "the name of a parameter, `=`"}};
    for (const auto& c : cases) {
        const Seen seen = run({"run", "wild.py", c[0], c[1]});
        EXPECT_EQ(seen.code, 2) << c[1];
        EXPECT_THAT(seen.err, HasSubstr(c[2])) << c[1];
        EXPECT_THAT(seen.err, HasSubstr("hint: " + c[3])) << c[1];
    }
}

// A device is no place for a program that faults either.
TEST_F(Run, DevicesWaitForTheInterpreter) {
    file("bound.py", R"(
@T.prim_func
def bound(A: T.Buffer((4,), "int32"), n: T.int32):
    for b in T.thread_binding(4, thread="blockIdx.x"):
        A[b + n] = b
)");
    const Seen seen = run({"run", "bound.py", "--target", "gpu-host", "--set", "n=1"});
    EXPECT_EQ(seen.code, 1);
    EXPECT_THAT(seen.out, HasSubstr("interpreter: faulted: out of bounds"));
    EXPECT_THAT(seen.out, HasSubstr("gpu-host: not run: a program that faults may do anything"));
}

// The same checks in code for other programs.
TEST_F(Run, GuardedLibrariesReturnACode) {
    const Seen seen = run({"lower", "wild.py", "--guarded", "--emit", "so,header", "-o", "out_"});
    ASSERT_EQ(seen.code, 0) << seen.err;
    file("use.c", R"(#include "out_/wild.h"
#include <string.h>
int main(void) {
    int32_t a[4] = {0, 0, 0, 0};
    if (wild(a, 3) != 0 || a[3] != 7) return 1;
    const int32_t code = wild(a, 4);
    return code > 0 && strstr(wild_message(code), "store of A[n]") != 0 ? 0 : 2;
}
)");
    EXPECT_EQ(shell("cc use.c ./out_/wild.so -o use && ./use").code, 0);
    EXPECT_EQ(run({"lower", "wild.py", "--guarded", "--target", "cuda"}).code, 2);
}

}  // namespace
