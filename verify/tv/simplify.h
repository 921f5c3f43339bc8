// Simplification of symbolic terms while they are built, so that programs that compute the same
// mostly end in the same handle. Terms are read as mathematics (analysis/obligation.h): their
// operands are definite and nothing faults; the executor records separately what that needs.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/context.h"

namespace proviso::verify {

class Simplifier {
  public:
    explicit Simplifier(ir::Context& ctx) : ctx_(ctx) {}

    // `node` with simplified arguments, as a term of the same value.
    //  * Constants are folded by eval_op, but for math functions that proofs leave uninterpreted.
    //  * Integers: x + 0, x - 0, x * 1, x * 0, x - x, comparisons of a term with itself.
    //  * Floats: x + (-0.0), x - 0.0, x * 1.0, x / 1.0 are x for every x; x + 0.0 is x where x is
    //    never -0.0. All NaNs are one value.
    ir::Expr node(ir::Expr node);

    ir::Expr make(ir::Op op, std::vector<ir::Expr> args) {
        return node(ctx_.make(op, std::move(args)));
    }
    ir::Expr both(ir::Expr a, ir::Expr b) { return make(ir::Op::And, {a, b}); }
    ir::Expr either(ir::Expr a, ir::Expr b) { return make(ir::Op::Or, {a, b}); }
    ir::Expr opposite(ir::Expr a) { return make(ir::Op::Not, {a}); }
    ir::Expr implies(ir::Expr a, ir::Expr b) { return either(opposite(a), b); }
    ir::Expr select(ir::Expr c, ir::Expr a, ir::Expr b) { return make(ir::Op::Select, {c, a, b}); }
    ir::Expr same(ir::Expr a, ir::Expr b) { return make(ir::Op::Same, {a, b}); }

    // In round-to-nearest a sum is -0.0 only when both operands are; so a sum that starts from +0.0
    // never is.
    bool never_negative_zero(ir::Expr e);

  private:
    ir::Expr ordered(ir::Expr e);
    ir::Expr integers(ir::Expr e);
    ir::Expr floats(ir::Expr e);
    ir::Expr logic(ir::Expr e);
    ir::Expr choice(ir::Expr e);
    ir::Expr comparison(ir::Expr e);

    ir::Context& ctx_;
    std::unordered_map<ir::Expr, bool> never_negative_zero_;
};

}  // namespace proviso::verify
