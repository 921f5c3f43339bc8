// A walk over a graph of expressions from the newest node down, each node once. Arguments are older
// than the nodes that use them, so when a node is met, all its users have been: what they pass to
// it can be added up first. Keeps sums of any length off the call stack, and makes
// ((x + x) + (x + x)) + .. as long as its graph, not as its tree.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>

#include "ir/expr.h"
#include "rewrite/simplify/linear_form.h"

namespace proviso::rewrite {

template <typename Weight>
class SumWalk {
  public:
    struct Item {
        ir::Expr expr;
        Weight weight;
    };

    bool empty() const { return heap_.empty(); }
    void push(ir::Expr e, Weight weight) {
        heap_.push_back({e, weight});
        std::push_heap(heap_.begin(), heap_.end(), older);
    }
    // The newest node, with the sum of what was pushed for it.
    Item pop() {
        Item out = take();
        while (!heap_.empty() && heap_.front().expr == out.expr) {
            out.weight = checked_add(out.weight, take().weight);
        }
        return out;
    }

  private:
    static bool older(const Item& a, const Item& b) { return a.expr->id < b.expr->id; }
    Item take() {
        std::pop_heap(heap_.begin(), heap_.end(), older);
        const Item out = heap_.back();
        heap_.pop_back();
        return out;
    }
    boost::container::small_vector<Item, 12> heap_;
};

}  // namespace proviso::rewrite
