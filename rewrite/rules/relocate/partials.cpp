#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/accumulation.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/relocate/cells.h"
#include "rewrite/rules/relocate/relocate.h"
#include "rewrite/rules/relocate/tuple_step.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Combiner {
  public:
    Combiner(Context& ctx, const Function& before, const Site& site, const Partials& r)
        : ctx_(ctx), before_(before), site_(site), r_(r), memory_(ctx, before) {
        by_.resize(r.of.size());
        terms_.resize(r.of.size());
    }

    Result<Proposal> run() {
        const Result<Located> at = locate(before_, site_);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("a statement combines terms, no expression");
        stmt_ = at->stmt;
        Status fine = stays_apart();
        Function moved = without_region_claims(ctx_, before_, site_, true);
        if (fine && r_.step) fine = combines_in_step(moved);
        for (const Access& a : memory_.all()) {
            if (!fine || r_.step || !a.is_store || !site_.contains(a.site)) continue;
            for (std::size_t k = 0; fine && k < r_.of.size(); ++k) {
                if (a.buffer == r_.of[k].buffer) fine = combines(k, a.site, moved);
            }
        }
        for (std::size_t k = 0; fine && k < r_.of.size(); ++k) fine = is_allowed(k);
        if (fine) fine = over_known();
        if (fine) fine = holds_start();
        if (!fine) return fine.error();
        Stmt inner = locate(moved, site_)->stmt;
        for (const PartialBuffer& of : r_.of) {
            if (inner == in_partials(inner, of) || planted("partial:seen-inside")) continue;
            return error(of.buffer->name + " is read or stored to in another way as well");
        }
        std::vector<Stmt> starts;
        for (const PartialBuffer& of : r_.of) {
            starts.push_back(ctx_.store(of.partials, r_.cells.physical_vars, of.start));
        }
        std::set<std::string> used = used_names(before_);
        for (const PartialBuffer& of : r_.of) used.insert(of.partials->name);
        for (Expr v : r_.cells.physical_vars) used.insert(*v->name);
        Stmt last = fresh_copy(ctx_, nest(ctx_, loops_, put_together(used)), used);
        Stmt first = nest(ctx_, loops_, ctx_.seq(starts));
        moved = replace_at(ctx_, moved, site_, ctx_.seq({first, inner, last}));
        const bool root = site_.steps.empty();
        const bool in_list = !root && locate(before_, site_.parent())->stmt->is<Seq>();
        const Site around = in_list ? site_.parent() : site_;
        Stmt scope = locate(moved, around)->stmt;
        for (std::size_t k = r_.of.size(); k-- > 0;) {
            scope = ctx_.stmt(Allocate{r_.of[k].partials, scope});
        }
        out_.after = replace_at(ctx_, moved, around, scope);
        return std::move(out_);
    }

  private:
    Status stays_apart() const {
        if (r_.of.empty()) return error("no buffer has partial results");
        std::set<Buffer> buffers;
        const std::span<const Expr> shape = r_.of[0].partials->shape;
        for (const PartialBuffer& of : r_.of) {
            const std::span<const Expr> own = of.partials->shape;
            if (!buffers.insert(of.buffer).second ||
                !std::equal(own.begin(), own.end(), shape.begin(), shape.end())) {
                return error("partial results are of different buffers, and of one shape");
            }
            if (stored_beside(before_, site_, of.buffer) && !planted("partial:seen-beside")) {
                return error("other iterations of a concurrent loop have the same " +
                             of.buffer->name);
            }
        }
        for (Expr extent : shape) {
            if (is_int_const(extent) || planted("partial:any-extents")) continue;
            return error("the extents of " + r_.of[0].partials->name + " are no constants");
        }
        if (contains_assert(stmt_) && !planted("partial:stop-inside")) {
            return error("the statement contains an assert");
        }
        return Unit{};
    }

    // Each cell combined with a partial result of it. `used`: names that mean something there.
    Stmt put_together(std::set<std::string> used) const {
        const std::vector<Expr>& vars = r_.cells.physical_vars;
        const std::vector<Expr>& cell = r_.cells.inverse;
        std::vector<Expr> held, parts, lets;
        for (const PartialBuffer& of : r_.of) {
            held.push_back(ctx_.load(of.buffer, cell));
            parts.push_back(ctx_.load(of.partials, vars));
        }
        std::vector<Stmt> stores;
        for (std::size_t k = 0; k < r_.of.size(); ++k) {
            const Buffer b = r_.of[k].buffer;
            if (planted("partial:values-in-use")) used.clear();
            lets.push_back(r_.step ? ctx_.var(fresh_name("v_" + b->name, used), b->type)
                                   : ctx_.make(*by_[k], {held[k], parts[k]}));
            stores.push_back(ctx_.store(b, cell, lets[k]));
        }
        Stmt out = ctx_.seq(stores);
        if (!r_.step) return out;
        const std::vector<Expr> values = combined(ctx_, *r_.step, held, parts);
        for (std::size_t k = r_.of.size(); k-- > 0;) {
            out = ctx_.stmt(LetStmt{lets[k], values[k], out});
        }
        return out;
    }

    std::vector<Expr> variables_at(const Site& site) const {
        std::vector<Expr> out;
        for (const auto& [name, v] : scope_at(ctx_, before_, site).vars) out.push_back(v);
        return out;
    }

    // What accumulates in the buffer does so in the partial results.
    Stmt in_partials(Stmt s, const PartialBuffer& of) const {
        const auto map = [&](const std::vector<Expr>& x) { return image(ctx_, r_.cells, x); };
        return replace_buffer_in(ctx_, s, of.buffer, of.partials, map, true, true);
    }

    // What the statement at `at` stores to the cell has a place among partial results of its own.
    Status has_place(const PartialBuffer& of, const Site& at, const std::vector<Expr>& cell) {
        Status ok = are_cells(r_.cells, of.buffer, of.partials, variables_at(at));
        if (ok) ok = can_move(ctx_, stmt_, of.buffer, r_.cells.vars);
        if (!ok) return ok;
        const std::vector<Expr> place = image(ctx_, r_.cells, cell);
        std::vector<Expr> facts = facts_at(ctx_, before_, at);
        append(facts, conjuncts(in_bounds(ctx_, of.buffer, cell)));
        Layout safe = r_.cells;
        for (Expr& e : safe.map) e = no_fault(ctx_, e);
        std::vector<Expr> goal = image(ctx_, safe, cell);
        append(goal, conjuncts(in_bounds(ctx_, of.partials, place)));
        goal.push_back(same_cell(ctx_, r_.cells.logical(ctx_, r_.cells.at(ctx_, place)), cell));
        owe(ctx_, out_.obligations,
            {Owed::TileCovers,
             fmt::format("what is combined is part of a result of its own cell ({} at {})",
                         print(ctx_.load(of.buffer, cell)), at.str()),
             at, of.buffer},
            std::move(facts), ctx_.all_of(goal));
        return Unit{};
    }

    // The step computes cells of all buffers; now it does so with partial results of them.
    Status combines_in_step(Function& moved) {
        const Result<std::vector<Expr>> cell = tuple_step(ctx_, before_, site_, r_, out_);
        if (!cell) return cell.error();
        Stmt step = locate(moved, r_.step->at)->stmt;
        for (const PartialBuffer& of : r_.of) {
            if (const Status ok = has_place(of, r_.step->at, *cell); !ok) return ok;
            step = in_partials(step, of);
        }
        moved = replace_at(ctx_, moved, r_.step->at, step);
        return Unit{};
    }

    // The store combines a term with its cell; now it does so with a partial result of that.
    Status combines(std::size_t k, const Site& at, Function& moved) {
        const PartialBuffer& of = r_.of[k];
        const std::optional<Accumulation> found = accumulation_at(before_, at);
        if (!found) return error("the store at " + at.str() + " does not accumulate");
        if (by_[k] && *by_[k] != found->by && !planted("partial:operators")) {
            return error("terms are combined by several operators");
        }
        by_[k] = found->by;
        Stmt s = locate(before_, at)->stmt;
        if (const Status ok = has_place(of, at, s->as<Store>()->indices); !ok) return ok;
        moved = replace_at(ctx_, moved, at, in_partials(s, of));
        const bool exact = of.buffer->type.is_exact_int() && *by_[k] == Op::Add;
        return exact ? stays_in_range(k, at, s->as<Store>()->value) : Unit{};
    }

    // Any of the terms add up to a value in range: each is between -most and most.
    Status stays_in_range(std::size_t k, const Site& at, Expr value) {
        const PartialBuffer& of = r_.of[k];
        const ScalarType type = of.buffer->type;
        const Int128 top = type.max_value();
        const std::vector<Expr>& cell = find_store(memory_.all(), at)->indices;
        Int128 runs = 1;  // of the store, for one cell, in one run of the statement, at most
        for (const PathStep& step : path_to(before_, at).steps) {
            const For* loop = step.stmt->as<For>();
            if (loop == nullptr || !site_.contains(step.site)) continue;
            // Other iterations store to other cells where the loop's variable is an index.
            if (std::find(cell.begin(), cell.end(), loop->var) != cell.end()) continue;
            const bool counted = is_int_const(loop->lo) && is_int_const(loop->hi) && runs <= top;
            if (!counted) return error("it is not known how many terms are added up");
            runs *= std::max(loop->hi->int_value() - loop->lo->int_value(), Int128{0});
        }
        terms_[k] = std::min(terms_[k] + std::min(runs, top + 1), top + 1);
        const bool fits = of.most >= 0 && of.most <= top && of.most * terms_[k] <= top;
        if (!fits && !planted("partial:many-terms")) {
            return error(fmt::format("{} terms of up to {} may add up to more than {} holds",
                                     int128_text(terms_[k]), int128_text(of.most), type.str()));
        }
        Expr term = rewrite_expr(ctx_, value, [&](Expr e) {
            return e->op == Op::Load && e->buffer == of.buffer ? ctx_.int_imm(type, 0) : e;
        });
        owe(ctx_, out_.obligations,
            {Owed::InRange,
             "what is added at " + at.str() + " is at most " + int128_text(of.most) +
                 ", up to its sign",
             at, of.buffer},
            facts_at(ctx_, before_, at),
            ctx_.all_of({ctx_.le(ctx_.int_imm(type, -of.most), term),
                         ctx_.le(term, ctx_.int_imm(type, of.most))}));
        return Unit{};
    }

    // Terms are combined in any order and with any brackets, and the start as often as one likes.
    Status is_allowed(std::size_t k) {
        const PartialBuffer& of = r_.of[k];
        const ScalarType type = of.buffer->type;
        const bool constant = of.start->args.empty() && are_over({of.start}, type, {}).ok();
        const auto start = [&](bool fits) -> Status {
            if (constant && (fits || planted("partial:any-start"))) return Unit{};
            return error("partial results do not start at " + print(of.start));
        };
        if (r_.step) return start(true);
        if (!by_[k]) return error("the statement does not accumulate in " + of.buffer->name);
        const bool sum = *by_[k] == Op::Add;
        if (sum && type.is_float()) {
            if (!before_.has_licence("reassociate") && !planted("partial:without-licence")) {
                return error("partial sums of floats need the licence 'reassociate'",
                             "T.func_attr({\"proviso.licences\": [\"reassociate\"]})");
            }
            out_.licences.emplace_back("reassociate");
        } else if (!sum && !is_free_of_order(*by_[k], type) && !planted("partial:any-order")) {
            return error("what is combined depends on the order of the terms: " + type.str(),
                         "T.max and T.min of floats: of NaN, and of zeros of both signs");
        }
        const bool is_float = of.start->op == Op::FloatImm;
        const bool zero = is_float ? of.start->float_value() == 0.0 : is_int_const(of.start, 0);
        return start(zero || !(sum || *by_[k] == Op::BitXor));
    }

    // What a partial result is part of is known where the statement begins.
    Status over_known() {
        std::vector<Expr> known = variables_at(site_);
        append(known, r_.cells.physical_vars);
        for (std::size_t k = 0; k < r_.of[0].partials->rank(); ++k) {
            Expr v = r_.cells.physical_vars[k];
            loops_.push_back({v, ctx_.int_imm(v->type, 0), r_.of[0].partials->shape[k]});
        }
        for (Expr e : r_.cells.inverse) {
            if (const Status ok = are_over({e}, e->type, known); !ok) return ok;
        }
        return Unit{};
    }

    // Each cell that partial results are combined with was stored to, last the start.
    Status holds_start() {
        const std::vector<Expr>& cell = r_.cells.inverse;
        std::vector<Expr> within;
        for (const LoopRange& l : loops_) append(within, range_facts(ctx_, l.var, l.lo, l.hi));
        const ClaimPoint point = claim_point(memory_, site_, within);
        std::vector<Expr> goal;
        for (Expr e : cell) goal.push_back(no_fault(ctx_, e));
        owe(ctx_, out_.obligations,
            {Owed::NoFault, "the cell of a partial result is computed without a fault", site_,
             r_.of[0].buffer},
            point.facts, ctx_.all_of(goal));
        for (const PartialBuffer& of : r_.of) {
            Result<Established> last = last_write(memory_, point, of.buffer, cell, of.writer);
            if (!last) return last.error();
            append(out_.obligations, std::move(last->obligations));
            append(last->facts, point.facts);
            Expr load = ctx_.load(of.buffer, cell);
            owe(ctx_, out_.obligations,
                {Owed::HoldsAlready,
                 "every cell of " + of.buffer->name + " with a partial result holds " +
                     print(of.start),
                 site_, of.buffer},
                std::move(last->facts),
                ctx_.all_of({ctx_.defined(load), ctx_.same(load, of.start)}));
        }
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const Site& site_;
    const Partials& r_;
    const MemoryModel memory_;
    Stmt stmt_ = nullptr;
    std::vector<std::optional<Op>> by_;  // what combines terms, of each buffer
    std::vector<Int128> terms_;          // how many, at most
    std::vector<LoopRange> loops_;
    Proposal out_;
};

}  // namespace

Result<Proposal> combine_in_parts(Context& ctx, const Function& before, const Site& site,
                                  const Partials& proposed) {
    return Combiner(ctx, before, site, proposed).run();
}

}  // namespace proviso::rewrite
