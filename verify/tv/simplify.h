// Simplification of symbolic terms while they are built, so that programs that compute the same
// mostly end in the same handle. Terms are read as mathematics (analysis/obligation.h): their
// operands are definite and nothing faults; the executor records separately what that needs.
#pragma once

#include <unordered_map>
#include <vector>

#include "ir/context.h"
#include "ir/domains/float_class.h"

namespace proviso::verify {

class Simplifier {
  public:
    explicit Simplifier(ir::Context& ctx) : ctx_(ctx) {}

    // `node` with simplified arguments, as a term of the same value.
    //  * Constants are folded by eval_op, but for math functions that proofs leave uninterpreted.
    //  * A cast to a type that holds every value, and back, is none.
    //  * Integers: x + 0, x - 0, x * 1, x * 0, x - x, comparisons of a term with itself.
    //  * Floats: x * 1.0, x / 1.0, x - 0.0 and x + (-0.0) are x for every x, and so is x + z where
    //  z
    //    is a zero of either sign and x is never -0.0: a product with 0.0 of what is finite, say.
    //    In such a sum, and in comparisons, products that are NaN or a zero have factors of +0.0
    //    for all that are zeros.
    //    All NaNs are one value.
    ir::Expr node(ir::Expr node);

    // The symbol stands for no NaN and no infinity. Before any term is made of it.
    void promise_finite(ir::Expr symbol) { classes_[symbol].mask = ir::FloatClass::kFinite; }

    ir::Expr make(ir::Op op, const std::vector<ir::Expr>& args) {
        return node(ctx_.make(op, args));
    }
    // What is plain at once is not made and simplified.
    ir::Expr both(ir::Expr a, ir::Expr b) {
        if (ir::is_true(a) || a == b) return b;
        return ir::is_true(b) ? a : make(ir::Op::And, {a, b});
    }
    ir::Expr either(ir::Expr a, ir::Expr b) {
        if (ir::is_false(a) || a == b) return b;
        return ir::is_false(b) ? a : make(ir::Op::Or, {a, b});
    }
    ir::Expr opposite(ir::Expr a) { return make(ir::Op::Not, {a}); }
    ir::Expr implies(ir::Expr a, ir::Expr b) {
        if (ir::is_true(a) || ir::is_true(b)) return b;
        return either(opposite(a), b);
    }
    ir::Expr select(ir::Expr c, ir::Expr a, ir::Expr b) {
        if (a == b) return a;
        return ir::is_const(c) ? (ir::is_true(c) ? a : b) : make(ir::Op::Select, {c, a, b});
    }
    ir::Expr same(ir::Expr a, ir::Expr b) { return make(ir::Op::Same, {a, b}); }

    // Which of NaN, infinities, numbers and zeros a term can be, by what operators do to classes.
    ir::FloatClass class_of(ir::Expr e);

  private:
    ir::Expr ordered(ir::Expr e);
    ir::Expr cast(ir::Expr e);
    ir::Expr integers(ir::Expr e);
    ir::Expr floats(ir::Expr e);
    bool adds_nothing(ir::Expr x, ir::Expr zero);
    // Another zero where `e` is one; NaN where it is, and any other value `e` itself.
    ir::Expr without_sign(ir::Expr e);
    ir::Expr logic(ir::Expr e);
    ir::Expr choice(ir::Expr e);
    ir::Expr comparison(ir::Expr e);

    ir::Context& ctx_;
    std::unordered_map<ir::Expr, ir::FloatClass> classes_;
};

}  // namespace proviso::verify
