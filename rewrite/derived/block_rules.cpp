// Rules about blocks as a whole: guard-inside, join-block, split-init, rename-block.
//
// guard-inside: the predicate of a block as a branch in it.
//   before   with T.block("b"): vi = T.axis.spatial(14, e); T.where(p); S
//   after    with T.block("b"): vi = T.axis.spatial(16, e); if p: S
//   Arguments: "domains": {ITERATOR: HI or [LO, HI]}, domains that all iterations fit in. The block
//   has no init.
//
// join-block: the statement after a block becomes the last one in it.
//   before   with T.block("b"): ...: S1          after   with T.block("b"): ...: { S1; S2 }
//            S2
//   The site is the block; it has no predicate. S2 contains no block. No arguments.
//
// split-init: the initialisation of a reduction as a block of its own, just before.
//   before   with T.block("b"): vi, vk = ..; T.where(p); with T.init(): I;  S
//   after    with T.block("b_init"): vi_1 = ..; T.where(p and every reduce binding is at its
//   start): I[vi := vi_1]
//            with T.block("b"): vi, vk = ..; T.where(p): S
//   Arguments: "block": name of the new block; "names": {ITERATOR: NEW} for the iterators that I
//   mentions.
//
// rename-block: the block under another name. Argument: "block", the name.
#include <nlohmann/json.hpp>

#include "ir/planted.h"
#include "rewrite/derived/derived_rule.h"
#include "rewrite/derived/guards/remove_guard.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/adjacent.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;

namespace {

const Block* block_at(const Function& f, const Site& site) {
    const Result<Located> at = locate(f, site);
    return at ? at->as<Block>() : nullptr;
}

// Iterators as they are.
void keep_iterators(const Block& block, Part& part) {
    for (const BlockIter& it : block.iters) part.from[it.var] = part.to[it.var] = it.var;
}

Block without_claims(Block block) {
    block.reads.reset();
    block.writes.reset();
    return block;
}

class GuardInside final : public RescheduleRule {
  public:
    std::string name() const override { return "guard-inside"; }
    std::string summary() const override { return "a block's predicate as a branch in the block"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Block* block = block_at(before, site);
        if (block == nullptr || is_true(block->predicate)) {
            return error("guard-inside works on a block with a predicate");
        }
        if (block->init != nullptr) return error("the block has an initialisation");
        if (args.contains("keep")) return error("the whole predicate goes inside");
        const Result<GuardRemoved> removed = remove_guard(ctx, before, site, args);
        if (!removed) return removed.error();
        Block wider = without_claims(*block_at(removed->after, site));
        wider.body = ctx.if_(block->predicate, block->body);
        Part body{Site{}.child("body").child("then"), Site{}.child("body"), {}, {}};
        keep_iterators(*block, body);
        Rescheduling out;
        out.after = ctx.stmt(std::move(wider));
        out.parts = as_parts(block->body, body);
        return out;
    }
};

class JoinBlock final : public RescheduleRule {
  public:
    std::string name() const override { return "join-block"; }
    std::string summary() const override {
        return "the statement after a block as the last one in it";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
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
        Block joined = without_claims(*block);
        const bool first = planted("join-block:comes-first");
        joined.body =
            first ? ctx.seq({pair->second, block->body}) : ctx.seq({block->body, pair->second});
        Rescheduling out;
        out.count = 2;
        const Site here = Site{}.child("0");
        Part whole;
        keep_iterators(*block, whole);
        if (block->init != nullptr) {
            Part init = whole;
            init.now = Site{}.child("init");
            init.origin = here.child("init");
            out.parts.push_back(init);
        }
        const std::size_t own = list_length(block->body);
        const auto place = [&](std::size_t k) {
            const Site body = Site{}.child("body");
            if (first) k = k == own ? 0 : k + 1;
            return own == 0 ? body : body.child(std::to_string(k));
        };
        for (std::size_t k = 0; k < own; ++k) {
            whole.now = place(k);
            whole.origin = list_element(here.child("body"), block->body, k);
            out.parts.push_back(whole);
        }
        Part second{place(own), Site{}.child("1"), {}, {}};
        for (const BlockIter& it : block->iters) second.to[it.var] = it.binding;
        out.parts.push_back(std::move(second));
        out.after = ctx.stmt(std::move(joined));
        return out;
    }
};

class SplitInit final : public RescheduleRule {
  public:
    std::string name() const override { return "split-init"; }
    std::string summary() const override {
        return "the initialisation of a reduction as a block of its own";
    }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Block* block = block_at(before, site);
        if (block == nullptr || block->init == nullptr) {
            return error("split-init works on a block with an initialisation");
        }
        const Result<std::string> new_name = arg_string(args, "block");
        if (!new_name) return new_name.error();
        Block init = without_claims(*block);
        init.name = *new_name;
        init.init = nullptr;
        init.iters.clear();
        std::string iters;
        for (const BlockIter& it : block->iters) iters += *it.var->name + " ";
        const nlohmann::json names = args.value("names", nlohmann::json::object());
        if (const Status ok = only_members(names, iters); !ok) return ok.error();
        std::vector<Expr> when = {block->predicate};
        Part first{Site{}.child("0").child("body"), Site{}.child("init"), {}, {}};
        for (const BlockIter& it : block->iters) {
            const bool starts = it.kind == IterKind::Reduce && !planted("split-init:each-time");
            if (starts) when.push_back(ctx.eq(it.binding, it.lo));
            first.from[it.var] = it.binding;
            if (!mentions(block->init, it.var)) continue;
            const Result<std::string> fresh = arg_string(names, it.var->name->c_str());
            if (!fresh) return fresh.error();
            BlockIter copy = it;
            copy.var = ctx.var(*fresh, it.var->type);
            first.from[it.var] = copy.var;
            first.to[copy.var] = it.var;
            init.iters.push_back(copy);
        }
        init.body = substitute(ctx, block->init, first.from);
        init.predicate = ctx.all_of(when);
        Block rest = without_claims(*block);
        rest.init = nullptr;
        Part second{Site{}.child("1").child("body"), Site{}.child("body"), {}, {}};
        keep_iterators(*block, second);
        Rescheduling out;
        out.parts = {first, second};
        out.after = ctx.seq({ctx.stmt(std::move(init)), ctx.stmt(std::move(rest))});
        return out;
    }

  private:
    static bool mentions(Stmt s, Expr v) {
        bool found = false;
        for_each_expr(s, [&](Expr e) { found = found || occurs_free(v, e); });
        return found;
    }
};

class RenameBlock final : public RescheduleRule {
  public:
    std::string name() const override { return "rename-block"; }
    std::string summary() const override { return "a block under another name"; }

    Result<Rescheduling> rescheduling(Context& ctx, const Function& before, const Site& site,
                                      const nlohmann::json& args) const override {
        const Block* block = block_at(before, site);
        if (block == nullptr) return error("rename-block works on a block");
        const Result<std::string> name = arg_string(args, "block");
        if (!name) return name.error();
        Block renamed = without_claims(*block);
        renamed.name = *name;
        if (planted("rename-block:no-init")) renamed.init = nullptr;
        Rescheduling out;
        Part whole;
        keep_iterators(*block, whole);
        if (renamed.init != nullptr) {
            whole.now = whole.origin = Site{}.child("init");
            out.parts = as_parts(block->init, whole);
        }
        whole.now = whole.origin = Site{}.child("body");
        for (Part& part : as_parts(block->body, whole)) out.parts.push_back(std::move(part));
        out.after = ctx.stmt(std::move(renamed));
        return out;
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

const Rule& rename_block_rule() {
    static const RenameBlock rule;
    return rule;
}

}  // namespace proviso::rewrite
