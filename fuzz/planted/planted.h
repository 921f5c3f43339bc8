// The planted-fault campaign: turns each fault on, asks the lines of defence in order, and reports
// which of them noticed. Deterministic.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/planted/registry.h"

namespace proviso::fuzz {

struct PlantedResult {
    const PlantedFault* fault = nullptr;
    std::string caught_by;               // name of the defence; empty: nobody noticed
    std::string how;                     // what it saw
    std::vector<std::string> also = {};  // further ones, where more than one has to notice
    bool caught() const { return !caught_by.empty() && also.size() + 1 >= fault->lines; }
};

struct PlantedReport {
    std::vector<PlantedResult> results;
    // Alarms, with no fault planted, of the defences that caught one: must be empty, or catching
    // means nothing.
    std::vector<std::string> false_alarms;

    bool all_caught() const;
    nlohmann::json json() const;
    std::string text() const;  // a table, and the count for each defence
};

struct PlantedOptions {
    std::string only;  // run faults whose id contains this; empty: all
    bool gpu = false;  // run faults of GPU code only (gpu_programs.h)
    // Of every `parts` faults the one at place `part`: the switches are global, so what runs at
    // the same time must be processes.
    std::size_t part = 0;
    std::size_t parts = 1;
    std::function<void(const PlantedResult&)> progress;
};

// Leaves no fault on.
PlantedReport run_planted(const PlantedOptions& options = {});

}  // namespace proviso::fuzz
