// What proposers remember of a program is what a search from the top finds, edit after edit.
#include "rewrite/passes/program_index.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/passes/sweep.h"
#include "tests/ir/random_program.h"

namespace proviso::rewrite {
namespace {

using namespace ir;

// Edits at random: a statement of one program at a place of another, alone or before what was
// there.
class Edits {
  public:
    explicit Edits(std::uint64_t seed) : state_(seed * 2 + 1) {}
    std::uint64_t below(std::uint64_t n) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state_ >> 33) % n;
    }
    Function edit(Context& ctx, const Function& f, const Function& other) {
        const auto all = all_statements(f);
        const auto& [site, s] = all[below(all.size())];
        const auto from = all_statements(other);
        Stmt t = from[below(from.size())].second;
        if (below(3) == 0) return replace_at(ctx, f, site, ctx.seq({t, s}));
        return replace_at(ctx, f, site, below(3) == 0 ? ctx.pass() : t);
    }

  private:
    std::uint64_t state_;
};

void expect_same(const ProgramIndex& index, const Function& f) {
    std::set<std::string> names = bound_names(f);
    for (const char* more : {"i", "b", "x", "X_1", "let0"}) names.insert(more);
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Block* n = s->as<Block>()) names.insert(n->name);
    });
    const std::set<std::string> bound = bound_names(f);
    for (const std::string& name : names) {
        EXPECT_EQ(index.is_bound(name), bound.count(name) != 0) << name;
        EXPECT_EQ(index.loop(name), find_loop(f, name)) << name;
        EXPECT_EQ(index.block(name), find_block(f, name)) << name;
        EXPECT_EQ(index.is_block(name), find_block(f, name).has_value()) << name;
    }
    std::set<Buffer> stored;
    std::set<Buffer> constants;
    for_each_stmt(f.body, [&](Stmt s) {
        const Store* n = s->as<Store>();
        if (n == nullptr) return;
        stored.insert(n->buffer);
        if (is_const(n->value)) constants.insert(n->buffer);
    });
    for (Buffer b : f.buffer_params()) {
        EXPECT_EQ(index.is_stored(b), stored.count(b) != 0);
        EXPECT_EQ(index.is_given_a_constant(b), constants.count(b) != 0);
    }
}

TEST(ProgramIndex, IsWhatASearchFinds) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Context ctx;
        Function f = RandomProgram(ctx, seed).function();
        const Function other = RandomProgram(ctx, seed + 500).function();
        Edits edits(seed);
        ProgramIndex index;
        for (int k = 0; k < 12 && !testing::Test::HasFailure(); ++k) {
            expect_same(index.of(f), f);
            f = edits.below(6) == 0 ? other : edits.edit(ctx, f, other);
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << "\n" << print(f);
    }
}

// The same statements in the same order as a search that starts from the top after each edit.
TEST(Sweep, GoesOnAsIfFromTheTop) {
    int edited = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Context ctx;
        Function f = RandomProgram(ctx, seed).function();
        const Function other = RandomProgram(ctx, seed + 500).function();
        Edits edits(seed);
        const auto wanted = [&](Stmt s) { return s->is<For>() || s->is<Store>(); };
        Sweep sweep(wanted);
        for (int k = 0; k < 12; ++k) {
            // Says no to some, so that they are met again.
            const std::uint64_t refuse = edits.below(4);
            std::vector<Site> seen;
            std::vector<Site> expected;
            const bool found = sweep.find(f.body, [&](const Site& site, Stmt) {
                seen.push_back(site);
                return seen.size() > refuse;
            });
            for (const auto& [site, s] : all_statements(f)) {
                if (wanted(s) && expected.size() <= refuse) expected.push_back(site);
            }
            EXPECT_EQ(seen, expected) << print(f);
            EXPECT_EQ(found, seen.size() > refuse);
            if (!found) break;
            ++edited;
            const auto from = all_statements(other);
            f = replace_at(ctx, f, seen.back(), from[edits.below(from.size())].second);
        }
    }
    EXPECT_GT(edited, 100);
}

}  // namespace
}  // namespace proviso::rewrite
