// Who works on which chunk. A process that takes part has a file leases/owner-ID; its lease of
// chunk 17 is a second name of that file, leases/17. Making a name is atomic on every file system
// that has hard links, also on shared ones, so one process gets it. The file's time says when its
// owner was heard last, for all of its leases at once; it is the file system's clock that is read,
// never that of a machine. Where the owner of a lease is gone (owner.h), the next name,
// leases/17.1, is made beside it, and then 17.2: the last one counts. Nothing that another process
// made is moved or removed before the chunk is finished, as no file system can remove a name only
// if it is still of the same file: who looks first and then removes may remove what somebody has
// made in between.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/folder/owner.h"

namespace proviso::fuzz {

struct LeaseState {
    std::map<std::uint64_t, bool> leased;  // chunks with a lease, and whether its owner is gone
    std::size_t owners = 0;                // processes that take part and are not gone
    std::vector<std::string> left;         // files that were left behind, by name
    std::vector<std::pair<std::uint64_t, std::string>> ended;  // leases whose owner is gone
};

// What the folder says now. `now`: the file system's time, which `Leases::now` has.
LeaseState read_leases(const std::string& folder, std::uint64_t limit, std::time_t now);

class Leases {
  public:
    // `limit`: seconds of silence after which a process on another machine is gone.
    Leases(std::string folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}
    ~Leases();  // gives up what this process has
    Leases(const Leases&) = delete;
    Leases& operator=(const Leases&) = delete;

    // Before anything else. Fails where the file system has no hard links.
    Status join();
    const Owner& owner() const { return owner_; }

    // Says that this process is there.
    Status beat();
    LeaseState state() const;

    // Whether this process has the chunk now; a lease whose owner is gone is taken over.
    Result<bool> take(std::uint64_t chunk);
    void give_back(std::uint64_t chunk);
    // The chunk is in the journal: gives it back, with the leases that it was taken over from.
    void finished(std::uint64_t chunk);
    // Removes what processes that are gone have left: their files, and leases of chunks that are
    // finished.
    void tidy(const LeaseState& state, const std::function<bool(std::uint64_t)>& is_finished) const;

    // In a child process: what is here belongs to the parent.
    void forget();

  private:
    // The name of the chunk's lease after `turns` owners who are gone.
    std::string path_of(std::uint64_t chunk, std::uint64_t turns) const;
    Result<bool> link_to(const std::string& name) const;
    bool is_given_up(const std::string& name) const;

    std::string folder_;
    std::uint64_t limit_;
    Owner owner_;
    std::string file_;                             // empty: not joined
    std::map<std::uint64_t, std::uint64_t> mine_;  // chunks, and how many of their owners were gone
};

}  // namespace proviso::fuzz
