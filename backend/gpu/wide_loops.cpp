#include "backend/gpu/wide_loops.h"

#include <algorithm>

#include "rewrite/rules/wide_access.h"

namespace proviso::backend::gpu {

using namespace ir;
using analysis::Obligation;
using analysis::Verdict;

std::set<Stmt> wide_loops(Context& ctx, const Plan& plan, analysis::Prover& prover) {
    std::set<Stmt> out;
    for (const auto& [site, stmt] : all_statements(plan.function)) {
        const For* loop = stmt->as<For>();
        if (loop == nullptr || loop->kind != ForKind::Vectorized) continue;
        const bool in_kernel = std::any_of(plan.kernels.begin(), plan.kernels.end(),
                                           [&](const Kernel& k) { return k.site.contains(site); });
        if (!in_kernel || !rewrite::lanes_of(*loop)) continue;
        const auto owed = rewrite::lanes_are_neighbours(ctx, plan.function, site);
        if (!owed) continue;
        const bool proved = std::all_of(owed->begin(), owed->end(), [&](const Obligation& o) {
            return prover.prove(o).verdict == Verdict::Proved;
        });
        if (proved) out.insert(stmt);
    }
    return out;
}

}  // namespace proviso::backend::gpu
