// Z3 as a program and Z3 as a library are asked the same question under the same budget, and so
// give the same answer: an audit by the one says what a prover by the other would say.
#include <gtest/gtest.h>

#include "analysis/smt/child.h"
#include "analysis/z3/linked_z3.h"

namespace proviso::analysis::smt {
namespace {

const ModelQuery kQuery{{{"x", "Int"}, {"(+ x y)", "Int"}, {"u", "(_ BitVec 8)"}}, {"x", "y"}};

std::string text_of(const std::string& assertions) {
    return "(set-logic ALL)\n(declare-fun x () Int)\n(declare-fun y () Int)\n"
           "(declare-fun z () Int)\n(declare-fun u () (_ BitVec 8))\n"
           "(declare-fun r () (_ FloatingPoint 8 24))\n" +
           assertions + "(check-sat)\n";
}

Reply by(const Z3& z3, const std::string& assertions, std::uint64_t units = 100'000) {
    return z3.run(text_of(assertions), units, &kQuery, 60, 1024);
}

class SolverPrograms : public testing::Test {
  protected:
    void SetUp() override {
        if (kZ3Program.version().empty()) GTEST_SKIP() << "the program z3 is not installed";
    }
};

TEST_F(SolverPrograms, GiveTheVerdictsOfTheLibrary) {
    const std::pair<const char*, Verdict> cases[] = {
        {"(assert (> x 3))\n(assert (< x 4))\n", Verdict::Proved},
        {"(assert (not (= (* (+ x y) (+ x y)) (+ (* x x) (* 2 x y) (* y y)))))\n", Verdict::Proved},
        {"(assert (bvult u #x10))\n(assert (bvugt (bvand u #x0f) #x0f))\n", Verdict::Proved},
        {"(assert (fp.lt r r))\n", Verdict::Proved},
        {"(assert (> x 3))\n(assert (< x (div y 2)))\n", Verdict::Refuted},
        {"(assert (= u (bvadd #xff #x03)))\n", Verdict::Refuted},
        {"(assert (= (+ (* x x x) (* y y y) (* z z z)) 33))\n", Verdict::Unknown},
    };
    for (const auto& [assertions, verdict] : cases) {
        const Reply linked = by(kLinkedZ3, assertions);
        const Reply program = by(kZ3Program, assertions);
        EXPECT_EQ(linked.verdict, verdict) << assertions;
        EXPECT_EQ(program.verdict, verdict) << assertions << program.why;
        EXPECT_EQ(program.why, linked.why) << assertions;
        EXPECT_EQ(program.values, linked.values) << assertions;
        EXPECT_EQ(program.values.size(), verdict == Verdict::Refuted ? 3U : 0U);
    }
    EXPECT_EQ(kZ3Program.version(), kLinkedZ3.version());
}

// The same work under the same budget, whatever the machine is busy with.
TEST_F(SolverPrograms, EndWithTheirBudget) {
    const std::string hard = "(assert (= (+ (* x x x) (* y y y) (* z z z)) 33))\n";
    EXPECT_EQ(by(kZ3Program, hard, 1000).why, "resource");
    EXPECT_EQ(by(kZ3Program, hard, 50'000).why, "resource");
}

// A text that is not understood has no answer, though the solver goes on after an error.
TEST_F(SolverPrograms, SayNothingOfATextWithAMistake) {
    const Reply reply = by(kZ3Program, "(assert (> x nowhere))\n(assert (< x x))\n");
    EXPECT_EQ(reply.verdict, Verdict::Unknown);
    EXPECT_EQ(reply.why.substr(0, 11), "z3: (error ") << reply.why;
}

TEST(ChildProcess, IsStoppedAfterItsTimeAndForItsLength) {
    const ChildOutput slow = run_child({"sleep", "100"}, "", 1);
    EXPECT_TRUE(slow.started && slow.killed);
    const ChildOutput loud = run_child({"yes"}, "", 60);
    EXPECT_TRUE(loud.started && loud.killed);
    EXPECT_LT(loud.text.size(), std::size_t{17} << 20U);
    EXPECT_FALSE(run_child({"no-such-program-anywhere"}, "", 1).started);
    const ChildOutput cat = run_child({"cat"}, "a text\n", 60);
    EXPECT_EQ(cat.text, "a text\n");
    EXPECT_TRUE(cat.started && !cat.killed);
}

}  // namespace
}  // namespace proviso::analysis::smt
