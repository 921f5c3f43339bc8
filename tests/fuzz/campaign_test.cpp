// A small campaign: every oracle on generated programs, reproducible case by case.
#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/call_options.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/failure_files.h"
#include "ir/planted.h"
#include "tests/sanitized.h"

namespace proviso::fuzz {
namespace {

TEST(Campaign, FindsNothingInASoundBuild) {
    CampaignOptions o;
    o.cases = 150 / tests::kShare;
    o.seed = 11;
    const Result<Summary> s = run_campaign(o);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_EQ(s->findings, 0U) << s->json().dump(1);
    EXPECT_EQ(s->valid, s->cases);
    EXPECT_GT(s->refinement.counted, 100U / tests::kShare);
    EXPECT_GT(s->cpu.runs, 100U / tests::kShare);
    EXPECT_EQ(s->cpu.refused, 0U);
}

TEST(Campaign, TheSameSeedGivesTheSameSummary) {
    CampaignOptions o;
    o.cases = 20;
    o.seed = 5;
    nlohmann::json first = run_campaign(o)->json();
    nlohmann::json second = run_campaign(o)->json();
    first.erase("time");
    second.erase("time");
    EXPECT_EQ(first, second);
}

// Cases are taken in their order, whichever thread has run them.
TEST(Campaign, ThreadsAndChunksDoNotChangeTheSummary) {
    CampaignOptions o;
    o.cases = 40;
    o.seed = 6;
    o.schedules_only = true;
    o.tiers = Tiers{4, 4, 4, 4, 4};
    nlohmann::json alone = run_campaign(o)->json();
    o.jobs = 3;
    nlohmann::json together = run_campaign(o)->json();
    o.cases = 15;
    Summary sum = *run_campaign(o);
    o.first = 15;
    o.cases = 25;
    sum.add(*run_campaign(o));
    nlohmann::json chunks = sum.json();
    for (nlohmann::json* j : {&alone, &together, &chunks}) j->erase("time");
    EXPECT_EQ(alone, together);
    EXPECT_EQ(alone, chunks);
    EXPECT_EQ(alone["findings"], 0);
    EXPECT_GT(alone["validation"]["steps"], 0);
}

// What keeps a campaign of schedules from finding nothing because it looks at nothing: without the
// obligation that over-compute writes what is there, a wrong removal of a guard is caught.
TEST(Campaign, SchedulesNoticeAnObligationLeftOut) {
    ir::planted_fault() = "omit:writes what the cell holds";
    CampaignOptions o;
    o.cases = 1000;
    o.seed = 3;
    o.schedules_only = true;
    o.tiers = Tiers{0, 0, 0, 0, 0};
    o.stop_at_first = true;
    const Result<Summary> s = run_campaign(o);
    ir::planted_fault().clear();
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_GT(s->findings, 0U);
}

// More inputs are more triples of the same pairs: programs and steps are the same ones.
TEST(Campaign, TriplesAreCountedOnce) {
    CampaignOptions o = schedule_campaign();
    o.cases = 48;
    o.seed = 8;
    o.tiers = kNoTiers;
    o.tiers.cpu = 4;
    o.runs = 5;
    const Summary few = *run_campaign(o);
    o.runs = 40;
    const Summary many = *run_campaign(o);
    EXPECT_EQ(many.findings, 0U);
    EXPECT_EQ(many.triples.pairs, few.triples.pairs);
    EXPECT_LT(few.triples.pairs, few.cases);  // some schedules change nothing
    EXPECT_EQ(many.primitives, few.primitives);
    EXPECT_LE(few.triples.triples, 5 * few.triples.pairs);
    EXPECT_GT(many.triples.triples, 5 * few.triples.triples);
    EXPECT_LE(many.triples.triples, 40 * many.triples.pairs);
    EXPECT_LT(many.triples.triples, many.refinement.counted);  // of which some repeat
    EXPECT_GT(many.triples.compiled, few.triples.compiled);
    EXPECT_LT(many.triples.compiled, many.triples.triples);
    EXPECT_EQ(many.json()["triples"]["triples"], many.triples.triples);
    EXPECT_NE(many.triples_line().find(std::to_string(many.triples.triples) + " triples"),
              std::string::npos);
}

// The report names the input, and the files keep how it was made, of whatever kind.
TEST(Campaign, AFindingNamesItsInput) {
    const std::string folder =
        (std::filesystem::temp_directory_path() / ("proviso-input-" + std::to_string(::getpid())))
            .string();
    ir::planted_fault() = "omit:writes what the cell holds";
    CampaignOptions o = schedule_campaign();
    o.cases = 140;
    o.seed = 3;
    o.tiers = kNoTiers;
    o.stop_at_first = true;
    std::size_t found = 0;
    o.found = [&](const Failure& f, std::uint64_t, ir::Context& ctx,
                  analysis::Prover& prover) -> Status {
        ++found;
        EXPECT_TRUE(ask_on_inputs(ctx, f, prover).has_value());
        Failure later = f;
        later.finding.setup = run_setup(7, 20);
        EXPECT_EQ(later.finding.setup.style, InputStyle::AnyExponent);
        EXPECT_NE(failure_texts(ctx, later, prover)["report.md"].find("Inputs (number 20 of"),
                  std::string::npos);
        EXPECT_TRUE(write_failure(ctx, folder, later, prover));
        const Result<Failure> read = read_failure(ctx, folder);
        EXPECT_TRUE(read.ok());
        if (!read) return read.error();
        EXPECT_EQ(read->finding.setup.number, 20U);
        EXPECT_EQ(read->finding.setup.style, InputStyle::AnyExponent);
        EXPECT_EQ(read->finding.setup.seed, later.finding.setup.seed);
        return Unit{};
    };
    const Result<Summary> s = run_campaign(o);
    ir::planted_fault().clear();
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(s.ok()) << s.error().str();
    EXPECT_GT(found, 0U);
}

TEST(Campaign, InputsOfASeriesDiffer) {
    ir::Context ctx;
    Choice choice(9);
    std::set<InputStyle> styles;
    std::size_t repeated = 0;
    std::size_t count = 0;
    for (int program = 0; program < 20; ++program) {
        const GeneratedProgram p = generate_program(ctx, choice);
        InputSeries series(p.function, p.ranges, 60, 17);
        InputSeries same(p.function, p.ranges, 60, 17);
        std::set<std::string> seen;
        while (const auto run = series.next()) {
            const auto again = same.next();
            ASSERT_TRUE(again.has_value());
            EXPECT_EQ(verify::describe(run->inputs, 10'000),
                      verify::describe(again->inputs, 10'000));
            const bool is_new = seen.insert(verify::describe(run->inputs, 10'000)).second;
            EXPECT_GE(run->is_new, is_new);  // NaN has many bits and one name
            EXPECT_TRUE(run->is_new || run->setup.number < 10);
            repeated += run->is_new ? 0 : 1;
            ++count;
            styles.insert(run->setup.style);
        }
    }
    EXPECT_EQ(styles.size(), 6U);
    EXPECT_GT(count, 500U);
    EXPECT_LT(repeated, count / 10);
}

TEST(Campaign, OptionsOfCallsAreCounted) {
    const std::string schedule =
        "b = sch.get_block(\"b\")\n"
        "l, m, r = sch.split(l0, factors=[None, 4, 2])\n"
        "sch.remove_branching_through_overcompute(block=b, partial=True)\n"
        "sch.transform_layout(b, (\"read\", 0), lambda i: [i // 4, i % 4], pad_value=lambda p, q: "
        "q)\n"
        "sch.hoist_expression(b, conditionals=[\"IfElseStmt\"], let_bindings=[])\n"
        "sch.simplify()\n";
    using Options = std::vector<std::string>;
    EXPECT_EQ(call_options(schedule, 0), Options{});
    EXPECT_EQ(call_options(schedule, 1), Options{});
    EXPECT_EQ(call_options(schedule, 2), (Options{"3 factors, the first open"}));
    EXPECT_EQ(call_options(schedule, 3), (Options{"block", "partial=True"}));
    EXPECT_EQ(call_options(schedule, 4), (Options{"buffer by (\"read\", n)", "pad_value=lambda"}));
    EXPECT_EQ(call_options(schedule, 5),
              (Options{"conditionals=\"IfElseStmt\"", "let_bindings=[]"}));
    EXPECT_EQ(call_options(schedule, 6), (Options{"of no block"}));
    EXPECT_EQ(call_options(schedule, 7), Options{});
    Summary s;
    count_call(s.by_primitive, "simplify", schedule, 6, {1, 1, 0});
    count_call(s.by_primitive, "simplify", schedule, 0, {1, 0, 0});
    EXPECT_EQ(s.by_primitive["simplify"].called, 2U);
    EXPECT_EQ(s.by_primitive["simplify"].options["of no block"].refused, 1U);
    for (int k = 0; k < 20; ++k) count_call(s.by_primitive, "simplify", schedule, 6, {1, 1, 0});
    EXPECT_EQ(never_accepted(s.by_primitive), (Options{"simplify with of no block"}));
}

TEST(Campaign, APrimitiveThatIsAlwaysRefusedIsNamed) {
    Summary s;
    s.by_primitive["split"] = {4, 1, 1};
    s.by_primitive["fuse"] = {3, 2, 1};
    s.by_primitive["get_block"] = {7, 0, 7};
    EXPECT_EQ(never_accepted(s.by_primitive), std::vector<std::string>{"fuse"});
    EXPECT_NE(s.primitives_table().find("warning: fuse was never accepted"), std::string::npos);
    EXPECT_EQ(s.primitives_table().find("warning: split"), std::string::npos);
}

}  // namespace
}  // namespace proviso::fuzz
