// Properties over generated programs, by rapidcheck's generators on fixed seeds.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <nlohmann/json.hpp>

#include "analysis/prover/prover.h"
#include "fuzz/campaign/failure.h"
#include "fuzz/gen/arbitrary.h"
#include "fuzz/gen/shrink.h"
#include "fuzz/oracle/refinement.h"
#include "fuzz/oracle/round_trip.h"
#include "ir/children.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::fuzz {
namespace {

TEST(Property, PrintedProgramsReadBack) {
    const rc::Gen<AnyProgram> gen = any_program();
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const AnyProgram p = gen(rc::Random(seed)).value();
        EXPECT_FALSE(check_round_trip(*p.context, p.program.function).has_value())
            << rc::toString(p);
    }
}

TEST(Property, AnAcceptedStepRefines) {
    const rc::Gen<AnyStep> gen = any_step();
    int accepted = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const AnyStep s = gen(rc::Random(seed)).value();
        ir::Context& ctx = *s.on.context;
        analysis::Prover prover(ctx, campaign_prover());
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, s.on.program.function);
        ASSERT_TRUE(d.ok()) << rc::toString(s);
        const auto args = nlohmann::json::parse(s.step.args);
        if (d->apply(s.step.rule, s.step.site, args, prover)) continue;
        ++accepted;
        RefinementCounts counts;
        const auto found =
            check_refinement(ctx, d->source(), d->current(), s.on.program.ranges, 5, 1, counts);
        EXPECT_FALSE(found.has_value()) << rc::toString(s) << found->detail;
    }
    EXPECT_GE(accepted, 25);
}

// rapidcheck's own shrinking goes through the structural shrinker, and gets to the bottom.
TEST(Property, AFailingProgramShrinksToLittle) {
    const auto reduces = [](const AnyProgram& p) {
        bool found = false;
        ir::for_each_expr(p.program.function.body, [&](ir::Expr e) {
            ir::for_each_node(e, [&](ir::Expr n) { found = found || n->op == ir::Op::Max; });
        });
        return found;
    };
    const rc::Gen<AnyProgram> gen = any_program();
    int shrunk = 0;
    for (std::uint64_t seed = 0; seed < 200 && shrunk < 3; ++seed) {
        rc::Shrinkable<AnyProgram> at = gen(rc::Random(seed), 100);
        if (!reduces(at.value())) continue;
        ++shrunk;
        for (bool again = true; again;) {
            again = false;
            auto candidates = at.shrinks();
            while (auto next = candidates.next()) {
                if (!reduces(next->value())) continue;
                at = *next;
                again = true;
                break;
            }
        }
        EXPECT_LE(size_of(at.value().program.function).nodes, 20U);
    }
    EXPECT_EQ(shrunk, 3);
}

}  // namespace
}  // namespace proviso::fuzz
