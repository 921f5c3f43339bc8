// `proviso run` runs the program as it is written: no fault of it is simplified away, and what is
// given to it is used or refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using proviso::tests::text_of;
using testing::HasSubstr;

class RunSource : public Commands {
  protected:
    // A function with the buffers A, B and Z, and the scalar n.
    void program(const std::string& body) {
        file("f.py",
             "@T.prim_func\n"
             "def f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), "
             "Z: T.Buffer((1,), \"int32\"), n: T.int32):\n" +
                 body);
    }
    Seen run_it(const std::vector<std::string>& options = {}) {
        std::vector<std::string> all = {"run", "f.py", "--random", "--set", "n=3"};
        all.insert(all.end(), options.begin(), options.end());
        return run(all);
    }
};

// Lowering may make `x // Z[0]`, where Z[0] holds 0, and `x // 0` whatever it likes; the machine
// code of a run may not.
TEST_F(RunSource, EveryDivisionThatRunsIsNoticed) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"    Z[0] = 0\n    for i in range(8):\n        B[i] = A[i] // Z[0]\n", "A[i] // Z[0]"},
        {"    for i in range(8):\n        B[i] = A[i] // 0\n", "A[i] // 0"},
        {"    for i in range(8):\n        B[i] = T.truncmod(A[i], n * 0)\n",
         "T.truncmod(A[i], n * 0)"},
        {"    for i in T.parallel(8):\n        B[i] = A[i] % (n - 3)\n", "A[i] % (n - 3)"},
        // A value that nobody uses.
        {"    for i in range(8):\n        B[i] = T.max(n // (n - 3), 1) * 0\n", "n // (n - 3)"},
        {"    for i in range(8):\n        if A[i] // (n - 3) == 1 or True:\n"
         "            B[i] = 1\n",
         "A[i] // (n - 3)"},
    };
    for (const auto& [body, division] : cases) {
        program(body);
        const Seen plain = run_it();
        EXPECT_EQ(plain.code, 1) << body << plain.out;
        EXPECT_THAT(plain.err,
                    HasSubstr("cpu: arithmetic exception (a division without a quotient)"));
        EXPECT_EQ(plain.out, "") << "no results";
        const Seen guarded = run_it({"--guarded"});
        EXPECT_EQ(guarded.code, 1) << body << guarded.out;
        EXPECT_THAT(guarded.out,
                    HasSubstr("cpu: stopped: division without a quotient: " + division));
        EXPECT_THAT(run_it({"--engine", "interp"}).out, HasSubstr("faulted: zero divisor"));
    }
    program("    for i in range(8):\n        if n > 5:\n            B[i] = A[i] // (n - 3)\n");
    EXPECT_EQ(run_it({"--engine", "both"}).code, 0) << "a division that does not run";
}

TEST_F(RunSource, GuardedCodeChecksTheAccessesOfTheSource) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"    for i in range(10):\n        B[i] = 7\n", "store of B[i] at body/body: index (8)"},
        {"    for i in range(10):\n        B[i] = A[i] // 1\n", "load of A[i]"},
        // A value that nobody uses, a store that changes nothing, one of nothing.
        {"    for i in range(8):\n        B[i] = A[i + n] * 0\n", "load of A[i + n]"},
        {"    B[n + 5] = B[n + 5]\n", "B[n + 5]"},
        {"    B[n + 5] = T.undef(\"int32\")\n    B[0] = 1\n", "store of B[n + 5]"},
        {"    for i in range(10):\n        with T.block(\"b\"):\n"
         "            vi = T.axis.spatial(10, i)\n            B[vi] = 0\n",
         "store of B[i]"},
    };
    for (const auto& [body, access] : cases) {
        program(body);
        const Seen seen = run_it({"--guarded"});
        EXPECT_EQ(seen.code, 1) << body << seen.out;
        EXPECT_THAT(seen.out, HasSubstr("cpu: stopped: out of bounds: "));
        EXPECT_THAT(seen.out, HasSubstr(access));
    }
    program("    for i in range(8):\n        B[i] = A[i + n]\n");
    EXPECT_THAT(run_it().err, HasSubstr("cpu: segmentation fault"));
}

// Not a note alone: guard pages miss a store that jumps over them, and one beside its allocation.
TEST_F(RunSource, StoresThatAreNotProvedAreChecked) {
    for (const char* body :
         {"    for i in range(10):\n        B[i] = 7\n", "    B[n * 500000000] = 7\n",
          "    C = T.alloc_buffer((8,), \"int32\")\n    for i in range(9):\n"
          "        C[i] = i\n    B[0] = C[0]\n"}) {
        program(body);
        const Seen seen = run_it();
        EXPECT_EQ(seen.code, 1) << body;
        EXPECT_THAT(seen.err, HasSubstr("a store is not proved to stay in its buffer"));
        EXPECT_THAT(seen.out, HasSubstr("cpu: stopped: out of bounds: store of"));
    }
    program("    for i in range(8):\n        B[i] = A[7 - i]\n");
    EXPECT_EQ(run_it().err, "") << "proved";
}

TEST_F(RunSource, GuardedCodeChecksAssumptions) {
    program(
        "    for i in range(8):\n        T.assume(A[i] == A[0] and n > 3)\n"
        "        B[i] = A[i]\n");
    const Seen seen = run_it({"--guarded"});
    EXPECT_EQ(seen.code, 1) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("cpu: stopped: assumed: "));
}

// A claim that is false is a fault, as `proviso check` has it.
TEST_F(RunSource, TheInterpreterNoticesFalseClaims) {
    const std::string block =
        "    for i in range(8):\n        with T.block(\"b\"):\n"
        "            vi = T.axis.spatial(8, i)\n";
    const std::string store = "            B[vi] = A[vi]\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"            T.reads(A[0])\n            T.writes(B[vi])\n", "load of A[1]"},
        {"            T.reads(A[vi])\n            T.writes(B[0])\n", "store of B[1]"},
        {"            T.reads()\n            T.writes(B[vi])\n", "load of A[0]"},
    };
    for (const auto& [claims, access] : cases) {
        program(block + claims + store);
        for (const char* engine : {"interp", "both"}) {
            const Seen seen = run_it({"--engine", engine});
            EXPECT_EQ(seen.code, 1) << claims << seen.out;
            EXPECT_THAT(seen.out,
                        HasSubstr("faulted: access outside of the block's regions: " + access));
        }
    }
    program(block + "            T.reads(A[vi])\n            T.writes(B[vi])\n" + store);
    EXPECT_EQ(run_it({"--engine", "both"}).code, 0);
    program(
        "    for i in range(8):\n        with T.block(\"b\"):\n"
        "            vi = T.axis.spatial(4, i)\n            B[vi] = 1\n");
    EXPECT_THAT(run_it({"--engine", "interp"}).out, HasSubstr("vi = 4 not in [0, 4)"));
}

// What stands in the folder for results is not written through.
TEST_F(RunSource, ALinkIsReplaced) {
    program("    for i in range(8):\n        B[i] = i\n");
    std::filesystem::create_directory(folder_ / "made");
    for (const char* name : {"B.npy", "B.npy.part"}) {
        file("victim", "untouched");
        std::filesystem::create_symlink("../victim", folder_ / "made" / name);
        EXPECT_EQ(run_it({"-o", "made", "-q"}).code, 0);
        EXPECT_EQ(text_of(folder_ / "victim"), "untouched") << name;
        EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "made/B.npy"));
        EXPECT_THAT(text_of(folder_ / "made/B.npy"), HasSubstr("NUMPY"));
    }
    std::filesystem::remove(folder_ / "made/B.npy");
    ASSERT_EQ(shell("mkfifo made/B.npy").code, 0);
    EXPECT_EQ(run_it({"-o", "made", "-q"}).code, 2) << "a pipe is no file";
}

TEST_F(RunSource, NothingIsGivenTwice) {
    program("    for i in range(8):\n        B[i] = A[i] + n\n");
    ASSERT_EQ(run_it({"-o", "made"}).code, 0);
    const Seen tensors =
        run({"run", "f.py", "--random", "--in", "A=made/B.npy", "--in", "A=made/B.npy"});
    EXPECT_EQ(tensors.code, 2);
    EXPECT_THAT(tensors.err, HasSubstr("'A' is given twice"));
    const Seen scalars = run_it({"--set", "n=4"});
    EXPECT_EQ(scalars.code, 2);
    EXPECT_THAT(scalars.err, HasSubstr("'n' is given twice"));
}

TEST_F(RunSource, ALimitOnStepsNeedsTheInterpreter) {
    program("    for i in range(8):\n        B[i] = A[i] + n\n");
    const Seen seen = run_it({"--max-steps", "5"});
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("--max-steps is about the interpreter"));
    EXPECT_THAT(seen.err, HasSubstr("`--engine both`"));
    EXPECT_EQ(run_it({"--max-steps", "5", "--engine", "interp"}).code, 3);
}

// What a run compiles is the program as it is written, and for that nothing has to be proved that
// takes a solver: floor divisions by divisors of unknown signs, hints, undefined values,
// assumptions, sums and products that may or may not be in range.
TEST_F(RunSource, AsksNoSolver) {
    file("cvc5", "#!/bin/sh\necho asked >> asked\nexec sleep 1000\n");
    ASSERT_EQ(chmod((folder_ / "cvc5").c_str(), 0700), 0);
    const std::vector<std::string> bodies = {
        "    for i in range(8):\n        B[i] = A[i] // (i * 2 - 7) + A[i] % (A[i] * 2 + 1)\n",
        "    for i in range(8):\n        if T.likely(A[i] * A[i] != 3 * n * n):\n"
        "            B[i] = A[i] // (n * n + 1) * (A[i] % (n * n + 1))\n",
        "    for i, j in T.grid(2, 4):\n        with T.block(\"b\"):\n"
        "            vi = T.axis.spatial(8, (i * n * 4 + j * n) // n)\n"
        "            T.where(i * n + j < n * n)\n            B[vi] = A[vi] % n\n",
        "    B[0] = T.undef(\"int32\")\n    for i in range(8):\n"
        "        T.assume(A[i] * A[i] >= A[i] * n - n * n)\n        B[i] = A[i]\n",
    };
    for (const std::string& body : bodies) {
        program(body);
        for (const char* more : {"", " --guarded"}) {
            const Seen seen = shell("PATH=\"$PWD:$PATH\" " + std::string(PROVISO_BINARY) +
                                    " run f.py --random --set n=3 --engine both" + more);
            EXPECT_EQ(seen.code, 0) << body << seen.out << seen.err;
            EXPECT_THAT(seen.out, HasSubstr("equal, bit for bit")) << body;
        }
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "asked"));
}

// Floor division rounds down whatever the signs, without proofs about them.
TEST_F(RunSource, DivisionsOfUnknownSignsRoundDown) {
    program(
        "    for i in range(8):\n        B[i] = (i - 4) // (n - 6) * 100 + (i - 4) % (n - 6)\n");
    // By -3: -4 // -3 is 1 and -4 % -3 is -1.
    EXPECT_THAT(run_it().out, HasSubstr("B = [99, 100, -2, -1, 0, -102, -101, -100]"));
    program("    B[0] = (n - 3 - 2147483647 - 1) // (n - 4)\n");
    EXPECT_EQ(run_it().code, 1) << "-2147483648 // -1 has no quotient";
    EXPECT_THAT(run_it({"--guarded"}).out, HasSubstr("division without a quotient"));
}

}  // namespace
