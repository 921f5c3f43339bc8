// Translation validation: right steps are BOUNDED, planted wrong ones REFUTED with values, and what
// is out of reach UNKNOWN.
#include <gtest/gtest.h>

#include "tests/verify/tv/fixture.h"
#include "verify/tv/executor.h"

namespace proviso::verify {
namespace {

using namespace ir;
using analysis::PadKind;

class Tv : public TvPairs {
  protected:
    Tv() : TvPairs("A: T.Buffer((14,), \"float32\"), B: T.Buffer((14,), \"float32\")") {}

    const std::string copy_ = "    for i in range(14):\n        B[i] = A[i]\n";
    const std::string add_zero_ = "    for i in range(14):\n        B[i] = A[i] + T.float32(0)\n";
    const std::string split_ =
        "    for io in range(4):\n        for ii in range(4):\n"
        "            if io * 4 + ii < 14:\n                B[io * 4 + ii] = A[io * 4 + ii]\n";
    const std::string sum_ =
        "    B[0] = T.float32(0)\n    for i in range(14):\n        B[0] = B[0] + A[i]\n";
    const std::string ints_ = "A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\")";
};

// A type that holds every value, and back, in a sum that no solver decides.
TEST_F(Tv, ACastToAWiderTypeAndBackIsNone) {
    const auto loop = [](const std::string& value) {
        return "    for i in range(14):\n        B[i] = A[i] + T.float32(0.5) * " + value + "\n";
    };
    EXPECT_EQ(verdict(loop("A[i]"), loop("T.Cast(\"float32\", T.Cast(\"float64\", A[i]))")),
              TvVerdict::Bounded)
        << last_;
    EXPECT_NE(verdict(loop("A[i]"), loop("T.Cast(\"float32\", T.Cast(\"float16\", A[i]))")),
              TvVerdict::Bounded)
        << last_;
}

TEST_F(Tv, ASplitLoopIsTheSame) {
    EXPECT_EQ(verdict(parse(copy_), parse(split_)), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(parse(split_), parse(copy_)), TvVerdict::Bounded) << last_;
}

// Four sizes of 8 make programs of too many steps: then they are smaller, and the answer says
// which.
TEST_F(Tv, SizesAreChosenSmallerWhereTheProgramIsTooLarge) {
    const std::string params =
        "k: T.int32, l: T.int32, m: T.int32, n: T.int32, A: T.Buffer((k, l, m, n), \"float32\"), "
        "B: T.Buffer((k, l, m, n), \"float32\")";
    const auto loops = [](const char* value) {
        return std::string(
                   "    for p in range(k):\n        for q in range(l):\n"
                   "            for r in range(m):\n                for s in range(n):\n"
                   "                    B[p, q, r, s] = A[p, q, r, s]") +
               value + "\n";
    };
    TvOptions options;
    options.step_limit = 30'000;
    const Function copy = parse(loops(""), params);
    const TvResult right = check(copy, parse(loops(" * T.float32(1)"), params), options);
    EXPECT_EQ(right.verdict, TvVerdict::Bounded) << right.what;
    EXPECT_EQ(right.sizes, "k = 5, l = 5, m = 5, n = 5");
    EXPECT_EQ(right.cells, 2U * 625);
    const TvResult wrong = check(copy, parse(loops(" + T.float32(2)"), params), options);
    EXPECT_EQ(wrong.verdict, TvVerdict::Refuted);
    options.step_limit = 1;
    const TvResult none = check(copy, copy, options);
    EXPECT_EQ(none.verdict, TvVerdict::Unknown);
    EXPECT_EQ(none.sizes, "k = 2, l = 2, m = 2, n = 2");
}

TEST_F(Tv, TrapSignOfZero) {
    EXPECT_EQ(verdict(parse(add_zero_), parse(copy_)), TvVerdict::Refuted);
    EXPECT_EQ(last_, "B[0]: before T.float32(0.0) + A[0], after A[0]");
    const std::string negative = "    for i in range(14):\n        B[i] = A[i] + T.float32(-0.0)\n";
    EXPECT_EQ(verdict(parse(negative), parse(copy_)), TvVerdict::Bounded) << last_;
}

TEST_F(Tv, TrapOutOfBounds) {
    const std::string unguarded =
        "    for io in range(4):\n        for ii in range(4):\n"
        "            B[io * 4 + ii] = A[io * 4 + ii]\n";
    EXPECT_EQ(verdict(parse(copy_), parse(unguarded)), TvVerdict::Refuted);
    EXPECT_NE(last_.find("A[14] is in bounds"), std::string::npos) << last_;
}

TEST_F(Tv, TrapSkippedIteration) {
    const std::string short_loop = "    for i in range(13):\n        B[i] = A[i]\n";
    EXPECT_EQ(verdict(parse(copy_), parse(short_loop)), TvVerdict::Refuted);
    EXPECT_EQ(last_.rfind("B[13]: ", 0), 0U) << last_;
}

TEST_F(Tv, TrapReassociatedSum) {
    const std::string halves = "A: T.Buffer((3,), \"float16\"), B: T.Buffer((1,), \"float16\")";
    const std::string left = "    B[0] = (A[0] + A[1]) + A[2]\n";
    const std::string right = "    B[0] = A[0] + (A[1] + A[2])\n";
    const std::string turned = "    B[0] = A[2] + (A[1] + A[0])\n";
    EXPECT_NE(verdict(parse(left, halves), parse(right, halves)), TvVerdict::Bounded);
    EXPECT_EQ(verdict(parse(left, halves), parse(turned, halves)), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(parse(sum_), parse(sum_)), TvVerdict::Bounded) << last_;
}

TEST_F(Tv, PaddedSumNeedsAnAccumulatorThatIsNeverNegativeZero) {
    // Sum over zero padding: acc + 0.0 is acc, because acc starts from +0.0 (trap 3) ..
    Function padded = parse(
        "    B[0] = T.float32(0)\n    for i in range(4):\n        for j in range(4):\n"
        "            B[0] = B[0] + A[i, j]\n",
        "A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((14,), \"float32\")");
    padded = analysis::with_layout(padded, tiled("A", PadKind::Value, true, 0.0));
    EXPECT_EQ(verdict(parse(sum_), padded), TvVerdict::Bounded) << last_;
    // .. but not when it starts from the first element.
    const std::string from_first =
        "    B[0] = A[0]\n    for i in range(2):\n        B[0] = B[0] + T.float32(0)\n";
    EXPECT_EQ(verdict(parse("    B[0] = A[0]\n"), parse(from_first)), TvVerdict::Refuted);
    // And padding of ones is counted.
    Function ones = padded;
    ones.attrs.erase(analysis::kLayoutAttr);
    ones = analysis::with_layout(ones, tiled("A", PadKind::Value, true, 1.0));
    EXPECT_NE(verdict(parse(sum_), ones), TvVerdict::Bounded);
}

TEST_F(Tv, PaddingOfZeroHasTheSignThatThePromiseNames) {
    // Cells 14 and 15, or 0.0: the load is right where the padding is 0.0 bit for bit.
    const auto loads = [&](double pad, bool exact) {
        Function f = parse("    for i in range(2):\n        B[i] = T.float32(1) / A[3, i + 2]\n",
                           "A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((14,), \"float32\")");
        analysis::Layout layout = tiled("A", PadKind::Value, true, pad);
        layout.exact = exact;
        return analysis::with_layout(f, layout);
    };
    const Function chosen = parse("    for i in range(2):\n        B[i] = T.float32(\"inf\")\n");
    EXPECT_EQ(verdict(chosen, loads(0.0, true)), TvVerdict::Bounded) << last_;
    EXPECT_NE(verdict(chosen, loads(0.0, false)), TvVerdict::Bounded);
    EXPECT_NE(verdict(chosen, loads(-0.0, true)), TvVerdict::Bounded);
    EXPECT_NE(verdict(chosen, loads(-0.0, false)), TvVerdict::Bounded);
    // A sum that is never -0.0 takes either zero, and a product with one, whatever the factor is;
    // a comparison takes either, too. Trap: a sum from an element may be -0.0.
    const auto sum = [&](const std::string& start, const std::string& term, bool padded) {
        const std::string body = "    B[0] = " + start + "\n    B[0] = B[0] + " + term + " * A[" +
                                 (padded ? "0, 1" : "1") + "]\n    if " + term + " <= A[" +
                                 (padded ? "0, 2" : "2") + "]:\n        B[1] = B[0]\n";
        if (!padded) return parse(body);
        const Function f =
            parse(body, "A: T.Buffer((4, 4), \"float32\"), B: T.Buffer((14,), \"float32\")");
        return analysis::with_layout(f, tiled("A", PadKind::Value, true, 0.0));
    };
    const std::string none = "T.float32(0)";
    EXPECT_EQ(verdict(sum(none, none, false), sum(none, "A[3, 3]", true)), TvVerdict::Bounded)
        << last_;
    EXPECT_NE(verdict(sum("A[0]", none, false), sum("A[0, 0]", "A[3, 3]", true)),
              TvVerdict::Bounded);
    // Both programs are given the same zeros.
    EXPECT_EQ(verdict(loads(0.0, false), loads(0.0, false)), TvVerdict::Bounded) << last_;
}

TEST_F(Tv, LicencesAreGrantedToTheComparison) {
    const auto granted = [&](const char* body, const char* licence) {
        Function f = parse(body);
        f.attrs[kLicencesAttr] = AttrValue{AttrValue::List{AttrValue{std::string(licence)}}};
        return f;
    };
    // Trap 4: f * 0.0 is 0.0 only for finite f, up to the sign.
    const char* times_zero = "    B[0] = T.abs(A[0]) * T.float32(0)\n";
    const Function zero = parse("    B[0] = T.float32(0)\n");
    EXPECT_EQ(verdict(parse(times_zero), zero), TvVerdict::Refuted);
    EXPECT_EQ(verdict(granted(times_zero, "finite(A)"), zero), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(granted(times_zero, "finite(B)"), zero), TvVerdict::Refuted);
    const char* plus_zero = "    B[0] = A[0] + T.float32(0)\n";
    const Function copy = parse("    B[0] = A[0]\n");
    EXPECT_EQ(verdict(granted(plus_zero, "no_signed_zero"), copy), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(granted(plus_zero, "reassociate"), copy), TvVerdict::Unknown);
}

TEST_F(Tv, ZerosOfEitherSignAddNothingToASum) {
    // A sum over padding, 0.0 * A[i] before the data: no zero shows where A is finite, however
    // long the terms are that come of it.
    const auto sum = [&](const char* start, int from, const char* pad) {
        Function f = parse(std::string("    B[0] = T.float32(") + start + ")\n    for i in range(" +
                           std::to_string(from) +
                           ", 14):\n        B[0] = B[0] + A[i] * T.if_then_else(i < 7, T.float32(" +
                           pad + "), A[13 - i])\n");
        f.attrs[kLicencesAttr] = AttrValue{AttrValue::List{AttrValue{std::string("finite(A)")}}};
        return f;
    };
    EXPECT_EQ(verdict(sum("0", 7, "0"), sum("0", 0, "0")), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(sum("0", 7, "0"), sum("0", 0, "-0.0")), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(sum("1.5", 7, "0"), sum("1.5", 0, "0")), TvVerdict::Bounded) << last_;
    // Traps 3 and 4: a sum that may be -0.0, factors that may be infinite, other padding.
    EXPECT_NE(verdict(sum("-0.0", 7, "0"), sum("-0.0", 0, "0")), TvVerdict::Bounded);
    EXPECT_NE(verdict(sum("0", 7, "0"), sum("0", 0, "1e-30")), TvVerdict::Bounded);
    Function strict = sum("0", 7, "0");
    strict.attrs.erase(kLicencesAttr);
    EXPECT_NE(verdict(strict, sum("0", 0, "0")), TvVerdict::Bounded);
}

TEST_F(Tv, UndefinedPaddingMayBeOvercomputed) {
    Buffer pa = buffer("A", {4, 4});
    Buffer pb = buffer("B", {4, 4});
    Stmt store = ctx.store(pb, {j, k}, ctx.add(ctx.load(pa, {j, k}), f32(1.0)));
    Function all = function({pa, pb}, loop(j, 4, loop(k, 4, store)));
    all = analysis::with_layout(all, tiled("A", PadKind::Undef, true));
    Function undefined = analysis::with_layout(all, tiled("B", PadKind::Undef, false));
    EXPECT_EQ(verdict(add_constant(1.0), undefined), TvVerdict::Bounded) << last_;
    // Where zero is promised, the over-computed cells must hold it.
    Function promised = analysis::with_layout(all, tiled("B", PadKind::Value, false, 0.0));
    EXPECT_EQ(verdict(add_constant(1.0), promised), TvVerdict::Refuted);
    EXPECT_NE(last_.find("padding of B[3, 2]"), std::string::npos) << last_;
    // Padding that nobody may touch.
    Function closed = function({pa, pb}, loop(j, 4, loop(k, 4, store)));
    closed = analysis::with_layout(closed, tiled("A", PadKind::None, false));
    closed = analysis::with_layout(closed, tiled("B", PadKind::Undef, false));
    EXPECT_EQ(verdict(add_constant(1.0), closed), TvVerdict::Refuted);
    EXPECT_NE(last_.find("may be touched"), std::string::npos) << last_;
}

TEST_F(Tv, IndeterminateGoesOneWay) {
    const std::string undefined = "    B[0] = T.undef(\"float32\")\n";
    EXPECT_EQ(verdict(parse(undefined), parse("    B[0] = T.float32(7)\n")), TvVerdict::Bounded)
        << last_;
    EXPECT_EQ(verdict(parse(undefined), parse("    pass\n")), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(parse("    pass\n"), parse(undefined)), TvVerdict::Refuted);
}

TEST_F(Tv, BranchesOnDataAreMerged) {
    const Function branch =
        parse("    if A[0] < 5:\n        B[0] = A[0]\n    else:\n        B[0] = 5\n", ints_);
    const Function minimum = parse("    B[0] = T.min(A[0], 5)\n", ints_);
    const Function maximum = parse("    B[0] = T.max(A[0], 5)\n", ints_);
    EXPECT_EQ(verdict(branch, minimum), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(branch, maximum), TvVerdict::Refuted);
}

TEST_F(Tv, FaultsOfTheSourceAreNobodysFault) {
    // The source divides by A[0]: from there on it is not zero. The other way is a new fault.
    const Function divides = parse("    B[0] = 8 // A[0]\n    B[0] = 1\n", ints_);
    const Function guarded = parse("    if A[0] != 0:\n        B[0] = 1\n", ints_);
    const Function plain = parse("    B[0] = 1\n", ints_);
    EXPECT_EQ(verdict(divides, guarded), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(plain, divides), TvVerdict::Refuted);
    EXPECT_NE(last_.find("divisor is not zero"), std::string::npos) << last_;
}

TEST_F(Tv, AssumptionsAreFacts) {
    const Function assumed = parse("    T.assume(A[0] == 3)\n    B[0] = A[0]\n", ints_);
    const Function constant = parse("    B[0] = 3\n", ints_);
    EXPECT_EQ(verdict(assumed, constant), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(constant, assumed), TvVerdict::Refuted);  // an assumption out of nowhere
}

TEST_F(Tv, SizesAreNamed) {
    const std::string params = "n: T.int32, A: T.Buffer((n,), \"int32\")";
    const Function up = parse("    for i in range(n):\n        A[i] = i\n", params);
    const Function down =
        parse("    for i in range(n):\n        A[n - 1 - i] = n - 1 - i\n", params);
    TvOptions options;
    options.sizes[ctx.var("n", kInt32)] = c(5);
    const TvResult out = check(up, down, options);
    EXPECT_EQ(out.verdict, TvVerdict::Bounded) << out.what;
    EXPECT_EQ(out.sizes, "n = 5");
    EXPECT_EQ(out.cells, 5U);
}

TEST_F(Tv, WhatIsOutOfReachIsUnknown) {
    const Function gather = parse("    B[0] = A[A[0]]\n", ints_);
    EXPECT_EQ(verdict(gather, gather), TvVerdict::Unknown);
    EXPECT_NE(last_.find("no constant value"), std::string::npos) << last_;
    TvOptions small;
    small.step_limit = 0;
    EXPECT_EQ(check(parse(copy_), parse(copy_), small).verdict, TvVerdict::Unknown);
    const Function impossible = parse("    T.assume(1 < 0)\n", ints_);
    EXPECT_EQ(verdict(impossible, gather), TvVerdict::Unknown);  // never vacuously BOUNDED
}

// Limits, each met from both sides.
TEST_F(Tv, LimitsAreNamed) {
    const auto scratch = [&](int cells) {
        return parse("    tmp = T.alloc_buffer((" + std::to_string(cells) +
                         ",), \"int32\")\n    tmp[0] = 1\n    B[0] = tmp[0]\n",
                     ints_);
    };
    EXPECT_EQ(verdict(scratch(1 << 18), scratch(1 << 18)), TvVerdict::Bounded) << last_;
    EXPECT_EQ(verdict(scratch((1 << 18) + 1), scratch((1 << 18) + 1)), TvVerdict::Unknown);
    EXPECT_NE(last_.find("a large allocation"), std::string::npos) << last_;
    EXPECT_NE(last_.find("tmp has more than 262144 cells"), std::string::npos) << last_;
    TvOptions many;
    many.allocation_limit = (1 << 18) + 1;
    EXPECT_EQ(check(scratch((1 << 18) + 1), scratch((1 << 18) + 1), many).verdict,
              TvVerdict::Bounded);
    TvOptions few;
    few.cell_limit = 13;
    const TvResult out = check(parse(copy_), parse(copy_), few);
    EXPECT_EQ(out.verdict, TvVerdict::Unknown);
    EXPECT_NE(out.what.find("too many cells"), std::string::npos) << out.what;
    few.cell_limit = 14;
    EXPECT_EQ(check(parse(copy_), parse(copy_), few).verdict, TvVerdict::Bounded);
}

// A program that one step leads to and the next starts from is executed once, with the same answers
// as by themselves; one that surely takes too many steps, not at all.
TEST_F(Tv, StepsInARowShareTheirPrograms) {
    const Function wrong = parse("    for i in range(13):\n        B[i] = A[i]\n");
    const std::vector<Function> programs = {parse(copy_), parse(split_), parse(copy_), wrong,
                                            parse(split_)};
    analysis::Prover prover(ctx, {});
    Validation validation(ctx, prover);
    for (std::size_t n = 0; n + 1 < programs.size(); ++n) {
        const TvResult seen = validation.step(programs[n], programs[n + 1]);
        const TvResult alone = check(programs[n], programs[n + 1]);
        EXPECT_EQ(seen.verdict, alone.verdict);
        EXPECT_EQ(seen.what, alone.what);
        EXPECT_EQ(seen.cells, alone.cells);
        EXPECT_EQ(seen.verdict, n < 2 ? TvVerdict::Bounded : TvVerdict::Refuted) << seen.what;
    }
    EXPECT_EQ(validation.executed(), 3U);  // of the pairs whose terms differ

    const Function loops = parse(
        "    for i, j, k in T.grid(1000, 1000, 1000):\n        B[i % 14] = A[j % 14] + A[k % "
        "14]\n");
    const TvResult large = validation.step(loops, loops);
    EXPECT_EQ(large.verdict, TvVerdict::Unknown);
    EXPECT_EQ(large.what, std::string("before: ") + kTooManySteps);
    EXPECT_EQ(validation.executed(), 3U);
}

// A program that may stop is compared as before and as after, from one run of it.
TEST_F(Tv, ARunThatMeetsAnAssertIsShared) {
    const std::string copy = "    B[0] = A[0]\n";
    const Function plain = parse(copy, ints_);
    const Function asserts = parse("    assert A[0] < 7\n" + copy, ints_);
    analysis::Prover prover(ctx, {});
    Validation validation(ctx, prover);
    EXPECT_EQ(validation.step(plain, asserts).verdict, TvVerdict::Refuted);
    EXPECT_EQ(validation.step(asserts, asserts).verdict, TvVerdict::Bounded);
    EXPECT_EQ(validation.step(asserts, plain).verdict, TvVerdict::Refuted);
    EXPECT_EQ(validation.executed(), 3U);
}

TEST_F(Tv, TrapDataRace) {
    const std::string serial = "    for i in range(4):\n        B[0] = A[i]\n";
    const std::string parallel = "    for i in T.parallel(4):\n        B[0] = A[i]\n";
    EXPECT_EQ(verdict(parse(serial), parse(parallel)), TvVerdict::Refuted);
    EXPECT_NE(last_.find("data race"), std::string::npos) << last_;
    const std::string apart = "    for i in T.parallel(14):\n        B[i] = A[i]\n";
    EXPECT_EQ(verdict(parse(copy_), parse(apart)), TvVerdict::Bounded) << last_;
}

}  // namespace
}  // namespace proviso::verify
