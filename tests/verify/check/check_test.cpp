// check: two programs of one interface, with the verdict that each kind of evidence allows.
#include "verify/check/check.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "tests/verify/by_execution.h"

namespace proviso::verify {
namespace {

class Check : public testing::Test {
  protected:
    ir::Function parse(const std::string& body, const std::string& params) {
        const Result<ir::Function> f =
            ir::parse_function(ctx, "@T.prim_func\ndef f(" + params + "):\n" + body, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return f.ok() ? *f : ir::Function{};
    }
    CheckReport check_text(const std::string& before, const std::string& after) {
        const Result<CheckReport> out =
            check(ctx, parse(before, params_), parse(after, params_), options_);
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.ok() ? *out : CheckReport{};
    }

    ir::Context ctx;
    CheckOptions options_ = by_execution();
    std::string params_ = "A: T.Buffer((3,), \"float32\"), B: T.Buffer((3,), \"float32\")";
};

TEST_F(Check, EqualProgramsAreBounded) {
    const CheckReport out =
        check_text("    for i in range(3):\n        B[i] = A[i] * T.float32(1)\n",
                   "    for i in range(3):\n        B[2 - i] = A[2 - i]\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Bounded) << out.text();
    EXPECT_EQ(out.exit_code(), 0);
    EXPECT_GT(out.counted, 0U);
}

// A caller of the first program may give what the second one does not take.
TEST_F(Check, NarrowerBoundsOfTheSecondProgramAreNamed) {
    const std::string params = "A: T.Buffer((n,), \"int32\"), n: T.int32";
    const std::string body = "    for i in range(n):\n        A[i] = 1\n";
    const auto bound = [](const char* which, int value) {
        return std::string("    T.func_attr({\"tir_var_") + which +
               "_bound\": {\"n\": " + std::to_string(value) + "}})\n";
    };
    const auto said = [&](const std::string& before, const std::string& after) {
        const Result<CheckReport> out =
            check(ctx, parse(before + body, params), parse(after + body, params), options_);
        return out.ok() ? out->verdict_text : out.error().message;
    };
    EXPECT_EQ(said("", bound("lower", 7)),
              "after: asks more of its caller than before: n is at least 7");
    EXPECT_EQ(said(bound("upper", 9), bound("upper", 8)),
              "after: asks more of its caller than before: n is at most 8");
    EXPECT_EQ(said("", bound("lower", 0)).rfind("BOUNDED", 0), 0U) << "a size is never negative";
    EXPECT_EQ(said(bound("lower", 2), bound("lower", 1)).rfind("BOUNDED", 0), 0U);
}

// A strict step may put `+ (-0.0)` in, and that addition has the licence's choice
// (docs/semantics.md, "Licences").
TEST_F(Check, ACopiedZeroUnderNoSignedZero) {
    const std::string granted = "    T.func_attr({\"proviso.licences\": [\"no_signed_zero\"]})\n";
    const auto verdict = [&](const std::string& attributes) {
        return check_text(attributes + "    B[0] = A[0]\n",
                          attributes + "    B[0] = A[0] + T.float32(0)\n")
            .verdict;
    };
    EXPECT_EQ(verdict(granted), CheckVerdict::Bounded);
    EXPECT_EQ(verdict(""), CheckVerdict::Refuted);
}

TEST_F(Check, TrapTimesZeroIsRefutedAndReplayed) {
    const CheckReport out =
        check_text("    B[0] = A[0] * T.float32(0)\n", "    B[0] = T.float32(0)\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << out.text();
    EXPECT_TRUE(out.counterexample.has_value());
    EXPECT_EQ(out.exit_code(), 1);
    EXPECT_EQ(out.what.rfind("B[0]: before ", 0), 0U) << out.what;
    EXPECT_EQ(out.json()["verdict"], "REFUTED");
}

TEST_F(Check, TrapReassociatedSumIsFoundByRuns) {
    options_.z3_rlimit = 100'000;  // too little for the solver
    options_.use_cvc5 = false;
    const CheckReport out =
        check_text("    B[0] = (A[0] + A[1]) + A[2]\n", "    B[0] = A[0] + (A[1] + A[2])\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << out.text();
    EXPECT_TRUE(out.counterexample.has_value());
}

TEST_F(Check, ARareCounterexampleComesFromTheSolver) {
    params_ = "A: T.Buffer((2,), \"int32\"), B: T.Buffer((2,), \"int32\")";
    const CheckReport out =
        check_text("    B[0] = 0\n",
                   "    if A[1] == 7777777:\n        B[0] = 1\n    else:\n        B[0] = 0\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Refuted) << out.text();
    EXPECT_TRUE(out.counterexample.has_value()) << out.text();
    EXPECT_EQ(out.counterexample->comparison.what, "B[0]: before 0, after 1");
}

TEST_F(Check, OnlyRunsAreOnlyTested) {
    params_ = "A: T.Buffer((3,), \"uint8\"), B: T.Buffer((256,), \"uint8\")";
    const std::string gather = "    B[T.Cast(\"int32\", A[0])] = A[1]\n";
    const CheckReport out = check_text(gather, gather);
    EXPECT_EQ(out.verdict, CheckVerdict::Tested) << out.text();
    EXPECT_EQ(out.exit_code(), 3);  // no proof
}

TEST_F(Check, NothingToRunIsUnknown) {
    const CheckReport out = check_text("    B[0] = A[3]\n", "    B[0] = A[0]\n");
    EXPECT_EQ(out.verdict, CheckVerdict::Unknown) << out.text();
    EXPECT_EQ(out.exit_code(), 3);
}

// At n = 3 no caller can hand over what the second program asks for. That nothing differs at n = 8
// does not make up for it.
TEST_F(Check, TrapARelationThatIsNoneAtSomeSizesIsUnknown) {
    const auto program = [](const std::string& map) {
        const std::string layout =
            R"(, "proviso.layout": {"A": [{"index_type": "int32", "inverse": ["p0"], )"
            R"("logical_shape": ["n"], "map": [")" +
            map +
            R"("], "pad": "none", "padding_by": "function", "physical_vars": ["p0"], "vars": ["i"]}]})";
        return "    T.func_attr({\"tir_var_lower_bound\": {\"n\": 1}, "
               "\"tir_var_upper_bound\": {\"n\": 1000}" +
               (map.empty() ? "" : layout) + "})\n    B[0] = 7\n";
    };
    params_ = "n: T.int32, A: T.Buffer((n,), \"int32\"), B: T.Buffer((1,), \"int32\")";
    const CheckReport out = check_text(program(""), program("i + 0 // (n - 3)"));
    EXPECT_EQ(out.at.front().verdict, TvVerdict::Bounded) << out.text();
    EXPECT_EQ(out.verdict, CheckVerdict::Unknown) << out.text();
    EXPECT_EQ(out.exit_code(), 3);
    EXPECT_NE(out.what.find("(with n = 3)"), std::string::npos) << out.what;
    const CheckReport fine = check_text(program(""), program("i + 0 // (n + 3)"));
    EXPECT_EQ(fine.verdict, CheckVerdict::Bounded);
    EXPECT_EQ(fine.exit_code(), 3);  // at chosen sizes, which says nothing of others
}

TEST_F(Check, ProgramsThatMayStopAreCompared) {
    params_ = "A: T.Buffer((3,), \"int32\"), B: T.Buffer((3,), \"int32\")";
    const std::string stops = "    assert A[1] != 7777777, \"seven\"\n";
    const std::string store = "    B[0] = A[0]\n";
    const CheckReport same = check_text(stops + store, stops + "    B[0] = A[0] + 0\n");
    EXPECT_EQ(same.verdict, CheckVerdict::Bounded) << same.text();
    EXPECT_GT(same.counted, 0U);
    // The solver finds where it stops, and the interpreter sees what is different there.
    const CheckReport late = check_text(stops + store, store + stops);
    EXPECT_EQ(late.verdict, CheckVerdict::Refuted) << late.text();
    EXPECT_TRUE(late.counterexample.has_value()) << late.text();
    const CheckReport dropped = check_text(stops + store, store);
    EXPECT_EQ(dropped.verdict, CheckVerdict::Refuted) << dropped.text();
    EXPECT_TRUE(dropped.counterexample.has_value()) << dropped.text();
    EXPECT_EQ(dropped.counterexample->comparison.what,
              "before stopped with 'seven', after finished");
}

TEST_F(Check, ProgramsWithOpaqueCallsAreCompared) {
    const std::string calls =
        "    for i in range(3):\n        B[i] = T.call_extern(\"float32\", \"f\", A[i])\n";
    EXPECT_EQ(check_text(calls, calls).verdict, CheckVerdict::Bounded);
    const CheckReport backwards =
        check_text(calls,
                   "    for i in range(3):\n"
                   "        B[2 - i] = T.call_extern(\"float32\", \"f\", A[2 - i])\n");
    EXPECT_EQ(backwards.verdict, CheckVerdict::Refuted) << backwards.text();
}

TEST_F(Check, OtherInterfacesAreAnError) {
    const Result<CheckReport> out = check(
        ctx, parse("    pass\n", params_),
        parse("    pass\n", "A: T.Buffer((3,), \"float32\"), C: T.Buffer((3,), \"float32\")"));
    ASSERT_FALSE(out.ok());
    EXPECT_NE(out.error().message.find("parameter 2"), std::string::npos);
}

}  // namespace
}  // namespace proviso::verify
