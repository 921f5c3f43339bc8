// blockize: the loops around a block as a block of blocks; and the iterators of a block counted
// another way.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/layout_plan.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using nlohmann::json;

namespace {

// An iterator of the block as one of the block of blocks and one inside of it.
struct Halves {
    Expr outer = nullptr;
    Expr inner = nullptr;  // null: the loops inside have no say
    Expr outer_binding = nullptr, inner_binding = nullptr;
    Expr outer_extent = nullptr;
    Int128 inner_extent = 1;
    bool reduces = false;
    bool one_tile = false;  // the loops inside go through all of it
};

// The nest at `site`: its loops, down to the block in them.
struct Nest {
    std::vector<For> loops;
    std::optional<Block> block;
};

Nest nest_at(const Function& f, const Site& site) {
    Nest out;
    Stmt s = locate(f, site)->stmt;
    for (const For* loop = s->as<For>(); loop != nullptr; loop = s->as<For>()) {
        out.loops.push_back(*loop);
        s = loop->body;
    }
    if (const Block* block = s->as<Block>()) out.block = *block;
    return out;
}

Site deeper(Site site, std::size_t loops) {
    for (std::size_t k = 0; k < loops; ++k) site = site.child("body");
    return site;
}

}  // namespace

Outcome Primitives::blockize(const std::string& loop) {
    const std::optional<Site> site = p_.index().loop(loop);
    if (!site) return Refusal{no_loop(loop), std::nullopt};
    Context& ctx = p_.ctx();
    const Nest nest = nest_at(p_.current(), *site);
    if (!nest.block) {
        return refuse("the loops in " + loop + " are no nest around one block",
                      "sch.blockize(loop) makes a block of a nest with a single block in it");
    }
    for (const For& l : nest.loops) {
        if (is_int_const(l.lo, 0) && is_int_const(l.hi)) continue;
        return refuse("loop " + *l.var->name + " is not one from 0 to a constant",
                      "split the loop by a constant first: sch.split(loop, factors=[None, 16])");
    }
    const Block& block = *nest.block;
    reserved_.clear();
    // Each iterator as what loops around give it, and what loops inside do.
    Substitution no_inner, no_outer, last;
    for (const For& l : nest.loops) {
        no_inner[l.var] = ctx.int_imm(l.var->type, 0);
        last[l.var] = ctx.int_imm(l.var->type, l.hi->int_value() - 1);
    }
    std::vector<Halves> halves;
    Substitution from;  // iterators of the block
    for (const BlockIter& it : block.iters) {
        const ScalarType type = it.var->type;
        Substitution outside;
        for (Expr v : free_vars(it.binding)) {
            if (no_inner.count(v) == 0) outside[v] = ctx.int_imm(v->type, 0);
        }
        const auto simple = [&](Expr e) { return p_.simplified(e, *site); };
        Halves h;
        h.reduces = it.kind == IterKind::Reduce;
        h.outer_binding = simple(substitute(ctx, it.binding, no_inner));
        h.inner_binding = simple(substitute(ctx, it.binding, outside));
        Expr top = simple(substitute(ctx, h.inner_binding, last));
        Expr sum = simple(ctx.sub(it.binding, ctx.add(h.outer_binding, h.inner_binding)));
        const bool splits = is_int_const(it.lo, 0) && is_int_const(top) && is_int_const(sum, 0) &&
                            top->int_value() >= 0;
        if (!splits) {
            return refuse("iterator " + *it.var->name +
                              " is no sum of a part of the loops around " + loop +
                              " and one of the loops in it: " + print(it.binding),
                          "split loops so that the inner ones count a tile");
        }
        h.inner_extent = top->int_value() + 1;
        Expr tile = ctx.int_imm(type, h.inner_extent);
        const bool inner = h.inner_extent > 1 || !is_int_const(h.inner_binding, 0);
        if (!is_int_const(h.outer_binding, 0) || !inner) {
            Expr quotient = inner ? simple(ctx.floordiv(h.outer_binding, tile)) : h.outer_binding;
            Expr rest = simple(ctx.sub(h.outer_binding, ctx.mul(quotient, tile)));
            if (inner && !is_int_const(rest, 0)) {
                return refuse("the tiles of iterator " + *it.var->name +
                              " do not begin at multiples of " + int128_text(h.inner_extent));
            }
            h.outer_binding = quotient;
            h.outer = ctx.var(fresh(*it.var->name + "_o"), type);
            Expr rounded = ctx.add(it.hi, ctx.int_imm(type, h.inner_extent - 1));
            h.outer_extent = inner ? simple(ctx.floordiv(rounded, tile)) : it.hi;
        } else {  // one tile
            h.outer = ctx.var(fresh(*it.var->name + "_o"), type);
            h.outer_extent = ctx.int_imm(type, 1);
            h.one_tile = true;
        }
        if (inner) h.inner = ctx.var(fresh(*it.var->name + "_i"), type);
        Expr value = nullptr;
        if (!h.one_tile) value = inner ? ctx.add(ctx.mul(h.outer, tile), h.inner) : h.outer;
        if (h.one_tile) value = h.inner;
        from[it.var] = value;
        halves.push_back(h);
    }
    Block outer;
    outer.name = fresh(block.name + "_o");
    outer.predicate = ctx.true_();
    Block inner = block;
    inner.iters.clear();
    inner.init = nullptr;
    inner.reads.reset();
    inner.writes.reset();
    Substitution to;
    for (std::size_t k = 0; k < halves.size(); ++k) {
        const BlockIter& it = block.iters[k];
        const Halves& h = halves[k];
        Expr zero = ctx.int_imm(it.var->type, 0);
        outer.iters.push_back({h.outer, zero, h.outer_extent, h.outer_binding, it.kind});
        to[h.outer] = h.outer_binding;
        if (h.inner == nullptr) continue;
        inner.iters.push_back(
            {h.inner, zero, ctx.int_imm(it.var->type, h.inner_extent), h.inner_binding, it.kind});
        to[h.inner] = h.inner_binding;
    }
    inner.body = substitute(ctx, block.body, from);
    outer.body = ctx.stmt(inner);
    outer.body = in_loops(ctx, nest.loops, outer.body);
    Restated r;
    const std::size_t depth = nest.loops.size();
    const Site work = deeper(Site{}, depth);  // the block in the old text
    add_parts(
        r, block.body,
        Part{deeper(Site{}.child("body"), depth).child("body"), work.child("body"), from, to});
    if (block.init != nullptr) {
        const std::size_t updates = r.parts.size();
        // Once for each cell of the tile, before all that adds to it.
        Block init = inner;
        init.name = fresh(block.name + "_init");
        init.iters.clear();
        init.annotations.clear();
        Substitution rename, init_from, init_to;
        std::vector<For> around;
        for (const For& l : nest.loops) {
            bool spatial = false;
            for (const Halves& h : halves) {
                spatial = spatial ||
                          (!h.reduces && h.inner != nullptr && occurs_free(l.var, h.inner_binding));
            }
            if (!spatial) {
                init_from[l.var] = ctx.int_imm(l.var->type, 0);
                rename[l.var] = ctx.int_imm(l.var->type, 0);
                continue;
            }
            For copy = l;
            copy.var = ctx.var(fresh(*l.var->name + "_init"), l.var->type);
            copy.kind = ForKind::Serial;
            copy.thread_tag.clear();
            copy.annotations.clear();
            rename[l.var] = copy.var;
            init_from[l.var] = copy.var;
            init_to[copy.var] = l.var;
            around.push_back(copy);
        }
        init.predicate = substitute(ctx, block.predicate, rename);
        for (std::size_t k = 0; k < halves.size(); ++k) {
            const BlockIter& it = block.iters[k];
            const Halves& h = halves[k];
            init_to[h.outer] = h.outer_binding;
            if (h.reduces) {
                init_from[it.var] = it.lo;
                continue;
            }
            init_from[it.var] = from.at(it.var);
            if (h.inner == nullptr) continue;
            Expr own = ctx.var(fresh(*h.inner->name + "_init"), h.inner->type);
            init.iters.push_back({own, ctx.int_imm(own->type, 0),
                                  ctx.int_imm(own->type, h.inner_extent),
                                  substitute(ctx, h.inner_binding, rename), it.kind});
            init_to[own] = h.inner_binding;
            init_from[it.var] = substitute(ctx, from.at(it.var), {{h.inner, own}});
        }
        init.body = substitute(ctx, block.init, init_from);
        outer.init = ctx.stmt(init);
        outer.init = in_loops(ctx, around, outer.init);
        add_parts(r, block.init,
                  Part{deeper(Site{}.child("init"), around.size()).child("body"),
                       work.child("init"), init_from, init_to});
        for (std::size_t a = 0; a < updates; ++a) {
            for (std::size_t b = updates; b < r.parts.size(); ++b) r.apart.emplace(a, b);
        }
    }
    const std::string name = outer.name;
    r.after = ctx.stmt(std::move(outer));
    if (auto no = restate(p_, *site, r)) return refuse(std::move(*no));
    return Names{name};
}

Outcome Primitives::transform_block_layout(const std::string& block, const std::vector<Expr>& vars,
                                           const std::vector<Expr>& map) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    Context& ctx = p_.ctx();
    const Block old = *locate(p_.current(), *at)->stmt->as<Block>();
    const std::vector<Expr> loops = loops_around(p_.current(), *at);
    const std::size_t rank = old.iters.size();
    const std::string shape =
        "the block stands in one loop for each of its iterators, directly, "
        "and each is the variable of its loop";
    if (vars.size() != rank) {
        return refuse("the index map takes " + std::to_string(vars.size()) +
                          " indices, and block " + block + " has " + std::to_string(rank) +
                          " iterators",
                      "an index for each iterator");
    }
    if (loops.size() < rank || rank == 0) return refuse(shape);
    const Site site = *p_.index().loop(*loops[loops.size() - rank]->name);
    const Nest nest = nest_at(p_.current(), site);
    if (!nest.block || nest.block->name != block || nest.loops.size() != rank) return refuse(shape);
    std::vector<Expr> extents;
    std::vector<IterKind> kinds(map.size(), IterKind::Spatial);
    for (std::size_t k = 0; k < rank; ++k) {
        const BlockIter& it = old.iters[k];
        const For& loop = nest.loops[k];
        const bool same = it.binding == loop.var && is_int_const(it.lo, 0) && it.hi == loop.hi &&
                          is_int_const(loop.lo, 0) && it.var->type == vars[k]->type &&
                          loop.kind == ForKind::Serial;
        if (!same) return refuse(shape);
        extents.push_back(it.hi);
        for (std::size_t m = 0; m < map.size(); ++m) {
            if (it.kind != IterKind::Spatial && occurs_free(vars[k], map[m])) kinds[m] = it.kind;
        }
    }
    reserved_.clear();
    std::vector<std::string> names;
    for (std::size_t m = 0; m < map.size(); ++m) names.push_back(fresh("v" + std::to_string(m)));
    Buffer counted = ctx.buffer(fresh("iterators"), kInt32, extents, "");
    const Result<LayoutPlan> plan = plan_layout(
        p_.prover(), analysis::parameter_facts(ctx, p_.current()), counted, vars, map, names);
    if (!plan) return Refusal{plan.error(), std::nullopt};
    if (plan->padded) {
        return refuse("the index map leaves gaps: the block would run where it did not",
                      "a map onto all of its box, such as lambda i, j: [i * 4 + j]");
    }
    Block now = old;
    now.iters.clear();
    now.reads.reset();
    now.writes.reset();
    Part part;
    std::vector<For> around;
    Substitution by_loop;
    for (std::size_t k = 0; k < rank; ++k) by_loop[vars[k]] = old.iters[k].var;
    for (std::size_t m = 0; m < map.size(); ++m) {
        Expr v = plan->physical_vars[m];
        Expr ax = ctx.var(fresh("ax" + std::to_string(m)), v->type);
        Expr zero = ctx.int_imm(v->type, 0);
        around.push_back(For{ax, zero, plan->shape[m], ForKind::Serial, "", nullptr});
        now.iters.push_back({v, zero, plan->shape[m], ax, kinds[m]});
        part.to[v] = part.to[ax] = substitute(ctx, map[m], by_loop);
    }
    for (std::size_t k = 0; k < rank; ++k) {
        part.from[old.iters[k].var] = part.from[nest.loops[k].var] = plan->inverse[k];
    }
    now.predicate = substitute(ctx, old.predicate, part.from);
    Substitution to_loops;  // a predicate is over loops
    for (std::size_t m = 0; m < map.size(); ++m) to_loops[plan->physical_vars[m]] = around[m].var;
    now.predicate = substitute(ctx, now.predicate, to_loops);
    now.body = substitute(ctx, old.body, part.from);
    Restated r;
    if (old.init != nullptr) {
        now.init = substitute(ctx, old.init, part.from);
        part.now = deeper(Site{}, map.size()).child("init");
        part.origin = deeper(Site{}, rank).child("init");
        add_parts(r, old.init, part);
    }
    part.now = deeper(Site{}, map.size()).child("body");
    part.origin = deeper(Site{}, rank).child("body");
    add_parts(r, old.body, part);
    for (std::size_t a = 0; a < r.parts.size(); ++a) {
        for (std::size_t b = a; b < r.parts.size(); ++b) r.apart.emplace(a, b);
    }
    r.after = in_loops(ctx, around, ctx.stmt(std::move(now)));
    if (auto no = restate(p_, site, r)) return refuse(std::move(*no));
    return Names{};
}

}  // namespace proviso::rewrite
