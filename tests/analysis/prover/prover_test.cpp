// The prover's verdicts, models, canonical text and cache.
#include "analysis/prover/prover.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "analysis/prover/replay.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using ir::Expr;
using ir::MathFn;
using ir::Op;

class ProverTest : public testing::Test {
  protected:
    ir::Context ctx;
    Expr x = ctx.var("x", ir::kInt32);
    Expr y = ctx.var("y", ir::kInt32);
    Expr n = ctx.var("n", ir::kInt32);
    Expr f = ctx.var("f", ir::kFloat32);
    Expr g = ctx.var("g", ir::kFloat32);
    ir::Buffer A = ctx.buffer("A", ir::kFloat32, {ctx.i32(16)});
    Expr c(std::int64_t v) { return ctx.i32(v); }
    Expr f32(double v) { return ctx.float_imm(ir::kFloat32, v); }

    Answer solve(const std::vector<Expr>& facts, Expr goal) {
        ProverOptions options;
        options.use_cheap = false;
        return Prover(ctx, options).prove(facts, goal);
    }
    Verdict verdict(const std::vector<Expr>& facts, Expr goal) {
        return solve(facts, goal).verdict;
    }
    const ModelValue* value_of(const Answer& a, const std::string& name) {
        for (const ModelValue& v : a.model) {
            if (v.name == name) return &v;
        }
        return nullptr;
    }
};

TEST_F(ProverTest, exact_integers_have_the_range_of_their_type) {
    EXPECT_EQ(verdict({}, ctx.le(x, c(INT32_MAX))), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.le(ctx.add(x, c(1)), c(INT32_MAX))), Verdict::Refuted);
    // Exact: the sum does not wrap, so adding is monotone.
    EXPECT_EQ(verdict({}, ctx.lt(x, ctx.add(x, c(1)))), Verdict::Proved);
}

// Only where both cells are -0.0: found by trying, before a solver computes the bits of a sum.
TEST_F(ProverTest, a_sum_that_is_minus_zero_is_found_by_trying) {
    ProverOptions options;
    options.use_z3 = false;
    options.use_cvc5 = false;
    const Expr i = ctx.floordiv(x, c(2));
    const ir::Buffer other = ctx.buffer("B", ir::kFloat32, {ctx.i32(16)});
    const Expr a = ctx.load(A, {i});
    const Expr b = ctx.load(other, {i});
    const Answer out =
        Prover(ctx, options)
            .prove({ctx.le(c(0), x), ctx.lt(x, c(8)), ctx.defined(a), ctx.defined(b)},
                   ctx.not_(ctx.same(ctx.add(a, b), f32(-0.0))));
    EXPECT_EQ(out.verdict, Verdict::Refuted);
    EXPECT_EQ(out.by, "sample");
}

TEST_F(ProverTest, wrapping_integers_wrap) {
    const Expr u = ctx.var("u", ir::kUInt8);
    const Expr one = ctx.int_imm(ir::kUInt8, 1);
    const Answer a = solve({}, ctx.lt(u, ctx.add(u, one)));
    ASSERT_EQ(a.verdict, Verdict::Refuted);
    ASSERT_NE(value_of(a, "u"), nullptr);
    EXPECT_EQ(value_of(a, "u")->value, ctx.int_imm(ir::kUInt8, 255));
}

TEST_F(ProverTest, floor_and_truncating_division_differ_below_zero) {
    const Expr fd = ctx.floordiv(x, c(4));
    const Expr td = ctx.make(Op::TruncDiv, {x, c(4)});
    EXPECT_EQ(verdict({ctx.le(c(0), x)}, ctx.eq(fd, td)), Verdict::Proved);
    const Answer a = solve({}, ctx.eq(fd, td));
    ASSERT_EQ(a.verdict, Verdict::Refuted);
    EXPECT_LT(value_of(a, "x")->value->int_value(), 0);
    // x = x // 4 * 4 + x % 4, whatever the sign.
    EXPECT_EQ(verdict({}, ctx.eq(ctx.add(ctx.mul(fd, c(4)), ctx.floormod(x, c(4))), x)),
              Verdict::Proved);
}

TEST_F(ProverTest, floats_have_two_zeros_and_one_nan) {
    EXPECT_EQ(verdict({}, ctx.eq(f, f)), Verdict::Refuted);  // NaN
    EXPECT_EQ(verdict({}, ctx.same(f, f)), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.same(ctx.add(f, f32(0.0)), f)), Verdict::Refuted);  // -0.0
    EXPECT_EQ(verdict({}, ctx.same(ctx.add(f, f32(-0.0)), f)), Verdict::Proved);
    EXPECT_EQ(verdict({ctx.not_(ctx.same(f, f32(-0.0)))}, ctx.same(ctx.add(f, f32(0.0)), f)),
              Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.same(ctx.min(f32(0.0), f32(-0.0)), f32(0.0))), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.same(ctx.min(f, f32(1.0)), ctx.min(f32(1.0), f))), Verdict::Refuted);
}

TEST_F(ProverTest, loads_are_functions_of_their_indices) {
    const Expr Ax = ctx.load(A, {x});
    const Expr Ay = ctx.load(A, {y});
    EXPECT_EQ(verdict({ctx.eq(x, y)}, ctx.same(Ax, Ay)), Verdict::Proved);
    const Answer a = solve({ctx.defined(Ax), ctx.eq(x, c(3))}, ctx.same(Ax, Ay));
    ASSERT_EQ(a.verdict, Verdict::Refuted);
    ASSERT_NE(value_of(a, "A[3]"), nullptr);
    EXPECT_EQ(value_of(a, "A[3]")->expr, ctx.load(A, {c(3)}));
    EXPECT_EQ(verdict({ctx.defined(Ax)}, ctx.defined(Ay)), Verdict::Refuted);
}

TEST_F(ProverTest, a_cell_that_is_indeterminate_has_no_value_in_the_model) {
    const Answer a = solve({ctx.eq(x, c(3))}, ctx.defined(ctx.load(A, {x})));
    ASSERT_EQ(a.verdict, Verdict::Refuted);
    ASSERT_NE(value_of(a, "A[3]"), nullptr);
    EXPECT_EQ(value_of(a, "A[3]")->value, nullptr);
}

TEST_F(ProverTest, models_are_small_where_they_can_be) {
    const Answer a = solve({}, ctx.ne(ctx.mul(x, c(3)), ctx.add(y, c(7))));
    ASSERT_EQ(a.verdict, Verdict::Refuted);
    for (const ModelValue& v : a.model) {
        EXPECT_LE(v.value->int_value(), 4) << v.name;
        EXPECT_GE(v.value->int_value(), -4) << v.name;
    }
}

TEST_F(ProverTest, counterexamples_are_replayed) {
    const Obligation claim{{}, {ctx.lt(x, y)}, ctx.lt(ctx.floordiv(x, c(2)), y), {}};
    const auto model = [&](int at_x, int at_y) {
        return std::vector<ModelValue>{{"x", x, c(at_x)}, {"y", y, c(at_y)}};
    };
    EXPECT_FALSE(contradicts_itself(ctx, claim, model(-5, -4)));  // -3 < -4 is false: a refutation
    EXPECT_TRUE(contradicts_itself(ctx, claim, model(3, 1)));     // the fact is false
    EXPECT_TRUE(contradicts_itself(ctx, claim, model(2, 3)));     // the goal is true
    EXPECT_FALSE(contradicts_itself(ctx, claim, {}));             // nothing is known
}

TEST_F(ProverTest, values_that_leave_something_open_are_told_apart) {
    const std::vector<ModelValue> zero = {{"x", x, c(0)}};
    const Obligation by_zero{{}, {}, ctx.eq(ctx.floordiv(c(1), x), c(7)), {}};
    EXPECT_EQ(replay(ctx, by_zero, zero).said, Replayed::Open);
    EXPECT_EQ(replay(ctx, by_zero, zero).open, ctx.floordiv(c(1), x));
    EXPECT_EQ(replay(ctx, by_zero, {{"x", x, c(1)}}).said, Replayed::Refutes);
    const Obligation false_fact{{}, {ctx.lt(x, c(0))}, by_zero.goal, {}};
    EXPECT_EQ(replay(ctx, false_fact, zero).said, Replayed::Contradicts);
}

// Z3 gives up on the plain form of this one and refutes another form, whose variables are others.
TEST_F(ProverTest, values_for_another_form_are_read_as_values_for_this_one) {
    const Expr y64 = ctx.var("y64", ir::kFloat64);
    const Expr goal =
        ctx.or_(ctx.le(ctx.mul(f32(1.0), f), f),
                ctx.or_(ctx.ne(y64, ctx.float_imm(ir::kFloat64, HUGE_VAL)), ctx.lt(y64, y64)));
    const Answer a = solve({}, goal);
    EXPECT_EQ(a.verdict, Verdict::Refuted);
    EXPECT_EQ(replay(ctx, Obligation{{}, {}, goal, {}}, a.model).said, Replayed::Refutes);
}

// Small values are tried before a solver is asked; what they refute is refuted by the solver too.
TEST_F(ProverTest, wrong_claims_fall_to_values_that_are_tried) {
    const Expr cell = ctx.load(A, {ctx.floormod(x, c(16))});
    const std::vector<std::pair<std::vector<Expr>, Expr>> wrong = {
        {{ctx.le(c(0), x)}, ctx.lt(x, ctx.mul(x, c(8)))},
        {{}, ctx.same(ctx.add(f, f32(0.0)), f)},
        {{}, ctx.eq(f, f)},
        {{ctx.eq(x, ctx.add(ctx.mul(y, c(4)), n)), ctx.le(c(0), n), ctx.lt(n, c(4))},
         ctx.eq(ctx.floordiv(x, c(4)), n)},
        {{ctx.defined(cell), ctx.lt(y, c(3))}, ctx.lt(cell, f32(0.5))},
        {{}, ctx.defined(cell)},
    };
    for (const auto& [facts, goal] : wrong) {
        const Answer a = Prover(ctx, {}).prove(facts, goal);
        EXPECT_EQ(a.verdict, Verdict::Refuted) << ir::print(goal);
        EXPECT_EQ(a.by, "sample") << ir::print(goal);
        EXPECT_FALSE(contradicts_itself(ctx, Obligation{{}, facts, goal}, a.model));
        EXPECT_EQ(verdict(facts, goal), Verdict::Refuted) << ir::print(goal);
    }
    // Nothing is tried where both solvers are asked for, and nothing true is refuted.
    ProverOptions both;
    both.use_cheap = false;
    EXPECT_NE(Prover(ctx, both).prove({}, ctx.eq(f, f)).by, "sample");
    EXPECT_EQ(Prover(ctx, {}).prove({ctx.lt(x, y)}, ctx.lt(ctx.mul(x, x), c(-1))).by, "sample");
    EXPECT_EQ(Prover(ctx, {}).prove({}, ctx.le(c(0), ctx.mul(x, x))).verdict, Verdict::Proved);
}

TEST_F(ProverTest, undef_is_never_an_equation) {
    const Expr u = ctx.undef(ir::kInt32);
    const Answer a = solve({}, ctx.eq(ctx.mul(u, c(0)), c(0)));
    EXPECT_EQ(a.verdict, Verdict::Unknown);
    EXPECT_NE(a.why.find("unsupported"), std::string::npos);
}

// let v = A[i] in v - v is 0 only when the two uses see one value; two lets of one indeterminate
// cell need not.
TEST_F(ProverTest, a_let_that_freezes_is_not_a_name_for_its_value) {
    const ir::Buffer I = ctx.buffer("I", ir::kInt32, {c(4)});
    const Expr cell = ctx.load(I, {x});
    const Expr v = ctx.var("v", ir::kInt32);
    const Expr goal = ctx.eq(ctx.let(v, cell, ctx.sub(v, v)), c(0));
    EXPECT_EQ(verdict({}, goal), Verdict::Unknown);
    EXPECT_EQ(verdict({ctx.defined(cell)}, goal), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.eq(ctx.let(v, x, ctx.sub(v, v)), c(0))), Verdict::Proved);
}

TEST_F(ProverTest, elementary_functions_are_functions_and_nothing_more) {
    const Expr e = ctx.math(MathFn::Exp, {f});
    EXPECT_EQ(verdict({ctx.same(f, g)}, ctx.same(e, ctx.math(MathFn::Exp, {g}))), Verdict::Proved);
    EXPECT_EQ(verdict({}, ctx.lt(f32(-1), e)), Verdict::Refuted);
    EXPECT_EQ(verdict({}, ctx.same(e, ctx.math(MathFn::Tanh, {f}))), Verdict::Refuted);
}

TEST_F(ProverTest, contradictory_facts_are_reported) {
    ProverOptions options;
    options.check_vacuity = true;
    Prover prover(ctx, options);
    const Answer bad = prover.prove({ctx.lt(x, c(0)), ctx.lt(c(0), x)}, ctx.eq(x, y));
    EXPECT_EQ(bad.verdict, Verdict::Proved);
    EXPECT_TRUE(bad.vacuous);
    EXPECT_FALSE(prover.prove({ctx.lt(x, c(0))}, ctx.lt(x, c(1))).vacuous);
}

TEST_F(ProverTest, canonical_text_does_not_depend_on_names) {
    const auto text = [&](const char* a, const char* b, const char* buffer) {
        const Expr i = ctx.var(a, ir::kInt32);
        const Expr j = ctx.var(b, ir::kInt32);
        const ir::Buffer m = ctx.buffer(buffer, ir::kInt32, {c(8)});
        return to_smt(ctx, {{}, {ctx.lt(j, i)}, ctx.lt(ctx.load(m, {i}), ctx.add(j, c(1)))});
    };
    EXPECT_EQ(text("a", "b", "M").text, text("z", "a", "N").text);
    EXPECT_EQ(obligation_id(text("a", "b", "M")), obligation_id(text("b", "a", "M")));
    const SmtText t = text("a", "b", "M");
    EXPECT_EQ(t.text,
              "(set-logic ALL)\n"
              "(declare-fun v0 () Int)\n"
              "(assert (<= (- 2147483648) v0 2147483647))\n"
              "(declare-fun A0 (Int) Int)\n"
              "(assert (<= (- 2147483648) (A0 v0) 2147483647))\n"
              "(declare-fun v1 () Int)\n"
              "(assert (<= (- 2147483648) v1 2147483647))\n"
              "(assert (< v1 v0))\n"
              "(assert (not (< (A0 v0) (+ v1 1))))\n"
              "(check-sat)\n");
}

TEST_F(ProverTest, text_is_linear_in_the_shared_expression) {
    Expr e = x;
    for (int i = 0; i < 200; ++i) e = ctx.add(e, e);
    const SmtText t = to_smt(ctx, {{}, {}, ctx.le(c(0), e)});
    EXPECT_LT(t.text.size(), 20'000U);
}

// Symbolic sizes: closed by what the linearised form says of products.
TEST_F(ProverTest, products_of_symbolic_sizes) {
    ir::Scope scope;
    for (const char* name : {"i", "j", "k", "n", "m", "p"}) {
        scope.vars[name] = ctx.var(name, ir::kInt32);
    }
    const auto read = [&](const char* text) { return *ir::parse_expr(ctx, text, scope); };
    const std::vector<Expr> loops = {read("0 <= i"), read("i < n"),  read("0 <= j"),
                                     read("j < m"),  read("0 <= k"), read("k < p")};
    for (const char* goal : {"i * m + j < n * m", "(i * m + j) // m == i", "(i * m + j) % m == j",
                             "(i * m + j) * p + k < n * m * p"}) {
        EXPECT_EQ(verdict(loops, read(goal)), Verdict::Proved) << goal;
    }
    const Answer wrong = solve(loops, read("i * m + j < n * m - 1"));
    EXPECT_EQ(wrong.verdict, Verdict::Refuted);
    EXPECT_EQ(verdict(loops, read("i * n + j < n * m")), Verdict::Refuted);
}

TEST_F(ProverTest, cvc5_gives_the_same_answers) {
    if (cvc5_version().empty()) GTEST_SKIP() << "cvc5 is not installed";
    ProverOptions options;
    options.use_z3 = false;
    options.use_cheap = false;
    options.use_certificates = false;
    Prover prover(ctx, options);
    const Answer proved = prover.prove({ctx.le(c(0), x)}, ctx.le(ctx.floordiv(x, c(3)), x));
    EXPECT_EQ(proved.verdict, Verdict::Proved);
    EXPECT_EQ(proved.by, "cvc5");
    const Answer refuted = prover.prove({}, ctx.le(ctx.floordiv(x, c(3)), x));
    ASSERT_EQ(refuted.verdict, Verdict::Refuted);
    const ir::Int128 value = value_of(refuted, "x")->value->int_value();
    EXPECT_TRUE(value == -2 || value == -3 || value == -4);  // -1 // 3 is -1
    const Answer zero = prover.prove({ctx.eq(f, f32(0.0))}, ctx.same(f, f32(0.0)));
    ASSERT_EQ(zero.verdict, Verdict::Refuted);
    EXPECT_EQ(value_of(zero, "f")->value, f32(-0.0));
}

TEST_F(ProverTest, both_solvers_when_asked) {
    if (cvc5_version().empty()) GTEST_SKIP() << "cvc5 is not installed";
    ProverOptions options;
    options.cross_check = true;
    Prover prover(ctx, options);
    EXPECT_EQ(prover.prove({}, ctx.lt(x, ctx.add(x, c(1)))).by, "z3+cvc5");
}

TEST_F(ProverTest, resource_limit_gives_unknown_never_a_verdict) {
    ProverOptions options;
    options.rlimit = 10;
    options.use_cvc5 = false;
    options.use_cheap = false;
    Prover prover(ctx, options);
    const Answer a = prover.prove({}, ctx.le(ctx.floordiv(x, c(3)), ctx.floordiv(x, c(2))));
    EXPECT_EQ(a.verdict, Verdict::Unknown);
    EXPECT_EQ(a.why, "resource");
}

// A search that asks one question after the other ends, however many the solvers leave open.
TEST_F(ProverTest, questions_that_stay_open_use_up_the_patience_of_a_prover) {
    ProverOptions options;
    options.use_z3 = false;  // every question stays open at once
    options.use_cvc5 = false;
    options.use_certificates = false;
    Prover prover(ctx, options);
    const auto squares = [&](int k) {
        return ctx.make(Op::Ne, {ctx.add(ctx.mul(x, x), ctx.mul(y, y)),
                                 ctx.add(ctx.mul(ctx.mul(n, n), c(3)), c(4 * k + 3))});
    };
    const std::vector<Expr> large = {ctx.lt(c(1000), x), ctx.lt(c(1000), y), ctx.lt(c(1000), n)};
    int asked = 0;
    Answer last;
    for (; asked < 400; ++asked) {
        last = prover.prove(large, squares(asked));
        ASSERT_EQ(last.verdict, Verdict::Unknown) << asked;
        if (last.why.find("limit: ") != std::string::npos) break;
    }
    EXPECT_EQ(asked, 150);
    // What needs no solver is still answered.
    EXPECT_EQ(prover.prove({}, ctx.lt(x, ctx.add(x, c(1)))).verdict, Verdict::Proved);
    EXPECT_EQ(prover.prove(large, ctx.lt(c(999), x)).verdict, Verdict::Proved);
}

TEST_F(ProverTest, verdicts_are_kept_on_disk_by_content) {
    const std::string dir = testing::TempDir() + "/proviso_verdicts";
    std::filesystem::remove_all(dir);
    ProverOptions options;
    options.cache_dir = dir;
    options.use_cheap = false;
    const Expr goal = ctx.lt(x, c(5));
    Prover(ctx, options).prove({}, goal);
    Prover again(ctx, options);
    // The same claim of another variable: the stored model is told in its name.
    const Answer a = again.prove({}, ctx.lt(y, c(5)));
    EXPECT_EQ(a.verdict, Verdict::Refuted);
    EXPECT_EQ(again.stats().z3, 0U);
    EXPECT_EQ(again.stats().cached, 1U);
    ASSERT_NE(value_of(a, "y"), nullptr);
    EXPECT_GE(value_of(a, "y")->value->int_value(), 5);
    std::filesystem::remove_all(dir);
}

}  // namespace
}  // namespace proviso::analysis
