#include "backend/gpu/plan/wide_loops.h"

#include <algorithm>

#include "analysis/facts/path.h"
#include "ir/buffer_scope.h"
#include "ir/children.h"
#include "rewrite/derived/loops/wide_access.h"
#include "rewrite/rules/race_free.h"

namespace proviso::backend::gpu {

using namespace ir;
using analysis::Obligation;
using analysis::Verdict;

namespace {

// A buffer that one thread allocates is the thread's own, whatever its scope says, and has no
// alignment.
bool touches_own(Stmt loop, const std::set<Buffer>& own) {
    bool found = false;
    const auto look = [&](Buffer b) { found = found || own.count(b) != 0; };
    for (Buffer b : analysis::stored_buffers(loop)) look(b);
    for_each_stmt(loop, [&](Stmt s) {
        for (const Child& c : children(s)) {
            if (c.expr == nullptr) continue;
            for (Buffer b : loaded_buffers(c.expr)) look(b);
        }
    });
    return found;
}

std::set<Buffer> allocated_by_threads(const Kernel& k) {
    std::set<Buffer> out;
    for_each_stmt(k.stmt, [&](Stmt s) {
        const Allocate* n = s->as<Allocate>();
        if (n == nullptr || is_shared_scope(n->buffer->scope) || n->buffer->scope == "local")
            return;
        out.insert(n->buffer);
    });
    return out;
}

}  // namespace

std::set<Stmt> wide_loops(Context& ctx, const Plan& plan, analysis::Prover& prover) {
    std::set<Stmt> out;
    for (const auto& [site, stmt] : all_statements(plan.function)) {
        const For* loop = stmt->as<For>();
        if (loop == nullptr || loop->kind != ForKind::Vectorized) continue;
        const auto kernel = std::find_if(plan.kernels.begin(), plan.kernels.end(),
                                         [&](const Kernel& k) { return k.site.contains(site); });
        if (kernel == plan.kernels.end() || !rewrite::lanes_of(*loop)) continue;
        if (touches_own(stmt, allocated_by_threads(*kernel))) continue;
        const auto wide = rewrite::lanes_are_neighbours(ctx, plan.function, site);
        if (!wide) continue;
        std::vector<Obligation> owed = rewrite::iterations_share_nothing(ctx, plan.function, site);
        owed.insert(owed.end(), wide->begin(), wide->end());
        const bool proved = std::all_of(owed.begin(), owed.end(), [&](const Obligation& o) {
            return prover.prove(o).verdict == Verdict::Proved;
        });
        if (proved) out.insert(stmt);
    }
    return out;
}

}  // namespace proviso::backend::gpu
