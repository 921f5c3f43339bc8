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

// The assignment to `consts.SIZE` was one in the other file, whose functions then saw it.
TEST_F(Imports, AnImportedNameHasOneMeaning) {
    file("consts.py", "SIZE = 4\ndef f(s):\n    s.simplify()\n");
    file("more.py", "SIZE = 5\nNEW = 6\n");
    file("again.py", "from more import SIZE\nSIZE = 7\n");
    const struct {
        const char* schedule;
        const char* says;
    } cases[] = {
        {"from consts import f\ndef f(s):\n    pass\nf(sch)\n",
         "s.py:2:1: error: `f` is imported in line 1, and would have two meanings"},
        {"from consts import SIZE\nSIZE = 3\n", "s.py:2:1: error: `SIZE` is imported in line 1"},
        {"from consts import SIZE\nSIZE += 3\n", "s.py:2:1: error: `SIZE` is imported in line 1"},
        {"from consts import SIZE\nfor SIZE in range(3):\n    pass\n", "`SIZE` is imported"},
        {"from consts import SIZE\nif True:\n    x, SIZE = 1, 2\n",
         "s.py:3:8: error: `SIZE` is imported"},
        {"from consts import SIZE\nfrom more import SIZE\n",
         "s.py:2:1: error: `SIZE` is imported in line 1"},
        {"import consts\nimport more as consts\n",
         "s.py:2:1: error: `consts` is imported in line 1"},
        {"import consts\nconsts = 3\n", "s.py:2:1: error: `consts` is imported in line 1"},
        {"import consts\nconsts.SIZE = 3\n",
         "s.py:2:1: error: `consts.SIZE` belongs to another file"},
        {"import consts\nconsts.NEW = 3\n", "`consts.NEW` belongs to another file"},
        {"import consts\ndef g(s):\n    consts.SIZE = 3\ng(sch)\n",
         "s.py:3:5: error: `consts.SIZE` belongs to another file"},
        {"import again\n", "again.py:2:1: error: `SIZE` is imported in line 1"},
    };
    for (const auto& c : cases) {
        const Seen seen = scheduled(c.schedule);
        EXPECT_EQ(seen.code, 2) << c.schedule;
        EXPECT_THAT(seen.err, HasSubstr(c.says)) << c.schedule;
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << c.schedule;
    }
    // Names of functions, lambdas and comprehensions are their own; an import may come twice.
    const Seen seen = scheduled(
        "import consts\nfrom consts import SIZE\nfrom consts import SIZE\n"
        "def g(SIZE):\n    f = 1\n    return SIZE + f\n"
        "print(g(1), [SIZE for SIZE in [7]], SIZE)\nconsts.f(sch)\n");
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_EQ(seen.err, "2 [7] 4\n");
}

// Each constant took time in proportion to all of them.
TEST_F(Imports, ManyConstantsAreReadAsFastAsFew) {
    constexpr int kConstants = 20'000;
    std::string all;
    std::string names;
    std::string uses;
    for (int k = 0; k < kConstants; ++k) {
        const std::string name = "C" + std::to_string(k);
        all += name + " = lambda i: i + " + std::to_string(k) + "\n";
        names += (names.empty() ? "" : ", ") + name;
        if (k % 1000 == 0) uses += "print([x for x in [" + name + "(1)]])\n";
    }
    file("consts.py", all);
    const Seen seen = scheduled("import consts\nfrom consts import (" + names + ")\n" + uses);
    EXPECT_EQ(seen.code, 0) << seen.err.substr(0, 500);
    EXPECT_THAT(seen.err, HasSubstr("[19001]\n"));
}

TEST_F(Imports, ALogNamesThem) {
    file("parts.py", "def f(s):\n    s.simplify()\n");
    file("s.py", "import parts\nparts.f(sch)\n");
    const Seen seen =
        run({"lower", "copy.py", "-s", "s.py", "--no-cache", "--log", "log", "--json"});
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("\"imported\":{\"parts.py\":\"sha256:"));
    const Seen found = shell("grep '^# imported: parts.py sha256:' log/objects.pack");
    EXPECT_EQ(found.code, 0);
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

// It was written nowhere, and nothing said so.
TEST_F(Imports, AnEmptyNameIsNoFile) {
    file("s.py", "sch.simplify()\n");
    for (const std::string option : {"--trace", "--log", "--schedule", "--out"}) {
        std::vector<std::string> words = {"lower", "copy.py", option, ""};
        if (option != "--schedule") words.insert(words.end(), {"-s", "s.py"});
        const Seen seen = run(words);
        EXPECT_EQ(seen.code, 2) << option;
        EXPECT_THAT(seen.err, HasSubstr("the name is empty")) << option;
    }
}

// Lists in lists doubled without an end, and so did their text.
TEST_F(Imports, ListsInListsHaveASize) {
    const struct {
        const char* schedule;
        const char* says;
    } cases[] = {
        {"x = [1]\nfor i in range(40):\n    x = [x, x]\n", "more than 100,000 elements"},
        {"x = [1]\nfor i in range(40):\n    x = (x, x)\n", "more than 100,000 elements"},
        {"x = [1]\nfor i in range(40):\n    x = {\"a\": x, \"b\": x}\n",
         "more than 100,000 elements"},
        {"x = [1]\nfor i in range(40):\n    x = [x for k in range(2)]\n",
         "more than 100,000 elements"},
        {"x = [1]\nfor i in range(40):\n    y = [x]\n    x.append(y)\n", "100,000 elements"},
        {"x = [1]\nfor i in range(40):\n    x = list(zip(x, x))\n    x = x + x\n",
         "more than 100,000 elements"},
        {"x = [1]\nfor i in range(5000):\n    x = [x]\n", "more than 200 deep"},
        {"x = [1]\nfor i in range(5000):\n    x = [k for k in [x]]\n", "more than 200 deep"},
        {"x = list(range(90000))\nfor i in range(5000):\n    y = x\n", "more than a million steps"},
        {"x = []\nfor i in range(99000):\n    x.append(i)\n", "more than a million steps"},
    };
    for (const auto& c : cases) {
        const Seen seen = scheduled(c.schedule);
        EXPECT_EQ(seen.code, 2) << c.schedule << seen.err;
        EXPECT_THAT(seen.err, HasSubstr(c.says)) << c.schedule;
        EXPECT_THAT(seen.err, HasSubstr("hint: ")) << c.schedule;
    }
    const Seen seen = scheduled(
        "x = []\ny = x\nfor i in range(5000):\n    x.append(i)\n"
        "z = [x, 1]\nz[0].append(7)\n"
        "total = 0\nfor k in range(5000):\n    total += y[k]\n"
        "loops = sch.get_loops(\"one\")\nothers = sch.get_loops(\"one\")\nloops.append(3)\n"
        "print(len(x), len(y), total, len(loops), len(others))\n");
    EXPECT_EQ(seen.code, 0) << seen.err;
    EXPECT_EQ(seen.err, "5001 5001 12497500 2 1\n");
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
