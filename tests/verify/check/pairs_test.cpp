// Pairs of programs with the verdict that `check` has for them, one family a file of
// tests/data/check_pairs:
//
//   --- before
//   the first program
//   --- PROVED: tiles of 16 with a guard         the verdict, and what the second program is
//   the second program
//
// no_overflow/ has pairs under the axiom N1 (verify/check/no_overflow.h).
// known/ has miscompiles of other compilers, rebuilt from public descriptions of the defects
// (docs/known-miscompiles.md).
//
// PROVED is for all sizes. Its derivation is there, ends in the second program, and an auditor
// could take it. A verdict of UNKNOWN stands for any that claims nothing of all sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ir/text.h"
#include "verify/check/check.h"
#include "verify/check/relation.h"

namespace proviso::verify {
namespace {

namespace fs = std::filesystem;

struct PairCase {
    std::string name;
    std::string expected;
    std::string before, after;
    bool no_overflow = false;
};
void PrintTo(const PairCase& c, std::ostream* out) {
    *out << c.name;
}

std::string name_of(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool fine = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (fine) out += c;
        if (!fine && !out.empty() && out.back() != '_') out += '_';
    }
    return out;
}

void read_family(const fs::path& path, std::vector<PairCase>& out) {
    std::ifstream in(path);
    std::string before;
    std::string* text = &before;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("--- ", 0) != 0) {
            *text += line + "\n";
            continue;
        }
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos) continue;  // "--- before"
        out.push_back({name_of(path.stem().string() + " " + line.substr(colon + 2)),
                       line.substr(4, colon - 4), before, "",
                       path.parent_path().stem() == "no_overflow"});
        text = &out.back().after;
    }
}

std::vector<PairCase> all_pairs() {
    std::vector<fs::path> files;
    const fs::path data = PROVISO_SOURCE_DIR "/tests/data/check_pairs";
    for (const auto& entry : fs::recursive_directory_iterator(data)) {
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::vector<PairCase> out;
    out.reserve(256);
    for (const fs::path& file : files) read_family(file, out);
    return out;
}

class CheckPairs : public testing::TestWithParam<PairCase> {};

TEST_P(CheckPairs, HasItsVerdict) {
    const PairCase& c = GetParam();
    ir::Context ctx;
    const Result<ir::Function> before = ir::parse_function(ctx, c.before, "before");
    ASSERT_TRUE(before.ok()) << before.error().str();
    const Result<ir::Function> after = ir::parse_function(ctx, c.after, "after");
    ASSERT_TRUE(after.ok()) << after.error().str();
    CheckOptions options;
    options.most_sizes = 12;
    options.replay.tries = 60;
    InterfaceRelation relation;
    relation.no_overflow = c.no_overflow;
    analysis::Prover planner(ctx, {});
    const Result<RelatedPrograms> programs = relate(*before, *after, relation, planner);
    ASSERT_TRUE(programs.ok()) << programs.error().str();
    options.axioms = programs->axioms;
    const Result<CheckReport> report = check(ctx, programs->before, programs->after, options);
    ASSERT_TRUE(report.ok()) << report.error().str();
    if (c.expected == "PROVED") {
        EXPECT_EQ(report->verdict, CheckVerdict::Proved) << report->text();
        EXPECT_EQ(report->exit_code(), 0);
        EXPECT_EQ(report->verdict_text,
                  c.no_overflow ? "PROVED (all sizes), under N1" : "PROVED (all sizes)");
        ASSERT_TRUE(report->refinement.has_value());
        EXPECT_EQ(report->refinement->derivation().current().body, after->body);
    } else if (c.expected == "REFUTED") {
        EXPECT_EQ(report->verdict, CheckVerdict::Refuted) << report->text();
        EXPECT_FALSE(report->refinement.has_value());
    } else {
        ASSERT_TRUE(c.expected == "UNKNOWN" || c.expected == "BOUNDED") << c.expected;
        EXPECT_FALSE(report->tried.empty()) << "what blocked it is told";
        EXPECT_EQ(report->verdict,
                  c.expected == "BOUNDED" ? CheckVerdict::Bounded : CheckVerdict::Unknown)
            << report->text();
        EXPECT_FALSE(report->refinement.has_value());
    }
}

INSTANTIATE_TEST_SUITE_P(All, CheckPairs, testing::ValuesIn(all_pairs()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace proviso::verify
