#include "backend/gpu/plan/plan.h"

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "backend/gpu/plan/thread_buffer.h"
#include "backend/gpu/text/c_expressions.h"
#include "backend/gpu/text/functions.h"
#include "backend/lowered.h"
#include "ir/buffer_scope.h"
#include "ir/check.h"
#include "ir/text.h"
#include "ir/well_formed.h"
#include "rewrite/passes/barriers.h"

namespace proviso::backend::gpu {

using namespace ir;

namespace {

// Registers and local memory of one thread.
constexpr std::int64_t kMaxLocalBytes = std::int64_t{16} * 1024;

class Planner {
  public:
    Planner(Context& ctx, const Function& f) : ctx_(ctx) { plan_.function = f; }

    Result<Plan> run() {
        if (contains_bound_loop(plan_.function.body)) {
            host(plan_.function.body, Site{});
            if (!failure_) barriers();
        } else {
            failure_ = error("no loop of " + plan_.function.name + " is bound to blocks or threads",
                             "bind one: sch.bind(loop, \"blockIdx.x\")");
        }
        if (failure_) return *failure_;
        return std::move(plan_);
    }

  private:
    void fail(const std::string& message, const Site& site, const std::string& hint = {}) {
        if (!failure_) failure_ = error(message + ", at " + site.str(), hint);
    }

    // Where the attribute says, or after every phase.
    void barriers() {
        const auto stated = rewrite::stated_barriers(plan_.function);
        if (!stated) {
            failure_ = stated.error();
            return;
        }
        for (Kernel& k : plan_.kernels) {
            const auto level = rewrite::BlockLevel::of(plan_.function, k.site);
            if (!level) return fail(level.error().message, k.site, level.error().hint);
            if (!*stated) k.barriers = rewrite::after_every_phase(*level);
            for (const Site& place : level->places()) {
                if (*stated && (*stated)->count(place) != 0) k.barriers.insert(place);
            }
        }
    }

    // --- host ----------------------------------------------------------------------------------

    void host_expr(Expr e, const Site& site) {
        if (has_op(e, Op::Load)) {
            fail("the host would read memory of the device", site,
                 "compute it in a kernel, or pass it as a scalar parameter");
        }
        if (has_op(e, Op::CallExtern)) fail("an opaque call on the host", site);
        for_each_node(e, [&](Expr n) {
            if (!n->type.is_float() || n->op == Op::Var || n->op == Op::FloatImm) return;
            fail("the host would compute in " + n->type.str(), site, "compute it in a kernel");
        });
    }

    void host(Stmt s, const Site& site) {
        if (failure_) return;
        if (const For* n = s->as<For>(); n != nullptr && is_bound(*n)) return kernel(s, site);
        if (const Store* n = s->as<Store>()) {
            return fail("a store to " + n->buffer->name + " outside of a kernel", site,
                        "bind a loop around it to blocks or threads");
        }
        for (const Child& c : children(s)) {
            if (c.expr != nullptr) host_expr(c.expr, site);
        }
        if (const Allocate* n = s->as<Allocate>()) {
            if (is_shared_scope(n->buffer->scope)) {
                fail("the shared buffer " + n->buffer->name + " is allocated outside of a block",
                     site, "allocate it inside the loops bound to blocks");
            }
            for (Expr extent : n->buffer->shape) host_expr(extent, site);
        }
        for (const Child& c : children(s)) {
            if (c.stmt != nullptr) host(c.stmt, site.child(c.label));
        }
    }

    // --- kernels -------------------------------------------------------------------------------

    void kernel(Stmt s, const Site& site) {
        Kernel k;
        k.name = kernel_name(plan_.function.name, plan_.kernels.size());
        k.site = site;
        k.stmt = s;
        kernel_ = &k;
        written_ = analysis::stored_buffers(s);
        Stmt inner = s;
        Site at = site;
        while (const For* n = inner->as<For>()) {
            if (!is_bound(*n) || !is_block_loop(*n)) break;
            claim_axis(k.grid, *n, at);
            inner = n->body;
            at = at.child("body");
        }
        block_level(inner, at);
        parameters(k);
        plan_.kernels.push_back(std::move(k));
        kernel_ = nullptr;
    }

    void host_extent(const For& loop, const Site& site) {
        std::vector<Expr> inside;
        for_each_stmt(kernel_->stmt, [&](Stmt s) {
            if (const For* n = s->as<For>()) inside.push_back(n->var);
            if (const LetStmt* n = s->as<LetStmt>()) inside.push_back(n->var);
        });
        for (Expr bound : {loop.lo, loop.hi}) {
            host_expr(bound, site);
            for (Expr v : free_vars(bound)) {
                if (std::find(inside.begin(), inside.end(), v) == inside.end()) continue;
                fail("the extent of " + *loop.var->name + ", bound to " + loop.thread_tag +
                         ", depends on " + *v->name + " of the same kernel",
                     site, "give it the largest extent and guard the body");
            }
        }
    }

    void claim_axis(std::array<Expr, kAxes>& extents, const For& loop, const Site& site) {
        host_extent(loop, site);
        Expr& slot = extents[axis_of(loop)];
        if (slot != nullptr) fail(loop.thread_tag + " is bound twice in one nest", site);
        slot = extent_of(ctx_, loop);
    }

    // Evaluated by every thread of a block, with the same result.
    void uniform(Expr e, const Site& site) {
        for (Buffer b : loaded_buffers(e)) {
            if (std::find(written_.begin(), written_.end(), b) == written_.end()) continue;
            fail("control around threads reads " + b->name + ", which the kernel writes", site,
                 "read it inside the loop bound to threads");
        }
    }

    void block_level(Stmt s, const Site& site) {
        if (failure_) return;
        if (!contains_bound_loop(s)) return thread_body(s, site);
        if (const For* n = s->as<For>()) {
            if (is_bound(*n)) return phase(s, site);
            for (Expr bound : {n->lo, n->hi}) {
                uniform(bound, site);
                expression(bound, site);
            }
            return block_level(n->body, site.child("body"));
        }
        if (const IfElse* n = s->as<IfElse>()) uniform(n->cond, site);
        if (const LetStmt* n = s->as<LetStmt>()) uniform(n->value, site);
        if (const Allocate* n = s->as<Allocate>()) block_buffer(*n, site);
        for (const Child& c : children(s)) {
            if (c.expr != nullptr) expression(c.expr, site);
            if (c.stmt != nullptr) block_level(c.stmt, site.child(c.label));
        }
    }

    void phase(Stmt s, Site site) {
        std::array<Expr, kAxes> extents{};
        while (const For* n = s->as<For>()) {
            if (!is_bound(*n)) break;
            if (is_block_loop(*n)) {
                return fail("loop " + *n->var->name + " is bound to " + n->thread_tag +
                                " and does not stand directly in the loops bound to blocks",
                            site, "the loops bound to blocks come first, around everything");
            }
            claim_axis(extents, *n, site);
            s = n->body;
            site = site.child("body");
        }
        for (std::size_t a = 0; a < kAxes; ++a) widen(kernel_->block[a], extents[a], site);
        thread_body(s, site);
    }

    // The launch has the largest extent of all phases; those with fewer threads are guarded.
    void widen(Expr& launch, Expr extent, const Site& site) {
        if (extent == nullptr || launch == extent) return;
        if (launch == nullptr) {
            launch = extent;
        } else if (is_int_const(launch) && is_int_const(extent)) {
            if (extent->int_value() > launch->int_value()) launch = extent;
        } else {
            fail("loops of one kernel are bound to one axis with the extents " + print(launch) +
                     " and " + print(extent),
                 site, "give them the same extent, or constant ones");
        }
    }

    // Allocated by a block: shared by its threads, or with a part for each.
    void block_buffer(const Allocate& n, const Site& site) {
        if (is_shared_scope(n.buffer->scope)) return shared_buffer(n.buffer, site);
        if (n.buffer->scope != "local") {
            return fail("buffer " + n.buffer->name + " of scope \"" + n.buffer->scope +
                            "\" is allocated by a block",
                        site, "its scope is \"shared\", or \"local\" when it is indexed by thread");
        }
        const Result<ThreadParts> parts = thread_parts(n, site);
        if (!parts) return fail(parts.error().message, site, parts.error().hint);
        kernel_->thread_buffers[n.buffer] = parts->dimensions;
        for (const ThreadParts::Owed& owed : parts->owed) own_part(n.buffer, owed);
        registers(n.buffer, parts->dimensions, site);
    }

    void own_part(Buffer buffer, const ThreadParts::Owed& owed) {
        const auto wide = [&](Expr e) { return e->type == kInt64 ? e : ctx_.cast(kInt64, e); };
        Expr thread = ctx_.i64(0);
        if (owed.loop != nullptr) {
            thread = wide(owed.loop->var);
            if (!is_int_const(owed.loop->lo, 0)) thread = ctx_.sub(thread, wide(owed.loop->lo));
        }
        const std::string who = owed.loop == nullptr ? "thread 0" : *owed.loop->var->name;
        kernel_->own_parts.push_back(
            {{.words = owed.access + " is in the part of " + buffer->name +
                       " that belongs to the thread: " + print(owed.index) + " is " + who +
                       ", at " + owed.site.str()},
             analysis::facts_at(ctx_, plan_.function, owed.site),
             ctx_.eq(wide(owed.index), thread)});
    }

    void shared_buffer(Buffer b, const Site& site) {
        type(b->type);
        const std::int64_t elements = constant_elements(b);
        if (elements < 0) {
            return fail("the size of " + b->name + " is not constant", site,
                        "buffers of kernels have constant extents");
        }
        kernel_->shared_bytes = (kernel_->shared_bytes + 15) / 16 * 16;
        kernel_->shared_bytes += elements * b->type.bytes();
    }

    // What one thread does.
    void thread_body(Stmt s, const Site& site) {
        if (contains_bound_loop(s)) {
            return fail("a bound loop does not stand directly in the one around it", site,
                        "statements between them belong to the inner loop, or to a loop of threads "
                        "of their own");
        }
        for_each_stmt(s, [&](Stmt inner) {
            if (inner->is<Assert>()) fail("an assert inside of a kernel", site);
            if (const Allocate* n = inner->as<Allocate>()) local_buffer(n->buffer, site);
            for (const Child& c : children(inner)) {
                if (c.expr != nullptr) expression(c.expr, site);
            }
        });
    }

    void local_buffer(Buffer b, const Site& site) {
        if (is_shared_scope(b->scope)) {
            return fail("the shared buffer " + b->name + " is allocated by one thread", site,
                        "allocate it outside the loops bound to threads");
        }
        registers(b, 0, site);
    }

    void registers(Buffer b, std::size_t skip, const Site& site) {
        type(b->type);
        const std::int64_t elements = constant_elements(b, skip);
        if (elements < 0 || elements * b->type.bytes() > kMaxLocalBytes) {
            fail("the size of " + b->name + " is not constant, or more than 16 KiB for a thread",
                 site);
        }
    }

    void type(ScalarType t) {
        plan_.uses.doubles = plan_.uses.doubles || t == kFloat64;
        plan_.uses.small_floats = plan_.uses.small_floats || is_small_float(t);
    }

    void expression(Expr e, const Site& site) {
        for_each_node(e, [&](Expr n) {
            if (n->op == Op::CallExtern) fail("an opaque call inside of a kernel", site);
            type(n->type);
            if (n->op != Op::Math || math_fn_info(n->math_fn()).exact) return;
            const ScalarType t = n->arg(0)->type;
            if (!has_function(n->math_fn(), t)) {
                fail("T." + std::string(math_fn_info(n->math_fn()).name) + " of " + t.str() +
                         " has other last bits on every device",
                     site,
                     "kernels have exp, exp2, log, log2, tanh and sigmoid of float32, float16 and "
                     "bfloat16, and every correctly rounded function");
            }
            plan_.uses.functions = plan_.uses.doubles = true;
        });
    }

    // --- parameters ----------------------------------------------------------------------------

    void parameters(Kernel& k) {
        std::vector<Buffer> own;
        std::set<Expr> bound;
        std::vector<Expr> used;
        const auto use_vars = [&](Expr e) {
            for (Expr v : free_vars(e)) used.push_back(v);
        };
        const auto use_buffer = [&](Buffer b) {
            if (std::find(own.begin(), own.end(), b) != own.end()) return;
            if (std::find(k.buffers.begin(), k.buffers.end(), b) != k.buffers.end()) return;
            type(b->type);
            k.buffers.push_back(b);
            for (std::size_t d = 1; d < b->rank(); ++d) use_vars(b->shape[d]);
        };
        for_each_stmt(k.stmt, [&](Stmt s) {
            if (const Allocate* n = s->as<Allocate>()) own.push_back(n->buffer);
            if (const For* n = s->as<For>()) bound.insert(n->var);
            if (const LetStmt* n = s->as<LetStmt>()) bound.insert(n->var);
        });
        for_each_stmt(k.stmt, [&](Stmt s) {
            const For* loop = s->as<For>();
            for (const Child& c : children(s)) {
                // The number of blocks or threads is the launch's; where they start is not.
                const bool launched = loop != nullptr && is_bound(*loop) && c.label == "hi";
                if (c.expr == nullptr || launched) continue;
                for (Buffer b : loaded_buffers(c.expr)) use_buffer(b);
                use_vars(c.expr);
            }
            if (const Store* n = s->as<Store>()) {
                use_buffer(n->buffer);
                if (std::find(own.begin(), own.end(), n->buffer) == own.end()) {
                    k.written.insert(n->buffer);
                }
            }
        });
        for (Expr v : used) {
            const bool known = std::find(k.scalars.begin(), k.scalars.end(), v) != k.scalars.end();
            if (bound.count(v) != 0 || known) continue;
            type(v->type);
            k.scalars.push_back(v);
        }
    }

    Context& ctx_;
    Plan plan_;
    Kernel* kernel_ = nullptr;
    std::vector<Buffer> written_;
    std::optional<Diagnostic> failure_;
};

}  // namespace

const Kernel* Plan::kernel_at(const Site& site) const {
    for (const Kernel& k : kernels) {
        if (k.site == site) return &k;
    }
    return nullptr;
}

Expr extent_of(Context& ctx, const For& loop) {
    if (is_int_const(loop.lo, 0)) return loop.hi;
    if (is_int_const(loop.lo) && is_int_const(loop.hi)) {
        const Int128 extent = loop.hi->int_value() - loop.lo->int_value();
        if (loop.var->type.contains(extent)) return ctx.int_imm(loop.var->type, extent);
    }
    return ctx.sub(loop.hi, loop.lo);
}

std::int64_t constant_elements(Buffer buffer, std::size_t skip) {
    std::int64_t out = 1;
    for (std::size_t d = skip; d < buffer->rank(); ++d) {
        Expr extent = buffer->shape[d];
        if (!is_int_const(extent) || extent->int_value() < 0) return -1;
        if (extent->int_value() > (std::int64_t{1} << 31)) return -1;
        out *= static_cast<std::int64_t>(extent->int_value());
        if (out > (std::int64_t{1} << 31)) return -1;
    }
    return out;
}

std::string kernel_name(const std::string& function, std::size_t position) {
    return function + "_kernel" + std::to_string(position);
}

Result<Plan> make_plan(Context& ctx, const Function& f) {
    const Status lowered = check_lowered(f, {}, BoundLoops::Taken);
    if (!lowered) return lowered.error();
    return Planner(ctx, with_explicit_sizes(f)).run();
}

}  // namespace proviso::backend::gpu
