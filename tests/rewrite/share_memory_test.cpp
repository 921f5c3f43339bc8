// Memory that buffers share: random chains of stages, planned, proved, and run.
#include "rewrite/passes/share_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "analysis/prover/prover.h"
#include "ir/interp/interpreter.h"
#include "ir/text.h"

namespace {

using namespace proviso;
using rewrite::MemoryPlan;

ir::Function program_of(ir::Context& ctx, const std::string& text) {
    const Result<ir::Function> f = ir::parse_function(ctx, text, "stages.py");
    EXPECT_TRUE(f.ok()) << text << (f ? "" : f.error().str());
    return *f;
}

// Stages that read one or two buffers from before, and the input; the last ones go to the result.
// Shapes differ in size and rank; each stage stores to all of its cells.
std::string random_stages(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int count = 2 + below(7);
    std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), R: T.Buffer((9,), \"int32\")):\n";
    std::string body;
    std::vector<std::string> cells = {"A[i % 4]"};
    for (int k = 0; k < count; ++k) {
        const std::string name = "t" + std::to_string(k);
        const int rows = 1 + below(4);
        const int columns = 1 + below(4);
        const bool two = below(2) == 0;
        const std::string size = std::to_string(rows * columns);
        const std::string read = cells[static_cast<std::size_t>(
                                     std::max(0, static_cast<int>(cells.size()) - 1 - below(3)))] +
                                 " + " + std::to_string(k);
        const std::string r = std::to_string(rows);
        const std::string c = std::to_string(columns);
        head += "    " + name + " = T.alloc_buffer((" + (two ? r + ", " + c : size + ",") +
                "), \"int32\")\n";
        const std::string at = two ? "i // " + c + ", i % " + c : "i";
        body +=
            "    for i in range(" + size + "):\n        " + name + "[" + at + "] = " + read + "\n";
        cells.push_back(two ? name + "[i % " + size + " // " + c + ", i % " + c + "]"
                            : name + "[i % " + size + "]");
    }
    body += "    for i in range(9):\n        R[i] = " + cells.back() + " + " +
            cells[static_cast<std::size_t>(below(static_cast<int>(cells.size())))] + "\n";
    return head + body;
}

ir::Tensor numbers(std::int64_t count) {
    ir::Tensor out{ir::kInt32, {count}, {}, {}};
    for (std::int64_t k = 0; k < count; ++k)
        out.bits.push_back(static_cast<std::uint64_t>(k * 7 + 1));
    out.states.assign(out.bits.size(), ir::CellState::Definite);
    return out;
}

std::vector<std::uint64_t> result_of(const ir::Function& f) {
    const ir::Inputs inputs = {{"A", numbers(4)}, {"R", numbers(9)}};
    const Result<ir::Outcome> out = ir::run(f, inputs);
    EXPECT_TRUE(out.ok());
    const ir::Finished* done = out ? std::get_if<ir::Finished>(&*out) : nullptr;
    EXPECT_NE(done, nullptr);
    return done == nullptr ? std::vector<std::uint64_t>() : done->tensors.at("R").bits;
}

TEST(ShareMemory, RandomStages) {
    constexpr int cases = 60;
    std::size_t shared = 0;
    for (int seed = 0; seed < cases; ++seed) {
        std::mt19937 random(static_cast<unsigned>(seed));
        const std::string text = random_stages(random);
        ir::Context ctx;
        const ir::Function f = program_of(ctx, text);
        analysis::Prover prover(ctx, {});
        Result<rewrite::Derivation> d = rewrite::Derivation::start(f, prover);
        ASSERT_TRUE(d.ok());
        rewrite::Proposer p(*d, prover);
        const MemoryPlan plan = rewrite::share_memory(p, {});
        EXPECT_THAT(plan.refused, testing::IsEmpty()) << text;
        EXPECT_GE(plan.together, plan.least) << text;
        EXPECT_LE(plan.together, plan.apart) << text;
        for (const MemoryPlan::Item& a : plan.items) {
            EXPECT_GE(plan.places[a.place], a.bytes);
            for (const MemoryPlan::Item& b : plan.items) {
                const bool apart = a.last < b.first || b.last < a.first;
                EXPECT_TRUE(&a == &b || a.place != b.place || apart) << text;
            }
        }
        EXPECT_EQ(result_of(f), result_of(d->current())) << text << ir::print(d->current());
        shared += plan.items.size() - plan.places.size();
    }
    EXPECT_GT(shared, 40U);
}

// A chain of equal buffers needs two of them, and no plan needs less.
TEST(ShareMemory, AChainNeedsTwo) {
    std::string head =
        "@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\"), R: T.Buffer((9,), \"int32\")):\n";
    std::string body;
    std::string last = "A";
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        head += std::string("    ") + name + " = T.alloc_buffer((4,), \"int32\")\n";
        body +=
            std::string("    for i in range(4):\n        ") + name + "[i] = " + last + "[i] + 1\n";
        last = name;
    }
    body += "    for i in range(4):\n        R[i] = e[i]\n";
    ir::Context ctx;
    const MemoryPlan plan = rewrite::memory_plan(program_of(ctx, head + body), {});
    EXPECT_EQ(plan.places.size(), 2U);
    EXPECT_EQ(plan.together, 32);
    EXPECT_EQ(plan.least, 32);
    EXPECT_EQ(plan.apart, 80);
    const MemoryPlan kept = rewrite::memory_plan(program_of(ctx, head + body), {"c"});
    EXPECT_EQ(kept.places.size(), 3U);
    EXPECT_EQ(kept.together, 48);
    EXPECT_EQ(kept.least, 48);
}

}  // namespace
