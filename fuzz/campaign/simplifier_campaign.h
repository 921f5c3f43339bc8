// A campaign against the simplifier: generated expressions, each checked by itself. Case k of seed
// s is a function of s and k alone, and the summary does not depend on the number of threads.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fuzz/oracle/simplifier.h"

namespace proviso::fuzz {

struct SimplifierCampaign {
    std::uint64_t expressions = 1000;
    std::uint64_t first = 0;  // number of the first one
    std::uint64_t seed = 1;
    unsigned jobs = 1;               // threads; 0: one a core
    std::size_t most_findings = 20;  // told in full
    bool shrink_all = false;         // made smaller; else the first ones
    // Called with the number of each expression before it is asked about. With one thread only.
    std::function<void(std::uint64_t)> before;
    // Called now and then, from one thread at a time, with the number of expressions and of
    // findings so far.
    std::function<void(std::uint64_t, std::uint64_t)> progress;
    const rewrite::RuleBook* book = nullptr;  // null: the library
};

struct SimplifierReport {
    std::uint64_t seed = 0;
    SimplifierCounts counts;
    std::uint64_t findings = 0;
    struct Found {
        std::uint64_t index;
        std::string kind;
        std::string detail;
    };
    std::vector<Found> told;  // the first ones, by index
    double seconds = 0;       // no part of what is compared

    nlohmann::json json() const;
    std::string line() const;
};

SimplifierReport run_simplifier_campaign(const SimplifierCampaign& options);

}  // namespace proviso::fuzz
