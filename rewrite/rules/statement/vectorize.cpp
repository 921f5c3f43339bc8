// vectorize: the 2 or 4 iterations of a loop as lanes, which access memory together.
//
//   before   for v in range(4): S
//   after    for v in T.vectorized(4): S
//
// Arguments: none. The loop is serial, from 0 to 2 or 4, and its body is made of stores, lists,
// branches and blocks (wide_access.h).
// Obligations: the lanes touch no common cell that one of them writes, so that their order is free
// (as for `bind`; docs/semantics.md, "Statements"), and all may load before any stores; and what
// makes each access one of neighbouring cells: all lanes take one branch, lane v of an access whose
// cell differs by lane reaches the v-th cell after that of lane 0 in row-major order, and that one
// is at a multiple of the number of lanes. The last two add nothing to what the program means; the
// back end for GPUs, which prints such an access, asks for them again, of the lowered program.
#include <nlohmann/json.hpp>

#include "rewrite/rules/statement/statement_rules.h"
#include "rewrite/rules/wide_access.h"

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
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        const For* loop = at->as<For>();
        if (loop == nullptr) return error("vectorize works on a loop");
        if (loop->kind != ForKind::Serial && loop->kind != ForKind::Unrolled) {
            return error("loop " + *loop->var->name + " is not serial");
        }
        Result<std::vector<analysis::Obligation>> owed = lanes_are_neighbours(ctx, before, site);
        if (!owed) return owed.error();
        For lanes = *loop;
        lanes.kind = ForKind::Vectorized;
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.stmt(lanes));
        out.obligations = *std::move(owed);
        return out;
    }
};

}  // namespace

const Rule& vectorize_rule() {
    static const Vectorize rule;
    return rule;
}

}  // namespace proviso::rewrite
