// Rules of the library applied to a node as they stand: what the matcher finds, with their
// conditions asked of the surroundings.
#pragma once

#include "rewrite/expression_rules/rule_book.h"
#include "rewrite/simplify/arrange/arrange.h"

namespace proviso::rewrite {

// The first rule that applies, in the book's order; none when no rule does. Rules that need a
// licence are passed over. The book has met the types of all nodes of `e`.
Arranged by_rules(ir::Context& ctx, const RuleBook& book, Surroundings& surroundings, FactSet& s,
                  ir::Expr e, bool explain);

}  // namespace proviso::rewrite
