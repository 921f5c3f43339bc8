// What is finished: a folder of files that only grow, one for each process that has finished a
// chunk, so that no two processes write to one file. A line is
//
//   DIGEST {"chunk": 17, "cases": 100, "counts": {…}, "findings": ["…"], "seconds": 2.5, …}
//
// where the digest covers the campaign (settings.h) and the text. A line that does not fit, such as
// the last one of a process that was killed while it wrote, counts for nothing: the chunk is run
// again.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fuzz/folder/durable.h"
#include "fuzz/folder/settings.h"

namespace proviso::fuzz {

// What chunks count, by name, "rules/split/accepted"; none is zero.
using Counts = std::map<std::string, std::uint64_t>;
// Of nested JSON: integers that are not zero. Everything else is left out.
Counts counts_of(const nlohmann::json& nested);
void add_counts(Counts& to, const Counts& from);

// A case of a guided campaign that was the first of its chunk to reach something, beyond what the
// chunk was given.
struct ReachedCase {
    std::uint64_t number = 0;
    std::string pair;                   // in the corpus
    std::vector<std::string> features;  // sorted

    nlohmann::json json() const;
};
// Throws what nlohmann::json throws.
std::vector<ReachedCase> reached_from(const nlohmann::json& list);

// A finished chunk. `cases`, `counts`, `findings`, `given` and `reached` are functions of settings
// and number, the rest is not.
struct FinishedChunk {
    std::uint64_t chunk = 0;
    std::uint64_t cases = 0;
    Counts counts;
    std::vector<std::string> findings;                      // `CampaignFinding::named`, sorted
    std::string given;                                      // guided: digest_of its guide
    std::vector<ReachedCase> reached;                       // guided: by number
    double seconds = 0;                                     // that it took
    std::vector<std::pair<double, std::uint64_t>> slowest;  // seconds, case
    double ended = 0;                                       // seconds since 1970
    std::string host;
    std::string build;  // first digits of the program's SHA-256

    nlohmann::json json() const;
    std::string digest() const;  // of what must repeat
};

std::string journal_line(const CampaignSettings& settings, const FinishedChunk& chunk);
// Nothing where the line does not fit.
std::optional<FinishedChunk> read_journal_line(const CampaignSettings& settings,
                                               const std::string& line);

// All chunks that are finished, each once.
class Journal {
  public:
    Journal(std::string folder, CampaignSettings settings)
        : folder_(std::move(folder)), settings_(std::move(settings)) {}

    // Takes in what has been added since; fails where something cannot be read, or is lost. With
    // the names of files in order, so that the first time gives the same on every machine.
    Status refresh();

    // By number. Of their own counts only "findings" are kept.
    const std::map<std::uint64_t, FinishedChunk>& chunks() const { return chunks_; }
    bool has(std::uint64_t chunk) const { return chunks_.count(chunk) != 0; }
    // The lowest chunk that is not finished.
    std::uint64_t first_open() const { return first_open_; }
    std::uint64_t cases() const { return cases_; }
    const Counts& counts() const { return counts_; }

    std::uint64_t repeated() const { return repeated_; }  // lines about a chunk known already
    // Chunks that two processes ran, with other results.
    const std::set<std::uint64_t>& different() const { return different_; }
    // Files whose last line is unfinished; and lines that do not fit, "FILE:LINE", and what is no
    // file.
    std::vector<std::string> unfinished() const;
    const std::vector<std::string>& damaged() const { return damaged_; }

    // What was reached: features in a guided campaign, else counters that are not zero.
    std::size_t coverage() const { return first_seen_.size(); }
    // When the last of it was reached, in seconds since 1970; 0: nothing was.
    double last_new() const;
    // After each chunk, in the order in which they ended.
    struct Reached {
        double ended = 0;
        std::uint64_t cases = 0;
        std::uint64_t alarms = 0;  // findings in these cases
        std::size_t coverage = 0;
    };
    std::vector<Reached> over_time() const;

  private:
    struct File {
        std::uint64_t read = 0;   // bytes of whole lines
        std::uint64_t lines = 0;  // of those
        bool unfinished = false;
        bool no_file = false;
    };
    Status read(const std::string& name, File& file);
    void take(const std::string& name, const File& file, const std::string& line);

    std::string folder_;
    CampaignSettings settings_;
    std::map<std::string, File> files_;
    std::map<std::uint64_t, FinishedChunk> chunks_;
    std::map<std::uint64_t, std::string> digests_;
    std::uint64_t first_open_ = 0;
    std::uint64_t cases_ = 0;
    std::uint64_t repeated_ = 0;
    Counts counts_;
    std::set<std::uint64_t> different_;
    std::vector<std::string> damaged_;
    std::map<std::string, double> first_seen_;  // what was reached, and when
};

}  // namespace proviso::fuzz
