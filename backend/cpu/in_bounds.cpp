#include "backend/cpu/in_bounds.h"

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"

namespace proviso::backend {

using namespace ir;

bool stores_in_bounds(const rewrite::Derivation& derivation, analysis::Prover& prover) {
    Context& ctx = derivation.context();
    const Function& f = derivation.current();
    const auto all = all_statements(f);
    return std::all_of(all.begin(), all.end(), [&, &f = f](const auto& placed) {
        const auto& [site, s] = placed;
        const Store* n = s->template as<Store>();
        if (n == nullptr || n->indices.empty()) return true;
        return prover.proves_cheaply(analysis::facts_at(ctx, f, site),
                                     analysis::in_bounds(ctx, n->buffer, n->indices));
    });
}

}  // namespace proviso::backend
