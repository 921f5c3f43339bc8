// cache_inplace: a buffer that a stage updates in place, updated in a copy.
//
//   for i: B[i] = B[i] * 2      →      for l: B_local[l] = B[l]
//                                      for i: B_local[i] = B_local[i] * 2
//                                      for l: B[l] = B_local[l]
//
// A rule that copies back wants each cell stored before it is read, so a nest that stores to B what
// it holds is put in front first:
//
//   for l: D[l] = B[l]                 a buffer of its own (fresh_buffer.h)
//   for l: if False: B[l] = D[l]       a copy of a store of the stage that never runs (restate),
//   with
//                                      another cell and value (replace)
//   for l: B[l] = D[l]                 which nobody notices (drop-guard): the cell holds that, or
//   it
//                                      is overwritten; where B is a parameter, loads of the stage
//                                      that come before read D so long
//   stage-write of both nests, and D goes.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "ir/buffer_scope.h"
#include "ir/child_at.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/fresh_buffer.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/primitives/stored_value.h"
#include "rewrite/schedule/reader/interpreter/unused.h"
#include "rewrite/schedule/restated.h"
#include "rewrite/schedule/tile_search.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The part of the buffer that a stage accesses.
struct Accessed {
    std::vector<Expr> low, extent;
    bool whole = true;  // all of it
};

Accessed accessed_part(Proposer& p, const Site& stage, Buffer buffer) {
    TileSearch search(p, stage);
    Accessed out;
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        const Reach reach = search.run(buffer, d, true);
        Expr all = buffer->shape[d];
        const bool known =
            reach.extent > 0 && !(is_int_const(all) && all->int_value() <= reach.extent);
        out.low.push_back(known ? reach.low : p.ctx().int_imm(all->type, 0));
        out.extent.push_back(known ? p.ctx().int_imm(all->type, reach.extent) : all);
        out.whole = out.whole && !known;
    }
    return out;
}

// What is done in the place of a load of the buffer, so long.
struct Detour {
    Site site, statement;  // in the stage
    Expr load = nullptr;
    Expr when = nullptr;  // the load comes before the stage stores to its cell; null: always
};

class InPlace {
  public:
    InPlace(Proposer& p, Buffer buffer, const Site& stage, const FreshBuffer& copy,
            const std::vector<Expr>& low)
        : p_(p), ctx_(p.ctx()), buffer_(buffer), stage_(stage), copy_(copy), low_(low) {}

    // A nest in front of the stage that stores to the buffer what it holds. The stage is the last
    // of `list`, after the nest and the one that fills D.
    bool put_nest(const Site& store, bool detours, std::optional<Rejection>& why) {
        if (!put_fresh_buffer(p_, copy_, why)) return false;
        const Site filled_stage = stage_.child("body").child("1");
        held_ = locate(p_.current(), store_of_block(p_, copy_.block))->stmt->as<Store>()->buffer;
        if (detours) read_copy(filled_stage);
        list_ = stage_.child("body");
        if (auto no = never_running(filled_stage, below(store, stage_, filled_stage))) {
            keep_more_telling(why, std::move(no));
            return false;
        }
        if (!drop_guard(p_, branch_, why)) return false;
        const Site now = list_.child("2");
        for (Detour& d : detours_) {
            d.site = below(d.site, filled_stage, now);
            d.statement = below(d.statement, filled_stage, now);
            const json args = {{"to", print(d.load)}, {"claims", {stored_by_nest(d)}}};
            if (!p_.try_apply("replace", d.site, args, &why)) return false;
        }
        return true;
    }

    const Site& list() const { return list_; }

    // What the nest copies in comes from the buffer itself, and D goes.
    bool copy_in_directly(const Site& nest, std::optional<Rejection>& why) {
        Site store = nest;
        for (std::size_t d = 0; d < low_.size(); ++d) store = store.child("body");
        const Site value = store.child("value");
        const Site fills = store_of_block(p_, copy_.block);
        const LoadAt load{value, store, locate(p_.current(), value)->expr};
        if (auto no = put_stored_value(p_, load, fills)) {
            why = std::move(no);
            return false;
        }
        if (!drop_store(p_, p_.memory(), fills, why)) return false;
        drop_unused(p_, fills);
        drop_allocation(p_, held_);
        return true;
    }

  private:
    // A site below `from` as one below `to`.
    static Site below(const Site& site, const Site& from, const Site& to) {
        Site out = to;
        for (std::size_t k = from.steps.size(); k < site.steps.size(); ++k) {
            out.steps.push_back(site.steps[k]);
        }
        return out;
    }

    std::vector<Expr> place_of(const std::vector<Expr>& cell) const {
        std::vector<Expr> out;
        for (std::size_t d = 0; d < cell.size(); ++d) {
            out.push_back(is_int_const(low_[d], 0) ? cell[d] : ctx_.sub(cell[d], low_[d]));
        }
        return out;
    }

    // Loads that come before the stage stores to their cells read D.
    void read_copy(const Site& stage) {
        std::vector<Detour> all;
        for (const Access& a : p_.memory().all()) {
            if (a.is_store || a.buffer != buffer_ || !stage.contains(a.statement)) continue;
            const Result<Located> at = locate(p_.current(), a.site);
            if (at && at->expr != nullptr) all.push_back({a.site, a.statement, at->expr});
        }
        // What stands further in first: a site in a load is one no more when that is replaced.
        std::reverse(all.begin(), all.end());
        for (Detour& d : all) {
            const std::vector<Expr> cell(d.load->args.begin(), d.load->args.end());
            Expr copied = ctx_.load(held_, place_of(cell));
            const auto read = [&](Expr to, Expr when) {
                json claim = filled(p_, held_, copy_.block, copy_.loops,
                                    {copied->args.begin(), copied->args.end()});
                if (when != nullptr) claim["when"] = print(when);
                const json args = {{"to", print(to)}, {"claims", json::array({claim})}};
                if (!p_.try_apply("replace", d.site, args)) return false;
                d.when = when;
                detours_.push_back(d);
                return true;
            };
            if (read(copied, nullptr)) continue;
            Expr first = first_iteration(stage, d);
            if (first != nullptr) read(ctx_.if_then_else(first, copied, d.load), first);
        }
    }

    // The first of those iterations that access the same cell; null: each has its own.
    Expr first_iteration(const Site& stage, const Detour& d) const {
        std::vector<Expr> first;
        const auto take = [&](Expr v, Expr lo) {
            const bool names = std::any_of(d.load->args.begin(), d.load->args.end(),
                                           [&](Expr i) { return occurs_free(v, i); });
            if (!names) first.push_back(ctx_.eq(v, lo));
        };
        for (const PathStep& step : path_to(p_.current(), d.statement).steps) {
            if (step.stmt == nullptr || !stage.contains(step.site)) continue;
            if (const Block* n = step.stmt->as<Block>()) {
                for (const BlockIter& it : n->iters) {
                    if (it.kind == IterKind::Reduce) take(it.var, it.lo);
                }
            }
        }
        return first.empty() ? nullptr : ctx_.all_of(first);
    }

    Expr any_value(ScalarType type) const {
        return type.is_float() ? ctx_.float_imm(type, 0.0) : ctx_.int_imm(type, 0);
    }

    // What blocks on the way claim to access is not claimed around parts.
    Stmt without_regions(Stmt s, std::span<const Label> way) {
        if (way.empty()) return s;
        if (const Block* n = s->as<Block>()) {
            Block block = *n;
            block.reads.reset();
            block.writes.reset();
            s = ctx_.stmt(std::move(block));
        }
        Located inner;
        inner.stmt = without_regions(child_at(s, way.front()).stmt, way.subspan(1));
        return with_child(ctx_, s, way.front(), inner);
    }

    // The parts of `s` that the way to one statement in it leaves: all keep their places.
    void parts_beside(Stmt s, const Site& here, std::span<const Label> way, Restated& r) {
        Part part;
        part.origin = here;
        part.now = here;
        part.now.steps.insert(part.now.steps.begin(), "1");
        if (way.empty()) {
            r.parts.push_back(std::move(part));
            return;
        }
        for (const Child& c : children(s)) {
            if (c.stmt == nullptr) continue;
            if (c.label == way.front()) {
                parts_beside(c.stmt, here.child(c.label), way.subspan(1), r);
            } else {
                parts_beside(c.stmt, here.child(c.label), {}, r);
            }
        }
    }

    // `for l: if False: B[low + l] = D[l]` in front of the stage.
    std::optional<Rejection> never_running(const Site& stage, const Site& store) {
        Stmt old = locate(p_.current(), stage)->stmt;
        std::set<std::string> used = bound_names(p_.current());
        std::vector<For> loops;
        std::vector<Expr> at;
        Restated r;
        Part never;
        for (std::size_t d = 0; d < copy_.shape.size(); ++d) {
            const ScalarType type = copy_.shape[d]->type;
            Expr v = ctx_.var(fresh_name("l" + std::to_string(d), used), type);
            loops.push_back(
                For{v, ctx_.int_imm(type, 0), copy_.shape[d], ForKind::Serial, "", ctx_.pass()});
            never.to[v] = ctx_.int_imm(type, 0);
            at.push_back(v);
        }
        const std::span<const Label> way = std::span(store.steps).subspan(stage.steps.size());
        never.origin.steps.assign(way.begin(), way.end());
        Stmt here = old;
        for (const Label& label : way) {
            if (const For* n = here->as<For>()) never.from[n->var] = any_value(n->var->type);
            if (const LetStmt* n = here->as<LetStmt>()) {
                never.from[n->var] = any_value(n->var->type);
            }
            if (const Block* n = here->as<Block>()) {
                for (const BlockIter& it : n->iters) never.from[it.var] = any_value(it.var->type);
            }
            here = child_at(here, label).stmt;
        }
        never.when = ctx_.false_();
        never.now = Site{}.child("0");
        for (std::size_t d = 0; d < loops.size(); ++d) never.now = never.now.child("body");
        never.now = never.now.child("then");
        Stmt guarded =
            ctx_.stmt(IfElse{ctx_.false_(), substitute(ctx_, here, never.from), nullptr});
        r.after = ctx_.seq({in_loops(ctx_, loops, guarded), without_regions(old, way)});
        r.parts.push_back(never);
        parts_beside(old, Site{}, way, r);
        if (auto no = restate(p_, stage, r)) return no;
        branch_ = stage;  // the nest has its place
        for (std::size_t d = 0; d < loops.size(); ++d) branch_ = branch_.child("body");
        const Site put = branch_.child("then");
        for (std::size_t d = 0; d < at.size(); ++d) {
            Expr cell = is_int_const(low_[d], 0) ? at[d] : ctx_.add(low_[d], at[d]);
            const Site index = put.child("index" + std::to_string(d));
            if (auto no = p_.apply("replace", index, {{"to", print(cell)}})) return no;
        }
        return p_.apply("replace", put.child("value"), {{"to", print(ctx_.load(held_, at))}});
    }

    // The cell of a load was stored by the nest last.
    json stored_by_nest(const Detour& d) {
        const std::vector<Expr> cell(d.load->args.begin(), d.load->args.end());
        const std::vector<Expr> place = place_of(cell);
        json indices = json::array();
        Substitution at;
        Stmt nest = locate(p_.current(), list_.child("1"))->stmt;
        Site store = list_.child("1");
        for (std::size_t k = 0; k < cell.size(); ++k) {
            indices.push_back(print(cell[k]));
            at[nest->as<For>()->var] = place[k];
            nest = nest->as<For>()->body;
            store = store.child("body");
        }
        json claim = {{"kind", "last-write"},
                      {"buffer", buffer_->name},
                      {"indices", std::move(indices)},
                      {"writer", witness_json(store, at)}};
        if (d.when != nullptr) claim["when"] = print(d.when);
        return claim;
    }

    Proposer& p_;
    Context& ctx_;
    Buffer buffer_;
    Site stage_, list_, branch_;
    const FreshBuffer& copy_;
    std::vector<Expr> low_;
    Buffer held_ = nullptr;  // D
    std::vector<Detour> detours_;
};

Site first_store(Proposer& p, Buffer buffer, const Site& stage) {
    for (const Access& a : p.memory().all()) {
        if (a.buffer == buffer && a.is_store && stage.contains(a.statement)) return a.statement;
    }
    return stage;
}

// Why the stage of the block does not update the buffer in place.
std::optional<Diagnostic> not_in_place(Proposer& p, const std::string& block, Buffer buffer,
                                       const Site& stage) {
    const std::string of_block = "the stage of " + block;
    const std::string& name = buffer->name;
    const Stmt s = locate(p.current(), stage)->stmt;
    bool reads = false;
    for (const Access& a : p.memory().all()) {
        reads |= a.buffer == buffer && !a.is_store && stage.contains(a.statement);
    }
    if (!reads || !stores_to(s, buffer)) {
        return error(of_block + (reads ? " does not store to " : " does not read ") + name +
                         ": it updates nothing in place",
                     reads ? "sch.cache_read copies what is read"
                           : "sch.cache_write copies what is written");
    }
    if (contains_assert(s)) {
        return error(of_block + " can stop, and would leave " + name + " as it was before",
                     "the assert in a stage of its own, before this one");
    }
    if (buffer->rank() == 0) {
        return error(name + " is a scalar buffer", "T.alloc_buffer((1,), …) has a cell to copy");
    }
    bool inside = false;
    for_each_stmt(s, [&](Stmt t) {
        const Allocate* n = t->as<Allocate>();
        inside |= n != nullptr && n->buffer == buffer;
    });
    if (!inside) return std::nullopt;
    return error(name + " is allocated inside of " + of_block,
                 "it is a buffer of each iteration already");
}

}  // namespace

Outcome Primitives::cache_inplace(const std::string& block, Buffer buffer,
                                  const std::string& scope) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    Context& ctx = p_.ctx();
    const std::string name = buffer->name;
    const Site stage = stage_of(p_.current(), *at);
    if (const auto no = not_in_place(p_, block, buffer, stage)) {
        return refuse(no->message, no->hint);
    }
    const std::size_t start = p_.derivation().steps().size();
    const Accessed part = accessed_part(p_, stage, buffer);
    reserved_.clear();
    const std::string copy = fresh(name + "_" + scope_as_name(scope));
    const std::string in = fresh_block(copy);
    FreshBuffer held;
    held.around = stage;
    held.name = fresh(name + "_held");
    held.type = buffer->type;
    held.scope = "global";
    held.block = fresh_block(held.name);
    held.shape = part.extent;
    std::vector<Expr> cell;
    std::vector<std::string> loops, indices;
    json back = {{"buffer", name}, {"name", copy}, {"scope", scope}};
    std::vector<Expr> stored;  // by the nest that copies back
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        const std::string k = std::to_string(d);
        const ScalarType type = buffer->shape[d]->type;
        const auto moved = [&](Expr v) {
            return is_int_const(part.low[d], 0) ? v : ctx.add(part.low[d], v);
        };
        held.loops.push_back(fresh_loop("h" + k));
        held.indices.push_back(fresh("w" + k));
        held.vars.push_back(ctx.var(held.indices.back(), type));
        cell.push_back(moved(held.vars.back()));
        loops.push_back(fresh_loop("ax" + k));
        indices.push_back(fresh("v" + k));
        const std::string out = fresh_loop("ax" + k);
        back["names"].push_back(out);
        stored.push_back(moved(ctx.var(out, type)));
        if (part.whole) continue;
        back["offsets"].push_back(print(part.low[d]));
        back["extents"].push_back(print(part.extent[d]));
    }
    held.value = ctx.load(buffer, cell);
    std::optional<Rejection> why;
    const auto no_longer = [&] {
        p_.derivation().roll_back(start);
        if (!why) {
            return refuse("no step copies " + name + " in front of the stage of " + block +
                          " and back");
        }
        p_.derivation().record(*why);
        Outcome no = refuse(std::move(*why));
        std::get<Refusal>(no).diagnostic.hint =
            "each cell that is copied is stored by the stage on every run, or before it; of a "
            "parameter, the stage stores to each cell that it reads, and its loops are made "
            "parallel afterwards";
        return no;
    };
    std::optional<InPlace> done;
    for (const bool detours : {false, true}) {
        InPlace attempt(p_, buffer, stage, held, part.low);
        if (attempt.put_nest(first_store(p_, buffer, stage), detours, why)) {
            done.emplace(std::move(attempt));
            break;
        }
        p_.derivation().roll_back(start);
    }
    if (!done) return no_longer();
    const Site list = done->list();
    const std::string together = fresh("u");
    if (!put_together(p_, list, 1, 2, together)) return no_longer();
    // The name of the block that copies in is taken as soon as its nest is one.
    std::string out_block = in;
    for (int i = 1; p_.index().is_block(out_block) || out_block == in; ++i) {
        out_block = copy + "_" + std::to_string(i);
    }
    back["block"] = out_block;
    const Site both = p_.index().loop(together)->child("body");
    Outcome through = write_through(back, buffer, stored, both, "the stage of " + block);
    if (Refusal* no = std::get_if<Refusal>(&through)) {
        why = no->rejection;
        return no_longer();
    }
    if (!take_apart(p_, together)) return no_longer();
    if (!done->copy_in_directly(list.child("1").child("body").child("0"), why)) return no_longer();
    const Site copied = stage_of(p_.current(), *p_.index().block(block));
    const Site first = copied.parent().child("0");
    if (auto no = put_in_block(p_, first, in, loops, indices)) {
        why = std::move(no);
        return no_longer();
    }
    const Site predicate = p_.index().block(out_block)->child("predicate");
    if (!is_true(locate(p_.current(), predicate)->expr)) {
        p_.try_apply("replace", predicate, {{"to", "True"}});
    }
    return Names{in, out_block};
}

}  // namespace proviso::rewrite
