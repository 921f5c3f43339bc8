// The primitives read_at and write_at: the part of a buffer that one iteration of a loop reads, or
// writes, in a buffer of its own. They find where the part starts and how large it is; the rules
// stage-read and stage-write prove that it is enough.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/buffer_scope.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives/primitives.h"
#include "rewrite/schedule/tile_search.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr Int128 kMostTileCells = 1 << 20;  // of a tile, in one dimension

// Some index of the buffer below the site is a choice.
bool chosen_index(const Function& f, const Site& site, Buffer buffer) {
    bool found = false;
    for_each_expr(locate(f, site)->stmt, [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Load || e->buffer != buffer) return;
            for (std::size_t d = 0; d < e->args.size(); ++d) {
                found = found || has_op(e->arg(d), Op::IfThenElse);
            }
        });
    });
    return found;
}

}  // namespace

std::variant<std::vector<json>, Refusal> Primitives::tile_arguments(
    const std::string& loop, const std::string& block, Buffer buffer, const std::string& scope,
    bool writes, std::vector<Expr>& cell) {
    const std::optional<Site> at = find_loop(p_.current(), loop);
    if (!at) return std::get<Refusal>(refuse("there is no loop '" + loop + "' any more"));
    const std::optional<Site> user = find_block(p_.current(), block);
    const Site site = at->child("body");
    if (!user || !site.contains(*user)) {
        return std::get<Refusal>(refuse("block '" + block + "' is not in loop " + loop));
    }
    reserved_.clear();
    const std::string name = fresh(buffer->name + "_" + scope_as_name(scope));
    return part_arguments(
        site, loop, buffer,
        {{"buffer", buffer->name}, {"name", name}, {"scope", scope}, {"block", fresh_block(name)}},
        writes, false, cell);
}

std::variant<std::vector<json>, Refusal> Primitives::part_arguments(const Site& site,
                                                                    const std::string& loop,
                                                                    Buffer buffer, const json& copy,
                                                                    bool writes, bool whole,
                                                                    std::vector<Expr>& cell) {
    TileSearch search(p_, site);
    json offsets = json::array();
    json clamped = json::array();
    json extents = json::array();
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        const Reach reach = search.run(buffer, d, writes);
        Expr all = buffer->shape[d];
        const bool too_large =
            reach.extent == 0 || (is_int_const(all) && all->int_value() <= reach.extent);
        if (whole && too_large) {
            offsets.push_back("0");
            clamped.push_back("0");
            extents.push_back(print(all));
            loops.push_back(fresh_loop("ax" + std::to_string(d)));
            cell.push_back(p_.ctx().var(loops.back().get<std::string>(), all->type));
            continue;
        }
        if (reach.extent == 0 && chosen_index(p_.current(), site, buffer)) {
            return std::get<Refusal>(
                refuse("an index of " + buffer->name + " in loop " + loop +
                           " is a T.if_then_else, of which no extent is known",
                       "write the clamp with T.min and T.max: T.max(i - 1, 0) in place of "
                       "T.if_then_else(i < 1, 0, i - 1)"));
        }
        if (reach.extent == 0) {
            return std::get<Refusal>(
                refuse("the part of " + buffer->name + " that an iteration of " + loop +
                           (writes ? " writes" : " reads") + " has no constant extent",
                       "split the loops inside by constant factors; the index has to be linear in "
                       "them, or clamped by T.min and T.max"));
        }
        if (reach.extent > kMostTileCells) {
            return std::get<Refusal>(
                refuse("the part of " + buffer->name + " that an iteration of " + loop +
                           (writes ? " writes" : " reads") +
                           " is larger than 1048576 in dimension " + std::to_string(d),
                       "copy in an inner loop"));
        }
        offsets.push_back(print(reach.low));
        clamped.push_back(print(reach.clamped));
        extents.push_back(std::to_string(static_cast<std::int64_t>(reach.extent)));
        loops.push_back(fresh_loop("ax" + std::to_string(d)));
        const ScalarType type = reach.low->type;
        cell.push_back(
            p_.ctx().add(reach.low, p_.ctx().var(loops.back().get<std::string>(), type)));
    }
    note_ = buffer->name + ": " + extents.dump();
    std::vector<json> out = {copy};
    out.front()["names"] = loops;
    out.front()["offsets"] = offsets;
    out.front()["extents"] = extents;
    if (!writes && clamped != offsets) {
        out.push_back(out.front());
        out.back()["offsets"] = clamped;
    }
    return out;
}

Outcome Primitives::read_at(const std::string& loop, const std::string& block, Buffer buffer,
                            const std::string& scope) {
    std::vector<Expr> cell;
    const auto args = tile_arguments(loop, block, buffer, scope, false, cell);
    if (const Refusal* no = std::get_if<Refusal>(&args)) return *no;
    const Site site = find_loop(p_.current(), loop)->child("body");
    std::optional<Rejection> why;
    for (const json& staging : std::get<std::vector<json>>(args)) {
        if (p_.try_apply("stage-read", site, staging, &why)) {
            return Names{staging["block"].get<std::string>()};
        }
    }
    note_.clear();
    return no_copy(std::move(*why), buffer);
}

Outcome Primitives::write_at(const std::string& loop, const std::string& block, Buffer buffer,
                             const std::string& scope) {
    std::vector<Expr> cell;
    const auto args = tile_arguments(loop, block, buffer, scope, true, cell);
    if (const Refusal* no = std::get_if<Refusal>(&args)) return *no;
    const Site site = find_loop(p_.current(), loop)->child("body");
    Outcome out = write_through(std::get<std::vector<json>>(args).front(), buffer, cell, site,
                                "the stage of " + block);
    if (std::holds_alternative<Refusal>(out)) note_.clear();
    return out;
}

}  // namespace proviso::rewrite
