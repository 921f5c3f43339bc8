#include "analysis/layout/layout_obligations.h"

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
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
    return {Obligation({Owed::NoFault, "the layout map is computed without a fault"}, known,
                       ctx.all_of(safe)),
            Obligation({Owed::InShape, "the layout map stays within the physical shape"}, known,
                       ctx.all_of(in_physical)),
            Obligation(
                {Owed::Inverse, "the inverse takes each physical cell back (the map is injective)"},
                known, ctx.all_of(round_trip))};
}

std::optional<Obligation> padding_obligation(Context& ctx, std::vector<Expr> facts,
                                             const Layout& layout) {
    if (layout.pad == nullptr) return std::nullopt;
    facts.push_back(ctx.not_(layout.in_image(ctx, layout.physical_vars)));
    if (layout.pad_kind == PadKind::Cell) {
        const std::span<const Expr> cell = layout.pad->args;
        std::vector<Expr> is_data;
        for (Expr i : cell) {
            is_data.push_back(no_fault(ctx, i));
            is_data.push_back(in_range(ctx, i));
        }
        is_data.push_back(in_bounds(ctx, layout.pad->buffer, cell));
        is_data.push_back(layout.in_image(ctx, cell));
        return Obligation({Owed::Padding, "the cell that padding repeats is data"},
                          std::move(facts), ctx.all_of(is_data));
    }
    Expr fine = ctx.all_of({no_fault(ctx, layout.pad), in_range(ctx, layout.pad)});
    if (is_true(fine)) return std::nullopt;
    return Obligation({Owed::NoFault, "the padding value is computed without a fault"},
                      std::move(facts), fine);
}

namespace {

// Everything that a relation owes for which no step has shown it.
std::vector<Obligation> all_obligations(Context& ctx, const std::vector<Expr>& facts,
                                        const Layout& layout, std::span<const Expr> physical) {
    std::vector<Obligation> out = bijection_obligations(ctx, facts, layout, physical);
    for (Expr extent : layout.logical_shape) {
        out.push_back(Obligation({Owed::Extent, "the logical extent is not negative"}, facts,
                                 ctx.le(ctx.int_imm(extent->type, 0), extent)));
    }
    std::vector<Expr> inside = facts;
    for (std::size_t k = 0; k < layout.physical_vars.size(); ++k) {
        append_range(ctx, inside, layout.physical_vars[k], physical[k]);
    }
    out.push_back(
        Obligation({Owed::NoFault, "the inverse is computed without a fault in the padding"},
                   inside, no_fault(ctx, layout.in_image(ctx, layout.physical_vars))));
    if (auto padding = padding_obligation(ctx, std::move(inside), layout)) {
        out.push_back(std::move(*padding));
    }
    return out;
}

}  // namespace

std::vector<BroughtObligation> brought_obligations(Context& ctx, const Function& f) {
    std::vector<BroughtObligation> out;
    const std::vector<Expr> facts = parameter_facts(ctx, f);
    for (Buffer b : f.buffer_params()) {
        const std::vector<Layout> layouts = layouts_of(ctx, f, b->name);
        for (std::size_t k = 0; k < layouts.size(); ++k) {
            const std::vector<Expr> physical =
                k + 1 < layouts.size() ? layouts[k + 1].logical_shape
                                       : std::vector<Expr>(b->shape.begin(), b->shape.end());
            for (Obligation& o : all_obligations(ctx, facts, layouts[k], physical)) {
                o.purpose.buffer = b;
                out.push_back({b->name, std::move(o)});
            }
        }
    }
    return out;
}

Status prove_layouts(Context& ctx, const Function& f, ObligationProver& prover) {
    for (const auto& [buffer, o] : brought_obligations(ctx, f)) {
        const Answer a = prover.prove(o);
        if (a.verdict == Verdict::Proved) continue;
        return error("the layout that the program brings along for " + buffer +
                         " is not proved: " + o.purpose.words + spelled(a.model),
                     "mend \"map\", \"inverse\", \"logical_shape\" or \"pad\" in "
                     "proviso.layout");
    }
    return Unit{};
}

}  // namespace proviso::analysis
