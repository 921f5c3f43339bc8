// A lowered function taken apart into what the host does and the kernels that it launches.
//
// A kernel is a nest of loops bound to blockIdx axes (each directly in the one before), or to
// threadIdx axes alone, and everything in it. Its inside has two levels:
//
//   block level    what all threads of a block do alike: lists, serial loops and branches whose
//                  bounds and conditions are the same for all of them, shared buffers, and
//                  registers that outlive a barrier (thread_buffer.h)
//   phases         nests of threadIdx loops, in which each iteration is one thread; and statements
//                  with no bound loop in them, which one thread of the block runs
//
// A bound loop ends when all its iterations have ended (docs/semantics.md), so between two phases
// of one kernel the threads of a block wait for one another: at a barrier after each phase, or,
// where the rule `sync` has said where (rewrite/rules/block_level.h), there.
//
//   for b in T.thread_binding(4, thread="blockIdx.x"):        # grid (4, 1, 1)
//       T = T.alloc_buffer((8,), "float32", scope="shared")
//       for t in T.thread_binding(8, thread="threadIdx.x"):   # block (8, 1, 1)
//           T[t] = A[b * 8 + t]
//                                                      # barrier
//       for u in T.thread_binding(8, thread="threadIdx.x"):
//           B[b * 8 + u] = T[7 - u]
//
// Everything outside of kernels is run by the host, which reads and writes no buffer itself.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/obligation.h"
#include "backend/gpu/target.h"
#include "backend/gpu/text/prelude.h"
#include "ir/site.h"
#include "rewrite/rules/block_level.h"

namespace proviso::backend::gpu {

struct Kernel {
    std::string name;  // FUNCTION_kernelN
    ir::Site site;
    ir::Stmt stmt = nullptr;
    // Extents, over variables of the host; null where no loop is bound to the axis: 1.
    std::array<ir::Expr, kAxes> grid{};
    std::array<ir::Expr, kAxes> block{};
    // Parameters in order: buffers from outside that it accesses, then scalars.
    std::vector<ir::Buffer> buffers;
    std::set<ir::Buffer> written;
    std::vector<ir::Expr> scalars;
    // Buffers of the block of which each thread has a part, and how many leading dimensions count
    // threads (thread_buffer.h).
    std::map<ir::Buffer, std::size_t> thread_buffers;
    // What must hold for that, beside what is plain to see: no thread touches another one's part.
    std::vector<analysis::Obligation> own_parts;
    std::int64_t shared_bytes = 0;
    std::set<ir::Site> barriers;  // statements after which all threads of a block wait
};

struct Plan {
    ir::Function function;        // with explicit sizes (lowered.h)
    std::vector<Kernel> kernels;  // in textual order
    Uses uses;

    const Kernel* kernel_at(const ir::Site& site) const;
};

// Fails, with the site, on a function that is not lowered (check_lowered), on bound loops in
// another shape, on one axis bound twice, on launch extents that the host cannot compute, and on
// what the kernels' language has no common form for: elementary functions that are
// not correctly rounded, asserts in kernels, allocations of no constant size in kernels; and on an
// attribute about barriers that does not fit.
Result<Plan> make_plan(ir::Context& ctx, const ir::Function& f);

// Of the kernel at `position` of a function: FUNCTION_kernelN.
std::string kernel_name(const std::string& function, std::size_t position);

using rewrite::axis_of;
using rewrite::contains_bound_loop;
using rewrite::is_block_loop;
using rewrite::is_bound;
// Number of iterations of a loop, as an expression over what its bounds mention.
ir::Expr extent_of(ir::Context& ctx, const ir::For& loop);
// Elements of a buffer of constant shape, without its first `skip` dimensions; -1 where it is not
// constant.
std::int64_t constant_elements(ir::Buffer buffer, std::size_t skip = 0);

}  // namespace proviso::backend::gpu
