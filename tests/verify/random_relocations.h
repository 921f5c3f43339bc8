// Proposals to the theorem of relocation that are made at random: which are accepted, and that
// nothing of what is accepted is wrong.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "ir/well_formed.h"
#include "rewrite/kernel/rule.h"
#include "tests/verify/tv/fixture.h"
#include "verify/harness/inputs.h"

namespace proviso::verify {

class RandomProposals : public TvPairs {
  protected:
    explicit RandomProposals(unsigned seed)
        : TvPairs("A: T.Buffer((4,), \"int32\"), B: T.Buffer((4,), \"int32\"), n: T.int32"),
          random_(seed + static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed())) {}

    template <typename T>
    const T& pick(const std::vector<T>& from) {
        return from[random_() % from.size()];
    }

    bool is_proved(const rewrite::Proposal& p) {
        if (!ir::well_formed(p.after).empty()) return false;
        analysis::ProverOptions limits;
        limits.rlimit = 20'000;
        limits.use_cvc5 = false;
        analysis::Prover prover(ctx, limits);
        for (const analysis::Obligation& o : p.obligations) {
            if (prover.prove(o).verdict != analysis::Verdict::Proved) return false;
        }
        return true;
    }

    // Counts what is accepted, and says so; by validation and by runs, nothing of it is wrong.
    bool look(const ir::Function& before, const Result<rewrite::Proposal>& proposal) {
        if (!proposal || !is_proved(*proposal)) return false;
        ++accepted_;
        TvOptions sizes;
        sizes.sizes = {
            {ctx.var("n", ir::kInt32), ctx.i32(static_cast<std::int32_t>(random_() % 6))}};
        const TvResult seen = check(before, proposal->after, sizes);
        EXPECT_NE(seen.verdict, TvVerdict::Refuted)
            << seen.what << "\n"
            << ir::print(before) << ir::print(proposal->after);
        bounded_ += seen.verdict == TvVerdict::Bounded ? 1 : 0;
        compare(before, proposal->after);
        return true;
    }

    std::mt19937 random_;
    std::size_t accepted_ = 0;
    std::size_t bounded_ = 0;
    std::size_t refined_ = 0;  // runs

  private:
    void compare(const ir::Function& before, const ir::Function& after) {
        Result<Comparer> runs = Comparer::make(ctx, before, after);
        ASSERT_TRUE(runs.ok()) << runs.error().str();
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            CompareOptions options;
            options.seed = seed;
            options.open = seed % 2 == 0 ? OpenCells::Indet : OpenCells::Garbage;
            options.interp.check_regions = true;
            options.interp.order =
                std::array{ir::IterationOrder::Forward, ir::IterationOrder::Reverse,
                           ir::IterationOrder::Shuffled}[seed % 3];
            const Result<ir::Inputs> inputs = random_inputs(ctx, before, random_() % 1000);
            ASSERT_TRUE(inputs.ok()) << inputs.error().str();
            const Result<Comparison> run = runs->compare(*inputs, options);
            ASSERT_TRUE(run.ok()) << run.error().str();
            refined_ += run->agreement == Agreement::Refines ? 1 : 0;
            ASSERT_FALSE(run->refutes()) << run->what << "\n"
                                         << ir::print(before) << ir::print(after);
        }
    }
};

}  // namespace proviso::verify
