// proviso-audit answers as `proviso audit` does, and has neither a solver nor a code generator nor
// what looks for steps in it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/sanitized.h"
#include "tests/tools/commands.h"

namespace proviso::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

class AuditProgram : public Commands {
  protected:
    // Sums of floats have no certificate where their terms are written otherwise.
    void make_log(const std::string& value, const std::string& log = "log") {
        file("p.py", R"(
@T.prim_func
def f(A: T.Buffer((27,), "float32"), B: T.Buffer((27,), "float32")):
    for i in range(27):
        with T.block("twice"):
            vi = T.axis.spatial(27, i)
            B[vi] = )" + value +
                         "\n");
        file("s.py", "sch.split(sch.get_loops(\"twice\")[0], factors=[None, 4])\n");
        const Seen made = run({"lower", "p.py", "-s", "s.py", "-q", "--log", log, "--no-cache"});
        ASSERT_EQ(made.code, 0) << made.err;
    }
    Seen audit(const std::string& words) { return shell(std::string(PROVISO_AUDIT) + " " + words); }
    Seen command(const std::string& words) {
        return shell(std::string(PROVISO_BINARY) + " audit " + words);
    }
};

TEST_F(AuditProgram, AnswersAsTheCommandDoes) {
    make_log("A[vi]");
    make_log("A[vi] + A[vi]", "asks");  // solvers, for seconds each time
    file("other.txt", "not named by the log");
    for (const char* words :
         {"log", "log --json", "log -v --ask-solvers", "log --policy E3+v",
          "log --no-validation --json -j 1", "log --strict", "log --output other.txt",
          "asks --json", "asks --policy E3 --no-solvers", "nowhere", "nowhere --json",
          "log --policy E9"}) {
        const Seen one = audit(words);
        const Seen other = command(words);
        EXPECT_EQ(one.code, other.code) << words;
        EXPECT_EQ(one.out, other.out) << words;
    }
    const Seen asked = audit("asks");
    EXPECT_EQ(asked.code, 0);
    EXPECT_THAT(asked.out, HasSubstr("VERIFIED at policy E2"));
    shell("sed -i '1s/\"seq\":0/\"seq\":7/' log/steps.jsonl");
    EXPECT_EQ(audit("log").code, 2);
    EXPECT_EQ(audit("log").out, command("log").out);
}

TEST_F(AuditProgram, SaysWhatIsWrongWithItsOptions) {
    EXPECT_THAT(audit("log --polcy E1").err, HasSubstr("proviso-audit has no option '--polcy'"));
    EXPECT_THAT(audit("log --polcy E1").err, HasSubstr("--policy"));
    EXPECT_THAT(audit("").err, HasSubstr("LOG is required"));
    EXPECT_THAT(audit("log more").err, HasSubstr("'more' is one argument too many"));
    EXPECT_THAT(audit("log --no-validation --policy E2+v").err, HasSubstr("asks for validation"));
    for (const char* words : {"", "log more", "log --polcy E1", "log --cache kept"}) {
        EXPECT_EQ(audit(words).code, 2) << words;
    }
    EXPECT_THAT(audit("--version").out, HasSubstr("proviso-audit "));
    // All options but the first two lines' are those of the command.
    const std::string help = audit("--help").out;
    for (const char* option : {"--policy", "--no-solvers", "--ask-solvers", "--output", "--strict",
                               "--solver-seconds", "--json"}) {
        EXPECT_THAT(help, HasSubstr(option));
    }
}

// The certificate alone is enough, without any program to ask.
TEST_F(AuditProgram, NeedsNoSolverWhereThereAreCertificates) {
    make_log("A[vi]");
    const Seen seen = shell("PATH=/nowhere " + std::string(PROVISO_AUDIT) + " log --policy E3");
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
    const Seen asked =
        shell("PATH=/nowhere " + std::string(PROVISO_AUDIT) + " log --ask-solvers -v");
    EXPECT_THAT(asked.out, HasSubstr("z3: UNKNOWN (z3 not installed)"));
    EXPECT_THAT(asked.out, HasSubstr("cvc5: UNKNOWN (cvc5 not installed)"));
}

TEST_F(AuditProgram, LinksNoSolverAndNoCompiler) {
    const Seen libraries = shell("ldd " + quoted(PROVISO_AUDIT));
    ASSERT_EQ(libraries.code, 0) << libraries.err;
    EXPECT_THAT(libraries.out, HasSubstr("libc.so"));
    for (const char* library : {"libz3", "libLLVM", "libcvc5", "libOpenCL", "libboost_context"}) {
        EXPECT_THAT(libraries.out, Not(HasSubstr(library)));
    }
    // The same words are in the other program: they are what to look for.
    EXPECT_THAT(shell("ldd " + quoted(PROVISO_BINARY)).out, HasSubstr("libz3"));
    EXPECT_THAT(shell("ldd " + quoted(PROVISO_BINARY)).out, HasSubstr("libLLVM"));
}

TEST_F(AuditProgram, HasNothingThatLooksForSteps) {
    if (tests::kShare != 1) GTEST_SKIP() << "sources are compiled together with their neighbours";
    const std::string here = shell("nm -C " + quoted(PROVISO_AUDIT)).out;
    const std::string there = shell("nm -C " + quoted(PROVISO_BINARY)).out;
    EXPECT_THAT(here, HasSubstr("proviso::verify::audit("));
    EXPECT_THAT(here, HasSubstr("proviso::rewrite::apply_step("));
    for (const char* name :
         {"Z3_mk_solver", "llvm::", "proviso::rewrite::Simplifier::", "proviso::rewrite::Schedule",
          "proviso::rewrite::Derivation::attempt", "proviso::verify::write_log(",
          "proviso::verify::find_certificates(",
          "proviso::fuzz::", "proviso::backend::", "proviso::rewrite::Proposer::"}) {
        EXPECT_THAT(there, HasSubstr(name)) << "is called otherwise now";
        EXPECT_THAT(here, Not(HasSubstr(name)));
    }
}

}  // namespace
}  // namespace proviso::tests
