// relayout: a buffer in another layout, with padding.
//
//   before   B: (14,)          B[i] = …
//   after    B: (4, 4)         B[i // 4, i % 4] = …      and, with a padding value, padding assumed
//   or written
//
// Arguments: "buffer"; "shape": physical extents; "vars", "map": logical index names and f;
// "physical_vars",
//   "inverse": physical index names and g, the witness that f is injective; "pad": "none", "undef"
//   or an expression over the physical indices; "names": loop names for the padding nests; for a
//   buffer that is stored to and padded: "boxes": [[["lo", "hi"], …], …] physical boxes that are
//   exactly the padding (or {"guarded": true, "ranges": …}), "after": the statement after which
//   they are written (on every run, in the buffer's scope).
// Obligations:
//   1. for logical x in bounds: f(x) is computed without fault and in bounds, and g(f(x)) = x;
//   2. where padding is written: every box holds only padding, and together they hold all of it.
// Accesses change index and nothing else, in the same order, so the rest is renaming of cells.
// Padding of an input (never stored to) is provided by the caller: assumed at the start, and part
// of the contract. Padding of anything else is written.
#include "rewrite/rules/statement/relayout.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Relayouter {
  public:
    Relayouter(Context& ctx, const Function& before, const RelayoutPlan& plan)
        : ctx_(ctx), before_(before), plan_(plan), layout_(plan.layout) {}

    Result<Proposal> run() {
        const Buffer b = plan_.buffer;
        const bool parameter = before_.find_buffer_param(b->name) == b;
        const bool stored = stores_to(before_.body, b);
        if (const Status ok = check_names(); !ok) return ok.error();
        if (const Status ok = check_indices(); !ok) return ok.error();
        if (const Status ok = check_size(); !ok) return ok.error();
        bijection();
        out_.after = replace_buffer(ctx_, before_, b, plan_.target, [&](std::vector<Expr> at) {
            Substitution to_logical;
            for (std::size_t d = 0; d < at.size(); ++d) to_logical[layout_.vars[d]] = at[d];
            std::vector<Expr> out;
            for (Expr f : layout_.map) out.push_back(substitute(ctx_, f, to_logical));
            return out;
        });
        layout_.holds_at_entry = parameter && !stored && layout_.pad_kind != PadKind::None;
        if (parameter) out_.after = with_layout(out_.after, layout_);
        if (layout_.pad_kind == PadKind::None) return std::move(out_);
        if (layout_.holds_at_entry) {
            assume_padding();
            return std::move(out_);
        }
        if (!stored) return error("the internal buffer " + b->name + " is never written");
        if (const Status ok = write_padding(); !ok) return ok.error();
        return std::move(out_);
    }

  private:
    std::vector<Expr> physical_bounds() const {
        std::vector<Expr> out;
        for (std::size_t k = 0; k < layout_.physical_vars.size(); ++k) {
            Expr p = layout_.physical_vars[k];
            append(out, range_facts(ctx_, p, ctx_.int_imm(p->type, 0), plan_.target->shape[k]));
        }
        return out;
    }

    // Index variables mean themselves, not a size or a loop that an extent speaks of.
    Status check_names() const {
        std::vector<Expr> extents = layout_.logical_shape;
        extents.insert(extents.end(), plan_.target->shape.begin(), plan_.target->shape.end());
        std::vector<Expr> indices = layout_.vars;
        append(indices, layout_.physical_vars);
        for (Expr e : extents) {
            if (e->type != indices[0]->type) return error("the extents differ in type");
            for (Expr v : free_vars(e)) {
                const bool taken = std::any_of(indices.begin(), indices.end(),
                                               [&](Expr x) { return *x->name == *v->name; });
                if (taken) return error("index name '" + *v->name + "' is taken");
            }
        }
        return Unit{};
    }

    // Every access, permissions included: indices of the layout's type, which may be evaluated once
    // for each physical dimension, or not at all.
    Status check_indices() const {
        Status out = Unit{};
        const auto check = [&](std::span<const Expr> indices) {
            for (Expr i : indices) {
                if (i->type != layout_.vars[0]->type) out = error("index of another integer type");
                const bool binds = has_op(i, Op::Let) && !loaded_buffers(i).empty();
                if (makes_call(i)) out = error("an index makes an opaque call");
                if (binds || has_op(i, Op::Undef)) {
                    out = error("an index may be another value each time");
                }
            }
        };
        for_each_expr(before_.body, [&](Expr root) {
            for_each_node(root, [&](Expr e) {
                if (e->op == Op::Load && e->buffer == plan_.buffer) check(e->args);
            });
        });
        for_each_stmt(before_.body, [&](Stmt s) {
            const Store* n = s->as<Store>();
            if (n != nullptr && n->buffer == plan_.buffer) check(n->indices);
        });
        return out;
    }

    // Extents are not negative and their product, with the element size, fits in 2^47 bytes.
    Status check_size() const {
        Int128 bytes = plan_.target->type.bytes();
        for (Expr extent : plan_.target->shape) {
            if (!is_int_const(extent)) continue;
            if (extent->int_value() < 0) return error("a physical extent is negative");
            bytes *= extent->int_value();
            if (bytes > (static_cast<Int128>(1) << 47))
                return error("the physical buffer is too large");
        }
        return Unit{};
    }

    void bijection() {
        std::vector<Expr> facts = parameter_facts(ctx_, before_);
        std::vector<Expr> in_physical;
        std::vector<Expr> safe;
        Substitution to_physical;
        for (std::size_t d = 0; d < layout_.vars.size(); ++d) {
            Expr x = layout_.vars[d];
            append(facts, range_facts(ctx_, x, ctx_.int_imm(x->type, 0), layout_.logical_shape[d]));
        }
        for (Expr extent : plan_.target->shape) {
            if (is_int_const(extent)) continue;
            Expr fine = ctx_.all_of({no_fault(ctx_, extent), in_range(ctx_, extent),
                                     ctx_.le(ctx_.int_imm(extent->type, 0), extent)});
            out_.obligations.push_back(Obligation{"the physical extent is computed without a fault",
                                                  parameter_facts(ctx_, before_), fine});
        }
        for (std::size_t k = 0; k < layout_.map.size(); ++k) {
            Expr f = layout_.map[k];
            safe.push_back(no_fault(ctx_, f));
            safe.push_back(in_range(ctx_, f));
            append(in_physical,
                   range_facts(ctx_, f, ctx_.int_imm(f->type, 0), plan_.target->shape[k]));
            to_physical[layout_.physical_vars[k]] = f;
        }
        out_.obligations.push_back(
            Obligation{"the layout map is computed without a fault", facts, ctx_.all_of(safe)});
        out_.obligations.push_back(Obligation{"the layout map stays within the physical shape",
                                              facts, ctx_.all_of(in_physical)});
        std::vector<Expr> round_trip;
        for (std::size_t d = 0; d < layout_.vars.size(); ++d) {
            round_trip.push_back(
                ctx_.eq(substitute(ctx_, layout_.inverse[d], to_physical), layout_.vars[d]));
        }
        out_.obligations.push_back(
            Obligation{"the inverse takes each physical cell back (the map "
                       "is injective)",
                       facts, ctx_.all_of(round_trip)});
    }

    std::vector<LoopRange> loops_over(const std::vector<std::pair<Expr, Expr>>& ranges,
                                      std::size_t box, std::vector<Expr>& vars) {
        std::vector<LoopRange> out;
        for (std::size_t k = 0; k < ranges.size(); ++k) {
            std::string name = plan_.names.at(k);
            if (box > 0) name += "_" + std::to_string(box);
            Expr v = ctx_.var(name, layout_.physical_vars[k]->type);
            vars.push_back(v);
            out.push_back(LoopRange{v, ranges[k].first, ranges[k].second});
        }
        return out;
    }

    Expr at_loops(Expr e, const std::vector<Expr>& vars) {
        Substitution map;
        for (std::size_t k = 0; k < vars.size(); ++k) map[layout_.physical_vars[k]] = vars[k];
        return substitute(ctx_, e, map);
    }

    // The predicate as it is printed: conditions that the bounds decide for constants are left out
    // by the simplifier.
    Expr image_at(const std::vector<Expr>& vars) { return layout_.in_image(ctx_, vars); }

    // Where `facts` hold and p is padding, the value that is promised can be computed.
    void pad_is_safe(std::vector<Expr> facts) {
        if (layout_.pad_kind != PadKind::Value) return;
        Expr fine = ctx_.all_of({no_fault(ctx_, layout_.pad), in_range(ctx_, layout_.pad)});
        if (is_true(fine)) return;
        facts.push_back(ctx_.not_(layout_.in_image(ctx_, layout_.physical_vars)));
        out_.obligations.push_back(
            Obligation{"the padding value is computed without a fault", std::move(facts), fine});
    }

    void assume_padding() {
        std::vector<Expr> known = parameter_facts(ctx_, before_);
        append(known, physical_bounds());
        Expr fine = no_fault(ctx_, layout_.in_image(ctx_, layout_.physical_vars));
        if (!is_true(fine)) {
            out_.obligations.push_back(
                Obligation{"the inverse is computed without a fault in the padding", known, fine});
        }
        pad_is_safe(std::move(known));
        std::vector<std::pair<Expr, Expr>> all;
        for (std::size_t k = 0; k < layout_.physical_vars.size(); ++k) {
            Expr extent = plan_.target->shape[k];
            all.emplace_back(ctx_.int_imm(extent->type, 0), extent);
        }
        std::vector<Expr> vars;
        const std::vector<LoopRange> loops = loops_over(all, 0, vars);
        Expr load = ctx_.load(plan_.target, vars);
        Expr pad = layout_.pad_kind == PadKind::Undef ? ctx_.undef(plan_.target->type)
                                                      : at_loops(layout_.pad, vars);
        Stmt assume = ctx_.stmt(Assume{ctx_.or_(image_at(vars), ctx_.eq(load, pad))});
        out_.after.body = ctx_.seq({nest(ctx_, loops, assume), out_.after.body});
    }

    void bounds_are_safe(const PadBox& box, std::size_t i) {
        std::vector<Expr> fine;
        for (const auto& [lo, hi] : box.ranges) {
            append(fine, {no_fault(ctx_, lo), in_range(ctx_, lo), no_fault(ctx_, hi),
                          in_range(ctx_, hi)});
        }
        Expr goal = ctx_.all_of(fine);
        if (is_true(goal)) return;
        out_.obligations.push_back(
            Obligation{"box " + std::to_string(i) + " of the padding is computed without a fault",
                       parameter_facts(ctx_, before_), goal});
    }

    Status write_padding() {
        const Result<Located> at = locate(out_.after, plan_.after);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("'after' must name a statement");
        for (const PathStep& step : path_to(out_.after, plan_.after).steps) {
            const bool always =
                step.stmt->is<Seq>() || step.stmt->is<Allocate>() || step.stmt->is<LetStmt>();
            if (!always) {
                return error("padding written after " + plan_.after.str() +
                                 " would not be written on every run",
                             "name a statement that is in no loop and no branch");
            }
        }
        const Scope scope = scope_at(ctx_, out_.after, plan_.after);
        if (scope.buffers.count(plan_.target->name) == 0) {
            return error("'after' is not in the scope of " + plan_.target->name);
        }
        std::vector<Stmt> parts = {at->stmt};
        std::vector<Expr> covered;
        const std::vector<Expr> in_bounds = physical_bounds();
        Expr padding = ctx_.not_(layout_.in_image(ctx_, layout_.physical_vars));
        std::vector<Expr> known = parameter_facts(ctx_, before_);
        append(known, in_bounds);
        for (std::size_t i = 0; i < plan_.boxes.size(); ++i) {
            const PadBox& box = plan_.boxes[i];
            std::vector<Expr> inside;
            for (std::size_t k = 0; k < box.ranges.size(); ++k) {
                append(inside, range_facts(ctx_, layout_.physical_vars[k], box.ranges[k].first,
                                           box.ranges[k].second));
            }
            covered.push_back(ctx_.all_of(inside));
            std::vector<Expr> facts = parameter_facts(ctx_, before_);
            append(facts, inside);
            pad_is_safe(facts);
            bounds_are_safe(box, i);
            std::vector<Expr> goal = in_bounds;
            if (!box.guarded) goal.push_back(padding);
            goal.push_back(no_fault(ctx_, padding));
            out_.obligations.push_back(Obligation{"box " + std::to_string(i) +
                                                      " of the padding is in bounds and holds "
                                                      "nothing else",
                                                  facts, ctx_.all_of(goal)});
            std::vector<Expr> vars;
            const std::vector<LoopRange> loops = loops_over(box.ranges, i, vars);
            Expr pad = layout_.pad_kind == PadKind::Undef ? ctx_.undef(plan_.target->type)
                                                          : at_loops(layout_.pad, vars);
            Stmt write = ctx_.store(plan_.target, vars, pad);
            if (box.guarded) write = ctx_.if_(ctx_.not_(image_at(vars)), write);
            parts.push_back(nest(ctx_, loops, write));
        }
        known.push_back(padding);
        out_.obligations.push_back(
            Obligation{"all of the padding is written", known, ctx_.any_of(covered)});
        out_.after = replace_at(ctx_, out_.after, plan_.after, ctx_.seq(parts));
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const RelayoutPlan& plan_;
    Layout layout_;
    Proposal out_;
};

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
        if (map->size() != shape->size() || physical_vars->size() != shape->size()) {
            return error("the map and the physical shape differ in rank");
        }
        const Result<std::string> pad = arg_string(args, "pad");
        if (!pad) return pad.error();
        if (*pad == "undef") {
            layout.pad_kind = PadKind::Undef;
        } else if (*pad != "none") {
            layout.pad_kind = PadKind::Value;
            const auto value = parse_expr(ctx, *pad, physical, plan.buffer->type, "<pad>");
            if (!value) return value.error();
            if (!is_function(*value)) {
                return error("the padding value must be a function of the physical indices");
            }
            layout.pad = *value;
        }
        plan.target = ctx.buffer(*name, plan.buffer->type, *shape, plan.buffer->scope);
        if (layout.pad_kind == PadKind::None) return plan;
        const auto names = arg_strings(args, "names");
        if (!names) return names.error();
        if (names->size() != shape->size())
            return error("one loop name for each physical dimension");
        plan.names = *names;
        return read_boxes(ctx, args, scope, type, std::move(plan));
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
            box.guarded = arg_flag(item, "guarded");
            const nlohmann::json& ranges =
                item.is_object() ? item.value("ranges", nlohmann::json()) : item;
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

Result<Proposal> relayout(Context& ctx, const Function& before, const RelayoutPlan& plan) {
    return Relayouter(ctx, before, plan).run();
}

const Rule& relayout_rule() {
    static const Relayout rule;
    return rule;
}

}  // namespace proviso::rewrite
