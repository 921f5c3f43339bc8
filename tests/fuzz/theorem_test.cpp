// Faults of the two theorems: for each a wrong proposal, refused by a sound build and accepted by
// one with the fault.
#include "fuzz/planted/theorem.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "ir/planted.h"

namespace proviso::fuzz {
namespace {

// So small that fewer faults make sense: two bounds of a domain, one condition, one extent.
const std::map<std::string, std::size_t> kFewer = {
    {"iterators stay in their domains", 4}, {"lets are definite", 2}, {"the new buffer is one", 4}};

TEST(TheoremFaults, FiveOfEachObligation) {
    std::map<std::string, std::size_t> count;
    std::set<std::string> ids;
    for (const TheoremFault& f : theorem_faults()) {
        ++count[f.obligation];
        EXPECT_TRUE(ids.insert(f.id).second) << f.id;
    }
    for (const auto& [obligation, faults] : count) {
        const auto few = kFewer.find(obligation);
        EXPECT_GE(faults, few == kFewer.end() ? 5 : few->second) << obligation;
    }
    EXPECT_EQ(count.size(), 17U);
}

// Or they are accepted and right: claims go that may be false now.
TEST(TheoremFaults, ProposalsAreRefusedWithoutThem) {
    std::size_t accepted = 0;
    for (const TheoremFault& f : theorem_faults()) {
        const TheoremOutcome out = try_proposal(f);
        accepted += out.refusal.empty() ? 1 : 0;
        EXPECT_EQ(out.seen, std::nullopt) << f.id;
        EXPECT_TRUE(!out.refusal.empty() || f.runs) << f.id;
    }
    EXPECT_LE(accepted, 2U);
}

// With its fault each proposal is accepted, and a run shows what it does.
TEST(TheoremFaults, EachLetsItsProposalPass) {
    for (const TheoremFault& f : theorem_faults()) {
        ir::planted_fault() = f.id;
        const TheoremOutcome out = try_proposal(f);
        ir::planted_fault().clear();
        EXPECT_EQ(out.refusal, "") << f.id;
        EXPECT_EQ(out.seen.has_value(), f.runs && out.refusal.empty()) << f.id;
    }
}

}  // namespace
}  // namespace proviso::fuzz
