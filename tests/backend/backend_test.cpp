// The verified door: what a derivation holds is what gets compiled.
#include "backend/cpu/backend.h"

#include <gtest/gtest.h>

#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

TEST(VerifiedDoor, CompilesTheCurrentProgram) {
    Context ctx;
    Expr i = ctx.var("i", kInt32);
    Buffer a = ctx.buffer("A", kInt32, {ctx.i32(4)});
    const Function f{"twice",
                     {a},
                     {},
                     ctx.for_(i, ctx.i32(0), ctx.i32(4),
                              ctx.store(a, {i}, ctx.mul(ctx.load(a, {i}), ctx.i32(2))))};
    const auto derivation = rewrite::Derivation::start(ctx, f);
    ASSERT_TRUE(derivation.ok());
    const Derivations all = {*derivation};
    const auto module = compile(all);
    ASSERT_TRUE(module.ok());
    HostBuffer cells = host_buffer(kInt32, {4}, {1, 2, 3, 4});
    EXPECT_EQ(run(*module, "twice", {&cells}), RunOutcome{});
    EXPECT_EQ(values(cells), (std::vector<double>{2, 4, 6, 8}));

    EXPECT_EQ(*llvm_ir(all), *unverified::emit_llvm_ir({f}, {}));
    EXPECT_EQ(*assembly(all), *unverified::emit_assembly({f}, {}));
    EXPECT_EQ(*object(all), *unverified::emit_object({f}, {}));
    EXPECT_EQ(*header(all), *c_header({f}, {}));
}

// Trap: a call that is kept points to copies of its scalars that are gone.
TEST(VerifiedDoor, ABoundCallHasItsScalars) {
    Context ctx;
    const Expr n = ctx.var("n", kInt32);
    const Buffer y = ctx.buffer("Y", kInt32, {ctx.i32(1)});
    const Function f{"keep", {n, y}, {}, ctx.store(y, {ctx.i32(0)}, n)};
    const auto module = unverified::compile({f}, {});
    ASSERT_TRUE(module.ok());
    HostBuffer cells = host_buffer(kInt32, {1}, {0});
    std::vector<CpuModule::Call> calls;
    for (std::uint64_t k = 0; k < 100; ++k) {
        const auto call = module->bind("keep", {HostScalar{kInt32, k}, &cells});
        ASSERT_TRUE(call.ok()) << call.error().str();
        calls.push_back(*call);
    }
    for (std::size_t k = 0; k < calls.size(); ++k) {
        EXPECT_EQ(calls[k](), 0);
        EXPECT_EQ(cell(cells, 0), k);
    }
}

TEST(VerifiedDoor, RefusesWhatIsNotLowered) {
    Context ctx;
    Buffer a = ctx.buffer("A", kInt32, {ctx.i32(4)});
    const Function f{"gap", {a}, {}, ctx.store(a, {ctx.i32(0)}, ctx.undef(kInt32))};
    const auto derivation = rewrite::Derivation::start(ctx, f);
    ASSERT_TRUE(derivation.ok());
    const auto module = compile({*derivation});
    ASSERT_FALSE(module.ok());
    EXPECT_EQ(module.error().message, "the code generator does not take T.undef(), at body/value");
    EXPECT_FALSE(shared_library({*derivation}, "/tmp/never-written.so").ok());
}

}  // namespace
}  // namespace proviso::backend::testing
