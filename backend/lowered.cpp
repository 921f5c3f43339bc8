#include "backend/lowered.h"

#include <algorithm>
#include <unordered_set>

#include "analysis/external/external_call.h"
#include "ir/children.h"
#include "ir/site.h"

namespace proviso::backend {

using namespace ir;

namespace {

class Checker {
  public:
    Checker(const Function& f, const std::set<std::string>& externs, BoundLoops bound)
        : f_(f), externs_(externs), bound_(bound) {}

    Status run() {
        if (f_.body == nullptr) return proviso::error("function " + f_.name + " has no body");
        for (Expr p : f_.scalar_params()) vars_.push_back(p);
        for (const ImpliedSize& size : implied_sizes(f_)) vars_.push_back(size.var);
        for (Buffer b : f_.buffer_params()) {
            for (Expr extent : b->shape) {
                check_param_extent(b, extent);
                check_expr(extent, [&] { return "extent of " + b->name; });
            }
        }
        for (Buffer b : f_.buffer_params()) buffers_.push_back(b);
        check_stmt(f_.body, Site{});
        if (failure_) return *failure_;
        return Unit{};
    }

  private:
    template <typename Where>
    void fail(const std::string& message, const Where& where, const std::string& hint = {}) {
        if (failure_) return;
        failure_ = proviso::error(message + ", at " + where(), hint);
        failure_->notes.push_back("in function " + f_.name);
    }

    void check_param_extent(Buffer b, Expr extent) {
        const auto where = [&] { return "extent of parameter " + b->name; };
        for_each_node(extent, [&](Expr e) {
            if (e->op == Op::Load || e->op == Op::CallExtern) {
                fail("a parameter's extent reads memory", where);
            }
        });
    }

    bool in_scope(Expr var) const {
        for (const auto& [name, type] : let_names_) {
            if (name == var->name && type == var->type) return true;
        }
        return std::find(vars_.begin(), vars_.end(), var) != vars_.end();
    }

    template <typename Where>
    void check_node(Expr e, const Where& where) {
        switch (e->op) {
            case Op::Undef:
                fail("the code generator does not take T.undef()", where,
                     "apply the lowering rule for undef first");
                break;
            case Op::Defined:
            case Op::Same: fail("an operator of obligations stands in a program", where); break;
            case Op::Var:
                if (!in_scope(e)) {
                    fail("variable " + *e->name + " is not in scope", where);
                }
                break;
            case Op::Load:
                if (std::find(buffers_.begin(), buffers_.end(), e->buffer) == buffers_.end()) {
                    fail("buffer " + e->buffer->name + " is not in scope", where);
                }
                break;
            case Op::CallExtern: check_extern(e, where); break;
            default: break;
        }
    }

    template <typename Where>
    void check_extern(Expr e, const Where& where) {
        if (externs_.count(*e->name) == 0) {
            fail("opaque call of \"" + *e->name + "\", which is not registered", where,
                 "no command lowers or runs opaque calls; the library takes functions in "
                 "CpuOptions::externs");
        }
        const auto has_c_type = [](ScalarType t) { return !t.is_float() || t.bits > 16; };
        bool fine = has_c_type(e->type);
        for (Expr a : e->args) fine = fine && has_c_type(a->type);
        if (!fine) fail("opaque call with a 16-bit float, which has no C type", where);
    }

    // Visits each node once while the same variables are in scope, hence a new `seen` in a let.
    template <typename Where>
    void check_expr_in(Expr e, const Where& where, std::unordered_set<Expr>& seen) {
        if (failure_ || !seen.insert(e).second) return;
        check_node(e, where);
        if (e->op == Op::Let) {
            check_expr_in(e->arg(0), where, seen);
            let_names_.push_back({e->name, e->var_type});
            std::unordered_set<Expr> inner;
            check_expr_in(e->arg(1), where, inner);
            let_names_.pop_back();
            return;
        }
        for (Expr a : e->args) check_expr_in(a, where, seen);
    }

    template <typename Where>
    void check_expr(Expr e, const Where& where) {
        std::unordered_set<Expr> seen;
        check_expr_in(e, where, seen);
    }

    void check_stmt(Stmt s, const Site& site) {
        if (failure_) return;
        const auto where = [&] { return site.str(); };
        if (const Block* block = s->as<Block>(); block != nullptr && calls_external(*block)) {
            if (!check_external(*block, where)) return;
        } else if (block != nullptr) {
            return fail("the code generator does not take blocks", where,
                        "apply the lowering rule for blocks first");
        }
        if (s->is<Assume>()) {
            return fail("the code generator does not take T.assume()", where,
                        "apply the lowering rule for assumes first");
        }
        if (const For* loop = s->as<For>();
            loop && loop->kind == ForKind::ThreadBinding && bound_ == BoundLoops::Refused) {
            return fail("loop over " + *loop->var->name + " is bound to " + loop->thread_tag +
                            ", which a CPU does not have",
                        where, "use a parallel or serial loop, or a GPU's target");
        }
        if (const Store* store = s->as<Store>();
            store && std::find(buffers_.begin(), buffers_.end(), store->buffer) == buffers_.end()) {
            return fail("buffer " + store->buffer->name + " is not in scope", where);
        }
        if (const Allocate* alloc = s->as<Allocate>()) {
            for (Expr extent : alloc->buffer->shape) check_expr(extent, where);
        }
        check_children(s, site);
    }

    template <typename Where>
    bool check_external(const Block& block, const Where& where) {
        if (bound_ == BoundLoops::Taken) {
            fail("code for a GPU calls no external function, as \"" + external_symbol(block) +
                     "\" in block " + block.name,
                 where, "give an implementation of the intrinsic in TVMScript");
            return false;
        }
        const Result<analysis::ExternalCall> call = analysis::external_call(block);
        if (call) return true;
        fail(call.error().message, where,
             call.error().hint.empty()
                 ? "tensorize last: later steps may change what is in the block"
                 : call.error().hint);
        return false;
    }

    void check_children(Stmt s, const Site& site) {
        const std::size_t vars = vars_.size();
        const std::size_t buffers = buffers_.size();
        for (const Child& c : ir::children(s)) {
            const Site child = site.child(c.label);
            if (c.expr != nullptr) {
                check_expr(c.expr, [&] { return child.str(); });
                continue;
            }
            if (const For* loop = s->as<For>()) vars_.push_back(loop->var);
            if (const LetStmt* let = s->as<LetStmt>()) vars_.push_back(let->var);
            if (const Allocate* alloc = s->as<Allocate>()) buffers_.push_back(alloc->buffer);
            check_stmt(c.stmt, child);
        }
        vars_.resize(vars);
        buffers_.resize(buffers);
    }

    const Function& f_;
    const std::set<std::string>& externs_;
    BoundLoops bound_;
    std::vector<Expr> vars_;
    std::vector<Buffer> buffers_;
    std::vector<std::pair<const std::string*, ScalarType>> let_names_;
    std::optional<Diagnostic> failure_;
};

}  // namespace

Status check_lowered(const Function& f, const std::set<std::string>& extern_symbols,
                     BoundLoops bound) {
    return Checker(f, extern_symbols, bound).run();
}

std::vector<ImpliedSize> implied_sizes(const Function& f) {
    std::vector<Expr> known = f.scalar_params();
    std::vector<ImpliedSize> out;
    for (std::size_t p = 0; p < f.params.size(); ++p) {
        const Buffer* buffer = std::get_if<Buffer>(&f.params[p]);
        if (buffer == nullptr) continue;
        for (std::size_t d = 0; d < (*buffer)->rank(); ++d) {
            Expr extent = (*buffer)->shape[d];
            if (extent->op != Op::Var) continue;
            if (std::find(known.begin(), known.end(), extent) != known.end()) continue;
            known.push_back(extent);
            out.push_back({extent, p, d});
        }
    }
    return out;
}

Function with_explicit_sizes(const Function& f) {
    Function out = f;
    for (const ImpliedSize& size : implied_sizes(f)) out.params.emplace_back(size.var);
    return out;
}

std::vector<std::string> external_symbols(const Function& f) {
    std::vector<std::string> out;
    for_each_stmt(f.body, [&](Stmt s) {
        const Block* block = s->as<Block>();
        if (block == nullptr || !calls_external(*block)) return;
        const std::string symbol = external_symbol(*block);
        if (std::find(out.begin(), out.end(), symbol) == out.end()) out.push_back(symbol);
    });
    return out;
}

std::vector<std::string> assert_messages(const Function& f) {
    std::vector<std::string> out;
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Assert* a = s->as<Assert>()) out.push_back(a->message);
    });
    return out;
}

}  // namespace proviso::backend
