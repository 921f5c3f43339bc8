// Loops with a step that is no constant, and starts and steps that the body changes.
#include <variant>

#include "ir/interp/interpreter.h"
#include "tests/ir/text/reader.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

struct TextSteps : TextReader {
    static constexpr const char* kSteps =
        "A: T.Buffer((8,), \"int32\"), L: T.Buffer((8,), \"int64\"), s: T.int32, m: T.int64";
    void steps(const std::string& text, const std::string& canonical_text) {
        reads_as(function(kSteps, text), function(kSteps, canonical_text));
    }
    void kept(const std::string& body) {
        const auto f = parse_program(ctx, function(kSteps, body), "f.py");
        ASSERT_TRUE(f.ok()) << body << f.error().str();
        ASSERT_EQ(f->opaque.size(), 1U) << body << f->canonical;
        EXPECT_THAT(f->opaque[0].reason.str(), HasSubstr("a step that may be 0 or negative"));
        EXPECT_THAT(f->opaque[0].reason.str(), HasSubstr("T.assume(0 < step)"));
    }
    // The cells of A after a run that starts with 0, 1, 2, …
    std::string cells(const std::string& body, std::int64_t s) {
        const Function f = read(function("A: T.Buffer((8,), \"int32\"), s: T.int32", body));
        const Tensor a = Tensor::of(kInt32, {8}, {0, 1, 2, 3, 4, 5, 6, 7});
        const Result<Outcome> out =
            run(f, Inputs{{"A", a}, {"s", Value::of_int(Integer(s))}}, InterpOptions{});
        if (!out) return out.error().str();
        if (!std::holds_alternative<Finished>(*out)) return describe(*out);
        const Tensor& t = std::get<Finished>(*out).tensors.at("A");
        std::string text;
        for (std::size_t k = 0; k < t.size(); ++k) {
            text += (k > 0 ? " " : "") + t.at(k).str(t.type);
        }
        return text;
    }
};

TEST_F(TextSteps, AreReadWhereTheyAreAboveZero) {
    const std::string loop = "for i in range(0, 8, s):\n    A[i] = 1";
    const std::string counted = "for i in range(7 // s + 1):\n    A[i * s] = 1";
    const auto indented = [](const std::string& text) {
        std::string out = "    " + text;
        out.replace(out.find('\n'), 1, "\n    ");
        return out;
    };
    steps("T.assume(1 <= s)\n" + loop, "T.assume(1 <= s)\n" + counted);
    steps("T.assume(m == T.int64(2) and 0 < s)\n" + loop,
          "T.assume(m == T.int64(2) and 0 < s)\n" + counted);
    steps("assert s > 0, \"s\"\n" + loop, "assert 0 < s, \"s\"\n" + counted);
    steps("if s >= 1:\n" + indented(loop), "if 1 <= s:\n" + indented(counted));
    steps("if s <= 0:\n    pass\nelse:\n" + indented(loop),
          "if s <= 0:\n    pass\nelse:\n" + indented(counted));
    steps("if s < 1:\n    return\n" + loop, "if 1 <= s:\n" + indented(counted));
    steps("for i in range(1, 8, T.max(s, 1)):\n    A[i] = 1",
          "for i in range(6 // T.max(s, 1) + 1):\n"
          "    A[1 + i * T.max(s, 1)] = 1");
    steps("for k in range(1, 3):\n    for i in range(0, 8, k * 2):\n        A[i] = 1",
          "for k in range(1, 3):\n    for i in range(7 // (k * 2) + 1):\n"
          "        A[i * (k * 2)] = 1");
    steps("t: T.int32 = T.max(s, 2) - 1\nfor i in T.parallel(0, 8, step=t):\n    A[i] = 1",
          "t: T.int32 = T.max(s, 2) - 1\nfor i in T.parallel(7 // t + 1):\n"
          "    A[i * t] = 1");
    // An int32 step of an int64 loop; the other way round it might not fit.
    steps(
        "T.assume(0 < s)\nfor i in T.serial(T.int64(0), m, step=s):\n    L[i] = i",
        "T.assume(0 < s)\n"
        "for i in range(m // T.Cast(\"int64\", s) + T.min(m % T.Cast(\"int64\", s), T.int64(1))):\n"
        "    L[i * T.Cast(\"int64\", s)] = i * T.Cast(\"int64\", s)");
    EXPECT_THAT(fails(function(kSteps,
                               "T.assume(T.int64(0) < m)\nfor i in range(0, 8, m):\n"
                               "    A[i] = 1")),
                HasSubstr("the step is int64, and the loop int32"));
}

// Trap: a fact that does not hold at the loop, or says something else.
TEST_F(TextSteps, AreOpaqueWhereTheyMayBeZero) {
    const std::string loop = "for i in range(0, 8, s):\n    A[i] = 1";
    kept(loop);
    kept("T.assume(0 <= s)\n" + loop);
    kept("T.assume(1 <= s or m == T.int64(0))\n" + loop);
    kept("T.assume(s <= 1)\n" + loop);
    kept("if 0 < s:\n    A[0] = 1\n" + loop);
    kept("if 0 < s:\n    pass\nelse:\n    for i in range(0, 8, s):\n        A[i] = 1");
    kept("if s > 0:\n    return\n" + loop);
    kept("for k in range(4):\n    T.assume(0 < s)\n" + loop);
    kept("for k in range(0, 3):\n    for i in range(0, 8, k):\n        A[i] = 1");
    kept("for i in range(0, 8, A[0]):\n    A[i] = 1");
    kept("for i in range(0, 8, T.min(s, 1)):\n    A[i] = 1");
    kept("for i in range(0, 8, T.max(s, 1) - 1):\n    A[i] = 1");
    kept("for i in range(0, 8, T.max(s, 2) // 3):\n    A[i] = 1");
    EXPECT_THAT(fails(function(kSteps, "for i in range(0, 8, 0):\n    pass")),
                HasSubstr("is above 0"));
    EXPECT_THAT(fails(function(kSteps, "for i in range(0, 8, T.undef(\"int32\")):\n    pass")),
                HasSubstr("this step is always indeterminate"));
}

TEST_F(TextSteps, RunAsPythonDoes) {
    const std::string loop = "T.assume(0 < s)\nfor i in range(1, 8, s):\n    A[i] = 9";
    EXPECT_EQ(cells(loop, 1), "0 9 9 9 9 9 9 9");
    EXPECT_EQ(cells(loop, 3), "0 9 2 3 9 5 6 9");
    EXPECT_EQ(cells(loop, 6), "0 9 2 3 4 5 6 9");
    EXPECT_EQ(cells(loop, 7), "0 9 2 3 4 5 6 7");
    EXPECT_EQ(cells(loop, 100), "0 9 2 3 4 5 6 7");
    EXPECT_EQ(cells("for i in range(8, s, 2):\n    A[i] = 9", 3), "0 1 2 3 4 5 6 7");
    // Trap: the start and the step are evaluated in each iteration, when the body has changed them.
    EXPECT_EQ(cells("for i in range(A[1], 8, 2):\n    A[1] = 5\n    A[i] = 9", 0),
              "0 5 2 9 4 9 6 9");
    EXPECT_EQ(cells("for i in range(0, 8, T.max(A[3], 1)):\n    A[3] = 1\n    A[i] = 9", 0),
              "9 1 2 1 4 5 9 7");
}

TEST_F(TextSteps, WhatIsReadFromMemoryGetsAName) {
    steps("for i in range(A[0], 8, 2):\n    A[i] = 1",
          "start: T.int32 = A[0]\nfor i in range(4 - start // 2):\n    A[start + i * 2] = 1");
    steps("for i in range(A[0], 8, T.max(A[1], 1)):\n    A[i] = 1",
          "start: T.int32 = A[0]\nstep: T.int32 = T.max(A[1], 1)\n"
          "for i in range(8 // step - start // step + "
          "T.max(T.min(8 % step - start % step, 1), 0)):\n"
          "    A[start + i * step] = 1");
    steps("for i in range(0, A[0], 2):\n    A[i] = 1",
          "stop: T.int32 = A[0]\nfor i in range(stop // 2 + T.min(stop % 2, 1)):\n"
          "    A[i * 2] = 1");
}

// Traps: hi + step - 1 and hi - lo leave the range of the type, where no iteration does, and a
// division faults on what is out of range.
TEST_F(TextSteps, RunAsPythonDoesAtTheEndsOfTheRange) {
    const auto loop = [](const std::string& lo, const std::string& hi, const std::string& step) {
        return "for i in range(" + lo + ", " + hi + ", " + step +
               "):\n    A[i // 1073741824 + 2] = 9";
    };
    const std::string from = "-2147483648";
    const std::string to = "2147483647";
    const std::string step = "1073741824";
    const std::string all = "9 9 9 9 4 5 6 7";  // -2^31, -2^30, 0, 2^30
    const std::string none = "0 1 2 3 4 5 6 7";
    EXPECT_EQ(cells(loop(from, to, step), 0), all);
    EXPECT_EQ(cells(loop("0", to, step), 0), "0 1 9 9 4 5 6 7");
    EXPECT_EQ(cells(loop("1", to, step), 0), "0 1 9 9 4 5 6 7");
    EXPECT_EQ(cells(loop(to, from, step), 0), none);
    // One of the three is a parameter.
    EXPECT_EQ(cells(loop("s", to, step), -2147483648), all);
    EXPECT_EQ(cells(loop("s", to, step), 2147483646), "0 1 2 9 4 5 6 7");
    EXPECT_EQ(cells(loop("s", to, step), 2147483647), none);
    EXPECT_EQ(cells(loop("s", "0", step), -2147483648), "9 9 2 3 4 5 6 7");
    EXPECT_EQ(cells(loop(from, "s", step), 2147483647), all);
    EXPECT_EQ(cells(loop(from, "s", step), 0), "9 9 2 3 4 5 6 7");
    EXPECT_EQ(cells(loop(from, "s", step), 1), "9 9 9 3 4 5 6 7");
    EXPECT_EQ(cells(loop(from, "s", step), -2147483648), none);
    EXPECT_EQ(cells(loop("0", "s", step), -2147483648), none);
    EXPECT_EQ(cells(loop("0", "s", step), 1073741824), "0 1 9 3 4 5 6 7");
    EXPECT_EQ(cells(loop("0", "s", step), 1073741825), "0 1 9 9 4 5 6 7");
    EXPECT_EQ(cells(loop("5", "s", step), -2147483648), none);
    EXPECT_EQ(cells(loop(from, to, "T.max(s, 1)"), 1073741824), all);
    EXPECT_EQ(cells(loop(from, to, "T.max(s, 1)"), 2147483647), "9 9 2 9 4 5 6 7");
    EXPECT_EQ(cells(loop("0", to, "T.max(s, 1)"), 2147483647), "0 1 9 3 4 5 6 7");
    EXPECT_EQ(cells("for i in T.serial(T.int64(0), T.int64(9223372036854775807), "
                    "step=T.int64(4611686018427387904)):\n"
                    "    A[T.Cast(\"int32\", i // T.int64(4611686018427387904))] = 9",
                    0),
              "9 9 2 3 4 5 6 7");
    EXPECT_THAT(fails(function(kSteps, "for i in range(-2147483648, 2147483647, 2):\n    pass")),
                HasSubstr("more iterations than int32 counts"));
    steps("for i in range(-2147483647, 2147483646, 2):\n    pass",
          "for i in range(2147483647):\n    pass");
}

}  // namespace
}  // namespace proviso::ir
