// campaign.json: what a campaign is. It is written once, and never changes: each finished chunk is
// a function of it and of the chunk's number. In a guided campaign that holds, too: a chunk is
// given what all chunks of the rounds before have reached, but for the last round, so that nobody
// waits for the last chunk of a round.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ir/result.h"

namespace proviso::fuzz {

struct CampaignSettings {
    std::string kind = "programs";  // kinds.h
    std::uint64_t seed = 1;
    std::uint64_t cases = 0;            // 0: no end
    std::uint64_t chunk = 0;            // cases that are finished, and counted, together
    std::uint64_t each = 0;             // omissions, hostile: cases around each one
    std::uint64_t inputs = 0;           // schedules: inputs of a case, at most
    std::string fault;                  // planted fault that is on; empty: none
    std::uint64_t case_seconds = 600;   // a case that takes longer is a finding
    std::uint64_t lease_seconds = 120;  // silence after which another machine takes a chunk over
    bool guided = false;         // coverage is counted, and cases are made of what reached it
    std::uint64_t mutated = 50;  // guided: percent of the cases that are made so
    std::uint64_t round = 8;     // guided: chunks of the smallest round
    std::string version;         // of Proviso

    bool operator==(const CampaignSettings&) const = default;

    // 0: no end.
    std::uint64_t chunks() const { return cases / chunk + (cases % chunk == 0 ? 0 : 1); }
    std::uint64_t first_of(std::uint64_t k) const { return k * chunk; }
    std::uint64_t cases_of(std::uint64_t k) const;
    // Guided: chunk k is given what the chunks below this number have reached. Rounds grow with the
    // campaign, by a quarter of it each.
    std::uint64_t given_to(std::uint64_t k) const;
    // Names the campaign in its journal: lines of another one do not fit.
    std::string id() const;
    nlohmann::json json() const;
    std::string text() const;  // of campaign.json
};

// Makes the campaign's folder. Fails when there is one, or the folder has something in it.
Status make_campaign(const std::string& folder, const CampaignSettings& settings);

// Fails where there is no campaign, or its settings are not as written.
Result<CampaignSettings> read_settings(const std::string& folder);

// Parts of the folder.
std::string journal_folder(const std::string& folder);
std::string lease_folder(const std::string& folder);
std::string findings_folder(const std::string& folder);
std::string corpus_folder(const std::string& folder);

}  // namespace proviso::fuzz
