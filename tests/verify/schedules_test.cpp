// Schedules, one file of tests/data/schedules a case. A schedule that runs to its end must leave
// what the interpreter computes as it was, scheduled and lowered, and pass translation validation;
// a refused one must say why and leave no trace.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/text.h"
#include "rewrite/schedule/reader.h"
#include "verify/harness/inputs.h"
#include "verify/harness/replay.h"
#include "verify/tv/validate.h"

namespace proviso::verify {
namespace {

struct ScheduleCase {
    std::string file;
    std::string expect;  // done, refuse, error
    std::string because;
    std::size_t least_steps = 0;
    std::string schedule;
    std::string program;
};

// Named by its file in test output.
void PrintTo(const ScheduleCase& c, std::ostream* out) {
    *out << c.file;
}

ScheduleCase read_case(const std::filesystem::path& path) {
    ScheduleCase out;
    out.file = path.filename().string();
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line) && line != "---") {
        if (line.rfind("    ", 0) == 0) out.schedule += line.substr(4) + "\n";
        if (line.rfind("steps at least ", 0) == 0) out.least_steps = std::stoul(line.substr(15));
        if (line.rfind("expect ", 0) != 0) continue;
        const std::string rest = line.substr(7);
        const std::size_t space = std::min(rest.find(' '), rest.size());
        out.expect = rest.substr(0, space);
        out.because = space < rest.size() ? rest.substr(space + 1) : "";
    }
    std::stringstream program;
    program << in.rdbuf();
    out.program = program.str();
    return out;
}

std::vector<ScheduleCase> all_cases() {
    std::vector<std::filesystem::path> files;
    const std::string folder = std::string(PROVISO_SOURCE_DIR) + "/tests/data/schedules";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<ScheduleCase> out;
    for (const auto& file : files) out.push_back(read_case(file));
    return out;
}

bool has_branch(ir::Stmt s) {
    bool found = false;
    ir::for_each_stmt(s, [&](ir::Stmt t) { found |= t->is<ir::IfElse>(); });
    return found;
}

void refines(ir::Context& ctx, const ir::Function& source, const ir::Function& derived) {
    int counted = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Result<ir::Inputs> inputs = random_inputs(ctx, source, seed);
        ASSERT_TRUE(inputs.ok()) << inputs.error().str();
        CompareOptions options;
        options.open = seed % 2 == 0 ? OpenCells::Indet : OpenCells::Garbage;
        options.seed = seed;
        const Result<Comparison> seen = compare_runs(ctx, source, derived, *inputs, options);
        ASSERT_TRUE(seen.ok()) << seen.error().str();
        EXPECT_FALSE(seen->refutes()) << seen->what << "\n" << ir::print(derived);
        counted += seen->agreement == Agreement::Refines ? 1 : 0;
    }
    EXPECT_GT(counted, 0) << "no run says anything";
}

class Schedules : public testing::TestWithParam<ScheduleCase> {};

TEST_P(Schedules, AreDoneOrRefused) {
    const ScheduleCase& c = GetParam();
    ir::Context ctx;
    const Result<ir::Function> f = ir::parse_function(ctx, c.program, c.file);
    ASSERT_TRUE(f.ok()) << f.error().str();
    Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx, *f);
    ASSERT_TRUE(d.ok()) << d.error().str();
    analysis::Prover prover(ctx, {});
    rewrite::Proposer proposer(*d, prover);
    const auto report = rewrite::run_schedule(proposer, c.schedule, c.file);
    if (c.expect == "error") {
        ASSERT_FALSE(report.ok());
        EXPECT_NE(report.error().message.find(c.because), std::string::npos)
            << report.error().str();
        EXPECT_GT(report.error().line, 0);
        return;
    }
    ASSERT_TRUE(report.ok()) << report.error().str();
    if (c.expect == "refuse") {
        ASSERT_TRUE(report->refusal.has_value()) << ir::print(d->current());
        EXPECT_NE(report->refusal->diagnostic.message.find(c.because), std::string::npos)
            << report->refusal->diagnostic.str();
        EXPECT_GT(report->refusal->diagnostic.line, 0);
        return;
    }
    ASSERT_EQ(c.expect, "done");
    ASSERT_FALSE(report->refusal.has_value()) << report->refusal->diagnostic.str();
    EXPECT_GE(d->steps().size(), c.least_steps);
    refines(ctx, *f, d->current());
    rewrite::lower(proposer);
    if (c.because == "no-branch") {
        EXPECT_FALSE(has_branch(d->current().body)) << ir::print(d->current());
    }
    refines(ctx, *f, d->current());
    for (const rewrite::Step& step : d->steps()) {
        const TvResult tv = validate(ctx, step.before, step.after, prover);
        EXPECT_NE(tv.verdict, TvVerdict::Refuted) << step.rule << ": " << tv.what;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Schedules, testing::ValuesIn(all_cases()), [](const auto& test) {
    std::string name = test.param.file.substr(0, test.param.file.rfind('.'));
    for (char& ch : name) {
        if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
    }
    return name;
});

}  // namespace
}  // namespace proviso::verify
