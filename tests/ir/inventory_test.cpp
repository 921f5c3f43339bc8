// What is counted over a row of edits is what a walk through the last program finds.
#include "ir/inventory.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "ir/site.h"
#include "ir/text.h"
#include "tests/ir/random_program.h"

namespace proviso::ir {
namespace {

std::set<Buffer> stored_in(const Function& f) {
    std::set<Buffer> out;
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Store* n = s->as<Store>()) out.insert(n->buffer);
    });
    return out;
}

// Everything that could be asked about: what either program has.
void expect_as_walked(Context& ctx, const Function& f, const Function& other) {
    const std::set<std::string> bound = bound_names(f);
    std::set<std::string> names = bound_names(other);
    names.insert(bound.begin(), bound.end());
    for (const std::string& name : names) {
        ASSERT_EQ(binds(ctx, f, name), bound.count(name) != 0) << name << "\n" << print(f);
    }
    const std::set<Buffer> stored = stored_in(f);
    std::set<Buffer> buffers = stored_in(other);
    buffers.insert(stored.begin(), stored.end());
    for (Buffer b : buffers) {
        ASSERT_EQ(stores_to(ctx, f, b), stored.count(b) != 0) << b->name << "\n" << print(f);
    }
}

TEST(Inventory, SaysWhatAWalkFindsAfterEachEdit) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Context ctx;
        std::vector<Function> programs = {RandomProgram(ctx, seed).function(),
                                          RandomProgram(ctx, seed + 1000).function()};
        std::uint64_t state = seed * 2 + 1;
        const auto below = [&](std::uint64_t n) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            return (state >> 33) % n;
        };
        for (int k = 0; k < 30; ++k) {
            // A statement in the place of another: of any of the programs so far, so that it may
            // stand twice in one list.
            const Function from = programs[below(programs.size())];
            const auto of = all_statements(programs[below(programs.size())]);
            const auto places = all_statements(from);
            programs.push_back(replace_at(ctx, from, places[below(places.size())].first,
                                          of[below(of.size())].second));
            expect_as_walked(ctx, programs.back(), programs[below(programs.size())]);
        }
    }
}

TEST(Inventory, AStatementThatStandsTwiceIsStillThereWhenOneGoes) {
    Context ctx;
    const Buffer a = ctx.buffer("A", kInt32, {ctx.i32(4)});
    const Stmt store = ctx.store(a, {ctx.i32(0)}, ctx.i32(1));
    const Stmt check = ctx.stmt(Assert{ctx.true_(), "fine"});
    Function f;
    f.name = "f";
    f.params = {a};
    f.body = ctx.seq({store, check, store});
    EXPECT_TRUE(stores_to(ctx, f, a));
    f.body = ctx.seq({check, store});
    EXPECT_TRUE(stores_to(ctx, f, a));
    f.body = ctx.seq({check, check});
    EXPECT_FALSE(stores_to(ctx, f, a));
}

TEST(Inventory, TakenNamesAreThoseOfTheProgramAndMore) {
    Context ctx;
    const Expr i = ctx.var("i", kInt32);
    const Expr x = ctx.var("x", kInt32);
    const Buffer a = ctx.buffer("A", kInt32, {ctx.i32(4)});
    Function f;
    f.name = "f";
    f.params = {a};
    f.body = ctx.for_(i, ctx.i32(0), ctx.i32(4),
                      ctx.store(a, {i}, ctx.let(x, i, ctx.add(x, ctx.i32(1)))));
    TakenNames taken(ctx, f, {"i_1"});
    EXPECT_EQ(fresh_name("A", taken), "A_1");  // a parameter
    EXPECT_EQ(fresh_name("x", taken), "x_1");  // a let in an expression
    EXPECT_EQ(fresh_name("i", taken), "i_2");
    EXPECT_EQ(fresh_name("i", taken), "i_3");
    EXPECT_EQ(fresh_name("j", taken), "j");
}

}  // namespace
}  // namespace proviso::ir
