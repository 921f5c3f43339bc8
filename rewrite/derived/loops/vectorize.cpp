// vectorize: the 2 or 4 iterations of a loop as lanes, which access memory together.
//
//   before   for v in range(4): S
//   after    for v in T.vectorized(4): S
//
// Arguments: none. The loop is serial, from 0 to 2 or 4, and its body is made of stores, lists,
// branches and blocks (wide_access.h).
// Obligations: the lanes touch no common cell that one of them writes, which is all that the step
// needs (rules/statement/interleave.h); and what makes each access one of neighbouring cells: all
// lanes take one branch, lane v of an access whose cell differs by lane reaches the v-th cell after
// that of lane 0 in row-major order, and that one is at a multiple of the number of lanes. The last
// ones are added here: they add nothing to what the program means. The back end for GPUs, which
// prints such an access, asks for them again, of the lowered program.
#include <nlohmann/json.hpp>

#include "rewrite/derived/derived_rule.h"
#include "rewrite/derived/loops/wide_access.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/interleave.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

class Vectorize final : public Rule {
  public:
    std::string name() const override { return "vectorize"; }
    std::string summary() const override {
        return "the iterations of a short loop as lanes that access memory together";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        if (const Result<For> loop = loop_at(before, site, name()); !loop) return loop.error();
        Result<Proposal> out = interleave(ctx, before, site, ForKind::Vectorized);
        if (!out) return out;
        Result<std::vector<analysis::Obligation>> wide = lanes_are_neighbours(ctx, before, site);
        if (!wide) return wide.error();
        append(out->obligations, *std::move(wide));
        return out;
    }
};

}  // namespace

const Rule& vectorize_rule() {
    static const Vectorize rule;
    return rule;
}

}  // namespace proviso::rewrite
