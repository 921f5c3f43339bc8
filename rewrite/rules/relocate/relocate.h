// relocate: where data lives. A statement reads or writes cells of one buffer, and another one has
// them instead. Which one, and how cells correspond, is proposed by untrusted code
// (rewrite/derived/) and checked here; docs/refinement.md says why that is enough.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/layout/layout.h"
#include "analysis/memory/claims.h"
#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

// A statement S works on a copy C of (a part of) a buffer B.
//
//   before   S            after   C = alloc; for l: if guard: C[l] = B[inverse(l)]; S (C for B)
//            or, `back`:          C = alloc; S (C for B); for l: if guard: B[inverse(l)] = C[l]
struct Staging {
    ir::Buffer buffer = nullptr;
    ir::Buffer copy = nullptr;
    analysis::Layout cells;    // of the buffer in the copy; `physical_vars` are the loops l
    ir::Expr guard = nullptr;  // over the loops; null: none
    std::string block;         // name of a block around the copy; empty: none
    bool back = false;
    // Of a copy back: a store of S, at an iteration over the loops, that has stored the cell; and
    // for each load of the buffer in S, by its statement and in order, one before it.
    analysis::Witness writer = {};
    std::map<ir::Site, std::vector<analysis::Witness>> reads = {};
    // Blocks around a copy back, which touches what S touches, keep their claimed regions.
    bool keeps_claims = false;
    // Of a copy in front: the statement P that computed the buffer, which computes the copy again.
    //
    //   before   P; …; S         after   P; …; C = alloc; P'; S (C for B)
    //
    // P' is P with `if map(x) is a cell of C: C[map(x)] = v (C for B)` for each `B[x] = v`, and
    // names of its own. There is no guard.
    std::optional<ir::Site> again = std::nullopt;
};

// The step that stages what the statement at `site` reads or writes. Checks that
//   1. the extents of the copy are constants, or those of the buffer;
//   2. a copy in front: S does not store to the buffer, nor the function in a concurrent loop;
//   3. a copy back: S has no assert, and stands in no concurrent loop that has one (not where the
//      buffer is allocated in it).
// Owes:
//   4. the guard and the inverse are computed without a fault, and what is copied may be read;
//   5. each cell that S reads or stores has a place in the copy, and is copied from or to there;
//   6. a copy back: S stores every cell that is copied, on every run, and each is copied to one
//      cell; what S reads it has stored before.
// Where all cells are copied and keep their indices, 5 holds.
//
// Of a copy that is computed again it checks, in place of what is said of the copy, that
//   7. P and S are in statements of one list, P first; the buffer is allocated around that list,
//      with no loop in between; all that stores to it is in P, and P reads it only for what it
//      stores there;
//   8. P stores to nothing else but what it allocates, stops nowhere, calls nothing, has no
//      concurrent loop, and binds nothing that it reads from memory; and what it reads is stored to
//      neither between P and S, nor in statements around S that it is in no list with, nor beside.
// And owes, for each store to the buffer in P:
//   9. the place of its cell is computed without a fault; of a cell that has one, it is its own;
//   and
//      then each cell of the buffer that the stored value reads has a place of its own, too.
Result<Proposal> stage(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                       const Staging& proposed);

// What a statement S combines in cells of buffers B is combined in parts first, in cells of buffers
// P: by stores `B[x] = B[x] op e`, or in cells x of several buffers by one statement, the step.
//
//   before   S        after   P = alloc; for l: P[l] = start; S (P[map(x)] for B[x])
//                             for l: B[inverse(l)] = B[inverse(l)] op P[l]
//
// Where S is in a list, P is allocated around the list.
struct PartialBuffer {
    ir::Buffer buffer = nullptr;
    ir::Buffer partials = nullptr;
    ir::Expr start = nullptr;
    analysis::Witness writer = {};  // over the loops l: has stored the start to the cell
    ir::Int128 most = 0;            // sums of int32, int64: a term is between -most and most
};
// A step computes cells of all the buffers from what they held. Two partial results of it, `left`
// and `right`, become one; `combine` is over these variables. One of each for each buffer.
struct TupleStep {
    ir::Site at;
    std::vector<ir::Expr> left, right, combine;
};
struct Partials {
    std::vector<PartialBuffer> of;
    // Of each buffer in its P: `physical_vars` are the loops l. The map may also speak of variables
    // that are bound around all these stores: cell x is combined in several parts.
    analysis::Layout cells;
    std::optional<TupleStep> step = std::nullopt;
};

// The step. Checks that
//   1. the buffers are different ones, and the extents of each P are the same constants;
//   2. S has no assert, and in concurrent loops each iteration has a B of its own;
//   3. S accesses B in such stores only, by one operator, which is free of order for the type
//      (accumulation.h); or adds floats under the licence `reassociate`; or adds int32 or int64,
//      and as many terms as there are of up to `most` stay in range; the start combined with itself
//      is itself, bit for bit;
//   4. or S accesses all B in the step only (tuple_step.h).
// Owes:
//   5. for each store: the place of its cell is computed without a fault and in bounds, and the
//      inverse takes it back; such a term is at most `most`;
//   6. the inverse is computed without a fault, and the last store to its cell was of the start:
//      so it may be accessed, and holds that when S begins;
//   7. of a step what tuple_step.h says.
Result<Proposal> combine_in_parts(ir::Context& ctx, const ir::Function& before,
                                  const ir::Site& site, const Partials& proposed);

// A box of cells, half-open; with `guarded`, only those of them that are padding.
struct PadBox {
    std::vector<std::pair<ir::Expr, ir::Expr>> ranges;  // over scalar parameters
    bool guarded = false;
};

// A buffer of a function in another layout, with padding.
//
//   before   B: (14,)   B[i] = …      after   B: (4, 4)   B[i // 4, i % 4] = …
//
// Padding of a parameter that is never stored to is provided by the caller, and assumed at the
// start; that of any other buffer is written, box by box, after a statement.
struct Relayout {
    ir::Buffer buffer = nullptr;
    std::vector<ir::Expr> shape;  // physical extents
    // vars, map, physical_vars, inverse, pad_kind, pad, exact; the rest is known.
    analysis::Layout layout;
    // For each extent what it is at most: they bound the size where there are more cells than
    // before.
    std::vector<ir::Int128> limits;
    std::vector<std::string> names;  // loops over padding, one a physical dimension
    std::vector<PadBox> boxes;
    ir::Site after;
};

// The step. Checks that the relation is over scalar parameters and its own indices, under names of
// their own; and that every access may be moved (cells.h). Owes:
//   1. for logical x in bounds: map(x) is computed without a fault and in bounds, and the inverse
//      takes it back;
//   2. the physical extents are computed without a fault, and the buffer fits in 2^47 bytes;
//   3. where padding is written, once on every run: each box holds only padding, and together they
//      hold all of it;
//   4. a cell that padding repeats is data, may be read, and is definite where that is assumed at
//      the start; nothing stores to the buffer after padding has repeated it.
// What the caller promises of padding, and the function assumes, is that it equals `pad`, or that
// both are NaN; where `exact`, that it is the same bits.
Result<Proposal> relayout(ir::Context& ctx, const ir::Function& before, const Relayout& proposed);

}  // namespace proviso::rewrite
