#include "ir/call.h"

#include <algorithm>
#include <map>

#include "ir/children.h"
#include "ir/text.h"

namespace proviso::ir {

namespace {

class Inliner {
  public:
    Inliner(Context& ctx, const Function& callee,
            const std::function<std::string(const std::string&)>& unique)
        : ctx_(ctx), callee_(callee), unique_(unique) {}

    Result<Stmt> run(const std::vector<Param>& arguments) {
        if (arguments.size() != callee_.params.size()) {
            return error(callee_.name + " takes " + std::to_string(callee_.params.size()) +
                         " arguments, not " + std::to_string(arguments.size()));
        }
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (const Status ok = scalar(callee_.params[k], arguments[k]); !ok) return ok.error();
        }
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (const Status ok = buffer(callee_.params[k], arguments[k]); !ok) return ok.error();
        }
        rename_binders();
        // Buffers first: then no name of the callee's is left that the caller may use, too.
        Stmt body = rewrite_stmt(ctx_, callee_.body, nullptr, [&](Stmt s) { return statement(s); });
        body = rewrite_stmt(ctx_, body, [&](Expr e) { return expression(e); }, nullptr);
        Block region;
        region.name = unique_(callee_.name);
        region.predicate = ctx_.true_();
        region.body = body;
        body = ctx_.stmt(std::move(region));
        for (auto it = lets_.rbegin(); it != lets_.rend(); ++it) {
            body = ctx_.stmt(LetStmt{it->first, it->second, body});
        }
        return body;
    }

  private:
    Status scalar(const Param& param, const Param& argument) {
        const Expr* var = std::get_if<Expr>(&param);
        const Expr* value = std::get_if<Expr>(&argument);
        if ((var == nullptr) != (value == nullptr)) {
            return error("parameter " + param_name(param) + " of " + callee_.name + " is a " +
                         (var == nullptr ? "buffer" : "scalar"));
        }
        if (var == nullptr) return Unit{};
        if ((*var)->type != (*value)->type) {
            return error("parameter " + param_name(param) + " of " + callee_.name + " is " +
                         (*var)->type.str() + ", not " + (*value)->type.str());
        }
        shapes_[*var] = *value;
        Expr seen = *value;
        if (seen->op != Op::Var && !is_const(seen)) {
            seen = ctx_.var(unique_(*(*var)->name), (*var)->type);
            lets_.emplace_back(seen, *value);
        }
        vars_[*var] = seen;
        return Unit{};
    }

    Status buffer(const Param& param, const Param& argument) {
        const Buffer* formal = std::get_if<Buffer>(&param);
        if (formal == nullptr) return Unit{};
        Buffer actual = std::get<Buffer>(argument);
        passed_[actual].push_back(*formal);
        if (passed_[actual].size() > 1 && writes_one_of(passed_[actual])) {
            return error("buffer " + actual->name + " is passed twice",
                         "the parameters of a function are different buffers, but for those that "
                         "it only reads");
        }
        bool fits = (*formal)->type == actual->type && (*formal)->rank() == actual->rank();
        for (std::size_t d = 0; fits && d < actual->rank(); ++d) {
            fits = same_extent(substitute(ctx_, (*formal)->shape[d], shapes_), actual->shape[d]);
        }
        if (!fits) {
            return error("buffer " + actual->name + " has another type or shape than parameter " +
                         (*formal)->name + " of " + callee_.name);
        }
        buffers_[*formal] = actual;
        return Unit{};
    }

    // T.int64(4) and 4 are one extent.
    static bool same_extent(Expr a, Expr b) {
        return a == b ||
               (a->op == Op::IntImm && b->op == Op::IntImm && a->int_value() == b->int_value());
    }

    bool writes_one_of(const std::vector<Buffer>& formals) const {
        bool written = false;
        for_each_stmt(callee_.body, [&](Stmt s) {
            const Store* store = s->as<Store>();
            written = written || (store != nullptr && std::find(formals.begin(), formals.end(),
                                                                store->buffer) != formals.end());
        });
        return written;
    }

    void rename_binders() {
        const auto variable = [&](Expr v) { vars_[v] = ctx_.var(unique_(*v->name), v->type); };
        for_each_stmt(callee_.body, [&](Stmt s) {
            if (const For* n = s->as<For>()) variable(n->var);
            if (const LetStmt* n = s->as<LetStmt>()) variable(n->var);
            if (const Block* n = s->as<Block>()) {
                for (const BlockIter& it : n->iters) variable(it.var);
            }
        });
        for_each_stmt(callee_.body, [&](Stmt s) {
            const Allocate* n = s->as<Allocate>();
            if (n == nullptr) return;
            Buffer b = n->buffer;
            buffers_[b] = ctx_.buffer(unique_(b->name), b->type, {b->shape.begin(), b->shape.end()},
                                      b->scope);
        });
    }

    Buffer renamed(Buffer b) const {
        const auto found = buffers_.find(b);
        return found == buffers_.end() ? b : found->second;
    }

    Expr expression(Expr e) {
        Expr moved = rewrite_expr(ctx_, e, [&](Expr n) {
            if (n->op != Op::Load || renamed(n->buffer) == n->buffer) return n;
            return ctx_.load(renamed(n->buffer), {n->args.begin(), n->args.end()});
        });
        return substitute(ctx_, moved, vars_);
    }

    Stmt statement(Stmt s) {
        if (const Store* n = s->as<Store>()) {
            return ctx_.store(renamed(n->buffer), n->indices, n->value);
        }
        if (const For* n = s->as<For>()) {
            For copy = *n;
            copy.var = vars_.at(n->var);
            return ctx_.stmt(std::move(copy));
        }
        if (const LetStmt* n = s->as<LetStmt>()) {
            return ctx_.stmt(LetStmt{vars_.at(n->var), n->value, n->body});
        }
        if (const Allocate* n = s->as<Allocate>()) {
            return ctx_.stmt(Allocate{renamed(n->buffer), n->body});
        }
        const Block* n = s->as<Block>();
        if (n == nullptr) return s;
        Block copy = *n;
        for (BlockIter& it : copy.iters) it.var = vars_.at(it.var);
        for (auto* regions : {&copy.reads, &copy.writes}) {
            if (!regions->has_value()) continue;
            for (BufferRegion& r : **regions) r.buffer = renamed(r.buffer);
        }
        return ctx_.stmt(std::move(copy));
    }

    Context& ctx_;
    const Function& callee_;
    const std::function<std::string(const std::string&)>& unique_;
    Substitution vars_;
    Substitution shapes_;  // scalars as the caller writes them
    std::map<Buffer, Buffer> buffers_;
    std::map<Buffer, std::vector<Buffer>> passed_;  // for which parameters
    std::vector<std::pair<Expr, Expr>> lets_;
};

}  // namespace

Result<Stmt> inlined_call(Context& ctx, const Function& callee, const std::vector<Param>& arguments,
                          const std::function<std::string(const std::string&)>& unique) {
    return Inliner(ctx, callee, unique).run(arguments);
}

}  // namespace proviso::ir
