// The harness: packing through layout relations, comparison by refinement, replay.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/verify/programs.h"
#include "verify/harness/replay.h"

namespace proviso::verify {
namespace {

using namespace ir;
using analysis::PadKind;

class Harness : public testing::Test, protected Programs {
  protected:
    // for j in 4, k in 4: B[j, k] = A[j, k] (+ value), over all 16 physical cells.
    Function padded_copy(PadKind a_kind, PadKind b_kind, double value, bool guarded) {
        Buffer pa = buffer("A", {4, 4});
        Buffer pb = buffer("B", {4, 4});
        Stmt body = ctx.store(pb, {j, k}, ctx.add(ctx.load(pa, {j, k}), f32(value)));
        if (guarded) {
            Expr flat = ctx.add(ctx.mul(j, c(4)), k);
            body = ctx.if_(ctx.lt(flat, c(14)), body);
        }
        Function f = function({pa, pb}, loop(j, 4, loop(k, 4, body)));
        f = analysis::with_layout(f, tiled("A", a_kind, a_kind != PadKind::None));
        return analysis::with_layout(f, tiled("B", b_kind, false));
    }

    Inputs inputs() {
        Tensor t = Tensor::filled(kFloat32, {14}, Value::of_float(0.0));
        for (std::size_t n = 0; n < 14; ++n) t.set(n, Value::of_float(static_cast<double>(n)));
        return {{"A", t}, {"B", Tensor::filled(kFloat32, {14}, Value::of_float(0.0))}};
    }

    Comparison compare(const Function& before, const Function& after,
                       OpenCells open = OpenCells::Indet) {
        CompareOptions options;
        options.open = open;
        const Result<Comparison> out = compare_runs(ctx, before, after, inputs(), options);
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.ok() ? *out : Comparison{};
    }
};

TEST_F(Harness, PacksAndUnpacks) {
    const Function f = padded_copy(PadKind::Value, PadKind::Undef, 0.0, true);
    const Result<Inputs> packed = physical_inputs(ctx, f, inputs());
    ASSERT_TRUE(packed.ok()) << packed.error().str();
    const Tensor& t = std::get<Tensor>(packed->at("A"));
    EXPECT_EQ(t.shape, (std::vector<std::int64_t>{4, 4}));
    EXPECT_EQ(t.at(13).real(), 13.0);
    EXPECT_EQ(t.at(14).real(), 0.0);
    const Result<LogicalOutputs> back =
        logical_outputs(ctx, f, inputs(), {{"A", t}, {"B", std::get<Tensor>(packed->at("B"))}});
    ASSERT_TRUE(back.ok()) << back.error().str();
    EXPECT_EQ(back->tensors.at("A"), std::get<Tensor>(inputs().at("A")));
    EXPECT_TRUE(back->violations.empty());
}

// A caller that was asked for 0.0 may provide -0.0; one that was asked for its bits may not.
TEST_F(Harness, PaddingThatIsZeroHasTheSignThatThePromiseNames) {
    const auto signs = [&](bool exact, double pad, OpenCells open) {
        Buffer pa = buffer("A", {4, 4});
        const Function body = function({pa, b}, ctx.store(b, {c(0)}, ctx.load(pa, {c(0), c(0)})));
        analysis::Layout layout = tiled("A", PadKind::Value, true, pad);
        layout.exact = exact;
        const Function f = analysis::with_layout(body, layout);
        std::set<bool> out;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            CompareOptions options;
            options.open = open;
            options.seed = seed;
            const Result<Inputs> packed = physical_inputs(ctx, f, inputs(), options);
            EXPECT_TRUE(packed.ok());
            const Tensor& t = std::get<Tensor>(packed->at("A"));
            EXPECT_EQ(t.at(15).real(), pad);
            out.insert(std::signbit(t.at(15).real()));
            // Whichever it is, the promise is kept at exit.
            const auto back = logical_outputs(ctx, f, inputs(), {{"A", t}, {"B", t}});
            EXPECT_TRUE(back.ok() && back->violations.empty());
        }
        return out;
    };
    const std::set<bool> plus = {false};
    const std::set<bool> minus = {true};
    const std::set<bool> either = {false, true};
    EXPECT_EQ(signs(false, 0.0, OpenCells::Garbage), either);
    EXPECT_EQ(signs(false, -0.0, OpenCells::Garbage), either);
    EXPECT_EQ(signs(true, 0.0, OpenCells::Garbage), plus);
    EXPECT_EQ(signs(true, -0.0, OpenCells::Garbage), minus);
    EXPECT_EQ(signs(false, 0.0, OpenCells::Indet), plus);  // what `proviso run` packs
    EXPECT_EQ(signs(false, -2.0, OpenCells::Garbage), minus);
}

TEST_F(Harness, UndefinedPaddingIsIndeterminateOrGarbage) {
    const Function f = padded_copy(PadKind::Undef, PadKind::Undef, 0.0, true);
    const Result<Inputs> indet = physical_inputs(ctx, f, inputs());
    ASSERT_TRUE(indet.ok());
    EXPECT_EQ(std::get<Tensor>(indet->at("A")).states[15], CellState::Indet);
    CompareOptions garbage;
    garbage.open = OpenCells::Garbage;
    const Result<Inputs> filled = physical_inputs(ctx, f, inputs(), garbage);
    ASSERT_TRUE(filled.ok());
    EXPECT_EQ(std::get<Tensor>(filled->at("A")).states[15], CellState::Definite);
}

TEST_F(Harness, OvercomputeIntoUndefinedPaddingRefines) {
    const Function after = padded_copy(PadKind::Undef, PadKind::Undef, 1.0, false);
    EXPECT_EQ(compare(add_constant(1.0), after).agreement, Agreement::Refines);
    EXPECT_EQ(compare(add_constant(1.0), after, OpenCells::Garbage).agreement, Agreement::Refines);
}

TEST_F(Harness, PaddingThatIsPromisedMustHoldAtExit) {
    const Function after = padded_copy(PadKind::Value, PadKind::Value, 1.0, false);
    const Comparison out = compare(add_constant(1.0), after);
    EXPECT_EQ(out.agreement, Agreement::Differs);
    EXPECT_EQ(out.what, "padding of B[3, 2]: 1.0 instead of 0.0");
}

TEST_F(Harness, ClosedPaddingMustNotBeTouched) {
    const Function after = padded_copy(PadKind::None, PadKind::Undef, 1.0, false);
    EXPECT_EQ(compare(add_constant(1.0), after).agreement, Agreement::NewFault);
    const Function guarded = padded_copy(PadKind::None, PadKind::None, 1.0, true);
    EXPECT_EQ(compare(add_constant(1.0), guarded).agreement, Agreement::Refines);
}

TEST_F(Harness, NamesTheFirstCellThatDiffers) {
    const Comparison out = compare(add_constant(1.0), add_constant(2.0));
    EXPECT_EQ(out.agreement, Agreement::Differs);
    EXPECT_EQ(out.what, "B[0]: before 1.0, after 2.0");
}

TEST_F(Harness, AFaultOfTheSourceSaysNothing) {
    const Function broken = function({a, b}, ctx.store(b, {c(14)}, f32(0.0)));
    EXPECT_EQ(compare(broken, add_constant(1.0)).agreement, Agreement::SourceFaults);
    EXPECT_EQ(compare(add_constant(1.0), broken).agreement, Agreement::NewFault);
}

TEST_F(Harness, AFrozenValueOfTheSourceIsInconclusive) {
    Expr u = ctx.var("u", kFloat32);
    Stmt frozen = ctx.stmt(LetStmt{u, ctx.undef(kFloat32), ctx.store(b, {c(0)}, u)});
    const Function source = function({a, b}, frozen);
    const Function derived = function({a, b}, ctx.store(b, {c(0)}, f32(42.0)));
    EXPECT_EQ(compare(source, derived).agreement, Agreement::Inconclusive);
}

// 1e30 - 1e30 + 1 is 1, in the other order 0. What the sum decides is open with it, and nothing
// else is.
TEST_F(Harness, ALicenceLeavesOpenWhatItsSumsReach) {
    Buffer n = buffer("N", {2}, kInt32);
    const auto sum = [&](bool other, std::int64_t constant, bool licensed) {
        const auto cell = [&](std::int64_t at) { return ctx.load(a, {c(at)}); };
        Expr terms = other ? ctx.add(ctx.add(cell(2), cell(1)), cell(0))
                           : ctx.add(ctx.add(cell(0), cell(1)), cell(2));
        Expr small = ctx.cast(kInt32, ctx.lt(terms, f32(0.5)));
        Function f = function(
            {a, n}, ctx.seq({ctx.store(n, {c(0)}, small), ctx.store(n, {c(1)}, c(constant))}));
        if (licensed) {
            f.attrs[kLicencesAttr] =
                AttrValue{AttrValue::List{AttrValue{std::string("reassociate")}}};
        }
        return f;
    };
    Inputs given = inputs();
    given.erase("B");
    Tensor& cells = std::get<Tensor>(given["A"]);
    cells.set(0, Value::of_float(1e30));
    cells.set(1, Value::of_float(-1e30));
    cells.set(2, Value::of_float(1.0));
    given["N"] = Tensor::filled(kInt32, {2}, Value::of_int(0));
    const auto judged = [&](const Function& before, const Function& after) {
        const Result<Comparison> out = compare_runs(ctx, before, after, given, {});
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.ok() ? out->agreement : Agreement::SourceFaults;
    };
    EXPECT_EQ(judged(sum(false, 0, false), sum(true, 0, false)), Agreement::Differs);
    EXPECT_EQ(judged(sum(false, 0, true), sum(true, 0, true)), Agreement::Inconclusive);
    // Without the sum there is nothing to choose.
    const auto constant = [&](std::int64_t value) {
        Function f = function({a, n}, ctx.store(n, {c(1)}, c(value)));
        f.attrs[kLicencesAttr] = AttrValue{AttrValue::List{AttrValue{std::string("reassociate")}}};
        return f;
    };
    EXPECT_EQ(judged(constant(0), constant(1)), Agreement::Differs);
}

TEST_F(Harness, ReplayFindsTheSignOfZero) {
    // Trap 3: x + 0.0 is not x where x is -0.0.
    const Function copy = function({a, b}, loop(i, 14, ctx.store(b, {i}, ctx.load(a, {i}))));
    const Result<ReplayResult> out = replay(ctx, add_constant(0.0), copy);
    ASSERT_TRUE(out.ok()) << out.error().str();
    ASSERT_TRUE(out->found.has_value());
    EXPECT_NE(out->found->comparison.what.find("before 0.0, after -0.0"), std::string::npos);
    const Result<ReplayResult> other = replay(ctx, add_constant(-0.0), copy);
    ASSERT_TRUE(other.ok());
    EXPECT_FALSE(other->found.has_value());
    EXPECT_GT(other->counted, 300U);
}

TEST_F(Harness, ReplayUsesTheModel) {
    // A difference at one value of one cell only, which no random search would meet.
    Buffer x = buffer("A", {3}, kInt32);
    Buffer y = buffer("B", {3}, kInt32);
    Expr load = ctx.load(x, {c(1)});
    const Function before = function({x, y}, ctx.store(y, {c(0)}, c(0)));
    const Function after = function(
        {x, y},
        ctx.if_(ctx.ne(load, c(123457)), ctx.store(y, {c(0)}, c(0)), ctx.store(y, {c(0)}, c(1))));
    const Result<ReplayResult> blind = replay(ctx, before, after);
    ASSERT_TRUE(blind.ok());
    EXPECT_FALSE(blind->found.has_value());
    const Result<ReplayResult> hinted =
        replay(ctx, before, after, {analysis::ModelValue{"A[1]", load, c(123457)}});
    ASSERT_TRUE(hinted.ok());
    ASSERT_TRUE(hinted->found.has_value());
    EXPECT_EQ(hinted->found->comparison.what, "B[0]: before 0, after 1");
}

// A scalar that sizes no buffer takes whatever value the model has; a size or a bound of a loop
// one that a run has steps for.
TEST_F(Harness, ReplayUsesScalarsOfTheModel) {
    Expr s = ctx.var("s", kInt32);
    Expr x = ctx.var("x", kFloat32);
    Expr n = ctx.var("n", kInt32);
    Buffer y = buffer("B", {3}, kInt32);
    Buffer z = ctx.buffer("C", kInt32, {n});
    const auto stores = [&](std::vector<Param> params, Expr when) {
        Stmt one = ctx.store(y, {c(0)}, c(1));
        Stmt zero = ctx.store(y, {c(0)}, c(0));
        return function(std::move(params), ctx.if_(when, one, zero));
    };
    const auto differs = [&](const std::vector<Param>& params, Expr when, Expr var, Expr value) {
        const Result<ReplayResult> out =
            replay(ctx, stores(params, ctx.false_()), stores(params, when), {{"", var, value}});
        return out.ok() && out->found.has_value();
    };
    EXPECT_TRUE(differs({s, y}, ctx.eq(s, c(123456789)), s, c(123456789)));
    EXPECT_TRUE(differs({s, y}, ctx.eq(s, c(-123456789)), s, c(-123456789)));
    EXPECT_TRUE(differs({x, y}, ctx.ne(x, x), x, ctx.float_imm(kFloat32, NAN)));
    EXPECT_TRUE(differs({n, y, z}, ctx.eq(n, c(500)), n, c(500)));
    EXPECT_FALSE(differs({n, y, z}, ctx.eq(n, c(2000000000)), n, c(2000000000)));
}

TEST_F(Harness, SizesWithinTheirBounds) {
    Expr n = ctx.var("n", kInt32);
    Buffer x = ctx.buffer("A", kInt32, {n});
    Function f = function({n, x}, ctx.pass());
    f.attrs[kLowerBoundAttr] = AttrValue{AttrValue::Dict{{"n", AttrValue{std::int64_t{3}}}}};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Result<Inputs> made = random_inputs(ctx, f, seed);
        ASSERT_TRUE(made.ok()) << made.error().str();
        const auto size = std::get<Tensor>(made->at("A")).shape.at(0);
        EXPECT_GE(size, 3);
        EXPECT_EQ(std::get<Value>(made->at("n")), Value::of_int(size));
    }
}

TEST_F(Harness, DeclaredFiniteStaysFinite) {
    Function f = add_constant(0.0);
    f.attrs[kLicencesAttr] = AttrValue{AttrValue::List{AttrValue{std::string("finite(A)")}}};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Result<Inputs> made = random_inputs(ctx, f, seed);
        ASSERT_TRUE(made.ok());
        const Tensor& t = std::get<Tensor>(made->at("A"));
        for (std::size_t n = 0; n < t.size(); ++n) EXPECT_TRUE(std::isfinite(t.at(n).real()));
    }
}

}  // namespace
}  // namespace proviso::verify
