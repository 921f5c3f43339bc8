#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
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
        Stmt copy = nullptr;
        if (r_.again) {
            const Result<Stmt> nest = computed_again();
            if (!nest) return nest.error();
            copy = *nest;
        } else {
            copy = copied();
        }
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
        bool computed = is_constant() || r_.copy->rank() == r_.buffer->rank();
        for (std::size_t k = 0; computed && !is_constant() && k < r_.copy->rank(); ++k) {
            Expr extent = r_.copy->shape[k];
            Expr old = r_.buffer->shape[k];
            computed = extent == old || (is_int_const(extent) && extent->type == old->type);
        }
        if (!computed && !planted("relocate:any-extents")) {
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
        if (stored_beside(before_, site_, r_.buffer) && !planted("relocate:racing-copy")) {
            return error(r_.buffer->name + " is written beside the statement, by other iterations");
        }
        return Unit{};
    }

    bool is_constant() const {
        const auto& shape = r_.copy->shape;
        return std::all_of(shape.begin(), shape.end(), [](Expr e) { return is_int_const(e); });
    }

    // With some extents of the buffer and others that are constants, the copy is no larger.
    void fits() {
        if (is_constant() || planted("relocate:larger-copy")) return;
        for (std::size_t k = 0; k < r_.copy->rank(); ++k) {
            const bool constant = is_int_const(r_.copy->shape[k]);
            if (!constant || r_.copy->shape[k] == r_.buffer->shape[k]) continue;
            owe_here(Owed::Extent, "the copy is no larger than " + r_.buffer->name,
                     ctx_.le(r_.copy->shape[k], r_.buffer->shape[k]));
        }
    }

    // Another iteration that stops finds the statement's stores done in part, in their order; not
    // those to a buffer of one iteration.
    Status no_stop_beside() const {
        Status out = Unit{};
        for (const PassedNode& step : passed_on_the_way(before_, site_)) {
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
        fits();
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

    // What computed the buffer, with the copy in its place.
    Result<Stmt> computed_again() {
        if (r_.back || r_.guard != nullptr)
            return error("what is computed again is copied nowhere");
        const Result<Located> at = locate(before_, *r_.again);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("a statement is computed again");
        if (const Status ok = comes_before(); !ok) return ok.error();
        if (const Status ok = can_be_repeated(at->stmt); !ok) return ok.error();
        if (const Status ok = can_move(ctx_, at->stmt, r_.buffer, r_.cells.vars); !ok) {
            return ok.error();
        }
        known_ = facts_at(ctx_, before_, site_);
        fits();
        for (std::size_t k = 0; k < r_.copy->rank(); ++k) {
            Expr loop = r_.cells.physical_vars[k];
            append(runs_, range_facts(ctx_, loop, ctx_.int_imm(loop->type, 0), r_.copy->shape[k]));
        }
        for (const Access& a : accesses(ctx_, before_)) {
            if (a.buffer != r_.buffer || !r_.again->contains(a.statement)) continue;
            if (const Status ok = has_place(a); !ok) return ok.error();
        }
        Stmt nest = rewrite_stmt(ctx_, at->stmt, nullptr, [&](Stmt s) {
            if (const Block* n = s->as<Block>()) {
                Block silent = *n;
                silent.reads.reset();
                silent.writes.reset();
                return ctx_.stmt(std::move(silent));
            }
            const Store* n = s->as<Store>();
            if (n == nullptr || n->buffer != r_.buffer) return s;
            return ctx_.stmt(IfElse{ctx_.all_of(placed(n->indices)), s, nullptr});
        });
        std::set<std::string> used = used_names(before_);
        used.insert(r_.copy->name);
        return fresh_copy(ctx_, move_cells(ctx_, nest, r_.cells, r_.buffer, r_.copy), used);
    }

    // The cell has a place in the copy.
    std::vector<Expr> placed(const std::vector<Expr>& cell) const {
        const Substitution place = r_.cells.at(ctx_, image(ctx_, r_.cells, cell));
        std::vector<Expr> out;
        for (Expr e : runs_) out.push_back(substitute(ctx_, e, place));
        return out;
    }

    // It is computed without a fault which place that is.
    std::vector<Expr> place_is_computed(const std::vector<Expr>& cell) const {
        Layout safe = r_.cells;
        for (Expr& e : safe.map) e = no_fault(ctx_, e);
        return image(ctx_, safe, cell);
    }

    // It is the place of no other cell.
    Expr is_own(const std::vector<Expr>& cell) const {
        const Substitution place = r_.cells.at(ctx_, image(ctx_, r_.cells, cell));
        return same_cell(ctx_, r_.cells.logical(ctx_, place), cell);
    }

    // Each time the statement runs, what is computed again has run just once since the buffer was
    // allocated, and nothing has changed what it reads.
    Status comes_before() const {
        const Site& nest = *r_.again;
        const Site list_site = nest.steps.empty() ? nest : nest.parent();
        const Seq* list = locate(before_, list_site)->stmt->as<Seq>();
        const std::size_t depth = list_site.steps.size();
        const bool apart = list != nullptr && list_site.contains(site_) &&
                           site_.steps.size() > depth && !nest.contains(site_);
        if (!apart) return error("it stands in no list with what is computed again");
        const std::size_t first = std::stoul(nest.steps[depth]);
        const std::size_t last = std::stoul(site_.steps[depth]);
        if (last < first && !planted("relocate:computed-later")) {
            return error("what is computed again comes later");
        }
        bool own = false;
        for (const PassedNode& step : passed_on_the_way(before_, nest)) {
            const Allocate* n = step.stmt->as<Allocate>();
            if (n != nullptr && n->buffer == r_.buffer) own = true;
            if (step.stmt->is<For>() && !planted("relocate:computed-in-a-loop")) own = false;
        }
        if (!own) {
            return error(r_.buffer->name + " may hold something before it is computed",
                         "it is allocated around, and no loop stands in between");
        }
        for (const Access& a : accesses(ctx_, before_)) {
            const bool inside = nest.contains(a.statement);
            const bool stores = a.is_store && a.buffer == r_.buffer && !inside;
            if (stores && !planted("relocate:computed-elsewhere")) {
                return error(r_.buffer->name + " is stored to at " + a.site.str() + " as well");
            }
            if (a.is_store || !inside || a.buffer == r_.buffer) continue;
            bool changes = stored_beside(before_, site_, a.buffer);
            for (std::size_t k = first + 1; k <= last; ++k) {
                changes = changes || stores_to(list->body[k], a.buffer);
            }
            if (!changes || planted("relocate:computed-from-something-else")) continue;
            return error(a.buffer->name + ", of which " + r_.buffer->name +
                             " is computed, is stored to before that is done again",
                         "sch.store_at computes each cell once");
        }
        return Unit{};
    }

    // Done again, it does the same, and nothing else is seen of it.
    Status can_be_repeated(Stmt nest) const {
        Status out = Unit{};
        std::vector<Buffer> own = {r_.buffer};
        const auto is_fixed = [&](Expr e) {
            const bool fixed = loaded_buffers(e).empty() && !has_op(e, Op::Undef);
            if (fixed || planted("relocate:computed-from-a-choice")) return;
            out = error("what is computed again binds a name to what it reads");
        };
        for_each_stmt(nest, [&](Stmt s) {
            const For* loop = s->as<For>();
            const bool serial =
                loop == nullptr || loop->kind == ForKind::Serial || loop->kind == ForKind::Unrolled;
            const bool stops = s->is<Assert>() || s->is<Assume>() || s->is<Evaluate>();
            if (!serial || stops) {
                out = error("what is computed again has more than serial loops and stores");
            }
            if (const Allocate* n = s->as<Allocate>()) own.push_back(n->buffer);
            if (const LetStmt* n = s->as<LetStmt>()) is_fixed(n->value);
            if (const Block* n = s->as<Block>()) {
                for (const BlockIter& it : n->iters) is_fixed(it.binding);
            }
        });
        for_each_expr(nest, [&](Expr e) {
            if (has_op(e, Op::Let)) is_fixed(e);
        });
        for (Buffer b : stored_buffers(nest)) {
            const bool is_own = std::find(own.begin(), own.end(), b) != own.end();
            if (is_own || planted("relocate:computes-more")) continue;
            out = error("what is computed again stores to " + b->name + " as well");
        }
        if (contains_extern_call(nest)) out = error("what is computed again makes an opaque call");
        return out;
    }

    // What an access of the buffer, where it is computed, owes of places in the copy.
    Status has_place(const Access& a) {
        const Result<std::vector<Expr>> cell = cell_of(a);
        if (!cell) return cell.error();
        const Store* store = locate(before_, a.statement)->stmt->as<Store>();
        const bool to_itself = store != nullptr && store->buffer == r_.buffer &&
                               (a.is_store || a.statement.child("value").contains(a.site));
        if (!to_itself) {
            if (planted("relocate:computed-from-itself")) return Unit{};
            return error(r_.buffer->name + " is read where it is computed, at " + a.site.str());
        }
        // What is known of memory there may not hold any more.
        std::vector<Expr> facts = known_;
        for (Expr e : facts_at(ctx_, before_, a.site)) {
            if (!has_op(e, Op::Load)) facts.push_back(e);
        }
        append(facts, conjuncts(in_bounds(ctx_, r_.buffer, *cell)));
        std::vector<Expr> goal = place_is_computed(*cell);
        if (a.is_store) {
            goal.push_back(ctx_.implies(ctx_.all_of(placed(*cell)), is_own(*cell)));
        } else {
            append(facts, placed(store->indices));
            append(goal, placed(*cell));
            goal.push_back(is_own(*cell));
        }
        owe(ctx_, out_.obligations,
            {Owed::TileCovers,
             fmt::format("each cell that is computed again has a place of its own ({} at {})",
                         print(ctx_.load(r_.buffer, *cell)), a.site.str()),
             a.site, a.buffer},
            std::move(facts), ctx_.all_of(goal));
        return Unit{};
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
        for (const Access& a : r_.back ? memory_->all() : accesses(ctx_, before_)) {
            if (!is_of_it(a)) continue;
            const Result<std::vector<Expr>> cell = cell_of(a);
            if (!cell) return cell.error();
            std::vector<Expr> facts = facts_at(ctx_, before_, a.site);
            append(facts, conjuncts(in_bounds(ctx_, r_.buffer, *cell)));
            std::vector<Expr> goal = place_is_computed(*cell);
            append(goal, placed(*cell));
            goal.push_back(is_own(*cell));
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
