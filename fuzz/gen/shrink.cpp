#include "fuzz/gen/shrink.h"

#include <algorithm>

#include "fuzz/gen/steps/sites.h"
#include "ir/well_formed.h"

namespace proviso::fuzz {

using namespace ir;

namespace {

std::uint64_t magnitude(Expr e) {
    if (e->op != Op::IntImm) return e->op == Op::FloatImm && e->float_value() != 0.0 ? 1 : 0;
    const Int128 v = e->int_value();
    return static_cast<std::uint64_t>(std::min<Int128>(v < 0 ? -v : v, 1 << 20));
}

void measure(Expr e, ProgramSize& size) {
    size.nodes += e->op == Op::Undef ? 2 : 1;  // a constant is simpler than undef
    size.constants += magnitude(e);
    for (Expr a : e->args) measure(a, size);
}

class Shrinker {
  public:
    Shrinker(Context& ctx, const Function& f) : ctx_(ctx), f_(f), size_(size_of(f)) {}

    std::vector<Function> run() {
        const auto statements = all_statements(f_);
        for (const auto& [site, s] : statements) statement(site, s);
        extents(statements);
        parameters();
        for (const auto& [site, e] : all_expressions(f_)) expression(site, e);
        return std::move(out_);
    }

  private:
    void offer(Function candidate) {
        if (size_of(candidate) < size_ && well_formed(candidate).empty()) {
            out_.push_back(std::move(candidate));
        }
    }
    void offer(const Site& site, Stmt s) { offer(replace_at(ctx_, f_, site, s)); }

    void statement(const Site& site, Stmt s) {
        if (!(s->is<Seq>() && s->as<Seq>()->body.empty())) offer(site, ctx_.pass());
        if (const For* n = s->as<For>()) {
            offer(site, substitute(ctx_, n->body, {{n->var, n->lo}}));
            if (n->kind != ForKind::Serial) {
                For serial = *n;
                serial.kind = ForKind::Serial;
                serial.thread_tag.clear();
                offer(site, ctx_.stmt(serial));
            }
        } else if (const IfElse* branch = s->as<IfElse>()) {
            offer(site, branch->then_body);
            if (branch->else_body != nullptr) {
                offer(site, branch->else_body);
                offer(site, ctx_.if_(branch->cond, branch->then_body));
            }
        } else if (const LetStmt* let = s->as<LetStmt>()) {
            offer(site, substitute(ctx_, let->body, {{let->var, let->value}}));
        } else if (const Allocate* a = s->as<Allocate>()) {
            offer(site, a->body);
        } else if (const Block* b = s->as<Block>()) {
            block(site, *b);
        }
    }

    void block(const Site& site, const Block& b) {
        Substitution inlined;
        for (const BlockIter& it : b.iters) inlined[it.var] = it.binding;
        offer(site, substitute(ctx_, b.body, inlined));
        Block fewer = b;
        fewer.predicate = ctx_.true_();
        offer(site, ctx_.stmt(fewer));
        fewer = b;
        fewer.init = nullptr;
        offer(site, ctx_.stmt(fewer));
    }

    // An extent stands in shapes, bounds and index maps; all of them change together.
    void extents(const std::vector<std::pair<Site, Stmt>>& statements) {
        std::vector<Int128> seen;
        const auto note = [&](Expr e) {
            if (is_int_const(e) && e->int_value() > 1) seen.push_back(e->int_value());
        };
        for (Buffer b : f_.buffer_params()) {
            for (Expr e : b->shape) note(e);
        }
        for (const auto& [site, s] : statements) {
            if (const For* n = s->as<For>()) note(n->hi);
            if (const Allocate* a = s->as<Allocate>()) {
                for (Expr e : a->buffer->shape) note(e);
            }
        }
        std::sort(seen.begin(), seen.end());
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        for (const Int128 from : seen) {
            for (const Int128 to : {Int128{1}, from / 2, from - 1}) {
                if (to >= 1 && to < from) offer(with_constant(from, to));
            }
        }
    }

    Function with_constant(Int128 from, Int128 to) {
        const auto on_expr = [&](Expr e) {
            return rewrite_expr(ctx_, e, [&](Expr n) {
                if (n->op == Op::Load) {
                    return ctx_.load(resized(n->buffer, from, to),
                                     {n->args.begin(), n->args.end()});
                }
                const bool hit = is_int_const(n, from) && n->type.contains(to);
                return hit ? ctx_.int_imm(n->type, to) : n;
            });
        };
        const auto on_stmt = [&](Stmt s) {
            if (const Store* n = s->as<Store>()) {
                return ctx_.store(resized(n->buffer, from, to), n->indices, n->value);
            }
            if (const Allocate* n = s->as<Allocate>()) {
                return ctx_.stmt(Allocate{resized(n->buffer, from, to), n->body});
            }
            return s;
        };
        Function out = f_;
        for (Param& p : out.params) {
            if (Buffer* b = std::get_if<Buffer>(&p)) *b = resized(*b, from, to);
        }
        out.body = rewrite_stmt(ctx_, f_.body, on_expr, on_stmt);
        return out;
    }

    Buffer resized(Buffer b, Int128 from, Int128 to) {
        std::vector<Expr> shape;
        for (Expr e : b->shape) {
            shape.push_back(is_int_const(e, from) ? ctx_.int_imm(e->type, to) : e);
        }
        return ctx_.buffer(b->name, b->type, shape, b->scope);
    }

    void parameters() {
        for (std::size_t k = 0; k < f_.params.size(); ++k) {
            if (!std::holds_alternative<Buffer>(f_.params[k])) continue;
            if (f_.attrs.count("proviso.layout") != 0) continue;
            Function fewer = f_;
            fewer.params.erase(fewer.params.begin() + static_cast<std::ptrdiff_t>(k));
            offer(fewer);  // not well-formed when it is used
        }
    }

    void expression(const Site& site, Expr e) {
        const auto put = [&](Expr to) {
            if (to != e) offer(replace_at(ctx_, f_, site, to));
        };
        if (e->op != Op::Load) {
            for (Expr a : e->args) {
                if (a->type == e->type) put(a);
            }
        }
        if (e->type.is_bool()) {
            put(ctx_.true_());
            put(ctx_.false_());
        } else if (e->type.is_float()) {
            put(ctx_.float_imm(e->type, 0.0));
            put(ctx_.float_imm(e->type, 1.0));
        } else {
            put(ctx_.int_imm(e->type, 0));
            put(ctx_.int_imm(e->type, 1));
            if (e->op == Op::IntImm) put(ctx_.int_imm(e->type, e->int_value() / 2));
        }
    }

    Context& ctx_;
    const Function& f_;
    ProgramSize size_;
    std::vector<Function> out_;
};

}  // namespace

ProgramSize size_of(const Function& f) {
    ProgramSize out;
    for_each_stmt(f.body, [&](Stmt s) {
        const bool empty = s->is<Seq>() && s->as<Seq>()->body.empty();
        out.nodes += empty ? 0 : 2;
        if (const For* n = s->as<For>(); n != nullptr && n->kind != ForKind::Serial) ++out.nodes;
        if (const Block* b = s->as<Block>()) {
            for (const BlockIter& it : b->iters) {
                measure(it.lo, out);
                measure(it.hi, out);
            }
        }
        if (const Allocate* a = s->as<Allocate>()) {
            for (Expr e : a->buffer->shape) measure(e, out);
        }
    });
    for_each_expr(f.body, [&](Expr e) { measure(e, out); });
    for (Buffer b : f.buffer_params()) {
        out.nodes += 1;
        for (Expr e : b->shape) measure(e, out);
    }
    return out;
}

std::vector<Function> smaller_programs(Context& ctx, const Function& f) {
    return Shrinker(ctx, f).run();
}

Function shrink_program(Context& ctx, Function f, const std::function<bool(const Function&)>& fails,
                        int budget) {
    for (bool again = true; again && budget > 0;) {
        again = false;
        for (const Function& candidate : smaller_programs(ctx, f)) {
            if (budget-- <= 0) break;
            if (!fails(candidate)) continue;
            f = candidate;
            again = true;
            break;
        }
    }
    return f;
}

}  // namespace proviso::fuzz
