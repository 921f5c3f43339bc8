// relayout: a buffer in another layout, with padding.
//
//   before   B: (14,)          B[i] = …
//   after    B: (4, 4)         B[i // 4, i % 4] = …      and, with a padding value, padding assumed
//   or written
//
// Arguments: "buffer"; "shape": physical extents; "vars", "map": logical index names and f;
// "physical_vars", "inverse": physical index names and g, the witness that f is injective; "pad":
// "none", "undef", an expression over the physical indices, or a load of the buffer at such indices
// (wrap-around); "exact": true where the caller of an input of floats provides that value bit for
// bit; "names": loop names for the padding nests; for a buffer that is stored to and padded:
// "boxes": [[["lo", "hi"], …], …] physical boxes that are exactly the padding (or {"guarded": true,
// "ranges": …}), "after": the statement after which they are written (on every run, in the buffer's
// scope).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/derived/arguments.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// A guess at the largest value of an extent that is not negative, from declared bounds.
Int128 limit_of(const Function& f, Expr e) {
    const Int128 most = e->type.max_value();
    const auto capped = [&](Int128 v) { return std::clamp(v, Int128{0}, most); };
    const bool by_constant = e->args.size() == 2 && is_int_const(e->arg(1));
    switch (e->op) {
        case Op::IntImm: return e->int_value();
        case Op::Var: {
            const auto declared = f.upper_bound(*e->name);
            return declared ? capped(*declared) : most;
        }
        case Op::Add: return capped(limit_of(f, e->arg(0)) + limit_of(f, e->arg(1)));
        case Op::Sub:
            return by_constant ? capped(limit_of(f, e->arg(0)) - e->arg(1)->int_value()) : most;
        case Op::Mul: {
            const Int128 a = limit_of(f, e->arg(0));
            const Int128 b = limit_of(f, e->arg(1));
            return a > 0 && b > 0 && a <= most / b ? a * b : most;
        }
        case Op::FloorDiv: {
            const bool positive = by_constant && e->arg(1)->int_value() > 0;
            const Int128 a = limit_of(f, e->arg(0));
            return positive && a >= 0 ? a / e->arg(1)->int_value() : most;
        }
        default: return most;
    }
}

class RelayoutRule final : public Rule {
  public:
    std::string name() const override { return "relayout"; }
    int version() const override { return 2; }
    std::string summary() const override { return "a buffer in another layout, with padding"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        if (!site.steps.empty()) return error("relayout works on the whole function: site body");
        const Result<Relayout> proposed = read(ctx, before, args);
        if (!proposed) return proposed.error();
        return relayout(ctx, before, *proposed);
    }

  private:
    static Result<std::vector<Expr>> variables(Context& ctx, const nlohmann::json& args,
                                               const char* key, ScalarType type, Scope& scope) {
        const Result<std::vector<std::string>> names = arg_strings(args, key);
        if (!names) return names.error();
        std::vector<Expr> out;
        for (const std::string& n : *names) {
            if (scope.vars.count(n) != 0) return error("index name '" + n + "' is taken");
            if (!is_printable_name(n)) return error("'" + n + "' is no name for an index");
            out.push_back(ctx.var(n, type));
            scope.vars[n] = out.back();
        }
        return out;
    }

    static Result<Relayout> read(Context& ctx, const Function& f, const nlohmann::json& args) {
        Relayout out;
        const Result<std::string> name = arg_string(args, "buffer");
        if (!name) return name.error();
        out.buffer = buffer_by_name(f, *name);
        if (out.buffer == nullptr) return error("no buffer '" + *name + "' in " + f.name);
        if (out.buffer->rank() == 0) return error("a scalar buffer has no layout to change");
        const ScalarType type = out.buffer->shape[0]->type;
        Scope scope;
        for (Expr v : f.scalar_params()) scope.vars[*v->name] = v;
        const auto shape = arg_exprs(ctx, args, "shape", scope, type);
        if (!shape) return shape.error();
        out.shape = *shape;
        for (Expr e : out.shape) out.limits.push_back(limit_of(f, e));
        // An index does not have the name of what an extent speaks of, say a loop.
        Scope logical = scope;
        for (Expr e : out.buffer->shape) {
            for (Expr v : free_vars(e)) logical.vars[*v->name] = v;
        }
        Scope physical = logical;
        const auto vars = variables(ctx, args, "vars", type, logical);
        if (!vars) return vars.error();
        const auto map = arg_exprs(ctx, args, "map", logical, type);
        if (!map) return map.error();
        const auto physical_vars = variables(ctx, args, "physical_vars", type, physical);
        if (!physical_vars) return physical_vars.error();
        const auto inverse = arg_exprs(ctx, args, "inverse", physical, type);
        if (!inverse) return inverse.error();
        Layout& layout = out.layout;
        layout.vars = *vars;
        layout.map = *map;
        layout.physical_vars = *physical_vars;
        layout.inverse = *inverse;
        const Result<std::string> pad = arg_string(args, "pad");
        if (!pad) return pad.error();
        if (*pad == "undef") {
            layout.pad_kind = PadKind::Undef;
        } else if (*pad != "none") {
            Buffer target = ctx.buffer(*name, out.buffer->type, out.shape, out.buffer->scope);
            physical.buffers[*name] = target;
            const auto value = parse_expr(ctx, *pad, physical, target->type, "<pad>");
            if (!value) return value.error();
            layout.pad = *value;
            layout.pad_kind = layout.pad->op == Op::Load ? PadKind::Cell : PadKind::Value;
        }
        layout.exact = arg_flag(args, "exact");
        if (layout.exact && (layout.pad == nullptr || !layout.pad->type.is_float())) {
            return error("'exact' is about padding with a value of a float type");
        }
        if (layout.pad_kind == PadKind::None) return out;
        const auto names = arg_strings(args, "names");
        if (!names) return names.error();
        if (names->size() != shape->size())
            return error("one loop name for each physical dimension");
        out.names = *names;
        const bool internal = f.find_buffer_param(*name) != out.buffer;
        if (internal && !stores_to(f.body, out.buffer) && !args.contains("boxes")) {
            return error("the internal buffer " + *name + " is never written");
        }
        if (const Status ok = read_boxes(ctx, args, scope, type, out); !ok) return ok.error();
        return out;
    }

    static Status read_boxes(Context& ctx, const nlohmann::json& args, const Scope& scope,
                             ScalarType type, Relayout& out) {
        if (!args.contains("boxes")) return Unit{};
        const auto after = arg_site(args, "after");
        if (!after) return after.error();
        out.after = *after;
        if (!args["boxes"].is_array()) return error("argument 'boxes' must be a list");
        for (const nlohmann::json& item : args["boxes"]) {
            PadBox box;
            const bool plain = item.is_array();  // only the ranges
            const Status known = plain ? Unit{} : only_members(item, "guarded ranges");
            if (!known) return known.error();
            box.guarded = arg_flag(item, "guarded");
            const nlohmann::json& ranges = plain ? item : item.value("ranges", nlohmann::json());
            if (!ranges.is_array() || ranges.size() != out.shape.size()) {
                return error("a box needs a range for each physical dimension");
            }
            for (const nlohmann::json& r : ranges) {
                if (!r.is_array() || r.size() != 2) return error("a range is [lo, hi]");
                const auto lo = bound(ctx, r[0], scope, type);
                if (!lo) return lo.error();
                const auto hi = bound(ctx, r[1], scope, type);
                if (!hi) return hi.error();
                box.ranges.emplace_back(*lo, *hi);
            }
            out.boxes.push_back(std::move(box));
        }
        return Unit{};
    }

    static Result<Expr> bound(Context& ctx, const nlohmann::json& v, const Scope& scope,
                              ScalarType type) {
        if (!v.is_string()) return error("a box bound must be a string");
        return parse_expr(ctx, v.get<std::string>(), scope, type, "<box>");
    }
};

}  // namespace

const Rule& relayout_rule() {
    static const RelayoutRule rule;
    return rule;
}

}  // namespace proviso::rewrite
