// An attack on each obligation of the two theorems. Around each proposal in
// fuzz/planted/theorems/, which is wrong in one way that its obligation is there to refuse, stand
// many like it, about other programs. None may be accepted unless runs agree with it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::fuzz {

struct HostileOptions {
    std::uint64_t cases = 400;  // proposals around each one, without repetitions
    std::uint64_t seed = 1;
    unsigned jobs = 1;
    std::string only;                       // faults whose id or obligation contains this
    std::optional<std::size_t> place = {};  // of those, the one at this place
    std::function<void(const std::string& line)> progress;  // after each fault
};

struct HostileCounts {
    std::uint64_t proposals = 0;
    std::uint64_t checks = 0;  // refused before an obligation is stated
    std::uint64_t aimed = 0;   // refused by what refuses the first one, and all else holds
    std::uint64_t shown = 0;   // of those, a run shows that it was right to refuse
    std::uint64_t others = 0;  // refused by other obligations, too
    std::uint64_t accepted = 0;
    std::uint64_t compared = 0;  // of those, on some run without a fault
    void add(const HostileCounts& other);
};

// A proposal that was accepted, and is wrong.
struct HostileFinding {
    std::string fault;  // whose neighbour it is
    std::string texts;
    std::string seen;
};

struct HostileReport {
    std::map<std::string, HostileCounts> by_obligation;  // as docs/refinement.md names them
    // By what refuses, "its checks" or a kind of obligation, where nothing else does.
    std::map<std::string, HostileCounts> by_kind;
    std::vector<HostileFinding> findings;

    HostileCounts sum() const;
    std::string text() const;
    nlohmann::json json() const;
    std::string page(const HostileOptions& options) const;  // docs/results/hostile-proposals.md
};

HostileReport run_hostile(const HostileOptions& options);

}  // namespace proviso::fuzz
