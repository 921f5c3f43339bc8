// Hostile relocations: each says what becomes of it, and what is accepted is run.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tests/rewrite/theorems/relocate.h"
#include "verify/harness/inputs.h"

namespace proviso::verify {

using rewrite::RelayoutText;
using rewrite::StagingText;

struct HostileStaging {
    std::string what, before;
    StagingText proposal;
    std::string outcome;  // how it begins
};
struct HostileRelayout {
    std::string what, before;
    RelayoutText proposal;
    std::string outcome;
};

class HostileRelocate : public rewrite::Relocate {
  protected:
    std::string params_ =
        "A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\"), "
        "D: T.Buffer((4, 4), \"int32\"), F: T.Buffer((8,), \"float32\"), n: T.int32, m: T.int32";
    std::string attrs_;

    void expect(const std::vector<HostileStaging>& list) {
        for (const HostileStaging& h : list) check(h);
    }
    void expect(const std::vector<HostileRelayout>& list) {
        for (const HostileRelayout& h : list) check(h);
    }

    static Result<rewrite::Proposal> propose(ir::Context& ctx, const ir::Function& f,
                                             const StagingText& t, const rewrite::Staging& s) {
        return rewrite::stage(ctx, f, *ir::Site::parse(t.at), s);
    }
    static Result<rewrite::Proposal> propose(ir::Context& ctx, const ir::Function& f,
                                             const RelayoutText& /*t*/,
                                             const rewrite::Relayout& r) {
        return rewrite::relayout(ctx, f, r);
    }

    template <typename Hostile>
    void check(const Hostile& h) {
        ir::Context ctx;
        const std::string text = "@T.prim_func\ndef f(" + params_ + "):\n" + attrs_ + h.before;
        const Result<ir::Function> f = ir::parse_function(ctx, text, h.what);
        ASSERT_TRUE(f.ok()) << h.what << ": " << f.error().str();
        ASSERT_TRUE(ir::well_formed(*f).empty()) << h.what << ": " << ir::well_formed(*f)[0].str();
        rewrite::ProposalReader reader(ctx);
        const auto read = reader.read(*f, h.proposal);
        ASSERT_TRUE(reader.wrong().empty()) << h.what << ": " << reader.wrong();
        const Result<rewrite::Proposal> made = propose(ctx, *f, h.proposal, read);
        const std::string outcome = verdict(ctx, made);
        EXPECT_THAT(outcome, testing::StartsWith(h.outcome)) << h.what;
        if (outcome != "accepted") return;
        ++accepted_;
        const std::string wrong = run(ctx, *f, made->after);
        EXPECT_EQ(wrong, "") << h.what << "\n" << after_;
    }

    // What a run sees that the source does not allow; empty: nothing.
    std::string run(ir::Context& ctx, const ir::Function& before, const ir::Function& after) {
        Result<Comparer> runs = Comparer::make(ctx, before, after);
        if (!runs.ok()) return runs.error().str();
        for (std::uint64_t k = 0; k < 24; ++k) {
            CompareOptions options;
            options.seed = k;
            options.open = k % 2 == 0 ? OpenCells::Indet : OpenCells::Garbage;
            options.interp.check_regions = true;
            options.interp.order =
                std::array{ir::IterationOrder::Forward, ir::IterationOrder::Reverse,
                           ir::IterationOrder::Shuffled}[k % 3];
            const Result<ir::Inputs> inputs = random_inputs(ctx, before, k);
            if (!inputs.ok()) return inputs.error().str();
            const Result<Comparison> seen = runs->compare(*inputs, options);
            if (!seen.ok()) return seen.error().str();
            if (seen->refutes()) return seen->what;
            refined_ += seen->agreement == Agreement::Refines ? 1 : 0;
        }
        return "";
    }

    // What is accepted has been run, and not in vain.
    void TearDown() override { EXPECT_GE(refined_, accepted_ * 6); }

    std::size_t accepted_ = 0;
    std::size_t refined_ = 0;  // runs
};

}  // namespace proviso::verify
