// Statements that a pass wants, one after the other: after each step as if from the top, so that
// what comes first in the program comes first, but without looking again into statements that are
// known to hold none. A step shares what it does not change with the program before.
#pragma once

#include <functional>
#include <unordered_set>

#include "ir/site.h"

namespace proviso::rewrite {

class Sweep {
  public:
    // Whether a statement is wanted must depend on nothing but the statement.
    explicit Sweep(std::function<bool(ir::Stmt)> wanted) : wanted_(std::move(wanted)) {}

    // `act` on the wanted statements of a body, parents first, in textual order, until it says
    // true.
    using Act = std::function<bool(const ir::Site&, ir::Stmt)>;
    bool find(ir::Stmt body, const Act& act);

  private:
    bool walk(ir::Stmt s, ir::Site& site, const Act& act);

    std::function<bool(ir::Stmt)> wanted_;
    std::unordered_set<ir::Stmt> without_;  // nothing wanted in them
};

}  // namespace proviso::rewrite
