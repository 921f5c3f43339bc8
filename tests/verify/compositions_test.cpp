// Wrong compositions of schedule primitives, one file of tests/data/compositions each: a program, a
// schedule that is accepted, and steps of it that are made wrong, one at a time. The kernel must
// refuse that step, or a later one, however sound the rest of the composition is.
//
//   --- wrong
//   what: the ring has one cell too few
//   step: relayout 1                     the rule, and which of its steps
//   put: "t % 2" for "t % 3"             in the arguments of the step, at least once
//   refused: the cell is not read        a part of the message or of the open obligation
//   seen: C[0]: before 4, after 0        a part of what a run of the program after it shows; or
//   none
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "analysis/prover/prover.h"
#include "ir/text.h"
#include "rewrite/passes/proposer.h"
#include "rewrite/schedule/reader/reader.h"
#include "verify/harness/replay.h"

namespace proviso::verify {
namespace {

namespace fs = std::filesystem;

// A step made wrong.
struct WrongStep {
    std::string what;
    std::string rule;
    int number = 1;  // which of the rule's steps, from 1
    std::string text, was;
    std::string refused;
    std::string seen;
};

struct Composition {
    std::string name;
    std::string schedule;
    std::string program;
    std::vector<WrongStep> wrong;
};
void PrintTo(const Composition& c, std::ostream* out) {
    *out << c.name;
}

// "put: X for Y", both without their outer quotes.
void read_put(const std::string& text, WrongStep& out) {
    const std::string between = "\" for \"";
    const std::size_t at = text.find(between);
    if (text.size() < 2 || at == std::string::npos) return;
    out.text = text.substr(1, at - 1);
    out.was = text.substr(at + between.size(), text.size() - at - between.size() - 1);
}

Composition read_composition(const fs::path& path) {
    Composition out;
    out.name = path.stem().string();
    std::ifstream in(path);
    std::string section;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("--- ", 0) == 0) {
            section = line.substr(4);
            if (section == "wrong") out.wrong.emplace_back();
        } else if (section == "schedule") {
            out.schedule += line + "\n";
        } else if (section == "program") {
            out.program += line + "\n";
        } else if (section == "wrong") {
            WrongStep& w = out.wrong.back();
            const std::size_t colon = std::min(line.find(": "), line.size());
            const std::string key = line.substr(0, colon);
            const std::string rest = colon < line.size() ? line.substr(colon + 2) : "";
            if (key == "what") w.what = rest;
            if (key == "put") read_put(rest, w);
            if (key == "refused") w.refused = rest;
            if (key == "seen") w.seen = rest;
            if (key == "step") std::istringstream(rest) >> w.rule >> w.number;
        }
    }
    return out;
}

std::vector<Composition> all_compositions() {
    std::vector<fs::path> files;
    for (const auto& entry :
         fs::directory_iterator(PROVISO_SOURCE_DIR "/tests/data/compositions")) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<Composition> out;
    for (const fs::path& file : files) out.push_back(read_composition(file));
    return out;
}

std::string replaced(std::string text, const std::string& was, const std::string& by) {
    for (std::size_t at = text.find(was); !was.empty() && at != std::string::npos;
         at = text.find(was, at + by.size())) {
        text.replace(at, was.size(), by);
    }
    return text;
}

class Compositions : public testing::TestWithParam<Composition> {
  protected:
    void SetUp() override {
        const Composition& c = GetParam();
        const Result<ir::Function> f = ir::parse_function(ctx_, c.program, c.name);
        ASSERT_TRUE(f.ok()) << f.error().str();
        source_ = *f;
        rewrite::Derivation d = started();
        rewrite::Proposer proposer(d, prover_);
        const auto report = rewrite::run_schedule(proposer, c.schedule, c.name);
        ASSERT_TRUE(report.ok()) << report.error().str();
        ASSERT_FALSE(report->refusal) << report->refusal->diagnostic.str();
        steps_ = d.steps();
    }

    rewrite::Derivation started() {
        Result<rewrite::Derivation> d = rewrite::Derivation::start(ctx_, source_);
        EXPECT_TRUE(d.ok()) << d.error().str();
        return *std::move(d);
    }

    // The step that is meant; the number of steps: there is none.
    std::size_t find(const WrongStep& w) const {
        int left = w.number;
        for (std::size_t k = 0; k < steps_.size(); ++k) {
            if (steps_[k].rule == w.rule && --left == 0) return k;
        }
        return steps_.size();
    }

    // All steps and their arguments, for who writes a case.
    std::string listed() const {
        std::string out;
        for (const rewrite::Step& s : steps_) {
            out += s.rule + " at " + s.site.str() + " " + s.args + "\n";
        }
        return out;
    }

    void expect_refused(const WrongStep& w) {
        const std::size_t k = find(w);
        ASSERT_LT(k, steps_.size()) << "no such step among\n" << listed();
        const std::string args = replaced(steps_[k].args, w.was, w.text);
        ASSERT_NE(args, steps_[k].args) << "\"" << w.was << "\" is not in " << steps_[k].args;
        rewrite::Derivation d = started();
        std::optional<rewrite::Rejection> no;
        for (std::size_t n = 0; n < steps_.size() && !no; ++n) {
            const std::string& given = n == k ? args : steps_[n].args;
            no = d.apply(steps_[n].rule, steps_[n].site, nlohmann::json::parse(given), prover_);
            ASSERT_TRUE(!no || k <= n) << no->diagnostic.str();
        }
        ASSERT_TRUE(no) << "accepted:\n" << ir::print(d.current()) << listed();
        std::string words = no->diagnostic.message;
        if (no->failed && words.find(no->failed->purpose.words) == std::string::npos) {
            words += "; " + no->failed->purpose.words;
        }
        EXPECT_TRUE(!w.refused.empty() && words.find(w.refused) != std::string::npos)
            << "refused: " << words;
        std::string seen = "none";
        if (no->after) {
            const auto run = replay(ctx_, d.current(), *no->after, no->answer.model);
            ASSERT_TRUE(run.ok()) << run.error().str();
            if (run->found) seen = run->found->str();
        }
        EXPECT_TRUE(!w.seen.empty() && seen.find(w.seen) != std::string::npos) << "seen: " << seen;
    }

    ir::Context ctx_;
    analysis::Prover prover_{ctx_, {}};
    ir::Function source_;
    std::vector<rewrite::Step> steps_;
};

TEST_P(Compositions, AreRefusedWhereOneStepIsWrong) {
    EXPECT_FALSE(GetParam().wrong.empty()) << listed();
    for (const WrongStep& w : GetParam().wrong) {
        SCOPED_TRACE(w.what);
        expect_refused(w);
    }
}

INSTANTIATE_TEST_SUITE_P(All, Compositions, testing::ValuesIn(all_compositions()),
                         [](const auto& test) {
                             std::string name = test.param.name;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace proviso::verify
