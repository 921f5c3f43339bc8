// The primitives read_at and write_at: the part of a buffer that one iteration of a loop reads, or
// writes, in a buffer of its own. They find where the part starts and how large it is; the rules
// stage-read and stage-write prove that it is enough.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/schedule/primitives.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

constexpr Int128 kMostCells = 1 << 20;  // of a tile, in one dimension

// An index as its value at the first and the last iterations of the loops inside; it is taken to
// grow or fall with each of them.
struct Reach {
    Expr low = nullptr;
    Int128 extent = 0;  // 0: not constant
};

class TileSearch {
  public:
    TileSearch(Proposer& p, const Site& site) : p_(p), site_(site) {
        for_each_stmt(locate(p.current(), site)->stmt, [&](Stmt inner) {
            if (const For* n = inner->as<For>()) loops_.push_back(n);
        });
    }

    // Start and extent of dimension `d` over all loads of the buffer in the statement, or over all
    // accesses.
    Reach run(Buffer buffer, std::size_t d, bool stores) {
        Reach out;
        for (const Access& a : accesses(p_.ctx(), p_.current())) {
            if (a.is_store && !stores) continue;
            if (a.buffer != buffer || !site_.contains(a.statement)) continue;
            const Reach one = reach(a.indices[d]);
            if (one.extent == 0) return {};
            if (out.low == nullptr) {
                out = one;
                continue;
            }
            const std::optional<Int128> apart = difference(one.low, out.low);
            if (!apart) return {};
            const Int128 start = std::min<Int128>(*apart, 0);
            const Int128 end = std::max<Int128>(*apart + one.extent, out.extent);
            if (*apart < 0) out.low = one.low;
            out.extent = end - start;
        }
        return out;
    }

  private:
    std::optional<Int128> difference(Expr a, Expr b) {
        Expr out = p_.simplified(p_.ctx().sub(a, b), site_);
        if (!is_int_const(out)) return std::nullopt;
        return out->int_value();
    }

    Reach reach(Expr index) {
        Context& ctx = p_.ctx();
        Expr low = index;
        Expr high = index;
        // Inner loops first: their bounds may be over outer ones.
        for (auto it = loops_.rbegin(); it != loops_.rend(); ++it) {
            const For& n = **it;
            Expr last = ctx.sub(n.hi, ctx.int_imm(n.var->type, 1));
            Expr at_first = substitute(ctx, low, {{n.var, n.lo}});
            Expr at_last = substitute(ctx, low, {{n.var, last}});
            const std::optional<Int128> grows = difference(at_last, at_first);
            const bool falls = grows && *grows < 0;
            low = falls ? at_last : at_first;
            high = substitute(ctx, high, {{n.var, falls ? n.lo : last}});
        }
        const std::optional<Int128> apart = difference(high, low);
        if (!apart || *apart < 0) return {};
        return {p_.simplified(low, site_), *apart + 1};
    }

    Proposer& p_;
    Site site_;
    std::vector<const For*> loops_;  // in the statement, outermost first
};

}  // namespace

std::variant<json, Refusal> Primitives::tile_arguments(const std::string& loop,
                                                       const std::string& block, Buffer buffer,
                                                       const std::string& scope, bool writes,
                                                       std::vector<Expr>& cell) {
    const std::optional<Site> at = find_loop(p_.current(), loop);
    if (!at) return std::get<Refusal>(refuse("there is no loop '" + loop + "' any more"));
    const std::optional<Site> user = find_block(p_.current(), block);
    const Site site = at->child("body");
    if (!user || !site.contains(*user)) {
        return std::get<Refusal>(refuse("block '" + block + "' is not in loop " + loop));
    }
    reserved_.clear();
    TileSearch search(p_, site);
    const std::string name = fresh(buffer->name + "_" + scope);
    json offsets = json::array();
    json extents = json::array();
    json loops = json::array();
    for (std::size_t d = 0; d < buffer->rank(); ++d) {
        const Reach reach = search.run(buffer, d, writes);
        if (reach.extent == 0) {
            return std::get<Refusal>(
                refuse("the part of " + buffer->name + " that an iteration of " + loop +
                           (writes ? " writes" : " reads") + " has no constant extent",
                       "split the loops inside by constant factors"));
        }
        if (reach.extent > kMostCells) {
            return std::get<Refusal>(
                refuse("the part of " + buffer->name + " that an iteration of " + loop +
                           (writes ? " writes" : " reads") +
                           " is larger than 1048576 in dimension " + std::to_string(d),
                       "copy in an inner loop"));
        }
        offsets.push_back(print(reach.low));
        extents.push_back(std::to_string(static_cast<std::int64_t>(reach.extent)));
        loops.push_back(fresh("ax" + std::to_string(d)));
        const ScalarType type = reach.low->type;
        cell.push_back(
            p_.ctx().add(reach.low, p_.ctx().var(loops.back().get<std::string>(), type)));
    }
    note_ = buffer->name + ": " + extents.dump();
    return json{{"buffer", buffer->name},
                {"name", name},
                {"scope", scope},
                {"names", loops},
                {"block", fresh(name + (writes ? "_store" : "_load"))},
                {"offsets", offsets},
                {"extents", extents}};
}

Outcome Primitives::read_at(const std::string& loop, const std::string& block, Buffer buffer,
                            const std::string& scope) {
    std::vector<Expr> cell;
    const auto args = tile_arguments(loop, block, buffer, scope, false, cell);
    if (const Refusal* no = std::get_if<Refusal>(&args)) return *no;
    const json& staging = std::get<json>(args);
    const Site site = find_loop(p_.current(), loop)->child("body");
    if (auto no = step("stage-read", site, staging)) {
        note_.clear();
        return *no;
    }
    return Names{staging["block"].get<std::string>()};
}

Outcome Primitives::write_at(const std::string& loop, const std::string& block, Buffer buffer,
                             const std::string& scope) {
    std::vector<Expr> cell;
    const auto args = tile_arguments(loop, block, buffer, scope, true, cell);
    if (const Refusal* no = std::get_if<Refusal>(&args)) return *no;
    const Site site = find_loop(p_.current(), loop)->child("body");
    Outcome out = write_through(std::get<json>(args), buffer, cell, site, block);
    if (std::holds_alternative<Refusal>(out)) note_.clear();
    return out;
}

}  // namespace proviso::rewrite
