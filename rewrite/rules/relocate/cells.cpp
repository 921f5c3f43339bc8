#include "rewrite/rules/relocate/cells.h"

#include <algorithm>

#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

std::vector<Expr> image(Context& ctx, const Layout& cells, const std::vector<Expr>& cell) {
    Substitution at;
    for (std::size_t d = 0; d < cell.size(); ++d) at[cells.vars[d]] = cell[d];
    std::vector<Expr> out;
    for (Expr e : cells.map) out.push_back(substitute(ctx, e, at));
    return out;
}

Status are_over(const std::vector<Expr>& exprs, ScalarType type, const std::vector<Expr>& known) {
    for (Expr e : exprs) {
        const bool plain = (is_plain(e) || planted("relocate:map-of-memory")) && e->type == type;
        if (!plain) return error("'" + print(e) + "' is no function of the indices");
        for (Expr v : free_vars(e)) {
            const bool is_known = std::find(known.begin(), known.end(), v) != known.end();
            if (is_known || planted("relocate:bound-inside")) continue;
            return error("'" + print(e) + "' speaks of " + *v->name + ", which means nothing there",
                         "a layout is over parameters, a copy over what is around it");
        }
    }
    return Unit{};
}

namespace {

// `vars` are different variables, and `exprs` are over `known`, one for each extent, of its type.
Status are_indices(const std::vector<Expr>& vars, const std::vector<Expr>& exprs, Buffer b,
                   const std::vector<Expr>& known) {
    if (vars.size() != b->rank() || exprs.size() != b->rank()) {
        return error(b->name + " has " + std::to_string(b->rank()) + " dimensions");
    }
    for (std::size_t d = 0; d < vars.size(); ++d) {
        const ScalarType type = b->shape[d]->type;
        const bool is_own = vars[d]->op == Op::Var && vars[d]->type == type &&
                            std::count(vars.begin(), vars.end(), vars[d]) == 1;
        if (!is_own && !planted("relocate:one-index-twice")) {
            return error("the indices of " + b->name + " are no variables of its extents' types");
        }
        if (const Status ok = are_over({exprs[d]}, type, known); !ok) return ok;
    }
    return Unit{};
}

}  // namespace

Status are_cells(const Layout& cells, Buffer from, Buffer to, const std::vector<Expr>& known) {
    if (from->type != to->type) return error(to->name + " holds another type");
    std::vector<Expr> logical = known;
    append(logical, cells.vars);
    std::vector<Expr> physical = known;
    append(physical, cells.physical_vars);
    if (const Status ok = are_indices(cells.vars, cells.inverse, from, physical); !ok) return ok;
    return are_indices(cells.physical_vars, cells.map, to, logical);
}

Status can_move(Context& ctx, Stmt s, Buffer from, const std::vector<Expr>& vars) {
    Status out = Unit{};
    const auto check = [&](std::span<const Expr> indices) {
        for (std::size_t d = 0; d < indices.size(); ++d) {
            Expr i = indices[d];
            if (i->type != vars[d]->type) {
                out = error(from->name + " has an index of another integer type: " + i->type.str(),
                            "cast the index, or give the buffer extents of its type");
            }
            if (planted("relocate:index-evaluated-twice")) continue;
            const bool binds = has_op(i, Op::Let) && !loaded_buffers(i).empty();
            if (makes_call(i)) out = error("an index makes an opaque call");
            if (binds || has_op(i, Op::Undef)) {
                out = error("an index may be another value each time");
            }
        }
    };
    const auto loads = [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op == Op::Load && e->buffer == from) check(e->args);
        });
        return root;
    };
    // Domains and regions of blocks as well, which are no children.
    rewrite_stmt(ctx, s, loads, nullptr);
    for_each_stmt(s, [&](Stmt inner) {
        const Store* n = inner->as<Store>();
        if (n != nullptr && n->buffer == from) check(n->indices);
    });
    return out;
}

Expr number_of_cells(Context& ctx, const std::vector<Expr>& extents) {
    Expr out = ctx.int_imm(extents.at(0)->type, 1);
    for (Expr e : extents) {
        if (is_int_const(out) && is_int_const(e)) {
            const Int128 v = out->int_value() * e->int_value();
            if (e->type.contains(v)) {
                out = ctx.int_imm(e->type, v);
                continue;
            }
        }
        out = is_int_const(out, 1) ? e : ctx.mul(out, e);
    }
    return out;
}

Stmt move_cells(Context& ctx, Stmt s, const Layout& cells, Buffer from, Buffer to) {
    const auto at = [&](std::vector<Expr> cell) {
        return cells.map == cells.vars ? cell : image(ctx, cells, cell);
    };
    return replace_buffer_in(ctx, s, from, to, at, true, true);
}

}  // namespace proviso::rewrite
