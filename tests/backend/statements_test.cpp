// Statements: loops of every kind, branches, lets, allocations, asserts, and the shapes of buffers.
#include <limits>

#include "tests/backend/helpers.h"

namespace proviso::backend::testing {
namespace {

// A program on A[n] -> B[n], written by each test.
struct Program {
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Expr i = ctx.var("i", kInt32);
    Buffer a = ctx.buffer("A", kFloat32, {n});
    Buffer b = ctx.buffer("B", kFloat32, {n});
    Function f{"prog", {n, a, b}, {}, nullptr};

    Expr c(double v) { return ctx.float_imm(kFloat32, v); }
    Expr at(Buffer buffer, Expr index) { return ctx.load(buffer, {index}); }
    Stmt loop(Stmt body, ForKind kind = ForKind::Serial) {
        return ctx.for_(i, ctx.i32(0), n, body, kind);
    }

    struct Run {
        RunOutcome outcome;
        std::vector<double> b;
    };
    Run run_on(const std::vector<double>& input, const CpuOptions& options = {}) {
        const auto size = static_cast<std::int64_t>(input.size());
        HostBuffer in = host_buffer(kFloat32, {size}, input);
        HostBuffer out = host_buffer(kFloat32, {size}, std::vector<double>(input.size(), -1.0));
        const RunOutcome outcome =
            testing::run(compiled(f, options), "prog", {int_scalar(kInt32, size), &in, &out});
        return {outcome, values(out)};
    }
};

using Doubles = std::vector<double>;

class Loops : public ::testing::TestWithParam<std::tuple<ForKind, OptLevel>> {};

TEST_P(Loops, DoubleEveryElement) {
    const auto [kind, level] = GetParam();
    Program p;
    p.f.body = p.loop(p.ctx.store(p.b, {p.i}, p.ctx.add(p.at(p.a, p.i), p.at(p.a, p.i))), kind);
    for (std::size_t size : {0U, 1U, 7U, 64U, 1000U}) {
        Doubles in;
        Doubles expected;
        for (std::size_t k = 0; k < size; ++k) {
            in.push_back(static_cast<double>(k) - 3.5);
            expected.push_back(2 * in.back());
        }
        const auto got = p.run_on(in, at(level));
        EXPECT_EQ(got.outcome, RunOutcome{});
        EXPECT_EQ(got.b, expected) << size;
    }
}

TEST_P(Loops, NoIterationWhenBoundsCross) {
    const auto [kind, level] = GetParam();
    Program p;
    p.f.body =
        p.ctx.for_(p.i, p.ctx.i32(5), p.ctx.i32(-2), p.ctx.store(p.b, {p.i}, p.c(9.0)), kind);
    EXPECT_EQ(p.run_on({1, 2, 3}, at(level)).b, (Doubles{-1, -1, -1}));
}

// An allocation inside of the loop is one memory for all iterations of the machine, and yet each
// iteration must see only its own.
TEST_P(Loops, ScratchInsideTheLoop) {
    const auto [kind, level] = GetParam();
    Program p;
    Buffer scratch = p.ctx.buffer("S", kFloat32, {p.ctx.i32(4)}, "local");
    Expr k = p.ctx.var("k", kInt32);
    Expr kk = p.ctx.var("kk", kInt32);
    Stmt fill =
        p.ctx.for_(k, p.ctx.i32(0), p.ctx.i32(4),
                   p.ctx.store(scratch, {k}, p.ctx.mul(p.at(p.a, p.i), p.ctx.cast(kFloat32, k))));
    Stmt clear = p.ctx.store(p.b, {p.i}, p.c(0.0));
    Stmt sum =
        p.ctx.for_(kk, p.ctx.i32(0), p.ctx.i32(4),
                   p.ctx.store(p.b, {p.i}, p.ctx.add(p.at(p.b, p.i), p.ctx.load(scratch, {kk}))));
    p.f.body = p.loop(p.ctx.stmt(Allocate{scratch, p.ctx.seq({fill, clear, sum})}), kind);
    Doubles in;
    Doubles expected;
    for (int v = 0; v < 200; ++v) {
        in.push_back(v);
        expected.push_back(6.0 * v);
    }
    EXPECT_EQ(p.run_on(in, at(level)).b, expected);
}

// Every iteration after the first failing one in order is irrelevant: its code decides.
TEST_P(Loops, FirstFailingIterationDecides) {
    const auto [kind, level] = GetParam();
    Program p;
    Expr value = p.at(p.a, p.i);
    Stmt first = p.ctx.stmt(Assert{p.ctx.lt(value, p.c(900.0)), "below 900"});
    Stmt second = p.ctx.stmt(Assert{p.ctx.ne(value, p.c(500.0)), "not 500"});
    p.f.body = p.loop(p.ctx.seq({first, second, p.ctx.store(p.b, {p.i}, value)}), kind);
    Doubles in;
    for (int v = 0; v < 1000; ++v) in.push_back(v);
    EXPECT_EQ(p.run_on(in, at(level)).outcome, (RunOutcome{2, "not 500"}));
    in[500] = 1.0;
    EXPECT_EQ(p.run_on(in, at(level)).outcome, (RunOutcome{1, "below 900"}));
    in.resize(900);
    EXPECT_EQ(p.run_on(in, at(level)).outcome, RunOutcome{});
}

INSTANTIATE_TEST_SUITE_P(Kinds, Loops,
                         ::testing::Combine(::testing::Values(ForKind::Serial, ForKind::Parallel,
                                                              ForKind::Vectorized,
                                                              ForKind::Unrolled),
                                            ::testing::Values(OptLevel::O0, OptLevel::O2)));

TEST(Parallel, NestedLoopsAndCaptures) {
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Expr m = ctx.var("m", kInt64);
    Expr i = ctx.var("i", kInt32);
    Expr j = ctx.var("j", kInt64);
    Expr scale = ctx.var("scale", kFloat64);
    Expr u = ctx.var("u", kFloat64);
    Buffer b = ctx.buffer("B", kFloat64, {n, m});
    Expr value = ctx.add(ctx.mul(ctx.cast(kFloat64, i), u), ctx.cast(kFloat64, j));
    Stmt inner = ctx.for_(j, ctx.i64(0), m, ctx.store(b, {i, j}, value), ForKind::Parallel);
    Stmt outer = ctx.for_(i, ctx.i32(0), n, inner, ForKind::Parallel);
    Stmt body = ctx.stmt(LetStmt{u, ctx.add(scale, ctx.float_imm(kFloat64, 1.0)), outer});
    const Function f{"nested", {n, m, scale, b}, {}, body};
    HostBuffer out = make_host_buffer(kFloat64, {50, 30});
    run(compiled(f), "nested",
        {int_scalar(kInt32, 50), int_scalar(kInt64, 30),
         HostScalar{kFloat64, float_bits(kFloat64, 99.0)}, &out});
    for (std::size_t r = 0; r < 50; ++r) {
        for (std::size_t c = 0; c < 30; ++c) {
            ASSERT_EQ(values(out)[r * 30 + c],
                      100.0 * static_cast<double>(r) + static_cast<double>(c));
        }
    }
}

TEST(Parallel, SameBitsInEveryRun) {
    Program p;
    Expr x = p.at(p.a, p.i);
    p.f.body = p.loop(
        p.ctx.store(p.b, {p.i}, p.ctx.math(MathFn::Tanh, {p.ctx.mul(x, p.ctx.add(x, p.c(0.1f)))})),
        ForKind::Parallel);
    Doubles in;
    for (int v = 0; v < 5000; ++v) in.push_back(v / 997.0);
    const Doubles first = p.run_on(in).b;
    for (int round = 0; round < 5; ++round) EXPECT_EQ(p.run_on(in).b, first);
}

TEST(Statements, BranchesAreLazy) {
    // if_then_else, and, or guard a load out of bounds and a division by zero.
    Program p;
    Expr inside = p.ctx.lt(p.ctx.add(p.i, p.ctx.i32(1)), p.n);
    Expr next = p.ctx.if_then_else(inside, p.at(p.a, p.ctx.add(p.i, p.ctx.i32(1))), p.c(0.0));
    Expr divides = p.ctx.and_(p.ctx.ne(p.i, p.ctx.i32(0)),
                              p.ctx.eq(p.ctx.floormod(p.ctx.i32(12), p.i), p.ctx.i32(0)));
    Expr free = p.ctx.or_(p.ctx.eq(p.i, p.ctx.i32(0)),
                          p.ctx.lt(p.ctx.floordiv(p.ctx.i32(12), p.i), p.ctx.i32(4)));
    Stmt body = p.ctx.if_(divides, p.ctx.store(p.b, {p.i}, next),
                          p.ctx.if_(free, p.ctx.store(p.b, {p.i}, p.c(7.0))));
    p.f.body = p.loop(body);
    EXPECT_EQ(p.run_on({0, 1, 2, 3, 4, 5, 6, 7}).b, (Doubles{7, 2, 3, 4, 5, 7, 7, 7}));
}

TEST(Statements, LetsShadowNothing) {
    // let u = A[i] in (u + (let w = u * u in w - u)) + u, with the let statement's variable
    // outside.
    Program p;
    Expr u = p.ctx.var("u", kFloat32);
    Expr w = p.ctx.var("w", kFloat32);
    Expr v = p.ctx.var("v", kFloat32);
    Expr inner = p.ctx.let(w, p.ctx.mul(u, u), p.ctx.sub(w, u));
    Expr value = p.ctx.let(u, p.at(p.a, p.i), p.ctx.add(p.ctx.add(u, inner), u));
    p.f.body = p.loop(
        p.ctx.stmt(LetStmt{v, p.at(p.a, p.i), p.ctx.store(p.b, {p.i}, p.ctx.add(value, v))}));
    EXPECT_EQ(p.run_on({1, 2, 3}).b, (Doubles{3, 8, 15}));
}

// A let inside a let of the same name: what was computed for the outer must not be used in the
// inner.
TEST(Statements, LetOfTheSameNameInside) {
    Program p;
    Expr u = p.ctx.var("u", kFloat32);
    Expr next = p.ctx.add(u, p.c(1.0));
    Expr inner = p.ctx.let(u, p.ctx.mul(next, p.c(10.0)), next);
    p.f.body = p.loop(p.ctx.store(
        p.b, {p.i}, p.ctx.let(u, p.at(p.a, p.i), p.ctx.add(next, p.ctx.add(inner, next)))));
    EXPECT_EQ(p.run_on({1, 2}).b, (Doubles{2 + 21 + 2, 3 + 31 + 3}));
}

// What one arm of a choice computed is not there behind it.
TEST(Statements, SharedTermsInsideAndBehindAnArm) {
    Program p;
    Expr square = p.ctx.mul(p.at(p.a, p.i), p.at(p.a, p.i));
    Expr chosen = p.ctx.if_then_else(p.ctx.lt(p.i, p.ctx.i32(1)), square, p.c(100.0));
    p.f.body = p.loop(p.ctx.store(p.b, {p.i}, p.ctx.add(chosen, square)));
    EXPECT_EQ(p.run_on({3, 4}).b, (Doubles{18, 116}));
}

// Only accesses to buffers from outside a vectorized loop are promised to be independent: its own
// scratch is one memory for all iterations.
TEST(Vectorized, OwnScratchIsNotPromisedIndependent) {
    Program p;
    Buffer scratch = p.ctx.buffer("S", kFloat32, {p.ctx.i32(4)});
    Stmt write = p.ctx.store(scratch, {p.ctx.i32(3)}, p.at(p.a, p.i));
    Stmt read = p.ctx.store(p.b, {p.i}, p.ctx.load(scratch, {p.ctx.i32(3)}));
    p.f.body = p.loop(p.ctx.stmt(Allocate{scratch, p.ctx.seq({write, read})}), ForKind::Vectorized);
    const auto text = unverified::emit_llvm_ir({p.f}, at(OptLevel::O0));
    ASSERT_TRUE(text.ok());
    std::size_t marked = 0;
    std::size_t from = 0;
    while ((from = text->find(", !llvm.access.group", from)) != std::string::npos) {
        ++marked;
        ++from;
    }
    EXPECT_EQ(marked, 2U) << *text;  // the load of A, the store of B
    EXPECT_NE(text->find("llvm.loop.parallel_accesses"), std::string::npos);
    EXPECT_EQ(text->find("vectorize.enable"), std::string::npos);  // leave to reorder floats
}

// What an expression computed before a store must not be used after it.
TEST(Statements, LoadsSeeEarlierStores) {
    Program p;
    Expr here = p.at(p.b, p.i);
    Stmt add_one = p.ctx.store(p.b, {p.i}, p.ctx.add(here, p.c(1.0)));
    p.f.body = p.loop(p.ctx.seq({p.ctx.store(p.b, {p.i}, p.at(p.a, p.i)), add_one, add_one}));
    EXPECT_EQ(p.run_on({1, 5}).b, (Doubles{3, 7}));
}

class Allocations : public ::testing::TestWithParam<OptLevel> {};

TEST_P(Allocations, FillReachesEveryCell) {
    struct Row {
        ScalarType type;
        Fill fill;
        double expected;
    };
    const std::vector<Row> rows = {{kFloat32, Fill::Zero, 0.0},
                                   {kFloat32, Fill::AllOnes, NAN},
                                   {kFloat32, Fill::Largest, INFINITY},
                                   {kFloat32, Fill::Smallest, -0.0},
                                   {kFloat16, Fill::Largest, INFINITY},
                                   {kBFloat16, Fill::Largest, INFINITY},
                                   {kFloat64, Fill::AllOnes, NAN},
                                   {kInt32, Fill::Largest, 2147483647.0},
                                   {kInt32, Fill::Smallest, -2147483648.0},
                                   {kUInt8, Fill::AllOnes, 255.0},
                                   {kUInt8, Fill::Smallest, 0.0},
                                   {kBool, Fill::Largest, 1.0}};
    for (const Row& row : rows) {
        for (int size : {3, 5000}) {  // on the stack, on the heap
            Context ctx;
            Expr i = ctx.var("i", kInt32);
            Buffer out = ctx.buffer("out", row.type, {ctx.i32(size)});
            Buffer scratch = ctx.buffer("S", row.type, {ctx.i32(size)});
            Stmt copy =
                ctx.for_(i, ctx.i32(0), ctx.i32(size), ctx.store(out, {i}, ctx.load(scratch, {i})));
            const Function f{"fill", {out}, {}, ctx.stmt(Allocate{scratch, copy})};
            CpuOptions options = at(GetParam());
            options.fill = row.fill;
            HostBuffer got = make_host_buffer(row.type, {size});
            for (std::byte& b : got.bytes) b = std::byte{0x5a};
            run(compiled(f, options), "fill", {&got});
            for (double v : values(got)) {
                ASSERT_TRUE(Value::of_float(v) == Value::of_float(row.expected))
                    << row.type.str() << " " << v;
            }
        }
    }
}

TEST_P(Allocations, SizeFromParametersAndLoops) {
    // for i: S[i + 1] holds A[0..i]; B[i] = its last cell. An assert returns from inside the scope.
    Program p;
    Expr k = p.ctx.var("k", kInt32);
    Buffer scratch = p.ctx.buffer("S", kFloat32, {p.ctx.add(p.i, p.ctx.i32(1))});
    Stmt fill = p.ctx.for_(k, p.ctx.i32(0), p.ctx.add(p.i, p.ctx.i32(1)),
                           p.ctx.store(scratch, {k}, p.at(p.a, k)));
    Stmt check = p.ctx.stmt(Assert{p.ctx.lt(p.at(p.a, p.i), p.c(100.0)), "too large"});
    Stmt last = p.ctx.store(p.b, {p.i}, p.ctx.load(scratch, {p.i}));
    p.f.body = p.loop(p.ctx.stmt(Allocate{scratch, p.ctx.seq({fill, check, last})}));
    EXPECT_EQ(p.run_on({4, 5, 6}, at(GetParam())).b, (Doubles{4, 5, 6}));
    const auto stopped = p.run_on({4, 200, 6}, at(GetParam()));
    EXPECT_EQ(stopped.outcome, (RunOutcome{1, "too large"}));
    EXPECT_EQ(stopped.b, (Doubles{4, -1, -1}));
}

// What a scope freed is not freed again when an assert stops the function behind it.
TEST_P(Allocations, StopBehindAScope) {
    Program p;
    Buffer scratch = p.ctx.buffer("S", kFloat32, {p.n});
    Stmt inside = p.loop(p.ctx.store(scratch, {p.i}, p.at(p.a, p.i)));
    Stmt copy = p.ctx.store(p.b, {p.ctx.i32(0)}, p.ctx.load(scratch, {p.ctx.i32(1)}));
    Stmt scope = p.ctx.stmt(Allocate{scratch, p.ctx.seq({inside, copy})});
    Stmt stop = p.ctx.stmt(Assert{p.ctx.lt(p.n, p.ctx.i32(2)), "one element"});
    p.f.body = p.ctx.seq({scope, stop});
    const auto got = p.run_on({4, 5, 6}, at(GetParam()));
    EXPECT_EQ(got.outcome, (RunOutcome{1, "one element"}));
    EXPECT_EQ(got.b, (Doubles{5, -1, -1}));
}

// `let u = indet` is one value: u - u is 0, and two stores of u write the same.
TEST_P(Allocations, LetFreezesGarbage) {
    Context ctx;
    Buffer out = ctx.buffer("out", kInt32, {ctx.i32(3)});
    Buffer scratch = ctx.buffer("S", kInt32, {ctx.i32(1)});
    Expr u = ctx.var("u", kInt32);
    const auto cell_of = [&](int k) { return std::vector<Expr>{ctx.i32(k)}; };
    Stmt body =
        ctx.stmt(LetStmt{u, ctx.load(scratch, {ctx.i32(0)}),
                         ctx.seq({ctx.store(out, cell_of(0), ctx.sub(u, u)),
                                  ctx.store(out, cell_of(1), u), ctx.store(out, cell_of(2), u)})});
    const Function f{"freeze", {out}, {}, ctx.stmt(Allocate{scratch, body})};
    HostBuffer got = host_buffer(kInt32, {3}, {7, 8, 9});
    run(compiled(f, at(GetParam())), "freeze", {&got});
    EXPECT_EQ(values(got)[0], 0.0);
    EXPECT_EQ(values(got)[1], values(got)[2]);
}

INSTANTIATE_TEST_SUITE_P(Levels, Allocations, ::testing::Values(OptLevel::O0, OptLevel::O2));

TEST(Shapes, RowMajorAndEveryIndexType) {
    Context ctx;
    Expr r = ctx.var("r", kUInt8);
    Expr c = ctx.var("c", kInt16);
    Buffer a = ctx.buffer("A", kInt32, {ctx.i32(2), ctx.i64(3), ctx.i32(4)});
    Buffer out = ctx.buffer("out", kInt32, {});
    const Function f{
        "pick", {r, c, a, out}, {}, ctx.store(out, {}, ctx.load(a, {r, c, ctx.i64(2)}))};
    HostBuffer cube = make_host_buffer(kInt32, {2, 3, 4});
    for (std::size_t k = 0; k < 24; ++k) set_cell(cube, k, k);
    HostBuffer got = make_host_buffer(kInt32, {});
    run(compiled(f), "pick", {int_scalar(kUInt8, 1), int_scalar(kInt16, 2), &cube, &got});
    EXPECT_EQ(values(got), (Doubles{1 * 12 + 2 * 4 + 2}));
}

TEST(Shapes, ArgumentsThatDoNotFitAreRefused) {
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Buffer a = ctx.buffer("A", kInt32, {ctx.mul(n, ctx.i32(2)), ctx.i32(3)});
    const Function f{"fits", {n, a}, {}, ctx.store(a, {ctx.i32(0), ctx.i32(0)}, ctx.i32(1))};
    const CpuModule m = compiled(f);
    HostBuffer good = make_host_buffer(kInt32, {4, 3});
    HostBuffer long_rows = make_host_buffer(kInt32, {4, 4});
    HostBuffer flat = make_host_buffer(kInt32, {12});
    HostBuffer floats = make_host_buffer(kFloat32, {4, 3});
    HostBuffer short_bytes = good;
    short_bytes.bytes.resize(8);
    const HostScalar two = int_scalar(kInt32, 2);
    EXPECT_TRUE(m.run("fits", {two, &good}).ok());
    const auto message = [&](const std::vector<HostArgument>& args) {
        const auto out = m.run("fits", args);
        return out.ok() ? "accepted" : out.error().message;
    };
    EXPECT_EQ(message({two, &long_rows}), "parameter A has shape (4, 3), not (4, 4)");
    EXPECT_EQ(message({int_scalar(kInt32, -2), &good}),
              "parameter A has shape (-4, 3), not (4, 3)");
    EXPECT_EQ(message({two, &flat}), "parameter A has rank 2, not 1");
    EXPECT_EQ(message({two, &floats}), "parameter A takes int32, not float32");
    EXPECT_EQ(message({two, &short_bytes}), "parameter A needs 48 bytes, not 8");
    EXPECT_EQ(message({&good, two}), "parameter n takes a scalar");
    EXPECT_EQ(message({two}), "fits takes 2 arguments, not 1");
    EXPECT_FALSE(m.run("other", {two, &good}).ok());
}

// An extent that has no value is no trap: no buffer has it.
TEST(Shapes, AnExtentThatDividesByZeroFitsNothing) {
    Context ctx;
    Expr n = ctx.var("n", kInt32);
    Expr k = ctx.var("k", kInt32);
    Buffer a = ctx.buffer("A", kInt32, {ctx.floordiv(n, k)});
    Buffer b = ctx.buffer("B", kInt32, {ctx.add(ctx.floordiv(n, k), ctx.floormod(n, k))});
    const Function f{"divides", {n, k, a, b}, {}, ctx.store(a, {ctx.i32(0)}, ctx.i32(1))};
    for (const OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        const CpuModule m = compiled(f, at(level));
        HostBuffer three = make_host_buffer(kInt32, {3});
        HostBuffer four = make_host_buffer(kInt32, {4});
        const auto message = [&](std::int64_t size, std::int64_t by) {
            const auto out =
                m.run("divides", {int_scalar(kInt32, size), int_scalar(kInt32, by), &three, &four});
            return out.ok() ? "accepted" : out.error().message;
        };
        EXPECT_EQ(message(7, 2), "accepted");
        EXPECT_EQ(values(three)[0], 1);
        EXPECT_EQ(message(7, 0), "parameter A has shape (-1), not (3)");
        EXPECT_EQ(message(std::numeric_limits<std::int32_t>::min(), -1),
                  "parameter A has shape (-1), not (3)");
        EXPECT_EQ(message(-7, -2), "parameter B has shape (2), not (4)");
    }
}

std::int32_t add_small(std::int8_t a, bool b) {
    return b ? a * 2 : a;
}

TEST(Extern, RegisteredFunctionIsCalled) {
    Context ctx;
    Expr x = ctx.var("x", kInt8);
    Expr flag = ctx.var("flag", kBool);
    Buffer out = ctx.buffer("out", kInt32, {});
    const Function f{"calls",
                     {x, flag, out},
                     {},
                     ctx.store(out, {}, ctx.call_extern(kInt32, "add_small", {x, flag}))};
    EXPECT_FALSE(unverified::compile(f).ok());
    CpuOptions options;
    options.externs["add_small"] = {reinterpret_cast<const void*>(&add_small)};
    HostBuffer got = make_host_buffer(kInt32, {});
    run(compiled(f, options), "calls", {int_scalar(kInt8, -5), int_scalar(kBool, 1), &got});
    EXPECT_EQ(values(got), (Doubles{-10}));
}

// Exact integers: MAX + 1 - 1 stays MAX, although the sum in between leaves the type. With a
// proof for the outer node only, `nsw` must not be put on it: its operand's machine value is MIN.
TEST(ExactIntegers, ValuesInBetweenMayLeaveTheType) {
    for (OptLevel level : {OptLevel::O0, OptLevel::O2}) {
        Context ctx;
        Expr x = ctx.var("x", kInt32);
        Buffer out = ctx.buffer("out", kBool, {});
        Expr above = ctx.add(x, ctx.i32(1));
        Expr back = ctx.add(above, ctx.i32(-1));
        const Function f{"ring", {x, out}, {}, ctx.store(out, {}, ctx.le(back, x))};
        CpuOptions options = at(level);
        options.no_signed_wrap = {back};
        HostBuffer got = make_host_buffer(kBool, {});
        run(compiled(f, options), "ring", {int_scalar(kInt32, 2147483647), &got});
        EXPECT_EQ(values(got), (Doubles{1}));
        const auto text = unverified::emit_llvm_ir({f}, [&] {
            CpuOptions o = options;
            o.opt = OptLevel::O0;
            return o;
        }());
        EXPECT_EQ(text->find("add nsw"), std::string::npos);
        options.no_signed_wrap.insert(above);
        options.opt = OptLevel::O0;
        const auto proved = unverified::emit_llvm_ir({f}, options);
        EXPECT_NE(proved->find("add nsw"), std::string::npos);
    }
}

}  // namespace
}  // namespace proviso::backend::testing
