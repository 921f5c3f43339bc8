// The check of what an edit changed says what the check of the whole program says: on programs of
// every kind, and on edits that no sound rewrite would make.
#include "ir/known_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/changes.h"
#include "ir/depth.h"
#include "ir/text.h"
#include "tests/ir/random_program.h"

namespace proviso::ir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> messages(const std::vector<Diagnostic>& found) {
    std::vector<std::string> out;
    for (const Diagnostic& d : found) out.push_back(d.message);
    return out;
}

// --- edits at random
// -------------------------------------------------------------------------------

class Edits {
  public:
    Edits(Context& ctx, std::uint64_t seed) : ctx_(ctx), state_(seed * 2 + 1) {}

    std::uint64_t below(std::uint64_t n) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return (state_ >> 33) % n;
    }

    Function edit(const Function& f, const Function& other) {
        const auto all = all_statements(f);
        const auto& [site, s] = all[below(all.size())];
        if (below(12) == 0) return other_head(f);
        return replace_at(ctx_, f, site, instead_of(s, f, other));
    }

  private:
    Stmt any(const Function& f) {
        const auto all = all_statements(f);
        return all[below(all.size())].second;
    }

    Function other_head(const Function& f) {
        Function out = f;
        if (out.params.empty() || below(2) == 0) {
            out.name = out.name + "g";
        } else {
            out.params.pop_back();
        }
        return out;
    }

    // A name of some binder of the function, of some let, or a new one.
    std::string name(const Function& f) {
        const std::set<std::string> taken = bound_names(f);
        if (taken.empty() || below(2) == 0) return "fresh" + std::to_string(below(4));
        auto it = taken.begin();
        std::advance(it, below(taken.size()));
        return *it;
    }

    Stmt instead_of(Stmt s, const Function& f, const Function& other) {
        Expr zero = ctx_.i32(0);
        Expr var = ctx_.var(name(f), kInt32);
        Buffer b = ctx_.buffer(name(f), kInt32, {ctx_.i32(4)});
        switch (below(18)) {
            case 0: return ctx_.pass();
            case 1: return any(f);
            case 2: return any(other);
            case 3: return ctx_.seq({s, any(f)});
            case 4: return ctx_.seq({any(other), s});
            case 5: return ctx_.for_(var, zero, ctx_.i32(3), s);
            case 6: return ctx_.stmt(LetStmt{var, zero, s});
            case 7: return ctx_.stmt(Allocate{b, s});
            case 8: return ctx_.if_(ctx_.eq(var, zero), s, below(2) == 0 ? s : nullptr);
            case 9: return ctx_.store(b, {var}, zero);
            case 10: return ctx_.stmt(Evaluate{ctx_.let(var, zero, ctx_.add(var, var))});
            case 11: return ctx_.stmt(Evaluate{ctx_.same(zero, zero)});
            case 12: return ctx_.stmt(Seq{{s}});
            case 13: return ctx_.for_(var, zero, zero, ctx_.stmt(Seq{{ctx_.stmt(Seq{{}}), s}}));
            case 14: return without_last(s);
            case 15:
            case 16: return other_head(s, var, b);
            default: return inner(s);
        }
    }

    // The same statements below, under something else.
    Stmt other_head(Stmt s, Expr var, Buffer b) {
        if (const For* n = s->as<For>()) {
            For copy = *n;
            if (below(2) == 0) {
                copy.thread_tag = "x";
            } else {
                copy.hi = copy.var;
            }
            return ctx_.stmt(copy);
        }
        const Block* n = s->as<Block>();
        if (n == nullptr) return s;
        Block copy = *n;
        switch (below(5)) {
            case 0: copy.iters.clear(); break;
            case 1: copy.writes = {BufferRegion{b, {}}}; break;
            case 2: copy.reads = {BufferRegion{b, {}}}; break;
            case 3: copy.predicate = ctx_.eq(var, var); break;
            default: copy.init = copy.init == nullptr ? copy.body : nullptr;
        }
        return ctx_.stmt(copy);
    }

    Stmt without_last(Stmt s) {
        const Seq* list = s->as<Seq>();
        if (list == nullptr || list->body.empty()) return s;
        std::vector<Stmt> rest(list->body.begin(), list->body.end() - 1);
        return below(2) == 0 ? ctx_.stmt(Seq{rest}) : ctx_.seq(rest);
    }

    // What stands in it, without what it binds.
    Stmt inner(Stmt s) {
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr && below(2) == 0) return c.stmt;
        }
        return s;
    }

    Context& ctx_;
    std::uint64_t state_;
};

TEST(KnownProgram, SaysWhatTheWholeCheckSays) {
    int sound = 0;
    int faulty = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Context ctx;
        const Function start = RandomProgram(ctx, seed).function();
        const Function other = RandomProgram(ctx, seed + 1000).function();
        ASSERT_THAT(messages(well_formed(start)), IsEmpty()) << print(start);
        KnownProgram known(start);
        std::vector<Function> earlier = {start};
        Edits edits(ctx, seed);
        for (int k = 0; k < 40; ++k) {
            // Sometimes two edits in one step, so that it changes several places.
            Function after = edits.edit(known.program(), other);
            if (edits.below(3) == 0) after = edits.edit(after, other);
            const std::vector<std::string> whole = messages(well_formed(after));
            ASSERT_EQ(messages(known.faults_of(after)), whole)
                << "seed " << seed << ", step " << k << "\n"
                << print(known.program());
            whole.empty() ? ++sound : ++faulty;
            if (whole.empty() && edits.below(4) != 0) {
                known.move_to(after);
                earlier.push_back(after);
            } else if (edits.below(8) == 0) {
                known.move_to(earlier[edits.below(earlier.size())]);
            }
        }
    }
    EXPECT_GT(sound, 3000);
    EXPECT_GT(faulty, 3000);
}

// --- edits that only the whole program shows to be wrong
// --------------------------------------------

struct Known : testing::Test {
    Context ctx;
    Buffer A = ctx.buffer("A", kInt32, {ctx.i32(8)});
    Expr n = ctx.var("n", kInt32);

    Stmt set(Expr at) { return ctx.store(A, {at}, n); }
    Stmt loop(const char* name) {
        Expr v = ctx.var(name, kInt32);
        return ctx.for_(v, ctx.i32(0), n, set(v));
    }
    Function function(Stmt body) {
        Function f;
        f.name = "f";
        f.params = {A, n};
        f.body = body;
        return f;
    }
    std::vector<std::string> faults(Stmt before, Stmt after) {
        return messages(KnownProgram(function(before)).faults_of(function(after)));
    }
};

// Trap: a name is free in what was changed, and taken far away from it.
TEST_F(Known, ANameIsTakenElsewhere) {
    EXPECT_THAT(faults(ctx.seq({loop("i"), loop("j")}), ctx.seq({loop("i"), loop("i")})),
                ElementsAre(HasSubstr("`i` is bound twice")));
    EXPECT_THAT(faults(ctx.seq({loop("i"), loop("j")}), ctx.seq({loop("i"), loop("n")})),
                ElementsAre(HasSubstr("`n` is bound twice")));
    // The name that goes is free for what comes, wherever it comes.
    EXPECT_THAT(faults(ctx.seq({loop("i"), loop("j")}), ctx.seq({loop("j"), loop("i")})),
                IsEmpty());
    EXPECT_THAT(faults(ctx.seq({loop("i"), loop("j")}), loop("j")), IsEmpty());
}

TEST_F(Known, ANameThatWentIsFree) {
    KnownProgram known(function(ctx.seq({loop("i"), loop("j")})));
    known.move_to(function(ctx.seq({loop("i"), loop("k")})));
    EXPECT_THAT(messages(known.faults_of(function(ctx.seq({loop("j"), loop("k")})))), IsEmpty());
    EXPECT_THAT(messages(known.faults_of(function(ctx.seq({loop("k"), loop("k")})))),
                ElementsAre(HasSubstr("`k` is bound twice")));
}

// Trap: lets inside expressions may share names with each other, but not with binders.
TEST_F(Known, ALetElsewhereHasTheName) {
    Expr i = ctx.var("i", kInt32);
    Stmt let = set(ctx.let(i, n, i));
    EXPECT_THAT(faults(ctx.seq({let, loop("j")}), ctx.seq({let, loop("i")})),
                ElementsAre(HasSubstr("let of `i` has the name of another binder")));
    EXPECT_THAT(faults(ctx.seq({set(n), loop("i")}), ctx.seq({let, loop("i")})),
                ElementsAre(HasSubstr("let of `i` has the name of another binder")));
    EXPECT_THAT(faults(ctx.seq({set(n), let}), ctx.seq({let, let})), IsEmpty());
    // A let that has gone is no let.
    EXPECT_THAT(faults(ctx.seq({let, loop("j")}), ctx.seq({set(n), loop("i")})), IsEmpty());
}

// Trap: a statement stays as it was, and what it means does not.
TEST_F(Known, WhatStandsAroundHasChanged) {
    Expr i = ctx.var("i", kInt32);
    Expr j = ctx.var("j", kInt32);
    EXPECT_THAT(faults(loop("i"), ctx.for_(j, ctx.i32(0), n, set(i))),
                ElementsAre(HasSubstr("variable `i` (int32) of an index is not in scope")));
    EXPECT_THAT(faults(loop("i"), set(i)),
                ElementsAre(HasSubstr("variable `i` (int32) of an index is not in scope")));
    EXPECT_THAT(faults(ctx.seq({loop("i"), set(n)}), ctx.seq({loop("i"), set(i)})),
                ElementsAre(HasSubstr("variable `i` (int32) of an index is not in scope")));
}

TEST_F(Known, AnIteratorHasGone) {
    Expr v = ctx.var("v", kInt32);
    const auto block = [&](std::vector<BlockIter> iters) {
        Block b;
        b.name = "b";
        b.iters = std::move(iters);
        b.predicate = ctx.true_();
        b.body = set(v);
        return ctx.stmt(std::move(b));
    };
    Stmt before = block({BlockIter{v, ctx.i32(0), n, ctx.i32(0), IterKind::Spatial}});
    EXPECT_THAT(faults(before, before), IsEmpty());
    EXPECT_THAT(faults(before, block({})),
                ElementsAre(HasSubstr("variable `v` (int32) of an index is not in scope")));
}

TEST_F(Known, AParameterHasGone) {
    Function without = function(loop("i"));
    const KnownProgram known(without);
    without.params = {n};
    EXPECT_THAT(messages(known.faults_of(without)),
                ElementsAre(HasSubstr("buffer `A` is not in scope")));
}

TEST_F(Known, ListsKeepTheirForm) {
    Stmt two = ctx.seq({loop("i"), loop("j")});
    EXPECT_THAT(faults(two, ctx.stmt(Seq{{loop("i")}})),
                ElementsAre(HasSubstr("a list of one statement")));
    EXPECT_THAT(faults(two, ctx.stmt(Seq{{loop("i"), ctx.pass()}})),
                ElementsAre(HasSubstr("a list in a list")));
    EXPECT_THAT(faults(two, ctx.stmt(Seq{{loop("i"), loop("j"), ctx.pass()}})),
                ElementsAre(HasSubstr("a list in a list")));
}

// Trap: neither the new statement nor its surroundings nest too deep, but both together.
TEST_F(Known, DepthAddsUp) {
    constexpr int kHalf = static_cast<int>(kDeepest) / 8 - 300;
    const auto deep = [&](Stmt s, int levels) {
        for (int k = 0; k < levels; ++k) s = ctx.if_(ctx.true_(), s);
        return s;
    };
    Stmt before = deep(set(n), kHalf);
    EXPECT_THAT(faults(before, deep(deep(loop("i"), 200), kHalf)), IsEmpty());
    EXPECT_THAT(faults(before, deep(deep(loop("i"), 400), kHalf)),
                ElementsAre(HasSubstr("levels deep")));
}

// --- where two programs differ
// ---------------------------------------------------------------------

TEST_F(Known, ChangesAreFoundWhereTheyAre) {
    Expr i = ctx.var("i", kInt32);
    const auto around = [&](std::vector<Stmt> list) {
        return ctx.for_(i, ctx.i32(0), n, ctx.seq(list));
    };
    Stmt before = around({loop("a"), loop("b"), loop("c")});
    EXPECT_TRUE(changes(before, before).empty());

    const std::vector<Change> one = changes(before, around({loop("a"), set(n), loop("c")}));
    ASSERT_EQ(one.size(), 1u);
    EXPECT_EQ(one[0].site_of_added(0).str(), "body/body/1");
    EXPECT_THAT(one[0].removed, ElementsAre(loop("b")));
    EXPECT_THAT(one[0].added, ElementsAre(set(n)));
    EXPECT_EQ(one[0].around.size(), 2u);

    const std::vector<Change> more =
        changes(before, around({loop("a"), set(n), set(i), loop("b"), loop("c")}));
    ASSERT_EQ(more.size(), 1u);
    EXPECT_THAT(more[0].removed, IsEmpty());
    EXPECT_THAT(more[0].added, ElementsAre(set(n), set(i)));
    EXPECT_EQ(more[0].site_of_added(1).str(), "body/body/2");

    const std::vector<Change> two = changes(before, around({set(n), loop("b"), set(i)}));
    ASSERT_EQ(two.size(), 2u);
    EXPECT_EQ(two[0].site_of_added(0).str(), "body/body/0");
    EXPECT_EQ(two[1].site_of_added(0).str(), "body/body/2");
}

}  // namespace
}  // namespace proviso::ir
