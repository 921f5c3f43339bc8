// The rule `relayout` of relayout.cpp: its arguments, read and checked.
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/relayout.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

// A function of its variables: the same whenever and however often it is evaluated.
Status is_function(Expr e) {
    for (const Op op : {Op::Load, Op::Undef, Op::CallExtern, Op::Defined, Op::Same}) {
        if (has_op(e, op)) return error("'" + print(e) + "' is no function of the indices");
    }
    return Unit{};
}

Result<Expr> bound(Context& ctx, const nlohmann::json& v, const Scope& scope, ScalarType type) {
    if (!v.is_string()) return error("a box bound must be a string");
    const Result<Expr> e = parse_expr(ctx, v.get<std::string>(), scope, type, "<box>");
    if (!e) return e.error();
    if (const Status ok = is_function(*e); !ok) return ok.error();
    return *e;
}

class Relayout final : public Rule {
  public:
    std::string name() const override { return "relayout"; }
    std::string summary() const override { return "a buffer in another layout, with padding"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        if (!site.steps.empty()) return error("relayout works on the whole function: site body");
        const Result<RelayoutPlan> plan = read(ctx, before, args);
        if (!plan) return plan.error();
        return relayout(ctx, before, *plan);
    }

  private:
    static Buffer find_buffer(const Function& f, const std::string& name) {
        if (Buffer b = f.find_buffer_param(name)) return b;
        Buffer found = nullptr;
        for_each_stmt(f.body, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n != nullptr && n->buffer->name == name) found = n->buffer;
        });
        return found;
    }

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

    static Result<RelayoutPlan> read(Context& ctx, const Function& f, const nlohmann::json& args) {
        RelayoutPlan plan;
        const Result<std::string> name = arg_string(args, "buffer");
        if (!name) return name.error();
        plan.buffer = find_buffer(f, *name);
        if (plan.buffer == nullptr) return error("no buffer '" + *name + "' in " + f.name);
        if (plan.buffer->rank() == 0) return error("a scalar buffer has no layout to change");
        const ScalarType type = plan.buffer->shape[0]->type;
        Scope scope;
        for (Expr v : f.scalar_params()) scope.vars[*v->name] = v;
        Layout& layout = plan.layout;
        layout.buffer = *name;
        layout.logical_shape.assign(plan.buffer->shape.begin(), plan.buffer->shape.end());
        const auto shape = arg_exprs(ctx, args, "shape", scope, type);
        if (!shape) return shape.error();
        Scope logical = scope;
        const auto vars = variables(ctx, args, "vars", type, logical);
        if (!vars) return vars.error();
        const auto map = arg_exprs(ctx, args, "map", logical, type);
        if (!map) return map.error();
        Scope physical = scope;
        const auto physical_vars = variables(ctx, args, "physical_vars", type, physical);
        if (!physical_vars) return physical_vars.error();
        const auto inverse = arg_exprs(ctx, args, "inverse", physical, type);
        if (!inverse) return inverse.error();
        for (const auto* exprs : {&*shape, &*map, &*inverse}) {
            for (Expr e : *exprs) {
                if (const Status ok = is_function(e); !ok) return ok.error();
            }
        }
        layout.vars = *vars;
        layout.map = *map;
        layout.physical_vars = *physical_vars;
        layout.inverse = *inverse;
        if (layout.vars.size() != plan.buffer->rank() || inverse->size() != plan.buffer->rank()) {
            return error(*name + " has " + std::to_string(plan.buffer->rank()) + " dimensions");
        }
        if (shape->empty()) return error("a layout has at least one dimension");
        if (map->size() != shape->size() || physical_vars->size() != shape->size()) {
            return error("the map and the physical shape differ in rank");
        }
        plan.target = ctx.buffer(*name, plan.buffer->type, *shape, plan.buffer->scope);
        const Result<std::string> pad = arg_string(args, "pad");
        if (!pad) return pad.error();
        if (*pad == "undef") {
            layout.pad_kind = PadKind::Undef;
        } else if (*pad != "none") {
            physical.buffers[*name] = plan.target;
            const auto value = parse_expr(ctx, *pad, physical, plan.buffer->type, "<pad>");
            if (!value) return value.error();
            if (const Status ok = read_pad(*value, type, layout); !ok) return ok.error();
        }
        layout.exact = arg_flag(args, "exact");
        if (layout.exact && (layout.pad == nullptr || !layout.pad->type.is_float())) {
            return error("'exact' is about padding with a value of a float type");
        }
        if (layout.pad_kind == PadKind::None) return plan;
        const auto names = arg_strings(args, "names");
        if (!names) return names.error();
        if (names->size() != shape->size())
            return error("one loop name for each physical dimension");
        plan.names = *names;
        return read_boxes(ctx, args, scope, type, std::move(plan));
    }

    // A function of the physical indices, or a cell of the buffer at such indices.
    static Status read_pad(Expr value, ScalarType index, Layout& layout) {
        layout.pad = value;
        layout.pad_kind = value->op == Op::Load ? PadKind::Cell : PadKind::Value;
        std::vector<Expr> parts = {value};
        if (value->op == Op::Load) {
            parts.assign(value->args.begin(), value->args.end());
            for (Expr e : parts) {
                if (e->type == index) continue;
                return error("the cell that the padding repeats is indexed by " + e->type.str() +
                             ", and the buffer by " + index.str());
            }
        }
        for (Expr e : parts) {
            if (is_function(e)) continue;
            return error(
                "the padding value must be a function of the physical indices, or a cell of " +
                layout.buffer + " at such indices");
        }
        return Unit{};
    }

    static Result<RelayoutPlan> read_boxes(Context& ctx, const nlohmann::json& args,
                                           const Scope& scope, ScalarType type, RelayoutPlan plan) {
        if (!args.contains("boxes")) return plan;
        const auto after = arg_site(args, "after");
        if (!after) return after.error();
        plan.after = *after;
        if (!args["boxes"].is_array()) return error("argument 'boxes' must be a list");
        for (const nlohmann::json& item : args["boxes"]) {
            PadBox box;
            const bool plain = item.is_array();  // only the ranges
            const Status known = plain ? Unit{} : only_members(item, "guarded ranges");
            if (!known) return known.error();
            box.guarded = arg_flag(item, "guarded");
            const nlohmann::json& ranges = plain ? item : item.value("ranges", nlohmann::json());
            if (!ranges.is_array() || ranges.size() != plan.target->rank()) {
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
            plan.boxes.push_back(std::move(box));
        }
        return plan;
    }
};

}  // namespace

const Rule& relayout_rule() {
    static const Relayout rule;
    return rule;
}

}  // namespace proviso::rewrite
