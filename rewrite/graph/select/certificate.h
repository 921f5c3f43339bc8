// Why no choice costs less than a bound: the costs, moved about between their tables until each
// table that is left has no cost below 0 (a reparametrisation: Werner, "A linear programming
// approach to max-sum problem", 2007). Checking is adding up.
//
// A cluster takes some of the problem's tables and the messages that other clusters have sent to
// it, adds them up over its variables, and takes away the message that it sends itself:
//
//   reduced(x) = sum of its tables(x) + sum of messages to it(x) - its message(x)  >=  0
//
// Each table is in one cluster. A message goes to a later cluster, or, where it is a constant, into
// the bound. Then for every choice x of values, since what is sent is received once,
//
//   cost(x) = sum of reduced(x) + bound  >=  bound.
#pragma once

#include <cstdint>
#include <vector>

#include "rewrite/graph/select/costs.h"

namespace proviso::rewrite {

struct CostCluster {
    std::vector<std::size_t> tables;  // of the problem, by number
    CostTable message;
    std::size_t to = 0;  // the cluster that receives it; its own number: the bound
};

struct CostCertificate {
    std::int64_t bound = 0;
    std::vector<CostCluster> clusters;
};

// That it shows what it says of this problem. The error says what does not add
// up. Knows nothing of how certificates are made. Tables over more than `most_cells` choices are
// not looked at, but refused.
Status check_certificate(const CostProblem& problem, const CostCertificate& certificate,
                         std::size_t most_cells);

}  // namespace proviso::rewrite
