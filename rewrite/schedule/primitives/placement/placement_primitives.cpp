// The primitives compute_at and reverse_compute_at: a stage runs where its results are read, or
// where what it reads is computed, a part of it in each iteration of a loop.
//
// What is found here is a guess: which cells an iteration reads or computes, and in which iteration
// each cell's turn is. With compute_at that is the first one that reads it (a sliding window where
// parts overlap), and a cell that none reads is not computed; with reverse_compute_at it is the
// last one that computes what is read. The rule compute-at proves all of that.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/affine.h"
#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/placement/turns.h"
#include "rewrite/schedule/primitives/placement/unbound.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/tile_search.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// What stands around a statement, below the list at `top`: loops, outermost first.
std::vector<For> loops_below(const Function& f, const Site& top, const Site& site) {
    std::vector<For> out;
    const std::vector<PassedNode> way = passed_on_the_way(f, site);
    for (std::size_t depth = top.steps.size(); depth < way.size(); ++depth) {
        const For* loop = way[depth].stmt == nullptr ? nullptr : way[depth].stmt->as<For>();
        if (loop != nullptr) out.push_back(*loop);
    }
    return out;
}

class Placement {
  public:
    // `reverse`: the nest follows the loop.
    Placement(Proposer& p, const Site& nest, const Site& loop, bool reverse)
        : p_(p), ctx_(p.ctx()), nest_(nest), loop_(loop), reverse_(reverse) {
        around_ = loops_below(p.current(), nest.parent(), loop.child("body"));
    }

    // `own`: how the nest accesses the buffer; of several accesses at a distance, the foremost cell
    // counts.
    std::optional<Diagnostic> find(Buffer buffer, const std::vector<Access>& all) {
        const Access& own = all.front();
        TileSearch search(p_, loop_.child("body"));
        for (const For& loop : loops_below(p_.current(), nest_, own.statement)) {
            nest_loops_.push_back(loop);
        }
        std::vector<std::pair<std::size_t, Dimension>> found;
        for (std::size_t d = 0; d < buffer->rank(); ++d) {
            const Affine index = Affine::of(own.indices[d]);
            const auto walks = [&](const For& n) { return index.factor_of(n.var) == Integer(1); };
            const auto loop = std::find_if(nest_loops_.begin(), nest_loops_.end(), walks);
            Affine rest = index;
            if (loop != nest_loops_.end()) rest = index.without(loop->var);
            for (const Access& a : all) {
                Affine offset = Affine::of(a.indices[d]);
                if (loop != nest_loops_.end()) offset = offset.without(loop->var);
                const Affine ahead = offset - rest;
                if (ahead.is_constant() && Integer(0) < ahead.constant()) rest = offset;
            }
            const bool other =
                std::any_of(nest_loops_.begin(), nest_loops_.end(),
                            [&](const For& n) { return rest.factor_of(n.var) != Integer(0); });
            // Over loops around the nest it is one cell of the dimension, whichever.
            const bool fixed =
                std::none_of(nest_loops_.begin(), nest_loops_.end(),
                             [&](const For& n) { return occurs_free(n.var, own.indices[d]); });
            if (other || (loop == nest_loops_.end() && !rest.is_constant() && !fixed)) {
                return error("dimension " + std::to_string(d) + " of " + buffer->name +
                                 " is not walked by one loop: its index is " +
                                 print(own.indices[d]),
                             "place the stage first, and split or fuse its loops then");
            }
            if (loop == nest_loops_.end()) continue;
            const Reach reach = search.run(buffer, d, reverse_);
            Dimension dim{*loop, loop->lo, ctx_.sub(loop->hi, loop->lo)};
            if (reach.extent != 0) {
                const ScalarType type = loop->var->type;
                dim.low = Affine(Affine::of(reach.low) - rest).expr(ctx_, type);
                dim.extent = ctx_.int_imm(type, reach.extent);
                if (dim.low == nullptr || reach.low->type != type) {
                    return error("the part of " + buffer->name + " begins at " + print(reach.low) +
                                 ", which is no number of loop " + *loop->var->name);
                }
            } else if (is_within(dim)) {
                return error("the part of " + buffer->name + " that an iteration of " +
                                 *around_.back().var->name + (reverse_ ? " computes" : " reads") +
                                 " has no constant extent",
                             "split the loops inside by constant factors");
            } else if (is_int_const(loop->lo, 0)) {
                dim.extent = loop->hi;
            }
            found.push_back({static_cast<std::size_t>(loop - nest_loops_.begin()), dim});
        }
        std::sort(found.begin(), found.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (k > 0 && found[k].first == found[k - 1].first) {
                return error("loop " + *found[k].second.loop.var->name +
                             " walks two dimensions of " + buffer->name);
            }
            dims_.push_back(found[k].second);
        }
        Result<Turns> turns = find_turns(p_, {nest_, loop_, reverse_, around_, dims_});
        if (!turns) return turns.error();
        turns_ = std::move(*turns);
        return std::nullopt;
    }

    json arguments(const std::vector<std::string>& names, const std::vector<Site>& stores) {
        json args = {{"nest", nest_.str()}, {"loop", loop_.str()}};
        for (const char* key : {"over", "names", "low", "extent"}) args[key] = json::array();
        Substitution inside;  // loops of the nest, over the new ones and those around
        std::vector<Expr> facts = facts_at(ctx_, p_.current(), loop_.child("body"));
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            const Dimension& dim = dims_[d];
            const ScalarType type = dim.loop.var->type;
            Expr t = ctx_.var(names[d], type);
            args["over"].push_back(*dim.loop.var->name);
            args["names"].push_back(names[d]);
            args["low"].push_back(print(dim.low));
            args["extent"].push_back(print(dim.extent));
            inside[dim.loop.var] = is_int_const(dim.low, 0) ? t : ctx_.add(dim.low, t);
            facts.push_back(ctx_.le(ctx_.int_imm(type, 0), t));
            facts.push_back(ctx_.lt(t, dim.extent));
        }
        std::vector<Expr> inside_nest;
        std::vector<Expr> turns;
        std::vector<Expr> needed;
        std::vector<Expr> nest_facts = facts_at(ctx_, p_.current(), nest_);
        for (const Dimension& dim : dims_) {
            Expr x = inside[dim.loop.var];
            inside_nest.push_back(ctx_.le(dim.loop.lo, x));
            inside_nest.push_back(ctx_.lt(x, dim.loop.hi));
            nest_facts.push_back(ctx_.le(dim.loop.lo, dim.loop.var));
            nest_facts.push_back(ctx_.lt(dim.loop.var, dim.loop.hi));
        }
        json owner = json::object();
        for (const For& n : around_) {
            Expr at = turns_.owner.at(n.var);
            owner[*n.var->name] = print(at);
            const auto window = turns_.windows.find(n.var);
            turns.push_back(window != turns_.windows.end()
                                ? ctx_.or_(ctx_.eq(n.var, n.lo),
                                           ctx_.le(window->second, new_loop(names, n.var)))
                                : ctx_.eq(substitute(ctx_, at, inside), n.var));
            needed.push_back(ctx_.le(n.lo, at));
            needed.push_back(ctx_.lt(at, n.hi));
        }
        args["owner"] = owner;
        for (const Dimension& dim : dims_) {
            Expr t = ctx_.sub(dim.loop.var, substitute(ctx_, dim.low, turns_.owner));
            needed.push_back(ctx_.le(ctx_.int_imm(t->type, 0), t));
            needed.push_back(ctx_.lt(t, dim.extent));
        }
        Expr within = still_open(inside_nest, facts);
        Expr guard = still_open(turns, facts, within);
        shares_ = guard != within;
        if (guard != nullptr) args["guard"] = print(guard);
        Expr open = reverse_ ? nullptr : still_open(needed, nest_facts);
        if (open != nullptr) {
            args["needed"] = print(open);
            json reasons = json::object();
            for (const Site& s : stores) {
                reasons[s.str()] = {{"mode", "dead"}, {"writers", json::array()}};
            }
            args["unseen"] = {{"stores", reasons}};
        }
        Stmt body = locate(p_.current(), nest_)->stmt;
        while (const For* n = body->as<For>()) body = n->body;
        args["kind"] = body->is<Block>() ? "block" : "if";
        return args;
    }

    // Known with the arguments: iterations of the place need cells that others need as well.
    bool shares() const { return shares_; }
    std::size_t rank() const { return dims_.size(); }
    const Dimension& dimension(std::size_t d) const { return dims_[d]; }

  private:
    // The bounds of the nest's loop are over its other loops, and mean nothing at the place.
    bool is_within(const Dimension& dim) const {
        return std::any_of(nest_loops_.begin(), nest_loops_.end(), [&](const For& n) {
            return occurs_free(n.var, dim.low) || occurs_free(n.var, dim.extent);
        });
    }

    // The new loop whose cells the iterations of a loop share.
    Expr new_loop(const std::vector<std::string>& names, Expr around) const {
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            if (!occurs_free(around, dims_[d].low)) continue;
            return ctx_.var(names[d], dims_[d].loop.var->type);
        }
        return around;
    }

    // The conjunction of `out` and those that are not known, which become facts; null: all are.
    Expr still_open(const std::vector<Expr>& conditions, std::vector<Expr>& facts,
                    Expr out = nullptr) {
        for (Expr c : conditions) {
            Expr s = p_.simplified(c, facts);
            if (is_true(s) || p_.prover().prove(facts, s).verdict == Verdict::Proved) continue;
            facts.push_back(s);
            out = out == nullptr ? s : ctx_.and_(out, s);
        }
        return out;
    }

    Proposer& p_;
    Context& ctx_;
    Site nest_;
    Site loop_;
    bool reverse_;
    std::vector<For> around_;  // loops from the list to the place, the place's own last
    std::vector<For> nest_loops_;
    std::vector<Dimension> dims_;
    Turns turns_;
    bool shares_ = false;
};

}  // namespace

// The stage of a block, which is to go to a loop; both are in statements of one list.
struct Primitives::Placing {
    const std::string& block;
    const std::string& loop;
    Site nest;
    Site place;
    bool unit_loops;
    std::int64_t index;
    bool reverse;
    std::vector<Site> stores;      // of the block
    std::vector<Access> accesses;  // of the block, to buffers that it may be placed by
};

Outcome Primitives::compute_at(const std::string& block, const std::string& loop, bool unit_loops,
                               std::int64_t index) {
    return place(block, loop, unit_loops, index, false);
}

Outcome Primitives::place(const std::string& block, const std::string& loop, bool unit_loops,
                          std::int64_t index, bool reverse) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return refuse(no_block(block).message, no_block(block).hint);
    const std::optional<Site> place = p_.index().loop(loop);
    if (!place) return refuse(no_loop(loop).message, no_loop(loop).hint);
    const auto is_loop = [&](const Site& s) {
        const Result<Located> here = locate(p_.current(), s);
        return here && here->stmt != nullptr && here->stmt->is<For>();
    };
    Site nest = *at;
    while (!nest.steps.empty() && is_loop(nest.parent()) && !nest.parent().contains(*place)) {
        nest = nest.parent();
    }
    if (nest.contains(*place) || place->contains(nest)) {
        return refuse(
            "block " + block + (nest.contains(*place) ? " is around loop " : " is in loop ") + loop,
            "a stage goes to a loop of another stage");
    }
    const Site list = nest.steps.empty() ? nest : nest.parent();
    const Result<Located> around = locate(p_.current(), list);
    if (!around || around->stmt == nullptr || !around->stmt->is<Seq>() || !list.contains(*place)) {
        return refuse("the nest of block " + block + " and loop " + loop +
                          " are not in statements of one list",
                      "sch.fission takes block " + block + " out of loops that it shares");
    }
    const std::size_t depth = list.steps.size();
    const std::size_t own = std::stoul(nest.steps[depth]);
    const std::size_t other = std::stoul(place->steps[depth]);
    if ((own > other) != reverse) {
        return refuse(
            "block " + block + " runs " + (reverse ? "before" : "after") + " loop " + loop,
            std::string("sch.") + (reverse ? "compute_at" : "reverse_compute_at") +
                " places a stage in a loop that comes " + (reverse ? "later" : "earlier"));
    }
    for (std::size_t steps = depth + 1; steps <= place->steps.size(); ++steps) {
        const For* n = locate(p_.current(), first_steps(*place, steps))->as<For>();
        if (n == nullptr || n->kind != ForKind::ThreadBinding) continue;
        Stmt stage = locate(p_.current(), first_steps(*place, depth + 1))->stmt;
        const std::optional<Outcome> placed = without_threads(bound_loops(stage), [&] {
            return this->place(block, loop, unit_loops, index, reverse);
        });
        if (placed) return *placed;
        const std::vector<std::string> of_source = bound_loops(p_.derivation().source().body);
        const bool by_program =
            std::find(of_source.begin(), of_source.end(), *n->var->name) != of_source.end();
        return refuse("loop " + *n->var->name + " is bound to threads" +
                          (by_program ? " by the program itself" : ""),
                      (by_program ? "make it a plain loop there, and place stages first: "
                                  : "place stages first: ") +
                          std::string("sch.bind comes after sch.") + (reverse ? "reverse_" : "") +
                          "compute_at; sch.read_at copies what an iteration reads in a loop that "
                          "is bound");
    }
    Placing placing{block, loop, nest, *place, unit_loops, index, reverse, {}, {}};
    const std::vector<Access>& all = p_.memory().all();
    std::set<Buffer> shared;  // what the stage computes, or reads of what the loop computes
    for (const Access& a : all) {
        if (a.is_store && at->contains(a.statement)) placing.stores.push_back(a.statement);
        if (a.is_store && (reverse ? *place : *at).contains(a.statement)) shared.insert(a.buffer);
    }
    std::vector<Buffer> buffers;
    for (const Access& a : all) {
        if (!at->contains(a.statement) || shared.count(a.buffer) == 0) continue;
        if (a.is_store == reverse) continue;
        placing.accesses.push_back(a);
        if (std::find(buffers.begin(), buffers.end(), a.buffer) == buffers.end()) {
            buffers.push_back(a.buffer);
        }
    }
    if (buffers.empty()) {
        return refuse("block " + block +
                          (reverse ? " reads nothing that loop " + loop + " computes"
                                   : " computes no buffer"),
                      "a stage is placed by the cells of one buffer");
    }
    // The cells of one of them tell when the stage's turn is; the rule proves it of all.
    Outcome first = place_by(placing, buffers.front());
    for (std::size_t k = 1; k < buffers.size() && std::holds_alternative<Refusal>(first); ++k) {
        Outcome other_way = place_by(placing, buffers[k]);
        if (std::holds_alternative<Names>(other_way)) return other_way;
    }
    return first;
}

Outcome Primitives::place_by(const Placing& at, Buffer buffer) {
    const auto& [block, loop, nest, place, unit_loops, index, reverse, stores, accesses] = at;
    const Site list = nest.parent();
    const std::size_t depth = list.steps.size();
    const std::size_t own = std::stoul(nest.steps[depth]);
    const std::size_t other = std::stoul(place.steps[depth]);
    std::vector<Access> own_accesses;
    for (const Access& a : accesses) {
        if (a.buffer == buffer) own_accesses.push_back(a);
    }
    const bool again = !reverse && stored_.count(block) == 0;
    // Into the scope of a buffer of another stage: nothing else moves there.
    bool into_scope = false;
    for (Site up = place.parent(); up.steps.size() > list.steps.size(); up = up.parent()) {
        into_scope = into_scope || locate(p_.current(), up)->stmt->is<Allocate>();
    }
    if (again && into_scope) return recompute(block, loop, buffer, unit_loops, index);
    Placement placement(p_, nest, place, reverse);
    if (auto no = placement.find(buffer, own_accesses)) {
        if (again) return recompute(block, loop, buffer, unit_loops, index);
        return refuse(no->message, no->hint);
    }
    reserved_.clear();
    std::vector<std::string> names;
    for (std::size_t d = 0; d < placement.rank(); ++d) {
        names.push_back(fresh_loop("ax" + std::to_string(d)));
    }
    const Site first = list.child(std::to_string(std::min(own, other)));
    const json args = placement.arguments(names, stores);
    if (again && placement.shares()) return recompute(block, loop, buffer, unit_loops, index);
    if (auto no = step("compute-at", first, args)) {
        const auto& failed = no->rejection->failed;
        if (failed && failed->purpose.kind == Owed::Unseen) {
            const auto& read = failed->purpose.site;
            no->diagnostic.hint =
                !read || !place.contains(*read)
                    ? "everything that reads " + buffer->name + " has to be in loop " + loop
                : again ? "an iteration reads a cell before its turn: place the stage before loops "
                          "are fused and split"
                        : "an iteration reads a cell before its turn: place the stage before loops "
                          "are fused and split, or leave sch.store_at out, so that each iteration "
                          "computes what it reads";
        }
        return *no;
    }
    std::string sizes;
    for (std::size_t d = 0; d < names.size(); ++d) {
        sizes += (d == 0 ? "" : ", ") + print(placement.dimension(d).extent);
    }
    if (!unit_loops) drop_unit_loops(names);
    note_ = buffer->name + ": [" + sizes + "]";
    return Names{};
}

}  // namespace proviso::rewrite
