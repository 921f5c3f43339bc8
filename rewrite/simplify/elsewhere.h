// Simplifying in another arithmetic, where more is known: what does not wrap as int64, and int64
// arithmetic on what was cast from int32 as int32. And claims joined by `and` and `or`, each under
// the other. All of it only proposes.
#pragma once

#include <functional>

#include "rewrite/simplify/arrange/arrange.h"

namespace proviso::rewrite {

// Simplifies an expression under facts.
using Visit = std::function<ir::Expr(ir::Expr, FactSet&)>;

// An integer expression of a wrapping type, or a comparison of two, none of whose observed operands
// leaves its type, as the ranges of its terms show: simplified as int64, where the terms are
// variables with these ranges. Nothing where that is not smaller.
//
//   (x * T.uint32(8) + y) % T.uint32(4)    0 <= x < 1000, 0 <= y < 8    y % T.uint32(4)
Arranged as_exact(ir::Context& ctx, Surroundings& surroundings, FactSet& s, ir::Expr e,
                  const Visit& visit);

// An int64 expression, or a comparison of two, of what was cast from int32 (Arranger::as_narrow),
// simplified there. Nothing where that is not smaller.
//
//   T.Cast("int64", x + 3) + T.int64(4)    T.Cast("int64", x + 7)
Arranged as_cast(ir::Context& ctx, const Arranger& arranger, FactSet& s, ir::Expr e,
                 const Visit& visit);

// `a and b` without the claims of `a` that follow from `b`; `b` alone or `a` alone where one says
// both. Of `or` the same with opposites.
//
//   x // 8 == 3 and x == 28      x == 28
//   x % 8 == 4 and x // 8 == 3   x == 28
Arranged without_implied(ir::Context& ctx, Surroundings& surroundings, FactSet& s, ir::Expr e,
                         const Visit& visit);

// Claims joined by `and` or `or` that are one: two remainders of a number, its quotient and
// remainder. Of three or more, any two that become smaller beside each other.
//
//   x % 6 == 0 and x % 4 == 0        x % 12 == 0
//   x % 8 == 4 and x // 8 == n       n * 8 + 4 == x
//   x < 5 or (x == 5 or p)           x <= 5 or p
Arranged one_claim(ir::Context& ctx, Surroundings& surroundings, FactSet& s, ir::Expr e);
Arranged regrouped(ir::Context& ctx, Surroundings& surroundings, FactSet& s, ir::Expr e,
                   const Visit& visit);

}  // namespace proviso::rewrite
