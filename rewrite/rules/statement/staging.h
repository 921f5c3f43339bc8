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

// stage-read with "offsets" and "extents": stage_tile.cpp. `stmt` is the statement at `site`.
Result<Proposal> stage_tile(ir::Context& ctx, const ir::Function& before, const ir::Site& site,
                            ir::Stmt stmt, const Staging& staging, const nlohmann::json& args);

Result<Staging> read_staging(ir::Context& ctx, const ir::Function& f, const ir::Site& site,
                             const nlohmann::json& args);

}  // namespace proviso::rewrite
