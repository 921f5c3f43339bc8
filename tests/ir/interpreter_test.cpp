// The interpreter against docs/semantics.md: each statement, each kind of fault with its site and
// values, the endings of a run, and what counts as a data race.
#include "ir/interp/interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "ir/memory_refinement.h"
#include "ir/site.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

class Interpreter : public testing::Test {
  protected:
    Context ctx;
    Expr i = ctx.var("i", kInt32);
    Expr j = ctx.var("j", kInt32);
    Expr n = ctx.var("n", kInt32);
    Buffer a = ctx.buffer("A", kInt32, {ctx.i32(4)});
    Buffer b = ctx.buffer("B", kInt32, {ctx.i32(4)});
    InterpOptions options;

    Inputs inputs{{"A", Tensor::of(kInt32, {4}, {10, 11, 12, 13})},
                  {"B", Tensor::of(kInt32, {4}, {0, 0, 0, 0})}};

    Expr at(Buffer buffer, Expr index) { return ctx.load(buffer, {index}); }
    Expr c(std::int64_t value) { return ctx.i32(value); }
    Stmt loop(Expr var, std::int64_t hi, Stmt body, ForKind kind = ForKind::Serial) {
        return ctx.for_(var, c(0), c(hi), body, kind);
    }
    Stmt put(Buffer buffer, Expr index, Expr value) { return ctx.store(buffer, {index}, value); }
    Function function(Stmt body) { return Function{"f", {a, b}, {}, body}; }

    Outcome outcome(Stmt body) {
        Result<Outcome> out = run(function(body), inputs, options);
        EXPECT_TRUE(out.ok()) << out.error().str();
        return out.value();
    }
    // Cells of B after a run that must finish.
    std::string result(Stmt body) {
        const Outcome out = outcome(body);
        if (!std::holds_alternative<Finished>(out)) return describe(out);
        const Tensor& t = std::get<Finished>(out).tensors.at("B");
        std::string text;
        for (std::size_t k = 0; k < t.size(); ++k) {
            text += (k > 0 ? " " : "") + t.at(k).str(t.type);
        }
        return text;
    }
    Fault fault(Stmt body) {
        const Outcome out = outcome(body);
        if (!std::holds_alternative<Faulted>(out)) {
            ADD_FAILURE() << "no fault: " << describe(out);
            return {};
        }
        return std::get<Faulted>(out).fault;
    }
};

TEST_F(Interpreter, RunsLoopsBranchesAndSequences) {
    Stmt body = loop(
        i, 4, ctx.if_(ctx.lt(i, c(2)), put(b, i, ctx.mul(at(a, i), c(2))), put(b, i, ctx.neg(i))));
    EXPECT_EQ(result(body), "20 22 -2 -3");
    EXPECT_EQ(result(ctx.seq({body, put(b, c(0), at(b, c(3)))})), "-3 22 -2 -3");
    EXPECT_EQ(result(ctx.pass()), "0 0 0 0");
    EXPECT_EQ(result(ctx.for_(i, c(3), c(1), put(b, c(9), c(1)))), "0 0 0 0");
    EXPECT_EQ(result(loop(i, 4, put(b, i, i), ForKind::Unrolled)), "0 1 2 3");
}

TEST_F(Interpreter, NamesSiteAndValuesOfAFault) {
    const Fault f = fault(ctx.seq(
        {ctx.pass(), put(b, c(0), c(1)), loop(i, 9, put(b, c(1), at(a, ctx.add(i, c(1)))))}));
    EXPECT_EQ(f.kind, FaultKind::OutOfBounds);
    EXPECT_EQ(f.site, "body/1/body/value");
    ASSERT_EQ(f.values.size(), 1U);
    EXPECT_EQ(f.values[0].first + "=" + f.values[0].second, "i=3");
    EXPECT_EQ(f.message, "out of bounds: load of A[4] in shape (4)");
    EXPECT_EQ(fault(put(b, c(-1), c(0))).message, "out of bounds: store of B[-1] in shape (4)");
    EXPECT_EQ(fault(put(b, c(-1), c(0))).site, "body");
    EXPECT_EQ(fault(ctx.for_(i, c(0), ctx.floordiv(c(1), at(b, c(0))), ctx.pass())).site,
              "body/hi");
    Expr deep = ctx.add(c(1), ctx.mul(c(2), ctx.floordiv(c(3), at(b, c(0)))));
    EXPECT_EQ(fault(put(b, c(0), deep)).site, "body/value/a1/a1");
    EXPECT_EQ(locate(function(put(b, c(0), deep)), *Site::parse("body/value/a1/a1")).value().expr,
              deep->arg(1)->arg(1));
}

TEST_F(Interpreter, ExactIntegersAreObservedWhereTheyAreUsed) {
    Expr max = ctx.int_imm(kInt32, kInt32.max_value());
    Expr over = ctx.add(max, c(1));
    EXPECT_EQ(result(put(b, c(0), ctx.sub(over, max))), "1 0 0 0");
    EXPECT_EQ(fault(put(b, c(0), over)).kind, FaultKind::OutOfRange);
    EXPECT_EQ(fault(put(b, over, c(0))).kind, FaultKind::OutOfRange);
    EXPECT_EQ(fault(put(b, c(0), at(a, over))).kind, FaultKind::OutOfRange);
    EXPECT_EQ(fault(ctx.for_(i, c(0), over, ctx.pass())).kind, FaultKind::OutOfRange);
    EXPECT_EQ(fault(ctx.stmt(LetStmt{i, over, ctx.pass()})).kind, FaultKind::OutOfRange);
    EXPECT_EQ(fault(ctx.stmt(Evaluate{over})).kind, FaultKind::OutOfRange);
}

TEST_F(Interpreter, IndetTravelsThroughMemoryAndFaultsWhereItSteers) {
    Expr undef = ctx.undef(kInt32);
    EXPECT_EQ(result(put(b, c(1), ctx.min(undef, c(0)))), "0 indet 0 0");
    Stmt spoil = put(b, c(0), undef);
    const auto after_spoil = [&](Stmt s) { return ctx.seq({spoil, s}); };
    Expr bad = at(b, c(0));
    EXPECT_EQ(result(after_spoil(put(b, c(1), bad))), "indet indet 0 0");
    EXPECT_EQ(fault(after_spoil(ctx.if_(ctx.lt(bad, c(1)), ctx.pass()))).kind, FaultKind::IndetUse);
    EXPECT_EQ(fault(after_spoil(put(b, bad, c(1)))).kind, FaultKind::IndetUse);
    EXPECT_EQ(fault(after_spoil(ctx.for_(i, c(0), bad, ctx.pass()))).kind, FaultKind::IndetUse);
    EXPECT_EQ(fault(after_spoil(ctx.stmt(Assume{ctx.lt(bad, c(1))}))).kind, FaultKind::IndetUse);
    EXPECT_EQ(fault(after_spoil(ctx.stmt(Assert{ctx.lt(bad, c(1)), "m"}))).kind,
              FaultKind::IndetUse);
    EXPECT_EQ(fault(after_spoil(put(b, c(1), ctx.floordiv(c(1), bad)))).kind, FaultKind::IndetUse);
    EXPECT_EQ(result(after_spoil(put(b, c(0), ctx.if_then_else(ctx.lt(c(0), c(1)), c(5), bad)))),
              "5 0 0 0");
}

TEST_F(Interpreter, LetFreezesWithTheSeedsChoice) {
    Expr u = ctx.var("u", kInt32);
    Stmt body = ctx.stmt(
        LetStmt{u, ctx.undef(kInt32), ctx.seq({put(b, c(0), ctx.sub(u, u)), put(b, c(1), u)})});
    std::set<std::string> seen;
    for (options.seed = 0; options.seed < 30; ++options.seed) {
        const std::string once = result(body);
        EXPECT_EQ(once, result(body)) << "one seed, one choice";
        EXPECT_EQ(once.substr(0, 2), "0 ");
        EXPECT_THAT(once, testing::Not(HasSubstr("indet")));
        seen.insert(once);
    }
    EXPECT_GT(seen.size(), 5U);
}

TEST_F(Interpreter, AllocationsAreFreshEachTime) {
    Buffer t = ctx.buffer("T", kInt32, {c(2)}, "local");
    Stmt use = ctx.seq({put(b, i, at(t, c(0))), put(t, c(0), i)});
    EXPECT_EQ(result(loop(i, 2, ctx.stmt(Allocate{t, use}))), "indet indet 0 0");
    EXPECT_EQ(result(ctx.stmt(Allocate{t, loop(i, 3, use)})), "indet 0 1 0");
    Buffer sized = ctx.buffer("T", kInt32, {ctx.sub(at(b, c(0)), c(1))});
    EXPECT_EQ(fault(ctx.stmt(Allocate{sized, ctx.pass()})).message, "negative extent -1");
    Buffer huge = ctx.buffer("T", kInt32, {c(1 << 30), c(1 << 30)});
    EXPECT_EQ(fault(ctx.stmt(Allocate{huge, ctx.pass()})).kind, FaultKind::StepLimit);
}

TEST_F(Interpreter, AssertStopsWithItsMessageAndTheMemoryReached) {
    Stmt body =
        loop(i, 4, ctx.seq({put(b, i, c(1)), ctx.stmt(Assert{ctx.lt(i, c(1)), "too far"})}));
    const Outcome out = outcome(body);
    ASSERT_TRUE(std::holds_alternative<Stopped>(out));
    const Stopped& stopped = std::get<Stopped>(out);
    EXPECT_EQ(stopped.message, "too far");
    EXPECT_EQ(stopped.site, "body/body/1");
    EXPECT_EQ(stopped.tensors.at("B"), Tensor::of(kInt32, {4}, {1, 1, 0, 0}));
}

TEST_F(Interpreter, AssumeFaultsWhenFalse) {
    EXPECT_EQ(fault(ctx.stmt(Assume{ctx.eq(at(b, c(0)), c(1))})).kind, FaultKind::AssumeFalse);
    EXPECT_EQ(result(ctx.stmt(Assume{ctx.eq(at(b, c(0)), c(0))})), "0 0 0 0");
}

// Trap 2: a permission is never an equation.
TEST_F(Interpreter, PermissionGrantsReadingAndIsNoEquation) {
    const auto permit = [&](Expr index) {
        return ctx.stmt(Assume{ctx.or_(ctx.lt(i, c(2)), ctx.eq(at(b, index), ctx.undef(kInt32)))});
    };
    EXPECT_EQ(result(loop(i, 4, permit(i))), "0 0 0 0");
    EXPECT_EQ(fault(loop(i, 5, permit(i))).kind, FaultKind::OutOfBounds);
    // Where the other disjunct holds, the cell is not looked at.
    EXPECT_EQ(result(loop(i, 2, permit(ctx.add(i, c(9))))), "0 0 0 0");
    EXPECT_EQ(fault(loop(i, 4, permit(ctx.floordiv(i, at(b, c(0)))))).kind, FaultKind::ZeroDivisor);
    std::get<Tensor>(inputs.at("B")).states[3] = CellState::Inaccessible;
    EXPECT_EQ(fault(loop(i, 4, permit(i))).kind, FaultKind::Inaccessible);
    // Elsewhere `x == undef` is indeterminate, and so cannot be branched on.
    EXPECT_EQ(fault(ctx.if_(ctx.eq(at(b, c(0)), ctx.undef(kInt32)), ctx.pass())).kind,
              FaultKind::IndetUse);
}

TEST_F(Interpreter, ClosedCellsMustNotBeTouched) {
    std::get<Tensor>(inputs.at("A")).states[2] = CellState::Inaccessible;
    EXPECT_EQ(result(put(b, c(0), at(a, c(1)))), "11 0 0 0");
    EXPECT_EQ(fault(loop(i, 4, put(b, i, at(a, i)))).kind, FaultKind::Inaccessible);
    EXPECT_EQ(fault(put(a, c(2), c(1))).message, "inaccessible cell: store of A[2]");
}

// Races.

class Races : public Interpreter, public testing::WithParamInterface<IterationOrder> {
  protected:
    void SetUp() override { options.order = GetParam(); }
};

TEST_P(Races, TwoIterationsWritingOneCell) {
    for (const ForKind kind : {ForKind::Parallel, ForKind::Vectorized, ForKind::ThreadBinding}) {
        const Fault f = fault(loop(i, 4, put(b, c(0), c(7)), kind));  // even the same value
        EXPECT_EQ(f.kind, FaultKind::DataRace);
        EXPECT_THAT(f.message, HasSubstr("B[0] written by iteration i"));
    }
    EXPECT_EQ(result(loop(i, 4, put(b, c(0), c(7)))), "7 0 0 0");
    EXPECT_EQ(result(loop(i, 1, put(b, c(0), c(7)), ForKind::Parallel)), "7 0 0 0");
    options.detect_races = false;
    EXPECT_EQ(result(loop(i, 4, put(b, c(0), c(7)), ForKind::Parallel)), "7 0 0 0");
}

TEST_P(Races, ReadingWhatAnotherIterationWrites) {
    Expr next = ctx.floormod(ctx.add(i, c(1)), c(4));
    EXPECT_EQ(fault(loop(i, 4, put(b, i, at(b, next)), ForKind::Parallel)).kind,
              FaultKind::DataRace);
    EXPECT_EQ(fault(loop(i, 4, put(b, c(0), at(b, i)), ForKind::Parallel)).kind,
              FaultKind::DataRace);
    EXPECT_EQ(result(loop(i, 4, put(b, i, ctx.add(at(b, i), at(a, c(0)))), ForKind::Parallel)),
              "10 10 10 10");
    // Many readers, then a writer among them.
    Stmt mixed = ctx.seq({put(b, i, at(a, c(0))), ctx.if_(ctx.eq(i, c(2)), put(a, c(0), c(1)))});
    EXPECT_EQ(fault(loop(i, 4, mixed, ForKind::Parallel)).kind, FaultKind::DataRace);
}

TEST_P(Races, OneLoopAfterTheOtherDoesNotRace) {
    Stmt first = loop(i, 4, put(b, i, i), ForKind::Parallel);
    Stmt second = loop(j, 4, put(b, ctx.sub(c(3), j), j), ForKind::Parallel);
    EXPECT_EQ(result(ctx.seq({first, second})), "3 2 1 0");
    // The same inside one iteration of a serial loop; but not of a parallel one.
    Expr k = ctx.var("k", kInt32);
    EXPECT_EQ(result(loop(k, 2, ctx.seq({first, second}))), "3 2 1 0");
    EXPECT_EQ(fault(loop(k, 2, ctx.seq({first, second}), ForKind::Parallel)).kind,
              FaultKind::DataRace);
}

TEST_P(Races, NestedLoopsRaceAtTheirOwnLevel) {
    Expr cell = ctx.add(ctx.mul(i, c(2)), j);
    EXPECT_EQ(
        result(loop(i, 2, loop(j, 2, put(b, cell, i), ForKind::Vectorized), ForKind::Parallel)),
        "0 0 1 1");
    const Fault inner =
        fault(loop(i, 2, loop(j, 2, put(b, i, j), ForKind::Vectorized), ForKind::Parallel));
    EXPECT_THAT(inner.message, HasSubstr("iteration j"));
    const Fault outer =
        fault(loop(i, 2, loop(j, 2, put(b, j, i), ForKind::Vectorized), ForKind::Parallel));
    EXPECT_THAT(outer.message, HasSubstr("iteration i"));
    EXPECT_EQ(result(loop(i, 2, loop(j, 2, put(b, i, j)), ForKind::Parallel)), "1 1 0 0");
}

TEST_P(Races, AnAllocationInsideAnIterationIsItsOwn) {
    Buffer t = ctx.buffer("T", kInt32, {c(1)}, "local");
    Stmt use = ctx.seq({put(t, c(0), i), put(b, i, at(t, c(0)))});
    EXPECT_EQ(result(loop(i, 4, ctx.stmt(Allocate{t, use}), ForKind::Parallel)), "0 1 2 3");
    EXPECT_EQ(fault(ctx.stmt(Allocate{t, loop(i, 4, use, ForKind::Parallel)})).kind,
              FaultKind::DataRace);
}

INSTANTIATE_TEST_SUITE_P(Orders, Races,
                         testing::Values(IterationOrder::Forward, IterationOrder::Reverse,
                                         IterationOrder::Shuffled));

// Blocks.

class Blocks : public Interpreter {
  protected:
    Expr vi = ctx.var("vi", kInt32);
    Expr vk = ctx.var("vk", kInt32);
    // B[vi] = sum over vk of A[vk], for i < 2 and k < hi.
    Block row_sum() {
        Block block;
        block.name = "sum";
        block.iters = {BlockIter{vi, c(0), c(2), i, IterKind::Spatial},
                       BlockIter{vk, c(0), c(3), j, IterKind::Reduce}};
        block.predicate = ctx.true_();
        block.init = put(b, vi, c(100));
        block.body = put(b, vi, ctx.add(at(b, vi), at(a, vk)));
        return block;
    }
    Stmt nest(Block block, std::int64_t k_hi = 3) {
        return loop(i, 2, loop(j, k_hi, ctx.stmt(std::move(block))));
    }
};

TEST_F(Blocks, InitRunsWhereEveryReduceIteratorStarts) {
    EXPECT_EQ(result(nest(row_sum())), "133 133 0 0");
    Block no_reduce = row_sum();
    no_reduce.iters[1].kind = IterKind::Spatial;
    EXPECT_EQ(result(nest(no_reduce)), "112 112 0 0");  // always at its start: nothing to reduce
}

TEST_F(Blocks, PredicateGuardsBodyInitAndDomain) {
    Block block = row_sum();
    const Fault f = fault(nest(block, 4));
    EXPECT_EQ(f.kind, FaultKind::IterOutOfDomain);
    EXPECT_EQ(f.site, "body/body/body/bind1");
    EXPECT_THAT(f.message, HasSubstr("vk = 3 not in [0, 3)"));
    block.predicate = ctx.lt(j, c(3));
    EXPECT_EQ(result(nest(block, 4)), "133 133 0 0");
    block.predicate = ctx.le(c(1), j);
    EXPECT_EQ(result(nest(block)), "23 23 0 0");  // the start is skipped, and init with it
}

TEST_F(Blocks, RegionsAreCheckedOnDemand) {
    Block block = row_sum();
    block.reads = std::vector<BufferRegion>{{a, {{vk, ctx.add(vk, c(1))}}}};
    block.writes = std::vector<BufferRegion>{{b, {{vi, ctx.add(vi, c(1))}}}};
    options.check_regions = true;
    EXPECT_EQ(result(nest(block)), "133 133 0 0");
    block.reads->at(0).ranges[0] = {c(0), c(2)};
    EXPECT_EQ(fault(nest(block)).message, "access outside of the block's regions: load of A[2]");
    block.reads.reset();
    EXPECT_EQ(result(nest(block)), "133 133 0 0");
    block.writes->at(0).ranges[0] = {c(0), c(1)};
    EXPECT_EQ(fault(nest(block)).kind, FaultKind::OutsideRegion);
    options.check_regions = false;
    EXPECT_EQ(result(nest(block)), "133 133 0 0");
}

TEST_F(Blocks, BuffersBornInsideABlockNeedNoRegion) {
    Buffer t = ctx.buffer("T", kInt32, {c(1)}, "local");
    Block block = row_sum();
    block.init = nullptr;
    block.reads = std::vector<BufferRegion>{};
    block.writes = std::vector<BufferRegion>{{b, {{c(0), c(4)}}}};
    block.body = ctx.stmt(Allocate{t, ctx.seq({put(t, c(0), vi), put(b, vi, at(t, c(0)))})});
    options.check_regions = true;
    EXPECT_EQ(result(nest(block)), "0 1 0 0");
    block.body = put(b, vi, at(b, vi));
    EXPECT_EQ(fault(nest(block)).kind, FaultKind::OutsideRegion) << "no init: reads must be listed";
}

// Calls, limits, inputs.

TEST_F(Interpreter, OpaqueCallsNeedARegisteredFunction) {
    Expr call = ctx.call_extern(kInt32, "twice", {at(a, c(0))});
    EXPECT_EQ(fault(put(b, c(0), call)).kind, FaultKind::UnsupportedCall);
    options.externs["twice"] = [](std::span<const Value> args) -> Evaluated {
        return Value::of_int(args[0].integer() * 2);
    };
    EXPECT_EQ(result(put(b, c(0), call)), "20 0 0 0");
    Expr bad = ctx.call_extern(kInt32, "twice", {ctx.undef(kInt32)});
    EXPECT_EQ(fault(put(b, c(0), bad)).kind, FaultKind::IndetUse);
}

TEST_F(Interpreter, LongRunsAreCutShort) {
    options.step_limit = 1000;
    EXPECT_EQ(fault(ctx.for_(i, c(0), c(2'000'000'000), ctx.pass())).kind, FaultKind::StepLimit);
}

TEST_F(Interpreter, CountsStatementsAndExpressionNodesAsSteps) {
    std::uint64_t steps = 0;
    options.steps = &steps;
    // The extents of both parameters; the loop and its bounds; thrice a store, its index and value.
    const Stmt three_stores = ctx.for_(i, c(0), c(3), put(b, i, c(7)));
    EXPECT_EQ(result(three_stores), "7 7 7 0");
    EXPECT_EQ(steps, 14U);
    options.step_limit = 14;
    EXPECT_EQ(result(three_stores), "7 7 7 0");
    options.step_limit = 13;
    EXPECT_EQ(fault(three_stores).kind, FaultKind::StepLimit);
}

TEST_F(Interpreter, SizesAreParametersOrComeWithTheTensor) {
    Buffer x = ctx.buffer("X", kInt32, {ctx.mul(n, c(2))});
    Function f{"f", {x, n}, {}, ctx.for_(i, c(0), n, put(x, i, n))};
    Inputs in{{"X", Tensor::of(kInt32, {4}, {0, 0, 0, 0})}, {"n", Value::of_int(2)}};
    Outcome out = *run(f, in);
    EXPECT_EQ(std::get<Finished>(out).tensors.at("X"), Tensor::of(kInt32, {4}, {2, 2, 0, 0}));
    in["n"] = Value::of_int(3);
    EXPECT_THAT(run(f, in).error().message,
                HasSubstr("buffer 'X' has shape (6), the tensor given (4)"));
    Buffer y = ctx.buffer("Y", kInt32, {n});
    Function g{"g", {y}, {}, ctx.for_(i, c(0), n, put(y, i, n))};
    out = *run(g, Inputs{{"Y", Tensor::of(kInt32, {3}, {0, 0, 0})}});
    EXPECT_EQ(std::get<Finished>(out).tensors.at("Y"), Tensor::of(kInt32, {3}, {3, 3, 3}));
}

TEST_F(Interpreter, InputsThatDoNotFitAreDiagnosed) {
    Function f{"f", {a, n}, {}, ctx.pass()};
    f.attrs[kLowerBoundAttr] = AttrValue{AttrValue::Dict{{"n", AttrValue{std::int64_t{1}}}}};
    const Tensor good = Tensor::of(kInt32, {4}, {1, 2, 3, 4});
    const auto message = [&](const Inputs& in) {
        const Result<Outcome> out = run(f, in);
        return out.ok() ? "fine" : out.error().message;
    };
    EXPECT_EQ(message({{"A", good}, {"n", Value::of_int(1)}}), "fine");
    EXPECT_EQ(message({{"A", good}}), "no input for parameter 'n' of f");
    EXPECT_EQ(message({{"A", good}, {"n", Value::of_int(1)}, {"z", good}}),
              "f has no parameter 'z'");
    EXPECT_EQ(message({{"A", good}, {"n", Value::of_int(0)}}),
              "parameter 'n' = 0 is out of its declared bounds");
    EXPECT_THAT(message({{"A", good}, {"n", Value::of_int(Int128{1} << 31)}}),
                HasSubstr("is no value of it"));
    EXPECT_THAT(message({{"A", good}, {"n", Value::of_float(1)}}), HasSubstr("of type int32"));
    EXPECT_EQ(message({{"A", Value::of_int(1)}, {"n", Value::of_int(1)}}),
              "parameter 'A' is a buffer: give a tensor");
    EXPECT_EQ(message({{"A", Tensor::of(kInt64, {4}, {1, 2, 3, 4})}, {"n", Value::of_int(1)}}),
              "buffer 'A' is of type int32, the tensor given of int64");
    EXPECT_EQ(message({{"A", Tensor::of(kInt32, {2, 2}, {1, 2, 3, 4})}, {"n", Value::of_int(1)}}),
              "buffer 'A' has shape (4), the tensor given (2, 2)");
}

TEST_F(Interpreter, NamesOutOfScopeAreDiagnosed) {
    Buffer t = ctx.buffer("T", kInt32, {c(1)});
    const auto message = [&](Stmt body) { return run(function(body), inputs).error().message; };
    EXPECT_EQ(message(put(b, c(0), n)), "variable 'n' is used out of its scope in f");
    EXPECT_EQ(message(ctx.seq({loop(i, 1, ctx.pass()), put(b, c(0), i)})),
              "variable 'i' is used out of its scope in f");
    EXPECT_EQ(message(ctx.seq({ctx.stmt(Allocate{t, ctx.pass()}), put(t, c(0), c(1))})),
              "buffer 'T' is used out of its scope in f");
}

TEST(Memory, RefinementComparesValuesAndLetsIndetBecomeAnything) {
    const Tensor before = Tensor::of(kFloat32, {2, 2}, {0.0, 1, 2, 3});
    Tensor after = before;
    EXPECT_FALSE(refinement_violation("A", before, after));
    after.set(0, Value::of_float(-0.0));
    EXPECT_EQ(refinement_violation("A", before, after), "A[0, 0]: -0.0 does not refine 0.0");
    after = before;
    after.set(3, Value::indet());
    EXPECT_EQ(refinement_violation("A", before, after), "A[1, 1]: indet does not refine 3.0");
    EXPECT_FALSE(refinement_violation("A", after, before));
}

TEST(Memory, CellsKeepEveryTypesExtremes) {
    for (const ScalarType type : all_scalar_types()) {
        if (type.is_float()) continue;
        Tensor t = Tensor::filled(type, {2}, Value::of_int(type.min_value()));
        t.set(1, Value::of_int(type.max_value()));
        EXPECT_EQ(t.at(0).integer(), Integer(type.min_value()));
        EXPECT_EQ(t.at(1).integer(), Integer(type.max_value()));
    }
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(Tensor::filled(kFloat16, {1}, Value::of_float(nan)).at(0), Value::of_float(nan));
}

}  // namespace
}  // namespace proviso::ir
