// A map from expressions of one context to values, by their ids: open addressing in one array, no
// allocation per entry. Lookups dominate the simplifier's time, hence no std::unordered_map.
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
        if (slots_.empty()) return nullptr;
        const std::uint32_t key = e->id + 1;
        for (std::size_t i = place(key);; i = (i + 1) & mask_) {
            if (slots_[i].first == key) return &slots_[i].second;
            if (slots_[i].first == 0) return nullptr;
        }
    }
    const V* find(ir::Expr e) const { return const_cast<IdMap*>(this)->find(e); }

    // Sets the value, replacing one that is there. References to values do not outlive it.
    V& put(ir::Expr e, V value) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        const std::uint32_t key = e->id + 1;
        std::size_t i = place(key);
        while (slots_[i].first != key && slots_[i].first != 0) i = (i + 1) & mask_;
        if (slots_[i].first == 0) ++count_;
        slots_[i].first = key;
        slots_[i].second = std::move(value);
        return slots_[i].second;
    }
    std::size_t size() const { return count_; }

  private:
    std::size_t place(std::uint32_t key) const {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> shift_);  // Fibonacci
    }
    void grow() {
        std::vector<std::pair<std::uint32_t, V>> old = std::move(slots_);
        const std::size_t size = old.empty() ? 16 : old.size() * (old.size() < 256 ? 4 : 2);
        slots_ = std::vector<std::pair<std::uint32_t, V>>(size);
        mask_ = size - 1;
        shift_ = 64 - std::countr_zero(size);
        for (auto& [key, value] : old) {
            if (key == 0) continue;
            std::size_t i = place(key);
            while (slots_[i].first != 0) i = (i + 1) & mask_;
            slots_[i].first = key;
            slots_[i].second = std::move(value);
        }
    }

    std::vector<std::pair<std::uint32_t, V>> slots_;  // key: id + 1; 0: free
    std::size_t count_ = 0;
    std::size_t mask_ = 0;
    int shift_ = 64;
};

}  // namespace proviso::rewrite
