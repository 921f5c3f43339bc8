// Scenario files: a source program, a schedule, and what must come of them. The format is
// documented in README.md beside this file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "ir/result.h"

namespace proviso::scenarios {

enum class Expect : std::uint8_t {
    Nothing,  // not said yet: an author asks for it with PROVISO_UPDATE_SCENARIOS
    Final,    // the lowered program
    Refused,  // a call that is not justified
    Mistake,  // a call that is not understood
};

// A refusal, or a mistake, as the file states it.
struct Refused {
    std::string call;            // the schedule's line, or "lower"
    std::string reason;          // a part of the message
    std::string counterexample;  // a part of the replay's line; "none"; empty for mistakes
};

// A program that someone might take for a right result, and what shows that it is not.
struct Wrong {
    std::string counterexample;
    std::string program;
};

struct Scenario {
    std::filesystem::path path;
    std::string name;     // scenario_name(path)
    std::string comment;  // with its "# "s
    // Sizes to run at, each a map from size variable to value; empty: made up.
    std::vector<std::map<std::string, std::int64_t>> sizes;
    // Least evidence for each obligation at the audit: E2, or E1 where one solver alone decides.
    std::string policy = "E2";
    // What translation validation says of a step whose program faults on every run; empty: none.
    std::string faults;
    // What translation validation does not know of the program; empty: it knows each step.
    std::string unvalidated;
    std::string schedule;
    std::string program;
    Expect expect = Expect::Nothing;
    std::string final_program;
    Refused refused;
    std::vector<Wrong> wrong;
};

// Fails with the line of what is not understood.
Result<Scenario> read_scenario(const std::filesystem::path& path);
// The file's text; read_scenario of it gives the same scenario.
std::string text_of(const Scenario& scenario);

// "loops_split_exact": a name for tests from group and file.
std::string scenario_name(const std::filesystem::path& path);
// All *.scenario files below the folder, by path.
std::vector<std::filesystem::path> scenario_files(const std::filesystem::path& folder);

}  // namespace proviso::scenarios
