// stage-read of a tile: the part of a buffer that one statement reads, copied just before it; and
// what stage-write shares with it.
//
//   before   X (loads A[by * 16 + y, k])
//   after    tile = alloc((16, 4))
//            for p in range(16): for q in range(4):
//                if by * 16 + p and k0 * 4 + q are in bounds of A: tile[p, q] = A[by * 16 + p, k0 *
//                4 + q]
//            X (loads tile[by * 16 + y - by * 16, k - k0 * 4])
//
// Further arguments of stage-read: "offsets": where the tile starts, an expression a dimension over
// the scope of X, of variables and constants only; "extents": its shape, constants.
// Obligations: the condition of the copy is computed without a fault; every cell that it copies may
// be touched under the layout contract; every load of the buffer in X is of a cell of the tile.
// The load itself is in bounds, so the copy has stored that cell, and X stores to no cell of the
// buffer, so it is still what was copied.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/layout.h"
#include "analysis/path.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/staging.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

std::vector<Expr> Tile::inside(Context& ctx, std::vector<Expr> cell) const {
    for (std::size_t d = 0; d < cell.size(); ++d) cell[d] = ctx.sub(cell[d], offsets[d]);
    return cell;
}

Result<Tile> read_tile(Context& ctx, const Function& f, const Site& site, Buffer b,
                       const nlohmann::json& args) {
    Tile out;
    for (Expr extent : b->shape) {
        if (extent->type != b->shape[0]->type) {
            return error("the extents of " + b->name + " have several types");
        }
    }
    if (b->rank() == 0) return error("a scalar buffer has no tiles");
    const ScalarType type = b->shape[0]->type;
    const auto offsets = arg_exprs(ctx, args, "offsets", scope_at(ctx, f, site), type);
    if (!offsets) return offsets.error();
    const auto extents = arg_exprs(ctx, args, "extents", Scope{}, type);
    if (!extents) return extents.error();
    if (offsets->size() != b->rank() || extents->size() != b->rank()) {
        return error("one offset and one extent for each dimension of " + b->name);
    }
    for (Expr e : *offsets) {
        for (const Op op : {Op::Load, Op::Undef, Op::CallExtern, Op::Defined, Op::Same, Op::Let}) {
            if (has_op(e, op)) {
                return error("'" + print(e) + "' is not over variables and constants only");
            }
        }
    }
    for (Expr e : *extents) {
        if (!is_int_const(e) || e->int_value() <= 0) {
            return error("the extents of a tile are constants above 0");
        }
    }
    out.offsets = *offsets;
    out.extents = *extents;
    return out;
}

TileCopy copy_tile(Context& ctx, const Staging& s, Buffer cache, const Tile& tile, bool back) {
    TileCopy out;
    std::vector<LoopRange> ranges;
    std::vector<Expr> to;
    std::vector<Expr> from;
    std::vector<Expr> inside;
    Block block;
    block.name = s.names.block;
    for (std::size_t d = 0; d < tile.extents.size(); ++d) {
        const ScalarType type = tile.extents[d]->type;
        Expr zero = ctx.int_imm(type, 0);
        Expr loop = ctx.var(s.names.loops[d], type);
        Expr iter = ctx.var("v_" + s.names.loops[d], type);
        out.loops.push_back(loop);
        out.cell.push_back(ctx.add(tile.offsets[d], loop));
        ranges.push_back(LoopRange{loop, zero, tile.extents[d]});
        block.iters.push_back(BlockIter{iter, zero, tile.extents[d], loop, IterKind::Spatial});
        const bool plain = block.name.empty();
        to.push_back(plain ? loop : iter);
        from.push_back(ctx.add(tile.offsets[d], to.back()));
        inside.push_back(ctx.le(zero, out.cell.back()));
        inside.push_back(ctx.lt(out.cell.back(), s.buffer->shape[d]));
    }
    out.when = ctx.all_of(inside);
    Stmt copy = back ? ctx.store(s.buffer, from, ctx.load(cache, to))
                     : ctx.store(cache, to, ctx.load(s.buffer, from));
    if (block.name.empty()) {
        copy = ctx.stmt(IfElse{out.when, copy, nullptr});
    } else {
        block.predicate = out.when;
        block.body = copy;
        copy = ctx.stmt(block);
    }
    out.stmt = nest(ctx, ranges, copy);
    return out;
}

std::vector<Expr> copying_facts(Context& ctx, const Function& f, const Site& site,
                                const TileCopy& copy, const Tile& tile) {
    std::vector<Expr> facts = facts_at(ctx, f, site);
    for (std::size_t d = 0; d < copy.loops.size(); ++d) {
        Expr zero = ctx.int_imm(copy.loops[d]->type, 0);
        append(facts, range_facts(ctx, copy.loops[d], zero, tile.extents[d]));
    }
    return facts;
}

Result<std::vector<Obligation>> tile_holds(Context& ctx, const Function& f, const Site& site,
                                           Buffer b, const Tile& tile, bool stores) {
    std::vector<Obligation> out;
    for (const Access& a : accesses(ctx, f)) {
        if (a.buffer != b || !site.contains(a.statement) || (a.is_store && !stores)) continue;
        const Result<Located> at = locate(f, a.site);
        std::vector<Expr> cell;
        if (a.is_store) {
            cell = at->stmt->as<Store>()->indices;
        } else if (at && at->expr != nullptr) {
            cell.assign(at->expr->args.begin(), at->expr->args.end());
        } else {
            return error("a claim of the block at " + a.statement.str() + " reads " + b->name);
        }
        for (Expr index : cell) {
            if (index->type == tile.extents[0]->type) continue;
            return error("an index of " + b->name + " at " + a.site.str() + " is " +
                             index->type.str() + ", and the tile's are " +
                             tile.extents[0]->type.str(),
                         "cast the index, or give the buffer extents of its type");
        }
        std::vector<Expr> facts = facts_at(ctx, f, a.site);
        std::vector<Expr> goal;
        const std::vector<Expr> inside = tile.inside(ctx, cell);
        for (std::size_t d = 0; d < b->rank(); ++d) {
            Expr zero = ctx.int_imm(tile.extents[d]->type, 0);
            append(facts, range_facts(ctx, cell[d], zero, b->shape[d]));
            goal.push_back(ctx.le(zero, inside[d]));
            goal.push_back(ctx.lt(inside[d], tile.extents[d]));
        }
        out.push_back(Obligation{
            fmt::format("the tile covers every cell that is {} ({} at {})",
                        a.is_store ? "stored" : "read", print(ctx.load(b, cell)), a.site.str()),
            std::move(facts), ctx.all_of(goal)});
    }
    return out;
}

bool permits_reading(Stmt s, Buffer b) {
    bool found = false;
    for_each_stmt(s, [&](Stmt t) {
        const Assume* n = t->as<Assume>();
        if (n == nullptr || !is_permission(n->cond)) return;
        const std::vector<Buffer> read = loaded_buffers(n->cond);
        found |= std::find(read.begin(), read.end(), b) != read.end();
    });
    return found;
}

Result<Proposal> stage_tile(Context& ctx, const Function& before, const Site& site, Stmt stmt,
                            const Staging& staging, const nlohmann::json& args) {
    Buffer b = staging.buffer;
    const Result<Tile> tile = read_tile(ctx, before, site, b, args);
    if (!tile) return tile.error();
    Buffer cache = ctx.buffer(staging.cache->name, b->type, tile->extents, staging.cache->scope);
    const TileCopy copy = copy_tile(ctx, staging, cache, *tile, false);
    if (permits_reading(stmt, b) &&
        !planted("stage-read:permission")) {  // of cells that need not be in the tile
        return error("the statement contains permission to read " + b->name);
    }
    const Result<std::vector<Obligation>> held = tile_holds(ctx, before, site, b, *tile, false);
    if (!held) return held.error();
    const auto in_tile = [&](std::vector<Expr> at) { return tile->inside(ctx, std::move(at)); };
    Stmt rest = replace_buffer_in(ctx, stmt, b, cache, in_tile, true, false);
    Proposal out;
    out.after = replace_at(ctx, without_region_claims(ctx, before, site, false), site,
                           ctx.stmt(Allocate{cache, ctx.seq({copy.stmt, rest})}));
    std::vector<Expr> facts = copying_facts(ctx, before, site, copy, *tile);
    out.obligations.push_back(
        safe_to_evaluate(ctx, before, facts, copy.when, "the condition of the copy"));
    Expr touchable = accessible(ctx, before, b, copy.cell);
    if (!is_true(touchable)) {
        facts.push_back(copy.when);
        out.obligations.push_back(Obligation{
            "every cell of " + b->name + " that is copied may be read", facts, touchable});
    }
    append(out.obligations, *held);
    return out;
}

}  // namespace proviso::rewrite
