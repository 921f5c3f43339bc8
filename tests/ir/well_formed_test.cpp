// Programs that no reader would build, but a faulty rewrite might.
#include "ir/well_formed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ir/text.h"

namespace proviso::ir {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct WellFormed : testing::Test {
    Context ctx;
    Expr i = ctx.var("i", kInt32);
    Expr n = ctx.var("n", kInt32);
    Buffer A = ctx.buffer("A", kInt32, {ctx.i32(8)});
    Buffer X = ctx.buffer("X", kInt32, {ctx.i32(8)});

    std::vector<std::string> faults(Stmt body, std::vector<Param> params) {
        Function f;
        f.name = "f";
        f.params = std::move(params);
        f.body = body;
        std::vector<std::string> out;
        for (const Diagnostic& d : well_formed(f)) out.push_back(d.message);
        return out;
    }
    std::vector<std::string> faults(Stmt body) { return faults(body, {A, n}); }
    Stmt set(Expr at, Expr value) { return ctx.store(A, {at}, value); }
};

TEST_F(WellFormed, ASoundProgramHasNoFaults) {
    EXPECT_THAT(faults(ctx.for_(i, ctx.i32(0), n, set(i, n))), IsEmpty());
}

TEST_F(WellFormed, ScopesAreChecked) {
    EXPECT_THAT(faults(ctx.seq({ctx.for_(i, ctx.i32(0), n, ctx.pass()), set(i, n)})),
                ElementsAre("body/1: variable `i` (int32) of an index is not in scope"));
    // A bound is evaluated outside of its loop.
    EXPECT_THAT(faults(ctx.for_(i, ctx.i32(0), i, ctx.pass())),
                ElementsAre(HasSubstr("variable `i` (int32) of the upper bound")));
    // Another type is another variable.
    EXPECT_THAT(faults(set(ctx.var("n", kInt64), n)),
                ElementsAre("body: variable `n` (int64) of an index is not in scope"));
    EXPECT_THAT(faults(ctx.store(X, {n}, n)), ElementsAre("body: buffer `X` is not in scope"));
    EXPECT_THAT(faults(ctx.seq({ctx.stmt(Allocate{X, ctx.pass()}), set(n, ctx.load(X, {n}))})),
                ElementsAre("body/1: buffer `X` is not in scope"));
    // A buffer of the same name and another shape is another buffer.
    Buffer other = ctx.buffer("A", kInt32, {ctx.i32(9)});
    EXPECT_THAT(faults(ctx.store(other, {n}, n)), ElementsAre("body: buffer `A` is not in scope"));
    // The value of a let does not see its variable.
    EXPECT_THAT(faults(set(ctx.let(i, i, i), n)),
                ElementsAre("body: variable `i` (int32) of an index is not in scope"));
}

// Trap: substitution captures where a name is bound twice.
TEST_F(WellFormed, NamesAreUnique) {
    Stmt loop = ctx.for_(i, ctx.i32(0), n, ctx.pass());
    EXPECT_THAT(faults(ctx.seq({loop, loop})), ElementsAre("body/1: `i` is bound twice"));
    EXPECT_THAT(faults(ctx.for_(n, ctx.i32(0), ctx.i32(4), ctx.pass())),
                ElementsAre("body: `n` is bound twice"));
    EXPECT_THAT(faults(ctx.stmt(Allocate{A, ctx.pass()})), ElementsAre("body: `A` is bound twice"));
    Expr k = ctx.var("k", kInt32);
    Expr inner = ctx.let(k, n, ctx.add(k, ctx.i32(1)));
    EXPECT_THAT(faults(set(ctx.add(inner, inner), n)), IsEmpty());
    EXPECT_THAT(faults(set(ctx.let(k, n, inner), n)),
                ElementsAre("body: a let of `k` stands inside another one"));
    EXPECT_THAT(faults(ctx.seq({set(ctx.let(i, n, i), n), loop})),
                ElementsAre("body/0: the let of `i` has the name of another binder"));
}

TEST_F(WellFormed, NamesCanBeWritten) {
    for (const char* name : {"", "i.outer", "1i", "lambda", "T", "a b"}) {
        EXPECT_THAT(faults(ctx.for_(ctx.var(name, kInt32), ctx.i32(0), n, ctx.pass())),
                    ElementsAre(HasSubstr("cannot be written")))
            << name;
    }
}

TEST_F(WellFormed, OperatorsOfObligationsAreRefused) {
    Expr cell = ctx.load(A, {n});
    EXPECT_THAT(faults(ctx.if_(ctx.defined(cell), ctx.pass())),
                ElementsAre("body: `defined` stands in obligations only"));
    EXPECT_THAT(faults(ctx.stmt(Assume{ctx.same(cell, n)})),
                ElementsAre("body: `same` stands in obligations only"));
}

// What claims may be checked or dropped, so that they must not do anything.
TEST_F(WellFormed, ClaimsMakeNoOpaqueCalls) {
    Expr call = ctx.call_extern(kInt32, "g", {n});
    EXPECT_THAT(faults(ctx.stmt(Assert{ctx.lt(call, n), "m"})), IsEmpty());
    EXPECT_THAT(faults(ctx.stmt(Assume{ctx.lt(call, n)})),
                ElementsAre("body: the assumption makes an opaque call"));
    Expr v = ctx.var("v", kInt32);
    Block b;
    b.name = "b";
    b.iters = {BlockIter{v, n, call, call, IterKind::Spatial}};
    b.predicate = ctx.true_();
    b.reads = {BufferRegion{A, {{v, call}}}};
    b.body = ctx.pass();
    EXPECT_THAT(faults(ctx.stmt(b)), ElementsAre("body: the end of a domain makes an opaque call",
                                                 "body: a region makes an opaque call"));
}

// Trap 2: `A[i] == undef()` is permission to read in an assumption, and nothing anywhere else.
TEST_F(WellFormed, NothingIsDecidedByUndef) {
    Expr undef = ctx.undef(kInt32);
    Expr permission = ctx.eq(ctx.load(A, {n}), undef);
    Expr guard = ctx.lt(n, ctx.i32(4));
    EXPECT_THAT(faults(ctx.stmt(Assume{ctx.or_(guard, permission)})), IsEmpty());
    EXPECT_THAT(faults(ctx.stmt(Assume{permission})), IsEmpty());
    EXPECT_THAT(faults(ctx.stmt(Assume{ctx.not_(permission)})),
                ElementsAre("body: the assumption is always indeterminate"));
    EXPECT_THAT(faults(ctx.stmt(Assume{ctx.lt(n, undef)})),
                ElementsAre("body: the assumption is always indeterminate"));
    EXPECT_THAT(faults(ctx.if_(permission, ctx.pass())),
                ElementsAre("body: the condition is always indeterminate"));
    EXPECT_THAT(faults(set(ctx.add(n, undef), n)),
                ElementsAre("body: an index is always indeterminate"));
    EXPECT_THAT(faults(ctx.for_(i, ctx.i32(0), undef, ctx.pass())),
                ElementsAre("body: the upper bound is always indeterminate"));
    // Where only one arm is indeterminate, the run decides; a let freezes.
    EXPECT_THAT(faults(set(ctx.select(guard, n, undef), n)), IsEmpty());
    EXPECT_THAT(faults(set(ctx.select(guard, undef, undef), n)),
                ElementsAre("body: an index is always indeterminate"));
    EXPECT_THAT(faults(set(ctx.let(i, undef, i), n)), IsEmpty());
    EXPECT_THAT(faults(set(n, undef)), IsEmpty());
}

TEST_F(WellFormed, TypesAreChecked) {
    EXPECT_THAT(faults(ctx.stmt(Store{A, {n}, ctx.i64(0)})),
                ElementsAre("body: a value of int64 is stored to `A` of int32"));
    EXPECT_THAT(faults(ctx.stmt(Store{A, {}, n})),
                ElementsAre("body: a store has the wrong number of indices"));
    EXPECT_THAT(faults(ctx.stmt(Store{A, {ctx.true_()}, n})),
                ElementsAre("body: an index is bool"));
    Expr u = ctx.var("u", kUInt8);
    Expr four = ctx.int_imm(kUInt8, 4);
    EXPECT_THAT(faults(ctx.stmt(For{u, four, four, ForKind::Serial, "", ctx.pass()})),
                ElementsAre("body: the loop variable is uint8"));
    EXPECT_THAT(faults(ctx.stmt(For{i, ctx.i64(0), n, ForKind::Serial, "", ctx.pass()})),
                ElementsAre("body: the lower bound differs in type from `i`"));
    EXPECT_THAT(faults(ctx.stmt(For{i, n, n, ForKind::ThreadBinding, "warp", ctx.pass()})),
                ElementsAre("body: \"warp\" is not the name of a thread index"));
    EXPECT_THAT(faults(ctx.stmt(IfElse{n, ctx.pass(), nullptr})),
                ElementsAre("body: the condition is int32, not bool"));
    EXPECT_THAT(faults(ctx.stmt(LetStmt{i, ctx.i64(1), ctx.pass()})),
                ElementsAre("body: variable and value of a let differ in type"));
    EXPECT_THAT(faults(ctx.stmt(Seq{{ctx.stmt(Seq{{}}), set(n, n)}})),
                ElementsAre("body: a list in a list"));
}

TEST_F(WellFormed, BlocksAreChecked) {
    Expr v = ctx.var("v", kInt32);
    Block b;
    b.name = "b";
    b.iters = {BlockIter{v, ctx.i32(0), ctx.i32(8), n, IterKind::Spatial}};
    b.predicate = ctx.lt(v, n);  // over the bindings' scope, where v is not
    b.body = set(v, n);
    EXPECT_THAT(faults(ctx.stmt(b)),
                ElementsAre("body: variable `v` (int32) of the predicate is not in scope"));
    b.predicate = ctx.true_();
    EXPECT_THAT(faults(ctx.stmt(b)), IsEmpty());
    b.reads = {BufferRegion{X, {{v, n}}}};
    b.writes = {BufferRegion{A, {}}};
    EXPECT_THAT(faults(ctx.stmt(b)), ElementsAre("body: buffer `X` is not in scope",
                                                 "body: a region has the wrong number of ranges"));
}

TEST_F(WellFormed, BuffersAreChecked) {
    Buffer huge = ctx.buffer("H", kInt64, {ctx.i64(std::int64_t{1} << 45)});
    EXPECT_THAT(faults(ctx.pass(), {huge}), ElementsAre("buffer `H` is larger than 2**47 bytes"));
    EXPECT_THAT(faults(ctx.pass(), {ctx.buffer("H", kInt8, {ctx.i64(std::int64_t{1} << 47)})}),
                IsEmpty());
    EXPECT_THAT(faults(ctx.pass(), {ctx.buffer("N", kInt8, {ctx.i32(-1)})}),
                ElementsAre("an extent of `N` is negative"));
    EXPECT_THAT(faults(ctx.pass(), {ctx.buffer("S", kInt8, {}, "wmma.matrix_a")}), IsEmpty());
    EXPECT_THAT(faults(ctx.pass(), {ctx.buffer("S", kInt8, {}, "a warp")}),
                ElementsAre("buffer `S` has the scope \"a warp\", which is no name"));
    EXPECT_THAT(faults(ctx.pass(), {ctx.buffer("S", kInt8, {}, "")}),
                ElementsAre("buffer `S` has the scope \"\", which is no name"));
    // A parameter's shape is over scalar parameters, wherever they stand.
    EXPECT_THAT(faults(ctx.pass(), {ctx.buffer("P", kInt8, {n}), n}), IsEmpty());
    EXPECT_THAT(faults(ctx.pass(), {A, ctx.buffer("P", kInt8, {ctx.load(A, {ctx.i32(0)})})}),
                ElementsAre("buffer `A` is not in scope",
                            "an extent of `P` is read from memory or a call"));
}

}  // namespace
}  // namespace proviso::ir
