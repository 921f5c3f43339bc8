#include "rewrite/graph/variants.h"

#include <algorithm>
#include <set>

#include "rewrite/kernel/derivation.h"

namespace proviso::rewrite {

namespace {

// A template with what its padding holds; none: as it is.
struct Choice {
    const LayoutTemplate* used = nullptr;
    bool zero = true;
};

class VariantMaker {
  public:
    VariantMaker(const Network::Kind& kind, const OperatorShape& shape)
        : kind_(kind), shape_(shape), params_(kind.function.buffer_params()) {}

    std::vector<Variant> run(const std::vector<LayoutTemplate>& templates) {
        add({}, {});
        const Choice none;
        for (const LayoutTemplate& t : templates) {
            for (const bool in : {true, false}) {
                for (const bool out : {true, false}) add({&t, in}, {&t, out});
            }
            for (const bool zero : {true, false}) add({&t, zero}, none);
            for (const bool zero : {true, false}) add(none, {&t, zero});
        }
        return std::move(out_);
    }

  private:
    void add(const Choice& in, const Choice& out) {
        Variant v;
        std::string from = "as-is";
        std::string to = "as-is";
        for (std::size_t p = 0; p < params_.size(); ++p) {
            const Choice& c = kind_.stored[p] ? out : in;
            std::optional<GraphLayout> l;
            if (kind_.stored[p] || shape_.alike[p]) {
                if (c.used != nullptr) l = layout_of(params_[p], *c.used, c.zero);
                if (l) (kind_.stored[p] ? to : from) = l->name;
            } else {
                l = linked(p, in, out);
            }
            v.changes = v.changes || l;
            v.layouts.push_back(l ? *l : as_is(params_[p]));
        }
        v.name = v.changes ? from + " -> " + to : "as-is";
        // Where a template is not about its tensor, or has no padding there, several are alike.
        const bool meant =
            (in.used == nullptr || from != "as-is") && (out.used == nullptr || to != "as-is");
        if (!meant || !names_.insert(v.name).second || out_.size() == kMostVariants) return;
        out_.push_back(std::move(v));
    }

    // Weights follow the channels beside them.
    std::optional<GraphLayout> linked(std::size_t p, const Choice& in, const Choice& out) const {
        const LayoutTemplate* form = out.used != nullptr ? out.used : in.used;
        if (form == nullptr) return std::nullopt;
        std::vector<std::int64_t> factors;
        std::vector<bool> last;
        for (const int channel : shape_.channels[p]) {
            const LayoutTemplate* t = channel == 1 ? out.used : channel == 2 ? in.used : nullptr;
            factors.push_back(t != nullptr ? t->factor : 0);
            last.push_back(t != nullptr && params_[p]->shape.size() == 4);
        }
        const std::string from = in.used != nullptr ? in.used->name : "as-is";
        const std::string to = out.used != nullptr ? out.used->name : "as-is";
        return linked_layout(params_[p], factors, last, form->form,
                             "weights of " + from + " -> " + to);
    }

    const Network::Kind& kind_;
    const OperatorShape& shape_;
    std::vector<ir::Buffer> params_;
    std::set<std::string> names_;
    std::vector<Variant> out_;
};

bool padded(const Variant& v) {
    return std::any_of(v.layouts.begin(), v.layouts.end(),
                       [](const GraphLayout& l) { return !l.pad.empty(); });
}

}  // namespace

std::string in_quotes(const std::string& name) {
    return "\"" + name + "\"";
}

std::vector<Variant> variants_of(const Network::Kind& kind, const OperatorShape& shape,
                                 const std::vector<LayoutTemplate>& templates) {
    return VariantMaker(kind, shape).run(templates);
}

std::string calls_before(const OperatorShape& shape, const Variant& v, const OperatorNames& names) {
    std::string out;
    if (!v.changes) return out;
    for (const std::size_t block : shape.inlined) {
        out += "sch.compute_inline(" + in_quotes(names.blocks[block]) + ")\n";
    }
    return out;
}

std::string layout_call(const std::string& block, const std::string& buffer, const GraphLayout& l) {
    if (l.map.empty()) return {};
    const std::string pad = l.pad.empty() ? "" : ", pad_value=" + l.pad;
    return "sch.transform_layout(" + block + ", " + buffer + ", " + l.map + pad + ")\n";
}

std::string calls_after(const OperatorShape& shape, const Variant& v, const OperatorNames& names) {
    std::string out;
    std::vector<std::string> done;
    const auto walk = [&](std::size_t p, std::size_t block) {
        if (v.layouts[p].map.empty()) return;
        out += "sch.sequential_buffer_access(" + in_quotes(names.blocks[block]) + ", " +
               names.buffers[p] + ")\n";
    };
    for (const OperatorShape::Out& o : shape.outputs) {
        walk(o.parameter, o.block);
        done.push_back(names.blocks[o.block]);
    }
    if (shape.walked) walk(*shape.walked, shape.at[*shape.walked]);
    if (!padded(v)) return out;
    for (const std::string& block : done) {
        out += "sch.remove_branching_through_overcompute(block=" + in_quotes(block) + ")\n";
    }
    return out;
}

std::string schedule_of_variant(const Network::Kind& kind, const OperatorShape& shape,
                                const Variant& variant) {
    if (!variant.changes) return {};
    OperatorNames names{kind.blocks, {}};
    for (ir::Buffer b : kind.function.buffer_params()) names.buffers.push_back(in_quotes(b->name));
    std::string text = calls_before(shape, variant, names);
    for (std::size_t p = 0; p < variant.layouts.size(); ++p) {
        text +=
            layout_call(in_quotes(kind.blocks[shape.at[p]]), names.buffers[p], variant.layouts[p]);
    }
    return text + calls_after(shape, variant, names);
}

void try_variant(const Network::Kind& kind, const OperatorShape& shape, analysis::Prover& prover,
                 const Explain& explain, Variant& variant) {
    if (!variant.changes) return;
    const std::string text = schedule_of_variant(kind, shape, variant);
    Result<Derivation> derivation = Derivation::start(kind.function, prover);
    if (!derivation) {
        variant.refused = derivation.error().message;
        return;
    }
    Proposer proposer(*derivation, prover);
    const Result<ScheduleReport> done = run_schedule(proposer, text, kind.function.name);
    if (!done) {
        variant.refused = done.error().message;
    } else if (done->refusal) {
        explain(*done, derivation->current(), variant);
    }
    variant.steps = derivation->steps().size();
    for (const Step& step : derivation->steps()) variant.obligations += step.obligations.size();
}

}  // namespace proviso::rewrite
