#include "analysis/bounds/bounds.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/bounds/known_region.h"
#include "analysis/bounds/repeats.h"
#include "analysis/facts/facts.h"

namespace proviso::analysis {

using ir::Buffer;
using ir::Context;
using ir::Expr;
using ir::Substitution;

namespace {

class Inference {
  public:
    Inference(Context& ctx, const ir::Function& f, const Substitution& sizes)
        : ctx_(ctx), f_(f), sizes_(sizes), names_(ir::bound_names(f)) {
        for (Expr fact : parameter_facts(ctx, f)) facts_.push_back(at_sizes(fact));
        out_.map = stages_of(ctx, f);
        for (Access& a : out_.map.accesses) {
            // Names are unique, so one list has the lets and iterators of all accesses.
            lets_.insert(a.lets.begin(), a.lets.end());
            a.may = at_sizes(a.may);
            if (a.value != nullptr) a.value = at_sizes(a.value);
            for (Expr& e : a.indices) e = at_sizes(e);
        }
    }

    Bounds run() {
        for (const Stage& s : out_.map.stages) out_.runs.push_back(runs_of(s));
        for (const auto& [site, stmt] : ir::all_statements(f_)) {
            if (const auto* a = stmt->as<ir::Allocate>()) allocated_[a->buffer] = site;
        }
        std::vector<Buffer> all;  // in the order of their first use, parameters last
        for (const Stage& s : out_.map.stages) {
            for (const auto* list : {&s.produces, &s.consumes}) {
                for (Buffer b : *list) {
                    if (std::find(all.begin(), all.end(), b) == all.end()) all.push_back(b);
                }
            }
        }
        std::stable_partition(all.begin(), all.end(),
                              [&](Buffer b) { return f_.find_buffer_param(b->name) != b; });
        for (Buffer b : all) {
            BufferBounds one = bounds_of(b);
            repeats_[b] = one.repeats;
            if (!one.consumers.empty() || !one.producers.empty()) {
                out_.buffers.push_back(std::move(one));
            }
        }
        return std::move(out_);
    }

  private:
    Expr at_sizes(Expr e) const { return ir::substitute(ctx_, e, sizes_); }
    // An end of a loop, over loops and parameters.
    Expr end_of(Expr e) const { return at_sizes(ir::substitute(ctx_, e, lets_)); }

    std::vector<Expr> ranges(const std::vector<StageLoop>& loops, std::size_t first) const {
        std::vector<Expr> out;
        for (std::size_t k = 0; k < first; ++k) {
            const ir::For& loop = *loops[k].loop;
            out.push_back(ctx_.le(end_of(loop.lo), loop.var));
            out.push_back(ctx_.lt(loop.var, end_of(loop.hi)));
        }
        return out;
    }

    // Coordinates p0, p1, .. of the types of the indices.
    std::vector<Expr> coordinates(const std::vector<Expr>& like) {
        std::vector<Expr> out;
        for (std::size_t k = 0; k < like.size(); ++k) {
            std::string name = "p" + std::to_string(k);
            while (names_.count(name) != 0) name += "_";
            out.push_back(ctx_.var(name, like[k]->type));
        }
        return out;
    }

    std::vector<FixedLoop> fixed_loops(const std::vector<StageLoop>& loops,
                                       std::size_t first) const {
        std::vector<FixedLoop> out;
        for (std::size_t k = 0; k < first; ++k) {
            const ir::For& loop = *loops[k].loop;
            out.push_back({loop.var, end_of(loop.lo), end_of(loop.hi)});
        }
        return out;
    }

    // What the access reaches where the first `fixed` loops are fixed; with `before`, in the
    // iteration before of the innermost one. `also`: a condition more.
    IndexedCells cells_of(const Access& a, std::size_t fixed, bool before = false,
                          Expr also = nullptr) const {
        IndexedCells out;
        out.varying.assign(a.loops.begin() + static_cast<std::ptrdiff_t>(fixed), a.loops.end());
        out.varying.insert(out.varying.end(), a.opaque.begin(), a.opaque.end());
        out.condition = also == nullptr ? a.may : ctx_.and_(also, a.may);
        out.indices = a.indices;
        out.over = std::any_of(a.surrounding.begin(), a.surrounding.end(),
                               [](const auto& s) { return s.var == nullptr; });
        if (before) {
            Expr v = a.loops[fixed - 1];
            const Substitution to = {{v, ctx_.sub(v, ctx_.int_imm(v->type, 1))}};
            out.condition = ir::substitute(ctx_, out.condition, to);
            for (Expr& e : out.indices) e = ir::substitute(ctx_, e, to);
        }
        return out;
    }

    std::vector<std::size_t> of_buffer(const std::vector<std::size_t>& list, Buffer b) const {
        std::vector<std::size_t> out;
        std::copy_if(list.begin(), list.end(), std::back_inserter(out),
                     [&](std::size_t k) { return out_.map.accesses[k].buffer == b; });
        return out;
    }

    // Each loop that the access is in has an iteration, as far as that is about parameters: where
    // one has none, nothing is reached.
    void some_iteration(const Access& a, std::vector<Expr>& known) const {
        for (const StageLoop& l : loops_around(f_, a.statement)) {
            Expr lo = end_of(l.loop->lo);
            Expr hi = end_of(l.loop->hi);
            Expr some = ctx_.lt(lo, hi);
            std::vector<Expr> used = ir::free_vars(some);
            const bool fixed = std::none_of(used.begin(), used.end(), [&](Expr v) {
                return std::find(a.loops.begin(), a.loops.end(), v) != a.loops.end();
            });
            if (fixed && !used.empty() && ir::is_plain_term(some)) known.push_back(some);
        }
    }

    // The union of what several accesses reach.
    KnownRegion reached(Buffer b, const std::vector<std::size_t>& accesses,
                        const std::vector<IndexedCells>& all, const std::vector<StageLoop>& loops,
                        std::size_t fixed) {
        const std::vector<Expr> known = known_at(accesses, loops, fixed);
        KnownRegion out;
        out.scope = std::make_shared<RegionScope>(ctx_, coordinates(all.at(0).indices), known);
        for (const IndexedCells& one : all) {
            Region cells = out.scope->image(one);
            // A run without a fault stays in the buffer.
            if (!cells.exact && b != nullptr && one.indices.size() == b->rank()) {
                cells = out.scope->intersect(cells, out.scope->box(shape_of(b)));
            }
            out.region = out.scope->unite(out.region, cells);
        }
        const std::vector<FixedLoop> around = fixed_loops(loops, fixed);
        measure(out, around, all.size() == 1 ? &all[0] : nullptr, known,
                b == nullptr ? "" : b->name);
        return out;
    }

    std::vector<Expr> known_at(const std::vector<std::size_t>& accesses,
                               const std::vector<StageLoop>& loops, std::size_t fixed) const {
        std::vector<Expr> known = facts_;
        for (Expr r : ranges(loops, fixed)) known.push_back(r);
        for (const std::size_t k : accesses) some_iteration(out_.map.accesses[k], known);
        return known;
    }

    KnownRegion at_level(Buffer b, const std::vector<std::size_t>& accesses,
                         const std::vector<StageLoop>& loops, std::size_t fixed) {
        std::vector<IndexedCells> all;
        for (const std::size_t k : accesses) {
            all.push_back(cells_of(out_.map.accesses[k], fixed));
        }
        return reached(b, accesses, all, loops, fixed);
    }

    // What one iteration adds to the one before.
    std::optional<KnownRegion> fresh_at(Buffer b, const std::vector<std::size_t>& accesses,
                                        const std::vector<StageLoop>& loops, std::size_t fixed,
                                        const KnownRegion& now, bool& too_many) {
        const ir::For& loop = *loops[fixed - 1].loop;
        if (loop.kind != ir::ForKind::Serial && loop.kind != ir::ForKind::Unrolled) {
            return std::nullopt;
        }
        std::vector<Expr> known = known_at(accesses, loops, fixed);
        known.push_back(ctx_.lt(end_of(loop.lo), loop.var));  // there is an iteration before
        KnownRegion out;
        out.scope = std::make_shared<RegionScope>(ctx_, now.scope->coordinates(), known);
        Region before;
        Region all;
        for (const std::size_t k : accesses) {
            const Access& a = out_.map.accesses[k];
            all = out.scope->unite(all, out.scope->image(cells_of(a, fixed)));
            before = out.scope->unite(before, out.scope->image(cells_of(a, fixed, true)));
        }
        if (!all.exact || !before.exact) return std::nullopt;
        auto rest = out.scope->subtract(all, before);
        too_many = !rest;
        if (!rest) return std::nullopt;
        for (Conjunction& part : rest->parts) part = tidied(part, out.scope->known());
        out.region = out.scope->merged(*rest);
        too_many = out.region.parts.size() > kMostParts;
        if (too_many) return std::nullopt;
        std::vector<FixedLoop> around = fixed_loops(loops, fixed);
        around.back().lo = ctx_.add(around.back().lo, ctx_.int_imm(loop.var->type, 1));
        measure(out, around, nullptr, known, b->name);
        return out;
    }

    BufferUse use_of(std::size_t stage, Buffer b, bool stores) {
        const Stage& s = out_.map.stages[stage];
        const auto list = of_buffer(stores ? s.stores : s.loads, b);
        BufferUse out{stage, {}};
        for (std::size_t fixed = 0; fixed <= s.loops.size(); ++fixed) {
            BoundsLevel level{fixed, at_level(b, list, s.loops, fixed), std::nullopt, false};
            if (!stores && fixed > 0) {
                level.fresh = fresh_at(b, list, s.loops, fixed, level.region, level.too_many_fresh);
            }
            out.levels.push_back(std::move(level));
        }
        return out;
    }

    BufferBounds bounds_of(Buffer b) {
        BufferBounds out;
        out.buffer = b;
        out.is_param = f_.find_buffer_param(b->name) == b;
        std::vector<std::size_t> loads;
        std::vector<std::size_t> stores;
        const Stage* first = nullptr;
        std::size_t shared = 0;
        for (std::size_t k = 0; k < out_.map.stages.size(); ++k) {
            const Stage& s = out_.map.stages[k];
            const auto mine = [&](const std::vector<Buffer>& list) {
                return std::find(list.begin(), list.end(), b) != list.end();
            };
            if (!mine(s.produces) && !mine(s.consumes)) continue;
            shared = first == nullptr ? s.loops.size() : std::min(shared, shared_loops(*first, s));
            if (first == nullptr) first = &s;
            if (mine(s.consumes)) out.consumers.push_back(use_of(k, b, false));
            if (mine(s.produces)) out.producers.push_back(use_of(k, b, true));
            const auto l = of_buffer(s.loads, b);
            const auto w = of_buffer(s.stores, b);
            if (mine(s.consumes)) loads.insert(loads.end(), l.begin(), l.end());
            stores.insert(stores.end(), w.begin(), w.end());
        }
        if (first == nullptr) return out;
        const std::vector<StageLoop>& loops = first->loops;
        out.shared.assign(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(shared));
        const auto at = allocated_.find(b);
        if (at != allocated_.end()) out.around = loops_around(f_, at->second);
        out.allocated = extent_of(b, out.around);
        if (!loads.empty()) {
            out.needed = at_level(b, loads, loops, shared);
            out.needed_in_all = in_all(b, loads, loops, std::min(out.around.size(), shared));
        }
        if (!stores.empty()) {
            out.computed = at_level(b, stores, loops, shared);
            out.computed_in_all = in_all(b, stores, loops, shared);
            const std::size_t life = std::min(out.around.size(), shared);
            out.computed_once = in_all(b, stores, loops, life);
            out.stored = at_level(b, stores, loops, life);
            const CellCount& once = out.computed_once->cells;
            const bool again =
                !once.known() || once.or_none || once.str() != out.computed_in_all->cells.str();
            if (again) out.repeats = repeats_of(b, stores, loops, life, shared);
        }
        if (!stores.empty() && !loads.empty() && !out.is_param) {
            const std::optional<Region> asked = asked_of(b);
            if (asked && out.around.empty() &&
                !out.needed_in_all->scope->within(out.needed_in_all->region, *asked)) {
                out.asked = out.needed_in_all;
                out.asked->region = *asked;
                out.asked->cells = out.asked->hull = {};
                measure(*out.asked, {}, nullptr, facts_, b->name);
            }
        }
        return out;
    }

    Repeats repeats_of(Buffer b, const std::vector<std::size_t>& stores,
                       const std::vector<StageLoop>& loops, std::size_t life, std::size_t shared) {
        const auto repeated = [&](std::size_t k) {
            return RepeatedStore{&out_.map.accesses[k], life, shared, known_at(stores, loops, 0)};
        };
        const auto all_stores = [&](auto holds) {
            return std::all_of(stores.begin(), stores.end(), holds);
        };
        if (stores.size() == 1 && another_value_each_time(ctx_, repeated(stores[0]))) {
            return Repeats::Others;
        }
        // Stores of several statements do the same each time where all of them reach the same
        // cells.
        const bool one_after_another = all_stores([&](std::size_t k) {
            const KnownRegion first = at_level(b, {stores[0]}, loops, shared);
            const KnownRegion other = at_level(b, {k}, loops, shared);
            return k == stores[0] || (first.region.exact && other.region.exact &&
                                      first.scope->within(first.region, other.region) &&
                                      first.scope->within(other.region, first.region));
        });
        const bool same = one_after_another && all_stores([&](std::size_t k) {
                              return reads_steady(k) && same_value_again(ctx_, repeated(k));
                          });
        return same ? Repeats::Same : Repeats::Unknown;
    }

    // What the store reads holds one value only, beside the cell that it stores to.
    bool reads_steady(std::size_t store) const {
        const Access& a = out_.map.accesses[store];
        bool out = true;
        ir::for_each_node(a.value, [&](Expr e) {
            if (e->op != ir::Op::Load) return;
            const bool own =
                e->buffer == a.buffer &&
                std::equal(e->args.begin(), e->args.end(), a.indices.begin(), a.indices.end());
            out = out && (own || steady(e->buffer));
        });
        return out;
    }

    // No two iterations store different values to one cell. One that is found later is not steady.
    bool steady(Buffer b) const {
        const bool stored =
            std::any_of(out_.map.accesses.begin(), out_.map.accesses.end(),
                        [&](const Access& a) { return a.is_store && a.buffer == b; });
        const auto at = repeats_.find(b);
        return !stored || (at != repeats_.end() && at->second == Repeats::Same);
    }

    std::vector<Expr> shape_of(Buffer b) const {
        std::vector<Expr> out;
        for (Expr e : b->shape) out.push_back(at_sizes(e));
        return out;
    }

    // All elements of the shape; its extents may be over the loops around.
    CellCount extent_of(Buffer b, const std::vector<StageLoop>& around) {
        KnownRegion all;
        std::vector<Expr> known = facts_;
        for (Expr r : ranges(around, around.size())) known.push_back(r);
        const std::vector<Expr> shape = shape_of(b);
        all.scope = std::make_shared<RegionScope>(ctx_, coordinates(shape), known);
        all.region = all.scope->box(shape);
        measure(all, fixed_loops(around, around.size()), nullptr, known, b->name);
        return all.cells;
    }

    // Cells in each iteration of the first `repeated` loops, counted anew in each.
    KnownRegion in_all(Buffer b, const std::vector<std::size_t>& accesses,
                       const std::vector<StageLoop>& loops, std::size_t repeated) {
        std::vector<IndexedCells> all;
        for (const std::size_t k : accesses) {
            const Access& a = out_.map.accesses[k];
            all.push_back(cells_of(a, 0));
            std::vector<Expr>& at = all.back().indices;
            at.insert(at.begin(), a.loops.begin(),
                      a.loops.begin() + static_cast<std::ptrdiff_t>(repeated));
        }
        return reached(b, accesses, all, loops, 0);
    }

    // Iterations of the loops around a stage and in it, and those that store.
    StageRuns runs_of(const Stage& s) {
        StageRuns out;
        std::size_t deepest = 0;
        const std::vector<std::size_t>& list = s.stores.empty() ? s.loads : s.stores;
        for (const std::size_t k : list) {
            deepest = std::max(deepest, out_.map.accesses[k].loops.size());
        }
        std::vector<IndexedCells> all;
        std::vector<IndexedCells> guarded;
        for (const std::size_t k : list) {
            const Access& a = out_.map.accesses[k];
            if (a.loops.size() != deepest) continue;
            guarded.push_back(cells_of(a, 0));
            guarded.back().indices = a.loops;
            all.push_back(guarded.back());
            all.back().over = false;
            const std::vector<StageLoop> loops = loops_around(f_, a.statement);
            all.back().condition = ctx_.all_of(ranges(loops, loops.size()));
        }
        out.iterations = reached(nullptr, list, all, {}, 0).cells;
        out.runs = reached(nullptr, list, guarded, {}, 0).cells;
        return out;
    }

    // What outputs ask for of a buffer, through all that is computed from it; none: all of it.
    std::optional<Region> asked_of(Buffer b) {
        const auto known = asked_.find(b);
        if (known != asked_.end()) return known->second;
        asked_[b] = std::nullopt;  // of a circle: all
        Region out;
        std::optional<RegionScope> scope;
        for (const Stage& s : out_.map.stages) {
            for (const std::size_t k : of_buffer(s.loads, b)) {
                const Access& load = out_.map.accesses[k];
                if (!scope) scope.emplace(ctx_, coordinates(load.indices), facts_);
                out = scope->unite(out, scope->image(cells_of(load, 0, false, wanted(s, load))));
            }
        }
        return asked_[b] = out;
    }

    // The condition that the stage stores something that is asked for in the iteration of the load;
    // null: always.
    Expr wanted(const Stage& s, const Access& load) {
        std::vector<Expr> any;
        for (const std::size_t k : s.stores) {
            const Access& store = out_.map.accesses[k];
            const bool around =
                store.loops.size() <= load.loops.size() &&
                std::equal(store.loops.begin(), store.loops.end(), load.loops.begin());
            if (store.is_param || !around || store.buffer == load.buffer) return nullptr;
            const std::optional<Region> asked = asked_of(store.buffer);
            if (!asked) return nullptr;
            const std::vector<Expr> at = coordinates(store.indices);
            Substitution to;
            for (std::size_t d = 0; d < at.size(); ++d) {
                if (store.indices[d]->type != store.indices[0]->type) return nullptr;
                to[at[d]] = store.indices[d];
            }
            for (const Conjunction& part : asked->parts) {
                Expr member = part.formula(ctx_, store.indices[0]->type);
                if (member == nullptr) return nullptr;
                any.push_back(ir::substitute(ctx_, member, to));
            }
        }
        return s.stores.empty() ? nullptr : ctx_.any_of(any);
    }

    Context& ctx_;
    const ir::Function& f_;
    const Substitution& sizes_;
    Substitution lets_;
    std::set<std::string> names_;
    std::vector<Expr> facts_;
    std::map<Buffer, ir::Site> allocated_;
    std::map<Buffer, std::optional<Region>> asked_;
    std::map<Buffer, Repeats> repeats_;
    Bounds out_;
};

}  // namespace

Bounds infer_bounds(Context& ctx, const ir::Function& f, const Substitution& sizes) {
    return Inference(ctx, f, sizes).run();
}

}  // namespace proviso::analysis
