#include "rewrite/rules/licences.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/inventory.h"
#include "rewrite/kernel/arguments.h"

namespace proviso::rewrite {

using namespace ir;
using analysis::Layout;
using analysis::layouts_of;
using analysis::PadKind;

namespace {

// What the relation's padding holds when the function begins is finite wherever its data is: a
// finite number, or what a cell of data holds.
bool pads_finitely(const Layout& layout) {
    if (!layout.holds_at_entry) return false;
    if (layout.pad_kind == PadKind::Cell) return true;
    return layout.pad_kind == PadKind::Value && layout.pad->op == Op::FloatImm &&
           std::isfinite(layout.pad->float_value());
}

// The cell, by its physical indices in relation `level` (0 = oldest), holds what a cell of the
// tensor that the caller knows holds, or padding that is finite.
Expr holds_callers(Context& ctx, const std::vector<Layout>& layouts, std::size_t level,
                   std::span<const Expr> at) {
    const Layout& layout = layouts[level];
    const Substitution to_physical = layout.at(ctx, at);
    const bool finite = pads_finitely(layout);
    // The cell that this one is, or repeats, one relation further back.
    const auto further = [&](const Substitution& where) {
        if (level == 0) return ctx.true_();
        return holds_callers(ctx, layouts, level - 1, layout.logical(ctx, where));
    };
    Expr image = layout.in_image(ctx, at);
    Expr data = further(to_physical);
    if (!finite) return ctx.all_of({image, data});
    if (is_true(data)) return data;
    if (layout.pad_kind != PadKind::Cell) return ctx.implies(image, data);
    Substitution of_repeated;
    for (std::size_t k = 0; k < at.size(); ++k) {
        of_repeated[layout.physical_vars[k]] = substitute(ctx, layout.pad->arg(k), to_physical);
    }
    return ctx.and_(ctx.implies(image, data), ctx.or_(image, further(of_repeated)));
}

Expr is_finite_if(Context& ctx, const Function& f, Buffer b, std::span<const Expr> indices) {
    const std::vector<Layout> layouts = layouts_of(ctx, f, b->name);
    if (layouts.empty()) return ctx.true_();
    return holds_callers(ctx, layouts, layouts.size() - 1, indices);
}

}  // namespace

Granted finite_loads(Context& ctx, const Function& f, const std::vector<Expr>& exprs) {
    Granted out;
    std::set<std::uint32_t> seen;
    for (Expr root : exprs) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Load || !e->type.is_float() || !seen.insert(e->id).second) return;
            Buffer b = e->buffer;
            const std::string licence = "finite(" + b->name + ")";
            if (!f.has_licence(licence) || f.find_buffer_param(b->name) != b) return;
            if (stores_to(ctx, f, b)) return;
            Expr infinity = ctx.float_imm(e->type, std::numeric_limits<double>::infinity());
            Expr finite = ctx.lt(ctx.math(MathFn::Abs, {e}), infinity);
            Expr when = is_finite_if(ctx, f, b, e->args);
            out.facts.push_back(is_true(when) ? finite : ctx.implies(when, finite));
            if (std::find(out.licences.begin(), out.licences.end(), licence) ==
                out.licences.end()) {
                out.licences.push_back(licence);
            }
        });
    }
    return out;
}

namespace {

// An operation that computes, and no name, constant, cell or choice: where it gives a zero, it may
// give either.
bool is_operation(Expr e) {
    if (!e->type.is_float() || e->args.empty()) return false;
    return op_info(e->op).op_class == OpClass::Arithmetic || e->op == Op::Neg || e->op == Op::Math;
}

// The terms of a sum, each with whether it is subtracted, in an order of their own.
using Terms = std::vector<std::pair<Expr, bool>>;
void add_terms(Expr e, bool subtracted, Terms& out) {
    if (e->op != Op::Add && e->op != Op::Sub) {
        out.emplace_back(e, subtracted);
        return;
    }
    add_terms(e->arg(0), subtracted, out);
    add_terms(e->arg(1), subtracted != (e->op == Op::Sub), out);
}

bool same_terms(Expr a, Expr b) {
    Terms left;
    Terms right;
    add_terms(a, false, left);
    add_terms(b, false, right);
    const auto by_id = [](const auto& x, const auto& y) {
        return std::pair{x.first->id, x.second} < std::pair{y.first->id, y.second};
    };
    std::sort(left.begin(), left.end(), by_id);
    std::sort(right.begin(), right.end(), by_id);
    return left == right;
}

}  // namespace

Result<Choices> read_choices(Context& ctx, const Function& f, const nlohmann::json& args,
                             const Scope& scope, Expr before, Expr after) {
    Choices out;
    if (!args.contains("licences")) return out;
    const nlohmann::json& list = args["licences"];
    if (!list.is_array()) return error("\"licences\" must be a list of licences");
    bool finite = false;
    bool reassociate = false;
    for (const nlohmann::json& item : list) {
        const std::string licence = item.is_string() ? item.get<std::string>() : item.dump();
        if (!f.has_licence(licence)) {
            return error("the function does not grant the licence '" + licence + "'",
                         "T.func_attr({\"proviso.licences\": [\"" + licence + "\"]})");
        }
        finite = finite || licence.rfind("finite(", 0) == 0;
        out.either_zero = out.either_zero || licence == "no_signed_zero";
        reassociate = reassociate || licence == "reassociate";
    }
    if (out.either_zero && !is_operation(before)) {
        return error(
            "no_signed_zero is about operations on floats: a cell, a name and a constant "
            "have the sign that they have");
    }
    if (reassociate) {
        const bool is_sum = before->op == Op::Add || before->op == Op::Sub;
        if (!before->type.is_float() || !is_sum)
            return error("reassociate is about sums of floats");
        const Result<Expr> sum = arg_expr(ctx, args, "sum", scope, before->type);
        if (!sum) return sum.error();
        if (!same_terms(before, *sum)) return error("the sum is not one of the same terms");
        out.sum = *sum;
        out.licences.emplace_back("reassociate");
    }
    if (out.either_zero) out.licences.emplace_back("no_signed_zero");
    if (finite) {
        Granted granted = finite_loads(ctx, f, {before, after});
        out.facts = std::move(granted.facts);
        out.licences.insert(out.licences.end(), granted.licences.begin(), granted.licences.end());
    }
    return out;
}

}  // namespace proviso::rewrite
