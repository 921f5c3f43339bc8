// decompose_padding: a block that stores a cell or, out of range, a constant.
//
//   for i in range(10):                                   for i_1 in range(10):
//       P[i] = T.if_then_else(1 <= i and i < 9,               P[i_1] = 0
//                             X[i - 1], 0)         →      for i in range(8):
//                                                             P[i + 1] = X[i]
//
// In steps: the choice becomes a branch (hoist, replace); its other arm comes first (restate), and
// runs in any case, since the cell is overwritten where it is data (drop-guard); then the two
// stores get nests of their own, the second one over what is in range only (restate).
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/affine.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/structure.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// What an iterator is where the block copies, and what of its condition is no such range.
struct InRange {
    std::map<Expr, std::pair<Expr, Expr>> bounds;  // of those iterators that the condition limits
    std::vector<Expr> rest;
};

class RangeReader {
  public:
    RangeReader(Proposer& p, const Block& block, const Site& site)
        : p_(p), ctx_(p.ctx()), block_(block), site_(site) {}

    InRange read(Expr condition) {
        InRange out;
        for (Expr c : conjuncts(condition)) {
            if (!take(c, out)) out.rest.push_back(c);
        }
        return out;
    }

  private:
    // a <= b, or a < b, of one iterator with the factor 1 or -1 and what does not change in the
    // block.
    bool take(Expr c, InRange& out) {
        if ((c->op != Op::Le && c->op != Op::Lt) || !c->arg(0)->type.is_int()) return false;
        const Affine room = Affine::of(c->arg(1)) - Affine::of(c->arg(0));
        for (const BlockIter& it : block_.iters) {
            const Integer factor = room.factor_of(it.var);
            if (factor != Integer(1) && factor != Integer(-1)) continue;
            const ScalarType type = it.var->type;
            Affine other = room.without(it.var);
            if (c->op == Op::Lt) other.add(Affine(-1));
            const bool below = factor == Integer(1);  // 0 <= x + other: at least -other
            Expr bound = below ? Affine(Affine(0) - other).expr(ctx_, type)
                               : Affine(other + Affine(1)).expr(ctx_, type);
            if (bound == nullptr || mentions_iterator(bound) || !loaded_buffers(bound).empty()) {
                return false;
            }
            auto& [lo, hi] = out.bounds.try_emplace(it.var, it.lo, it.hi).first->second;
            Expr& end = below ? lo : hi;
            end = p_.simplified(below ? ctx_.max(end, bound) : ctx_.min(end, bound), site_);
            return true;
        }
        return false;
    }

    bool mentions_iterator(Expr e) const {
        return std::any_of(block_.iters.begin(), block_.iters.end(),
                           [&](const BlockIter& it) { return occurs_free(it.var, e); });
    }

    Proposer& p_;
    Context& ctx_;
    const Block& block_;
    Site site_;
};

Site deeper_by(Site site, std::size_t loops) {
    for (std::size_t k = 0; k < loops; ++k) site = site.child("body");
    return site;
}

// if c: S else: T  →  if not c: T;  if c: S
std::optional<Rejection> other_arm_first(Proposer& p, const Site& branch) {
    Context& ctx = p.ctx();
    const IfElse& n = *locate(p.current(), branch)->stmt->as<IfElse>();
    Restated r;
    r.after = ctx.seq({ctx.if_(ctx.not_(n.cond), n.else_body), ctx.if_(n.cond, n.then_body)});
    r.parts.push_back(Part{Site{}.child("0").child("then"), Site{}.child("else"), {}, {}});
    r.parts.push_back(Part{Site{}.child("1").child("then"), Site{}.child("then"), {}, {}});
    return restate(p, branch, r);
}

constexpr const char* kPadded =
    "P[vi] = T.if_then_else(1 <= vi and vi < 9, X[vi - 1], T.float32(0.0)), the only statement of "
    "its block, is one";

}  // namespace

Outcome Primitives::decompose_padding(const std::string& block, const std::string& loop) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    const std::optional<Site> top = p_.index().loop(loop);
    if (!top) return Refusal{no_loop(loop), std::nullopt};
    Context& ctx = p_.ctx();
    const Block old = *locate(p_.current(), *at)->stmt->as<Block>();
    if (!top->contains(*at)) {
        return refuse("loop " + loop + " is not around block " + block,
                      "the constant is stored before one of the loops around the block");
    }
    std::vector<For> loops;
    Stmt inside = locate(p_.current(), *top)->stmt;
    for (const For* n = inside->as<For>(); n != nullptr; n = inside->as<For>()) {
        loops.push_back(*n);
        inside = n->body;
    }
    const Block* alone = inside->as<Block>();
    if (alone == nullptr || alone->name != block) {
        return refuse("block " + block + " does not stand alone in loop " + loop,
                      "sch.fission gives what stands beside it loops of its own");
    }
    const Store* store = old.body->as<Store>();
    Expr choice = store == nullptr ? nullptr : store->value;
    const bool chooses = choice != nullptr && old.init == nullptr &&
                         (choice->op == Op::IfThenElse || choice->op == Op::Select);
    if (!chooses)
        return refuse("block " + block + " is no choice between a cell and a constant", kPadded);
    if (!is_const(choice->arg(2))) {
        return refuse("out of range block " + block + " stores " + print(choice->arg(2)) +
                          ", which is no constant",
                      is_const(choice->arg(1))
                          ? "write the condition the other way round: " + std::string(kPadded)
                          : std::string(kPadded));
    }
    const InRange range = RangeReader(p_, old, at->child("body")).read(choice->arg(0));
    if (range.bounds.empty()) {
        return refuse("the condition " + print(choice->arg(0)) +
                          " gives no range of an iterator of block " + block,
                      "it compares iterators with numbers: 1 <= vi and vi < 9");
    }
    const std::size_t start = p_.derivation().steps().size();
    reserved_.clear();
    const auto no_longer = [&](Rejection why) {
        p_.derivation().roll_back(start);
        p_.derivation().record(why);
        return refuse(std::move(why));
    };
    // The choice as two stores, of which the one of the constant runs in any case.
    const Site body = at->child("body");
    if (auto no = p_.apply("hoist", body,
                           {{"what", "condition"}, {"condition", print(choice->arg(0))}})) {
        return no_longer(std::move(*no));
    }
    for (const std::size_t arm : {1, 2}) {
        const Site value = body.child(arm == 1 ? "then" : "else").child("value");
        if (auto no = p_.apply("replace", value, {{"to", print(choice->arg(arm))}})) {
            return no_longer(std::move(*no));
        }
    }
    if (auto no = other_arm_first(p_, body)) return no_longer(std::move(*no));
    std::optional<Rejection> why;
    if (!rewrite::drop_guard(p_, body.child("0"), why)) return no_longer(std::move(*why));
    // Nests of their own.
    const Block both = *locate(p_.current(), *at)->stmt->as<Block>();
    const Seq& stores = *both.body->as<Seq>();
    const std::string fill = fresh_block(block + "_pad_const");
    const std::size_t depth = loops.size();
    Restated r;
    // The constant, everywhere.
    Substitution renamed;
    std::vector<For> fill_loops = loops;
    Part filled{deeper_by(Site{}.child("0"), depth).child("body"),
                deeper_by(Site{}, depth).child("body").child("0"),
                {},
                {}};
    for (For& l : fill_loops) {
        Expr v = ctx.var(fresh_loop(*l.var->name), l.var->type);
        l.lo = substitute(ctx, l.lo, renamed);
        l.hi = substitute(ctx, l.hi, renamed);
        renamed[l.var] = v;
        filled.from[l.var] = v;
        filled.to[v] = l.var;
        l.var = v;
    }
    Block fills = both;
    fills.name = fill;
    fills.reads.reset();
    fills.writes.reset();
    fills.predicate = substitute(ctx, both.predicate, renamed);
    for (BlockIter& it : fills.iters) {
        Expr v = ctx.var(fresh(*it.var->name), it.var->type);
        it.binding = substitute(ctx, it.binding, renamed);
        filled.from[it.var] = v;
        filled.to[v] = it.var;
        it.var = v;
    }
    fills.body = substitute(ctx, stores.body[0], filled.from);
    // What is in range.
    const IfElse& guarded = *stores.body[1]->as<IfElse>();
    std::vector<For> copy_loops = loops;
    Block copies = both;
    copies.reads.reset();
    copies.writes.reset();
    Part copied{deeper_by(Site{}.child("1"), depth).child("body"),
                deeper_by(Site{}, depth).child("body").child("1").child("then"),
                {},
                {}};
    std::vector<Expr> predicate;
    for (Expr c : conjuncts(both.predicate)) {
        if (!is_true(c)) predicate.push_back(c);
    }
    Substitution shifted;  // loops, in what the copying block binds and asks
    for (BlockIter& it : copies.iters) {
        const auto found = range.bounds.find(it.var);
        if (found == range.bounds.end()) continue;
        const auto& [lo, hi] = found->second;
        Expr extent = p_.simplified(ctx.sub(hi, lo), body);
        const auto own = std::find_if(copy_loops.begin(), copy_loops.end(),
                                      [&](const For& l) { return l.var == it.binding; });
        bool alone_in = own != copy_loops.end() && is_int_const(own->lo, 0);
        for (const BlockIter& other : both.iters) {
            alone_in = alone_in && (other.var == it.var || !occurs_free(it.binding, other.binding));
        }
        for (const For& l : loops) {
            alone_in = alone_in && !occurs_free(it.binding, l.lo) && !occurs_free(it.binding, l.hi);
        }
        Expr offset = is_int_const(lo, 0) ? nullptr : lo;
        if (alone_in) {
            own->hi = extent;
            if (offset != nullptr) {
                shifted[own->var] = ctx.add(own->var, lo);
                copied.to[own->var] = ctx.sub(own->var, lo);
            }
        } else {
            if (!is_int_const(p_.simplified(ctx.sub(lo, it.lo), body), 0)) {
                predicate.push_back(ctx.le(lo, it.binding));
            }
            if (!is_int_const(p_.simplified(ctx.sub(it.hi, hi), body), 0)) {
                predicate.push_back(ctx.lt(it.binding, hi));
            }
            if (offset != nullptr) it.binding = ctx.sub(it.binding, lo);
        }
        it.lo = ctx.int_imm(it.var->type, 0);
        it.hi = extent;
        if (offset == nullptr) continue;
        copied.from[it.var] = ctx.add(it.var, lo);
        copied.to[it.var] = ctx.sub(it.var, lo);
    }
    for (const auto& [loop_var, value] : shifted) copied.from[loop_var] = value;
    for (BlockIter& it : copies.iters) {
        const bool own = it.binding->op == Op::Var && shifted.count(it.binding) != 0;
        if (!own) it.binding = substitute(ctx, it.binding, shifted);
    }
    copies.predicate = substitute(ctx, ctx.all_of(predicate), shifted);
    copies.body = substitute(ctx, guarded.then_body, copied.from);
    if (!range.rest.empty()) {
        copies.body = ctx.if_(substitute(ctx, ctx.all_of(range.rest), copied.from), copies.body);
        copied.now = copied.now.child("then");
    }
    r.parts = {filled, copied};
    r.apart.emplace(0, 1);
    r.after = ctx.seq({in_loops(ctx, fill_loops, ctx.stmt(std::move(fills))),
                       in_loops(ctx, copy_loops, ctx.stmt(std::move(copies)))});
    if (auto no = restate(p_, *top, r)) return no_longer(std::move(*no));
    simplify_expressions(p_, *p_.index().block(block));
    return Names{fill};
}

}  // namespace proviso::rewrite
