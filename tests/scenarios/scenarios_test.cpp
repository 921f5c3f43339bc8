// Runs the scenarios: one test a file below tests/scenarios/. With PROVISO_UPDATE_SCENARIOS set,
// a file whose expectation is not met is rewritten with what happened, for its author to review.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "ir/text.h"
#include "tests/sanitized.h"
#include "tests/scenarios/checks.h"

namespace proviso::scenarios {
namespace {

constexpr const char* kNoCounterexample = "none";

struct File {
    std::filesystem::path path;
};
// Named by its file in test output.
void PrintTo(const File& f, std::ostream* out) {
    *out << f.path.filename().string();
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string line_of(const std::string& text, int number) {
    std::istringstream in(text);
    std::string line;
    for (int n = 0; n < number && std::getline(in, line);) ++n;
    const auto first = line.find_first_not_of(' ');
    return first == std::string::npos ? "" : line.substr(first);
}

// What came of a schedule.
struct Happened {
    Expect kind = Expect::Final;
    std::string final_program;
    Refused refused;  // with whole texts
    bool lowered = false;
};

// The call that was refused, why, and inputs on which it would have gone wrong.
Refused refusal_of(Session& session, const Scenario& s, const rewrite::ScheduleReport& report) {
    const rewrite::Refusal& refusal = *report.refusal;
    Refused out;
    out.call = line_of(s.schedule, refusal.diagnostic.line);
    out.reason = refusal.diagnostic.message;
    out.counterexample = kNoCounterexample;
    if (!refusal.rejection) return out;
    const rewrite::Rejection& no = *refusal.rejection;
    if (no.failed && !has(out.reason, no.failed->purpose.words)) {
        out.reason += "; obligation: " + no.failed->purpose.words;
    }
    if (!no.after) return out;
    const ir::Function& in =
        report.refused_in ? *report.refused_in : session.derivation().current();
    const std::string seen = counterexample(session.ctx(), in, *no.after, no.answer.model);
    if (!seen.empty()) out.counterexample = seen;
    return out;
}

// Applies the schedule and lowers. A refused schedule leaves what it did before, which is lowered.
Happened derive(Session& session, const Scenario& s) {
    Happened out;
    std::size_t done = 0;
    const Result<rewrite::ScheduleReport> report =
        rewrite::run_schedule(session.proposer(), s.schedule, s.path.filename().string(),
                              [&](const rewrite::ScheduleReport::Done& d) { done += d.steps; });
    if (!report) {
        out.kind = Expect::Mistake;
        out.refused.call = line_of(s.schedule, report.error().line);
        out.refused.reason = report.error().message;
        return out;
    }
    EXPECT_EQ(session.derivation().steps().size(), done) << "a refused call left steps behind";
    if (report->refusal) {
        out.kind = Expect::Refused;
        out.refused = refusal_of(session, s, *report);
    }
    const rewrite::PassResult lowering = rewrite::lower(session.proposer());
    out.lowered = !lowering.wrong;
    if (lowering.wrong && out.kind == Expect::Final) {
        out.kind = Expect::Refused;
        out.refused = {"lower", lowering.wrong->message, kNoCounterexample};
    }
    if (out.kind == Expect::Final) {
        out.final_program = text_without_layouts(session.derivation().current());
    }
    return out;
}

void expect_programs_equal(Session& session, const Scenario& s, const std::string& happened) {
    const Result<ir::Function> expected =
        ir::parse_function(session.ctx(), s.final_program, s.path.string() + " (final)");
    ASSERT_TRUE(expected.ok()) << expected.error().str();
    EXPECT_EQ(text_without_layouts(*expected), happened);
}

void expect_met(Session& session, const Scenario& s, const Happened& happened) {
    ASSERT_EQ(s.expect == Expect::Final, happened.kind == Expect::Final)
        << happened.refused.call << "\n"
        << happened.refused.reason << "\n"
        << happened.refused.counterexample << happened.final_program;
    ASSERT_EQ(s.expect, happened.kind) << happened.refused.reason;
    if (s.expect == Expect::Final) {
        expect_programs_equal(session, s, happened.final_program);
        return;
    }
    EXPECT_EQ(s.refused.call, happened.refused.call);
    EXPECT_FALSE(s.refused.reason.empty());
    EXPECT_TRUE(has(happened.refused.reason, s.refused.reason)) << happened.refused.reason;
    if (s.expect == Expect::Mistake) return;
    EXPECT_FALSE(s.refused.counterexample.empty());
    EXPECT_TRUE(has(happened.refused.counterexample, s.refused.counterexample))
        << happened.refused.counterexample;
}

// Each program that is stated to be wrong is refuted by a run.
std::string refutation(Session& session, const Scenario& s, const Wrong& w) {
    const Result<ir::Function> f =
        ir::parse_function(session.ctx(), w.program, s.path.string() + " (wrong)");
    EXPECT_TRUE(f.ok()) << f.error().str();
    return f.ok() ? counterexample(session.ctx(), session.source(), *f) : "";
}

void expect_wrong_ones_refuted(Session& session, const Scenario& s) {
    for (const Wrong& w : s.wrong) {
        const std::string seen = refutation(session, s, w);
        EXPECT_FALSE(w.counterexample.empty()) << "no counterexample is stated";
        EXPECT_FALSE(seen.empty()) << "nothing shows that this is wrong:\n" << w.program;
        EXPECT_TRUE(has(seen, w.counterexample)) << seen;
    }
}

// "B[3]: before 1, after 2 (with …)" without the inputs, which are long.
std::string shortened(const std::string& counterexample) {
    return counterexample.substr(0, counterexample.find(" (with "));
}

// The file with what happened in the place of expectations that are not met.
Scenario updated(Session& session, Scenario s, const Happened& happened) {
    if (s.expect != happened.kind) s.refused = {};
    s.expect = happened.kind;
    s.final_program = happened.final_program;
    s.refused.call = happened.refused.call;
    if (s.refused.reason.empty() || !has(happened.refused.reason, s.refused.reason)) {
        s.refused.reason = happened.refused.reason;
    }
    if (s.refused.counterexample.empty() ||
        !has(happened.refused.counterexample, s.refused.counterexample)) {
        s.refused.counterexample = shortened(happened.refused.counterexample);
    }
    for (Wrong& w : s.wrong) {
        const std::string seen = refutation(session, s, w);
        if (w.counterexample.empty() || !has(seen, w.counterexample)) {
            w.counterexample = shortened(seen);
        }
    }
    return s;
}

class Scenarios : public testing::TestWithParam<File> {};

TEST_P(Scenarios, Holds) {
    if (!tests::is_in_part(scenario_name(GetParam().path))) {
        GTEST_SKIP() << "not in the part that runs under sanitizers this time";
    }
    Result<Scenario> s = read_scenario(GetParam().path);
    ASSERT_TRUE(s.ok()) << s.error().str();
    const std::unique_ptr<Session> session = Session::start(*s);
    ASSERT_NE(session, nullptr);
    const Happened happened = derive(*session, *s);
    if (std::getenv("PROVISO_UPDATE_SCENARIOS") != nullptr) {
        *s = updated(*session, std::move(*s), happened);
        std::ofstream(s->path) << text_of(*s);
    }
    expect_met(*session, *s, happened);
    expect_wrong_ones_refuted(*session, *s);
    if (happened.kind == Expect::Mistake) return;
    // What was done before a refusal holds all the same.
    if (happened.lowered) expect_runs_agree(*session, *s);
    expect_audited(*session, *s);
}

std::vector<File> all_files() {
    std::vector<File> out;
    for (const auto& path :
         scenario_files(std::filesystem::path(PROVISO_SOURCE_DIR) / "tests" / "scenarios")) {
        out.push_back(File{path});
    }
    return out;
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(all_files()),
                         [](const auto& test) { return scenario_name(test.param.path); });

}  // namespace
}  // namespace proviso::scenarios
