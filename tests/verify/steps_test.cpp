// The statement rules, one file of tests/data/steps a case: a program, a step, and what must become
// of it. An accepted step must leave what the interpreter computes as it was; a step that is
// refuted must show a difference or a new fault when the interpreter runs the program that it would
// have made.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "analysis/prover/prover.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/kernel/apply.h"
#include "rewrite/kernel/derivation.h"
#include "verify/harness/inputs.h"
#include "verify/harness/replay.h"
#include "verify/tv/validate.h"

namespace proviso::verify {
namespace {

struct StepCase {
    std::string file;
    std::string expect;   // accept, refute, unproved, mismatch
    std::string because;  // part of the purpose or message
    std::string rule;
    std::string site;
    std::string args;
    std::string program;
};

// Named by its file in test output.
void PrintTo(const StepCase& c, std::ostream* out) {
    *out << c.file;
}

StepCase read_case(const std::filesystem::path& path) {
    StepCase out;
    out.file = path.filename().string();
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line) && line != "---") {
        std::istringstream words(line);
        std::string key;
        words >> key;
        std::string rest;
        std::getline(words >> std::ws, rest);
        if (key == "expect") {
            const std::size_t space = std::min(rest.find(' '), rest.size());
            out.expect = rest.substr(0, space);
            out.because = space < rest.size() ? rest.substr(space + 1) : "";
        }
        if (key == "rule") out.rule = rest;
        if (key == "site") out.site = rest;
        if (key == "args") out.args = rest;
    }
    std::stringstream program;
    program << in.rdbuf();
    out.program = program.str();
    return out;
}

std::vector<StepCase> all_cases() {
    std::vector<std::filesystem::path> files;
    const std::string folder = std::string(PROVISO_SOURCE_DIR) + "/tests/data/steps";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<StepCase> out;
    for (const auto& file : files) out.push_back(read_case(file));
    return out;
}

// Rules whose negative cases each depend on one obligation.
bool one_obligation(const std::string& rule) {
    const std::set<std::string> rules = {
        "merge-guards", "add-guard",    "trim-loop",   "split-range", "hoist",       "merge-loops",
        "fission",      "add-assume",   "drop-assume", "bind",        "relayout",    "shift-loop",
        "guard-inside", "merge-stores", "outline",     "vectorize",   "reverse-loop"};
    return rules.count(rule) != 0;
}

class Steps : public testing::TestWithParam<StepCase> {};

TEST_P(Steps, AreAcceptedOrRefusedForTheReason) {
    const StepCase& c = GetParam();
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, c.program, c.file);
    ASSERT_TRUE(f.ok()) << f.error().str();
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    ASSERT_TRUE(d.ok()) << d.error().str();
    const Result<ir::Site> site = ir::Site::parse(c.site);
    ASSERT_TRUE(site.ok());
    analysis::Prover prover(ctx, {});
    const auto no = d->apply(c.rule, *site, nlohmann::json::parse(c.args), prover);
    if (c.expect == "accept") {
        ASSERT_FALSE(no) << no->diagnostic.str() << "\n" << no->answer.why;
        int counted = 0;
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Result<ir::Inputs> inputs = random_inputs(ctx, *f, seed);
            ASSERT_TRUE(inputs.ok()) << inputs.error().str();
            const Result<Comparison> seen = compare_runs(ctx, *f, d->current(), *inputs);
            ASSERT_TRUE(seen.ok()) << seen.error().str();
            EXPECT_FALSE(seen->refutes()) << seen->what << "\n" << ir::print(d->current());
            counted += seen->agreement == Agreement::Refines ? 1 : 0;
            // Blocks that stay within what they claim to read and write still do.
            CompareOptions claims;
            claims.interp.check_regions = true;
            const Result<Comparison> checked = compare_runs(ctx, *f, d->current(), *inputs, claims);
            ASSERT_TRUE(checked.ok()) << checked.error().str();
            EXPECT_FALSE(checked->refutes()) << checked->what << "\n" << ir::print(d->current());
        }
        EXPECT_GT(counted, 0) << "no run says anything";
        if (one_obligation(c.rule) || c.rule == "unroll" || c.rule == "join-block" ||
            c.rule == "split-init" || c.rule == "check-assume") {
            const TvResult tv = validate(ctx, *f, d->current(), prover);
            EXPECT_NE(tv.verdict, TvVerdict::Refuted) << tv.what;
            if (tv.what.find("unsupported") == std::string::npos) {
                EXPECT_EQ(tv.verdict, TvVerdict::Bounded) << tv.what;
            }
        }
        return;
    }
    ASSERT_TRUE(no) << "accepted:\n" << ir::print(d->current());
    EXPECT_NE(no->diagnostic.message.find(c.because), std::string::npos)
        << "refused for another reason: " << no->diagnostic.message;
    EXPECT_EQ(d->current(), *f) << "a refusal leaves the program as it was";
    if (c.expect == "mismatch") {
        EXPECT_FALSE(no->failed.has_value());
        return;
    }
    ASSERT_TRUE(no->failed.has_value()) << no->diagnostic.message;
    if (c.expect == "unproved") return;  // nobody gives values for what a name froze
    ASSERT_EQ(c.expect, "refute");
    EXPECT_EQ(no->answer.verdict, analysis::Verdict::Refuted) << no->answer.why;
    // A goal over constants alone may need no model; any other is refuted by values.
    const bool has_variables = !ir::free_vars(no->failed->goal).empty();
    EXPECT_TRUE(!has_variables || !no->answer.model.empty());
}

// A refuted step is refused by the obligation that it names, and by no other: a kernel that forgets
// to state it takes the step.
TEST_P(Steps, AreRefutedByOneObligation) {
    const StepCase& c = GetParam();
    if (c.expect != "refute" || !one_obligation(c.rule)) return;
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, c.program, c.file);
    ASSERT_TRUE(f.ok()) << f.error().str();
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    ASSERT_TRUE(d.ok()) << d.error().str();
    analysis::Prover prover(ctx, {});
    ir::planted_fault() = "omit:" + c.because;
    const auto no =
        d->apply(c.rule, *ir::Site::parse(c.site), nlohmann::json::parse(c.args), prover);
    ir::planted_fault().clear();
    EXPECT_FALSE(no) << no->diagnostic.str();
}

// Trap: claims of blocks around one that accumulates become false, in a build that forgets them.
TEST(StepFaults, ClaimsAroundAnAccumulator) {
    const std::map<std::string, std::string> faults = {
        {"flatten.accumulator-of-blocks-around.step", "relayout:accumulators-around"},
        {"unroll.accumulator-of-blocks-around.step", "relayout:accumulators-around"},
        {"lower-block.accumulator-of-blocks-around.step", "reschedule:accumulators-around"}};
    std::size_t tried = 0;
    for (const StepCase& c : all_cases()) {
        const auto fault = faults.find(c.file);
        if (fault == faults.end()) continue;
        ++tried;
        ir::Context ctx;
        const Result<ir::Function> f = ir::parse_function(ctx, c.program, c.file);
        ASSERT_TRUE(f.ok()) << f.error().str();
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
        ASSERT_TRUE(d.ok()) << d.error().str();
        analysis::Prover prover(ctx, {});
        ir::planted_fault() = fault->second;
        const auto no =
            d->apply(c.rule, *ir::Site::parse(c.site), nlohmann::json::parse(c.args), prover);
        ir::planted_fault().clear();
        ASSERT_FALSE(no) << no->diagnostic.str();
        const Result<ir::Inputs> inputs = random_inputs(ctx, *f, 0);
        ASSERT_TRUE(inputs.ok()) << inputs.error().str();
        CompareOptions claims;
        claims.interp.check_regions = true;
        const Result<Comparison> seen = compare_runs(ctx, *f, d->current(), *inputs, claims);
        ASSERT_TRUE(seen.ok()) << seen.error().str();
        EXPECT_TRUE(seen->refutes()) << c.file << "\n" << ir::print(d->current());
    }
    EXPECT_EQ(tried, faults.size());
}

std::set<std::string> kinds_of_the_documentation() {
    std::ifstream in(std::string(PROVISO_SOURCE_DIR) + "/docs/statement-rules.md");
    std::set<std::string> out;
    bool here = false;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("## ", 0) == 0) here = line == "## Kinds of obligations";
        if (here && line.rfind("| `", 0) == 0) out.insert(line.substr(3, line.find('`', 3) - 3));
    }
    return out;
}

// Every obligation of a step has a kind, and its site is one of the program before or after. The
// step files have all kinds.
TEST(StepKinds, AreThoseOfTheDocumentation) {
    std::set<std::string> all;
    for (std::size_t k = 0; k < analysis::kOwedCount; ++k) {
        all.insert(analysis::owed_name(static_cast<analysis::Owed>(k)));
    }
    EXPECT_EQ(all, kinds_of_the_documentation());
    std::set<std::string> seen = {"question"};
    for (const StepCase& c : all_cases()) {
        ir::Context ctx;
        const Result<ir::Function> f = ir::parse_function(ctx, c.program, c.file);
        ASSERT_TRUE(f.ok()) << f.error().str();
        const Result<rewrite::Proposal> step =
            rewrite::propose_step(*rewrite::find_rule(c.rule), ctx, *f, *ir::Site::parse(c.site),
                                  nlohmann::json::parse(c.args));
        if (!step) continue;
        for (const analysis::Obligation& o : step->obligations) {
            EXPECT_NE(o.purpose.kind, analysis::Owed::Question) << c.file << o.purpose.words;
            seen.insert(analysis::owed_name(o.purpose.kind));
            if (!o.purpose.site || c.rule == "outline") continue;  // of the stage
            ir::Site at = *o.purpose.site;  // of a block, where its domains or claims read
            const auto inside = std::find_if(at.steps.begin(), at.steps.end(), [](const auto& l) {
                return l == "domain" || l == "region";
            });
            at.steps.erase(inside, at.steps.end());
            EXPECT_TRUE(locate(*f, at) || locate(step->after, at)) << c.file << o.purpose.words;
        }
    }
    EXPECT_EQ(seen, all);
}

INSTANTIATE_TEST_SUITE_P(All, Steps, testing::ValuesIn(all_cases()), [](const auto& test) {
    std::string name = test.param.file.substr(0, test.param.file.rfind('.'));
    for (char& ch : name) {
        if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
    }
    return name;
});

}  // namespace
}  // namespace proviso::verify
