// A theorem is what the kernel has derived, and nothing else: no step can be made by hand, and a
// derivation does not start from a relation of parameters that is not proved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <type_traits>

#include "analysis/layout/layout.h"
#include "analysis/prover/prover.h"
#include "ir/text.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

// Nothing but Derivation makes a ProvedStep, and nothing else is accepted.
static_assert(!std::is_default_constructible_v<ProvedStep>);
static_assert(!std::is_constructible_v<ProvedStep, Step>);
static_assert(!std::is_aggregate_v<ProvedStep>);
static_assert(!std::is_convertible_v<Step, ProvedStep>);
template <typename T>
concept Accepted = requires(Derivation d, T step) { d.accept(step); };
static_assert(!Accepted<Step>);
static_assert(Accepted<ProvedStep>);
// What it holds is read only.
static_assert(std::is_same_v<decltype(std::declval<ProvedStep&>().step()), const Step&>);

Function parsed(Context& ctx, const std::string& text) {
    const Result<Function> f = parse_function(ctx, text, "test");
    PROVISO_CHECK(f.ok(), f.error().str());
    return *f;
}

constexpr const char* kTwoStores =
    "@T.prim_func\n"
    "def f(A: T.Buffer((4,), \"int32\")):\n"
    "    A[0] = 1\n"
    "    A[0] = 2\n";

// A step for one program is not one for another.
TEST(Sealed, AStepIsForItsProgramOnly) {
    Context ctx;
    analysis::Prover prover(ctx, {});
    Result<Derivation> d = Derivation::start(parsed(ctx, kTwoStores), prover);
    ASSERT_TRUE(d.ok());
    auto tried = d->attempt("replace", *Site::parse("body/1/value"), {{"to", "3 - 1"}}, prover);
    ASSERT_TRUE(std::holds_alternative<ProvedStep>(tried))
        << std::get<Rejection>(tried).diagnostic.str();
    const ProvedStep proved = std::get<ProvedStep>(tried);
    d->accept(proved);
    EXPECT_DEATH(d->accept(proved), "a step for another program");
}

// The inverse takes no cell back but the first.
TEST(Sealed, RelationsThatAProgramBringsAlongAreProvedAtTheStart) {
    Context ctx;
    analysis::Prover prover(ctx, {});
    analysis::Layout layout;
    layout.buffer = "A";
    layout.logical_shape = {ctx.i32(4)};
    layout.vars = {ctx.var("x", kInt32)};
    layout.map = layout.vars;
    layout.physical_vars = {ctx.var("p", kInt32)};
    layout.inverse = layout.physical_vars;
    const Function plain = parsed(ctx, kTwoStores);
    EXPECT_TRUE(Derivation::start(analysis::with_layout(plain, layout), prover).ok());
    layout.inverse = {ctx.i32(0)};
    const Function f = analysis::with_layout(plain, layout);
    const Result<Derivation> d = Derivation::start(f, prover);
    ASSERT_FALSE(d.ok());
    EXPECT_THAT(d.error().str(), testing::HasSubstr("is not proved"));
    EXPECT_FALSE(Derivation::start(ctx, f).ok());
}

}  // namespace
}  // namespace proviso::rewrite
