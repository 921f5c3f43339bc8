// stage-write: what one statement writes goes through a buffer of its own and is written back after
// it.
//
//   before   X (stores to B)
//   after    B_cache = alloc; X (B_cache for B); for …: B[…] = B_cache[…]
//
// Arguments: "buffer"; "name", "scope": of the cache; "names": loop names of the writing-back nest,
// which also stand for one
//   cell in the witnesses; "block": name of its block; "writer": a witness, in X, that stores the
//   cell (names); "reads": {SITE: [WITNESS, …]}: for each statement of X that loads B, the stores
//   that came before, in the order of its loads.
//   Of a part of the buffer, as for stage-read (stage_tile.cpp): "offsets", "extents"; the cell of
//   the writer is then that of the part.
// Obligations: X stores every cell of B on every run (so writing back adds nothing to the footprint
// and loses nothing), and each load of B in X is of a cell that X has stored before. X contains no
// assert. Of a part: X stores every cell of the part that is in bounds of B; every access of B in X
// is to a cell of the part; and the condition of writing back is computed without a fault.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/facts.h"
#include "analysis/path.h"
#include "rewrite/kernel/arguments.h"
#include "rewrite/kernel/only_members.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/statement/staging.h"
#include "rewrite/rules/statement/statement_rules.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class StageWriter {
  public:
    StageWriter(Context& ctx, const Function& before, const Site& site, const nlohmann::json& args)
        : ctx_(ctx), before_(before), site_(site), args_(args), memory_(ctx, before) {}

    Result<Proposal> run(Stmt x) {
        const Result<Staging> staging = read_staging(ctx_, before_, site_, args_);
        if (!staging) return staging.error();
        Buffer b = staging->buffer;
        if (!stores_to(x, b)) return error("the statement does not store to " + b->name);
        if (contains_assert(x)) return error("the statement contains an assert");
        outer_ = point_at(ctx_, before_, site_).loops;
        if (args_.contains("offsets")) return tile(x, *staging);
        if (const Status ok = covers(*staging, staging->cell, whole(*staging)); !ok) {
            return ok.error();
        }
        if (const Status ok = reads_what_it_wrote(b); !ok) return ok.error();
        const auto same = [](std::vector<Expr> at) { return at; };
        Stmt inner = replace_buffer_in(ctx_, x, b, staging->cache, same, true, true);
        Stmt back = copy_nest(ctx_, staging->cache, b, staging->names);
        out_.after = replace_at(ctx_, before_, site_,
                                ctx_.stmt(Allocate{staging->cache, ctx_.seq({inner, back})}));
        return std::move(out_);
    }

  private:
    // A witness inside X, in the same run of X.
    Result<Witness> inner_witness(const nlohmann::json& value, const Scope& scope) {
        if (const Status ok = only_members(value, "at statement"); !ok) return ok.error();
        if (value.contains("at") && !value["at"].is_object()) {
            return error("'at' of a witness is no object");
        }
        nlohmann::json full = value;
        for (Expr v : outer_) full["at"][*v->name] = *v->name;
        Result<Witness> w = read_witness(ctx_, before_, full, scope);
        if (w && !site_.contains(w->statement)) {
            return error("the witness " + w->statement.str() + " is outside the statement");
        }
        return w;
    }

    Result<Proposal> tile(Stmt x, const Staging& staging) {
        Buffer b = staging.buffer;
        const Result<Tile> tile = read_tile(ctx_, before_, site_, b, args_);
        if (!tile) return tile.error();
        Buffer cache =
            ctx_.buffer(staging.cache->name, b->type, tile->extents, staging.cache->scope);
        const TileCopy copy = copy_tile(ctx_, staging, cache, *tile, true);
        std::vector<Expr> facts = copying_facts(ctx_, before_, site_, copy, *tile);
        out_.obligations.push_back(
            safe_to_evaluate(ctx_, before_, facts, copy.when, "the condition of writing back"));
        facts.push_back(copy.when);
        if (const Status ok = covers(staging, copy.cell, facts); !ok) return ok.error();
        if (const Status ok = reads_what_it_wrote(b); !ok) return ok.error();
        if (permits_reading(x, b)) {  // of cells that need not be in the tile
            return error("the statement contains permission to read " + b->name);
        }
        const auto held = tile_holds(ctx_, before_, site_, b, *tile, true);
        if (!held) return held.error();
        append(out_.obligations, *held);
        const auto in_tile = [&](std::vector<Expr> at) {
            return tile->inside(ctx_, std::move(at));
        };
        Stmt inner = replace_buffer_in(ctx_, x, b, cache, in_tile, true, true);
        out_.after = replace_at(ctx_, without_region_claims(ctx_, before_, site_, false), site_,
                                ctx_.stmt(Allocate{cache, ctx_.seq({inner, copy.stmt})}));
        return std::move(out_);
    }

    // The loops of writing back: every cell of the buffer.
    std::vector<Expr> whole(const Staging& staging) {
        std::vector<Expr> facts = facts_at(ctx_, before_, site_);
        for (std::size_t k = 0; k < staging.cell.size(); ++k) {
            Expr v = staging.cell[k];
            append(facts, range_facts(ctx_, v, ctx_.int_imm(v->type, 0), staging.buffer->shape[k]));
        }
        return facts;
    }

    // `cell`: over the loops of writing back (staging.cell), of which `facts` hold.
    Status covers(const Staging& staging, const std::vector<Expr>& cell,
                  const std::vector<Expr>& facts) {
        if (!args_.contains("writer") || !args_["writer"].is_object()) {
            return error("no witness that every cell of " + staging.buffer->name + " is stored");
        }
        Scope scope = scope_at(ctx_, before_, site_);
        for (Expr v : staging.cell) scope.vars[*v->name] = v;
        const Result<Witness> w = inner_witness(args_["writer"], scope);
        if (!w) return w.error();
        const Access* store = find_store(memory_.all(), w->statement);
        if (store == nullptr || store->buffer != staging.buffer) {
            return error("the witness does not store to " + staging.buffer->name);
        }
        const bool shifting = std::find(store->shifting.begin(), store->shifting.end(), true) !=
                              store->shifting.end();
        if (shifting || !store->opaque.empty()) {
            return error("the witness depends on a value read from memory");
        }
        const Instance at{store, w->at};
        out_.obligations.push_back(
            Obligation{"every cell of " + staging.buffer->name + " is stored on every run", facts,
                       ctx_.all_of({at.must(ctx_), same_cell(ctx_, cell, at.index(ctx_))})});
        return Unit{};
    }

    Status reads_what_it_wrote(Buffer b) {
        std::map<Site, std::size_t> seen;
        for (const Access& load : memory_.all()) {
            if (load.is_store || load.buffer != b || !site_.contains(load.statement)) continue;
            const std::string key = load.statement.str();
            const std::size_t k = seen[load.statement]++;
            if (!args_.contains("reads") || !args_["reads"].is_object() ||
                !args_["reads"].contains(key) || !args_["reads"][key].is_array() ||
                k >= args_["reads"][key].size()) {
                return error("nothing says that what is read at " + load.site.str() +
                             " was stored before by the same statement");
            }
            const Result<Witness> w =
                inner_witness(args_["reads"][key][k], scope_at(ctx_, before_, load.statement));
            if (!w) return w.error();
            // The load's own indices, over its statement's scope.
            const Result<Located> at = locate(before_, load.site);
            if (!at || at->expr == nullptr) {
                return error("a claim of the block at " + load.statement.str() + " reads " +
                             b->name);
            }
            Result<Established> written =
                written_before(memory_, claim_point(memory_, load.statement), b,
                               {at->expr->args.begin(), at->expr->args.end()}, {*w});
            if (!written) return written.error();
            append(out_.obligations, std::move(written->obligations));
        }
        std::string all;
        for (const auto& [statement, loads] : seen) {
            all += statement.str() + " ";
            if (args_["reads"][statement.str()].size() == loads) continue;
            return error("there are more witnesses than loads at " + statement.str());
        }
        return args_.contains("reads") ? only_members(args_["reads"], all) : Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const Site& site_;
    const nlohmann::json& args_;
    MemoryModel memory_;
    std::vector<Expr> outer_;
    Proposal out_;
};

class StageWrite final : public Rule {
  public:
    std::string name() const override { return "stage-write"; }
    std::string summary() const override {
        return "what a statement writes goes through a buffer of its own";
    }

    Result<Proposal> propose(Context& ctx, const Function& before, const Site& site,
                             const nlohmann::json& args) const override {
        const Result<Located> at = locate(before, site);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("stage-write works on a statement");
        return StageWriter(ctx, before, site, args).run(at->stmt);
    }
};

}  // namespace

const Rule& stage_write_rule() {
    static const StageWrite rule;
    return rule;
}

}  // namespace proviso::rewrite
