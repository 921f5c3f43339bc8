// The campaigns that a folder can hold: each a way to run cases by their numbers. A case is a
// function of the settings and its number.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fuzz/folder/findings.h"
#include "fuzz/folder/journal.h"
#include "fuzz/folder/settings.h"
#include "fuzz/guided/guide.h"

namespace proviso::fuzz {

// Cases `first` to `first + cases - 1`, one after the other.
struct CasesToRun {
    const CampaignSettings& settings;
    std::uint64_t first = 0;
    std::uint64_t cases = 0;
    std::string proviso;  // the program, which oracles of GPU code run once more
    std::function<void(std::uint64_t)> before;  // each case, with its number
    std::function<Status(const CampaignFinding&)> found;
    const Guide* guide = nullptr;                                        // of a guided campaign
    std::function<Status(std::uint64_t, const ReachedByCase&)> reached;  // what it has not seen
};

struct CasesDone {
    std::uint64_t cases = 0;
    Counts counts;
    std::vector<std::pair<double, std::uint64_t>> slowest;  // seconds, case

    void add(const CasesDone& other);
};

struct CampaignKind {
    std::string name;
    std::string what;           // for people
    std::string case_word;      // what a case is: "program"
    std::uint64_t chunk = 100;  // cases, where nobody says otherwise: about ten seconds
    std::uint64_t total = 0;    // cases that there are; 0: no end
    std::uint64_t each = 0;     // for `CampaignSettings::each`; 0: it means nothing
    bool with_faults = false;   // runs in proviso-planted only
    std::function<Result<CasesDone>(const CasesToRun&)> run = {};
    bool guided = false;       // can be
    std::uint64_t inputs = 0;  // for `CampaignSettings::inputs`; 0: it means nothing
};

// Of this library; those that need faults in the code are in fuzz/planted/campaign_kinds.h.
const std::vector<CampaignKind>& campaign_kinds();

}  // namespace proviso::fuzz
