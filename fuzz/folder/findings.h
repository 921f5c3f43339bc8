// What a campaign has found: a folder for each finding, findings/ID, named after its content, with
// finding.json and the files that show it. Of those with one cause the smallest are kept, whoever
// finds them and when, so that the same cases leave the same findings.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/folder/settings.h"

namespace proviso::fuzz {

// By what findings are told apart.
struct FoundCause {
    std::string oracle;
    std::string signature;
    std::string rule;         // of the last step; empty: of no step
    std::string obligations;  // that this step owed: "bounds, visited"
    std::string statement;    // the first one that this step changed: "store"

    bool operator==(const FoundCause&) const = default;
    bool operator<(const FoundCause& other) const;
    std::string text() const;  // one line
};

// How a finding is seen again.
enum class Replay : std::uint8_t {
    Failure,  // its files are those of a failure (fuzz/campaign/failure_files.h)
    Case,     // its case is run again
};

struct CampaignFinding {
    FoundCause cause;
    std::uint64_t case_number = 0;
    std::uint64_t size = 0;  // statements and steps, or bytes: smaller ones are kept
    std::string detail;      // values, in words
    Replay replay = Replay::Case;
    std::map<std::string, std::string> files;  // beside finding.json

    std::string id() const;     // 16 digits of the SHA-256 of cause and files
    std::string named() const;  // "ID CAUSE SIZE", as the journal has it
};

inline constexpr std::size_t kKeptOfACause = 3;
// Of what is not yet written to its end, in findings/ and corpus/; the owner's name follows.
inline constexpr const char* kPartPrefix = ".part-";

// The one in this folder, with its files; nothing where it is not as written.
std::optional<CampaignFinding> read_finding(const std::string& folder);

// `owner`: the name of this process, for what is not yet written to its end.
Status keep_finding(const std::string& folder, const CampaignFinding& finding,
                    const std::string& owner);

// As they are kept, without `files`; by cause, the smallest first. What is not as written is named
// in `damaged`.
struct KeptFindings {
    std::vector<CampaignFinding> list;
    std::vector<std::string> ids;  // of `list`
    std::vector<std::string> damaged;
    Status read = Unit{};  // or why there may be more
    std::size_t causes() const;
    // Whether one that was `named` is here, or was removed for smaller ones.
    bool accounts_for(const std::string& named) const;
};
KeptFindings kept_findings(const std::string& folder);

// Removes what is larger than kKeptOfACause others of its cause.
void remove_larger(const std::string& folder, const KeptFindings& kept);
// Removes what processes have left that are gone; `is_there`: their names.
void remove_unfinished(const std::string& folder, const std::vector<std::string>& is_there);

// The finding whose id begins with `prefix`.
Result<std::size_t> find_finding(const KeptFindings& kept, const std::string& prefix);

}  // namespace proviso::fuzz
