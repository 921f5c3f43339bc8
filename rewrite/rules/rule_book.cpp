#include "rewrite/rules/rule_book.h"

namespace proviso::rewrite {

RuleBook::RuleBook(std::span<const ExpressionRule> rules) {
    for (const ExpressionRule& rule : rules) {
        for (ir::ScalarType kind : rule.kinds.types()) {
            Result<RuleInstance> read = instantiate(patterns_, rule, kind);
            PROVISO_CHECK(read.ok(), "a rule that does not read: " + read.error().str());
            instances_.push_back(*read);
            by_name_.emplace(std::pair(rule.name, kind), &instances_.back());
            matcher_.add(patterns_, instances_.back());
        }
    }
}

const RuleInstance* RuleBook::find(std::string_view name, ir::ScalarType kind) const {
    const auto found = by_name_.find(std::pair(name, kind));
    return found == by_name_.end() ? nullptr : found->second;
}

const RuleBook& RuleBook::standard() {
    static const RuleBook book(expression_rules());
    return book;
}

}  // namespace proviso::rewrite
