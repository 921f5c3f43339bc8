// How a Context finds what it has made before: expressions by what they are. Only context.cpp looks
// in here.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "ir/check.h"
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
    if (op == Op::Load) return kLoadWithin;
    if (op == Op::Undef) return kUndefWithin;
    if (op == Op::CallExtern) return kCallWithin;
    return op == Op::Let ? kLetWithin : 0;
}

// The nodes themselves, each with its list of arguments right behind it, in blocks that stay where
// they are. A node is named by its place: blocks are numbered, and so are the words of a block.
class NodeStore {
  public:
    using Place = std::uint32_t;  // never 0

    const ExprNode& at(Place place) const {
        return *reinterpret_cast<const ExprNode*>(blocks_[place >> kWordBits].get() +
                                                  (place & (kWords - 1)) * kWordSize);
    }
    // Keeps a copy of the node, and of its arguments.
    Place keep(const ExprNode& node) {
        static_assert(std::is_trivially_destructible_v<ExprNode>);
        static_assert(sizeof(ExprNode) % kWordSize == 0 && alignof(ExprNode) <= kWordSize);
        const std::size_t words = sizeof(ExprNode) / kWordSize + node.args.size();
        if (words > kWords - next_ || words > kWords / 4) [[unlikely]]
            return keep_apart(node, words);
        const Place out = place_in(blocks_.size() - 1, next_);
        put(blocks_.back().get() + next_ * kWordSize, node);
        next_ += words;
        return out;
    }

  private:
    static constexpr std::size_t kWordSize = 8;
    static_assert(sizeof(Expr) <= kWordSize);
    static constexpr unsigned kWordBits = 13;
    static constexpr std::size_t kWords = std::size_t{1} << kWordBits;  // of a block

    static Place place_in(std::size_t block, std::size_t word) {
        return static_cast<Place>((block << kWordBits) | word);
    }
    static void put(std::byte* to, const ExprNode& node) {
        auto* args = reinterpret_cast<Expr*>(to + sizeof(ExprNode));
        switch (node.args.size()) {  // nearly all have two; a call takes longer than to copy them
            case 2: new (args + 1) Expr(node.args[1]); [[fallthrough]];
            case 1: new (args) Expr(node.args[0]); [[fallthrough]];
            case 0: break;
            default: std::uninitialized_copy(node.args.begin(), node.args.end(), args);
        }
        auto* kept = new (to) ExprNode(node);
        kept->args = {args, node.args.size()};
    }
    void add_block(std::size_t words) {
        PROVISO_CHECK(blocks_.size() < (std::size_t{1} << (32 - kWordBits)), "too many nodes");
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(words * kWordSize));
    }
    // In a block that has room, or, with a very long list, in one of its own; word 0 is nobody's
    // place in the first block.
    Place keep_apart(const ExprNode& node, std::size_t words) {
        if (words <= kWords / 4) {
            add_block(kWords);
            next_ = blocks_.size() == 1 ? 1 : 0;
            return keep(node);
        }
        add_block(words + 1);
        put(blocks_.back().get() + kWordSize, node);
        next_ = kWords;  // the next node goes to a new block
        return place_in(blocks_.size() - 1, 1);
    }

    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::size_t next_ = kWords;  // the first free word of the last block
};

// Expressions by what they are: open addressing, with the hash beside the place, so that a look-up
// touches one line of memory, and the node only where it is the right one.
class ExprTable {
  public:
    // The expression of which `is_it` says so; null when there is none.
    template <typename Test>
    Expr find(std::size_t hash, const NodeStore& nodes, Test is_it) {
        const auto key = static_cast<std::uint32_t>(hash);
        Slot& recent = recent_[key % kRecent];
        if (recent.hash == key && recent.place != 0) {
            const ExprNode& node = nodes.at(recent.place);
            if (is_it(node)) return &node;
        }
        for (std::size_t i = key & mask_;; i = (i + 1) & mask_) {
            const Slot s = slots_[i];
            if (s.place == 0) return nullptr;
            if (s.hash != key) continue;
            const ExprNode& node = nodes.at(s.place);
            if (!is_it(node)) continue;
            recent = s;
            return &node;
        }
    }
    void insert(NodeStore::Place place, std::size_t hash) {
        if (2 * ++count_ > slots_.size()) grow();
        const Slot made{static_cast<std::uint32_t>(hash), place};
        recent_[made.hash % kRecent] = made;
        add(made);
    }

  private:
    struct Slot {
        std::uint32_t hash = 0;
        NodeStore::Place place = 0;  // 0: free
    };
    void add(const Slot& s) {
        std::size_t i = s.hash & mask_;
        while (slots_[i].place != 0) i = (i + 1) & mask_;
        slots_[i] = s;
    }
    void grow() {
        const std::vector<Slot> old = std::move(slots_);
        slots_ = std::vector<Slot>(old.size() * 2);
        mask_ = slots_.size() - 1;
        for (const Slot& s : old) {
            if (s.place != 0) add(s);
        }
    }

    // What was found or made of late is asked for again: these stay near where the table is large.
    static constexpr std::size_t kRecent = 512;
    std::array<Slot, kRecent> recent_{};
    std::vector<Slot> slots_ = std::vector<Slot>(64);
    std::size_t mask_ = 63;
    std::size_t count_ = 0;
};

}  // namespace proviso::ir::intern
