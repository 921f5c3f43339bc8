#include "analysis/layout_obligations.h"

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "ir/text.h"

namespace proviso::analysis {

using namespace ir;

namespace {

// 0 <= e < extent
void append_range(Context& ctx, std::vector<Expr>& to, Expr e, Expr extent) {
    to.push_back(ctx.le(ctx.int_imm(e->type, 0), e));
    to.push_back(ctx.lt(e, extent));
}

std::string spelled(const std::vector<ModelValue>& model) {
    std::string out;
    for (const ModelValue& v : model) {
        if (v.value == nullptr) continue;
        out += (out.empty() ? ": " : ", ") + v.name + " = " + print(v.value);
    }
    return out;
}

}  // namespace

std::vector<Obligation> bijection_obligations(Context& ctx, const std::vector<Expr>& facts,
                                              const Layout& layout,
                                              std::span<const Expr> physical) {
    std::vector<Expr> known = facts;
    for (std::size_t d = 0; d < layout.vars.size(); ++d) {
        append_range(ctx, known, layout.vars[d], layout.logical_shape[d]);
    }
    std::vector<Expr> safe;
    std::vector<Expr> in_physical;
    Substitution to_physical;
    for (std::size_t k = 0; k < layout.map.size(); ++k) {
        Expr f = layout.map[k];
        safe.push_back(no_fault(ctx, f));
        safe.push_back(in_range(ctx, f));
        append_range(ctx, in_physical, f, physical[k]);
        to_physical[layout.physical_vars[k]] = f;
    }
    std::vector<Expr> round_trip;
    for (std::size_t d = 0; d < layout.vars.size(); ++d) {
        round_trip.push_back(
            ctx.eq(substitute(ctx, layout.inverse[d], to_physical), layout.vars[d]));
    }
    return {Obligation{"the layout map is computed without a fault", known, ctx.all_of(safe)},
            Obligation{"the layout map stays within the physical shape", known,
                       ctx.all_of(in_physical)},
            Obligation{"the inverse takes each physical cell back (the map is injective)", known,
                       ctx.all_of(round_trip)}};
}

Status prove_layouts(Context& ctx, const Function& f, Prover& prover) {
    for (Buffer b : f.buffer_params()) {
        const std::vector<Layout> layouts = layouts_of(ctx, f, b->name);
        for (std::size_t k = 0; k < layouts.size(); ++k) {
            const std::vector<Expr> physical =
                k + 1 < layouts.size() ? layouts[k + 1].logical_shape
                                       : std::vector<Expr>(b->shape.begin(), b->shape.end());
            for (const Obligation& o :
                 bijection_obligations(ctx, parameter_facts(ctx, f), layouts[k], physical)) {
                const Answer a = prover.prove(o);
                if (a.verdict == Verdict::Proved) continue;
                return error("the layout that the program brings along for " + b->name +
                                 " is not proved: " + o.purpose + spelled(a.model),
                             "mend \"map\", \"inverse\" or \"logical_shape\" in proviso.layout");
            }
        }
    }
    return Unit{};
}

}  // namespace proviso::analysis
