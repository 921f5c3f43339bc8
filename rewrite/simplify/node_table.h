// A value for every expression of a context, by its id, for what is true of an expression whatever
// the facts: ids count up from 0, so a look-up is an address, and values stay where they are.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ir/expr.h"

namespace proviso::rewrite {

template <typename V>
class NodeTable {
  public:
    V& operator[](ir::Expr e) {
        const std::size_t block = e->id / kBlock;
        if (block >= blocks_.size()) blocks_.resize(block + block / 2 + 1);
        std::unique_ptr<Block>& at = blocks_[block];
        if (at == nullptr) at = std::make_unique<Block>();
        return (*at)[e->id % kBlock];
    }

  private:
    static constexpr std::size_t kBlock = 64;
    using Block = std::array<V, kBlock>;

    std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace proviso::rewrite
