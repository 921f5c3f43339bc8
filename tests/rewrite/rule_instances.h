// Instances of rules for tests: constants that satisfy `where`, terms that are variables, left and
// right sides under them.
#pragma once

#include <optional>
#include <random>

#include "rewrite/expression_rules/rule_book.h"

namespace proviso::rewrite {

// The left side of a rule under bindings; null when a constant in it cannot be computed.
inline ir::Expr build_left(ir::Context& ctx, const RuleInstance& rule, const Bindings& b) {
    return build(ctx, rule.left, b);
}

namespace test {

// A value of the type that is likely to matter: small, an end of the range, or anything.
ir::Expr interesting_constant(ir::Context& ctx, ir::ScalarType type, std::mt19937_64& random);

class InstanceMaker {
  public:
    InstanceMaker(ir::Context& ctx, std::uint64_t seed) : ctx_(ctx), random_(seed) {}

    // Each term variable stands for a program variable of its name and type, each constant for a
    // literal, such that `where` holds. Empty when no constants were found.
    std::optional<Bindings> bindings(const RuleInstance& rule);

  private:
    ir::Context& ctx_;
    std::mt19937_64 random_;
};

}  // namespace test
}  // namespace proviso::rewrite
