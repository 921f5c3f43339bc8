// Orders of quotients, remainders, min and max that ranges close once quotients are multiplied out:
// without the prover, and never where a value speaks against it.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "rewrite/simplify/surroundings.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;
using ir::Op;

constexpr int kLoops = 2;
constexpr int kExtents[kLoops] = {7, 5};

class Rounding : public testing::Test {
  protected:
    Rounding() {
        std::vector<Expr> facts;
        for (const int v : {0, 1}) {
            vars[v] = ctx.var(v == 0 ? "i" : "j", ir::kInt32);
            scope.vars[*vars[v]->name] = vars[v];
            facts.push_back(ctx.le(ctx.i32(0), vars[v]));
            facts.push_back(ctx.lt(vars[v], ctx.i32(kExtents[v])));
        }
        loops = &surroundings.of(facts);
    }
    bool proves(const std::string& claim) {
        return surroundings.proves(*loops, *ir::parse_expr(ctx, claim, scope, ir::kBool));
    }
    bool holds_everywhere(Expr claim) const {
        for (int i = 0; i < kExtents[0]; ++i) {
            for (int j = 0; j < kExtents[1]; ++j) {
                ir::Environment values;
                values.vars[vars[0]] = ir::Value::of_int(ir::Integer(i));
                values.vars[vars[1]] = ir::Value::of_int(ir::Integer(j));
                const ir::Evaluation out = ir::evaluate(claim, values);
                EXPECT_TRUE(out.ok()) << ir::print(claim);
                if (!out.value.truth()) return false;
            }
        }
        return true;
    }

    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
    Surroundings surroundings{prover};
    ir::Scope scope;
    Expr vars[kLoops] = {};
    FactSet* loops = nullptr;
};

TEST_F(Rounding, ClosesWithoutTheProver) {
    for (const char* claim :
         {"i // 2 <= i", "j % 2 <= j * 6", "(i * 4 + j) // 5 <= i + j", "T.min(i, 3) <= i",
          "i <= T.max(i, j)", "i // 2 + j // 3 <= i + j", "i // 3 < i + 1",
          "0 <= (i + j) * 2 + (i + 19) // 3 - j // 2", "T.min(i * 5 + j, 7) <= i * 5 + j",
          "(i * 7 + j) // 32 <= i", "(i + 31) // 6 - (i + 10) // 4 < 4"}) {
        EXPECT_TRUE(proves(claim)) << claim;
    }
    EXPECT_EQ(surroundings.asked(), 0U);
}

TEST_F(Rounding, RefusesWhatOneValueSpeaksAgainst) {
    // 0; 6; 0; 3; i = j: each fails at a single value or two.
    for (const char* claim : {"i // 2 < i", "i <= i // 2 + 2", "j % 2 < j * 6", "i <= T.min(i, 5)",
                              "T.max(i, j) < i + j", "i - i % 4 <= 3", "(i * 7 + j) // 31 < i"}) {
        EXPECT_FALSE(proves(claim)) << claim;
    }
}

TEST_F(Rounding, IsRightOnRandomOrders) {
    std::mt19937_64 random(11);
    const auto pick = [&random](int n) {
        return static_cast<int>(random() % static_cast<unsigned>(n));
    };
    const auto literal = [&](int least) { return ctx.i32(least + pick(5)); };
    const std::function<Expr(int)> term = [&](int depth) -> Expr {
        Expr a = depth == 0 ? vars[pick(2)] : term(depth - 1);
        Expr b = pick(2) == 0 ? vars[pick(2)] : literal(0);
        switch (pick(7)) {
            case 0: return ctx.floordiv(a, literal(2));
            case 1: return ctx.floormod(a, literal(2));
            case 2: return ctx.min(a, b);
            case 3: return ctx.max(a, b);
            case 4: return ctx.sub(a, b);
            case 5: return ctx.mul(a, literal(0));
            default: return ctx.add(a, b);
        }
    };
    int proved = 0;
    for (int n = 0; n < 4000; ++n) {
        Expr claim = ctx.make(pick(2) == 0 ? Op::Le : Op::Lt, {term(2), term(1)});
        if (!surroundings.proves(*loops, claim)) continue;
        ++proved;
        EXPECT_TRUE(holds_everywhere(claim)) << ir::print(claim);
    }
    EXPECT_GT(proved, 300);
    EXPECT_LT(surroundings.asked(), 1000U);
}

}  // namespace
}  // namespace proviso::rewrite
