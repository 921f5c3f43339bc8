// What stage-read and stage-write share: the copy's buffer, its loops, its arguments.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "ir/context.h"
#include "ir/result.h"
#include "ir/site.h"
#include "rewrite/kernel/rule.h"

namespace proviso::rewrite {

struct CopyNames {
    std::vector<std::string> loops;  // one a dimension
    std::string block;               // empty: plain loops
};

struct Staging {
    ir::Buffer buffer = nullptr;
    ir::Buffer cache = nullptr;
    CopyNames names;
    std::vector<ir::Expr> cell;  // the loop variables of the copying nest: one arbitrary cell
};

// for …: to[…] = from[…], whole buffer, row-major order.
ir::Stmt copy_nest(ir::Context& ctx, ir::Buffer from, ir::Buffer to, const CopyNames& names);

// A part of a buffer: "offsets" and "extents".
struct Tile {
    std::vector<ir::Expr> offsets;
    std::vector<ir::Expr> extents;

    // A cell of the buffer, as one of the tile.
    std::vector<ir::Expr> inside(ir::Context& ctx, std::vector<ir::Expr> cell) const;
};
Result<Tile> read_tile(ir::Context& ctx, const ir::Function& f, const ir::Site& site, ir::Buffer b,
                       const nlohmann::json& args);

// A copy between the tile's buffer and the buffer, as far as the tile is in bounds of it.
struct TileCopy {
    ir::Stmt stmt = nullptr;
    std::vector<ir::Expr> loops;
    std::vector<ir::Expr> cell;  // of the buffer, over the loops
    ir::Expr when = nullptr;     // it is copied
};
TileCopy copy_tile(ir::Context& ctx, const Staging& staging, ir::Buffer cache, const Tile& tile,
                   bool back);

// What holds at an iteration of the copy's loops.
std::vector<ir::Expr> copying_facts(ir::Context& ctx, const ir::Function& f, const ir::Site& site,
                                    const TileCopy& copy, const Tile& tile);

// Each access of the buffer in the statement (loads only, or stores as well) is to a cell of the
// tile.
Result<std::vector<analysis::Obligation>> tile_holds(ir::Context& ctx, const ir::Function& f,
                                                     const ir::Site& site, ir::Buffer b,
                                                     const Tile& tile, bool stores);

// The statement contains an assumption that permits reading cells of the buffer.
bool permits_reading(ir::Stmt s, ir::Buffer b);

// stage-read with "offsets" and "extents": stage_tile.cpp. `stmt` is the statement at `site`.
Result<Proposal> stage_tile(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                            ir::Stmt stmt, const Staging& staging, const nlohmann::json& args);

Result<Staging> read_staging(ir::Context& ctx, const ir::Function& f, const ir::Site& site,
                             const nlohmann::json& args);

}  // namespace proviso::rewrite
