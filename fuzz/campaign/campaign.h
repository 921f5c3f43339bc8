// A fuzzing campaign: generated programs, guessed steps or schedules, and oracles on each. Case k
// of seed s is a function of s and k alone, so any case can be run again by itself, and results do
// not depend on time, nor on the number of threads; `seconds` only ends the campaign early.
#pragma once

#include <functional>

#include "fuzz/campaign/failure.h"
#include "fuzz/campaign/summary.h"
#include "fuzz/guided/guide.h"

namespace proviso::fuzz {

// How often the dear oracles are asked: on each k-th case; 0: never.
struct Tiers {
    unsigned solver = 1;       // Z3 decides what the cheap deciders and certificates leave open
    unsigned expressions = 1;  // domains, rules, encoder, values in the place of indet
    unsigned cpu = 1;          // lowering to the end, machine code against the interpreter
    unsigned validation = 0;   // translation validation of each step, with Z3
    unsigned adapters = 0;     // conversion code for callers, where a parameter's layout changed
};
inline constexpr Tiers kNoTiers{0, 0, 0, 0, 0};
// Of campaigns of schedules: many pairs, and the dear oracles on some of them.
inline constexpr Tiers kScheduleTiers{8, 16, 10, 40, 8};
inline constexpr std::uint64_t kScheduleSolverBudget = 40'000;
// A run on an input costs a hundredth of what a pair does.
inline constexpr int kScheduleInputs = 32;
inline constexpr int kMostInputs = 10'000;

struct CampaignOptions {
    std::uint64_t cases = 1000;
    std::uint64_t first = 0;  // number of the first case
    double seconds = 0;       // stop after about so long; 0: never
    std::uint64_t seed = 1;
    unsigned jobs = 1;  // threads; 0: one a core
    std::string out;    // folder for failures and summary.json; empty: nothing is written
    int runs = 5;       // inputs a comparison (fuzz/oracle/input_series.h)
    int steps = 6;      // guesses a program
    Tiers tiers;
    std::uint64_t solver_budget = 200'000;  // Z3's, a question
    bool cpu = true;
    bool encoder = true;
    int shrink_budget = 500;
    std::uint64_t max_failures = 50;  // kinds of failures to write
    bool stop_at_first = false;
    bool schedules_only = false;  // every case a schedule; else every third, the others steps
    // With `schedules_only`: every program a network (fuzz/gen/graphs/graphs.h).
    bool graphs = false;
    // Every case a general program (fuzz/gen/general_program.h) and `steps` raw steps on it
    // (fuzz/gen/steps/raw_steps.h), each accepted one judged by `runs` runs.
    bool raw_steps = false;
    // Every case a program and steps on it that are accepted; `steps` times one of these with a
    // mistake in what it proposes (fuzz/gen/forged/forged_steps.h), judged likewise.
    bool forged_steps = false;
    std::string pair_family;  // pairs of this family (fuzz/gen/pairs/pairs.h) only
    // Whether a failure is made smaller and told; null: the first one of each kind is.
    std::function<bool(const Failure&, ir::Context&, analysis::Prover&)> wanted;
    // Called with those failures, made smaller, the number of the case, and its context and
    // prover; an error ends the campaign.
    std::function<Status(const Failure&, std::uint64_t, ir::Context&, analysis::Prover&)> found;
    // With `schedules_only`: coverage is counted, and some cases are made of the guide's pairs.
    // Case k is then a function of seed, k and guide.
    const Guide* guide = nullptr;
    // Called with each case, in their order, that reaches what the guide has not seen; an error
    // ends the campaign.
    std::function<Status(std::uint64_t, const ReachedByCase&)> reached;
    // Called with each program and its schedule (empty: none) before anything is done with them.
    // With one thread only.
    std::function<void(const ir::Function&, const std::string&)> show;
    // Called after each case, in their order, from one thread at a time.
    std::function<void(const Summary&)> progress;
    // For surveys of obligations: called with the options of each case's prover, and with what it
    // counted in the end. With one thread only.
    std::function<void(analysis::ProverOptions&)> adjust_prover;
    std::function<void(const analysis::ProverStats&)> prover_done;
};

// A campaign of schedules: many pairs on many inputs each, and the dear oracles on some of them.
CampaignOptions schedule_campaign();
// The same of networks, whose schedules are layouts of their tensors.
CampaignOptions graph_campaign();
// A campaign of raw steps: 48 tried on a program, four runs for each accepted one, and no solver,
// so that what is refused is refused soon.
CampaignOptions raw_campaign();
// A campaign of forged steps: 48 on a program, the solver on one case in eight.
CampaignOptions forged_campaign();

// Fails when `out` cannot be written.
Result<Summary> run_campaign(const CampaignOptions& options);

}  // namespace proviso::fuzz
