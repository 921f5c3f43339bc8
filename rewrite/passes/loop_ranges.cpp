// reduce_loop_extents and loop_partition: loops whose guards decide which iterations do something.
// Bounds are read off the guards where they are linear in the loop's variable; for short loops of
// constant bounds, iterations at either end are tried one by one.
#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/hint.h"
#include "ir/text.h"
#include "rewrite/derived/guards/remove_guard.h"
#include "rewrite/passes/guard_bounds.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr Int128 kTriedOneByOne = 64;
// How many statements loop_partition may add before it stops: parts of parts multiply, and each has
// to be simplified.
constexpr std::size_t kMostAdded = 100;
constexpr std::size_t kMostEnds = 8;  // of inner loops, in every combination
constexpr int kMostTrims = 8;         // of one loop

// The larger (smaller) of two bounds, by what is known where that says which.
Expr tighter(Proposer& p, const std::vector<Expr>& facts, Expr a, Expr b, bool larger) {
    Context& ctx = p.ctx();
    if (p.prover().proves_cheaply(facts, ctx.le(a, b))) return larger ? b : a;
    if (p.prover().proves_cheaply(facts, ctx.le(b, a))) return larger ? a : b;
    return larger ? ctx.max(a, b) : ctx.min(a, b);
}

// Every guard of the body is false at iteration `i`.
bool does_nothing(Proposer& p, const std::vector<BodyGuard>& guards, const For& loop, Int128 i) {
    Context& ctx = p.ctx();
    Expr here = ctx.eq(loop.var, ctx.int_imm(loop.var->type, i));
    return std::all_of(guards.begin(), guards.end(), [&](const BodyGuard& g) {
        std::vector<Expr> facts = facts_at(ctx, p.current(), g.site);
        facts.push_back(here);
        return p.prover().prove(facts, ctx.not_(g.condition)).verdict == Verdict::Proved;
    });
}

std::pair<Expr, Expr> tried_bounds(Proposer& p, const std::vector<BodyGuard>& guards,
                                   const For& loop) {
    if (!is_int_const(loop.lo) || !is_int_const(loop.hi)) return {loop.lo, loop.hi};
    Int128 lo = loop.lo->int_value();
    Int128 hi = loop.hi->int_value();
    if (hi - lo > kTriedOneByOne) return {loop.lo, loop.hi};
    while (lo < hi && does_nothing(p, guards, loop, lo)) ++lo;
    while (lo < hi && does_nothing(p, guards, loop, hi - 1)) --hi;
    return {p.ctx().int_imm(loop.var->type, lo), p.ctx().int_imm(loop.var->type, hi)};
}

// The loops between the one at `site` and a guard in it, each at its first and at its last value.
std::vector<Substitution> ends_within(Proposer& p, const Site& site, const BodyGuard& guard) {
    Context& ctx = p.ctx();
    std::vector<Substitution> out = {Substitution{}};
    for (const PathStep& step : path_to(p.current(), guard.site).steps) {
        const For* inner = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (inner == nullptr || step.label != "body") continue;
        if (!site.child("body").contains(step.site)) continue;
        if (out.size() >= kMostEnds) return {};
        Expr last = ctx.sub(inner->hi, ctx.int_imm(inner->var->type, 1));
        for (std::size_t k = out.size(); k-- > 0;) {
            Substitution at_last = out[k];
            at_last[inner->var] = substitute(ctx, last, out[k]);
            out[k][inner->var] = substitute(ctx, inner->lo, out[k]);
            out.push_back(std::move(at_last));
        }
    }
    return out;
}

// Constant bounds from conjuncts that speak of inner loops as well, as in 4 * i + k == 1, k in
// range(4): each at the end of those loops where it bounds the least.
void bounds_whatever_is_within(Proposer& p, const Site& site, const BodyGuard& guard, Expr var,
                               const std::set<Expr>& outer, GuardBounds& out) {
    Context& ctx = p.ctx();
    const std::vector<Substitution> ends = ends_within(p, site, guard);
    if (ends.size() < 2) return;
    const auto weakest = [&](Expr part, bool upper) -> Expr {
        Expr found = nullptr;
        for (const Substitution& at : ends) {
            const GuardBounds b = guard_bounds(ctx, substitute(ctx, part, at), var, outer);
            const std::vector<Expr>& bounds = upper ? b.his : b.los;
            if (bounds.size() != 1 || !is_int_const(bounds[0])) return nullptr;
            const bool weaker =
                found == nullptr || (upper ? bounds[0]->int_value() > found->int_value()
                                           : bounds[0]->int_value() < found->int_value());
            if (weaker) found = bounds[0];
        }
        return found;
    };
    for (Expr part : guard_parts(guard.condition)) {
        const std::vector<Expr> free = free_vars(part);
        const bool of_inner = std::any_of(free.begin(), free.end(),
                                          [&](Expr v) { return ends.front().count(v) != 0; });
        if (!of_inner) continue;
        if (Expr lo = weakest(part, false)) out.los.push_back(lo);
        if (Expr hi = weakest(part, true)) out.his.push_back(hi);
    }
}

std::pair<Expr, Expr> read_bounds(Proposer& p, const Site& site, const BodyGuard& guard,
                                  const For& loop) {
    const std::set<Expr> outer = variables_at(p.ctx(), p.current(), site);
    GuardBounds found = guard_bounds(p.ctx(), guard.condition, loop.var, outer);
    bounds_whatever_is_within(p, site, guard, loop.var, outer, found);
    const std::vector<Expr> facts = facts_at(p.ctx(), p.current(), site);
    Expr lo = loop.lo;
    Expr hi = loop.hi;
    for (Expr b : found.los) lo = tighter(p, facts, lo, p.simplified(b, facts), true);
    for (Expr b : found.his) hi = tighter(p, facts, hi, p.simplified(b, facts), false);
    return {lo, hi};
}

bool trim(Proposer& p, const Site& site, const For& loop) {
    const auto guards = body_guards(p.ctx(), loop.body, site.child("body"));
    if (!guards) return false;
    // Where nothing is ever reached, any bounds are as good as any others, and better than these.
    if (p.prover().proves_cheaply(facts_at(p.ctx(), p.current(), site), p.ctx().false_())) {
        return false;
    }
    std::vector<std::pair<Expr, Expr>> candidates;
    if (guards->size() == 1) {
        const auto [lo, hi] = read_bounds(p, site, guards->front(), loop);
        candidates = {{lo, hi}, {lo, loop.hi}, {loop.lo, hi}};
    }
    const auto is_new = [&](const std::pair<Expr, Expr>& c) {
        return c.first != loop.lo || c.second != loop.hi;
    };
    if (std::none_of(candidates.begin(), candidates.end(), is_new)) {
        candidates.push_back(tried_bounds(p, *guards, loop));
    }
    for (const auto& [lo, hi] : candidates) {
        if (!is_new({lo, hi})) continue;
        if (p.try_apply("trim-loop", site, json{{"lo", print(lo)}, {"hi", print(hi)}})) return true;
    }
    return false;
}

// The loop that runs over the upper part, just made: the next statement of the list.
std::string next_loop(const Function& f, const std::string& name) {
    const Site site = *find_loop(f, name);
    Site next = site.parent();
    next = next.child(std::to_string(std::stoul(site.steps.back()) + 1));
    return *locate(f, next)->stmt->as<For>()->var->name;
}

// By hint: where conditions of the body are marked T.likely, these alone.
std::vector<Expr> conditions_to_partition_at(Context& ctx, Stmt body) {
    std::vector<Expr> all = conditions_in(ctx, body);
    std::vector<Expr> marked;
    for (Expr c : all) {
        for_each_node(c, [&](Expr e) {
            if (is_hint(e)) marked.push_back(e->arg(0));
        });
    }
    return marked.empty() ? all : marked;
}

// Splits at `point` where it lies strictly inside of the loop, or, where that depends on sizes, at
// the point of the loop's range that is nearest to it; gives the upper part's name.
std::optional<std::string> split_at(Proposer& p, const std::string& name, Expr point) {
    const std::optional<Site> site = p.index().loop(name);
    if (!site) return std::nullopt;
    const For loop = *locate(p.current(), *site)->stmt->as<For>();
    Context& ctx = p.ctx();
    const std::vector<Expr> facts = facts_at(ctx, p.current(), *site);
    Expr above = ctx.lt(loop.lo, point);
    Expr below = ctx.lt(point, loop.hi);
    for (Expr inside : {above, below}) {
        if (p.prover().proves_cheaply(facts, ctx.not_(inside))) return std::nullopt;
    }
    // A part that starts at the nearest to a point is on one side of the point, whichever it is.
    std::vector<Expr> above_it = facts;
    above_it.push_back(above);
    if (p.prover().prove(above_it, ctx.not_(below)).verdict == Verdict::Proved) {
        return std::nullopt;
    }
    const auto split = [&](Expr at) {
        return p.try_apply("split-range", *site, json{{"at", print(at)}});
    };
    if (split(point)) return next_loop(p.current(), name);
    Expr nearest = tighter(p, facts, tighter(p, facts, point, loop.hi, false), loop.lo, true);
    if (nearest != point && split(nearest)) return next_loop(p.current(), name);
    return std::nullopt;
}

std::set<std::string> block_names(const Function& f) {
    std::set<std::string> out;
    for_each_stmt(f.body, [&](Stmt s) {
        if (const Block* n = s->as<Block>()) out.insert(n->name);
    });
    return out;
}

// The stages to work on, each by a block: the given one's, and those of the copies of blocks that
// were made since there were only `others`. One entry of no name: the whole function.
std::vector<std::string> stages_of(Proposer& p, const std::string& block,
                                   const std::set<std::string>& others) {
    std::vector<std::string> out = {block};
    if (block.empty()) return out;
    for (const std::string& name : block_names(p.current())) {
        if (others.count(name) == 0) out.push_back(name);
    }
    return out;
}

// Partitions the first loop of the stages that was not seen; false when there is none. Its parts
// have been partitioned at every point then, and only the loops in them are left.
bool partition_one(Proposer& p, const std::vector<std::string>& stages,
                   std::set<std::string>& seen) {
    const Function f = p.current();
    for (const auto& [site, stmt] : all_statements(f)) {
        const For* loop = stmt->as<For>();
        if (loop == nullptr || loop->kind == ForKind::ThreadBinding) continue;
        const bool inside =
            std::any_of(stages.begin(), stages.end(),
                        [&, at = site](const std::string& b) { return in_scope(f, at, b); });
        if (!inside || !seen.insert(*loop->var->name).second) continue;
        for (const std::string& part : partition_by_guards(p, *loop->var->name)) seen.insert(part);
        return true;
    }
    return false;
}

}  // namespace

namespace {

// Trims the loops that are `wanted`, to a fixpoint, and simplifies the stage of the block.
PassResult trim_loops(Proposer& p, const std::string& block,
                      const std::function<bool(const Function&, const Site&)>& wanted) {
    PassResult out;
    std::map<std::string, int> trims;  // by loop: an end, whatever the guards say
    for (bool again = true; again;) {
        again = false;
        const Function f = p.current();
        for (const auto& [site, stmt] : all_statements(f)) {
            const For* loop = stmt->as<For>();
            if (loop == nullptr || !wanted(f, site)) continue;
            if (loop->kind == ForKind::ThreadBinding || loop->kind == ForKind::Vectorized) continue;
            int& trimmed = trims[*loop->var->name];
            if (trimmed == kMostTrims || !trim(p, site, *loop)) continue;
            ++trimmed;
            again = true;
            ++out.steps;
            break;
        }
    }
    if (out.steps > 0) {
        out.steps += simplify(p, block).steps;
        out.steps += decide_structure(p, block, StructureOptions{true, false});
    }
    return out;
}

// Nothing but loops and branches between `outer` and `inner`.
bool nothing_beside(const Function& f, const Site& outer, const Site& inner) {
    if (!outer.contains(inner)) return false;
    for (Site at = outer; at != inner;) {
        Stmt s = locate(f, at)->stmt;
        const IfElse* branch = s->as<IfElse>();
        if (!s->is<For>() && (branch == nullptr || branch->else_body != nullptr)) return false;
        at = at.child(branch != nullptr ? "then" : "body");
    }
    return true;
}

}  // namespace

PassResult reduce_loop_extents(Proposer& p, const std::string& block) {
    return trim_loops(
        p, block, [&](const Function& f, const Site& site) { return in_scope(f, site, block); });
}

PassResult reduce_own_extents(Proposer& p, const std::string& block) {
    return trim_loops(p, block, [&](const Function& f, const Site& site) {
        const std::optional<Site> at = find_block(f, block);
        return at && nothing_beside(f, site, *at);
    });
}

std::vector<std::string> partition_at(Proposer& p, const std::string& loop,
                                      const std::vector<Expr>& points) {
    std::vector<std::string> parts = {loop};
    for (Expr point : points) {
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const auto upper = split_at(p, parts[k], point);
            if (!upper) continue;
            // A point that depends on sizes may lie in any of the parts.
            parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(++k), *upper);
        }
    }
    return parts;
}

std::vector<std::string> partition_by_guards(Proposer& p, const std::string& name) {
    const std::optional<Site> site = p.index().loop(name);
    if (!site) return {name};
    const For loop = *locate(p.current(), *site)->stmt->as<For>();
    const std::set<Expr> outer = variables_at(p.ctx(), p.current(), *site);
    std::vector<Expr> points;
    for (Expr c : conditions_to_partition_at(p.ctx(), loop.body)) {
        for (Expr point : turning_points(p.ctx(), c, loop.var, outer)) {
            point = p.simplified(point, *site);
            if (std::find(points.begin(), points.end(), point) == points.end()) {
                points.push_back(point);
            }
        }
    }
    return partition_at(p, name, points);
}

PassResult loop_partition(Proposer& p, const std::string& block) {
    PassResult out;
    const std::size_t before = p.derivation().steps().size();
    // Parts have loops and blocks of their own, which are looked at in turn.
    const std::set<std::string> others = block_names(p.current());
    std::set<std::string> seen;
    const auto size = [&p] { return all_statements(p.current()).size(); };
    const std::size_t most = size() + kMostAdded;
    while (size() < most && partition_one(p, stages_of(p, block, others), seen)) {
    }
    if (size() >= most) {
        out.limit = "stopped: " + std::to_string(kMostAdded) + " statements more";
    }
    if (p.derivation().steps().size() > before) {
        for (const std::string& stage : stages_of(p, block, others)) simplify(p, stage);
    }
    out.steps = p.derivation().steps().size() - before;
    return out;
}

}  // namespace proviso::rewrite
