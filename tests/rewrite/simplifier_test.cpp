// The simplifier: what index expressions become, that it ends, and that it agrees with the
// evaluator on random expressions.
#include "rewrite/simplify/simplifier.h"

#include <gtest/gtest.h>

#include "ir/children.h"
#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "tests/rewrite/rule_instances.h"

namespace proviso::rewrite {
namespace {

using ir::Expr;

struct Bench {
    ir::Context ctx;
    analysis::Prover prover{ctx, {}};
    Simplifier simplifier{prover};
    ir::Scope scope;

    Bench() {
        for (const char* name : {"x", "y", "io", "ii", "n", "m", "i", "j", "k"}) {
            scope.vars[name] = ctx.var(name, ir::kInt32);
        }
        for (const char* name : {"u", "v"}) scope.vars[name] = ctx.var(name, ir::kUInt8);
        for (const char* name : {"f", "g"}) scope.vars[name] = ctx.var(name, ir::kFloat32);
        for (const char* name : {"p", "q"}) scope.vars[name] = ctx.var(name, ir::kBool);
    }
    Expr read(const std::string& text) {
        auto e = ir::parse_expr(ctx, text, scope);
        EXPECT_TRUE(e.ok()) << (e.ok() ? "" : e.error().str());
        return *e;
    }
    std::string simplify(const std::string& text, const std::vector<std::string>& given = {}) {
        std::vector<Expr> facts;
        for (const std::string& g : given) facts.push_back(read(g));
        const Simplified out = simplifier.simplify(read(text), facts);
        EXPECT_TRUE(out.fixpoint) << text;
        return ir::print(out.result);
    }
};

struct Example {
    const char* expr;
    std::vector<std::string> given;
    const char* result;
};

TEST(Simplifier, IndexExpressions) {
    const std::vector<std::string> tile = {"0 <= ii", "ii < 4", "0 <= io", "io < 4"};
    const std::vector<Example> examples = {
        {"(x * 8 + 3) // 4", {"x >= 0"}, "x * 2"},
        {"(io * 4 + ii) // 4", tile, "io"},
        {"(io * 4 + ii) % 4", tile, "ii"},
        {"io * 4 + ii < 16", tile, "True"},
        {"(io * 4 + ii) // 8", tile, "io // 2"},
        {"(io * 4 + ii) % 8", tile, "io % 2 * 4 + ii"},
        {"io * 4 + ii < n * 4", {"0 <= ii", "ii < 4", "0 <= n", "n < 1000"}, "io < n"},
        {"x // 4 * 4 + x % 4", {}, "x"},
        {"y + x // 4 * 4 + 2 + x % 4", {}, "x + y + 2"},
        {"x + y - x", {}, "y"},
        {"(i * 16 + j * 4 + k) // 4", {"0 <= k", "k < 4"}, "i * 4 + j"},
        {"x * 4 < 17", {}, "x < 5"},
        {"x % 8 % 4", {}, "x % 4"},
        {"x // 2 // 3", {}, "x // 6"},
        {"T.min(x, x + 3)", {}, "x"},
        {"T.max(T.min(x, 7), 9)", {}, "9"},
        {"x < y and y < x", {}, "False"},
        {"T.if_then_else(x < 5, T.if_then_else(x < 7, x, y), n)",
         {},
         "T.if_then_else(x < 5, x, n)"},
        {"T.truncdiv(x, 4)", {"0 <= x"}, "x // 4"},
    };
    Bench bench;
    for (const Example& e : examples) {
        EXPECT_EQ(bench.simplify(e.expr, e.given), e.result) << e.expr;
    }
}

// What must not be rewritten, because the semantics or a missing fact is in the way.
TEST(Simplifier, LeavesWhatItCannotJustify) {
    const std::vector<Example> examples = {
        {"(io * 4 + ii) // 4", {}, "io + ii // 4"},                            // ii may be anything
        {"f + T.float32(0)", {}, "f + T.float32(0)"},                          // -0.0
        {"f - f", {}, "f - f"},                                                // NaN
        {"not f < g", {}, "not f < g"},                                        // NaN
        {"u * T.uint8(8) // T.uint8(4)", {}, "u * T.uint8(8) // T.uint8(4)"},  // wraps
        {"T.truncdiv(x, 4)", {}, "T.truncdiv(x, 4)"},                          // x may be negative
        {"x // 0", {}, "x // 0"},                                              // a fault stays one
    };
    Bench bench;
    for (const Example& e : examples) {
        Expr expected = bench.read(e.result);
        EXPECT_EQ(bench.simplify(e.expr, e.given), ir::print(expected)) << e.expr;
    }
}

TEST(Simplifier, GivesTheChainOfItsSteps) {
    Bench bench;
    const Simplified out = bench.simplifier.simplify(bench.read("(x * 8 + 3) // 4"));
    ASSERT_FALSE(out.chain.empty());
    EXPECT_EQ(out.chain[0].rule, "floordiv-split-multiple");
    for (const RuleApplication& step : out.chain) EXPECT_NE(step.before, step.after);
}

TEST(Simplifier, ReportsWhenItIsCutShort) {
    ir::Context ctx;
    analysis::Prover prover(ctx, {});
    // Two rules that undo each other.
    const std::vector<ExpressionRule> loop = {
        {"there", kFloats, "x - y", "x + (-y)"},
        {"back", kFloats, "x + (-y)", "x - y"},
    };
    const RuleBook book(loop);
    Simplifier simplifier(prover, book, SimplifyOptions{100, true});
    Expr f = ctx.var("f", ir::kFloat32);
    Expr g = ctx.var("g", ir::kFloat32);
    EXPECT_FALSE(simplifier.simplify(ctx.sub(f, g)).fixpoint);
}

// Random expressions over a few variables, with faults and wrap-around within reach.
class RandomExpr {
  public:
    RandomExpr(ir::Context& ctx, ir::ScalarType type, std::uint64_t seed)
        : ctx_(ctx), type_(type), random_(seed) {}

    Expr number(int depth) {
        if (depth == 0 || pick(6) == 0) {
            if (pick(3) == 0) return test::interesting_constant(ctx_, type_, random_);
            static const char* names[] = {"a", "b", "c"};
            return ctx_.var(names[pick(3)], type_);
        }
        static constexpr ir::Op int_ops[] = {ir::Op::Add,      ir::Op::Sub,      ir::Op::Mul,
                                             ir::Op::FloorDiv, ir::Op::FloorMod, ir::Op::TruncDiv,
                                             ir::Op::TruncMod, ir::Op::Min,      ir::Op::Max};
        static constexpr ir::Op float_ops[] = {ir::Op::Add, ir::Op::Sub, ir::Op::Mul,
                                               ir::Op::Div, ir::Op::Min, ir::Op::Max};
        switch (pick(8)) {
            case 0: return ctx_.neg(number(depth - 1));
            case 1: return ctx_.select(truth(depth - 1), number(depth - 1), number(depth - 1));
            case 2:
                return ctx_.if_then_else(truth(depth - 1), number(depth - 1), number(depth - 1));
            default: break;
        }
        const ir::Op op = type_.is_float() ? float_ops[pick(6)] : int_ops[pick(9)];
        Expr a = number(depth - 1);
        const bool constant = pick(2) == 0;
        Expr b = constant ? test::interesting_constant(ctx_, type_, random_) : number(depth - 1);
        return ctx_.make(op, {a, b});
    }
    Expr truth(int depth) {
        if (depth > 0 && pick(3) == 0) {
            if (pick(3) == 0) return ctx_.not_(truth(depth - 1));
            return ctx_.make(pick(2) == 0 ? ir::Op::And : ir::Op::Or,
                             {truth(depth - 1), truth(depth - 1)});
        }
        static constexpr ir::Op ops[] = {ir::Op::Lt, ir::Op::Le, ir::Op::Eq, ir::Op::Ne};
        return ctx_.make(ops[pick(4)], {number(depth - 1 < 0 ? 0 : depth - 1), number(0)});
    }
    ir::Environment values() {
        ir::Environment out;
        for (const char* name : {"a", "b", "c"}) {
            out.vars[ctx_.var(name, type_)] =
                *ir::constant_value(test::interesting_constant(ctx_, type_, random_));
        }
        return out;
    }
    std::size_t pick(std::size_t n) { return random_() % n; }

  private:
    ir::Context& ctx_;
    ir::ScalarType type_;
    std::mt19937_64 random_;
};

TEST(Simplifier, AgreesWithTheEvaluatorAndEnds) {
    const ir::ScalarType types[] = {ir::kInt32, ir::kInt64, ir::kInt8, ir::kUInt8, ir::kFloat32};
    for (const ir::ScalarType type : types) {
        ir::Context ctx;
        analysis::Prover prover(ctx, {});
        Simplifier simplifier(prover);
        RandomExpr random(ctx, type, 11);
        int evaluated = 0;
        for (int i = 0; i < 300; ++i) {
            Expr e = i % 2 == 0 ? random.number(4) : random.truth(4);
            const Simplified out = simplifier.simplify(e);
            ASSERT_TRUE(out.fixpoint) << ir::print(e);
            EXPECT_EQ(simplifier.simplify(out.result).result, out.result) << ir::print(e);
            for (int run = 0; run < 10; ++run) {
                const ir::Environment values = random.values();
                const ir::Evaluation before = ir::evaluate(e, values);
                if (!before.ok()) continue;
                ++evaluated;
                const ir::Evaluation after = ir::evaluate(out.result, values);
                ASSERT_TRUE(after.ok() && after.value == before.value)
                    << ir::print(e) << "\n became " << ir::print(out.result);
            }
        }
        EXPECT_GT(evaluated, 300) << type.str();
    }
}

}  // namespace
}  // namespace proviso::rewrite
