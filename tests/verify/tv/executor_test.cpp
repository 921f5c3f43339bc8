// Symbolic execution against the interpreter: the terms of every cell, evaluated on random inputs,
// are what a run leaves, and the recorded requirements hold exactly where a run has no fault.
#include "verify/tv/executor.h"

#include <gtest/gtest.h>

#include "ir/domains/evaluate.h"
#include "ir/text.h"
#include "verify/harness/inputs.h"
#include "verify/tv/least_steps.h"

namespace proviso::verify {
namespace {

using namespace ir;

// Bodies over A: (4,) and B: (4,) of one type.
const char* const kIntegerBodies[] = {
    "    B[0] = T.TYPE(1) + A[0] + (T.TYPE(0) + A[1])\n    B[1] = A[1] * T.TYPE(0) + (T.TYPE(1) * "
    "A[2] - T.TYPE(0))\n"
    "    B[2] = A[2] - A[2] + A[3] // T.TYPE(1)\n    B[3] = A[3] % T.TYPE(1) + T.min(A[0], A[0])\n",
    "    for i in range(4):\n        B[i] = A[i] * T.TYPE(3) - A[3 - i]\n",
    "    for i in range(4):\n        if A[i] < T.TYPE(2):\n            B[i] = A[i] // T.TYPE(3)\n"
    "        else:\n            B[3 - i] = A[i] % T.TYPE(3)\n",
    "    B[0] = T.truncdiv(A[0], A[1])\n    B[1] = A[2] // A[3]\n    B[2] = T.truncmod(A[1], "
    "A[0])\n",
    "    for i in range(4):\n        B[0] = T.max(B[0], T.min(A[i], B[i]))\n",
    "    T.assume(A[0] <= A[1] or B[1] == 0)\n    B[0] = A[1] - A[0]\n",
    "    x = A[0] + T.TYPE(1)\n    B[0] = x * x\n    B[1] = T.Select(A[1] < x, A[1], x)\n",
    "    for i in range(4):\n"
    "        B[i] = T.if_then_else(A[i] != 0, T.TYPE(100) // A[i], T.undef(\"TYPE\"))\n",
    "    if A[0] < T.TYPE(1) and T.TYPE(3) // A[0] < T.TYPE(2):\n        B[0] = 1\n    else:\n     "
    "   B[0] = 2\n",
    "    B[0] = A[0] << A[1]\n    B[1] = A[2] >> A[3]\n    B[2] = A[0] & A[1] | A[2] ^ A[3]\n",
    "    C = T.alloc_buffer((4,), \"TYPE\")\n    for i in range(2):\n        C[i] = A[i]\n"
    "    if A[2] < T.TYPE(3):\n        C[2] = A[2]\n    for i in range(4):\n        B[i] = C[i]\n",
    "    for io in range(2):\n        for ii in range(3):\n            if io * 3 + ii < 4:\n"
    "                with T.block(\"b\"):\n                    v = T.axis.spatial(4, io * 3 + ii)\n"
    "                    B[v] = A[v] + B[v]\n",
};
const char* const kFloatBodies[] = {
    "    B[0] = A[0] + T.float32(0)\n    B[1] = T.float32(0) + A[1]\n"
    "    B[2] = T.float32(1) * A[2] - T.float32(-0.0)\n    B[3] = T.float32(0) - A[3]\n",
    "    B[0] = A[0] / T.float32(1) * T.float32(0)\n    B[1] = A[1] - A[1]\n"
    "    B[2] = T.max(A[2], T.float32(0)) + T.float32(0)\n"
    "    B[3] = T.Select(A[3] == A[3], A[3], A[2]) + T.float32(0)\n",
    "    for i in range(4):\n        B[0] = B[0] + A[i] * B[i]\n",
    "    B[0] = T.float32(0)\n    for i in range(4):\n        B[0] = B[0] + A[i]\n"
    "    B[1] = B[0] + T.float32(0)\n    B[2] = A[0] + T.float32(-0.0)\n"
    "    B[3] = A[1] - T.float32(0)\n",
    "    for i in range(4):\n        B[i] = T.max(A[i], T.float32(0)) / T.min(A[3 - i], B[i])\n",
    "    for i in range(4):\n        if A[i] <= B[i]:\n            B[i] = T.sqrt(A[i])\n"
    "        else:\n            B[0] = T.abs(A[i])\n",
    "    B[0] = T.Cast(\"float32\", T.Cast(\"int32\", A[0]))\n    B[1] = T.Select(A[1] == A[2], "
    "A[1], -A[2])\n",
    "    B[0] = T.if_then_else(A[0] < A[1], A[0], T.undef(\"float32\")) * T.float32(1)\n",
};

class SymbolicAndConcrete : public testing::Test {
  protected:
    Context ctx;

    Function parse(std::string body, const std::string& type) {
        for (std::size_t at; (at = body.find("TYPE")) != std::string::npos;) {
            body.replace(at, 4, type);
        }
        const std::string buffer = ": T.Buffer((4,), \"" + type + "\")";
        const Result<Function> f = parse_function(
            ctx, "@T.prim_func\ndef f(A" + buffer + ", B" + buffer + "):\n" + body, "<test>");
        EXPECT_TRUE(f.ok()) << f.error().str();
        return f.ok() ? *f : Function{};
    }

    // The value of a closed term when the initial cells are those of the inputs; nullopt: a fault
    // of a term, which says nothing.
    static std::optional<Value> value_in(Expr term, const Inputs& inputs) {
        Environment environment;
        environment.load = [&](Expr load, std::span<const Value> at) -> Evaluated {
            const Tensor& t = std::get<Tensor>(inputs.at(load->buffer->name));
            return t.at(static_cast<std::size_t>(*at[0].integer().to_int128()));
        };
        const Evaluation out = evaluate(term, environment);
        if (!out.ok()) return std::nullopt;
        return out.value;
    }

    void compare(const Function& f, std::uint64_t seed) {
        Simplifier simplifier(ctx);
        const auto parameters = concrete_parameters(ctx, f, {});
        ASSERT_TRUE(parameters.ok());
        std::vector<SymbolicTensor> tensors;
        for (const ConcreteParameter& p : *parameters) tensors.push_back(initial_tensor(ctx, p));
        const SymbolicRun symbolic = execute(ctx, simplifier, f, {}, tensors, 100'000, 1 << 16);
        ASSERT_EQ(symbolic.unsupported, "") << print(f);
        const Result<Inputs> inputs = random_inputs(ctx, f, seed);
        ASSERT_TRUE(inputs.ok());
        const Result<Outcome> outcome = run(f, *inputs);
        ASSERT_TRUE(outcome.ok());
        bool met = true;
        for (const Requirement& r : symbolic.requirements) {
            const auto holds = value_in(r.claim, *inputs);
            met = met && holds && holds->is_int() && holds->truth();
        }
        const Finished* finished = std::get_if<Finished>(&*outcome);
        EXPECT_EQ(met, finished != nullptr) << print(f) << describe(*inputs) << "\n"
                                            << ir::describe(*outcome);
        if (finished == nullptr || !met) return;
        ++finished_;
        for (std::size_t p = 0; p < parameters->size(); ++p) {
            const Tensor& is = finished->tensors.at((*parameters)[p].buffer->name);
            for (std::size_t k = 0; k < is.size(); ++k) {
                const SymbolicValue& term = symbolic.tensors[p].cells[k].content;
                const auto defined = value_in(term.defined, *inputs);
                ASSERT_TRUE(defined.has_value());
                EXPECT_EQ(defined->truth(), is.states[k] == CellState::Definite) << print(f);
                if (!defined->truth()) continue;
                const auto value = value_in(term.value, *inputs);
                ASSERT_TRUE(value.has_value()) << print(term.value);
                EXPECT_EQ(*value, is.at(k)) << print(f) << print(term.value);
            }
        }
    }
    int finished_ = 0;
};

TEST_F(SymbolicAndConcrete, OnIntegers) {
    for (const char* type : {"int32", "int8", "uint8", "int64"}) {
        for (const char* body : kIntegerBodies) {
            const Function f = parse(body, type);
            for (std::uint64_t seed = 0; seed < 40; ++seed) compare(f, seed);
        }
    }
    EXPECT_GT(finished_, 500);
}

TEST_F(SymbolicAndConcrete, OnFloats) {
    for (const char* body : kFloatBodies) {
        const Function f = parse(body, "float32");
        for (std::uint64_t seed = 0; seed < 60; ++seed) compare(f, seed);
    }
    EXPECT_GT(finished_, 200);
}

// What is counted without running is never more than what a run takes, and all of it where nothing
// depends on data.
TEST_F(SymbolicAndConcrete, StepsAreCountedFromBelow) {
    const auto too_few = [&](const Function& f, std::uint64_t limit) {
        Simplifier simplifier(ctx);
        std::vector<SymbolicTensor> tensors;
        const auto parameters = concrete_parameters(ctx, f, {});
        for (const ConcreteParameter& p : *parameters) tensors.push_back(initial_tensor(ctx, p));
        return execute(ctx, simplifier, f, {}, tensors, limit, 1 << 16).unsupported ==
               kTooManySteps;
    };
    const auto least = [](const auto& more_than) {
        std::uint64_t limit = 0;
        while (more_than(limit)) ++limit;
        return limit;
    };
    const auto taken = [&](const Function& f) {
        return least([&](std::uint64_t limit) { return too_few(f, limit); });
    };
    const auto counted = [&](const Function& f) {
        return least([&](std::uint64_t limit) { return takes_more_steps(ctx, f, {}, limit); });
    };
    for (const char* body : kIntegerBodies) {
        const Function f = parse(body, "int32");
        EXPECT_LE(counted(f), taken(f)) << print(f);
        EXPECT_GT(counted(f), 1U) << print(f);
    }
    const Function loops = parse(
        "    for i in range(2, 4):\n        for j in range(3):\n"
        "            x = A[j] + 1\n            B[i] = T.min(B[i], x * A[j])\n",
        "int32");
    EXPECT_EQ(counted(loops), taken(loops));
}

}  // namespace
}  // namespace proviso::verify
