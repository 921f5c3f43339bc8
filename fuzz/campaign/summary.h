// What a campaign counts. Summaries of cases add up, in any order, to the summary of all of them.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/oracle/cpu.h"
#include "fuzz/oracle/derivations.h"
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
    void count(const rewrite::Rejection& refused);
};

// Calls that were made, and of those the ones that were refused, or done without changing anything.
struct CallCounts {
    std::uint64_t called = 0;
    std::uint64_t refused = 0;
    std::uint64_t idle = 0;
    std::uint64_t effective() const { return called - refused - idle; }
    double share() const;  // effective, in percent of the calls
    void add(const CallCounts& o);
};

// A schedule primitive, and those of its calls that have an option (call_options.h).
struct PrimitiveCounts : CallCounts {
    std::map<std::string, CallCounts> options = {};
};

// By name. A line for each: how often it was called, accepted with an effect, done without one,
// refused; below it one for each option; and one for each of both that was called and never
// accepted, which tests nothing.
using PrimitiveTable = std::map<std::string, PrimitiveCounts>;
// One call, of the schedule's line `line` (from 1; 0: none).
void count_call(PrimitiveTable& table, const std::string& primitive, const std::string& schedule,
                int line, CallCounts one);
std::string table_of(const PrimitiveTable& primitives);
std::vector<std::string> never_accepted(const PrimitiveTable& primitives);
nlohmann::json json_of(const PrimitiveTable& primitives);

// Steps that were refused, by rule and the kind of the first obligation that was not proved; "": by
// what the rule checks itself.
struct RefusalCounts {
    std::uint64_t refuted = 0;
    std::uint64_t unknown = 0;  // not decided; or checked without an obligation
};
using RefusalTable = std::map<std::pair<std::string, std::string>, RefusalCounts>;

// Programs with their schedules and inputs: what a campaign of schedules is measured by.
struct TripleCounts {
    std::uint64_t pairs = 0;     // of a program and a schedule that has changed it
    std::uint64_t triples = 0;   // of those and different inputs on which the source had no fault
    std::uint64_t compiled = 0;  // of those, the ones that ran as machine code, too
};

// Networks, and layouts that pass from operator to operator in them without a conversion.
struct GraphCounts {
    std::uint64_t graphs = 0;
    std::uint64_t operators = 0;
    std::uint64_t proved = 0;  // of the graphs: the whole schedule
    std::uint64_t conversions = 0;
    std::uint64_t cancelling = 0;         // graphs with a layout that passes
    std::uint64_t cancelling_proved = 0;  // of those
    void add(const GraphCounts& o);
};

struct Summary {
    std::uint64_t seed = 0;
    std::uint64_t cases = 0;
    std::uint64_t valid = 0;  // programs that ran without a fault on all inputs in their ranges
    std::map<std::string, RuleCounts> rules;
    RefinementCounts refinement;
    TripleCounts triples;
    GraphCounts graphs;
    CpuCounts cpu;
    ExpressionCounts domains;
    ExpressionCounts encoder;
    ExpressionCounts rule_instances;
    MonotoneCounts monotone;
    ValidationCounts validation;
    AdapterCounts adapters;
    std::uint64_t round_trips = 0;
    std::uint64_t schedules = 0;           // run
    std::uint64_t schedules_refused = 0;   // of those, ended by a refusal
    std::uint64_t schedules_mistaken = 0;  // of those, ended by a mistake in their text
    std::uint64_t primitives = 0;          // applied
    PrimitiveTable by_primitive;
    std::map<std::string, std::uint64_t> features;
    std::map<std::string, std::uint64_t> accepted_with;  // steps, by a feature of their program
    // Raw and forged steps accepted on which a run without a fault was compared.
    std::uint64_t judged = 0;
    RefusalTable refused;                        // forged steps
    std::uint64_t findings = 0;                  // alarms
    std::map<std::string, std::uint64_t> kinds;  // alarms by "oracle: signature"
    std::vector<std::string> folders;            // of failures written, one a kind

    // Of this run, and no part of what is compared: seconds from start to end, processor seconds by
    // part of a case, and the cases that took longest, with theirs.
    double seconds = 0;
    std::map<std::string, double> parts;
    std::vector<std::pair<double, std::uint64_t>> slowest;

    void add(const Summary& other);

    // {"seed", "cases", .., "time": {"seconds"}}: everything but "time" repeats exactly.
    nlohmann::json json() const;
    // "1200 cases (98.2 % valid), 3411 steps accepted of 9120, 0 findings, 110 cases/s"
    std::string line() const;
    // "  812 pairs of a program and a schedule that changes it, 24101 triples with an input (2400
    // of them as machine code, too), 1803 triples/s"
    std::string triples_line() const;
    // "  200 graphs of 1398 operators, 181 proved; 91 with a layout that passes ..."
    std::string graphs_line() const;
    std::string primitives_table() const { return table_of(by_primitive); }
    // A line for each rule: tried, accepted, refused by its shape, its obligations refuted, or not
    // decided; and one for each feature of programs: how many had it, and steps accepted on those.
    std::string rules_table() const;
    std::string features_table() const;
    // A line for each rule and each kind of obligation that refused forged steps of it.
    std::string refusals_table() const;
};

}  // namespace proviso::fuzz
