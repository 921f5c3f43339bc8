// Counterexamples made smaller, the facts that an answer needs, and certificates in the prover.
#include "analysis/prover/explain.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "analysis/certcheck/check.h"
#include "analysis/prover/minimise.h"
#include "ir/text.h"

namespace proviso::analysis {
namespace {

using ir::Expr;

class ExplainTest : public testing::Test {
  protected:
    ExplainTest() {
        for (const char* name : {"x", "y", "z", "n"}) scope.vars[name] = ctx.var(name, ir::kInt32);
        scope.vars["u"] = ctx.var("u", ir::kUInt8);
        scope.vars["f"] = ctx.var("f", ir::kFloat32);
        scope.vars["p"] = ctx.var("p", ir::kBool);
        scope.buffers["A"] = ctx.buffer("A", ir::kInt32, {ctx.i32(64)});
    }

    ir::Context ctx;
    ir::Scope scope;

    Expr read(const std::string& text) {
        const Result<Expr> e = ir::parse_expr(ctx, text, scope, ir::kBool);
        PROVISO_CHECK(e.ok(), "an expression of a test");
        return *e;
    }
    Obligation claim(const std::vector<std::string>& facts, const std::string& goal) {
        Obligation out;
        for (const std::string& f : facts) out.facts.push_back(read(f));
        out.goal = read(goal);
        return out;
    }
    ModelValue value(const std::string& name, std::int64_t v) {
        const Expr var = scope.vars.at(name);
        return {name, var, ctx.int_imm(var->type, v)};
    }
    static std::string shown(const std::vector<ModelValue>& model) {
        std::string out;
        for (const ModelValue& v : model) {
            out += (out.empty() ? "" : ", ") + v.name + " = " +
                   (v.value == nullptr ? "?" : ir::print(v.value));
        }
        return out;
    }
    std::string smaller(const Obligation& o, const std::vector<ModelValue>& model) {
        return shown(minimised(ctx, o, model));
    }
};

TEST_F(ExplainTest, EachValueBecomesAsSmallAsItCan) {
    EXPECT_EQ(smaller(claim({"x >= 100"}, "x + y < 0"), {value("x", 91234), value("y", 777)}),
              "x = 100, y = 0");
    EXPECT_EQ(smaller(claim({}, "x < 12345"), {value("x", 2'000'000'000)}), "x = 12345");
    EXPECT_EQ(smaller(claim({}, "x > -12345"), {value("x", -2'000'000'000)}), "x = -12345");
    EXPECT_EQ(smaller(claim({}, "x * x != 49"), {value("x", -7)}), "x = 7");
    EXPECT_EQ(smaller(claim({"x != 0", "x != 1"}, "False"), {value("x", 5)}), "x = -1");
    EXPECT_EQ(smaller(claim({}, "x % 20 * 2 % 4 == x % 4"), {value("x", 1'000'003)}), "x = 1");
    EXPECT_EQ(smaller(claim({"y == x + 1"}, "x > y"), {value("x", 0), value("y", 1)}),
              "x = 0, y = 1");
}

TEST_F(ExplainTest, WrappingIntegersAndTruthValues) {
    const Expr u = scope.vars.at("u");
    EXPECT_EQ(smaller(Obligation{{}, {}, ctx.lt(u, ctx.int_imm(ir::kUInt8, 200))},
                      {{"u", u, ctx.int_imm(ir::kUInt8, 251)}}),
              "u = " + ir::print(ctx.int_imm(ir::kUInt8, 200)));
    const Expr p = scope.vars.at("p");
    EXPECT_EQ(smaller(claim({}, "p and x < 0"), {value("x", 9), {"p", p, ctx.true_()}}),
              "x = 0, p = False");
}

TEST_F(ExplainTest, FloatsBecomeSimple) {
    const Expr f = scope.vars.at("f");
    const auto at = [&](double v) {
        return std::vector<ModelValue>{{"f", f, ctx.float_imm(f->type, v)}};
    };
    EXPECT_EQ(smaller(claim({}, "f != f"), at(1234.5)), shown(at(0.0)));
    EXPECT_EQ(smaller(claim({"f > T.float32(2)"}, "False"), at(1234.5)), shown(at(3.0)));
    EXPECT_EQ(smaller(claim({}, "f == f"), at(std::nan(""))), shown(at(std::nan(""))));
}

// What cannot be evaluated is not touched: the model may be wrong for other values.
TEST_F(ExplainTest, WhatIsOpenStaysAsItWas) {
    EXPECT_EQ(smaller(claim({}, "A[x] > 3"), {value("x", 40)}), "x = 40");
    const Expr cell = ctx.load(scope.buffers.at("A"), {ctx.i32(40)});
    EXPECT_EQ(
        smaller(claim({"x > 39"}, "A[x] > 3"), {value("x", 40), {"A[40]", cell, ctx.i32(-17)}}),
        "x = 40, A[40] = 0");
    EXPECT_EQ(smaller(claim({}, "x > y"), {value("x", 40)}), "x = 40");
    EXPECT_EQ(smaller(claim({"x > 50"}, "x > 60"), {value("x", 40)}), "x = 40");  // no model at all
}

TEST_F(ExplainTest, TheProversModelsAreMinimal) {
    Prover prover(ctx, {});
    const Answer a = prover.prove(claim({"x >= 1000", "y >= 0", "y <= x"}, "x // 7 < 200"));
    ASSERT_EQ(a.verdict, Verdict::Refuted);
    EXPECT_EQ(shown(a.model), "x = 1400, y = 0");
}

TEST_F(ExplainTest, ProvedByCertificate) {
    ProverOptions options;
    options.use_cheap = false;
    Prover prover(ctx, options);
    const Obligation o = claim({"0 <= x", "x < n", "0 <= y", "y < z"}, "x * z + y < n * z");
    const Answer a = prover.prove(o);
    ASSERT_EQ(a.verdict, Verdict::Proved);
    EXPECT_EQ(a.by, "certificate");
    EXPECT_TRUE(certcheck::check_certificate(to_smt(ctx, o).text, a.certificate).accepted);
    EXPECT_EQ(prover.stats().certified, 1U);
    EXPECT_EQ(prover.stats().z3, 0U);
    ProverOptions without = options;
    without.use_certificates = false;
    EXPECT_EQ(Prover(ctx, without).prove(o).certificate, "");
    ProverOptions both;
    both.cross_check = true;
    EXPECT_NE(Prover(ctx, both).prove(claim({"x < y"}, "x + 1 <= y")).by, "certificate");
}

// A certificate from the cache is checked like any other.
TEST_F(ExplainTest, CachedCertificatesAreCheckedAgain) {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("proviso_certificates_" + std::to_string(::getpid()));
    ProverOptions options;
    options.use_cheap = false;
    options.cache_dir = folder.string();
    const Obligation o = claim({"x < y", "y < z"}, "x + 1 < z");
    const Answer first = Prover(ctx, options).prove(o);
    ASSERT_EQ(first.by, "certificate");
    Prover again(ctx, options);
    EXPECT_EQ(again.prove(o).certificate, first.certificate);
    EXPECT_EQ(again.stats().cached, 1U);
    std::filesystem::remove_all(folder);
}

TEST_F(ExplainTest, TheFactsUsedAreMinimal) {
    Prover prover(ctx, {});
    const Obligation o = claim({"z == 5", "0 <= x", "x < 62", "y > 3", "n % 2 == 0"}, "x // 8 < 8");
    const Explanation why = explain(prover, o);
    EXPECT_FALSE(why.contradictory);
    EXPECT_EQ(why.answer.verdict, Verdict::Proved);
    EXPECT_EQ(why.used, std::vector<std::size_t>{2});
    // By the definition: with any one left out, it is not proved.
    const Obligation chain =
        claim({"n < 99", "x < y", "p or x > 7", "y < z", "z < n", "not p"}, "x + 2 < n");
    const Explanation links = explain(prover, chain);
    EXPECT_EQ(links.used, (std::vector<std::size_t>{1, 3, 4}));
    EXPECT_EQ(explain(prover, claim({"x > 3"}, "y < y + 1")).used, std::vector<std::size_t>{});
    EXPECT_EQ(explain(prover, claim({"x > 3"}, "x > 4")).answer.verdict, Verdict::Refuted);
}

TEST_F(ExplainTest, ContradictoryFactsAreSaidToBe) {
    Prover prover(ctx, {});
    const Explanation why =
        explain(prover, claim({"y > 0", "x > 1", "z == 4", "x < 0"}, "x == 77"));
    EXPECT_TRUE(why.contradictory);
    EXPECT_EQ(why.used, (std::vector<std::size_t>{1, 3}));
    EXPECT_FALSE(explain(prover, claim({"x > 1"}, "x > 0")).contradictory);
}

TEST_F(ExplainTest, AThousandFactsAreLeftOutInBlocks) {
    Prover prover(ctx, {});
    std::vector<std::string> facts;
    for (int i = 0; i < 1000; ++i)
        facts.push_back("A[" + std::to_string(i % 64) + "] > " + std::to_string(i));
    facts[417] = "x < y";
    facts[830] = "y < z";
    const Explanation why = explain(prover, claim(facts, "x + 1 < z"));
    EXPECT_EQ(why.used, (std::vector<std::size_t>{417, 830}));
}

}  // namespace
}  // namespace proviso::analysis
