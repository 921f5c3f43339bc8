#include "rewrite/rules/fresh_copy.h"

#include <optional>

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

// Everything that is bound gets its new name. Buffers are replaced one after the other: no new one
// is an old one. Their extents are renamed last, with all other expressions.
Stmt renamed(Context& ctx, Stmt s, const Renaming& names) {
    Stmt out = s;
    const auto keep = [](std::vector<Expr> indices) { return indices; };
    for (const auto& [from, to] : names.buffers) {
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

// What a statement binds, in textual order.
struct Binders {
    std::vector<Expr> vars;
    std::vector<Buffer> buffers;
    std::vector<std::string> blocks;
};

Binders binders_of(Stmt s) {
    Binders out;
    for_each_stmt(s, [&](Stmt t) {
        if (const For* n = t->as<For>()) out.vars.push_back(n->var);
        if (const LetStmt* n = t->as<LetStmt>()) out.vars.push_back(n->var);
        if (const Allocate* n = t->as<Allocate>()) out.buffers.push_back(n->buffer);
        if (const Block* n = t->as<Block>()) {
            for (const BlockIter& it : n->iters) out.vars.push_back(it.var);
            out.blocks.push_back(n->name);
        }
    });
    return out;
}

// Every name that stands in a statement, bound or not, lets inside expressions included.
std::set<std::string> names_in(Stmt s) {
    std::set<std::string> out;
    const auto note = [&](Expr e) {
        for_each_node(e, [&](Expr n) {
            if ((n->op == Op::Var || n->op == Op::Let) && n->name != nullptr) out.insert(*n->name);
            if (n->buffer != nullptr) out.insert(n->buffer->name);
        });
    };
    for_each_expr(s, note);
    for_each_stmt(s, [&](Stmt t) {
        if (const Store* n = t->as<Store>()) out.insert(n->buffer->name);
        if (const Allocate* n = t->as<Allocate>()) {
            for (Expr extent : n->buffer->shape) note(extent);
        }
    });
    const Binders bound = binders_of(s);
    for (Expr v : bound.vars) out.insert(*v->name);
    for (Buffer b : bound.buffers) out.insert(b->name);
    out.insert(bound.blocks.begin(), bound.blocks.end());
    return out;
}

// From the binders of one statement to those of another; none where they differ in kind.
std::optional<Renaming> renaming_to(Context& ctx, const Binders& from, const Binders& to) {
    Renaming out;
    if (from.vars.size() != to.vars.size() || from.buffers.size() != to.buffers.size() ||
        from.blocks.size() != to.blocks.size()) {
        return std::nullopt;
    }
    for (std::size_t k = 0; k < from.vars.size(); ++k) {
        if (from.vars[k]->type != to.vars[k]->type) return std::nullopt;
        out.vars[from.vars[k]] = to.vars[k];
    }
    for (std::size_t k = 0; k < from.blocks.size(); ++k) out.blocks[from.blocks[k]] = to.blocks[k];
    for (std::size_t k = 0; k < from.buffers.size(); ++k) {
        Buffer b = from.buffers[k];
        out.buffers.emplace_back(b, ctx.buffer(to.buffers[k]->name, b->type,
                                               {b->shape.begin(), b->shape.end()}, b->scope));
    }
    return out;
}

}  // namespace

Stmt fresh_copy(Context& ctx, Stmt s, std::set<std::string>& used) {
    return renamed(ctx, s, rename_binders(ctx, s, used));
}

Stmt with_names_of(Context& ctx, Stmt s, Stmt model) {
    if (s == model) return s;
    const Binders to = binders_of(model);
    const std::optional<Renaming> names = renaming_to(ctx, binders_of(s), to);
    if (!names) return nullptr;
    // A name that stands in `s` already could be taken for what it is made to mean.
    const std::set<std::string> taken = names_in(s);
    const auto is_taken = [&](const std::string& name) { return taken.count(name) != 0; };
    for (Expr v : to.vars) {
        if (is_taken(*v->name)) return nullptr;
    }
    for (Buffer b : to.buffers) {
        if (is_taken(b->name)) return nullptr;
    }
    for (const std::string& name : to.blocks) {
        if (is_taken(name)) return nullptr;
    }
    return renamed(ctx, s, *names);
}

}  // namespace proviso::rewrite
