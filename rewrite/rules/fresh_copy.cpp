#include "rewrite/rules/fresh_copy.h"

#include "ir/children.h"
#include "ir/site.h"
#include "rewrite/rules/common.h"

namespace proviso::rewrite {

using namespace ir;

std::set<std::string> used_names(const Function& f) {
    std::set<std::string> out = bound_names(f);
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Block* n = s->as<Block>()) out.insert(n->name);
    });
    return out;
}

namespace {

// New names for everything that a statement binds, collected in textual order.
struct Renaming {
    Substitution vars;
    std::vector<std::pair<Buffer, Buffer>> buffers;
    std::map<std::string, std::string> blocks;
};

Renaming rename_binders(Context& ctx, Stmt s, std::set<std::string>& used) {
    Renaming out;
    const auto variable = [&](Expr v) {
        out.vars[v] = ctx.var(fresh_name(*v->name, used), v->type);
    };
    for_each_stmt(s, [&](Stmt t) {
        if (const For* n = t->as<For>()) variable(n->var);
        if (const LetStmt* n = t->as<LetStmt>()) variable(n->var);
        if (const Allocate* n = t->as<Allocate>()) {
            Buffer b = n->buffer;
            out.buffers.emplace_back(b, ctx.buffer(fresh_name(b->name, used), b->type,
                                                   {b->shape.begin(), b->shape.end()}, b->scope));
        }
        if (const Block* n = t->as<Block>()) {
            for (const BlockIter& it : n->iters) variable(it.var);
            out.blocks[n->name] = fresh_name(n->name, used);
        }
    });
    return out;
}

// Extents of an allocation may mention lets and loop variables around it in the copy.
Buffer renamed_extents(Context& ctx, Buffer b, const Substitution& vars) {
    std::vector<Expr> shape;
    for (Expr extent : b->shape) shape.push_back(substitute(ctx, extent, vars));
    return ctx.buffer(b->name, b->type, shape, b->scope);
}

}  // namespace

Stmt fresh_copy(Context& ctx, Stmt s, std::set<std::string>& used) {
    Renaming names = rename_binders(ctx, s, used);
    Stmt out = s;
    const auto keep = [](std::vector<Expr> indices) { return indices; };
    for (auto& [from, to] : names.buffers) {
        to = renamed_extents(ctx, to, names.vars);
        out = replace_buffer_in(ctx, out, from, to, keep, true, true);
    }
    const auto on_expr = [&](Expr e) { return substitute(ctx, e, names.vars); };
    const auto on_stmt = [&](Stmt t) {
        if (const For* n = t->as<For>()) {
            For copy = *n;
            copy.var = names.vars.at(n->var);
            return ctx.stmt(std::move(copy));
        }
        if (const LetStmt* n = t->as<LetStmt>()) {
            return ctx.stmt(LetStmt{names.vars.at(n->var), n->value, n->body});
        }
        if (const Block* n = t->as<Block>()) {
            Block copy = *n;
            copy.name = names.blocks.at(n->name);
            for (BlockIter& it : copy.iters) it.var = names.vars.at(it.var);
            return ctx.stmt(std::move(copy));
        }
        return t;
    };
    return rewrite_stmt(ctx, out, on_expr, on_stmt);
}

Stmt fresh_copy(Context& ctx, Stmt s, std::set<std::string>& used, Expr var, Expr index) {
    return substitute(ctx, fresh_copy(ctx, s, used), {{var, index}});
}

}  // namespace proviso::rewrite
