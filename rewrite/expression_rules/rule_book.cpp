#include "rewrite/expression_rules/rule_book.h"

#include <algorithm>

namespace proviso::rewrite {

using ir::Expr;
using ir::ScalarType;

struct RuleBook::Part {
    ScalarType kind;
    ir::Context patterns;
    std::deque<RuleInstance> instances;
    std::map<std::string_view, const RuleInstance*> by_name;
    Matcher matcher;
    bool lemmas_read = false;

    void read(std::span<const ExpressionRule> rules) {
        PatternReader texts(patterns, kind);
        for (const ExpressionRule& rule : rules) {
            if (!rule.kinds.contains(kind)) continue;
            Result<RuleInstance> one = instantiate_for_matching(patterns, rule, kind, texts);
            PROVISO_CHECK(one.ok(), "a rule that does not read: " + one.error().str());
            instances.push_back(std::move(*one));
            by_name.emplace(rule.name, &instances.back());
            matcher.add(patterns, instances.back());
        }
        matcher.seal();
    }

    // Nothing that matching looks at.
    void read_lemmas() {
        if (lemmas_read) return;
        lemmas_read = true;
        for (RuleInstance& one : instances) {
            Result<std::vector<LawUse>> lemmas = rewrite::read_lemmas(patterns, one);
            PROVISO_CHECK(lemmas.ok(), "a lemma that does not read: " + lemmas.error().str());
            one.lemmas = std::move(*lemmas);
        }
    }
};

RuleBook::RuleBook(std::span<const ExpressionRule> rules) : rules_(rules) {
    for (ScalarType kind : ir::all_scalar_types()) {
        parts_.push_back(std::make_unique<Part>());
        parts_.back()->kind = kind;
    }
}

RuleBook::~RuleBook() = default;

RuleBook::Part& RuleBook::part(ScalarType type) const {
    const auto at = std::find_if(parts_.begin(), parts_.end(),
                                 [type](const auto& p) { return p->kind == type; });
    PROVISO_CHECK(at != parts_.end(), "a scalar type out of the list");
    return **at;
}

void RuleBook::read(ScalarType type) const {
    const std::lock_guard<std::mutex> lock(reading_);
    if ((known_.load(std::memory_order_relaxed) & bit_of(type)) != 0) return;
    part(type).read(rules_);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i]->kind == type) ready_.fetch_or(1U << i, std::memory_order_release);
    }
    known_.fetch_or(bit_of(type), std::memory_order_release);
}

const InstanceList& RuleBook::instances() const {
    std::call_once(listed_, [this] {
        for (const auto& p : parts_) read_wholly(p->kind);
        for (const ExpressionRule& rule : rules_) {
            for (ScalarType kind : rule.kinds.types()) {
                list_.all_.push_back(part(kind).by_name.at(rule.name));
            }
        }
    });
    return list_;
}

void RuleBook::read_wholly(ScalarType type) const {
    meet(type);
    const std::lock_guard<std::mutex> lock(reading_);
    part(type).read_lemmas();
}

const RuleInstance* RuleBook::find(std::string_view name, ScalarType kind) const {
    read_wholly(kind);
    const auto& names = part(kind).by_name;
    const auto found = names.find(name);
    return found == names.end() ? nullptr : found->second;
}

bool RuleBook::match_known(Expr e, const Matcher::Visit& visit) const {
    for (std::uint32_t rest = ready_.load(std::memory_order_acquire); rest != 0; rest &= rest - 1) {
        const auto at = static_cast<std::size_t>(__builtin_ctz(rest));
        if (parts_[at]->matcher.match(e, visit)) return true;
    }
    return false;
}

bool RuleBook::match(Expr e, const Matcher::Visit& visit) const {
    for (const auto& p : parts_) meet(p->kind);
    return match_known(e, visit);
}

const RuleBook& RuleBook::standard() {
    static const RuleBook book(expression_rules());
    return book;
}

}  // namespace proviso::rewrite
