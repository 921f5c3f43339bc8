#include "rewrite/schedule/factored.h"

#include <algorithm>

#include "analysis/facts/path.h"
#include "ir/text.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

BlockNest BlockNest::of(Stmt s) {
    BlockNest out;
    for (const For* n = s->as<For>(); n != nullptr; n = s->as<For>()) {
        out.loops.push_back(*n);
        s = n->body;
    }
    if (const Block* n = s->as<Block>()) out.block = *n;
    return out;
}

Site BlockNest::inside(Site site) const {
    for (std::size_t k = 0; k < loops.size(); ++k) site = site.child("body");
    return site;
}

namespace {

bool is_bound_by(const BlockIter& it, Expr loop) {
    return occurs_free(loop, it.binding);
}

// The four nests, after stage-partial, and the two blocks that they become.
class TwoBlocks {
  public:
    TwoBlocks(Context& ctx, const Seq& four, const Factored& of, const Substitution& init_at)
        : ctx_(ctx),
          of_(of),
          init_(BlockNest::of(four.body[0])),
          zero_(BlockNest::of(four.body[1])),
          update_(BlockNest::of(four.body[2])),
          add_(BlockNest::of(four.body[3])),
          old_(four),
          init_at_(init_at) {}

    // The loops of the initialisation are those of the update that no reduction is bound to, but
    // for some of one iteration, under their names from before.
    bool fits() {
        const std::size_t loops = of_.nest.loops.size();
        if (!init_.block || !update_.block || update_.loops.size() != loops) return false;
        Substitution to_update;
        std::size_t found = 0;
        for (std::size_t k = 0; k < loops; ++k) {
            const For& l = update_.loops[k];
            bool reduces = false;
            for (const BlockIter& it : update_.block->iters) {
                reduces |= it.kind == IterKind::Reduce && is_bound_by(it, l.var);
            }
            if (reduces) continue;
            const bool there = found < init_.loops.size() &&
                               init_.loops[found].var == of_.nest.loops[k].var &&
                               init_at_.count(init_.loops[found].var) != 0;
            if (there) {
                to_update[init_.loops[found].var] = l.var;
                first_[l.var] = init_at_.at(init_.loops[found].var);
                ++found;
            } else {
                if (!is_int_const(l.lo, 0) || !is_int_const(l.hi, 1)) return false;
                first_[l.var] = l.lo;
            }
            inits_[l.var] = there ? init_.loops[found - 1].var : nullptr;
        }
        if (found != init_.loops.size()) return false;
        for (const BlockIter& it : init_.block->iters) {
            Expr bound = substitute(ctx_, it.binding, to_update);
            for (const BlockIter& u : update_.block->iters) {
                const bool same = u.binding == bound || substitute(ctx_, u.binding, first_) ==
                                                            substitute(ctx_, bound, first_);
                if (u.kind == IterKind::Spatial && same) updates_[it.var] = u.var;
            }
        }
        return true;
    }

    // `fresh` gives names. `partial`, `result`: whether the initialisation of that block goes into
    // it.
    Restated made(const FreshNames& fresh, const std::string& name, bool partial, bool result) {
        Restated out;
        std::vector<Stmt> all;
        if (!result) {
            out.parts.push_back(Part{Site{}.child("0"), Site{}.child("0"), {}, {}});
            all.push_back(old_.body[0]);
        }
        if (!partial) zeros(fresh, name, all, out);
        partial_block(fresh, name, partial, result, all, out);
        result_block(fresh, result, all, out);
        out.after = ctx_.seq(all);
        for (std::size_t a = 0; a < out.parts.size(); ++a) {
            for (std::size_t b = a; b < out.parts.size(); ++b) {
                const bool both = update_parts_.count(a) != 0 && update_parts_.count(b) != 0;
                if (!both) out.apart.emplace(a, b);
            }
        }
        return out;
    }

  private:
    Site place(std::size_t nest) const { return Site{}.child(std::to_string(nest)); }
    static BlockIter iterator(const std::string& name, const For& loop, IterKind kind,
                              Context& ctx) {
        Expr v = ctx.var(name, loop.var->type);
        return BlockIter{v, loop.lo, loop.hi, loop.var, kind};
    }
    const For& factor_loop() const { return update_.loops[of_.loop]; }
    bool is_factor(const For& l) const { return l.var == factor_loop().var; }

    // What a partial result starts at, in a block of its own.
    void zeros(const FreshNames& fresh, const std::string& name, std::vector<Stmt>& all,
               Restated& out) {
        Block b;
        b.name = fresh(name + "_init");
        b.predicate = ctx_.true_();
        Part part;
        Stmt body = old_.body[1];
        for (const For& l : zero_.loops) {
            b.iters.push_back(iterator(fresh("v_" + *l.var->name), l, IterKind::Spatial, ctx_));
            part.from[l.var] = b.iters.back().var;
            part.to[b.iters.back().var] = l.var;
            body = body->as<For>()->body;
        }
        b.body = substitute(ctx_, body, part.from);
        part.origin = zero_.inside(place(1));
        part.now = part.origin;
        part.now.steps[0] = std::to_string(all.size());
        part.now = part.now.child("body");
        add_parts(out, b.body, part);
        all.push_back(in_loops(ctx_, zero_.loops, ctx_.stmt(std::move(b))));
    }

    // `named`: its loops have the names from before the initialisation was taken out.
    void partial_block(const FreshNames& fresh, const std::string& name, bool with_init, bool named,
                       std::vector<Stmt>& all, Restated& out) {
        const Block& old = *update_.block;
        Block b = old;
        b.name = name;
        b.iters.clear();
        b.reads.reset();
        b.writes.reset();
        Part update;
        std::vector<For> loops = update_.loops;
        Substitution now;  // of loops
        for (std::size_t k = 0; k < loops.size(); ++k) {
            if (named) loops[k].var = of_.nest.loops[k].var;
            now[update_.loops[k].var] = loops[k].var;
            update.to[loops[k].var] = update_.loops[k].var;
        }
        update.from = now;
        const auto take = [&](std::size_t k, IterKind kind) {
            b.iters.push_back(
                iterator(fresh("v" + *of_.nest.loops[k].var->name), loops[k], kind, ctx_));
            update.from[update_.loops[k].var] = b.iters.back().var;
            update.to[b.iters.back().var] = update_.loops[k].var;
        };
        take(of_.loop, IterKind::Spatial);
        for (const BlockIter& it : old.iters) {
            if (it.kind != IterKind::Spatial) continue;
            b.iters.push_back(it);
            b.iters.back().binding = substitute(ctx_, it.binding, now);
        }
        for (std::size_t k = 0; k < loops.size(); ++k) {
            const bool spatial = first_.count(update_.loops[k].var) != 0;
            if (!spatial && k != of_.loop) take(k, IterKind::Reduce);
        }
        const Substitution by_iterator = update.from;
        for (const BlockIter& it : old.iters) {
            if (it.kind != IterKind::Spatial) {
                update.from[it.var] = substitute(ctx_, it.binding, by_iterator);
            }
        }
        b.predicate = substitute(ctx_, old.predicate, now);
        b.body = substitute(ctx_, old.body, update.from);
        update.origin = update_.inside(place(2)).child("body");
        update.now = update_.inside(place(all.size())).child("body");
        const std::size_t first = out.parts.size();
        add_parts(out, b.body, update);
        for (std::size_t k = first; k < out.parts.size(); ++k) update_parts_.insert(k);
        if (with_init) {
            const Store& store = first_store(b.body);
            Part init;
            Substitution at;  // loops, at the iteration that starts
            for (std::size_t k = 0; k < loops.size(); ++k) at[loops[k].var] = loops[k].lo;
            for (const auto& [l, e] : first_) at[now.at(l)] = e;
            at[loops[of_.loop].var] = zero_.loops[of_.axis].var;
            init.to = at;
            for (const BlockIter& it : b.iters) init.to[it.var] = substitute(ctx_, it.binding, at);
            for (std::size_t d = 0; d < zero_.loops.size(); ++d) {
                init.from[zero_.loops[d].var] = store.indices[d];
            }
            init.origin = zero_.inside(place(1));
            init.now = update_.inside(place(all.size())).child("init");
            Stmt zero = old_.body[1];
            while (const For* n = zero->as<For>()) zero = n->body;
            b.init = substitute(ctx_, zero, init.from);
            add_parts(out, b.init, init);
        }
        all.push_back(in_loops(ctx_, loops, ctx_.stmt(std::move(b))));
    }

    void result_block(const FreshNames& fresh, bool with_init, std::vector<Stmt>& all,
                      Restated& out) {
        Block b = *update_.block;
        b.annotations.clear();
        b.reads.reset();
        b.writes.reset();
        b.iters.clear();
        b.init = nullptr;
        Substitution to_add;  // loops of the first plain nest -> of the last one
        for (std::size_t d = 0; d < zero_.loops.size(); ++d) {
            to_add[zero_.loops[d].var] = add_.loops[d].var;
        }
        std::vector<For> loops;
        Substitution now;  // of loops and iterators of the update
        Part add, init;
        Substitution at;  // loops, at the iteration that adds
        for (std::size_t k = 0; k < update_.loops.size(); ++k) {
            const For& l = update_.loops[k];
            const bool spatial = first_.count(l.var) != 0;
            if (!spatial && k != of_.loop) continue;
            For copy = l;
            // The names of the update are free, where its loops have those from before.
            if (!with_init) copy.var = ctx_.var(fresh(*l.var->name), l.var->type);
            copy.annotations.clear();
            now[l.var] = copy.var;
            at[copy.var] =
                spatial ? substitute(ctx_, first_.at(l.var), to_add) : add_.loops[of_.axis].var;
            Expr of_init = spatial ? inits_.at(l.var) : nullptr;
            init.to[copy.var] = of_init != nullptr ? of_init : l.lo;
            if (of_init != nullptr) init.from[of_init] = copy.var;
            loops.push_back(copy);
        }
        const For& factor = *std::find_if(loops.begin(), loops.end(), [&](const For& l) {
            return l.var == now.at(update_.loops[of_.loop].var);
        });
        b.iters.push_back(iterator(fresh("v" + *of_.nest.loops[of_.loop].var->name), factor,
                                   IterKind::Reduce, ctx_));
        Expr part_of = b.iters[0].var;
        for (const BlockIter& it : update_.block->iters) {
            if (it.kind != IterKind::Spatial) continue;
            BlockIter copy = it;
            copy.var = ctx_.var(fresh(*it.var->name), it.var->type);
            copy.binding = substitute(ctx_, it.binding, now);
            b.iters.push_back(copy);
        }
        for (const BlockIter& it : b.iters) {
            add.to[it.var] = substitute(ctx_, it.binding, at);
            init.to[it.var] = substitute(ctx_, it.binding, init.to);
        }
        std::size_t next = 1;
        for (const BlockIter& it : update_.block->iters) {
            if (it.kind == IterKind::Spatial) now[it.var] = b.iters[next++].var;
        }
        for (const BlockIter& it : init_.block->iters) {
            const auto same = updates_.find(it.var);
            init.from[it.var] = same != updates_.end() ? now.at(same->second)
                                                       : substitute(ctx_, it.binding, init.from);
        }
        b.predicate = substitute(ctx_, init_.block->predicate, init.from);
        const Store& update = first_store(update_.block->body);
        for (std::size_t k = 0; k < add_.loops.size(); ++k) {
            add.from[add_.loops[k].var] =
                k == of_.axis ? part_of : substitute(ctx_, update.indices[k], now);
        }
        for (const auto& [v, e] : at) add.to[v] = e;
        BlockNest to;
        to.loops = loops;
        add.origin = add_.inside(place(3));
        add.now = to.inside(place(all.size())).child("body");
        Stmt sum = old_.body[3];
        while (const For* n = sum->as<For>()) sum = n->body;
        b.body = substitute(ctx_, sum, add.from);
        if (with_init) {
            b.init = substitute(ctx_, init_.block->body, init.from);
            init.origin = init_.inside(place(0)).child("body");
            init.now = to.inside(place(all.size())).child("init");
            add_parts(out, b.init, init);
        }
        add_parts(out, b.body, add);
        all.push_back(in_loops(ctx_, loops, ctx_.stmt(std::move(b))));
    }

    Context& ctx_;
    const Factored& of_;
    BlockNest init_, zero_, update_, add_;
    Seq old_;
    Substitution init_at_;  // loops of the initialisation, over those of the first plain nest
    // Loops of the update that no reduction is bound to: at the iteration that starts a cell, over
    // the loops of the first plain nest; and those of the initialisation, or null.
    Substitution first_, inits_;
    Substitution updates_;  // iterators of the initialisation -> of the update
    std::set<std::size_t> update_parts_;
};

}  // namespace

std::optional<Restated> as_two_blocks(Context& ctx, const Seq& four, const Factored& of,
                                      const Substitution& init_at, const std::string& name,
                                      const FreshNames& fresh, bool partial, bool result) {
    TwoBlocks two(ctx, four, of, init_at);
    if (!two.fits()) return std::nullopt;
    return two.made(fresh, name, partial, result);
}

namespace {

// Partial results of one cell at a time fit in memory, whatever the size of the result.
std::optional<Diagnostic> one_cell_at_a_time(Factored& of, const Block& block) {
    const auto reduces = [&](const For& l) {
        return std::any_of(block.iters.begin(), block.iters.end(), [&](const BlockIter& it) {
            return it.kind == IterKind::Reduce && is_bound_by(it, l.var);
        });
    };
    std::vector<For>& loops = of.nest.loops;
    const auto first = std::find_if(loops.begin(), loops.end(), reduces);
    const auto other = std::find_if_not(first, loops.end(), reduces);
    if (other != loops.end()) {
        return error("loop " + *other->var->name + " is inside of one of the reduction",
                     "sch.reorder: the loops of the reduction stand inside of all others");
    }
    of.loop -= static_cast<std::size_t>(first - loops.begin());
    loops.erase(loops.begin(), first);
    of.axis = 0;
    of.one_cell = true;
    return std::nullopt;
}

}  // namespace

Result<Factored> what_to_factor(Proposer& p, const std::string& loop, std::int64_t axis,
                                const FreshNames& fresh) {
    const Function& f = p.current();
    Site site = *p.index().loop(loop);
    const For factor = *locate(f, site)->stmt->as<For>();
    const BlockNest below = BlockNest::of(locate(f, site)->stmt);
    if (!below.block) {
        return error("loop " + loop + " is not around a single block",
                     "sch.rfactor(loop, factor_axis) takes a loop of one block's reduction");
    }
    const Block& block = *below.block;
    const Site at = below.inside(site);
    Factored out;
    out.block = block.name;
    while (!site.steps.empty() && locate(f, site.parent())->stmt->is<For>()) site = site.parent();
    out.nest = BlockNest::of(locate(f, site)->stmt);
    out.loop = out.nest.loops.size() - below.loops.size();
    if (block.init == nullptr) {
        return error("block " + block.name + " is no reduction",
                     "a reduction states its initialisation with T.init()");
    }
    bool reduces = false;
    for (const BlockIter& it : block.iters) {
        if (!is_bound_by(it, factor.var)) continue;
        if (it.kind == IterKind::Reduce) {
            reduces = true;
            continue;
        }
        return error("loop " + loop + " is no loop of the reduction: " + *it.var->name +
                         ", which is spatial, is bound to it",
                     "factor one of the loops that reduction iterators are bound to");
    }
    if (!reduces) {
        return error("loop " + loop + " is no loop of the reduction: no iterator is bound to it");
    }
    Result<Reduction> reduction = reduction_of(p.ctx(), f, at, fresh);
    if (!reduction) return reduction.error();
    out.reduction = std::move(*reduction);
    const Buffer result = out.reduction.of[0].buffer;
    for (const Reduced& r : out.reduction.of) {
        const std::span<const Expr> shape = r.buffer->shape;
        const bool alike =
            std::equal(shape.begin(), shape.end(), result->shape.begin(), result->shape.end());
        if (alike && r.buffer->scope == result->scope) continue;
        return error(r.buffer->name + " and " + result->name + " differ in shape or in memory",
                     "results of one block are in buffers alike");
    }
    const auto rank = static_cast<std::int64_t>(result->rank());
    if (axis < -rank - 1 || axis > rank) {
        return error("factor_axis is " + std::to_string(axis) + ", and " + result->name +
                         "_rf has " + std::to_string(rank + 1) + " dimensions",
                     "from " + std::to_string(-rank - 1) + " to " + std::to_string(rank));
    }
    out.axis = static_cast<std::size_t>(axis < 0 ? axis + rank + 1 : axis);
    if (factor.kind != ForKind::Serial || !is_int_const(factor.lo, 0) || !is_int_const(factor.hi)) {
        return error("loop " + loop + " is not a serial one from 0 to a constant",
                     "split it by a constant first: sch.split(loop, factors=[None, 16])");
    }
    for (Expr extent : result->shape) {
        if (is_int_const(extent) || out.one_cell) continue;
        if (auto no = one_cell_at_a_time(out, block)) {
            no->message = "the extent " + print(extent) + " of " + result->name +
                          " is not a constant, and " + no->message;
            return *no;
        }
    }
    if (rank == 0) return error("a scalar buffer has no cells to tell apart", "give it shape (1,)");
    return out;
}

}  // namespace proviso::rewrite
