// pad_einsum: a sum of products over more iterations, of buffers that are padded with zeros.
//
//   for i, j, k: C[i, j] = C[i, j] + A[i, k] * B[k, j]
//
// In steps: what the block reads and writes gets buffers of its own where a dimension grows
// (stage-read, stage-write), in which the padding is zero, or nothing in particular (relayout);
// then each loop grows, its new iterations under a guard at first (restate); and the guard goes
// (drop-guard), where they add zero, or to cells of the padding.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/text.h"
#include "rewrite/derived/data/buffer_by_name.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/restated.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// An accessed buffer, and the iterator that is the index of each dimension; null: another index,
// without iterators.
struct Operand {
    Buffer buffer = nullptr;
    std::vector<Expr> iterators;
};

// False: an index is neither an iterator nor free of them, or the buffer is accessed at two places.
bool add_operand(std::vector<Operand>& all, const Block& block, Buffer buffer,
                 const std::vector<Expr>& indices) {
    Operand out{buffer, {}};
    for (Expr index : indices) {
        Expr iterator = nullptr;
        for (const BlockIter& it : block.iters) {
            if (index == it.var) iterator = it.var;
            if (index != it.var && occurs_free(it.var, index)) return false;
        }
        out.iterators.push_back(iterator);
    }
    for (const Operand& known : all) {
        if (known.buffer == buffer) return known.iterators == out.iterators;
    }
    all.push_back(std::move(out));
    return true;
}

// The loop has `hi` iterations now; the block in it, whose iterator it is, runs as before.
std::optional<Rejection> widen_loop(Proposer& p, const std::string& loop, const std::string& block,
                                    Expr hi) {
    Context& ctx = p.ctx();
    const Site top = *p.index().loop(loop);
    const Site at = *p.index().block(block);
    const For widened = *locate(p.current(), top)->stmt->as<For>();
    Block now = *locate(p.current(), at)->stmt->as<Block>();
    for (BlockIter& it : now.iters) {
        if (it.binding == widened.var) it.hi = hi;
    }
    Expr within = ctx.lt(widened.var, widened.hi);
    now.predicate = is_true(now.predicate) ? within : ctx.and_(now.predicate, within);
    now.reads.reset();
    now.writes.reset();
    Restated r;
    Site inside;
    for (std::size_t k = top.steps.size(); k < at.steps.size(); ++k) {
        inside = inside.child(at.steps[k]);
    }
    if (now.init != nullptr) {
        add_parts(r, now.init, Part{inside.child("init"), inside.child("init"), {}, {}});
    }
    add_parts(r, now.body, Part{inside.child("body"), inside.child("body"), {}, {}});
    r.after = ctx.stmt(std::move(now));
    for (Site up = at; up != top;) {
        up = up.parent();
        For n = *locate(p.current(), up)->stmt->as<For>();
        if (up == top) n.hi = hi;
        n.body = r.after;
        r.after = ctx.stmt(std::move(n));
    }
    return restate(p, top, r);
}

constexpr const char* kEinsum =
    "an einsum is a block with T.init() and one statement, C[vi, vj] = C[vi, vj] + A[vi, vk] * "
    "B[vk, vj], whose iterators are the loops around it";

}  // namespace

bool Primitives::pad_buffer(Buffer buffer, const std::string& writer,
                            const std::vector<Expr>& shape, Expr value,
                            std::optional<Rejection>& why) {
    json extents = json::array();
    json vars = json::array();
    json physical = json::array();
    json loops = json::array();
    json box = json::array();
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const std::string k = std::to_string(d);
        extents.push_back(print(shape[d]));
        vars.push_back("x" + k);
        physical.push_back("p" + k);
        loops.push_back(fresh(buffer->name + "_p" + k));
        box.push_back({"0", print(shape[d])});
    }
    json args = {
        {"buffer", buffer->name}, {"shape", extents},          {"vars", vars},  {"map", vars},
        {"inverse", physical},    {"physical_vars", physical}, {"pad", "none"}, {"names", loops}};
    if (value == nullptr) return p_.try_apply("relayout", Site{}, args, &why);
    args["pad"] = print(value);
    args["boxes"] = json::array({json{{"guarded", true}, {"ranges", box}}});
    args["after"] = stage_of(p_.current(), *p_.index().block(writer)).str();
    // One nest over all cells, where that can be.
    if (!p_.try_apply("relayout", Site{}, args, &why)) return false;
    const std::size_t padded = p_.derivation().steps().size();
    const std::vector<Expr> around = loops_around(p_.current(), *p_.index().block(writer));
    bool one = around.size() >= shape.size();
    for (std::size_t d = 0; d < shape.size() && one; ++d) {
        if (shape[d] == buffer->shape[d]) continue;
        const std::string loop = *around[around.size() - shape.size() + d]->name;
        one = !widen_loop(p_, loop, writer, shape[d]);
    }
    if (one && choose_in_one_nest(writer, shape.size())) return true;
    p_.derivation().roll_back(padded);
    return true;
}

Outcome Primitives::pad_einsum(const std::string& block, const std::vector<std::int64_t>& padding) {
    const std::optional<Site> at = p_.index().block(block);
    if (!at) return Refusal{no_block(block), std::nullopt};
    Context& ctx = p_.ctx();
    const Block old = *locate(p_.current(), *at)->stmt->as<Block>();
    if (padding.size() != old.iters.size()) {
        return refuse(
            "the padding has " + std::to_string(padding.size()) + " numbers, and block " + block +
                " has " + std::to_string(old.iters.size()) + " iterators",
            "a number for each iterator, whose multiple its extent is to be; 1: it stays");
    }
    for (const std::int64_t n : padding) {
        if (n <= 0) return refuse("a padding must be positive", "1 leaves an iterator as it is");
    }
    const Store* store = old.body->as<Store>();
    if (store == nullptr || old.init == nullptr || !is_true(old.predicate)) {
        return refuse("block " + block + " is no einsum", kEinsum);
    }
    // The loops around it, from the outermost one that is an iterator.
    std::vector<Expr> extents;
    Site top = *at;
    for (std::size_t k = 0; k < old.iters.size(); ++k) {
        top = top.steps.empty() ? top : top.parent();
        const For* loop = locate(p_.current(), top)->stmt->as<For>();
        if (loop == nullptr) return refuse("block " + block + " is no einsum", kEinsum);
    }
    for (std::size_t k = 0; k < old.iters.size(); ++k) {
        const BlockIter& it = old.iters[k];
        const std::optional<Site> site =
            it.binding->op == Op::Var ? p_.index().loop(*it.binding->name) : std::nullopt;
        const For* loop =
            site && top.contains(*site) ? locate(p_.current(), *site)->stmt->as<For>() : nullptr;
        if (loop == nullptr || loop->kind != ForKind::Serial || !is_int_const(loop->lo, 0) ||
            !is_int_const(it.lo, 0) || it.hi != loop->hi) {
            return refuse("iterator " + *it.var->name + " of block " + block +
                              " is not the variable of a serial loop of its own from 0 on",
                          kEinsum);
        }
        const ScalarType type = it.var->type;
        Expr n = ctx.int_imm(type, padding[k]);
        Expr more = ctx.int_imm(type, padding[k] - 1);
        Expr hi = ctx.mul(ctx.floordiv(ctx.add(it.hi, more), n), n);
        extents.push_back(padding[k] == 1 ? it.hi : p_.simplified(hi, top));
    }
    std::vector<Operand> operands;
    bool trivial = add_operand(operands, old, store->buffer, store->indices);
    for_each_node(store->value, [&](Expr e) {
        if (e->op != Op::Load) return;
        trivial =
            trivial && add_operand(operands, old, e->buffer, {e->args.begin(), e->args.end()});
    });
    std::rotate(operands.begin(), operands.begin() + 1, operands.end());  // what is read first
    if (!trivial) {
        return refuse("an index in block " + block +
                          " is no iterator of it, or differs from place "
                          "to place",
                      kEinsum);
    }
    const auto grown = [&](const Operand& o) {
        std::vector<Expr> shape(o.buffer->shape.begin(), o.buffer->shape.end());
        for (std::size_t d = 0; d < shape.size(); ++d) {
            for (std::size_t k = 0; k < old.iters.size(); ++k) {
                const bool grows =
                    o.iterators[d] == old.iters[k].var && extents[k] != old.iters[k].hi;
                if (grows) shape[d] = extents[k];
            }
        }
        return shape;
    };
    const std::size_t start = p_.derivation().steps().size();
    const auto no_longer = [&](Refusal no) {
        p_.derivation().roll_back(start);
        if (no.rejection) p_.derivation().record(*no.rejection);
        note_.clear();
        return Outcome(std::move(no));
    };
    // Stages outside of the nest stay: copies stand before and after it.
    const auto nest = [&] {
        Site out = *p_.index().block(block);
        for (std::size_t k = 0; k < old.iters.size(); ++k) out = out.parent();
        return out;
    };
    std::string padded;
    for (const Operand& o : operands) {
        const std::vector<Expr> shape = grown(o);
        if (std::equal(shape.begin(), shape.end(), o.buffer->shape.begin())) continue;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (shape[d] == o.buffer->shape[d]) continue;
            for (const BlockIter& it : old.iters) {
                if (o.iterators[d] != it.var || it.hi == o.buffer->shape[d]) continue;
                return no_longer(std::get<Refusal>(
                    refuse("dimension " + std::to_string(d) + " of " + o.buffer->name + " has " +
                               print(o.buffer->shape[d]) + " cells, and iterator " + *it.var->name +
                               " goes through " + print(it.hi),
                           "an einsum uses its buffers from end to end")));
            }
        }
        const bool writes = o.buffer == store->buffer;
        reserved_.clear();
        std::vector<Expr> cell;
        json args = whole_copy(o.buffer, o.buffer->name + "_pad", "global", cell);
        const std::string copy = args["block"].get<std::string>();
        const std::string name = args["name"].get<std::string>();
        if (writes) {
            Outcome out =
                write_through(std::move(args), o.buffer, cell, nest(), "the stage of " + block);
            if (Refusal* no = std::get_if<Refusal>(&out)) return no_longer(std::move(*no));
        } else if (auto no = step("stage-read", nest(), args)) {
            return no_longer(std::move(*no));
        }
        Buffer made = buffer_by_name(p_.current(), name);
        Expr zero =
            made->type.is_float() ? ctx.float_imm(made->type, 0.0) : ctx.int_imm(made->type, 0);
        std::optional<Rejection> why;
        if (!pad_buffer(made, copy, shape, writes ? nullptr : zero, why)) {
            return no_longer(std::get<Refusal>(refuse(std::move(*why))));
        }
        padded += (padded.empty() ? "" : ", ") + name;
    }
    // Reductions first: their new iterations are of cells that are there.
    for (const bool reduces : {true, false}) {
        for (std::size_t k = 0; k < old.iters.size(); ++k) {
            const BlockIter& it = old.iters[k];
            if ((it.kind == IterKind::Reduce) != reduces || extents[k] == it.hi) continue;
            if (auto no = widen_loop(p_, *it.binding->name, block, extents[k])) {
                return no_longer(std::get<Refusal>(refuse(std::move(*no))));
            }
            std::optional<Rejection> why;
            if (rewrite::drop_guard(p_, *p_.index().block(block), why)) continue;
            p_.derivation().record(*why);
            Refusal no = std::get<Refusal>(refuse(std::move(*why)));
            if (reduces && no.diagnostic.hint.empty()) {
                no.diagnostic.hint =
                    "the padding is zero: what the iterations add for it must be "
                    "nothing, as in a sum of products";
            }
            return no_longer(std::move(no));
        }
    }
    note_ = padded.empty() ? "every extent is such a multiple already" : padded;
    return Names{};
}

}  // namespace proviso::rewrite
