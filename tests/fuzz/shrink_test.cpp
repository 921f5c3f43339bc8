// Shrinking: ends, keeps the failure, and gets small. Failures come from planted faults.
#include "fuzz/gen/shrink.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fuzz/campaign/campaign.h"
#include "fuzz/campaign/failure_files.h"
#include "fuzz/campaign/reproduce.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::fuzz {
namespace {

using namespace ir;

struct Planted {
    explicit Planted(const char* id) { planted_fault() = id; }
    ~Planted() { planted_fault().clear(); }
};

std::string scratch(const char* name) {
    const auto dir = std::filesystem::temp_directory_path() /
                     ("proviso-fuzz-" + std::to_string(::getpid()) + "-" + name);
    std::filesystem::remove_all(dir);
    return dir.string();
}

TEST(Shrink, EveryCandidateIsSmallerAndWellFormed) {
    for (std::uint64_t k = 0; k < 20; ++k) {
        Context ctx;
        Choice choice(mix(4, k));
        const Function f = generate_program(ctx, choice).function;
        for (const Function& smaller : smaller_programs(ctx, f)) {
            ASSERT_LT(size_of(smaller), size_of(f)) << print(f) << print(smaller);
        }
    }
}

// "Has a division of int8" shrinks to little more than that.
TEST(Shrink, KeepsWhatMattersAndDropsTheRest) {
    Context ctx;
    const auto divides = [](const Function& f) {
        bool found = false;
        for_each_expr(f.body, [&](Expr e) {
            for_each_node(e, [&](Expr n) { found = found || n->op == Op::FloorDiv; });
        });
        return found;
    };
    int shrunk = 0;
    for (std::uint64_t k = 0; k < 60 && shrunk < 10; ++k) {
        Choice choice(mix(6, k));
        const Function f = generate_program(ctx, choice).function;
        if (!divides(f)) continue;
        ++shrunk;
        const Function small = shrink_program(ctx, f, divides, 2000);
        EXPECT_TRUE(divides(small));
        EXPECT_LE(size_of(small).nodes, 20U) << print(small);
    }
    EXPECT_EQ(shrunk, 10);
}

TEST(Shrink, ListsLoseWhatIsNotNeeded) {
    const std::function<bool(const std::vector<int>&)> fails = [](const std::vector<int>& v) {
        return std::count(v.begin(), v.end(), 3) > 0 && std::count(v.begin(), v.end(), 7) > 0;
    };
    const std::vector<int> small = shrink_list<int>({1, 2, 3, 4, 5, 6, 7, 8, 9}, fails, 1000);
    EXPECT_EQ(small, (std::vector<int>{3, 7}));
}

// A planted fault of the kernel is found by a campaign from nothing, made small, written, and seen
// again from its files alone; and not seen once the fault is gone.
TEST(Failure, IsFoundShrunkWrittenAndReproduced) {
    const std::string out = scratch("kernel");
    std::string folder;
    {
        const Planted fault("omit:the replacement has the same value");
        CampaignOptions o;
        o.cases = 60;
        o.seed = 3;
        o.out = out;
        o.cpu = false;
        o.stop_at_first = true;
        const Result<Summary> s = run_campaign(o);
        ASSERT_TRUE(s.ok()) << s.error().str();
        ASSERT_GE(s->folders.size(), 1U) << s->json().dump(1);
        folder = s->folders[0];
        Context ctx;
        const Result<Failure> failure = read_failure(ctx, folder);
        ASSERT_TRUE(failure.ok()) << failure.error().str();
        EXPECT_EQ(failure->steps.size(), 1U);
        EXPECT_LE(size_of(failure->source).nodes, 45U) << print(failure->source);
        const Result<Reproduction> again = reproduce(folder + "/program.py");
        ASSERT_TRUE(again.ok()) << again.error().str();
        EXPECT_TRUE(again->reproduced) << again->text;
    }
    const Result<Reproduction> sound = reproduce(folder);
    ASSERT_TRUE(sound.ok()) << sound.error().str();
    EXPECT_FALSE(sound->reproduced) << sound->text;
    std::filesystem::remove_all(out);
}

TEST(Failure, OfTheCodeGeneratorIsReproduced) {
    const std::string out = scratch("cpu");
    const Planted fault("codegen:floordiv-truncates");
    CampaignOptions o;
    o.cases = 120;
    o.seed = 3;
    o.steps = 0;
    o.out = out;
    o.encoder = false;
    o.stop_at_first = true;
    const Result<Summary> s = run_campaign(o);
    ASSERT_TRUE(s.ok()) << s.error().str();
    ASSERT_GE(s->folders.size(), 1U) << s->json().dump(1);
    const Result<Reproduction> again = reproduce(s->folders[0]);
    ASSERT_TRUE(again.ok()) << again.error().str();
    EXPECT_TRUE(again->reproduced) << again->text;
    std::filesystem::remove_all(out);
}

TEST(Failure, ADamagedFileIsAnErrorWithItsName) {
    EXPECT_FALSE(reproduce("/nowhere/at/all").ok());
}

}  // namespace
}  // namespace proviso::fuzz
