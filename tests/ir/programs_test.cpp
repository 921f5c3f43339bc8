// Whole programs in TVMScript, run: padded programs do what they should, and the traps of
// docs/semantics.md show themselves to the interpreter. And no program, however odd, breaks it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "ir/domains/evaluate.h"
#include "ir/interp/interpreter.h"
#include "ir/text.h"
#include "tests/ir/random_program.h"

namespace proviso::ir {
namespace {

using testing::HasSubstr;

class Programs : public testing::Test {
  protected:
    Context ctx;
    InterpOptions options;

    static Tensor floats(const std::vector<double>& cells) {
        const auto n = static_cast<std::int64_t>(cells.size());
        return Tensor::of(kFloat32, {n}, cells);
    }
    Outcome outcome(const std::string& text, const Inputs& inputs) {
        const Result<Function> f = parse_function(ctx, text, "p.py");
        EXPECT_TRUE(f.ok()) << (f.ok() ? "" : f.error().str());
        Result<Outcome> out = run(*f, inputs, options);
        EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().str());
        return out.value();
    }
    // Cells of B, or how else the run ended.
    std::string result(const std::string& text, const Inputs& inputs) {
        const Outcome out = outcome(text, inputs);
        if (!std::holds_alternative<Finished>(out)) return describe(out);
        const Tensor& t = std::get<Finished>(out).tensors.at("B");
        std::string cells;
        for (std::size_t k = 0; k < t.size(); ++k) {
            cells += (k > 0 ? " " : "") + t.at(k).str(t.type);
        }
        return cells;
    }
};

TEST_F(Programs, ElementwiseIntoUndefPadding) {
    const char* program = R"(@T.prim_func
def scale(A: T.Buffer((5,), "float32"), B: T.Buffer((6,), "float32")):
    for i in T.parallel(2):
        for j in T.vectorized(3):
            if i * 3 + j < 5:
                B[i * 3 + j] = A[i * 3 + j] * T.float32(2.0)
            else:
                B[i * 3 + j] = T.undef("float32")
)";
    const Inputs inputs = {{"A", floats({1, 2, 3, 4, -0.0})}, {"B", floats({9, 9, 9, 9, 9, 9})}};
    for (const IterationOrder order :
         {IterationOrder::Forward, IterationOrder::Reverse, IterationOrder::Shuffled}) {
        options.order = order;
        EXPECT_EQ(result(program, inputs), "2.0 4.0 6.0 8.0 -0.0 indet");
    }
}

// Trap 1: without the guard, the padding's iterations leave A.
TEST_F(Programs, OverComputeReadsOutOfBounds) {
    const char* program = R"(@T.prim_func
def scale(A: T.Buffer((5,), "float32"), B: T.Buffer((6,), "float32")):
    for i in range(6):
        B[i] = A[i] * T.float32(2.0)
)";
    const Inputs inputs = {{"A", floats({1, 2, 3, 4, 5})}, {"B", floats({9, 9, 9, 9, 9, 9})}};
    EXPECT_EQ(
        result(program, inputs),
        "faulted: out of bounds: load of A[5] in shape (5) at body/body/value/a0 where i = 5");
}

const char* row_sum(bool from_first) {
    return from_first ? R"(@T.prim_func
def row_sum(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    B[0] = A[0]
    for k in range(1, 4):
        B[0] = B[0] + A[k]
)"
                      : R"(@T.prim_func
def row_sum(A: T.Buffer((4,), "float32"), B: T.Buffer((1,), "float32")):
    for k in range(4):
        with T.block("sum"):
            vk = T.axis.reduce(4, k)
            T.reads(A[vk])
            T.writes(B[0])
            with T.init():
                B[0] = T.float32(0.0)
            B[0] = B[0] + A[vk]
)";
}

// Trap 3: a sum that starts from +0.0 is never -0.0, one that starts from the first element may be,
// and then adding the zero padding is seen.
TEST_F(Programs, RowSumAndTheSignOfZero) {
    options.check_regions = true;
    const Tensor out = floats({7});
    const Inputs negative = {{"A", floats({-0.0, -0.0, -0.0, -0.0})}, {"B", out}};
    const Inputs padded = {{"A", floats({-0.0, -0.0, -0.0, 0.0})}, {"B", out}};
    EXPECT_EQ(result(row_sum(false), negative), "0.0");
    EXPECT_EQ(result(row_sum(false), padded), "0.0");
    EXPECT_EQ(result(row_sum(true), negative), "-0.0");
    EXPECT_EQ(result(row_sum(true), padded), "0.0");
}

// Trap 4: a zero of padding does not silence an infinity of the filter.
TEST_F(Programs, ConvolutionWithAnInfiniteFilter) {
    const char* program = R"(@T.prim_func
def conv(A: T.Buffer((4,), "float32"), F: T.Buffer((2,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = T.float32(0.0)
        for k in range(2):
            if i + k < 4:
                B[i] = B[i] + F[k] * A[i + k]
    B[3] = T.float32(0.0)
)";
    const double inf = INFINITY;
    const Tensor out = floats({9, 9, 9, 9});
    const Inputs finite = {{"A", floats({1, 2, 3, 0})}, {"F", floats({1, 10})}, {"B", out}};
    EXPECT_EQ(result(program, finite), "21.0 32.0 3.0 0.0");
    const Inputs infinite = {{"A", floats({1, 2, 3, 0})}, {"F", floats({1, inf})}, {"B", out}};
    EXPECT_EQ(result(program, infinite), "inf inf nan 0.0");
}

// Trap 2: what is assumed of padding permits reading it; its value stays what it is.
TEST_F(Programs, AssumptionsAboutPadding) {
    const char* permission = R"(@T.prim_func
def f(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        T.assume(i < 3 or A[i] == T.undef("float32"))
    for i in range(4):
        B[i] = A[i]
)";
    Inputs inputs = {{"A", floats({1, 2, 3, NAN})}, {"B", floats({9, 9, 9, 9})}};
    EXPECT_EQ(result(permission, inputs), "1.0 2.0 3.0 nan");
    std::string zero = permission;
    zero.replace(zero.find("T.undef(\"float32\")"), 18, "T.float32(0.0)");
    EXPECT_THAT(result(zero, inputs),
                HasSubstr("false assumption at body/0/body/cond where i = 3"));
    inputs["A"] = floats({1, 2, 3, -0.0});
    EXPECT_EQ(result(zero, inputs), "1.0 2.0 3.0 -0.0") << "numerical equality";
}

// Traps 10 and 11: divisions by kind and sign, casts that wrap.
TEST_F(Programs, DivisionsAndCasts) {
    const char* program = R"(@T.prim_func
def f(n: T.int32, B: T.Buffer((6,), "int32")):
    B[0] = n // -4
    B[1] = n % -4
    B[2] = T.truncdiv(n, -4)
    B[3] = T.truncmod(n, -4)
    B[4] = T.Cast("int32", T.Cast("uint8", n) - T.uint8(255))
    B[5] = (n * 2147483647 + n) // 2147483647 - n
)";
    const Tensor out = Tensor::of(kInt32, {6}, {0, 0, 0, 0, 0, 0});
    EXPECT_EQ(result(program, {{"n", Value::of_int(7)}, {"B", out}}),
              "faulted: value observed out of range: floordiv(15032385536, 2147483647) on int32 "
              "at body/5/value/a0 where n = 7");
    std::string fine = program;
    fine.replace(fine.find("(n * 2147483647 + n) // 2147483647 - n"), 38, "n * 4 - n * 3");
    EXPECT_EQ(result(fine, {{"n", Value::of_int(7)}, {"B", out}}), "-2 -1 -1 3 8 7");
    EXPECT_EQ(result(fine, {{"n", Value::of_int(2147483647)}, {"B", out}}),
              "-536870912 -1 -536870911 3 0 2147483647");
}

TEST(RandomPrograms, RunToSomeEndAndTheSameOneEachTime) {
    std::array<int, 3> endings{};
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Context ctx;
        const Function f = RandomProgram(ctx, seed).function();
        Chooser choose(seed);
        Environment env;
        Inputs inputs;
        for (Expr e : f.scalar_params()) {
            Value v = choose.choose(e->type);
            if (e->type.is_int()) v = Value::of_int(static_cast<Int128>(choose.next() % 4));
            env.vars.emplace(e, v);
            inputs.emplace(*e->name, v);
        }
        bool usable = true;
        for (Buffer b : f.buffer_params()) {
            std::vector<std::int64_t> shape;
            for (Expr extent : b->shape) {
                const Evaluation v = evaluate(extent, env);
                usable = usable && v.ok() && v.value.is_int() && v.value.integer().sign() >= 0 &&
                         v.value.integer() <= 64;
                shape.push_back(usable ? static_cast<int>(*v.value.integer().to_int128()) : 0);
            }
            Tensor t = Tensor::filled(b->type, usable ? shape : std::vector<std::int64_t>{0},
                                      choose.choose(b->type));
            inputs.emplace(b->name, std::move(t));
        }
        if (!usable) continue;
        InterpOptions options;
        options.step_limit = 20000;
        options.cell_limit = 10000;
        const Result<Outcome> first = run(f, inputs, options);
        const Result<Outcome> second = run(f, inputs, options);
        ASSERT_TRUE(first.ok()) << first.error().str() << "\n" << print(f);
        EXPECT_EQ(describe(*first), describe(*second));
        ++endings[first->index()];
    }
    EXPECT_GT(endings[0], 50) << "finished";
    EXPECT_GT(endings[2], 300) << "faulted";
}

}  // namespace
}  // namespace proviso::ir
