// What a campaign has come to, for `status` and for what `run` says at its end.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "fuzz/folder/findings.h"
#include "fuzz/folder/journal.h"
#include "fuzz/folder/leases.h"

namespace proviso::tools {

struct CampaignState {
    fuzz::CampaignSettings settings;
    fuzz::Journal journal;
    fuzz::LeaseState leases;
    fuzz::KeptFindings findings;
    std::vector<std::string> lost = {};  // findings that the journal names, by id

    double started() const;        // the first chunk, in seconds since 1970
    std::uint64_t leased() const;  // chunks that are not finished and that somebody works on
    std::uint64_t left() const;    // by somebody who is gone
    std::uint64_t alarms() const;  // cases with a finding, and others of known causes
    bool finished() const;
    double seconds() const;         // that its chunks took, of one process each
    double cases_a_second() const;  // of one process
    double recent_cases() const;    // a second, of all, in the last minutes with any
    bool fine() const;              // nothing found, and nothing that must not be

    nlohmann::json json() const;
    std::string text() const;
};

Result<CampaignState> campaign_state(const std::string& folder,
                                     const fuzz::CampaignSettings& settings);

// "24101 of 812 pairs, up to 32 inputs each; 2400 as machine code, too": programs with their
// schedules and inputs. Empty for other campaigns than those of schedules.
std::string triples_text(const fuzz::Journal& journal, const fuzz::CampaignSettings& settings);
// "1203 features", "512 counters are not zero"
std::string coverage_text(const fuzz::Journal& journal, const fuzz::CampaignSettings& settings);
// What a number of seconds is to people: "3.5 h", "12 min", "40 s".
std::string duration_text(double seconds);

}  // namespace proviso::tools
