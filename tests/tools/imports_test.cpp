// Schedules that import other files: what is read, from where, and which file a message names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/files/limits.h"
#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;

class Imports : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("copy.py", R"(
@T.prim_func
def copied(A: T.Buffer((36,), "int32"), B: T.Buffer((36,), "int32")):
    for i in range(36):
        with T.block("one"):
            v = T.axis.spatial(36, i)
            B[v] = A[v]
)");
    }
    Seen scheduled(const std::string& schedule) {
        file("s.py", schedule);
        return run({"lower", "copy.py", "-s", "s.py", "--no-cache", "--quiet"});
    }
};

TEST_F(Imports, FunctionsSeeTheNamesOfTheirOwnFile) {
    file("inner.py", "SIZE = 3\n");
    file("parts.py", R"("""Parts of loops."""
from inner import SIZE as WIDTH
SIZE = 4
def first(s, block):
    return s.get_loops(block)[0]
def part(s, block, size=SIZE):
    return s.split(first(s, block), factors=[None, size])
def narrow(s, block):
    first = s.get_loops(block)[-1]
    return s.split(first, factors=[None, WIDTH])
)");
    const Seen seen = scheduled(
        "import parts\nfrom parts import (narrow as thin, SIZE)\nSIZES = [SIZE]\n"
        "def first(s):\n    parts.part(s, \"one\")\nfirst(sch)\nthin(sch, \"one\")\n"
        "print(SIZES, parts.SIZE)\n");
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_EQ(seen.err, "[4] 4\n");
    EXPECT_THAT(seen.out, HasSubstr("for i_0 in range(9):"));
    EXPECT_THAT(seen.out, HasSubstr("for i_1_0 in range(2):"));
}

TEST_F(Imports, MessagesNameTheFileOfTheCall) {
    file("parts.py",
         "\ndef wrong(s, block):\n    s.splitt(block)\ndef refused(s, block):\n"
         "    s.split(s.get_loops(block)[0], factors=[2, 3])\n"
         "def nothing(s, block):\n    s.simplify(block)\n"
         "def copies(s, block):\n    i, = s.get_loops(block)\n"
         "    s.loop_partition(i, factors=[4, None])\n    s.parallel(i)\n");
    const auto says = [&](const std::string& function, int code, const std::string& text) {
        const Seen seen = scheduled("import parts\nparts." + function + "(sch, \"one\")\n");
        EXPECT_EQ(seen.code, code) << seen.err;
        EXPECT_THAT(seen.err, HasSubstr(text));
    };
    says("wrong", 2, "parts.py:3:5: error: no schedule primitive 'splitt'\n      s.splitt(block)");
    says("refused", 1, "parts.py:5:5: error: split refused");
    says("copies", 1, "since s.loop_partition in line 10 of parts.py");
    file("s.py", "import parts\nparts.nothing(sch, \"one\")\n");
    const Seen strict = run({"lower", "copy.py", "-s", "s.py", "--no-cache", "--strict", "-v"});
    EXPECT_EQ(strict.code, 3);
    EXPECT_THAT(strict.err, HasSubstr("parts.py:7:1: error: simplify changed nothing"));
    EXPECT_THAT(strict.err, HasSubstr("(parts.py:7)"));
}

TEST_F(Imports, WhatIsNotRead) {
    file("calls.py", "sch.simplify()\n");
    file("broken.py", "def f(:\n");
    file("one.py", "import two\n");
    file("two.py", "import one\n");
    file("self.py", "import self\n");
    std::filesystem::create_directory(folder_ / "package");
    file("package/within.py", "X = 1\n");
    shell("mkfifo pipe.py && mkdir folder.py");
    const struct {
        const char* schedule;
        const char* says;
    } cases[] = {
        {"import absent\n", "s.py:1:1: error: there is no absent.py beside s.py"},
        {"\nimport tvm\n", "s.py:2:1: error: there is no tvm.py beside s.py"},
        {"import package.within\n", "this import is not understood"},
        {"from . import calls\n", "this import is not understood"},
        {"from calls import *\n", "this import is not understood"},
        {"import calls, broken\n", "this import is not understood"},
        {"import calls\n", "calls.py:1:1: error: an imported file has functions and constants"},
        {"import broken\n", "broken.py:1:6: error: `(` is never closed"},
        {"import one\n",
         "two.py:1:1: error: files import each other: s.py, one.py, two.py, one.py"},
        {"import self\n", "self.py:1:1: error: files import each other: s.py, self.py, self.py"},
        {"from one import x\n", "files import each other"},
        {"import pipe\n", "s.py:1:1: error: pipe.py is a named pipe, not a file"},
        {"import folder\n", "s.py:1:1: error: folder.py is a folder"},
        {"def f(s):\n    import calls\nf(sch)\n",
         "s.py:2:5: error: an import stands outside of functions"},
    };
    for (const auto& c : cases) {
        const Seen seen = scheduled(c.schedule);
        EXPECT_EQ(seen.code, 2) << c.schedule;
        EXPECT_THAT(seen.err, HasSubstr(c.says));
        EXPECT_THAT(seen.err, HasSubstr("hint: "));
    }
    file("has.py", "def f(s):\n    s.simplify()\n");
    const Seen seen = scheduled("from has import g\n");
    EXPECT_THAT(seen.err, HasSubstr("s.py:1:1: error: `has` has no `g`"));
    EXPECT_THAT(seen.err, HasSubstr("hint: it has: f"));
}

TEST_F(Imports, ManyFilesAreTooMany) {
    std::string all;
    for (std::size_t k = 0; k <= proviso::ir::limits::kImports; ++k) {
        const std::string name = "wide" + std::to_string(k);
        file(name + ".py", "X = 1\n");
        all += "import " + name + "\n";
        file("deep" + std::to_string(k) + ".py", "import deep" + std::to_string(k + 1) + "\n");
    }
    EXPECT_THAT(scheduled(all).err, HasSubstr("s.py:51:1: error: more than 50 files"));
    EXPECT_THAT(scheduled("import deep0\n").err,
                HasSubstr("deep9.py:1:1: error: imports of imports, more than 10 deep"));
}

// It was read as a list that nothing uses, and the program was lowered without it.
TEST_F(Imports, ATraceByAnotherNameIsNoSchedule) {
    const Seen seen = scheduled("[[[\"GetBlock\", [], [\"one\", \"main\"], [\"b0\"]]], []]\n");
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("this is a trace, and s.py does not end in .json"));
}

// The trace was written over the program.
TEST_F(Imports, ATraceIsNotWrittenOverWhatIsRead) {
    file("s.py", "sch.simplify()\n");
    for (const std::string target : {"copy.py", "./s.py", "-"}) {
        const Seen seen = run({"lower", "copy.py", "-s", "s.py", "-q", "--trace", target});
        EXPECT_EQ(seen.code, 2) << target;
        EXPECT_THAT(seen.err, HasSubstr("--trace ")) << target;
    }
    EXPECT_EQ(proviso::tests::text_of(folder_ / "s.py"), "sch.simplify()\n");
}

// Sixty doublings ran for ever; `%02d` gave "32d".
TEST_F(Imports, TextsAndListsStaySmallAndFormatsAreKnown) {
    for (const char* start : {"\"a\"", "[1]"}) {
        const Seen seen =
            scheduled(std::string("x = ") + start + "\nfor i in range(60):\n    x = x + x\n");
        EXPECT_EQ(seen.code, 2) << seen.err;
        EXPECT_THAT(seen.err, HasSubstr("more than 100,000 elements"));
    }
    const Seen seen = scheduled("print(\"%02d\" % 3)\n");
    EXPECT_EQ(seen.code, 2);
    EXPECT_THAT(seen.err, HasSubstr("only %s, %d, %i, %f and %% are known here"));
    EXPECT_THAT(scheduled("print(\"%d of %s%%\" % (3, \"a\"))\n").err, HasSubstr("3 of a%"));
}

}  // namespace
