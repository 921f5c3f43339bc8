// From patterns back to expressions: what a right side, a `where` or a `needs` says under the
// bindings that a match gave.
#pragma once

#include <cstdint>

#include "ir/domains/value.h"
#include "rewrite/expression_rules/rule_instance.h"

namespace proviso::rewrite {

// What the pattern variables stand for, by slot; null where the left side has no such variable. All
// of one Context, which need not be that of the patterns.
struct Bindings {
    std::array<ir::Expr, kSlots> terms{};
};

// The value of a constant pattern under the bindings, by the operators' meaning on values. Does not
// allocate. A fault, or a value out of its type's range, means that the rule does not apply.
ir::Evaluated constant_under(ir::Expr pattern, const Bindings& bindings);

// What nearly all constants are: integers of 64 bits that stay in their types' ranges. Gives the
// value of a pattern whose variables stand for such literals; false for everything else, which
// `constant_under` then decides where it is constant.
bool narrow_constant(ir::Expr pattern, const Bindings& bindings, std::int64_t& out);

// `where` holds; true when the rule has none. A `where` that faults does not hold.
bool where_holds(const RuleInstance& rule, const Bindings& bindings);

// The pattern with its variables replaced and its constant parts computed. Null when a computed
// constant is not a value of its type.
ir::Expr build(ir::Context& ctx, ir::Expr pattern, const Bindings& bindings);

// The claims of `needs` as boolean expressions, in order. Empty optional as `build` is null.
std::optional<std::vector<ir::Expr>> build_needs(ir::Context& ctx, const RuleInstance& rule,
                                                 const Bindings& bindings);

// What the need claims of its pattern's instance `e`.
ir::Expr need_claim(ir::Context& ctx, const Need& need, ir::Expr e);

}  // namespace proviso::rewrite
