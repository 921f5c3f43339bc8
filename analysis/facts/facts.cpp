#include "analysis/facts/facts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "analysis/facts/formula.h"
#include "analysis/facts/let_free.h"
#include "analysis/facts/path.h"
#include "analysis/layout/layout.h"
#include "analysis/layout/logical_extents.h"
#include "ir/hint.h"
#include "ir/inventory.h"
#include "ir/planted.h"
#include "ir/well_formed.h"

namespace proviso::analysis {

using namespace ir;

bool is_permission(Expr condition) {
    return has_op(condition, Op::Undef);
}

bool may_be_indet(const Function& f, Buffer parameter) {
    const auto attr = f.attrs.find(kIndetAttr);
    if (attr == f.attrs.end()) return false;
    const auto* list = std::get_if<AttrValue::List>(&attr->second.value);
    return list != nullptr &&
           std::find(list->begin(), list->end(), AttrValue{parameter->name}) != list->end();
}

namespace {

// The product of the extents is at most 2^47, so each of them is, unless another one is 0.
Expr at_most_the_limit(Context& ctx, std::span<const Expr> shape, Expr extent) {
    std::vector<Expr> out = {ctx.le(extent, ctx.i64(kMaxBufferBytes))};
    for (Expr other : shape) {
        if (other == extent || (is_int_const(other) && other->int_value() > 0)) continue;
        out.push_back(ctx.eq(other, ctx.int_imm(other->type, 0)));
    }
    return ctx.any_of(out);
}

}  // namespace

std::vector<Expr> parameter_facts(Context& ctx, const Function& f) {
    std::vector<Expr> out;
    const auto add = [&](Expr fact) {  // buffers may share an extent
        if (std::find(out.begin(), out.end(), fact) == out.end()) out.push_back(fact);
    };
    for (Expr v : f.scalar_params()) {
        if (!v->type.is_int()) continue;
        if (const auto lo = f.lower_bound(*v->name); lo && v->type.contains(*lo)) {
            add(ctx.le(ctx.int_imm(v->type, *lo), v));
        }
        if (const auto hi = f.upper_bound(*v->name); hi && v->type.contains(*hi)) {
            add(ctx.le(v, ctx.int_imm(v->type, *hi)));
        }
    }
    const auto add_extents = [&](std::span<const Expr> shape) {
        for (Expr extent : shape) {
            if (is_const(extent)) continue;
            add(ctx.le(ctx.int_imm(extent->type, 0), extent));
            const Expr computed = ctx.all_of({no_fault(ctx, extent), in_range(ctx, extent)});
            if (!is_true(computed)) add(computed);
            if (extent->type == kInt64) add(at_most_the_limit(ctx, shape, extent));
        }
    };
    for (Buffer b : f.buffer_params()) {
        add_extents(b->shape);
        // The tensor that the caller knows has extents as well, whatever layout it is stored in.
        add_extents(logical_extents(ctx, f, b));
    }
    return out;
}

namespace {

// Collects facts along a path; each remembers the statement within which its loads must not be
// overwritten.
class FactCollector {
  public:
    FactCollector(Context& ctx, const Function& f) : ctx_(ctx), function_(f) {}

    // `fact` was established just before (part of) `region` runs, and the site is in `region`.
    void add(Expr fact, Stmt region) {
        if (region == nullptr) return add_within(fact, {});
        add_within(fact, {&region, 1});
    }
    // The region is a part of a list.
    void add_within(Expr fact, std::span<const Stmt> region) {
        fact = without_hints(ctx_, fact);
        if (is_true(fact)) return;
        if (has_op(fact, Op::Undef) || has_op(fact, Op::CallExtern)) return;
        for (Buffer b : loaded_buffers(fact)) {
            if (planted("facts:kept-after-write")) break;
            if (!stores_to(ctx_, function_, b)) continue;  // then no region is searched
            if (std::any_of(region.begin(), region.end(),
                            [&](Stmt s) { return stores_to(s, b); })) {
                return;
            }
        }
        // What a let froze once says nothing of the cell that it read.
        Expr plain = settled(ctx_, fact);
        if (is_false(plain)) return;
        fact = let_free(ctx_, fact);
        facts_.push_back(is_true(plain) ? fact : ctx_.implies(plain, fact));
    }

    // The variable is the value, wherever the value was definite (a let freezes an indeterminate
    // one).
    void add_binding(Expr var, Expr value, Stmt region) {
        if (has_op(value, Op::Undef) || has_op(value, Op::CallExtern)) return;
        Expr equal = var->type.is_float() ? ctx_.same(var, value) : ctx_.eq(var, value);
        Expr known = definite(ctx_, value);
        add(is_true(known) ? equal : ctx_.implies(known, equal), region);
    }

    void statement_step(const PassedNode& step) {
        std::visit(Overloaded{
                       [&](const For& n) {
                           if (step.label != "body") return;
                           add(ctx_.le(n.lo, n.var), n.body);
                           add(ctx_.lt(n.var, n.hi), n.body);
                           if (planted("facts:loop-ends-early")) {
                               add(ctx_.lt(ctx_.add(n.var, ctx_.int_imm(n.var->type, 1)), n.hi),
                                   n.body);
                           }
                       },
                       [&](const IfElse& n) {
                           if (step.label == "then") add(n.cond, n.then_body);
                           if (step.label == "else") add(ctx_.not_(n.cond), n.else_body);
                       },
                       [&](const LetStmt& n) {
                           if (step.label == "body") add_binding(n.var, n.value, n.body);
                       },
                       [&](const Allocate& n) {
                           for (Expr extent : n.buffer->shape) {
                               if (is_const(extent)) continue;
                               add(ctx_.le(ctx_.int_imm(extent->type, 0), extent), n.body);
                               add(no_fault(ctx_, extent), n.body);  // it was computed
                           }
                       },
                       [&](const Seq& n) { earlier_siblings(n, std::stoul(step.label)); },
                       [&](const Block& n) { block_step(n, step); },
                       [&](const auto&) {},
                   },
                   step.stmt->data);
    }

    void expression_step(const PassedNode& step) {
        Expr e = step.expr;
        if (step.label == "a0") return;
        if (is_lazy(e->op)) {
            add(ctx_.evaluated_where(e, step.label == "a1" ? 1 : 2), nullptr);
        } else if (e->op == Op::Let) {
            add_binding(ctx_.var(*e->name, e->var_type), e->arg(0), nullptr);
        }
    }

    std::vector<Expr> facts_;

  private:
    // Asserts and assumes that ran before the element `index` of a list, unless something after
    // them may write what they speak of.
    void earlier_siblings(const Seq& n, std::size_t index) {
        for (std::size_t i = 0; i < index; ++i) {
            const Assume* assume = n.body[i]->as<Assume>();
            const Assert* check = n.body[i]->as<Assert>();
            Expr cond = assume != nullptr ? assume->cond : check != nullptr ? check->cond : nullptr;
            if (cond == nullptr || is_permission(cond)) continue;
            add_within(cond, std::span(n.body).subspan(i + 1, index - i));
        }
    }

    void block_step(const Block& n, const PassedNode& step) {
        if (step.label == "predicate") return;
        Stmt region = step.stmt;
        add(n.predicate, region);
        if (step.label != "body" && step.label != "init") return;
        for (const BlockIter& it : n.iters) {
            add(ctx_.le(it.lo, it.var), region);
            add(ctx_.lt(it.var, it.hi), region);
            add_binding(it.var, it.binding, region);
            if (step.label == "init" && it.kind == IterKind::Reduce) {
                add(ctx_.eq(it.var, it.lo), region);
            }
        }
    }

    Context& ctx_;
    const Function& function_;
};

// What a store stores to, and a buffer that its value is definite only with; null: none will do.
using Feed = std::pair<Buffer, Buffer>;

// What was computed without a fault was computed with definite conditions, and exact integers are
// (docs/semantics.md, "undef, indet, assume"). Without the program's conditions: on every path.
struct SaysFeeds {
    template <typename Say>
    void operator()(Stmt s, const Say& say) const {
        const Store* n = s->as<Store>();
        if (n == nullptr) return;
        std::set<Expr> seen;
        const std::function<void(Expr)> value = [&](Expr e) {
            if (!seen.insert(e).second) return;
            if (e->op == Op::Undef) return say(Feed{n->buffer, nullptr});
            if (e->op == Op::Load) return say(Feed{n->buffer, e->buffer});
            if (e->op == Op::CallExtern || (is_ring(e->op) && e->type.is_exact_int())) return;
            // The first operand chose, or froze, and is definite by then.
            const std::size_t first = is_lazy(e->op) || e->op == Op::Let ? 1 : 0;
            for (std::size_t k = first; k < e->args.size(); ++k) value(e->arg(k));
        };
        value(n->value);
    }
};

// Buffer parameters all of whose touchable cells are definite throughout: definite at entry, and
// only definite values are stored. A greatest fixpoint, so that an accumulator may feed itself.
std::set<Buffer> definite_parameters(Context& ctx, const Function& f) {
    auto& feeds = ctx.kept<Tally<Feed, SaysFeeds>>();
    feeds.move_to(f.body);
    std::set<Buffer> out;
    for (Buffer b : f.buffer_params()) {
        bool known = !may_be_indet(f, b);
        for (const Layout& l : layouts_of(ctx, f, b->name)) {
            known &= !(l.pad_kind == PadKind::Undef && l.holds_at_entry);
        }
        if (known) out.insert(b);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [feed, count] : feeds.counts()) {
            const auto& [to, from] = feed;
            if (out.count(from) == 0) changed |= out.erase(to) != 0;
        }
    }
    return out;
}

// A cell of an input, by its physical indices of relation `level`, is definite when the caller
// hands it over: it is the image of a definite cell of the relation before, or padding that is not
// left undefined.
Expr definite_at_entry(Context& ctx, const std::vector<Layout>& layouts, std::size_t level,
                       std::span<const Expr> at) {
    const Layout& layout = layouts[level];
    Expr image = layout.in_image(ctx, at);
    if (level == 0) return layout.pad_kind == PadKind::Undef ? image : ctx.true_();
    const std::vector<Expr> logical = layout.logical(ctx, layout.at(ctx, at));
    Expr deeper = definite_at_entry(ctx, layouts, level - 1, logical);
    if (is_true(deeper) && layout.pad_kind != PadKind::Undef) return deeper;
    if (layout.pad_kind == PadKind::Value) return ctx.implies(image, deeper);
    return ctx.all_of({image, deeper});
}

}  // namespace

bool is_definite_parameter(Context& ctx, const Function& f, Buffer parameter) {
    return definite_parameters(ctx, f).count(parameter) != 0;
}

std::vector<Expr> facts_at(Context& ctx, const Function& f, const Site& site) {
    FactCollector collector(ctx, f);
    collector.facts_ = parameter_facts(ctx, f);
    for (const PassedNode& step : passed_on_the_way(f, site)) {
        if (step.stmt != nullptr) {
            collector.statement_step(step);
        } else {
            collector.expression_step(step);
        }
    }
    return collector.facts_;
}

std::vector<Expr> definedness_facts(Context& ctx, const Function& f,
                                    const std::vector<Expr>& exprs) {
    std::vector<Expr> out;
    const bool reads =
        std::any_of(exprs.begin(), exprs.end(), [](Expr e) { return has_op(e, Op::Load); });
    if (!reads) return out;
    const std::set<Buffer> known = definite_parameters(ctx, f);
    std::set<std::uint32_t> seen;
    for (Expr root : exprs) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Load || !seen.insert(e->id).second) return;
            if (known.count(e->buffer) != 0) {
                out.push_back(ctx.defined(e));
                return;
            }
            if (f.find_buffer_param(e->buffer->name) != e->buffer || stores_to(ctx, f, e->buffer)) {
                return;
            }
            if (may_be_indet(f, e->buffer)) return;
            // An input with undefined padding in some of its relations.
            const std::vector<Layout> layouts = layouts_of(ctx, f, e->buffer->name);
            if (layouts.empty()) return;
            Expr known_cell = definite_at_entry(ctx, layouts, layouts.size() - 1, e->args);
            out.push_back(ctx.implies(known_cell, ctx.defined(e)));
        });
    }
    return out;
}

}  // namespace proviso::analysis
