// Bounds and projections: known answers, and random conditions against enumeration. What a
// solution says of its direction must be true of every point.
#include <gtest/gtest.h>

#include "analysis/solve/condition.h"
#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"

namespace proviso::analysis::solve {
namespace {

using ir::Expr;

class Conditions : public testing::Test {
  protected:
    ir::Context ctx;
    Prover prover{ctx, options()};
    std::map<std::string, Expr> vars;

    Conditions() {
        for (const char* name : {"x", "y", "n", "m"}) vars[name] = ctx.var(name, ir::kInt32);
    }
    static ProverOptions options() {
        ProverOptions out;
        out.use_cvc5 = false;
        out.rlimit = 400'000;
        return out;
    }
    Expr read(const std::string& text) {
        const auto out = ir::parse_expr(ctx, text, {vars, {}}, ir::kBool);
        EXPECT_TRUE(out.ok()) << text << ": " << (out.ok() ? "" : out.error().str());
        return *out;
    }
    std::vector<Expr> read_all(const std::vector<std::string>& texts) {
        std::vector<Expr> out;
        for (const std::string& t : texts) out.push_back(read(t));
        return out;
    }
    static std::string text(const Solutions& s) {
        std::string out;
        for (const Solved& a : s.answers) {
            if (!out.empty()) out += "; ";
            out += std::string(direction_name(a.direction)) + ": " + ir::print(a.formula);
            EXPECT_TRUE(all_proved(a.checks));
            EXPECT_FALSE(a.checks.empty() && !ir::is_false(a.formula));
        }
        return out;
    }
    std::string solved(const std::string& condition, const std::vector<std::string>& facts = {}) {
        return text(*bounds(prover, read_all(facts), vars["x"], read(condition)));
    }
    std::string without_x(const std::string& condition,
                          const std::vector<std::string>& facts = {}) {
        return text(*project(prover, read_all(facts), vars["x"], read(condition)));
    }
};

TEST_F(Conditions, BoundsOfOneVariable) {
    EXPECT_EQ(solved("2 * x + 1 < n"), "exact: x <= (n - 2) // 2");
    EXPECT_EQ(solved("x // 4 == 3"), "exact: 12 <= x and x <= 15");
    EXPECT_EQ(solved("n - x * 3 > 5"), "exact: x <= (n - 6) // 3");
    EXPECT_EQ(solved("0 <= x and x < n and x < m", {"n <= m"}), "exact: 0 <= x and x <= n - 1");
    EXPECT_EQ(solved("x * n < m", {"n > 0"}), "exact: x <= (m - 1) // n");
    EXPECT_EQ(solved("x != 3"), "exact: x <= 2 or 4 <= x");
    EXPECT_EQ(solved("3 * x == 12"), "exact: x == 4");
    EXPECT_EQ(solved("3 * x == 13"), "exact: False");
    EXPECT_EQ(solved("(x + 3) % 8 == 1"), "exact: x % 8 == 6");
    EXPECT_EQ(solved("x >> 3 >= n"), "exact: n * 8 <= x");
    EXPECT_EQ(solved("x % 6 == 2 and x % 4 == 0 and 0 <= x and x < 100"),
              "exact: 0 <= x and x <= 99 and x % 12 == 8");
    EXPECT_EQ(solved("x % 6 == 2 and x % 4 == 1"), "exact: False");
    EXPECT_EQ(solved("n * x < m and n > 0"), "exact: 0 < n and x <= (m - 1) // n");
    EXPECT_EQ(solved("T.min(x, n) >= 4 and not (x > 9)"), "exact: 4 <= n and 4 <= x and x <= 9");
}

TEST_F(Conditions, ApproximationsSayTheirDirection) {
    EXPECT_EQ(solved("x < 10 and x * x != 7 * y"), "over: x <= 9; under: False");
    EXPECT_EQ(solved("x < 10 or x * x == 7 * y"), "over: x <= 9 or 0 <= y * 7; under: x <= 9");
    EXPECT_EQ(without_x("x * x == y"), "over: 0 <= y; under: False") << "2 is no square";
}

struct Example {
    const char* condition;
    std::vector<std::string> facts;
    const char* answer;
};

TEST_F(Conditions, OfEveryOperator) {
    const std::vector<Example> examples = {
        {"T.abs(x) < 5", {}, "-4 <= x and x <= 4"},
        {"T.abs(x) >= 5", {}, "x <= -5 or 5 <= x"},
        {"T.abs(x - y) <= 2", {}, "y - 2 <= x and x <= y + 2"},
        {"x * x <= 10", {}, "-3 <= x and x <= 3"},
        {"x * x <= 100", {}, "-10 <= x and x <= 10"},
        {"x * x <= 99", {}, "-9 <= x and x <= 9"},
        {"x * x >= 10", {}, "x <= -4 or 4 <= x"},
        {"x * x == 49", {}, "x == -7 or x == 7"},
        {"x * x == 50", {}, "False"},
        {"x * (x + 1) <= 20", {}, "-5 <= x and x <= 4"},
        {"x // 3 % 4 == 2", {}, "6 <= x % 12 and x % 12 <= 8"},
        {"x // -3 == 2", {}, "-8 <= x and x <= -6"},
        {"x % -3 == -1", {}, "x % 3 == 2"},
        {"T.truncdiv(x, 3) == -1", {}, "-5 <= x and x <= -3"},
        {"T.truncdiv(x, 3) == 0", {}, "-2 <= x and x <= 2"},
        {"T.truncmod(x, 4) == 3", {}, "0 <= x and x % 4 == 3"},
        {"T.truncmod(x, 4) == -3", {}, "x <= -1 and x % 4 == 1"},
        {"(x & ~3) == 8", {}, "8 <= x and x <= 11"},
        {"(x & 7) == 3", {}, "x % 8 == 3"},
        {"(x & 12) == 4", {}, "4 <= x % 16 and x % 16 <= 7"},
        {"(x | 3) == 7", {}, "4 <= x and x <= 7"},
        {"(x >> 2) == 5", {}, "20 <= x and x <= 23"},
        {"x ^ 5 == 3", {}, "x == 6"},
        {"x ^ y == n", {}, "x == n ^ y"},
        {"(x ^ 5) < 3", {}, "x <= -1 or 4 <= x and x <= 5 or x == 7"},
        {"T.min(x, y) < 3", {}, "x <= 2 or y <= 2"},
        {"T.max(x, 3) <= y", {}, "3 <= y and x <= y"},
        {"T.Select(x < 3, x, 10 - x) > 2", {}, "3 <= x and x <= 7"},
        {"x - x % 4 <= n", {}, "x <= n // 4 * 4 + 3"},
        {"x // 4 * 4 + x % 4 <= n", {}, "x <= n"},
        {"x // 4 + x % 4 == 3", {}, "3 <= x and x <= 12 and x % 3 == 0"},
        {"(x + 3) // 4 * 4 == x", {}, "x % 4 == 0"},
        {"x * n + x < m", {"n >= 0"}, "x <= (m - 1) // (n + 1)"},
    };
    for (const Example& e : examples) {
        EXPECT_EQ(solved(e.condition, e.facts), std::string("exact: ") + e.answer) << e.condition;
    }
}

TEST_F(Conditions, RemaindersAreWindows) {
    const std::vector<Example> examples = {
        {"x % 8 < 3", {}, "x % 8 <= 2"},
        {"x % 8 != 3", {}, "(x - 4) % 8 <= 6"},
        {"x % 8 >= 5", {}, "5 <= x % 8"},
        {"x % 8 < n", {}, "1 <= n and x % 8 <= n - 1"},
        {"x % n < m", {"n > 0"}, "1 <= m and x % n <= m - 1"},
        {"x % 6 == 1 or x % 6 == 4", {}, "x % 3 == 1"},
        {"(2 * x + 1) % 8 <= 3", {}, "x % 4 <= 1"},
        {"(6 * x) % 4 == 2", {}, "x % 2 == 1"},
        {"(2 * x) % 4 == 1", {}, "False"},
        {"x % 6 == n and x % 4 == m and x < 10",
         {},
         "0 <= n and n < 6 and 0 <= m and m < 4 and x <= 9 and x % 6 == n and x % 4 == m"},
        {"x // 4 == n and x % 4 == m", {}, "0 <= m and m < 4 and x == n * 4 + m"},
        {"x * 6 == y * 4", {}, "y % 3 == 0 and x == y * 2 // 3"},
        {"2 * x + 3 * y == 7", {}, "y % 2 == 1 and x == (7 - y * 3) // 2"},
    };
    for (const Example& e : examples) {
        EXPECT_EQ(solved(e.condition, e.facts), std::string("exact: ") + e.answer) << e.condition;
    }
}

TEST_F(Conditions, AFactorOfUnknownSignMakesThreeCases) {
    Prover with_both_solvers(ctx, {});
    EXPECT_EQ(text(*bounds(with_both_solvers, {}, vars["x"], read("x * n < m"))),
              "exact: 0 < n and x <= (m - 1) // n or n < 0 and (-n - m) // -n <= x or n == 0 and 1 "
              "<= m");
}

TEST_F(Conditions, WitnessesOfProjections) {
    const std::vector<Example> examples = {
        {"x * 3 == y", {}, "y % 3 == 0"},
        {"x * 6 == y * 4", {}, "y % 3 == 0"},
        {"2 * x <= y and y <= 2 * x + 1", {}, "True"},
        {"y <= x * x", {}, "True"},
        {"x ^ 5 == y", {}, "True"},
        {"T.abs(x) == y", {}, "0 <= y"},
        {"x // 4 == n and x % 4 == m", {"0 <= n", "n < 100"}, "0 <= m and m < 4"},
        {"x % 6 == n and x % 4 == m",
         {},
         "0 <= n and n < 6 and 0 <= m and m < 4 and (n + m) % 2 == 0"},
        {"0 <= x and x < n and x % 4 == 2", {}, "3 <= n"},
        {"x % 8 < 3 and y <= x and x <= y + 4", {"0 <= y", "y < 100"}, "(2 - y) % 8 <= 6"},
    };
    for (const Example& e : examples) {
        EXPECT_EQ(without_x(e.condition, e.facts), std::string("exact: ") + e.answer)
            << e.condition;
    }
}

TEST_F(Conditions, Projections) {
    EXPECT_EQ(without_x("0 <= x and 4 * x <= n"), "exact: 0 <= n // 4");
    EXPECT_EQ(without_x("y < x and x < m"), "exact: y + 2 <= m");
    EXPECT_EQ(without_x("x % 4 == 3 and n <= x and x < n + 3 and 0 <= n and n < 1000"),
              "exact: 0 <= n and n < 1000 and (3 - n) % 4 <= 2")
        << "of three consecutive numbers, not all have a 3 modulo 4";
    EXPECT_EQ(without_x("x > y"), "exact: y <= 2147483646") << "x has a type, too";
    EXPECT_EQ(without_x("0 <= x and x < n", {"n > 3"}), "exact: True");
    EXPECT_EQ(without_x("x < n and x > 5 and x * x * y == m"), "over: 7 <= n; under: False");
}

TEST_F(Conditions, OnlyExactIntegersAreSolvedFor) {
    Expr u = ctx.var("u", ir::kUInt8);
    EXPECT_FALSE(bounds(prover, {}, u, ctx.lt(u, ctx.int_imm(ir::kUInt8, 3))).ok());
}

class RandomConditions : public Conditions {
  protected:
    ir::Chooser noise{17};
    bool bits = false;  // also bits, truncating divisions and squares
    int below(int n) { return static_cast<int>(noise.next() % static_cast<unsigned>(n)); }
    Expr number(int lo, int hi) { return ctx.i32(lo + below(hi - lo + 1)); }

    Expr term(int depth) {
        if (depth == 0) {
            const char* names[] = {"x", "x", "y", "n"};
            return below(4) == 0 ? number(-6, 6) : vars[names[below(4)]];
        }
        Expr a = term(depth - 1);
        switch (below(bits ? 14 : 7)) {
            case 0: return ctx.mul(a, number(-3, 3));
            case 1: return ctx.floordiv(a, number(1, 5));
            case 2: return ctx.floormod(a, number(1, 5));
            case 3: return ctx.sub(a, term(depth - 1));
            case 4: return ctx.min(a, term(depth - 1));
            case 7: return ctx.make(ir::Op::BitAnd, {a, number(-8, 15)});
            case 8: return ctx.make(ir::Op::BitOr, {a, number(-8, 15)});
            case 9: return ctx.make(ir::Op::BitXor, {a, number(-8, 15)});
            case 10: return ctx.make(ir::Op::Shr, {a, number(0, 3)});
            case 11:
                return ctx.make(ir::Op::TruncDiv,
                                {a, number(0, 1) == ctx.i32(0) ? number(-4, -1) : number(1, 4)});
            case 12: return ctx.make(ir::Op::TruncMod, {a, number(1, 5)});
            case 13: return ctx.mul(a, a);
            default: return ctx.add(a, term(depth - 1));
        }
    }
    Expr condition(int depth) {
        if (depth > 0) {
            Expr a = condition(depth - 1);
            switch (below(4)) {
                case 0: return ctx.or_(a, condition(depth - 1));
                case 1: return ctx.not_(a);
                default: return ctx.and_(a, condition(depth - 1));
            }
        }
        const ir::Op ops[] = {ir::Op::Lt, ir::Op::Le, ir::Op::Eq, ir::Op::Ne, ir::Op::Lt};
        return ctx.make(ops[below(5)], {term(below(3)), term(below(2))});
    }
    bool truth(Expr e, int x, int y, int n) {
        ir::Environment env;
        env.vars[vars["x"]] = ir::Value::of_int(x);
        env.vars[vars["y"]] = ir::Value::of_int(y);
        env.vars[vars["n"]] = ir::Value::of_int(n);
        const ir::Evaluation out = evaluate(e, env);
        EXPECT_TRUE(out.ok()) << ir::print(e);
        return out.value.truth();
    }

    // How many of the bounds are exact; each holds in its direction at every point.
    int check_bounds(int rounds) {
        int exact = 0;
        for (int round = 0; round < rounds && !HasFatalFailure(); ++round) check_one(exact);
        return exact;
    }
    void check_one(int& exact) {
        Expr c = condition(below(3));
        const Solutions s = *bounds(prover, {}, vars["x"], c);
        exact += s.exact() ? 1 : 0;
        for (const Solved& a : s.answers) {
            for (int x = -9; x <= 9; ++x) {
                for (int y = -4; y <= 4; y += 2) {
                    for (int n = -5; n <= 7; n += 3) {
                        const bool asked = truth(c, x, y, n);
                        const bool said = truth(a.formula, x, y, n);
                        if (a.direction != Direction::Under) {
                            ASSERT_LE(asked, said) << ir::print(c) << "\n" << ir::print(a.formula);
                        }
                        if (a.direction != Direction::Over) {
                            ASSERT_LE(said, asked) << ir::print(c) << "\n" << ir::print(a.formula);
                        }
                    }
                }
            }
        }
    }
};

TEST_F(RandomConditions, BoundsHoldInTheirDirection) {
    EXPECT_GT(check_bounds(150), 75) << "of 150";
}

TEST_F(RandomConditions, BoundsByBitsAndTruncationHoldInTheirDirection) {
    bits = true;
    EXPECT_GT(check_bounds(100), 50) << "of 100";
}

TEST_F(RandomConditions, ProjectionsHoldInTheirDirection) {
    int exact = 0;
    constexpr int rounds = 100;
    for (int round = 0; round < rounds; ++round) {
        // x is confined, so that "there is an x" can be enumerated.
        Expr c = ctx.all_of(
            {ctx.le(ctx.i32(-7), vars["x"]), ctx.lt(vars["x"], ctx.i32(8)), condition(below(2))});
        const Solutions s = *project(prover, {}, vars["x"], c);
        exact += s.exact() ? 1 : 0;
        for (const Solved& a : s.answers) {
            for (int y = -6; y <= 6; ++y) {
                for (int n = -6; n <= 6; ++n) {
                    bool there = false;
                    for (int x = -7; x < 8; ++x) there = there || truth(c, x, y, n);
                    const bool said = truth(a.formula, 1000, y, n);
                    if (a.direction != Direction::Under) {
                        ASSERT_LE(there, said) << ir::print(c) << "\n" << ir::print(a.formula);
                    }
                    if (a.direction != Direction::Over) {
                        ASSERT_LE(said, there) << ir::print(c) << "\n" << ir::print(a.formula);
                    }
                }
            }
        }
    }
    EXPECT_GT(exact, rounds / 2) << "of " << rounds;
}

}  // namespace
}  // namespace proviso::analysis::solve
