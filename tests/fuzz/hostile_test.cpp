// Neighbours of the wrong proposals to the two theorems: none that is wrong is accepted, a sound
// build refuses many by each obligation alone, and a build that forgets one is found out.
#include "fuzz/planted/hostile/hostile.h"

#include <gtest/gtest.h>

#include "fuzz/planted/hostile/variants.h"
#include "ir/planted.h"

namespace proviso::fuzz {
namespace {

HostileReport attack(std::uint64_t cases, const std::string& only = "", unsigned jobs = 2) {
    HostileOptions o;
    o.cases = cases;
    o.jobs = jobs;
    o.only = only;
    return run_hostile(o);
}

TEST(Hostile, NothingWrongIsAccepted) {
    const HostileReport report = attack(12);
    EXPECT_EQ(report.by_obligation.size(), 24U);
    for (const HostileFinding& f : report.findings) {
        ADD_FAILURE() << f.fault << ": " << f.seen << "\n" << f.texts;
    }
    for (const auto& [name, c] : report.by_obligation) EXPECT_GE(c.aimed, 5U) << name;
}

TEST(Hostile, TheReportIsAFunctionOfTheSeed) {
    const std::string one = attack(6, "rescheduling: iterations keep", 1).text();
    EXPECT_EQ(one, attack(6, "rescheduling: iterations keep", 2).text());
}

// The trap: neighbours of a wrong proposal that are all right, or all refused for other reasons.
TEST(Hostile, AForgottenObligationIsFoundOut) {
    for (const char* fault :
         {"omit:every iteration is visited", "omit:no iteration comes from two places",
          "omit:the cell is overwritten later", "reschedule:stops-change-places",
          "relocate:stored-later"}) {
        ir::planted_fault() = fault;
        const HostileReport report = attack(12, std::string(fault).substr(fault[0] == 'o' ? 5 : 0));
        ir::planted_fault().clear();
        EXPECT_FALSE(report.findings.empty()) << fault;
    }
}

TEST(Hostile, VariantsKeepSitesWithTheStatementsTheyName) {
    for (const TheoremFault& fault : theorem_faults()) {
        const HostileProposal first = hostile_proposal(fault);
        std::size_t read = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Choice choice(seed);
            Examination how;
            how.runs = 0;
            read += examine(hostile_variant(first, choice), how).ok() ? 1 : 0;
        }
        EXPECT_GE(read, 8U) << fault.id;
    }
}

}  // namespace
}  // namespace proviso::fuzz
