// Each schedule primitive has scenarios: at least six in which it is accepted, and at least four in
// which it is refused, with values that show what would go wrong. Counted from the files' text.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "rewrite/schedule/reader/signatures.h"
#include "tests/scenarios/scenario_file.h"

namespace proviso::scenarios {
namespace {

constexpr int kAccepted = 6;
constexpr int kRefused = 4;

// Passes that never refuse: what they leave alone is shown by a program that is stated to be wrong.
const std::set<std::string_view> kNeverRefused = {"hoist_expression", "reduce_loop_extents",
                                                  "remove_no_op", "simplify"};
// Primitives that change nothing which a run could see, and those that are only refused for what no
// run of the program can show: a name, a number, an assumption that every run breaks.
const std::set<std::string_view> kShownByNoRun = {
    "add_unit_loop", "annotate",      "lower_assume", "reorder_block_iter_var",
    "set_scope",     "storage_align", "unannotate",   "unroll"};

// A name that TVM gives to a primitive counts as the primitive.
constexpr std::string_view kSetDtype = "set_dtype";
constexpr std::string_view kSetDtypeInTvm = "unsafe_set_dtype";

struct Count {
    int accepted = 0;
    int refused = 0;  // with values, where a run can show them
};

// Whether the text calls a method of that name, of the schedule or of a function's parameter.
bool calls(const std::string& text, std::string_view primitive) {
    return text.find(fmt::format(".{}(", primitive)) != std::string::npos;
}

std::vector<std::string_view> called(const std::string& text) {
    std::vector<std::string_view> out;
    for (const rewrite::Signature& s : rewrite::signatures()) {
        if (s.query || !calls(text, s.name)) continue;
        out.push_back(s.name == kSetDtypeInTvm ? kSetDtype : s.name);
    }
    return out;
}

void count(const Scenario& s, std::map<std::string_view, Count>& counts) {
    if (s.expect == Expect::Final) {
        for (const std::string_view name : called(s.schedule)) {
            ++counts[name].accepted;
            if (!s.wrong.empty() && kNeverRefused.count(name) != 0) ++counts[name].refused;
        }
    }
    if (s.expect != Expect::Refused) return;
    const bool shown = s.refused.counterexample != "none" || !s.wrong.empty();
    for (const std::string_view name : called(s.refused.call)) {
        if (shown || kShownByNoRun.count(name) != 0) ++counts[name].refused;
    }
}

// GPU programs that run: their schedules were accepted.
void count_gpu(const std::filesystem::path& path, std::map<std::string_view, Count>& counts) {
    std::ifstream in(path);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find("\nexpect: runs\n") == std::string::npos) return;
    for (const std::string_view name : called(text)) ++counts[name].accepted;
}

TEST(ScenarioCoverage, EachPrimitiveIsAcceptedAndRefused) {
    const std::filesystem::path root = PROVISO_SOURCE_DIR "/tests/scenarios";
    std::map<std::string_view, Count> counts;
    for (const auto& path : scenario_files(root)) {
        const Result<Scenario> s = read_scenario(path);
        ASSERT_TRUE(s.ok()) << s.error().str();
        count(*s, counts);
    }
    for (const auto& entry : std::filesystem::directory_iterator(root / "gpu")) {
        if (entry.path().extension() == ".gpu") count_gpu(entry.path(), counts);
    }
    std::string few;
    for (const rewrite::Signature& s : rewrite::signatures()) {
        if (s.name == kSetDtypeInTvm) continue;
        const Count& n = counts[s.name];
        if (s.query || (n.accepted >= kAccepted && n.refused >= kRefused)) continue;
        few += fmt::format("  {}: {} accepted, {} refused\n", s.name, n.accepted, n.refused);
    }
    EXPECT_EQ(few, "") << "at least " << kAccepted << " and " << kRefused
                       << ": see tests/scenarios/README.md";
}

}  // namespace
}  // namespace proviso::scenarios
