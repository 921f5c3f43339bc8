// A set of rules, ready for use: every rule read for every kind that it claims, and the matcher
// over all of them.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>

#include "rewrite/rules/matcher.h"

namespace proviso::rewrite {

class RuleBook {
  public:
    // Reads the rules; a rule that does not read is a broken invariant here (the tables are ours).
    // The rules must outlive the book.
    explicit RuleBook(std::span<const ExpressionRule> rules);

    // The library (expression_rules()), read once. After that it is constant, so threads may share
    // it.
    static const RuleBook& standard();

    const std::deque<RuleInstance>& instances() const { return instances_; }
    const Matcher& matcher() const { return matcher_; }
    // The rule of this name for this kind, or null.
    const RuleInstance* find(std::string_view name, ir::ScalarType kind) const;

  private:
    ir::Context patterns_;
    std::deque<RuleInstance> instances_;
    std::map<std::pair<std::string_view, ir::ScalarType>, const RuleInstance*> by_name_;
    Matcher matcher_;
};

}  // namespace proviso::rewrite
