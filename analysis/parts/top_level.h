// What a function runs one after the other: the statements of the lists at its top, each of which
// runs once, and the buffers that are allocated around them.
//
//   A = alloc; for i: A[i] = …; B = alloc; for i: B[i] = A[i]      two statements, A and B
#pragma once

#include <set>
#include <vector>

#include "ir/context.h"
#include "ir/function.h"

namespace proviso::analysis {

struct TopLevel {
    std::vector<ir::Buffer> buffers;   // allocated around statements, outermost first
    std::vector<ir::Stmt> statements;  // in the order in which they run
};
TopLevel top_level(ir::Stmt body);

// Buffers that a statement without blocks stores to, and those that it loads, assumptions included.
struct Touched {
    std::set<ir::Buffer> stores;
    std::set<ir::Buffer> loads;
    bool any(ir::Buffer b) const { return stores.count(b) != 0 || loads.count(b) != 0; }
};
Touched touched_by(ir::Stmt s);

bool has_block(ir::Stmt s);

}  // namespace proviso::analysis
