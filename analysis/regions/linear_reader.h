// Index expressions and conditions of programs as linear forms and conjunctions, read as
// mathematics (obligation.h). Quotients and remainders by numbers get a variable for the quotient;
// T.min, T.max and choices get a case for each operand.
//
//   f // 6, f % 6      q and f - 6 * q, where 0 <= f - 6 * q <= 5
//   T.min(n, i + 4)    n where n <= i + 4;  i + 4 where i + 5 <= n
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analysis/regions/conjunction.h"

namespace proviso::analysis {

// One case: `form` where `when` holds.
struct GuardedForm {
    Conjunction when;
    Affine form;
};

class LinearReader {
  public:
    // `varying`: what is to be eliminated. Everything else is a parameter: terms over parameters
    // alone that are not linear are parameters themselves.
    LinearReader(ir::Context& ctx, const std::vector<ir::Expr>& varying);

    std::vector<GuardedForm> forms(ir::Expr e);
    // A union: the condition holds (or does not hold) where one of them does.
    std::vector<Conjunction> conditions(ir::Expr condition, bool holds = true);

    // False: what was read holds at least where the expressions say so; a value that is not linear
    // may be any number.
    bool exact() const { return exact_; }
    // What was introduced, to be eliminated with the varying ones: quotients, unknown values.
    const std::vector<ir::Expr>& introduced() const { return introduced_; }
    // What is known of parameters that are quotients: 4 * (n // 4) <= n.
    const Conjunction& known() const { return known_; }

  private:
    ir::Expr fresh(ir::ScalarType type);
    bool varies(ir::Expr e) const;
    std::vector<GuardedForm> unknown(ir::Expr e);
    std::vector<GuardedForm> quotient(ir::Expr argument, const ir::Integer& by, bool remainder);
    std::vector<GuardedForm> choice(ir::Expr condition, ir::Expr a, ir::Expr b);
    std::vector<Conjunction> compared(ir::Expr low, ir::Expr high, const ir::Integer& gap);

    ir::Context& ctx_;
    std::set<ir::Expr> varying_;
    std::vector<ir::Expr> introduced_;
    std::map<std::pair<ir::Expr, ir::Integer>, ir::Expr> quotients_;
    std::map<ir::Expr, ir::Expr> unknown_;
    Conjunction known_;
    bool exact_ = true;
};

// Both hold: every pair of cases.
std::vector<Conjunction> both(const std::vector<Conjunction>& a, const std::vector<Conjunction>& b);

inline constexpr std::size_t kMostCases = 64;

}  // namespace proviso::analysis
