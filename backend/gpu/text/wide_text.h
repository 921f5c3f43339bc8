// The text of a loop whose lanes access memory together (wide_loops.h).
#pragma once

#include <functional>
#include <set>
#include <string>

#include "backend/gpu/text/c_expressions.h"
#include "ir/stmt.h"

namespace proviso::backend::gpu {

// What the printer of a kernel lends: where lines go, and its expressions.
struct WidePrinter {
    CExpressions& c;
    std::function<void(const std::string&)> line;  // at the current depth
    std::function<void(int)> deeper;               // 1 and -1
    const std::set<ir::Buffer>& written;           // buffers from outside that the kernel writes
};

// For each store of the body, in order: what its lanes load, as wide accesses where the cell
// differs by lane; the value of each lane; and one wide store.
//
//   const f32x4 A_v = PV_WIDE(const PV_GLOBAL f32x4, &A[i * 4]);
//   f32x4 B_v;
//   B_v.x = pv_mul_f32(A_v.x, 2.0f);
//   …
//   PV_WIDE(PV_GLOBAL f32x4, &B[i * 4]) = B_v;
void print_wide(const ir::For& loop, WidePrinter& printer);

}  // namespace proviso::backend::gpu
