// What `proviso graph` says, for people and for machines.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rewrite/graph/decision.h"

namespace proviso::tools {

struct GraphResult {
    rewrite::GraphChoices choices;
    rewrite::Decision decision;
    std::string unit;  // of costs
    std::string schedule;
    // Variants that the whole graph refused although their operators allow them: "op: why".
    std::vector<std::string> refused_in_graph;
    std::vector<std::string> untimed;  // what --measure has no time of, and why
    std::size_t steps = 0;             // of the schedule on the whole graph
    std::size_t obligations = 0;
    double seconds = 0;
};

std::string network_text(const rewrite::Network& network);
nlohmann::json network_json(const rewrite::Network& network);
// `all`: each refused variant by itself.
std::string decision_text(const rewrite::Network& network, const GraphResult& result, bool all);
nlohmann::json decision_json(const rewrite::Network& network, const GraphResult& result);

}  // namespace proviso::tools
