// A chunk, run by a process of its own: whatever a case does to its process, the campaign goes on,
// and a chunk can be ended at any moment.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "fuzz/folder/kinds.h"

namespace proviso::fuzz {

// What is to be done, and by whom.
struct ChunkToRun {
    const CampaignKind* kind = nullptr;
    CampaignSettings settings;
    std::string folder;   // of the campaign
    std::string owner;    // name of this process, and of the place of the chunk in it
    std::string proviso;  // the program
    std::string scratch;  // a folder for its temporary files; empty: the system's
    std::uint64_t chunk = 0;
    std::set<std::uint64_t> passed_over;  // cases that are not run
    std::shared_ptr<const Guide> guide;   // of a guided campaign
};

// Runs the chunk in this process, and keeps what it finds.
struct ChunkDone {
    CasesDone done;
    std::vector<std::string> findings;  // as they are named, sorted
    std::vector<ReachedCase> reached;
};
Result<ChunkDone> run_chunk(const ChunkToRun& work,
                            const std::function<void(std::uint64_t)>& before);

class ChunkProcess {
  public:
    // `in_child`: called first in the new process.
    ChunkProcess(ChunkToRun work, const std::function<void()>& in_child);
    ~ChunkProcess();  // ends it
    ChunkProcess(const ChunkProcess&) = delete;
    ChunkProcess& operator=(const ChunkProcess&) = delete;

    // Fails where the system gave no process.
    const Status& started() const { return started_; }
    const ChunkToRun& work() const { return work_; }
    std::uint64_t current_case() const;
    // For how long it has been at it, as far as somebody has asked: a process that is suspended,
    // and its parent with it, is at nothing.
    double seconds_of_case();
    double seconds() const;

    // Where it has ended: what it gave, or why there is nothing. An error where the reason is the
    // machine's.
    struct Ended {
        std::optional<Result<ChunkDone>> result;
        std::string how;        // else: "SIGSEGV", "an exception: …"
        bool by_force = false;  // SIGKILL, which no program sends itself
    };
    std::optional<Ended> ended();
    void kill();

  private:
    struct Shared;

    ChunkToRun work_;
    Status started_ = Unit{};
    int pid_ = -1;
    int answer_ = -1;           // a file in memory
    Shared* shared_ = nullptr;  // memory of both processes
    std::chrono::steady_clock::time_point start_;
    std::uint64_t seen_case_ = 0;
    std::chrono::steady_clock::time_point asked_;
    double seconds_of_case_ = 0;
};

}  // namespace proviso::fuzz
