// How a Context finds what it has made before: expressions by what they are, and lists of handles
// that stay where they are. Only context.cpp looks in here.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "ir/expr.h"

namespace proviso::ir::intern {

class Hash {
  public:
    Hash(Op op, ScalarType type)
        : state_((static_cast<std::size_t>(op) << 16) | (static_cast<std::size_t>(type.code) << 8) |
                 type.bits) {}
    void add(std::size_t value) {
        state_ = (state_ ^ value) * 0x9e3779b97f4a7c15ULL;
        state_ ^= state_ >> 29;
    }
    std::size_t value() const { return state_ ^ (state_ >> 17); }

  private:
    std::size_t state_;
};

// Of an operator without payload.
inline std::size_t hash_of(Op op, ScalarType type, std::span<const Expr> args) {
    Hash h(op, type);
    for (Expr a : args) h.add(a->id);
    return h.value();
}

inline std::size_t hash_of(const ExprNode& e) {
    Hash h(e.op, e.type);
    h.add(static_cast<std::size_t>(e.bits));
    h.add(reinterpret_cast<std::size_t>(e.name));
    h.add(reinterpret_cast<std::size_t>(e.buffer));
    for (Expr a : e.args) h.add(a->id);
    return h.value();
}

inline bool equal(const ExprNode& a, const ExprNode& b) {
    return a.op == b.op && a.type == b.type && a.bits == b.bits && a.name == b.name &&
           a.buffer == b.buffer && a.var_type == b.var_type &&
           std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end());
}

inline std::uint8_t mark_of(Op op) {
    switch (op) {
        case Op::Load: return kLoadWithin;
        case Op::Undef: return kUndefWithin;
        case Op::CallExtern: return kCallWithin;
        case Op::Let: return kLetWithin;
        default: return 0;
    }
}

// Expressions by what they are: open addressing, with the hash beside the handle, so that a look-up
// touches one line of memory, and the node only where it is the right one.
class ExprTable {
  public:
    // The expression of which `is_it` says so; null when there is none.
    template <typename Test>
    Expr find(std::size_t hash, Test is_it) const {
        for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
            const Slot& s = slots_[i];
            if (s.expr == nullptr) return nullptr;
            if (s.hash == hash && is_it(*s.expr)) return s.expr;
        }
    }
    void insert(Expr e, std::size_t hash) {
        if (2 * ++count_ > slots_.size()) grow();
        place({e, hash});
    }

  private:
    struct Slot {
        Expr expr = nullptr;
        std::size_t hash = 0;
    };
    void place(const Slot& s) {
        std::size_t i = s.hash & mask_;
        while (slots_[i].expr != nullptr) i = (i + 1) & mask_;
        slots_[i] = s;
    }
    void grow() {
        const std::vector<Slot> old = std::move(slots_);
        slots_ = std::vector<Slot>(old.size() * 2);
        mask_ = slots_.size() - 1;
        for (const Slot& s : old) {
            if (s.expr != nullptr) place(s);
        }
    }

    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::size_t mask_ = 63;
    std::size_t count_ = 0;
};

// Lists of handles that stay where they are.
class HandleStore {
  public:
    std::span<const Expr> keep(std::span<const Expr> list) {
        if (list.empty()) return {};
        if (list.size() > left_) {
            const std::size_t block = std::max<std::size_t>(kBlock, list.size());
            blocks_.push_back(std::make_unique<Expr[]>(block));
            next_ = blocks_.back().get();
            left_ = block;
        }
        Expr* at = next_;
        std::copy(list.begin(), list.end(), at);
        next_ += list.size();
        left_ -= list.size();
        return {at, list.size()};
    }

  private:
    static constexpr std::size_t kBlock = 1024;
    std::vector<std::unique_ptr<Expr[]>> blocks_;
    Expr* next_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace proviso::ir::intern
