// stage-read: loads of a buffer inside one statement go through a copy made just before it.
//
//   before   X (loads A)
//   after    A_cache = alloc; for …: A_cache[…] = A[…];  X (loads A_cache)
//
// Arguments: "buffer"; "name", "scope": of the copy; "names": loop names of the copying nest;
// "block": name of its block
//   (absent: plain loops). The site is the statement X. With "offsets" and "extents", the copy is
//   of a part of the buffer: see stage_tile.cpp.
// Else the copy is of the whole buffer, so it covers what is read. Obligations: X does not store to
// the buffer (shape); every cell of the buffer may be touched under the layout contract; in a
// concurrent loop the buffer must not be written by the function at all.
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/layout.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/staging.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

Stmt copy_nest(Context& ctx, Buffer from, Buffer to, const CopyNames& names) {
    std::vector<LoopRange> loops;
    std::vector<Expr> indices;
    Block block;
    block.name = names.block;
    block.predicate = ctx.true_();
    for (std::size_t k = 0; k < from->rank(); ++k) {
        Expr extent = from->shape[k];
        Expr loop = ctx.var(names.loops[k], extent->type);
        Expr zero = ctx.int_imm(extent->type, 0);
        loops.push_back(LoopRange{loop, zero, extent});
        if (names.block.empty()) {
            indices.push_back(loop);
        } else {
            Expr iter = ctx.var("v_" + names.loops[k], extent->type);
            block.iters.push_back(BlockIter{iter, zero, extent, loop, IterKind::Spatial});
            indices.push_back(iter);
        }
    }
    Stmt copy = ctx.store(to, indices, ctx.load(from, indices));
    if (!names.block.empty()) {
        block.body = copy;
        copy = ctx.stmt(block);
    }
    return nest(ctx, loops, copy);
}

Result<Staging> read_staging(Context& ctx, const Function& f, const Site& site,
                             const nlohmann::json& args) {
    const Result<std::string> name = arg_string(args, "buffer");
    if (!name) return name.error();
    const Scope scope = scope_at(ctx, f, site);
    const auto found = scope.buffers.find(*name);
    if (found == scope.buffers.end()) return error("no buffer '" + *name + "' in scope");
    const Result<std::string> cache_name = arg_string(args, "name");
    if (!cache_name) return cache_name.error();
    const Result<std::string> cache_scope = arg_string(args, "scope");
    if (!cache_scope) return cache_scope.error();
    const Result<std::vector<std::string>> loops = arg_strings(args, "names");
    if (!loops) return loops.error();
    Buffer b = found->second;
    if (loops->size() != b->rank()) return error("one loop name for each dimension of " + *name);
    Staging out;
    out.buffer = b;
    out.cache = ctx.buffer(*cache_name, b->type, {b->shape.begin(), b->shape.end()}, *cache_scope);
    out.names = CopyNames{*loops, arg_string_if(args, "block").value_or("")};
    for (const std::string& n : *loops) {
        out.cell.push_back(ctx.var(n, b->shape[out.cell.size()]->type));
    }
    return out;
}

namespace {

std::vector<Expr> same_indices(std::vector<Expr> at) {
    return at;
}

class StageRead final : public Rule {
  public:
    std::string name() const override { return "stage-read"; }
    std::string summary() const override { return "loads inside a statement go through a copy"; }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("stage-read works on a statement");
        const Result<Staging> staging = read_staging(ctx, before, site, args);
        if (!staging) return staging.error();
        Buffer b = staging->buffer;
        if (stores_to(at->stmt, b)) return error("the statement stores to " + b->name);
        if (in_concurrent_loop(before, site) && stores_to(before.body, b)) {
            return error(b->name + " is written by the function, and the copy would race");
        }
        if (args.contains("offsets"))
            return stage_tile(ctx, before, site, at->stmt, *staging, args);
        Stmt copy = copy_nest(ctx, b, staging->cache, staging->names);
        Stmt rest = replace_buffer_in(ctx, at->stmt, b, staging->cache, same_indices, true, false);
        Proposal out;
        out.after = replace_at(ctx, without_region_claims(ctx, before, site, false), site,
                               ctx.stmt(Allocate{staging->cache, ctx.seq({copy, rest})}));
        Expr touchable = accessible(ctx, before, b, staging->cell);
        if (!is_true(touchable)) {
            std::vector<Expr> facts = facts_at(ctx, before, site);
            for (std::size_t k = 0; k < b->rank(); ++k) {
                Expr v = staging->cell[k];
                append(facts, range_facts(ctx, v, ctx.int_imm(v->type, 0), b->shape[k]));
            }
            out.obligations.push_back(
                Obligation{"every cell of " + b->name + " may be read", facts, touchable});
        }
        return out;
    }
};

}  // namespace

const Rule& stage_read_rule() {
    static const StageRead rule;
    return rule;
}

}  // namespace proviso::rewrite
