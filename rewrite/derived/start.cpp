// A derivation with a prover of its own.
#include "analysis/prover/prover.h"
#include "rewrite/kernel/derivation.h"

namespace proviso::rewrite {

Result<Derivation> Derivation::start(ir::Context& ctx, const ir::Function& source) {
    analysis::Prover prover(ctx, {});
    return start(source, prover);
}

}  // namespace proviso::rewrite
