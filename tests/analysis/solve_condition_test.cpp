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
    EXPECT_EQ(solved("x < 10 or x * x == 7 * y"), "over: True; under: x <= 9");
    EXPECT_EQ(solved("x % 6 == n and x % 4 == m and x < 10"),
              "over: 0 <= n and n < 6 and 0 <= m and m < 4 and x <= 9 and x % 6 == n % 6; under: "
              "False");
    // A factor of unknown sign is no bound either way.
    EXPECT_EQ(solved("x * n < m"), "over: True; under: False");
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
    int below(int n) { return static_cast<int>(noise.next() % static_cast<unsigned>(n)); }
    Expr number(int lo, int hi) { return ctx.i32(lo + below(hi - lo + 1)); }

    Expr term(int depth) {
        if (depth == 0) {
            const char* names[] = {"x", "x", "y", "n"};
            return below(4) == 0 ? number(-6, 6) : vars[names[below(4)]];
        }
        Expr a = term(depth - 1);
        switch (below(7)) {
            case 0: return ctx.mul(a, number(-3, 3));
            case 1: return ctx.floordiv(a, number(1, 5));
            case 2: return ctx.floormod(a, number(1, 5));
            case 3: return ctx.sub(a, term(depth - 1));
            case 4: return ctx.min(a, term(depth - 1));
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
};

TEST_F(RandomConditions, BoundsHoldInTheirDirection) {
    int exact = 0;
    constexpr int rounds = 150;
    for (int round = 0; round < rounds; ++round) {
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
    EXPECT_GT(exact, rounds / 2) << "of " << rounds;
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
