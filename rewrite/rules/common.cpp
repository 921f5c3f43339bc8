#include "rewrite/rules/common.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/let_free.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "ir/child_at.h"
#include "ir/planted.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

void append(std::vector<Expr>& out, const std::vector<Expr>& more) {
    out.insert(out.end(), more.begin(), more.end());
}

void append(std::vector<Obligation>& out, std::vector<Obligation> more) {
    for (Obligation& o : more) out.push_back(std::move(o));
}

namespace {

// T.undef() has no value in equations. Where the claim is made under "the original is definite",
// any value will do in its place, so each side gets a variable of its own.
Expr without_undef(Context& ctx, Expr e, const std::string& suffix) {
    return rewrite_expr(ctx, e, [&](Expr n) {
        if (n->op != Op::Undef) return n;
        return ctx.var("undef_" + suffix + "_" + n->type.str(), n->type);
    });
}

// A quotient without a fault is in its type's range: a law, which the bits of (y // x) ^ 0 rest on
// and which no linear reasoning finds where both are unknown.
void add_quotient_ranges(Context& ctx, Expr e, std::vector<Expr>& known) {
    if (has_op(e, Op::Let) || has_op(e, Op::Undef)) return;
    for_each_node(e, [&](Expr n) {
        const bool bitwise = n->op == Op::BitAnd || n->op == Op::BitOr || n->op == Op::BitXor;
        if (!bitwise || !n->type.is_exact_int()) return;
        for (Expr a : n->args) {
            const bool divides = a->op == Op::FloorDiv || a->op == Op::TruncDiv;
            if (!divides || is_int_const(a->arg(1))) continue;
            const Expr low = ctx.le(ctx.int_imm(a->type, a->type.min_value()), a);
            const Expr high = ctx.le(a, ctx.int_imm(a->type, a->type.max_value()));
            known.push_back(ctx.implies(no_fault(ctx, a), ctx.and_(low, high)));
        }
    });
}

}  // namespace

std::vector<Obligation> replacement_obligations(Context& ctx, const Function& f,
                                                const std::vector<Expr>& facts, Expr before,
                                                Expr after, bool either_zero) {
    std::vector<Obligation> out;
    std::vector<Expr> known = facts;
    append(known, definedness_facts(ctx, f, {before, after}));
    Expr no_fault_before = without_undef(ctx, no_fault(ctx, before), "before");
    known.push_back(no_fault_before);
    add_quotient_ranges(ctx, before, known);
    Expr fault_free = ctx.all_of(
        {without_undef(ctx, no_fault(ctx, after), "after"), loads_accessible(ctx, f, after)});
    if (!is_true(fault_free)) {
        out.push_back(
            Obligation({Owed::NoNewFault, "the replacement faults only where the original does"},
                       known, fault_free));
    }
    Expr freezes_nothing = without_undef(ctx, settled(ctx, after), "after");
    if (!is_true(freezes_nothing)) {
        out.push_back(Obligation({Owed::Definite, "the replacement freezes no undefined value"},
                                 known, freezes_nothing));
    }
    Expr definite_before = without_undef(ctx, definite(ctx, before), "before");
    Expr definite_after = without_undef(ctx, definite(ctx, after), "after");
    // `indet` is in range wherever it is observed, so what stands in its place has to be.
    Expr range_after = without_undef(ctx, in_range(ctx, after), "after");
    if (!is_true(range_after) && !is_true(definite_before)) {
        std::vector<Expr> given = known;
        append(given, {fault_free, ctx.not_(definite_before), definite_after});
        out.push_back(Obligation(
            {Owed::InRange,
             "the replacement is in its type's range where the original is indeterminate"},
            std::move(given), range_after));
    }
    if (!is_true(definite_before)) known.push_back(definite_before);
    if (!is_true(definite_after) && !is_false(definite_before)) {
        out.push_back(
            Obligation({Owed::Definite, "the replacement is definite where the original is"}, known,
                       definite_after));
    }
    if (!is_false(definite_before)) {
        Expr was = without_undef(ctx, before, "before");
        Expr is = without_undef(ctx, after, "after");
        Expr equal = ctx.same(was, is);
        if (either_zero) equal = ctx.or_(equal, ctx.eq(was, is));
        const char* words = either_zero ? "the replacement has the same value, or both are zeros"
                                        : "the replacement has the same value";
        out.push_back(Obligation({Owed::SameValue, words}, known, equal));
    }
    return out;
}

Expr loads_accessible(Context& ctx, const Function& f, Expr e) {
    std::vector<Expr> conditions;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Load) conditions.push_back(accessible(ctx, f, n->buffer, n->args));
    });
    return ctx.all_of(conditions);
}

Obligation safe_to_evaluate(Context& ctx, const Function& f, const std::vector<Expr>& facts, Expr e,
                            Purpose what) {
    std::vector<Expr> known = facts;
    append(known, definedness_facts(ctx, f, {e}));
    Expr goal =
        ctx.all_of({without_undef(ctx, no_fault(ctx, e), "value"),
                    without_undef(ctx, settled(ctx, e), "value"), loads_accessible(ctx, f, e)});
    return Obligation{std::move(what), known, goal};
}

Status stays_the_same(Expr e, Stmt body, const std::string& what) {
    const std::vector<Buffer> read = loaded_buffers(e);
    for (Buffer b : read) {
        if (stores_to(body, b))
            return error(what + " reads " + b->name + ", which the body writes");
    }
    if (has_op(e, Op::CallExtern)) return error(what + " makes an opaque call");
    if (has_op(e, Op::Undef) || (has_op(e, Op::Let) && !read.empty())) {
        return error(what + " may be another value each time");
    }
    return Unit{};
}

bool makes_call(Expr e) {
    return has_op(e, Op::CallExtern);
}

bool is_plain(Expr e) {
    return is_plain_term(e) && !has_any(e, {Op::Same, Op::Defined});
}

void owe(Context& ctx, std::vector<Obligation>& out, Purpose purpose, std::vector<Expr> facts,
         Expr goal) {
    std::vector<Expr> open = conjuncts(goal);
    std::erase_if(open,
                  [&](Expr e) { return std::find(facts.begin(), facts.end(), e) != facts.end(); });
    if (open.empty()) return;
    out.push_back(Obligation{std::move(purpose), std::move(facts), ctx.all_of(open)});
}

namespace {

class LoadsMade {
  public:
    explicit LoadsMade(Context& ctx) : ctx_(ctx) {}

    void visit(Expr e, Expr when) {
        if (!seen_.insert({e, when}).second) return;
        if (e->op == Op::Let) {
            const Expr var = ctx_.var(*e->name, e->var_type);
            visit(e->arg(0), when);
            visit(substitute(ctx_, e->arg(1), {{var, let_free(ctx_, e->arg(0))}}), when);
            return;
        }
        for (std::size_t k = 0; k < e->args.size(); ++k) {
            const bool decided = k > 0 && is_lazy(e->op);
            visit(e->arg(k), !decided
                                 ? when
                                 : ctx_.all_of({when, let_free(ctx_, ctx_.evaluated_where(e, k))}));
        }
        if (e->op == Op::Load) out.push_back(LoadMade{e, when});
    }

    std::vector<LoadMade> out;

  private:
    Context& ctx_;
    std::set<std::pair<Expr, Expr>> seen_;
};

}  // namespace

std::vector<LoadMade> loads_made(Context& ctx, Expr e) {
    LoadsMade walk(ctx);
    walk.visit(e, ctx.true_());
    return std::move(walk.out);
}

Function without_region_claims(Context& ctx, const Function& f, const Site& site, bool inside) {
    const auto silent = [&](const Block& n) {
        Block copy = n;
        copy.reads.reset();
        copy.writes.reset();
        return ctx.stmt(std::move(copy));
    };
    Function out = f;
    const Site here = statement_around(f, site);
    if (inside) {
        Stmt cleaned = rewrite_stmt(ctx, locate(f, here)->stmt, nullptr, [&](Stmt s) {
            const Block* n = s->as<Block>();
            return n == nullptr ? s : silent(*n);
        });
        if (cleaned != locate(f, here)->stmt) out = replace_at(ctx, out, here, cleaned);
    }
    const std::vector<PassedNode> way = passed_on_the_way(f, here);
    for (std::size_t depth = way.size(); depth-- > 0;) {
        const Block* claims = way[depth].stmt->as<Block>();
        if (claims == nullptr || (!claims->reads && !claims->writes)) continue;
        const Site around = first_steps(here, depth);
        out = replace_at(ctx, out, around, silent(*locate(out, around)->stmt->as<Block>()));
    }
    return out;
}

bool stored_beside(const Function& f, const Site& site, Buffer buffer) {
    bool out = false;
    for (const PassedNode& step : passed_on_the_way(f, site)) {
        const Allocate* own = step.stmt == nullptr ? nullptr : step.stmt->as<Allocate>();
        if (own != nullptr && own->buffer == buffer) out = false;
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        const bool serial = loop == nullptr || step.label != "body" ||
                            loop->kind == ForKind::Serial || loop->kind == ForKind::Unrolled;
        if (!serial) out = out || stores_to(step.stmt, buffer);
    }
    return out;
}

Expr evaluated_bound(Context& ctx, Expr bound) {
    return ctx.all_of({no_fault(ctx, bound), definite(ctx, bound), in_range(ctx, bound)});
}

std::vector<Expr> range_facts(Context& ctx, Expr v, Expr lo, Expr hi) {
    return {ctx.le(lo, v), ctx.lt(v, hi)};
}

Expr zero_of(Context& ctx, ScalarType type) {
    return type.is_float() ? ctx.float_imm(type, 0.0) : ctx.int_imm(type, 0);
}

Stmt replace_buffer_in(Context& ctx, Stmt root, Buffer buffer, Buffer target,
                       const std::function<std::vector<Expr>(std::vector<Expr>)>& map, bool loads,
                       bool stores) {
    const auto on_expr = [&](Expr e) {
        if (!loads) return e;
        return rewrite_expr(ctx, e, [&](Expr n) {
            if (n->op != Op::Load || n->buffer != buffer) return n;
            return ctx.load(target, map(std::vector<Expr>(n->args.begin(), n->args.end())));
        });
    };
    const auto on_stmt = [&](Stmt s) {
        if (const Store* n = s->as<Store>(); n != nullptr && n->buffer == buffer && stores) {
            return ctx.store(target, map(n->indices), n->value);
        }
        if (const Allocate* n = s->as<Allocate>(); n != nullptr && n->buffer == buffer) {
            return ctx.stmt(Allocate{target, n->body});
        }
        if (const Block* n = s->as<Block>()) {
            Block copy = *n;
            const auto mention = [&](const std::optional<std::vector<BufferRegion>>& regions) {
                return regions && std::any_of(regions->begin(), regions->end(),
                                              [&](const auto& r) { return r.buffer == buffer; });
            };
            const bool reads = mention(copy.reads);
            const bool mentions = reads || mention(copy.writes);
            const bool accumulates = n->init != nullptr && copy.writes && loads && stores;
            if (mentions && accumulates && !planted("relayout:accumulators-around")) {
                // Blocks around may read what this one claims to write: all of the target, now.
                if (reads) copy.reads.reset();
                for (BufferRegion& r : *copy.writes) {
                    if (r.buffer != buffer) continue;
                    r = BufferRegion{target, {}};
                    for (Expr extent : target->shape) {
                        r.ranges.emplace_back(ctx.int_imm(extent->type, 0), extent);
                    }
                }
                return ctx.stmt(std::move(copy));
            }
            if (mentions) {
                // both: what a block writes it may read, so one rests on the other
                if (!planted("relayout:one-list-of-regions")) copy.reads.reset();
                copy.writes.reset();
                return ctx.stmt(std::move(copy));
            }
        }
        return s;
    };
    return rewrite_stmt(ctx, root, on_expr, on_stmt);
}

Stmt nest(Context& ctx, const std::vector<LoopRange>& loops, Stmt body) {
    Stmt out = body;
    for (auto it = loops.rbegin(); it != loops.rend(); ++it) {
        out = ctx.for_(it->var, it->lo, it->hi, out);
    }
    return out;
}

}  // namespace proviso::rewrite
