// Takes free chunks of a campaign and runs them, beside any number of other processes on any number
// of machines that do the same, until nothing is left or somebody ends it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fuzz/folder/journal.h"
#include "fuzz/folder/kinds.h"

namespace proviso::fuzz {

// What is told while it runs.
struct RunProgress {
    const Journal* journal = nullptr;
    std::uint64_t chunks_here = 0;  // finished by this process
    std::uint64_t cases_here = 0;
    double seconds = 0;
    struct Running {
        std::uint64_t chunk = 0;
        std::uint64_t current_case = 0;
        double seconds = 0;  // of the chunk
    };
    std::vector<Running> running;
    std::size_t others = 0;  // processes beside this one
};

struct RunOptions {
    std::string folder;
    CampaignSettings settings;
    const CampaignKind* kind = nullptr;
    unsigned jobs = 1;         // processes; 0: one a core
    double seconds = 0;        // 0: no end
    std::uint64_t chunks = 0;  // that this process finishes at most; 0: any number
    std::string proviso;       // the program
    std::function<void(const RunProgress&)> progress;  // ten times a second
};

enum class RunEnd : std::uint8_t { Finished, Time, Chunks, Signal };

struct RunReport {
    RunEnd end = RunEnd::Finished;
    int signal = 0;
    std::uint64_t chunks = 0;  // finished by this process
    std::uint64_t cases = 0;
};

// Fails when the folder cannot be written; what is finished is kept, and a later run goes on. A
// process runs one campaign only: it handles SIGINT and SIGTERM.
Result<RunReport> run_campaign_folder(const RunOptions& options);

}  // namespace proviso::fuzz
