#include "verify/check/map/extents.h"

#include "analysis/facts/affine.h"
#include "analysis/facts/facts.h"
#include "verify/check/map/reaching.h"

namespace proviso::verify {

using namespace ir;

Extents::Extents(rewrite::Proposer& p, const Function& f)
    : p_(p), ctx_(p.ctx()), f_(f), facts_(analysis::parameter_facts(p.ctx(), f)) {}

Expr Extents::at_end(const Leaf& leaf, Expr index, bool last) {
    Expr out = substitute(ctx_, index, leaf.values(ctx_));
    for (auto b = leaf.binders.rbegin(); b != leaf.binders.rend(); ++b) {
        if (b->value != nullptr) continue;
        out = substitute(ctx_, out, {{b->var, last ? last_iteration(ctx_, *b) : b->lo}});
    }
    out = sum(out);
    return out != nullptr && over_parameters(f_, out) ? out : nullptr;
}

Expr Extents::sum(Expr e) {
    return analysis::Affine::of(p_.simplified(e, facts_)).expr(ctx_, e->type);
}

bool Extents::at_most(Expr a, Expr b) {
    return p_.prover().prove(facts_, ctx_.le(a, b)).verdict == analysis::Verdict::Proved;
}

}  // namespace proviso::verify
