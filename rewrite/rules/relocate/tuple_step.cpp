#include "rewrite/rules/relocate/tuple_step.h"

#include <algorithm>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/memory/access.h"
#include "ir/planted.h"
#include "ir/text.h"
#include "rewrite/rules/common.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/rules/licences.h"
#include "rewrite/rules/relocate/cells.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;

namespace {

using Tuple = std::vector<Expr>;

Tuple with_values(Context& ctx, const Tuple& exprs, const Tuple& vars, const Tuple& values) {
    Substitution at;
    for (std::size_t k = 0; k < vars.size(); ++k) at[vars[k]] = values[k];
    Tuple out;
    for (Expr e : exprs) out.push_back(substitute(ctx, e, at));
    return out;
}

Expr all_same(Context& ctx, const Tuple& a, const Tuple& b) {
    Tuple out;
    for (std::size_t k = 0; k < a.size(); ++k) out.push_back(ctx.same(a[k], b[k]));
    return ctx.all_of(out);
}

// a comes before b, from the first index on that differs.
Expr is_before(Context& ctx, const Tuple& a, const Tuple& b) {
    Expr out = ctx.false_();
    for (std::size_t d = a.size(); d-- > 0;) {
        out = ctx.or_(ctx.lt(a[d], b[d]), ctx.and_(ctx.eq(a[d], b[d]), out));
    }
    return out;
}

class StepReader {
  public:
    StepReader(Context& ctx, const std::vector<Buffer>& buffers, const Tuple& left)
        : ctx_(ctx), buffers_(buffers) {
        out.after = left;
    }

    Status run(Stmt s) {
        if (const Seq* n = s->as<Seq>()) {
            Status ok = Unit{};
            for (std::size_t k = 0; ok && k < n->body.size(); ++k) ok = run(n->body[k]);
            return ok;
        }
        const LetStmt* let = s->as<LetStmt>();
        const Store* store = s->as<Store>();
        if (let == nullptr && store == nullptr) return error("a step consists of lets and stores");
        const Result<Expr> value = in_state(let != nullptr ? let->value : store->value);
        if (!value) return value.error();
        if (let != nullptr) {
            lets_[let->var] = *value;
            return run(let->body);
        }
        const auto at = std::find(buffers_.begin(), buffers_.end(), store->buffer);
        if (at == buffers_.end())
            return error("the step stores to " + store->buffer->name + " too");
        const bool one_cell = is_cell(store->indices) || planted("partial:step-cells");
        if (!one_cell) return error("the step works on several cells");
        out.after[static_cast<std::size_t>(at - buffers_.begin())] = *value;
        return Unit{};
    }

    StepValues out;

  private:
    bool is_cell(std::span<const Expr> indices) {
        if (out.cell.empty()) out.cell.assign(indices.begin(), indices.end());
        return std::equal(indices.begin(), indices.end(), out.cell.begin(), out.cell.end());
    }
    // What the expression is, here in the step.
    Result<Expr> in_state(Expr e) {
        for (Op op : {Op::Let, Op::Undef, Op::CallExtern}) {
            if (has_op(e, op)) return error("what the step evaluates is no function: " + print(e));
        }
        bool one_cell = true;
        Expr value = rewrite_expr(ctx_, e, [&](Expr n) {
            if (const auto let = lets_.find(n); let != lets_.end()) return let->second;
            if (n->op != Op::Load) return n;
            const auto at = std::find(buffers_.begin(), buffers_.end(), n->buffer);
            if (at == buffers_.end()) return n;
            one_cell = one_cell && (is_cell(n->args) || planted("partial:step-cells"));
            return out.after[static_cast<std::size_t>(at - buffers_.begin())];
        });
        if (!one_cell) return error("the step works on several cells");
        out.evaluated.push_back(value);
        return value;
    }

    Context& ctx_;
    const std::vector<Buffer>& buffers_;
    Substitution lets_;
};

class StepCheck {
  public:
    StepCheck(Context& ctx, const Function& before, const Site& site, const Partials& r,
              Proposal& out)
        : ctx_(ctx),
          before_(before),
          site_(site),
          r_(r),
          by_(*r.step),
          out_(out),
          stmt_(locate(before, site)->stmt) {}

    Result<std::vector<Expr>> run() {
        Status ok = combines_tuples();
        if (ok) ok = reads_step();
        if (ok) ok = reads_what_stays();
        if (!ok) return ok.error();
        know();
        owe_values();
        owe_order();
        return step_.cell;
    }

  private:
    // The names of a tuple's values mean nothing else.
    Status combines_tuples() {
        const std::size_t n = r_.of.size();
        if (by_.left.size() != n || by_.right.size() != n || by_.combine.size() != n) {
            return error("two partial results have a value for each buffer");
        }
        Tuple own = by_.left;
        append(own, by_.right);
        const std::set<std::string> used = used_names(before_);
        for (std::size_t k = 0; k < own.size(); ++k) {
            const bool fresh = own[k]->op == Op::Var && own[k]->type == r_.of[k % n].buffer->type &&
                               used.count(*own[k]->name) == 0 &&
                               std::count(own.begin(), own.end(), own[k]) == 1;
            if (!fresh && !planted("partial:names-in-use")) {
                return error("the values of partial results have no names of their own");
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            const ScalarType type = r_.of[k].buffer->type;
            if (const Status ok = are_over({by_.combine[k]}, type, own); !ok) return ok;
            start_.push_back(r_.of[k].start);
        }
        return Unit{};
    }

    Status reads_step() {
        const Result<Located> at = locate(before_, by_.at);
        if (!at || at->stmt == nullptr || !site_.contains(by_.at)) {
            return error("the statement has no step at " + by_.at.str());
        }
        std::vector<Buffer> buffers;
        for (const PartialBuffer& b : r_.of) buffers.push_back(b.buffer);
        Result<StepValues> read = step_values(ctx_, at->stmt, buffers, by_.left);
        if (!read) return read.error();
        step_ = std::move(*read);
        if (step_.cell.size() != buffers.front()->rank()) {
            return error("the step works on no cell of " + buffers.front()->name);
        }
        // The program after stores to all of them, so the one before has to: then whoever else
        // looks at them was noticed (stored_beside).
        for (Buffer b : buffers) {
            if (stores_to(at->stmt, b) || planted("partial:step-only-reads")) continue;
            return error("the step does not store to " + b->name);
        }
        Tuple around;
        for (const auto& [name, v] : scope_at(ctx_, before_, by_.at).vars) around.push_back(v);
        for (Expr e : step_.cell) {
            if (const Status ok = are_over({e}, e->type, around); !ok) return ok;
        }
        for (const PartialBuffer& b : r_.of) {
            if (const Status ok = are_cells(r_.cells, b.buffer, b.partials, around); !ok) return ok;
        }
        return Unit{};
    }

    bool stays(Buffer b) const {
        return !stores_to(stmt_, b) || planted("partial:step-reads-stored");
    }
    Status reads_what_stays() const {
        for (Expr e : step_.evaluated) {
            for (Buffer b : loaded_buffers(e)) {
                if (!stays(b)) return error("the step reads " + b->name + ", which is stored to");
                if (stored_beside(before_, site_, b)) {
                    return error("the step reads " + b->name + ", which is stored to beside it");
                }
            }
        }
        return Unit{};
    }

    // What holds at every iteration of the step, of memory that stays.
    void know() {
        for (Expr fact : facts_at(ctx_, before_, by_.at)) {
            const std::vector<Buffer> read = loaded_buffers(fact);
            if (std::all_of(read.begin(), read.end(), [&](Buffer b) { return stays(b); })) {
                known_.push_back(fact);
            }
        }
        append(known_, definedness_facts(ctx_, before_, step_.evaluated));
        const Granted granted = finite_loads(ctx_, before_, step_.evaluated);
        append(known_, granted.facts);
        out_.licences.insert(out_.licences.end(), granted.licences.begin(), granted.licences.end());
    }

    Tuple join(const Tuple& a, const Tuple& b) const { return combined(ctx_, by_, a, b); }
    // The start adds nothing to it.
    Expr holds(const Tuple& a) const { return all_same(ctx_, join(a, start_), a); }
    Tuple step(const Tuple& a, const Substitution& iteration = {}) const {
        Tuple out;
        for (Expr e : step_.after) out.push_back(substitute(ctx_, e, iteration));
        return with_values(ctx_, out, by_.left, a);
    }
    void owe_here(Owed owed, const std::string& words, const Tuple& facts, Expr goal) {
        owe(ctx_, out_.obligations, {owed, words, by_.at, r_.of[0].buffer}, facts, goal);
    }

    void owe_values() {
        const Tuple& a = by_.left;
        const Tuple& b = by_.right;
        owe_here(Owed::SameValue, "the start combined with itself is the start", {},
                 all_same(ctx_, join(start_, start_), start_));
        Tuple facts = known_;
        facts.push_back(holds(a));
        Tuple goal;
        for (Expr e : step_.evaluated) {
            append(goal, {no_fault(ctx_, e), definite(ctx_, e), in_range(ctx_, e),
                          loads_accessible(ctx_, before_, e)});
        }
        owe_here(Owed::NoFault, "the step computes definite values without a fault from any cells",
                 facts, ctx_.all_of(goal));
        owe_here(Owed::Invariant, "the start combined with what the step computes adds nothing",
                 facts, holds(step(a)));
        facts.push_back(holds(b));
        goal.clear();
        for (Expr e : by_.combine) append(goal, {no_fault(ctx_, e), in_range(ctx_, e)});
        owe_here(Owed::NoFault, "partial results are combined without a fault",
                 {holds(a), holds(b)}, ctx_.all_of(goal));
        owe_here(Owed::SameValue, "a step on a combined result is one on its last part, combined",
                 facts, all_same(ctx_, step(join(a, b)), join(a, step(b))));
    }

    // Of two steps that change places.
    void owe_order() {
        const Scope outside = scope_at(ctx_, before_, site_);
        std::set<std::string> more;
        for (const Tuple* vars : {&by_.left, &by_.right, &r_.cells.vars, &r_.cells.physical_vars}) {
            for (Expr v : *vars) more.insert(*v->name);
        }
        TakenNames taken(ctx_, before_, std::move(more));
        Substitution later;
        for (const auto& [name, v] : scope_at(ctx_, before_, by_.at).vars) {
            if (outside.vars.count(name) == 0)
                later[v] = ctx_.var(fresh_name(name, taken), v->type);
        }
        const auto then = [&](const Tuple& exprs) {
            Tuple out;
            for (Expr e : exprs) out.push_back(substitute(ctx_, e, later));
            return out;
        };
        const Access point = point_at(ctx_, before_, by_.at);
        const Tuple place = image(ctx_, r_.cells, step_.cell);
        Tuple facts = known_;
        append(facts, then(known_));
        facts.push_back(may_be_before(ctx_, Instance{&point, {}, {}}, Instance{&point, later, {}}));
        facts.push_back(same_cell(ctx_, step_.cell, then(step_.cell)));
        facts.push_back(is_before(ctx_, then(place), place));
        facts.push_back(holds(by_.left));
        owe_here(Owed::Order, "steps on one cell that change places give the same", facts,
                 all_same(ctx_, step(step(by_.left), later), step(step(by_.left, later))));
    }

    Context& ctx_;
    const Function& before_;
    const Site& site_;
    const Partials& r_;
    const TupleStep& by_;
    Proposal& out_;
    Stmt stmt_;
    StepValues step_;
    Tuple start_;
    Tuple known_;
};

}  // namespace

Result<StepValues> step_values(Context& ctx, Stmt step, const std::vector<Buffer>& buffers,
                               const std::vector<Expr>& left) {
    StepReader reader(ctx, buffers, left);
    if (const Status ok = reader.run(step); !ok) return ok.error();
    return std::move(reader.out);
}

std::vector<Expr> combined(Context& ctx, const TupleStep& step, const std::vector<Expr>& left,
                           const std::vector<Expr>& right) {
    Tuple vars = step.left;
    append(vars, step.right);
    Tuple values = left;
    append(values, right);
    return with_values(ctx, step.combine, vars, values);
}

Result<std::vector<Expr>> tuple_step(Context& ctx, const Function& before, const Site& site,
                                     const Partials& proposed, Proposal& out) {
    return StepCheck(ctx, before, site, proposed, out).run();
}

}  // namespace proviso::rewrite
