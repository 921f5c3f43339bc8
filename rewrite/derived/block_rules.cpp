// Rules about blocks as a whole: guard-inside, join-block, split-init.
//
// guard-inside: the predicate of a block as a branch in it.
//   before   with T.block("b"): vi = T.axis.spatial(14, e); T.where(p); S
//   after    with T.block("b"): vi = T.axis.spatial(16, e); if p: S
//   Arguments: "domains": {ITERATOR: HI or [LO, HI]}, domains that all iterations fit in. The block
//   has no init; bindings and domains read no memory. Obligations: domains only grow; where p is
//   false, bindings and domains are computed without a fault, and each iterator is in its domain.
//   (Where p is true, all that is as before.)
//
// join-block: the statement after a block becomes the last one in it.
//   before   with T.block("b"): ...: S1          after   with T.block("b"): ...: { S1; S2 }
//            S2
//   The site is the block; it has no predicate. S2 contains no block. No arguments, no obligations:
//   a block without a predicate runs its body once, between S1 and S2 nothing happens, and names
//   are unique, so that S2 does not mention an iterator.
//
// split-init: the initialisation of a reduction as a block of its own, just before.
//   before   with T.block("b"): vi, vk = ..; T.where(p); with T.init(): I;  S
//   after    with T.block("b_init"): vi_1 = ..; T.where(p and every reduce binding is at its
//   start): I[vi := vi_1]
//            with T.block("b"): vi, vk = ..; T.where(p): S
//   Arguments: "block": name of the new block; "names": {ITERATOR: NEW} for the iterators that I
//   mentions. Bindings, domains and p read no memory, so that they are the same before and after I.
//   No obligations: it is what a block with an init means (docs/semantics.md, "Statements").
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/adjacent.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/drop_guard.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

const Block* block_at(const Function& f, const Site& site) {
    const Result<Located> at = locate(f, site);
    return at ? at->as<Block>() : nullptr;
}

// Evaluated at another moment, or once more, it is the same.
Status is_timeless(Expr e, const std::string& what) {
    for (Op op : {Op::Load, Op::CallExtern, Op::Undef}) {
        if (has_op(e, op)) return error(what + " is over more than variables");
    }
    return Unit{};
}

Status has_timeless_iterators(const Block& block) {
    for (const BlockIter& it : block.iters) {
        for (Expr e : {it.binding, it.lo, it.hi}) {
            const Status ok = is_timeless(e, "iterator " + *it.var->name);
            if (!ok) return ok;
        }
    }
    return Unit{};
}

class GuardInside final : public Rule {
  public:
    std::string name() const override { return "guard-inside"; }
    std::string summary() const override { return "a block's predicate as a branch in the block"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Block* block = block_at(before, site);
        if (block == nullptr || is_true(block->predicate)) {
            return error("guard-inside works on a block with a predicate");
        }
        if (block->init != nullptr) return error("the block has an initialisation");
        if (makes_call(block->predicate)) return error("the predicate makes an opaque call");
        if (args.contains("keep")) return error("the whole predicate goes inside");
        const Result<GuardRemoved> removed = remove_guard(ctx, before, site, args);
        if (!removed) return removed.error();
        Block wider = *block_at(removed->after, site);
        for (const Block* b : {block, static_cast<const Block*>(&wider)}) {
            if (const Status ok = has_timeless_iterators(*b); !ok) return ok.error();
        }
        wider.body = ctx.if_(block->predicate, block->body);
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.stmt(wider));
        out.after = without_region_claims(ctx, out.after, site, true);
        const std::vector<Expr> facts = facts_at(ctx, before, site);
        domains_only_grow(ctx, *block, wider, facts, out.obligations);
        std::vector<Expr> outside = facts;
        append(outside, definedness_facts(ctx, before, {block->predicate}));
        for (Expr known : {no_fault(ctx, block->predicate), definite(ctx, block->predicate)}) {
            if (!is_true(known)) outside.push_back(known);
        }
        outside.push_back(ctx.not_(block->predicate));
        for (const BlockIter& it : wider.iters) {
            std::vector<Expr> fine;
            for (Expr e : {it.binding, it.lo, it.hi}) {
                append(fine, {no_fault(ctx, e), in_range(ctx, e)});
            }
            append(fine, {settled(ctx, block->predicate), ctx.le(it.lo, it.binding),
                          ctx.lt(it.binding, it.hi)});
            out.obligations.push_back(Obligation{
                "iterator " + *it.var->name + " stays in its domain where the predicate is false",
                outside, ctx.all_of(fine)});
        }
        return out;
    }
};

class JoinBlock final : public Rule {
  public:
    std::string name() const override { return "join-block"; }
    std::string summary() const override {
        return "the statement after a block as the last one in it";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        (void)args;
        const Result<AdjacentPair> pair = adjacent_pair(before, site);
        if (!pair) return pair.error();
        const Block* block = pair->first->as<Block>();
        if (block == nullptr) return error("join-block works on a block and what follows it");
        if (!is_true(block->predicate)) return error("the block has a predicate");
        bool nested = false;
        for_each_stmt(pair->second, [&](Stmt s) { nested = nested || s->is<Block>(); });
        if (nested) return error("what follows the block contains a block");
        Block joined = *block;
        joined.body = planted("join-block:comes-first") ? ctx.seq({pair->second, block->body})
                                                        : ctx.seq({block->body, pair->second});
        joined.reads.reset();
        joined.writes.reset();
        Proposal out;
        out.after = replace_pair(ctx, before, *pair, ctx.stmt(joined));
        return out;
    }
};

class SplitInit final : public Rule {
  public:
    std::string name() const override { return "split-init"; }
    std::string summary() const override {
        return "the initialisation of a reduction as a block of its own";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Block* block = block_at(before, site);
        if (block == nullptr || block->init == nullptr) {
            return error("split-init works on a block with an initialisation");
        }
        if (const Status ok = has_timeless_iterators(*block); !ok) return ok.error();
        if (const Status ok = is_timeless(block->predicate, "the predicate"); !ok) {
            return ok.error();
        }
        const Result<std::string> new_name = arg_string(args, "block");
        if (!new_name) return new_name.error();
        Block init = *block;
        init.name = *new_name;
        init.init = nullptr;
        init.iters.clear();
        init.reads.reset();
        init.writes.reset();
        Substitution renamed;
        std::string iters;
        for (const BlockIter& it : block->iters) iters += *it.var->name + " ";
        const nlohmann::json names = args.value("names", nlohmann::json::object());
        if (const Status ok = only_members(names, iters); !ok) return ok.error();
        std::vector<Expr> when = {block->predicate};
        for (const BlockIter& it : block->iters) {
            if (it.kind == IterKind::Reduce && !planted("split-init:each-time")) {
                when.push_back(ctx.eq(it.binding, it.lo));
            }
            if (!mentions(block->init, it.var)) continue;
            const Result<std::string> fresh = arg_string(names, it.var->name->c_str());
            if (!fresh) return fresh.error();
            BlockIter copy = it;
            copy.var = ctx.var(*fresh, it.var->type);
            renamed[it.var] = copy.var;
            init.iters.push_back(copy);
        }
        init.body = substitute(ctx, block->init, renamed);
        init.predicate = ctx.all_of(when);
        Block rest = *block;
        rest.init = nullptr;
        rest.reads.reset();
        rest.writes.reset();
        Proposal out;
        out.after = replace_at(ctx, before, site, ctx.seq({ctx.stmt(init), ctx.stmt(rest)}));
        return out;
    }

  private:
    static bool mentions(Stmt s, Expr v) {
        bool found = false;
        for_each_expr(s, [&](Expr e) { found = found || occurs_free(v, e); });
        return found;
    }
};

}  // namespace

const Rule& guard_inside_rule() {
    static const GuardInside rule;
    return rule;
}

const Rule& join_block_rule() {
    static const JoinBlock rule;
    return rule;
}

const Rule& split_init_rule() {
    static const SplitInit rule;
    return rule;
}

}  // namespace proviso::rewrite
