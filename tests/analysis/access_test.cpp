// Where accesses are, and what is around them.
#include "analysis/memory/access.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace proviso::analysis {
namespace {

using namespace ir;

class Accesses : public testing::Test {
  protected:
    Function read(const std::string& body) {
        const Result<Function> f = parse_function(
            ctx,
            "@T.prim_func\ndef f(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), x: "
            "T.int32):\n" +
                body,
            "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return *f;
    }

    Context ctx;
};

// Trap: what a branch binds or asks is still known in the next one.
TEST_F(Accesses, KnowOnlyWhatIsAroundThem) {
    const Function f = read(R"(    if A[0] == 1:
        for i in range(4):
            y: T.int32 = i + 1
            B[y] = 1
    else:
        B[x] = 2
    B[0] = 3
)");
    const std::vector<Access> all = accesses(ctx, f);
    std::vector<const Access*> stores;
    for (const Access& a : all) {
        if (a.is_store) stores.push_back(&a);
    }
    ASSERT_EQ(stores.size(), 3U);
    EXPECT_EQ(print(stores[0]->indices[0]), "i + 1");
    EXPECT_EQ(stores[0]->loops.size(), 1U);
    ASSERT_EQ(stores[0]->surrounding.size(), 1U);
    EXPECT_EQ(print(stores[0]->surrounding[0].condition), "A[0] == 1");
    EXPECT_EQ(stores[1]->loops.size(), 0U);
    EXPECT_EQ(stores[1]->lets.size(), 0U);
    ASSERT_EQ(stores[1]->surrounding.size(), 1U);
    EXPECT_EQ(print(stores[1]->surrounding[0].condition), "not A[0] == 1");
    EXPECT_EQ(stores[2]->surrounding.size(), 0U);
    EXPECT_EQ(stores[2]->order.size(), 2U);  // of the list, and after its own index and value
    // A guard is around the branch, not around the statement that asks.
    const Access& first = *stores[0];
    EXPECT_EQ(first.outer(first.surrounding[0].depth).str(), "body/0/then");
    EXPECT_EQ(first.outer(0).str(), "body");
    EXPECT_EQ(first.outer(first.order[0].depth).str(), "body");
    EXPECT_EQ(first.outer(first.order.back().depth), first.statement);
}

// Trap: a name that an inner let binds again is the outer one's afterwards, not unknown or the
// inner one's.
TEST_F(Accesses, TakeANameAsItIsBoundAroundThem) {
    const Function f = read("    B[0] = 0\n");
    const Buffer a = f.find_buffer_param("A");
    const Expr v = ctx.var("v", kInt32);
    const Expr load = ctx.load(a, {v});
    const Expr inner = ctx.let(v, ctx.i32(2), load);
    const Expr outer = ctx.let(v, ctx.i32(1), ctx.sub(inner, load));
    const Function g = replace_at(ctx, f, *Site::parse("body/value"), outer);
    std::vector<std::string> cells;
    for (const Access& load_of : accesses(ctx, g)) {
        if (!load_of.is_store) cells.push_back(print(load_of.indices[0]));
    }
    EXPECT_EQ(cells, (std::vector<std::string>{"2", "1"}));
}

// Trap: two statements with steps of the same labels in other lists.
TEST_F(Accesses, ComeInTheOrderOfTheStatements) {
    const Function f = read(R"(    if x == 0:
        B[0] = 1
        B[1] = 2
    else:
        B[2] = 3
        B[3] = 4
    B[4] = 5
)");
    const std::vector<Access> all = accesses(ctx, f);
    ASSERT_EQ(all.size(), 5U);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < all.size(); ++j) {
            EXPECT_EQ(is_true(must_be_before(ctx, itself(all[i]), itself(all[j]))), i < j)
                << i << " " << j;
        }
    }
    EXPECT_EQ(common_steps(all[0].site, all[1].site), 2U);
    EXPECT_EQ(common_steps(all[0].site, all[2].site), 1U);
    EXPECT_EQ(common_steps(all[0].site, all[0].site), all[0].site.steps.size());
}

}  // namespace
}  // namespace proviso::analysis
