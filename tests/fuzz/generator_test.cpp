// The generator of programs: what it makes is well-formed, mostly runs without a fault, survives
// printing and parsing, and is a function of its seed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "fuzz/gen/inputs.h"
#include "fuzz/gen/program.h"
#include "ir/interp/interpreter.h"
#include "ir/text.h"
#include "ir/well_formed.h"

namespace proviso::fuzz {
namespace {

using namespace ir;

TEST(Generator, MostProgramsRunWithoutAFault) {
    int ran = 0;
    int finished = 0;
    std::map<std::string, int> features;
    for (std::uint64_t k = 0; k < 400; ++k) {
        Context ctx;
        Choice choice(mix(1, k));
        const GeneratedProgram p = generate_program(ctx, choice);
        const auto problems = well_formed(p.function);
        ASSERT_TRUE(problems.empty()) << problems[0].str() << "\n" << print(p.function);
        for (const std::string& f : p.features) ++features[f];
        for (const InputStyle style : {InputStyle::Small, InputStyle::Adversarial}) {
            const Result<Inputs> inputs = random_inputs(p.function, p.ranges, style, choice);
            ASSERT_TRUE(inputs.ok()) << inputs.error().str();
            InterpOptions options;
            options.step_limit = 2'000'000;
            const Result<Outcome> out = run(p.function, *inputs, options);
            ASSERT_TRUE(out.ok()) << out.error().str();
            ++ran;
            if (std::holds_alternative<Faulted>(*out)) {
                if (std::getenv("SHOW_FAULTS") != nullptr) {
                    fmt::print("{}\n{}\n", describe(*out), print(p.function));
                }
                continue;
            }
            ++finished;
        }
    }
    // By construction: the share is a figure of the generator's own range tracking.
    EXPECT_GE(finished * 100, ran * 98) << finished << " of " << ran;
    for (const char* wanted :
         {"reduction", "block", "block init", "guarded store", "undef", "assume", "parallel",
          "vectorized", "non-dividing split", "fused index", "scan", "local accumulator", "let",
          "size parameter", "assert", "update in place", "branch with else"}) {
        EXPECT_GT(features[wanted], 0) << wanted;
    }
}

TEST(Generator, PrintedProgramsReadBackTheSame) {
    for (std::uint64_t k = 0; k < 400; ++k) {
        Context ctx;
        Choice choice(mix(2, k));
        const GeneratedProgram p = generate_program(ctx, choice);
        const std::string text = print(p.function);
        const Result<Function> read = parse_function(ctx, text, "generated.py");
        ASSERT_TRUE(read.ok()) << read.error().str() << "\n" << text;
        ASSERT_TRUE(*read == p.function) << text << "\nread back as\n" << print(*read);
    }
}

TEST(Generator, OneSeedOneProgram) {
    for (std::uint64_t k = 0; k < 20; ++k) {
        Context a;
        Context b;
        Choice ca(mix(3, k));
        Choice cb(mix(3, k));
        EXPECT_EQ(print(generate_program(a, ca).function), print(generate_program(b, cb).function));
    }
}

// An input that a licence excludes shows nothing: an infinite filter is no counterexample to a
// theorem about finite ones.
TEST(Inputs, AreFiniteWhereALicenceSaysSo) {
    Context ctx;
    const std::string text = R"py(
@T.prim_func
def kernel(X: T.Buffer((8,), "float16"), F: T.Buffer((8,), "float16")):
    T.func_attr({"proviso.licences": ["finite(F)"]})
    X[0] = F[0]
)py";
    const Result<Function> f = parse_function(ctx, text, "test");
    ASSERT_TRUE(f.ok()) << f.error().str();
    Choice choice(3);
    std::map<std::string, int> excluded;
    for (int k = 0; k < 50; ++k) {
        const Result<Inputs> inputs = random_inputs(*f, {}, InputStyle::Adversarial, choice);
        ASSERT_TRUE(inputs.ok()) << inputs.error().str();
        for (const char* name : {"X", "F"}) {
            const auto& tensor = std::get<Tensor>(inputs->at(name));
            for (std::size_t c = 0; c < tensor.size(); ++c) {
                excluded[name] += std::isfinite(tensor.at(c).real()) ? 0 : 1;
            }
        }
    }
    EXPECT_EQ(excluded["F"], 0);
    EXPECT_GT(excluded["X"], 50) << "what nothing is said of may be NaN or infinite";
}

TEST(Choice, SeedsOfNeighbouringCasesDiffer) {
    EXPECT_NE(mix(1, 0), mix(1, 1));
    EXPECT_NE(mix(1, 0), mix(2, 0));
    Choice c(7);
    for (int k = 0; k < 1000; ++k) {
        const std::int64_t v = c.between(-3, 5);
        EXPECT_GE(v, -3);
        EXPECT_LE(v, 5);
    }
    EXPECT_EQ(c.between(INT64_MIN, INT64_MIN), INT64_MIN);
}

}  // namespace
}  // namespace proviso::fuzz
