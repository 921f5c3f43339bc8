// A fuzzing campaign: generated programs, guessed steps, and every oracle on each. Case k of seed s
// is a function of s and k alone, so any case can be run again by itself, and results do not depend
// on time; `seconds` only ends the campaign early.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "fuzz/campaign/failure.h"
#include "fuzz/oracle/cpu.h"
#include "fuzz/oracle/expressions.h"
#include "fuzz/oracle/monotone.h"
#include "fuzz/oracle/refinement.h"

namespace proviso::fuzz {

struct RuleCounts {
    std::uint64_t tried = 0;
    std::uint64_t accepted = 0;
    std::uint64_t no_match = 0;  // the rule does not apply, or its arguments are wrong
    std::uint64_t refuted = 0;   // an obligation was refuted
    std::uint64_t unknown = 0;   // an obligation was not decided
};

// A schedule primitive: calls that were made, and of those the ones that were refused, or done
// without changing anything.
struct PrimitiveCounts {
    std::uint64_t called = 0;
    std::uint64_t refused = 0;
    std::uint64_t idle = 0;
    std::uint64_t effective() const { return called - refused - idle; }
};

struct Summary {
    std::uint64_t seed = 0;
    std::uint64_t cases = 0;
    std::uint64_t valid = 0;  // programs that ran without a fault on all inputs in their ranges
    std::map<std::string, RuleCounts> rules;
    RefinementCounts refinement;
    CpuCounts cpu;
    ExpressionCounts domains;
    ExpressionCounts encoder;
    ExpressionCounts rule_instances;
    MonotoneCounts monotone;
    std::uint64_t round_trips = 0;
    std::uint64_t schedules = 0;           // run
    std::uint64_t schedules_refused = 0;   // of those, ended by a refusal
    std::uint64_t schedules_mistaken = 0;  // of those, ended by a mistake in their text
    std::uint64_t primitives = 0;          // applied
    std::map<std::string, PrimitiveCounts> by_primitive;
    std::map<std::string, std::uint64_t> features;
    std::uint64_t findings = 0;                  // alarms
    std::map<std::string, std::uint64_t> kinds;  // alarms by "oracle: signature"
    std::vector<std::string> folders;            // of failures written, one a kind
    double seconds = 0;                          // of this run; no part of what is compared

    // {"seed", "cases", .., "time": {"seconds"}}: everything but "time" repeats exactly.
    nlohmann::json json() const;
    // "1200 cases (98.2 % valid), 3411 steps accepted of 9120, 0 findings, 110 cases/s"
    std::string line() const;
    // A line for each schedule primitive: how often it was called, accepted with an effect, done
    // without one, refused. A primitive that is hardly ever accepted tests nothing.
    std::string primitives_table() const;
};

struct CampaignOptions {
    std::uint64_t cases = 1000;
    std::uint64_t first = 0;  // number of the first case
    double seconds = 0;       // stop after about so long; 0: never
    std::uint64_t seed = 1;
    std::string out;  // folder for failures and summary.json; empty: nothing is written
    int runs = 5;     // inputs a comparison
    int steps = 6;    // guesses a program
    bool cpu = true;
    bool encoder = true;
    int shrink_budget = 500;
    std::uint64_t max_failures = 50;  // kinds of failures to write
    bool stop_at_first = false;
    bool schedules_only = false;  // every case a schedule; else every third, the others steps
    std::function<void(const Summary&)> progress;  // called after each case
    // For surveys of obligations: called with the options of each case's prover, and with what it
    // counted in the end.
    std::function<void(analysis::ProverOptions&)> adjust_prover;
    std::function<void(const analysis::ProverStats&)> prover_done;
};

// Fails when `out` cannot be written.
Result<Summary> run_campaign(const CampaignOptions& options);

}  // namespace proviso::fuzz
