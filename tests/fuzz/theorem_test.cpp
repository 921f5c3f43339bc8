// Faults of the two theorems: for each a wrong proposal, refused by a sound build and accepted by
// one with the fault.
#include "fuzz/planted/theorems/theorem.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "fuzz/planted/registry.h"
#include "ir/planted.h"

namespace proviso::fuzz {
namespace {

// So small that fewer faults make sense: it is one condition (docs/refinement.md).
const std::map<std::string, std::size_t> kFewer = {{"rescheduling: lets are definite", 3}};

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
    EXPECT_EQ(count.size(), 24U);
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
    EXPECT_LE(accepted, 4U);
}

// Places in the checks that no proposal here can use, since another check or obligation refuses all
// that would be wrong; tests/rewrite/ has proposals that pass then.
const std::set<std::string> kAlone = {
    "reschedule:assumed-names", "reschedule:writers-left-out",  "reschedule:reads-what-is-left-out",
    "relocate:bound-inside",    "relocate:name-of-a-parameter", "relocate:any-name"};

TEST(TheoremFaults, ArePlantedWhereverTheChecksHavePlaces) {
    std::set<std::string> known = kAlone;
    for (const PlantedFault& f : planted_faults()) known.insert(f.id);
    const std::filesystem::path rules = std::filesystem::path(PROVISO_SOURCE_DIR) / "rewrite/rules";
    const std::regex place("planted\\(\"([^\"]+)\"\\)");
    std::set<std::string> found;
    for (const char* folder : {"reschedule", "relocate"}) {
        for (const auto& file : std::filesystem::directory_iterator(rules / folder)) {
            std::ifstream in(file.path());
            std::stringstream text;
            text << in.rdbuf();
            const std::string all = text.str();
            for (std::sregex_iterator m(all.begin(), all.end(), place), end; m != end; ++m) {
                found.insert((*m)[1]);
                EXPECT_EQ(known.count((*m)[1]), 1U) << (*m)[1] << " is planted nowhere";
            }
        }
    }
    EXPECT_GE(found.size(), 40U);
    for (const std::string& id : kAlone) EXPECT_EQ(found.count(id), 1U) << id;
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
