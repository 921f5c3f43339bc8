// What `proviso tune` has found, as a file that it goes on with and that `proviso lower` reads.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ir/result.h"
#include "rewrite/schedule/reader/choices.h"

namespace proviso::tools {

// One choice of all values, and what became of it.
struct Candidate {
    rewrite::ChosenValues chosen;
    std::string verdict;  // PROVED; REFUTED, UNKNOWN: refused; ERROR: no program, code or time
    std::string reason;   // of another verdict than PROVED
    std::string result;   // hash of the program that it is lowered to; empty: refused
    // The candidate before it, in this list, that gives the same program; measured there.
    std::optional<std::size_t> same_as;
    std::int64_t nanoseconds = 0;  // of the fastest call; 0: not measured
    int rounds = 0;                // in which it was measured: slow ones are discarded early

    bool measured() const { return nanoseconds > 0; }
};

struct Tuning {
    std::string function;
    std::string program;   // content hash of the function
    std::string schedule;  // hash of the schedule's text and of what it imports
    std::string machine;   // name of the CPU that it ran on
    std::string cpu;       // CPU that code was for, as it was asked for
    std::uint64_t seed = 0;
    std::size_t combinations = 0;                  // of all values
    std::vector<rewrite::ScheduleChoice> choices;  // names and values
    std::vector<Candidate> tried;                  // in the order of trial

    // The fastest of those that were measured in the most rounds, the first of equals; none was:
    // null.
    const Candidate* best() const;
};

nlohmann::json to_json(const Tuning& tuning);
std::string text_of(const Tuning& tuning);
// Fails, by the name of the file, where it is none or is not whole.
Result<Tuning> read_tuning(const std::string& text, const std::string& file);

// That the file is about this function and this schedule.
Status fits(const Tuning& tuning, const std::string& file, const std::string& program,
            const std::string& schedule);

// "tile = 4, lanes = 32"
std::string chosen_text(const Candidate& candidate,
                        const std::vector<rewrite::ScheduleChoice>& choices);

// The values that `lower --choose NAME=VALUE` gives.
Result<rewrite::ChosenValues> read_chosen(const std::vector<std::string>& arguments);

// What a tuning file chooses for a function with that content hash, and a schedule.
Result<rewrite::ChosenValues> tuned_values(const std::string& file, const std::string& program,
                                           const std::string& schedule_text,
                                           const std::string& schedule_file);

}  // namespace proviso::tools
