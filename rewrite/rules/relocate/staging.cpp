#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/relocate/cells.h"
#include "rewrite/rules/relocate/relocate.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Stager {
  public:
    Stager(Context& ctx, const Function& before, const Site& site, const Staging& r)
        : ctx_(ctx), before_(before), site_(site), r_(r) {}

    Result<Proposal> run() {
        const Result<Located> at = locate(before_, site_);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("a statement is staged, no expression");
        stmt_ = at->stmt;
        Status fine = texts();
        if (!fine) return fine.error();
        Stmt copy = copied();
        if (r_.back) fine = was_stored();
        if (fine && !is_whole()) fine = covers();
        if (!fine) return fine.error();
        Stmt moved = move_cells(ctx_, stmt_, r_.cells, r_.buffer, r_.copy);
        Stmt text = r_.back ? ctx_.seq({moved, copy}) : ctx_.seq({copy, moved});
        const bool keeps = r_.keeps_claims && (r_.back || planted("relocate:claims-around"));
        out_.after =
            replace_at(ctx_, keeps ? before_ : without_region_claims(ctx_, before_, site_, false),
                       site_, ctx_.stmt(Allocate{r_.copy, text}));
        return std::move(out_);
    }

  private:
    Status texts() const {
        const auto& shape = r_.copy->shape;
        const bool constant =
            std::all_of(shape.begin(), shape.end(), [](Expr e) { return is_int_const(e); });
        const bool as_before = std::ranges::equal(shape, r_.buffer->shape);
        if (!constant && !as_before && !planted("relocate:any-extents")) {
            return error("the extents of " + r_.copy->name + " are not known to be computed");
        }
        std::vector<Expr> known;
        for (const auto& [name, v] : scope_at(ctx_, before_, site_).vars) known.push_back(v);
        if (const Status ok = are_cells(r_.cells, r_.buffer, r_.copy, known); !ok) return ok;
        append(known, r_.cells.physical_vars);
        const bool guarded = r_.guard != nullptr && !planted("relocate:guard-that-calls");
        if (const Status ok = are_over({guarded ? r_.guard : ctx_.true_()}, kBool, known); !ok) {
            return ok;
        }
        if (r_.back) {
            if (contains_assert(stmt_) && !planted("relocate:stop-inside")) {
                return error("the statement contains an assert");
            }
            return no_stop_beside();
        }
        if (stores_to(stmt_, r_.buffer) && !planted("relocate:stale-copy")) {
            return error("the statement stores to " + r_.buffer->name);
        }
        const bool races = in_concurrent_loop(before_, site_) &&
                           stores_to(before_.body, r_.buffer) && !planted("relocate:racing-copy");
        if (races) {
            return error(r_.buffer->name + " is written by the function, and the copy would race");
        }
        return Unit{};
    }

    // Another iteration that stops finds the statement's stores done in part, in their order; not
    // those to a buffer of one iteration.
    Status no_stop_beside() const {
        Status out = Unit{};
        for (const PathStep& step : path_to(before_, site_).steps) {
            const Allocate* own = step.stmt->as<Allocate>();
            if (own != nullptr && own->buffer == r_.buffer) out = Unit{};
            const For* loop = step.stmt->as<For>();
            const bool serial =
                loop == nullptr || loop->kind == ForKind::Serial || loop->kind == ForKind::Unrolled;
            if (serial || !contains_assert(loop->body) || planted("relocate:stop-beside")) continue;
            out = error("the concurrent loop " + *loop->var->name + " contains an assert");
        }
        return out;
    }

    // The nest, and what it owes. `runs_`: where a cell is copied.
    Stmt copied() {
        std::vector<LoopRange> loops;
        std::vector<Expr> at;
        Block block;
        block.name = r_.block;
        block.predicate = r_.guard != nullptr ? r_.guard : ctx_.true_();
        for (std::size_t k = 0; k < r_.copy->rank(); ++k) {
            Expr loop = r_.cells.physical_vars[k];
            Expr zero = ctx_.int_imm(loop->type, 0);
            loops.push_back(LoopRange{loop, zero, r_.copy->shape[k]});
            append(runs_, range_facts(ctx_, loop, zero, r_.copy->shape[k]));
            at.push_back(block.name.empty() ? loop : ctx_.var("v_" + *loop->name, loop->type));
            block.iters.push_back(BlockIter{at[k], zero, r_.copy->shape[k], loop});
        }
        const std::vector<Expr> cell =
            r_.cells.logical(ctx_, r_.cells.at(ctx_, r_.cells.physical_vars));
        std::vector<Expr> to = r_.cells.logical(ctx_, r_.cells.at(ctx_, at));
        block.body = r_.back ? ctx_.store(r_.buffer, to, ctx_.load(r_.copy, at))
                             : ctx_.store(r_.copy, at, ctx_.load(r_.buffer, to));
        known_ = facts_at(ctx_, before_, site_);
        append(known_, runs_);
        owe_here(Owed::NoFault,
                 r_.back ? "the condition of writing back" : "the condition of the copy",
                 evaluated_bound(ctx_, block.predicate));
        append(runs_, conjuncts(block.predicate));
        append(known_, conjuncts(block.predicate));
        std::vector<Expr> safe;
        for (Expr i : cell) safe.push_back(no_fault(ctx_, i));
        owe_here(Owed::NoFault, "the cell that is copied is computed without a fault",
                 ctx_.all_of(safe));
        if (!r_.back) {
            owe_here(Owed::MayBeRead,
                     "every cell of " + r_.buffer->name + (is_whole() ? "" : " that is copied") +
                         " may be read",
                     ctx_.all_of({in_bounds(ctx_, r_.buffer, cell),
                                  accessible(ctx_, before_, r_.buffer, cell)}));
        }
        const bool plain = block.name.empty();
        if (plain && r_.guard == nullptr) return nest(ctx_, loops, block.body);
        if (plain) return nest(ctx_, loops, ctx_.stmt(IfElse{r_.guard, block.body, nullptr}));
        return nest(ctx_, loops, ctx_.stmt(block));
    }

    void owe_here(Owed kind, std::string words, Expr goal) {
        owe(ctx_, out_.obligations, {kind, std::move(words), site_, r_.buffer}, known_, goal);
    }

    // Every cell is copied, and has the same indices in the copy.
    bool is_whole() const {
        return r_.guard == nullptr && r_.cells.map == r_.cells.vars &&
               r_.cells.inverse == r_.cells.physical_vars &&
               std::ranges::equal(r_.copy->shape, r_.buffer->shape);
    }

    // The cell of an access, by its own indices, over the scope of its statement.
    Result<std::vector<Expr>> cell_of(const Access& a) const {
        const Result<Located> at = locate(before_, a.site);
        if (a.is_store) return at->stmt->as<Store>()->indices;
        if (at && at->expr != nullptr) {
            return std::vector<Expr>(at->expr->args.begin(), at->expr->args.end());
        }
        return error("a claim of the block at " + a.statement.str() + " reads " + a.buffer->name);
    }

    bool is_of_it(const Access& a) const {
        return a.buffer == r_.buffer && site_.contains(a.statement);
    }

    // Each cell that the statement reads or stores has its place in the copy.
    Status covers() {
        bool permits = false;
        for_each_stmt(stmt_, [&](Stmt s) {
            const Assume* n = s->as<Assume>();
            if (n == nullptr || !is_permission(n->cond)) return;
            const std::vector<Buffer> read = loaded_buffers(n->cond);
            permits |= std::find(read.begin(), read.end(), r_.buffer) != read.end();
        });
        if (permits && !planted("stage-read:permission")) {  // of cells that have no place
            return error("the statement contains permission to read " + r_.buffer->name);
        }
        if (const Status ok = can_move(ctx_, stmt_, r_.buffer, r_.cells.vars); !ok) return ok;
        Layout safe = r_.cells;
        for (Expr& e : safe.map) e = no_fault(ctx_, e);
        for (const Access& a : r_.back ? memory_->all() : accesses(ctx_, before_)) {
            if (!is_of_it(a)) continue;
            const Result<std::vector<Expr>> cell = cell_of(a);
            if (!cell) return cell.error();
            std::vector<Expr> facts = facts_at(ctx_, before_, a.site);
            append(facts, conjuncts(in_bounds(ctx_, r_.buffer, *cell)));
            const Substitution place = r_.cells.at(ctx_, image(ctx_, r_.cells, *cell));
            std::vector<Expr> goal = image(ctx_, safe, *cell);
            for (Expr e : runs_) goal.push_back(substitute(ctx_, e, place));
            goal.push_back(same_cell(ctx_, r_.cells.logical(ctx_, place), *cell));
            owe(ctx_, out_.obligations,
                {Owed::TileCovers,
                 fmt::format("the tile covers every cell that is {} ({} at {})",
                             a.is_store ? "stored" : "read", print(ctx_.load(r_.buffer, *cell)),
                             a.site.str()),
                 a.site, a.buffer},
                std::move(facts), ctx_.all_of(goal));
        }
        return Unit{};
    }

    // Witnesses are of the same run of the statement.
    Status is_inside(const Witness& w) const {
        if (!site_.contains(w.statement)) {
            return error("the witness " + w.statement.str() + " is outside the statement");
        }
        for (Expr v : point_at(ctx_, before_, site_).loops) {
            const auto at = w.at.find(v);
            const bool same = at != w.at.end() && at->second == v;
            if (same || planted("relocate:another-run")) continue;
            return error("the witness " + w.statement.str() + " is of another run of it");
        }
        return Unit{};
    }

    // What is copied back was stored, and what is read was stored before.
    Status was_stored() {
        memory_.emplace(ctx_, before_);
        if (const Status ok = is_inside(r_.writer); !ok) return ok;
        const Access* store = find_store(memory_->all(), r_.writer.statement);
        if (store == nullptr || store->buffer != r_.buffer) {
            return error("the witness does not store to " + r_.buffer->name);
        }
        const bool shifting = std::find(store->shifting.begin(), store->shifting.end(), true) !=
                              store->shifting.end();
        if (shifting || !store->opaque.empty()) {
            return error("the witness depends on a value read from memory");
        }
        const Instance at{store, r_.writer.at};
        const std::vector<Expr>& loops = r_.cells.physical_vars;
        const std::vector<Expr> cell = r_.cells.logical(ctx_, r_.cells.at(ctx_, loops));
        owe_here(Owed::AlwaysStored, "every cell of " + r_.buffer->name + " is stored on every run",
                 ctx_.all_of({at.must(ctx_), same_cell(ctx_, cell, at.index(ctx_))}));
        owe_here(Owed::Inverse, "each cell is written back from its own place",
                 same_cell(ctx_, image(ctx_, r_.cells, cell), loops));
        std::map<Site, std::size_t> seen;
        for (const Access& load : memory_->all()) {
            if (load.is_store || !is_of_it(load)) continue;
            const auto found = r_.reads.find(load.statement);
            const std::size_t k = seen[load.statement]++;
            if (found == r_.reads.end() || k >= found->second.size()) {
                return error("nothing says that what is read at " + load.site.str() +
                             " was stored before by the same statement");
            }
            if (const Status ok = is_inside(found->second[k]); !ok) return ok;
            const Result<std::vector<Expr>> read = cell_of(load);
            if (!read) return read.error();
            Result<Established> written =
                written_before(*memory_, claim_point(*memory_, load.statement), r_.buffer, *read,
                               {found->second[k]});
            if (!written) return written.error();
            append(out_.obligations, std::move(written->obligations));
        }
        for (const auto& [statement, witnesses] : r_.reads) {
            if (witnesses.size() <= seen[statement]) continue;
            return error("there are more witnesses than loads at " + statement.str());
        }
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const Site& site_;
    const Staging& r_;
    Stmt stmt_ = nullptr;
    std::vector<Expr> runs_;   // over the loops: a cell is copied
    std::vector<Expr> known_;  // there
    std::optional<MemoryModel> memory_;
    Proposal out_;
};

}  // namespace

Result<Proposal> stage(Context& ctx, const Function& before, const Site& site,
                       const Staging& proposed) {
    return Stager(ctx, before, site, proposed).run();
}

}  // namespace proviso::rewrite
