// What does the work in a text, and what stands around it. A leaf is a statement that a map between
// two texts takes as a whole: a store, an assert, an assumption, an evaluation, or an allocation
// with all that is in it.
//
//   for io in range(n // 8):             one leaf, with the binders io and ii,
//       for ii in range(8):              the conditions 0 <= io, io < n // 8, 0 <= ii, ii < 8
//           B[io * 8 + ii] = A[…]
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/function.h"
#include "ir/site.h"

namespace proviso::verify {

// What binds a variable around a leaf: a loop, or, with a value, a let or a block's iterator.
struct Binder {
    ir::Expr var = nullptr;
    ir::Expr lo = nullptr, hi = nullptr;  // of a loop
    ir::Expr value = nullptr;             // null: a loop
    bool concurrent = false;
};

struct Leaf {
    ir::Site at;  // below the text
    ir::Stmt stmt = nullptr;
    std::vector<Binder> binders;       // outermost first
    std::vector<ir::Expr> conditions;  // of its instances that run, over the binders
    std::size_t number = 0;            // in the order of the text

    std::vector<ir::Expr> loops() const;
    // The values of lets and iterators in place of their names: over loops alone.
    ir::Substitution values(ir::Context& ctx) const;
};

inline constexpr std::size_t kMostLeaves = 512;  // of a text that a map is looked for
std::vector<Leaf> leaves_of(ir::Context& ctx, ir::Stmt text);

// The same in each run of the body: over scalar parameters, and reads nothing.
bool over_parameters(const ir::Function& f, ir::Expr e);

// The text with another statement at a site below it.
ir::Stmt with_statement(ir::Context& ctx, ir::Stmt text, const ir::Site& at, ir::Stmt put);

// What leaves must have in common to correspond: the buffer and the operators, with operands that
// commute in one order, and no index. The weak form says the buffer, and whether the store reads
// the cell's buffer.
std::string shape_of(ir::Stmt leaf);
std::string weak_shape_of(ir::Stmt leaf);

// Pairs of an index in the one leaf and the index in its place in the other: those of the cell that
// is stored to, and those of loads in the same places of the values.
struct IndexPairs {
    std::vector<std::pair<ir::Expr, ir::Expr>> stored, loaded;
};
IndexPairs index_pairs(ir::Stmt one, ir::Stmt other);

}  // namespace proviso::verify
