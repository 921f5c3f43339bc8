// A set of rules, ready for use: rules read for the kinds that are asked for, and a matcher for
// each kind. Reading a rule takes microseconds and there are thousands of (rule, kind) pairs, of
// which a process needs a few kinds; so a kind's rules are read when the kind is first met.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>

#include "rewrite/expression_rules/matcher.h"

namespace proviso::rewrite {

// All instances of a book, rule by rule, kind by kind.
class InstanceList {
  public:
    class Iterator {
      public:
        explicit Iterator(const RuleInstance* const* at) : at_(at) {}
        const RuleInstance& operator*() const { return **at_; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator!=(const Iterator& other) const { return at_ != other.at_; }

      private:
        const RuleInstance* const* at_;
    };

    Iterator begin() const { return Iterator(all_.data()); }
    Iterator end() const { return Iterator(all_.data() + all_.size()); }
    std::size_t size() const { return all_.size(); }
    const RuleInstance& operator[](std::size_t i) const { return *all_[i]; }

  private:
    friend class RuleBook;
    std::vector<const RuleInstance*> all_;
};

class RuleBook {
  public:
    // A rule that does not read is a broken invariant here (the tables are ours), found when its
    // kind is. The rules must outlive the book.
    explicit RuleBook(std::span<const ExpressionRule> rules);
    ~RuleBook();

    // The library (expression_rules()). Threads may share it.
    static const RuleBook& standard();

    // Every rule for every kind that it claims.
    const InstanceList& instances() const;
    // The rule of this name for this kind, or null.
    const RuleInstance* find(std::string_view name, ir::ScalarType kind) const;

    // Calls `visit` for every rule whose left side matches `e` and whose `where` holds, until it
    // returns true; gives whether it did. Kind by kind in a fixed order, and as the net has it, the
    // same in every run.
    bool match(ir::Expr e, const Matcher::Visit& visit) const;

    // The same for who has called `meet` for the types of all nodes of `e`: no more than the
    // look-up.
    bool match_known(ir::Expr e, const Matcher::Visit& visit) const;
    void meet(ir::ScalarType type) const {
        if ((known_.load(std::memory_order_acquire) & bit_of(type)) == 0) read(type);
    }

  private:
    struct Part;  // the rules of one kind

    static std::uint32_t bit_of(ir::ScalarType type) {
        // Distinct for all scalar types: by code, and by the logarithm of the width.
        const auto width = static_cast<unsigned>(31 - __builtin_clz(type.bits));
        return 1U << (static_cast<unsigned>(type.code) * 4 + (width < 3 ? 0 : width - 3));
    }
    Part& part(ir::ScalarType type) const;
    void read(ir::ScalarType type) const;
    void read_wholly(ir::ScalarType type) const;  // with the lemmas, which only proofs use

    std::span<const ExpressionRule> rules_;
    std::vector<std::unique_ptr<Part>> parts_;  // in the order of ir::all_scalar_types()
    mutable std::mutex reading_;
    mutable std::atomic<std::uint32_t> known_{0};  // bit_of the kinds that were read
    mutable std::atomic<std::uint32_t> ready_{0};  // the same by their places in parts_
    mutable std::once_flag listed_;
    mutable InstanceList list_;
};

}  // namespace proviso::rewrite
