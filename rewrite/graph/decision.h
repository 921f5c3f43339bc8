// One choice for a whole graph: a variant of each operator, a layout for each parameter that may
// change, and the conversions between them, at the least cost.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rewrite/graph/costs.h"

namespace proviso::rewrite {

// What there is to choose from.
struct GraphChoices {
    std::vector<OperatorShape> shapes;           // of each kind
    std::vector<std::vector<Variant>> variants;  // of each kind
    std::set<std::size_t> repacked;  // parameters whose layouts the caller changes, by tensor
    std::set<std::size_t> prepared;  // parameters whose conversions run once, for all runs
    // What the whole graph has refused: variants of operators, and conversions of tensors to maps.
    std::set<std::pair<std::size_t, std::size_t>> not_here;
    std::set<std::pair<std::size_t, std::string>> no_conversion;
    std::set<std::size_t> unshared;  // tensors each of whose readers gets a copy of its own
};

// A copy of a tensor in another layout, which several operators may read.
struct Conversion {
    std::size_t tensor = 0;
    GraphLayout from;
    GraphLayout to;
    std::vector<std::size_t> readers;  // operators, in their order
    bool result = false;               // of an output into the layout that the caller expects
    std::int64_t cost = 0;

    // Operators from the first reader to the last one.
    std::size_t span() const { return result ? 0 : readers.back() - readers.front(); }
};

struct Decision {
    std::vector<std::size_t> variant;  // of each operator
    std::vector<GraphLayout> layout;   // of each tensor, as it is written (or given)
    std::vector<Conversion> conversions;
    std::int64_t cost = 0;
    std::int64_t bound = 0;    // no choice costs less: a certificate shows it, and was checked
    bool exact = false;        // the cost is the bound
    std::size_t clusters = 0;  // of the certificate
    std::int64_t as_is = -1;   // what the graph costs as it is; -1: it has no cost
    std::vector<std::string> notes;
};

Result<Decision> decide(const Network& network, const GraphChoices& choices, const Costs& costs);

// The schedule of a decision, and which operator each of its lines (from 1) is about.
struct GraphSchedule {
    std::string text;
    struct Line {
        std::size_t op = 0;      // or
        std::size_t tensor = 0;  // of a conversion
        std::string map;         // that it converts to
        bool conversion = false;
        bool known = false;
    };
    std::vector<Line> lines;
};
GraphSchedule schedule_of(const Network& network, const GraphChoices& choices,
                          const Decision& decision);

}  // namespace proviso::rewrite
