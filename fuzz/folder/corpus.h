// The corpus of a guided campaign: corpus/ID, a file for each pair of a program and a schedule that
// reached something, and the journal's word of what that was. What a chunk is given of it is a
// function of the campaign and the chunk's number (CampaignSettings::given_to), so chunks give the
// same results wherever and whenever they run.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "fuzz/folder/journal.h"
#include "fuzz/guided/guide.h"

namespace proviso::fuzz {

// A file of the corpus. On the disk when it returns. `owner`: as of `keep_finding`.
Status keep_pair(const std::string& folder, const CorpusPair& pair, const std::string& owner);

// How many pairs the corpus has.
std::size_t corpus_size(const Journal& journal);

// What the chunks below `end` have reached, all of which are finished: of pairs that reached the
// same, the one of the lowest case. Fails where a pair is not in the folder.
Result<Guide> read_guide(const std::string& folder, const Journal& journal, std::uint64_t end);

// 16 digits of what the guide holds: two processes with one guide for a chunk have one digest.
std::string digest_of(const Guide& guide);

// The guides of the chunks that a process works on.
class Guides {
  public:
    Guides(std::string folder, CampaignSettings settings)
        : folder_(std::move(folder)), settings_(std::move(settings)) {}

    // Whether what it is to be given is finished. True of every chunk of a blind campaign.
    bool ready(std::uint64_t chunk, const Journal& journal) const;
    // Null in a blind campaign.
    Result<std::shared_ptr<const Guide>> of(std::uint64_t chunk, const Journal& journal);

  private:
    std::string folder_;
    CampaignSettings settings_;
    std::map<std::uint64_t, std::shared_ptr<const Guide>> known_;  // by `given_to`
};

}  // namespace proviso::fuzz
