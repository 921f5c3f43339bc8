// What all solving shares: a claim with the prover's answer to it, and in which direction a found
// formula may differ from what was asked for. Searching guesses; the checks decide what is said.
#pragma once

#include <string>
#include <vector>

#include "analysis/prover/prover.h"
#include "ir/domains/integer.h"

namespace proviso::analysis::solve {

struct Checked {
    Obligation obligation;
    Answer answer;
    bool proved() const { return answer.verdict == Verdict::Proved; }
};

bool all_proved(const std::vector<Checked>& checks);

enum class Direction : std::uint8_t {
    Exact,  // holds where what was asked for holds, and nowhere else
    Over,   // holds at least where it holds: necessary
    Under,  // holds at most where it holds: sufficient
};
const char* direction_name(Direction d);  // "exact", "over", "under"

// Builders that leave out what does nothing: x + 0, x * 1, x // 1, constants folded. `floored`,
// `ceiling` and `remainder` take a positive divisor. Null in, null out; null where a constant
// leaves the type.
class Builder {
  public:
    explicit Builder(ir::Context& ctx) : ctx_(ctx) {}
    ir::Expr number(ir::ScalarType type, const ir::Integer& value) const;
    ir::Expr sum(ir::Expr a, ir::Expr b) const;
    ir::Expr difference(ir::Expr a, ir::Expr b) const;
    ir::Expr product(ir::Expr a, ir::Expr b) const;
    ir::Expr floored(ir::Expr a, ir::Expr b) const;
    ir::Expr ceiling(ir::Expr a, ir::Expr b) const;  // ceil(a / b)
    ir::Expr remainder(ir::Expr a, ir::Expr b) const;
    // The same comparison with positive parts only: 0 <= p - 2 is 2 <= p. Others as they are.
    ir::Expr balanced(ir::Expr comparison) const;
    // The condition that holds where the given one does not, without `not` where possible.
    ir::Expr opposite(ir::Expr condition) const;

  private:
    ir::Context& ctx_;
};

// Whether the variable, or any of them, occurs free in the expression.
bool mentions(ir::Expr e, ir::Expr variable);
bool mentions_any(ir::Expr e, const std::vector<ir::Expr>& variables);

}  // namespace proviso::analysis::solve
