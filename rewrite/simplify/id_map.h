// A map from expressions of one context to values, by their ids. Values stand one behind the other
// in the order in which they came, and beside them, once there are more than a few, an index of
// eight bytes a slot: most maps hold a handful of values, all are looked at far more often than
// they grow, and what they take is memory that others want to have near.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "ir/expr.h"

namespace proviso::rewrite {

template <typename V>
class IdMap {
  public:
    V* find(ir::Expr e) {
        const std::uint32_t key = e->id;
        if (index_.empty()) {
            for (Entry& entry : entries_) {
                if (entry.key == key) return &entry.value;
            }
            return nullptr;
        }
        for (std::size_t i = place(key);; i = (i + 1) & mask_) {
            const Slot& slot = index_[i];
            if (slot.at == 0) return nullptr;
            if (slot.key == key) return &entries_[slot.at - 1].value;
        }
    }
    const V* find(ir::Expr e) const { return const_cast<IdMap*>(this)->find(e); }

    // Sets the value, replacing one that is there. References to values do not outlive it.
    V& put(ir::Expr e, V value) {
        if (V* known = find(e)) {
            *known = std::move(value);
            return *known;
        }
        return add(e, std::move(value));
    }
    // The same for what is known not to be there.
    V& add(ir::Expr e, V value) {
        if (entries_.size() == entries_.capacity()) {
            const std::size_t size = entries_.size();
            entries_.reserve(size == 0 ? kFew : size < 16 * kFew ? 4 * size : 2 * size);
        }
        entries_.push_back({std::move(value), e->id});
        if (2 * entries_.size() > index_.size() && entries_.size() > kFew) {
            grow();
        } else if (!index_.empty()) {
            enter(e->id, static_cast<std::uint32_t>(entries_.size()));
        }
        return entries_.back().value;
    }
    std::size_t size() const { return entries_.size(); }

    // The number of the value, made where there is none yet: it stays when others are added.
    std::uint32_t number_of(ir::Expr e) {
        const std::uint32_t key = e->id;
        if (index_.empty()) {
            for (std::uint32_t i = 0; i < entries_.size(); ++i) {
                if (entries_[i].key == key) return i;
            }
        } else {
            for (std::size_t i = place(key);; i = (i + 1) & mask_) {
                const Slot& slot = index_[i];
                if (slot.at == 0) break;
                if (slot.key == key) return slot.at - 1;
            }
        }
        add(e, {});
        return static_cast<std::uint32_t>(entries_.size() - 1);
    }
    V& at(std::uint32_t number) { return entries_[number].value; }

  private:
    static constexpr std::size_t kFew = 8;
    struct Entry {
        V value;
        std::uint32_t key;
    };
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t at = 0;  // of the entry, from 1; 0: free
    };

    std::size_t place(std::uint32_t key) const {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> shift_);  // Fibonacci
    }
    void enter(std::uint32_t key, std::uint32_t at) {
        std::size_t i = place(key);
        while (index_[i].at != 0) i = (i + 1) & mask_;
        index_[i] = {key, at};
    }
    void grow() {
        const std::size_t size = index_.empty() ? 8 * kFew : index_.size() * 4;
        index_.assign(size, Slot{});
        mask_ = size - 1;
        shift_ = 64 - std::countr_zero(size);
        std::uint32_t at = 0;
        for (const Entry& entry : entries_) enter(entry.key, ++at);
    }

    std::vector<Entry> entries_;
    std::vector<Slot> index_;
    std::size_t mask_ = 0;
    int shift_ = 64;
};

}  // namespace proviso::rewrite
