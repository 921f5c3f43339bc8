// Conversion code for callers: proved to be inverse, and run: what pack gives is what the contract
// says the function is given, and unpack gives the caller's tensor back, bit for bit.
#include "rewrite/schedule/adapters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "backend/cpu/backend.h"
#include "backend/tensor.h"
#include "ir/text.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/harness/inputs.h"
#include "verify/tv/validate.h"

namespace proviso {
namespace {

using namespace ir;

struct AdapterCase {
    const char* name;
    const char* program;
    const char* schedule;
};

constexpr const char* kCopy = R"(
@T.prim_func
def copy(A: T.Buffer((6, 10), "float32"), B: T.Buffer((6, 10), "float32")):
    for i, j in T.grid(6, 10):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
)";

constexpr const char* kSymbolic = R"(
@T.prim_func
def copy(n: T.int32, A: T.Buffer((n, 10), "int32"), B: T.Buffer((n, 10), "int32")):
    T.func_attr({"tir_var_lower_bound": {"n": 0}, "tir_var_upper_bound": {"n": 10000}})
    for i, j in T.grid(n, 10):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
)";

const std::vector<AdapterCase>& cases() {
    static const std::vector<AdapterCase> list = {
        {"padded_columns", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [i, j // 4, j % 4], pad_value=-1.5)\n"},
        {"zero_bit_for_bit", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [i, j // 4, j % 4], pad_value=-0.0, "
         "exact=True)\n"},
        {"both_sides_of_both", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [(i + 1) // 4, (j + 3) // 8, (i + 1) % 4, (j "
         "+ 3) % 8], pad_value=0.0)\n"},
        {"wrap_around", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [i, j + 1], pad_value=lambda p, q: A[p, "
         "10])\n"},
        {"undefined", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [j // 4, i, j % 4], "
         "pad_value=T.undef(\"float32\"))\n"},
        {"untouched_swizzle", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [i, j ^ (i % 8)])\n"},
        {"two_relations", kCopy,
         "sch.transform_layout(b, \"A\", lambda i, j: [i // 4, i % 4, j], "
         "pad_value=T.undef(\"float32\"))\n"
         "sch.transform_layout(b, \"A\", lambda p, q, j: [p, q, j // 8, j % 8], pad_value=2.0)\n"},
        {"symbolic", kSymbolic,
         "sch.transform_layout(b, \"A\", lambda i, j: [(i + 1) // 4, j, (i + 1) % 4], "
         "pad_value=7)\n"},
    };
    return list;
}

class Adapters : public testing::TestWithParam<AdapterCase> {
  protected:
    // The scheduled program.
    void SetUp() override {
        const Result<Function> f = parse_function(ctx, GetParam().program, GetParam().name);
        ASSERT_TRUE(f.ok()) << f.error().str();
        source = *f;
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, source);
        ASSERT_TRUE(d.ok());
        rewrite::Proposer proposer(*d, prover);
        const std::string schedule =
            std::string("b = sch.get_block(\"copy\")\n") + GetParam().schedule;
        const auto report = rewrite::run_schedule(proposer, schedule, "schedule.py");
        ASSERT_TRUE(report.ok()) << report.error().str();
        ASSERT_FALSE(report->refusal.has_value()) << report->refusal->diagnostic.str();
        scheduled = d->current();
    }

    Tensor run(const backend::CpuModule& module, const Function& f, const Inputs& inputs,
               const std::string& result) {
        const Result<backend::TensorRun> done = backend::run_on_tensors(module, f, inputs, 3);
        EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().str());
        return done.ok() ? done->tensors.at(result) : Tensor{};
    }

    Context ctx;
    analysis::Prover prover{ctx, {}};
    Function source;
    Function scheduled;
};

TEST_P(Adapters, PackAndUnpackAreInverseAndKeepTheContract) {
    const auto made = rewrite::adapters(ctx, scheduled, prover);
    ASSERT_TRUE(made.ok()) << made.error().str();
    ASSERT_EQ(made->size(), 1U);
    const rewrite::Adapter& a = made->front();
    EXPECT_EQ(a.parameter, "A");
    EXPECT_GE(a.round_trip.steps().size(), 2U);
    const verify::TvResult tv =
        verify::validate(ctx, a.round_trip.source(), a.round_trip.current(), prover);
    EXPECT_NE(tv.verdict, verify::TvVerdict::Refuted) << tv.what;
    const Result<backend::CpuModule> module = backend::compile({a.pack, a.unpack});
    ASSERT_TRUE(module.ok()) << module.error().str();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Result<Inputs> logical = verify::random_inputs(ctx, source, seed);
        ASSERT_TRUE(logical.ok());
        const Result<Inputs> given = verify::physical_inputs(ctx, scheduled, *logical, {});
        ASSERT_TRUE(given.ok()) << given.error().str();
        const Tensor& caller = std::get<Tensor>(logical->at("A"));
        const Tensor& wanted = std::get<Tensor>(given->at("A"));
        Inputs inputs = *logical;
        inputs["A_physical"] = Tensor::filled(wanted.type, wanted.shape, Value::indet());
        const Tensor packed = run(*module, a.pack.current(), inputs, "A_physical");
        ASSERT_EQ(packed.shape, wanted.shape);
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            if (wanted.states[k] != CellState::Definite) continue;
            EXPECT_TRUE(packed.at(k) == wanted.at(k)) << "seed " << seed << ", cell " << k;
        }
        inputs["A_physical"] = packed;
        inputs["A"] = Tensor::filled(caller.type, caller.shape, Value::indet());
        const Tensor back = run(*module, a.unpack.current(), inputs, "A");
        EXPECT_TRUE(back == caller) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Adapters, testing::ValuesIn(cases()),
                         [](const auto& test) { return std::string(test.param.name); });

// Trap: a division and a guard for each cell that is copied, where whole groups of 8 need neither.
TEST(AdaptersOf, CopiesWholeGroupsWithoutDivisionsAndGuards) {
    Context ctx;
    const Result<Function> f = parse_function(ctx, R"(
@T.prim_func
def copy(A: T.Buffer((21, 30), "float32"), B: T.Buffer((21, 30), "float32")):
    for i, j in T.grid(21, 30):
        with T.block("copy"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj]
)",
                                              "copy");
    ASSERT_TRUE(f.ok()) << f.error().str();
    analysis::Prover prover(ctx, {});
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    ASSERT_TRUE(d.ok());
    rewrite::Proposer proposer(*d, prover);
    const auto report = rewrite::run_schedule(
        proposer,
        "sch.transform_layout(\"copy\", \"A\", lambda i, j: [i // 4, (j + 3) // 8, i % 4, (j + 3) "
        "% 8], pad_value=2.0)\n",
        "schedule.py");
    ASSERT_TRUE(report.ok()) << report.error().str();
    ASSERT_FALSE(report->refusal.has_value()) << report->refusal->diagnostic.str();
    const auto made = rewrite::adapters(ctx, d->current(), prover);
    ASSERT_TRUE(made.ok()) << made.error().str();
    for (const rewrite::Derivation* half : {&made->front().pack, &made->front().unpack}) {
        const std::string text = print(half->current());
        for (const char* slow : {"div", "mod", "if ", "//", "%"}) {
            EXPECT_EQ(text.find(slow), std::string::npos) << text;
        }
        EXPECT_NE(text.find("T.vectorized(8)"), std::string::npos) << text;
    }
}

// What a caller in C does: pack, call, and the result is what the source gives, bit for bit, of
// zeros of both signs and NaN as well. 1.0 divided by what the function loads tells which zero the
// adapter has written.
TEST(AdaptersOf, CodeOnPackedPaddingOfZeroIsTheSourceBitForBit) {
    for (const char* zero : {"0.0", "-0.0"}) {
        Context ctx;
        const std::string program = std::string(R"(
@T.prim_func
def f(A: T.Buffer((14,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("b"):
            vi = T.axis.spatial(16, i)
            B[vi] = T.if_then_else(1 <= vi and vi < 15, A[vi - 1], T.float32()") +
                                    zero + R"())
    for i in range(16):
        with T.block("c"):
            vi = T.axis.spatial(16, i)
            C[vi] = T.float32(1.0) / T.if_then_else(1 <= vi and vi < 15, A[vi - 1], T.float32()" +
                                    zero + "))\n";
        const Result<Function> source = parse_function(ctx, program, "f");
        ASSERT_TRUE(source.ok()) << source.error().str();
        analysis::Prover prover(ctx, {});
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *source);
        ASSERT_TRUE(d.ok());
        rewrite::Proposer proposer(*d, prover);
        const std::string schedule =
            std::string("sch.transform_layout(\"b\", \"A\", lambda i: [(i + 1) % 16], pad_value=") +
            zero + ", exact=True)\nsch.remove_branching_through_overcompute()\n";
        const auto report = rewrite::run_schedule(proposer, schedule, "schedule.py");
        ASSERT_TRUE(report.ok()) << report.error().str();
        ASSERT_FALSE(report->refusal.has_value()) << report->refusal->diagnostic.str();
        ASSERT_FALSE(rewrite::lower(proposer).wrong.has_value());
        const Function lowered = d->current();
        EXPECT_EQ(print(lowered).find("if"), std::string::npos) << print(lowered);
        const auto made = rewrite::adapters(ctx, lowered, prover);
        ASSERT_TRUE(made.ok()) << made.error().str();
        const rewrite::Adapter& a = made->front();
        Result<Program> meaning = prepare(*source);
        ASSERT_TRUE(meaning.ok());
        const Result<backend::CpuModule> packing = backend::compile({a.pack});
        const Result<backend::CpuModule> code = backend::compile({*d});
        ASSERT_TRUE(packing.ok() && code.ok());
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Result<Inputs> given = verify::random_inputs(ctx, *source, seed);
            ASSERT_TRUE(given.ok());
            Tensor& data = std::get<Tensor>(given->at("A"));
            data.set(seed % 14, Value::of_float(-0.0));
            data.set((seed + 3) % 14, Value::of_float(0.0));
            data.set((seed + 5) % 14, Value::of_float(std::nan("")));
            const Result<Outcome> wanted = run(*meaning, *given, {});
            ASSERT_TRUE(wanted.ok());
            const Finished* finished = std::get_if<Finished>(&*wanted);
            ASSERT_NE(finished, nullptr);
            Inputs inputs = *given;
            inputs["A_physical"] = Tensor::filled(kFloat32, {16}, Value::indet());
            const auto packed = backend::run_on_tensors(*packing, a.pack.current(), inputs, seed);
            ASSERT_TRUE(packed.ok()) << packed.error().str();
            inputs["A"] = packed->tensors.at("A_physical");
            const auto done = backend::run_on_tensors(*code, lowered, inputs, seed);
            ASSERT_TRUE(done.ok()) << done.error().str();
            for (const char* name : {"B", "C"}) {
                EXPECT_TRUE(done->tensors.at(name) == finished->tensors.at(name))
                    << name << ", padding " << zero << ", seed " << seed;
            }
        }
    }
}

// Trap: a relation that somebody wrote by hand, and that is no bijection.
TEST(AdaptersOf, ARelationThatIsNotInvertedAreRefused) {
    Context ctx;
    const Result<Function> f = parse_function(ctx, R"(
@T.prim_func
def f(A: T.Buffer((4, 4), "int32"), B: T.Buffer((14,), "int32")):
    T.func_attr({"proviso.layout": {"A": [{"index_type": "int32", "inverse": ["p0 * 4 + p1 + 1"], "logical_shape": ["14"], "map": ["i // 4", "i % 4"], "pad": "none", "padding_by": "function", "physical_vars": ["p0", "p1"], "vars": ["i"]}]}})
    for i in range(14):
        B[i] = A[i // 4, i % 4]
)",
                                              "f");
    ASSERT_TRUE(f.ok()) << f.error().str();
    analysis::Prover prover(ctx, {});
    const auto made = rewrite::adapters(ctx, *f, prover);
    ASSERT_FALSE(made.ok());
    EXPECT_NE(made.error().message.find("the inverse takes each physical cell back"),
              std::string::npos)
        << made.error().message;
}

}  // namespace
}  // namespace proviso
