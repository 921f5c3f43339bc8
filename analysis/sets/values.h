// The set of values of an expression, as its variables range over sets.
//
//   (i + 2) % 8          i in [0, 5]       [2, 7]
//   (i + 6) % 8          i in [0, 5]       [0, 3] + [6, 7]
//   i * 4 + j            j in [0, 1]       [0, 28 by 4] and the numbers after them
//   i // 4               i in [0, n - 1]   [0, (n - 1) // 4]
#pragma once

#include <map>

#include "analysis/sets/index_set.h"

namespace proviso::analysis {

// Variables range over their sets independently; a variable without a set is a parameter, one
// number that is not known. Read as mathematics (obligation.h); operands are taken to be in their
// types' ranges, and where the expression would fault no value is counted. That a set is exact is
// said for the case that no variable's set is empty.
struct ValueSets {
    const SetScope& scope;
    std::map<ir::Expr, IndexSet> domains;
    // Small constant domains are enumerated where operators alone give no exact set.
    std::size_t most_points = 4096;

    IndexSet of(ir::Expr e) const;

  private:
    IndexSet structural(ir::Expr e) const;
    IndexSet affine(const Affine& form) const;
    IndexSet sum(const IndexSet& a, const IndexSet& b) const;
    IndexSet scaled(const IndexSet& a, const ir::Integer& by) const;
    IndexSet quotient(const IndexSet& a, const ir::Integer& by) const;
    IndexSet remainder(const IndexSet& a, const ir::Integer& by) const;
    IndexSet extremum(ir::Expr e) const;
    std::optional<IndexSet> product(ir::Expr e) const;
    IndexSet bounds(ir::Expr e) const;
    std::optional<IndexSet> enumerated(ir::Expr e) const;
};

// The members of a set with constant ends, ascending; none when they are more than `most`, or the
// set is no such set.
std::optional<std::vector<ir::Integer>> members(const IndexSet& a, std::size_t most);

}  // namespace proviso::analysis
