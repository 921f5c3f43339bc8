// Sample points: what they say of an expression is what the evaluator says, points satisfy the
// facts, and nothing that follows from the facts is seen to fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;
using ir::Op;

class RandomTerm {
  public:
    RandomTerm(ir::Context& ctx, ir::ScalarType type, std::uint64_t seed)
        : ctx_(ctx), type_(type), random_(seed) {}

    Expr number(int depth) {
        if (depth == 0 || pick(5) == 0) {
            static constexpr std::int64_t few[] = {0, 1, 2, 3, 7, 100};
            if (pick(3) == 0) return ctx_.int_imm(type_, few[pick(6)]);
            if (pick(20) == 0) return ctx_.int_imm(type_, type_.max_value());
            return ctx_.var(std::string(1, static_cast<char>('a' + pick(3))), type_);
        }
        static constexpr Op ops[] = {
            Op::Add, Op::Sub, Op::Mul,    Op::FloorDiv, Op::FloorMod, Op::TruncDiv, Op::TruncMod,
            Op::Min, Op::Max, Op::BitAnd, Op::BitOr,    Op::BitXor,   Op::Shl};
        switch (pick(8)) {
            case 0: return ctx_.select(truth(depth - 1), number(depth - 1), number(depth - 1));
            case 1:
                return ctx_.if_then_else(truth(depth - 1), number(depth - 1), number(depth - 1));
            case 2: return ctx_.neg(number(depth - 1));
            default:
                return ctx_.make(ops[pick(std::size(ops))], {number(depth - 1), number(depth - 1)});
        }
    }
    Expr truth(int depth) {
        static constexpr Op ops[] = {Op::Lt, Op::Le, Op::Eq, Op::Ne};
        if (depth > 0 && pick(3) == 0) {
            if (pick(3) == 0) return ctx_.not_(truth(depth - 1));
            return ctx_.make(pick(2) == 0 ? Op::And : Op::Or, {truth(depth - 1), truth(depth - 1)});
        }
        const int rest = depth > 0 ? depth - 1 : 0;
        return ctx_.make(ops[pick(4)], {number(rest), number(rest)});
    }

  private:
    std::size_t pick(std::size_t n) { return random_() % n; }

    ir::Context& ctx_;
    ir::ScalarType type_;
    std::mt19937_64 random_;
};

TEST(Samples, AgreeWithTheEvaluator) {
    for (const ir::ScalarType type : {ir::kInt32, ir::kInt64, ir::kInt8, ir::kUInt8, ir::kUInt64}) {
        ir::Context ctx;
        analysis::Prover prover(ctx, {});
        Surroundings surroundings(prover);
        RandomTerm random(ctx, type, 5);
        int compared = 0;
        for (int i = 0; i < 600; ++i) {
            std::vector<Expr> facts;
            if (i % 2 == 0) {
                facts = {ctx.le(ctx.int_imm(type, 1), ctx.var("b", type)),
                         ctx.lt(ctx.var("b", type), ctx.int_imm(type, 9))};
            }
            FactSet& s = surroundings.of(facts);
            Expr e = i % 3 == 0 ? random.truth(4) : random.number(4);
            const Lanes at = surroundings.lanes(s, e);
            for (std::size_t lane = 0; lane < Lanes::kCount; ++lane) {
                if (!at.has(lane)) continue;
                ir::Environment values;
                for (const char* name : {"a", "b", "c"}) {
                    Expr v = ctx.var(name, type);
                    const Lanes& given = surroundings.lanes(s, v);
                    ASSERT_TRUE(given.has(lane));
                    values.vars[v] = ir::Value::of_int(ir::Integer(given.value[lane]));
                }
                const ir::Evaluation out = ir::evaluate(e, values);
                ASSERT_TRUE(out.ok()) << ir::print(e) << ": " << out.fault->str();
                EXPECT_EQ(out.value.integer().str(), std::to_string(at.value[lane]))
                    << ir::print(e);
                ++compared;
            }
        }
        EXPECT_GT(compared, 500) << type.str();
    }
}

class Facts : public testing::Test {
  protected:
    Facts() {
        for (const char* name : {"x", "y", "z", "n", "u", "v", "w"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        scope.buffers["A"] = ctx.buffer("A", ir::kInt32, {ctx.i32(16)});
    }
    Expr read(const std::string& text) { return *ir::parse_expr(ctx, text, scope, ir::kBool); }
    FactSet& set(const std::vector<std::string>& given) {
        std::vector<Expr> facts;
        for (const std::string& g : given) facts.push_back(read(g));
        return surroundings.of(facts);
    }

    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
    Surroundings surroundings{prover};
    ir::Scope scope;
};

TEST_F(Facts, HoldAtAllPoints) {
    const std::vector<std::vector<std::string>> all = {
        {"0 <= x", "x < 8"},
        {"x == y", "0 <= y", "y < 100"},
        {"y == x * 4 + 1", "0 <= x", "x < 5", "z == y"},
        {"x < y or y < 3"},
        {"n % 4 == 0", "0 < n"},
    };
    for (const std::vector<std::string>& given : all) {
        FactSet& s = set(given);
        EXPECT_NE(surroundings.points(s), 0) << given[0];
        for (Expr f : s.facts) EXPECT_FALSE(surroundings.seen(s, f).fails) << ir::print(f);
    }
}

// What cannot be satisfied, or not be evaluated, has no points: nothing is seen then.
TEST_F(Facts, MayHaveNoPoints) {
    for (const char* given : {"x < x", "A[x] == 3", "x * x == 2"}) {
        FactSet& s = set({given});
        EXPECT_EQ(surroundings.points(s), 0) << given;
        EXPECT_FALSE(surroundings.seen(s, read("x < y")).fails) << given;
    }
}

TEST_F(Facts, WhatFollowsIsNotSeenToFail) {
    FactSet& s = set({"0 <= x", "x < 8", "y == x * 4"});
    for (const char* claim : {"y <= 28", "y % 4 == 0", "x <= y", "x // 8 == 0"}) {
        EXPECT_FALSE(surroundings.seen(s, read(claim)).fails) << claim;
    }
    for (const char* claim : {"y < 28", "x < y", "x % 4 == x"}) {
        EXPECT_TRUE(surroundings.seen(s, read(claim)).fails) << claim;
        EXPECT_FALSE(surroundings.proves(s, read(claim))) << claim;
    }
    // A condition within narrows what was known outside.
    FactSet& inner = surroundings.with(s, read("3 <= x"));
    EXPECT_TRUE(surroundings.proves(inner, read("x < y")));
}

// A variable that facts bound by another gets values that go with those of the other.
TEST_F(Facts, TilesAreSeenToOverhang) {
    FactSet& s = set({"0 <= x", "x < (n + 3) // 4", "0 <= y", "y < 4", "0 <= n", "n <= 1000"});
    EXPECT_NE(surroundings.points(s), 0);
    Expr inside = read("x * 4 + y < n");
    EXPECT_TRUE(surroundings.seen(s, inside).fails || surroundings.fails_elsewhere(s, inside));
    Expr near = read("x * 4 + y < n + 3");
    EXPECT_FALSE(surroundings.seen(s, near).fails || surroundings.fails_elsewhere(s, near));
}

// Less than a minimum is less than both; of a maximum, less than the one that it can be less than;
// what bounds a quotient bounds its number.
TEST_F(Facts, SpeakOfArmsAndOfQuotients) {
    FactSet& s = set({"0 <= x", "x < T.max(T.min(y, z), 0)", "n // 4 <= 7", "T.max(u, v) <= n",
                      "T.min(w, 3) <= 2"});
    for (const char* claim : {"x < y", "x < z", "n <= 31", "u <= n", "v <= 31", "w <= 2"}) {
        EXPECT_TRUE(surroundings.proves(s, read(claim))) << claim;
    }
    EXPECT_EQ(surroundings.asked(), 0U);
    for (const char* claim : {"y <= x", "n <= 30", "w < 2", "u < n", "0 <= n"}) {
        EXPECT_FALSE(surroundings.proves(s, read(claim))) << claim;
    }
    FactSet& open = set({"x < T.max(y, z)", "0 <= n"});
    EXPECT_FALSE(surroundings.proves(open, read("x < y")));
    EXPECT_FALSE(surroundings.proves(open, read("x < z")));
    EXPECT_TRUE(surroundings.proves(surroundings.with(open, read("y <= x")), read("x < z")));
}

// Equal where a condition holds is not equal outside of it.
TEST_F(Facts, EqualUnderAConditionIsNotEqualOutside) {
    FactSet& s = set({"0 <= x", "x < 8"});
    FactSet& inner = surroundings.with(s, read("x < 4"));
    Expr x = ctx.var("x", ir::kInt32);
    Expr twice = ctx.mul(x, ctx.i32(2));
    Expr folded = ctx.floormod(twice, ctx.i32(8));
    surroundings.lanes(inner, folded);
    surroundings.seen_equal(inner, folded, ctx.add(x, x));
    EXPECT_FALSE(surroundings.seen(s, ctx.le(ctx.add(x, x), twice)).fails);
    EXPECT_FALSE(surroundings.seen(s, ctx.le(twice, ctx.add(x, x))).fails);
}

// What ranges leave open about terms that nothing relates stays open; what they share, or a fact
// relates, may be known by other means.
TEST_F(Facts, RangesSayAllOfWhatNothingRelates) {
    FactSet& s = set({"0 <= x", "x < 8", "0 <= y", "u < v", "A[0] < w"});
    const auto all = [&](const char* a, const char* b) {
        Expr claim = read(fmt::format("{} < {}", a, b));
        return surroundings.ranges_say_all(s, claim->arg(0), claim->arg(1));
    };
    EXPECT_TRUE(all("x * 4", "y + 1"));
    EXPECT_TRUE(all("x * 4", "z"));
    EXPECT_TRUE(all("x", "A[1]"));
    EXPECT_FALSE(all("x * 4", "y + x"));
    EXPECT_FALSE(all("x * x", "y"));
    EXPECT_FALSE(all("x", "A[x]"));
    EXPECT_FALSE(all("x", "u"));
    EXPECT_FALSE(all("x", "w + 1"));
    EXPECT_FALSE(all("x", "A[0]"));
    FactSet& inner = surroundings.with(s, read("x < y"));
    EXPECT_FALSE(surroundings.ranges_say_all(inner, read("x < 3")->arg(0), ctx.i32(3)));
    EXPECT_TRUE(surroundings.ranges_say_all(s, read("x < 3")->arg(0), ctx.i32(3)));
}

// Beyond its type's range a sum is a number like others; a comparison of it is a fault.
TEST_F(Facts, SumsOutOfRangeAreNotSeenInComparisons) {
    FactSet& s = set({"x == 2147483647"});
    EXPECT_TRUE(surroundings.seen_out_of_range(s, ctx.add(ctx.var("x", ir::kInt32), ctx.i32(1))));
    EXPECT_FALSE(surroundings.seen(s, read("x + 1 < 0")).fails);
}

}  // namespace
}  // namespace proviso::rewrite
