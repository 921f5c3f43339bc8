// --solver-seconds of every command that asks a solver: one that does not end is stopped, the
// answer is UNKNOWN, says so, and is not kept. cvc5 is a program here that sleeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/tools/commands.h"

namespace {

using proviso::tests::Commands;
using proviso::tests::Seen;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kStopped =
    "cvc5 did not keep to its budget and was stopped after 1 s; --solver-seconds N gives it more";

class SolverSeconds : public Commands {
  protected:
    void SetUp() override {
        Commands::SetUp();
        file("cvc5",
             "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'version 9'; exit; fi\n"
             "exec sleep 1000\n");
        ASSERT_EQ(chmod((folder_ / "cvc5").c_str(), 0700), 0);
    }
    void fill() {
        file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((16,), "int32")):
    for i in range(16):
        with T.block("fill"):
            vi = T.axis.spatial(16, i)
            A[vi] = 1
)");
        file("s.py", "sch.split(sch.get_loops(\"fill\")[0], factors=[None, 4])\n");
    }
    Seen with_slow_cvc5(const std::string& words) {
        return shell("PATH=\"$PWD:$PATH\" " + std::string(PROVISO_BINARY) + " " + words);
    }
};

TEST_F(SolverSeconds, OfLower) {
    file("p.py", R"(
@T.prim_func
def f(B: T.Buffer((1,), "int32"), x: T.int32, y: T.int32, z: T.int32):
    T.func_attr({"tir_var_lower_bound": {"x": 1, "y": 1, "z": 2}, "tir_var_upper_bound": {"x": 10000, "y": 10000, "z": 10000}})
    if x * x + y * y != 3 * z * z:
        B[0] = B[0] + 1
)");
    file("s.py", "sch.remove_branching_through_overcompute()\n");
    const Seen seen = with_slow_cvc5("lower p.py -s s.py -q --solver-seconds 1 --cache kept");
    EXPECT_EQ(seen.code, 3) << seen.err;
    EXPECT_THAT(seen.err, HasSubstr(kStopped));
}

TEST_F(SolverSeconds, OfCheck) {
    const std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((3,), \"int64\"), B: T.Buffer((1,), \"int32\")):\n"
        "    B[0] = 0\n";
    file("a.py",
         head +
             "    if A[0] > 0 and A[2] > 1 and A[0] < 100000 and A[1] < 100000 and A[2] < 100000 "
             "and A[1] > -100000:\n"
             "        if A[0] * A[0] + A[1] * A[1] == T.int64(3) * A[2] * A[2]:\n"
             "            B[0] = 1\n");
    file("b.py", head);
    const Seen seen = with_slow_cvc5("check a.py b.py --tests 3 --solver-seconds 1");
    EXPECT_EQ(seen.code, 3) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("TESTED(3)"));
    EXPECT_THAT(seen.out, HasSubstr("was stopped after 1 s"));
    EXPECT_THAT(seen.out, HasSubstr("(--solver-seconds N gives it more)"));
}

TEST_F(SolverSeconds, OfAudit) {
    fill();
    const Seen made = run({"lower", "p.py", "-s", "s.py", "-q", "--log", "log", "--no-cache"});
    ASSERT_EQ(made.code, 0) << made.err;
    const Seen seen =
        with_slow_cvc5("audit log --ask-solvers -v --no-validation --solver-seconds 1");
    EXPECT_THAT(seen.out, HasSubstr("cvc5: UNKNOWN (" + std::string(kStopped) + ")"));
    EXPECT_THAT(seen.out, Not(HasSubstr("cvc5: PROVED")));
}

// A number of seconds that leaves time enough changes no answer.
TEST_F(SolverSeconds, ChangeNoAnswerThatComesInTime) {
    fill();
    const Seen few =
        run({"lower", "p.py", "-s", "s.py", "-q", "--no-cache", "--solver-seconds", "1000"});
    const Seen usual = run({"lower", "p.py", "-s", "s.py", "-q", "--no-cache"});
    EXPECT_EQ(few.code, 0) << few.err;
    EXPECT_EQ(few.out, usual.out);
}

TEST_F(SolverSeconds, AreOneOrMore) {
    const std::vector<std::vector<std::string>> commands = {
        {"lower", "p.py"},
        {"run", "p.py", "--random"},
        {"check", "p.py", "p.py"},
        {"audit", "log"},
        {"prove", "x > 0"},
        {"simplify", "x"},
        {"solve", "bounds", "x > 0", "--for", "x"}};
    for (const std::vector<std::string>& command : commands) {
        for (const char* seconds : {"0", "-1", "x", "100000", "1.5"}) {
            std::vector<std::string> words = command;
            words.insert(words.end(), {"--solver-seconds", seconds});
            const Seen seen = run(words);
            EXPECT_EQ(seen.code, 2) << command[0] << " " << seconds;
            EXPECT_THAT(seen.err, HasSubstr("--solver-seconds")) << command[0];
        }
        for (const char* mib : {"0", "-1", "x", "2000000", "1.5"}) {
            std::vector<std::string> words = command;
            words.insert(words.end(), {"--solver-memory", mib});
            const Seen seen = run(words);
            EXPECT_EQ(seen.code, 2) << command[0] << " " << mib;
            EXPECT_THAT(seen.err, HasSubstr("--solver-memory")) << command[0];
        }
        for (const char* option : {"--solver-seconds", "--solver-memory"}) {
            EXPECT_THAT(run({command[0], "--help"}).out, HasSubstr(option)) << command[0];
        }
    }
}

// A question that is too large for Z3 is said to be, with the option that allows it more.
TEST_F(SolverSeconds, AndMemoryIsNamedWhereItIsTheLimit) {
    const std::string question =
        "prove '((x * y ^ z) // y ^ x) // z * z != ((x ^ y) // z ^ z) // x * x + T.int64(7654321)' "
        "--var x:int64 --var y:int64 --var z:int64 --given 'x > 0' --given 'y > 0' "
        "--given 'z > 0' --no-cache --solver-seconds 1 --solver-memory ";
    const Seen seen = with_slow_cvc5(question + "1");
    EXPECT_EQ(seen.code, 3) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("too large for z3: about "));
    EXPECT_THAT(seen.out, HasSubstr(" MiB, of at most 1"));
    EXPECT_THAT(seen.out, HasSubstr("--solver-memory N allows it more"));
}

}  // namespace
