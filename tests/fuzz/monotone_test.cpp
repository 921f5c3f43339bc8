// A definite value in the place of an indeterminate one never adds a fault: on generated programs,
// on every operator by itself, and on those that could break it. Semantics 1 let an indeterminate
// operand pass; each place where it did is planted here again, and seen.
#include "fuzz/oracle/monotone.h"

#include <gtest/gtest.h>

#include "fuzz/gen/probes.h"
#include "fuzz/planted/undefined_programs.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::fuzz {
namespace {

using namespace ir;

struct Planted {
    explicit Planted(const char* id) { planted_fault() = id; }
    ~Planted() { planted_fault().clear(); }
};

int violations(const Function& f, MonotoneCounts& counts) {
    int out = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        out += check_monotone(f, {}, 5, seed, counts) ? 1 : 0;
    }
    return out;
}

TEST(Monotone, SemanticsOneIsSeenThroughEveryHole) {
    for (const UndefinedProgram& h : undefined_programs()) {
        Context ctx;
        const Result<Function> f = parse_function(ctx, h.program, "hidden.py");
        ASSERT_TRUE(f.ok()) << f.error().str();
        MonotoneCounts counts;
        EXPECT_EQ(violations(*f, counts), 0) << h.program;
        EXPECT_GT(counts.counted, 0U) << h.program;
        const Planted old(h.plant);
        EXPECT_GT(violations(*f, counts), 0) << h.plant << h.program;
    }
}

TEST(Monotone, EveryOperatorByItself) {
    Context ctx;
    MonotoneCounts counts;
    int operators = 0;
    for (const Function& probe : operator_probes(ctx)) {
        for (Stmt part : probe.body->as<Seq>()->body) {
            Function f = probe;
            f.body = part;
            ++operators;
            for (std::uint64_t seed = 0; seed < 3; ++seed) {
                const auto found = check_monotone(f, {}, 4, seed, counts);
                EXPECT_FALSE(found.has_value()) << print(f) << found->detail;
            }
        }
    }
    EXPECT_GT(operators, 300);
    EXPECT_GT(counts.counted, counts.runs / 3);
}

int generated_violations(std::uint64_t programs, MonotoneCounts& counts) {
    int out = 0;
    for (std::uint64_t k = 0; k < programs; ++k) {
        Context ctx;
        Choice choice(mix(7, k));
        const GeneratedProgram p = generate_program(ctx, choice);
        const auto found = check_monotone(p.function, p.ranges, 6, k, counts);
        if (!found) continue;
        ++out;
        if (planted_fault().empty()) ADD_FAILURE() << print(p.function) << found->detail;
    }
    return out;
}

TEST(Monotone, GeneratedPrograms) {
    MonotoneCounts counts;
    EXPECT_EQ(generated_violations(400, counts), 0);
    EXPECT_GT(counts.counted, counts.runs / 5);
    const Planted old("semantics:indet-arithmetic");
    EXPECT_GE(generated_violations(400, counts), 3);
}

}  // namespace
}  // namespace proviso::fuzz
