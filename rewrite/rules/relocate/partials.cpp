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

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

class Combiner {
  public:
    Combiner(Context& ctx, const Function& before, const Site& site, const Partials& r)
        : ctx_(ctx), before_(before), site_(site), r_(r), memory_(ctx, before) {}

    Result<Proposal> run() {
        const Result<Located> at = locate(before_, site_);
        if (!at) return at.error();
        if (at->stmt == nullptr) return error("a statement combines terms, no expression");
        stmt_ = at->stmt;
        Status fine = stays_apart();
        Function moved = without_region_claims(ctx_, before_, site_, true);
        for (const Access& a : memory_.all()) {
            const bool stores = a.is_store && a.buffer == r_.buffer && site_.contains(a.site);
            if (fine && stores) fine = combines(a.site, moved);
        }
        if (fine) fine = is_allowed();
        if (fine) fine = over_known();
        if (fine) fine = holds_start();
        if (!fine) return fine.error();
        Stmt inner = locate(moved, site_)->stmt;
        if (inner != in_partials(inner) && !planted("partial:seen-inside")) {
            return error(r_.buffer->name + " is read or stored to in another way as well");
        }
        const std::vector<Expr>& vars = r_.cells.physical_vars;
        const std::vector<Expr>& cell = r_.cells.inverse;
        Stmt first = nest(ctx_, loops_, ctx_.store(r_.partials, vars, r_.start));
        Expr sum = ctx_.make(*by_, {ctx_.load(r_.buffer, cell), ctx_.load(r_.partials, vars)});
        Stmt last = nest(ctx_, loops_, ctx_.store(r_.buffer, cell, sum));
        std::set<std::string> used = used_names(before_);
        used.insert(r_.partials->name);
        for (Expr v : vars) used.insert(*v->name);
        last = fresh_copy(ctx_, last, used);
        moved = replace_at(ctx_, moved, site_, ctx_.seq({first, inner, last}));
        const bool root = site_.steps.empty();
        const bool in_list = !root && locate(before_, site_.parent())->stmt->is<Seq>();
        const Site around = in_list ? site_.parent() : site_;
        Stmt scope = ctx_.stmt(Allocate{r_.partials, locate(moved, around)->stmt});
        out_.after = replace_at(ctx_, moved, around, scope);
        return std::move(out_);
    }

  private:
    Status stays_apart() const {
        for (Expr extent : r_.partials->shape) {
            if (is_int_const(extent) || planted("partial:any-extents")) continue;
            return error("the extents of " + r_.partials->name + " are no constants");
        }
        if (contains_assert(stmt_) && !planted("partial:stop-inside")) {
            return error("the statement contains an assert");
        }
        if (stored_beside(before_, site_, r_.buffer) && !planted("partial:seen-beside")) {
            return error("other iterations of a concurrent loop have the same " + r_.buffer->name);
        }
        return Unit{};
    }

    std::vector<Expr> variables_at(const Site& site) const {
        std::vector<Expr> out;
        for (const auto& [name, v] : scope_at(ctx_, before_, site).vars) out.push_back(v);
        return out;
    }

    // What accumulates in the buffer does so in the partial results.
    Stmt in_partials(Stmt s) const {
        const auto map = [&](const std::vector<Expr>& x) { return image(ctx_, r_.cells, x); };
        return replace_buffer_in(ctx_, s, r_.buffer, r_.partials, map, true, true);
    }

    // The store combines a term with its cell; now it does so with a partial result of that.
    Status combines(const Site& at, Function& moved) {
        const std::optional<Accumulation> found = accumulation_at(before_, at);
        if (!found) return error("the store at " + at.str() + " does not accumulate");
        if (by_ && *by_ != found->by && !planted("partial:operators")) {
            return error("terms are combined by several operators");
        }
        by_ = found->by;
        Status ok = are_cells(r_.cells, r_.buffer, r_.partials, variables_at(at));
        if (ok) ok = can_move(ctx_, stmt_, r_.buffer, r_.cells.vars);
        if (!ok) return ok;
        Stmt s = locate(before_, at)->stmt;
        const std::vector<Expr>& cell = s->as<Store>()->indices;
        const std::vector<Expr> place = image(ctx_, r_.cells, cell);
        std::vector<Expr> facts = facts_at(ctx_, before_, at);
        append(facts, conjuncts(in_bounds(ctx_, r_.buffer, cell)));
        Layout safe = r_.cells;
        for (Expr& e : safe.map) e = no_fault(ctx_, e);
        std::vector<Expr> goal = image(ctx_, safe, cell);
        append(goal, conjuncts(in_bounds(ctx_, r_.partials, place)));
        goal.push_back(same_cell(ctx_, r_.cells.logical(ctx_, r_.cells.at(ctx_, place)), cell));
        owe(ctx_, out_.obligations,
            {Owed::TileCovers,
             fmt::format("what is combined is part of a result of its own cell ({} at {})",
                         print(ctx_.load(r_.buffer, cell)), at.str()),
             at, r_.buffer},
            std::move(facts), ctx_.all_of(goal));
        moved = replace_at(ctx_, moved, at, in_partials(s));
        const bool exact = r_.buffer->type.is_exact_int() && *by_ == Op::Add;
        return exact ? stays_in_range(at, s->as<Store>()->value) : Unit{};
    }

    // Any of the terms add up to a value in range: each is between -most and most.
    Status stays_in_range(const Site& at, Expr value) {
        const ScalarType type = r_.buffer->type;
        const Int128 top = type.max_value();
        Int128 runs = 1;  // of the store in one run of the statement, at most
        for (const PathStep& step : path_to(before_, at).steps) {
            const For* loop = step.stmt->as<For>();
            if (loop == nullptr || !site_.contains(step.site)) continue;
            const bool counted = is_int_const(loop->lo) && is_int_const(loop->hi) && runs <= top;
            if (!counted) return error("it is not known how many terms are added up");
            runs *= std::max(loop->hi->int_value() - loop->lo->int_value(), Int128{0});
        }
        terms_ = std::min(terms_ + std::min(runs, top + 1), top + 1);
        const bool fits = r_.most >= 0 && r_.most <= top && r_.most * terms_ <= top;
        if (!fits && !planted("partial:many-terms")) {
            return error(fmt::format("{} terms of up to {} may add up to more than {} holds",
                                     int128_text(terms_), int128_text(r_.most), type.str()));
        }
        Expr term = rewrite_expr(ctx_, value, [&](Expr e) {
            return e->op == Op::Load && e->buffer == r_.buffer ? ctx_.int_imm(type, 0) : e;
        });
        owe(ctx_, out_.obligations,
            {Owed::InRange,
             "what is added at " + at.str() + " is at most " + int128_text(r_.most) +
                 ", up to its sign",
             at, r_.buffer},
            facts_at(ctx_, before_, at),
            ctx_.all_of({ctx_.le(ctx_.int_imm(type, -r_.most), term),
                         ctx_.le(term, ctx_.int_imm(type, r_.most))}));
        return Unit{};
    }

    // Terms are combined in any order and with any brackets, and the start as often as one likes.
    Status is_allowed() {
        if (!by_) return error("the statement does not accumulate in " + r_.buffer->name);
        const ScalarType type = r_.buffer->type;
        const bool sum = *by_ == Op::Add;
        if (sum && type.is_float()) {
            if (!before_.has_licence("reassociate") && !planted("partial:without-licence")) {
                return error("partial sums of floats need the licence 'reassociate'",
                             "T.func_attr({\"proviso.licences\": [\"reassociate\"]})");
            }
            out_.licences.emplace_back("reassociate");
        } else if (!sum && !is_free_of_order(*by_, type) && !planted("partial:any-order")) {
            return error("what is combined depends on the order of the terms: " + type.str(),
                         "T.max and T.min of floats: of NaN, and of zeros of both signs");
        }
        const bool constant = r_.start->args.empty() && are_over({r_.start}, type, {}).ok();
        const bool is_float = r_.start->op == Op::FloatImm;
        const bool zero = is_float ? r_.start->float_value() == 0.0 : is_int_const(r_.start, 0);
        const bool adds = sum || *by_ == Op::BitXor;
        if (constant && (zero || !adds || planted("partial:any-start"))) return Unit{};
        return error("partial results do not start at " + print(r_.start));
    }

    // What a partial result is part of is known where the statement begins.
    Status over_known() {
        std::vector<Expr> known = variables_at(site_);
        append(known, r_.cells.physical_vars);
        for (std::size_t k = 0; k < r_.partials->rank(); ++k) {
            Expr v = r_.cells.physical_vars[k];
            loops_.push_back({v, ctx_.int_imm(v->type, 0), r_.partials->shape[k]});
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
             r_.buffer},
            point.facts, ctx_.all_of(goal));
        Result<Established> last = last_write(memory_, point, r_.buffer, cell, r_.writer);
        if (!last) return last.error();
        append(out_.obligations, std::move(last->obligations));
        append(last->facts, point.facts);
        Expr load = ctx_.load(r_.buffer, cell);
        owe(ctx_, out_.obligations,
            {Owed::HoldsAlready,
             "every cell of " + r_.buffer->name + " with a partial result holds " + print(r_.start),
             site_, r_.buffer},
            std::move(last->facts), ctx_.all_of({ctx_.defined(load), ctx_.same(load, r_.start)}));
        return Unit{};
    }

    Context& ctx_;
    const Function& before_;
    const Site& site_;
    const Partials& r_;
    const MemoryModel memory_;
    Stmt stmt_ = nullptr;
    std::optional<Op> by_;  // what combines terms
    Int128 terms_ = 0;      // how many, at most
    std::vector<LoopRange> loops_;
    Proposal out_;
};

}  // namespace

Result<Proposal> combine_in_parts(Context& ctx, const Function& before, const Site& site,
                                  const Partials& proposed) {
    return Combiner(ctx, before, site, proposed).run();
}

}  // namespace proviso::rewrite
