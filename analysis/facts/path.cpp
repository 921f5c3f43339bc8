#include "analysis/facts/path.h"

#include <algorithm>
#include <unordered_set>

#include "ir/child_at.h"

namespace proviso::analysis {

using namespace ir;

Stmt Path::statement() const {
    if (target.stmt != nullptr) return target.stmt;
    for (auto it = steps.rbegin(); it != steps.rend(); ++it) {
        if (it->stmt != nullptr) return it->stmt;
    }
    return nullptr;
}

namespace {

// Calls `passed` for each node on the way; gives what is at its end.
template <typename Passed>
Located walk(const Function& f, const Site& site, const Passed& passed) {
    Located at{f.body, nullptr};
    for (const Label& label : site.steps) {
        passed(PassedNode{at.stmt, at.expr, label});
        if (at.stmt != nullptr) {
            at = child_at(at.stmt, label);
        } else {
            const std::size_t index = static_cast<std::size_t>(std::stoi(label.str().substr(1)));
            at = Located{nullptr, at.expr->args[index]};
        }
        PROVISO_CHECK(at.stmt != nullptr || at.expr != nullptr, "no such site: " + site.str());
    }
    return at;
}

}  // namespace

Path path_to(const Function& f, const Site& site) {
    Path path;
    Site here;
    path.target = walk(f, site, [&](const PassedNode& n) {
        if (n.stmt != nullptr) path.statement_site = here;
        path.steps.push_back(PathStep{n, here});
        here.steps.push_back(n.label);
    });
    if (path.target.stmt != nullptr) path.statement_site = std::move(here);
    return path;
}

std::vector<PassedNode> passed_on_the_way(const Function& f, const Site& site) {
    std::vector<PassedNode> out;
    walk(f, site, [&](PassedNode n) { out.push_back(std::move(n)); });
    return out;
}

Scope scope_at(Context& ctx, const Function& f, const Site& site) {
    Scope scope;
    const auto add_var = [&](Expr v) { scope.vars[*v->name] = v; };
    const auto add_buffer = [&](Buffer b) { scope.buffers[b->name] = b; };
    for (Expr v : f.scalar_params()) add_var(v);
    for (Buffer b : f.buffer_params()) {
        add_buffer(b);
        for (Expr extent : b->shape) {  // sizes that only the buffers' extents give
            for (Expr v : free_vars(extent)) add_var(v);
        }
    }
    for (const PassedNode& step : passed_on_the_way(f, site)) {
        if (step.expr != nullptr) {
            if (step.expr->op == Op::Let && step.label == "a1") {
                add_var(ctx.var(*step.expr->name, step.expr->var_type));
            }
            continue;
        }
        if (const For* n = step.stmt->as<For>(); n != nullptr && step.label == "body") {
            add_var(n->var);
        } else if (const LetStmt* l = step.stmt->as<LetStmt>(); l && step.label == "body") {
            add_var(l->var);
        } else if (const Allocate* a = step.stmt->as<Allocate>()) {
            add_buffer(a->buffer);
        } else if (const Block* b = step.stmt->as<Block>();
                   b != nullptr && (step.label == "body" || step.label == "init")) {
            for (const BlockIter& it : b->iters) add_var(it.var);
        }
    }
    return scope;
}

std::vector<Buffer> stored_buffers(Stmt s) {
    std::vector<Buffer> out;
    std::unordered_set<Buffer> seen;
    for_each_stmt(s, [&](Stmt t) {
        const Store* n = t->as<Store>();
        if (n != nullptr && seen.insert(n->buffer).second) out.push_back(n->buffer);
    });
    return out;
}

bool stores_to(Stmt s, Buffer buffer) {
    bool found = false;
    for_each_stmt(s, [&](Stmt t) {
        const Store* n = t->as<Store>();
        found |= n != nullptr && n->buffer == buffer;
    });
    return found;
}

std::set<Buffer> allocated_buffers(Stmt s) {
    std::set<Buffer> out;
    for_each_stmt(s, [&](Stmt t) {
        if (const Allocate* n = t->as<Allocate>()) out.insert(n->buffer);
    });
    return out;
}

bool contains_assert(Stmt s) {
    bool found = false;
    for_each_stmt(s, [&](Stmt t) { found |= t->is<Assert>(); });
    return found;
}

bool contains_extern_call(Stmt s) {
    bool found = false;
    for_each_expr(s, [&](Expr e) { found |= has_op(e, Op::CallExtern); });
    return found;
}

}  // namespace proviso::analysis
