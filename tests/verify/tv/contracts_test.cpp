// What two programs are compared under: licences, claims of regions, parameters that may be
// indeterminate, and layouts that the program before brings along. Each was once taken for less, or
// for more, than it says.
#include <gtest/gtest.h>

#include "analysis/facts/facts.h"
#include "tests/verify/tv/fixture.h"
#include "verify/check/check.h"

namespace proviso::verify {
namespace {

using namespace ir;

const char* const kMixed =
    "A: T.Buffer((4,), \"float32\"), S: T.Buffer((1,), \"float32\"), M: T.Buffer((4,), \"int32\"), "
    "N: T.Buffer((1,), \"int32\")";

class TvContracts : public TvPairs {
  protected:
    TvContracts() : TvPairs(kMixed) {}

    static std::string attr(const std::string& what) { return "    T.func_attr({" + what + "})\n"; }
    CheckReport whole(const std::string& before, const std::string& after,
                      const std::string& params = "") {
        CheckOptions by_execution;
        by_execution.derive = false;
        const Result<CheckReport> out =
            verify::check(ctx, parse(before, params), parse(after, params), by_execution);
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.ok() ? *out : CheckReport{};
    }

    const std::string any_order_ = attr("\"proviso.licences\": [\"reassociate\"]");
    const std::string sum_ = "    S[0] = A[0] + A[1] + A[2]\n";
    const std::string other_sum_ = "    S[0] = A[2] + A[1] + A[0]\n";
};

TEST_F(TvContracts, ALicenceAboutFloatsHidesNoDifferenceInIntegers) {
    const std::string one = any_order_ + sum_ + "    N[0] = M[0]\n";
    const std::string other = any_order_ + sum_ + "    N[0] = M[1]\n";
    EXPECT_EQ(verdict(one, other), TvVerdict::Refuted) << last_;
    const CheckReport seen = whole(one, other);
    EXPECT_EQ(seen.verdict, CheckVerdict::Refuted) << seen.text();
    EXPECT_TRUE(seen.counterexample.has_value()) << seen.text();
    // Nor one in floats where nothing is added.
    const CheckReport copies =
        whole(any_order_ + "    S[0] = A[0]\n", any_order_ + "    S[0] = A[1]\n");
    EXPECT_EQ(copies.verdict, CheckVerdict::Refuted) << copies.text();
}

TEST_F(TvContracts, WhatASumDecidesIsOpenWithIt) {
    const std::string compare = "    N[0] = T.Cast(\"int32\", S[0] < A[3])\n";
    const CheckReport seen = whole(any_order_ + sum_ + compare, any_order_ + other_sum_ + compare);
    EXPECT_NE(seen.verdict, CheckVerdict::Refuted) << seen.text();
    // Runs that tell nothing are not counted as runs without a difference.
    const CheckReport other = whole(any_order_ + sum_, any_order_ + "    S[0] = A[0] + A[1]\n");
    EXPECT_NE(other.verdict, CheckVerdict::Refuted) << other.text();
    EXPECT_GT(other.undecided, 0U);
    EXPECT_NE(other.text().find("tell nothing"), std::string::npos) << other.text();
}

TEST_F(TvContracts, NoOrderOfASumChangesTheSignOfItsZero) {
    const std::string minus = any_order_ + "    S[0] = T.float32(-0.0) - A[0]\n";
    const std::string plus = any_order_ + "    S[0] = T.float32(0.0) - A[0]\n";
    EXPECT_NE(verdict(plus, minus), TvVerdict::Bounded);
    EXPECT_NE(verdict(minus, plus), TvVerdict::Bounded);
}

// Partial sums each start at the zero that the sum starts at. Another zero, or one where the sum
// has none, may show.
TEST_F(TvContracts, PartialSumsStartAtTheZeroOfTheSum) {
    const auto sums = [&](const std::string& all, const std::string& parts) {
        return verdict(any_order_ + "    S[0] = " + all + "A[0] + A[1] + A[2] + A[3]\n",
                       any_order_ + "    S[0] = " + all + "(" + parts + " + A[0] + A[2]) + (" +
                           parts + " + A[1] + A[3])\n");
    };
    const std::string zero = "T.float32(0.0)";
    EXPECT_EQ(sums(zero + " + ", zero), TvVerdict::Bounded) << last_;
    EXPECT_NE(sums("", zero), TvVerdict::Bounded);
    EXPECT_NE(sums("T.float32(-0.0) + ", zero), TvVerdict::Bounded);
    EXPECT_NE(sums("T.float32(1.0) + ", "T.float32(1.0)"), TvVerdict::Bounded);
}

// A sum of 2^40 terms, of which each is one addition.
TEST_F(TvContracts, ASumThatDoublesIsNotWrittenOut) {
    const std::string doubled =
        any_order_ + "    for k in range(40):\n        S[0] = S[0] + S[0]\n";
    EXPECT_EQ(verdict(doubled + sum_, doubled + other_sum_), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(doubled, doubled + "    S[0] = S[0] + A[0]\n"), TvVerdict::Unknown);
    EXPECT_NE(last_.find("more than 4,000,000,000 nodes"), std::string::npos) << last_;
}

TEST_F(TvContracts, AClaimThatCannotBeReadIsNotLeftOut) {
    const auto block = [](const std::string& claim) {
        return "    with T.block(\"b\"):\n" + (claim.empty() ? "" : "        " + claim + "\n") +
               "        N[0] = M[0]\n";
    };
    EXPECT_EQ(verdict(block(""), block("T.reads(M[N[0]:N[0] + 1])")), TvVerdict::Unknown);
    EXPECT_NE(last_.find("a claim of block b"), std::string::npos) << last_;
    EXPECT_EQ(verdict(block(""), block("T.reads(M[1])")), TvVerdict::Refuted);
    EXPECT_EQ(verdict(block("T.reads(M[N[0]:N[0] + 1])"), block("")), TvVerdict::Bounded) << last_;
    // The interpreter knows claims, too.
    EXPECT_EQ(whole(block(""), block("T.reads(M[N[0]:N[0] + 1])")).verdict, CheckVerdict::Refuted);
}

// TVM prints the claim of a padding block so: its region begins before the buffer.
TEST_F(TvContracts, AClaimMayReachBeyondTheBuffer) {
    const auto pad = [](const std::string& cell) {
        return "    for i in range(6):\n        with T.block(\"pad\"):\n"
               "            v = T.axis.spatial(6, i)\n            T.reads(S[0], A[v - 1])\n"
               "            if 1 <= v and v < 5:\n                S[0] = S[0] + A[" +
               cell + "]\n";
    };
    EXPECT_EQ(verdict(pad("v - 1"), pad("v - 1")), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(pad("v - 1"), pad("0")), TvVerdict::Refuted) << last_;
}

// TVM lists a reduction's accumulator among the reads of no block.
TEST_F(TvContracts, BlocksAroundAReductionNeedNotListItsAccumulator) {
    const auto nest = [](const std::string& outer) {
        return "    with T.block(\"outer\"):\n        T.reads(" + outer +
               ")\n        T.writes(S[0:1])\n        for i in range(4):\n"
               "            with T.block(\"inner\"):\n"
               "                v = T.axis.reduce(4, i)\n                T.reads(A[v])\n"
               "                T.writes(S[0])\n                with T.init():\n"
               "                    S[0] = T.float32(0)\n                S[0] = S[0] + A[v]\n";
    };
    EXPECT_EQ(verdict(nest("A[0:4]"), nest("A[0:4]")), TvVerdict::Bounded) << last_;
    const CheckReport runs = whole(nest("A[0:4]"), nest("A[0:4]"));
    EXPECT_EQ(runs.verdict, CheckVerdict::Bounded);
    EXPECT_EQ(runs.counted, runs.runs) << runs.text();  // the interpreter finds no fault, either
    EXPECT_NE(verdict(nest("A[0:4]"), nest("A[0:3]")), TvVerdict::Bounded);
}

TEST_F(TvContracts, BothProgramsMayFindTheSameCellsIndeterminate) {
    const std::string indet = attr("\"proviso.indet\": [\"M\"]");
    const std::string store = "    N[0] = 1\n";
    EXPECT_EQ(verdict(indet + store, store), TvVerdict::Unknown);
    EXPECT_NE(last_.find("M may be indeterminate in one program only"), std::string::npos);
    EXPECT_EQ(verdict(indet + store, indet + store + store), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(indet + store, indet + "    if M[0] > 0:\n        N[0] = 1\n" + store),
              TvVerdict::Refuted);
}

// Cells of the caller may be indeterminate; the padding that it provides is what is promised.
TEST_F(TvContracts, PaddingOfAnIndeterminateParameterHoldsItsValue) {
    Function before = function({a, b}, loop(i, 14, ctx.store(b, {i}, ctx.load(a, {i}))));
    before.attrs[analysis::kIndetAttr] = AttrValue{AttrValue::List{AttrValue{std::string("A")}}};
    Buffer physical = buffer("A", {4, 4});
    Expr at = ctx.load(physical, {ctx.floordiv(i, c(4)), ctx.floormod(i, c(4))});
    Function after = function({physical, b}, loop(i, 14, ctx.store(b, {i}, at)));
    after.attrs = before.attrs;
    after = analysis::with_layout(after, tiled("A", analysis::PadKind::Value, true));
    EXPECT_EQ(verdict(before, after), TvVerdict::Bounded) << last_;
}

// A source that breaks a promise of its own is no fault of a step.
TEST_F(TvContracts, WhatTheSourceBreaksIsNotNews) {
    Buffer physical = buffer("B", {4, 4});
    const auto copy = [&](double value) {
        Expr sum = ctx.add(ctx.load(a, {i}), f32(value));
        Stmt store = ctx.store(physical, {ctx.floordiv(i, c(4)), ctx.floormod(i, c(4))}, sum);
        Stmt wrong = ctx.store(physical, {c(3), c(3)}, f32(5.0));
        const Function f = function({a, physical}, ctx.seq({loop(i, 14, store), wrong}));
        return analysis::with_layout(f, tiled("B", analysis::PadKind::Value, false));
    };
    EXPECT_EQ(verdict(copy(1.0), copy(1.0)), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(copy(1.0), copy(2.0)), TvVerdict::Refuted);
}

}  // namespace
}  // namespace proviso::verify
