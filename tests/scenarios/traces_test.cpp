// Every accepted scenario's schedule, written as a trace and read back: the same program, and the
// same trace once more.
#include <gtest/gtest.h>

#include <filesystem>

#include "ir/text.h"
#include "tests/sanitized.h"
#include "tests/scenarios/checks.h"

namespace proviso::scenarios {
namespace {

struct Accepted {
    std::filesystem::path path;
};
void PrintTo(const Accepted& f, std::ostream* out) {
    *out << f.path.filename().string();
}

class Traces : public testing::TestWithParam<Accepted> {};

TEST_P(Traces, ReadBackGiveTheSameProgram) {
    if (!tests::is_in_part(scenario_name(GetParam().path))) {
        GTEST_SKIP() << "not in the part that runs under sanitizers this time";
    }
    Result<Scenario> s = read_scenario(GetParam().path);
    ASSERT_TRUE(s.ok()) << s.error().str();
    const std::unique_ptr<Session> first = Session::start(*s);
    ASSERT_NE(first, nullptr);
    const auto written = rewrite::run_schedule(first->proposer(), s->schedule, "schedule.py");
    ASSERT_TRUE(written.ok()) << written.error().str();
    ASSERT_FALSE(written->refusal);
    if (s->schedule.find("sch.tensorize(") != std::string::npos) {
        EXPECT_EQ(written->not_in_trace, "tensorize");  // its functions are in the schedule's file
        return;
    }
    ASSERT_EQ(written->not_in_trace, "");
    const std::unique_ptr<Session> second = Session::start(*s);
    ASSERT_NE(second, nullptr);
    const auto read = rewrite::run_schedule(second->proposer(), written->trace, "trace.json");
    ASSERT_TRUE(read.ok()) << read.error().str() << "\n" << written->trace;
    ASSERT_FALSE(read->refusal) << read->refusal->diagnostic.str() << "\n" << written->trace;
    EXPECT_EQ(ir::print(second->derivation().current()), ir::print(first->derivation().current()))
        << written->trace;
    EXPECT_EQ(second->derivation().steps().size(), first->derivation().steps().size());
    EXPECT_EQ(read->trace, written->trace);
}

std::vector<Accepted> accepted() {
    std::vector<Accepted> out;
    for (const auto& path :
         scenario_files(std::filesystem::path(PROVISO_SOURCE_DIR) / "tests" / "scenarios")) {
        const Result<Scenario> s = read_scenario(path);
        if (s && s->expect == Expect::Final) out.push_back({path});
    }
    return out;
}

INSTANTIATE_TEST_SUITE_P(All, Traces, testing::ValuesIn(accepted()),
                         [](const auto& test) { return scenario_name(test.param.path); });

}  // namespace
}  // namespace proviso::scenarios
