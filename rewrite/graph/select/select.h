// The cheapest choice of values, by bucket elimination (Dechter, "Bucket elimination: a unifying
// framework for reasoning", 1999): exactly, or, where a table would be too large, with a lower
// bound from mini-buckets (Dechter and Rish, "Mini-buckets", 2003) and a choice that local search
// has made better.
#pragma once

#include "rewrite/graph/select/certificate.h"

namespace proviso::rewrite {

struct SelectionLimits {
    std::size_t most_cells = std::size_t{1} << 20;  // of one table
    std::size_t most_sums = std::size_t{1} << 27;   // costs added up; then tables get smaller
    std::size_t rounds = 100;                       // of local search, where it is not exact
};

struct Selection {
    std::vector<std::size_t> values;
    std::int64_t cost = 0;
    bool exact = false;           // cost == certificate.bound
    CostCertificate certificate;  // that no choice costs less than its bound
};

// Of equally cheap choices the same one on any machine. Errors: the problem is none (check_costs),
// one of its tables is larger than the limit, every choice costs kNever, or none that costs less
// was found where it is not exact.
Result<Selection> cheapest(const CostProblem& problem, const SelectionLimits& limits = {});

}  // namespace proviso::rewrite
