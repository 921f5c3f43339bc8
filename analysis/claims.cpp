#include "analysis/claims.h"

#include <algorithm>

#include "analysis/facts.h"
#include "analysis/formula.h"
#include "analysis/path.h"

namespace proviso::analysis {

using namespace ir;

MemoryModel::MemoryModel(Context& ctx, const Function& f)
    : ctx_(ctx), function_(f), accesses_(accesses(ctx, f)), names_(bound_names(f)) {
    for (const auto& [site, stmt] : all_statements(f)) {
        const Allocate* a = stmt->as<Allocate>();
        if (a != nullptr) allocation_loops_[a->buffer] = point_at(ctx, f, site).loops;
    }
}

const std::vector<Expr>& MemoryModel::loops_around(Buffer buffer) const {
    static const std::vector<Expr> none;
    const auto found = allocation_loops_.find(buffer);
    return found == allocation_loops_.end() ? none : found->second;
}

ClaimPoint claim_point(const MemoryModel& memory, const Site& site,
                       const std::vector<Expr>& extra) {
    ClaimPoint point{site, facts_at(memory.ctx(), memory.function(), site)};
    point.facts.insert(point.facts.end(), extra.begin(), extra.end());
    return point;
}

namespace {

Status check_witness(const Access& a, const Substitution& at) {
    for (Expr v : a.loops) {
        const auto it = at.find(v);
        if (it == at.end()) {
            return error("the witness for " + a.statement.str() + " gives no value for loop " +
                         *v->name);
        }
        if (it->second->type != v->type) {
            return error("the witness for loop " + *v->name + " has another type");
        }
    }
    if (!a.opaque.empty()) {
        return error("the statement at " + a.statement.str() +
                     " depends on a value read from memory (" + *a.opaque[0]->name + ")");
    }
    if (std::find(a.shifting.begin(), a.shifting.end(), true) != a.shifting.end()) {
        return error("the cell that " + a.statement.str() +
                     " touches depends on memory that the function writes");
    }
    return Unit{};
}

Result<Access> store_access(const MemoryModel& memory, const Witness& w) {
    const Access* a = find_store(memory.all(), w.statement);
    if (a == nullptr) return error("no store at " + w.statement.str());
    const Status ok = check_witness(*a, w.at);
    if (!ok) return ok.error();
    return *a;
}

Obligation claim(std::string purpose, std::vector<Expr> facts, Expr goal) {
    return Obligation{std::move(purpose), std::move(facts), goal};
}

// "goal cannot be": facts together with `more` are contradictory.
Obligation impossible(Context& ctx, std::string purpose, std::vector<Expr> facts,
                      const std::vector<Expr>& more) {
    for (Expr e : more) {
        if (!is_true(e)) facts.push_back(e);
    }
    return claim(std::move(purpose), std::move(facts), ctx.false_());
}

// Stores to `buffer` that may write one of `cells` after `from` and before `to`, ruled out one by
// one.
void no_store_between(const MemoryModel& memory, const std::vector<Expr>& facts, Buffer buffer,
                      const std::vector<Expr>& cell, const Instance& from, const Instance& to,
                      const std::string& purpose, std::vector<Obligation>& out) {
    Context& ctx = memory.ctx();
    for (const Access& other : memory.all()) {
        if (!other.is_store || other.buffer != buffer) continue;
        std::set<std::string> names = memory.taken_names();
        const Instance w = renamed(ctx, other, names);
        Expr after = may_be_before(ctx, from, w);
        Expr before = may_be_before(ctx, w, to);
        if (is_false(after) || is_false(before)) continue;
        out.push_back(impossible(ctx, purpose + " (store at " + other.statement.str() + ")", facts,
                                 {w.may(ctx), same_cell(ctx, cell, w.index(ctx)), after, before}));
    }
}

// Each iteration of the loops around an allocation has a buffer of its own: the witness speaks of
// the one that is in scope at the claim.
void same_allocation(const MemoryModel& memory, Buffer buffer, const Witness& witness,
                     std::vector<Expr>& goals) {
    for (Expr v : memory.loops_around(buffer)) {
        Expr at = substitute(memory.ctx(), v, witness.at);
        if (at != v) goals.push_back(memory.ctx().eq(at, v));
    }
}

}  // namespace

Result<Established> known_by_assume(const MemoryModel& memory, const ClaimPoint& point,
                                    const Witness& witness) {
    Context& ctx = memory.ctx();
    const Function& f = memory.function();
    const Result<Located> at = locate(f, witness.statement);
    if (!at) return at.error();
    const Assume* assume = at->stmt == nullptr ? nullptr : at->stmt->as<Assume>();
    if (assume == nullptr) return error("no assume at " + witness.statement.str());
    if (is_permission(assume->cond)) {
        return error("the assume at " + witness.statement.str() +
                         " is permission to read, not knowledge of a value",
                     "T.assume(p or B[i] == T.undef()) never gives an equation");
    }
    const Access position = point_at(ctx, f, witness.statement);
    const Status ok = check_witness(position, witness.at);
    if (!ok) return ok.error();
    for (Expr v : free_vars(assume->cond)) {
        const bool known = witness.at.count(v) != 0 || f.find_buffer_param(*v->name) != nullptr;
        const std::vector<Expr> scalars = f.scalar_params();
        if (!known && std::find(scalars.begin(), scalars.end(), v) == scalars.end()) {
            return error("the assume at " + witness.statement.str() + " speaks of " + *v->name +
                         ", which the witness does not give");
        }
    }
    if (has_op(assume->cond, Op::Let) || has_op(assume->cond, Op::CallExtern)) {
        return error("the assume at " + witness.statement.str() + " binds or calls something");
    }
    const Instance a{&position, witness.at, {}};
    const Access here_access = point_at(ctx, f, point.site);
    const Instance here = itself(here_access);
    Established out;
    std::vector<Expr> goals = {a.must(ctx), must_be_before(ctx, a, here)};
    for (Buffer b : loaded_buffers(assume->cond)) same_allocation(memory, b, witness, goals);
    out.obligations.push_back(claim("the assume at " + witness.statement.str() + " has run before",
                                    point.facts, ctx.all_of(goals)));
    Expr cond = substitute(ctx, assume->cond, witness.at);
    for_each_node(cond, [&](Expr e) {
        if (e->op != Op::Load) return;
        no_store_between(memory, point.facts, e->buffer,
                         std::vector<Expr>(e->args.begin(), e->args.end()), a, here,
                         "the assumed cell of " + e->buffer->name + " is not written in between",
                         out.obligations);
    });
    out.facts.push_back(cond);
    out.facts.push_back(definite(ctx, cond));
    return out;
}

Result<Established> written_before(const MemoryModel& memory, const ClaimPoint& point,
                                   Buffer buffer, const std::vector<Expr>& indices,
                                   const Witness& writer) {
    Context& ctx = memory.ctx();
    const Result<Access> store = store_access(memory, writer);
    if (!store) return store.error();
    if (store->buffer != buffer) return error("the witness writes " + store->buffer->name);
    const Instance w{&*store, writer.at, {}};
    const Access here = point_at(ctx, memory.function(), point.site);
    std::vector<Expr> goals = {w.must(ctx), same_cell(ctx, indices, w.index(ctx)),
                               must_be_before(ctx, w, itself(here))};
    same_allocation(memory, buffer, writer, goals);
    Established out;
    out.obligations.push_back(
        claim("the cell of " + buffer->name + " was written before, at " + writer.statement.str(),
              point.facts, ctx.all_of(goals)));
    return out;
}

Result<Established> last_write(const MemoryModel& memory, const ClaimPoint& point, Buffer buffer,
                               const std::vector<Expr>& indices, const Witness& writer) {
    Context& ctx = memory.ctx();
    Result<Established> out = written_before(memory, point, buffer, indices, writer);
    if (!out) return out;
    const Access store = *store_access(memory, writer);
    const Instance w{&store, writer.at, {}};
    const Access here = point_at(ctx, memory.function(), point.site);
    no_store_between(memory, point.facts, buffer, indices, w, itself(here),
                     "nothing overwrites the cell of " + buffer->name + " in between",
                     out->obligations);
    Expr value = w.value(ctx);
    for (Buffer b : loaded_buffers(value)) {
        if (stores_to(memory.function().body, b)) {
            return error("the value stored at " + writer.statement.str() + " reads " + b->name +
                         ", which may have changed since");
        }
    }
    if (has_op(value, Op::Undef) || has_op(value, Op::CallExtern)) {
        return error("the value stored at " + writer.statement.str() + " is not a known value");
    }
    Expr load = ctx.load(buffer, indices);
    Expr known = ctx.all_of({definite(ctx, value), settled(ctx, value)});
    Expr equal = ctx.all_of({ctx.same(load, value), ctx.defined(load)});
    out->facts.push_back(is_true(known) ? equal : ctx.implies(known, equal));
    return out;
}

Result<Established> store_invariant(const MemoryModel& memory, const ClaimPoint& point,
                                    const Invariant& invariant, const std::vector<Expr>& indices,
                                    const Witness& writer) {
    Context& ctx = memory.ctx();
    const auto holds = [&](Expr value) {
        return substitute(ctx, invariant.property, {{invariant.var, value}});
    };
    for (Expr v : free_vars(invariant.property)) {
        if (v != invariant.var) return error("an invariant speaks of the stored value only");
    }
    Result<Established> out = written_before(memory, point, invariant.buffer, indices, writer);
    if (!out) return out;
    for (const auto& [site, stmt] : all_statements(memory.function())) {
        const Store* store = stmt->as<Store>();
        if (store == nullptr || store->buffer != invariant.buffer) continue;
        if (store->value->op == Op::Undef) continue;  // an indeterminate value has every property
        if (has_op(store->value, Op::Undef)) {
            return error("the store at " + site.str() + " may store an undefined value");
        }
        ClaimPoint at_store = claim_point(memory, site);
        const auto covered = invariant.coverage.find(site);
        std::size_t next = 0;
        Status failed = Unit{};
        std::vector<Expr> induction;
        for_each_node(store->value, [&](Expr e) {
            if (e->op != Op::Load || e->buffer != invariant.buffer || !failed) return;
            const std::size_t k = next++;
            if (covered == invariant.coverage.end() || k >= covered->second.size()) return;
            Result<Established> before = written_before(
                memory, at_store, e->buffer, std::vector<Expr>(e->args.begin(), e->args.end()),
                covered->second[k]);
            if (!before) {
                failed = before.error();
                return;
            }
            for (Obligation& o : before->obligations) out->obligations.push_back(std::move(o));
            induction.push_back(ctx.implies(ctx.defined(e), holds(e)));
        });
        if (!failed) return failed.error();
        std::vector<Expr> facts = at_store.facts;
        facts.insert(facts.end(), induction.begin(), induction.end());
        Expr known = definite(ctx, store->value);
        if (!is_true(known)) facts.push_back(known);
        out->obligations.push_back(
            claim("every value stored to " + invariant.buffer->name +
                      " has the property (store at " + site.str() + ")",
                  facts, ctx.all_of({holds(store->value), settled(ctx, store->value)})));
    }
    // The last store may have been of an undefined value, of which nothing may be concluded.
    Expr load = ctx.load(invariant.buffer, indices);
    out->facts.push_back(ctx.implies(ctx.defined(load), holds(load)));
    return out;
}

namespace {

// One store that may be dead, and everything that could still see what it wrote.
class DeadStore {
  public:
    DeadStore(const MemoryModel& memory, const Access& store, std::vector<Expr> known,
              const Exempt& exempt)
        : memory_(memory),
          ctx_(memory.ctx()),
          store_(itself(store)),
          cell_(store_.index(ctx_)),
          known_(std::move(known)),
          exempt_(exempt) {}

    const std::vector<Expr>& known() const { return known_; }

    // `over` does overwrite the cell later.
    Expr overwrites(const Instance& over) const {
        return ctx_.all_of({over.must(ctx_), same_cell(ctx_, cell_, over.index(ctx_)),
                            must_be_before(ctx_, store_, over)});
    }

    // Nothing sees the cell before `over` (null: ever), where `when` holds.
    void unseen_before(const Instance* over, Expr when, std::vector<Obligation>& out) const {
        for (const Access& other : memory_.all()) {
            if (other.is_store || other.buffer != store_.access->buffer) continue;
            exclude(other, over, when, "the cell is not read at " + other.site.str(), true, out);
        }
        if (over == nullptr) return;
        for (const auto& [where, stmt] : all_statements(memory_.function())) {
            if (!stmt->is<Assert>()) continue;
            const Access stop = point_at(ctx_, memory_.function(), where);
            exclude(stop, over, when, "the function does not stop at " + where.str(), false, out);
        }
    }

  private:
    void exclude(const Access& other, const Instance* over, Expr when, const std::string& what,
                 bool is_load, std::vector<Obligation>& out) const {
        std::set<std::string> names = memory_.taken_names();
        const Instance l = renamed(ctx_, other, names);
        Expr after = may_be_before(ctx_, store_, l);
        Expr before = over != nullptr ? may_be_before(ctx_, l, *over) : ctx_.true_();
        if (is_false(after) || is_false(before)) return;
        std::vector<Expr> more = {when, l.may(ctx_), after, before};
        if (is_load) {
            more.push_back(same_cell(ctx_, cell_, l.index(ctx_)));
            if (exempt_) {
                Expr excused = exempt_(l);
                if (is_true(excused)) return;
                more.push_back(ctx_.not_(excused));
            }
        }
        out.push_back(impossible(ctx_, what + " before it is overwritten", known_, more));
    }

    const MemoryModel& memory_;
    Context& ctx_;
    Instance store_;
    std::vector<Expr> cell_;
    std::vector<Expr> known_;
    const Exempt& exempt_;
};

}  // namespace

Result<Established> dead_store(const MemoryModel& memory, const Site& site,
                               const std::vector<Expr>& facts, const std::vector<Witness>& writers,
                               const Exempt& exempt) {
    Context& ctx = memory.ctx();
    const Access* store = find_store(memory.all(), site);
    if (store == nullptr) return error("no store at " + site.str());
    if (writers.empty() && store->is_param) {
        return error(
            "what is stored to the parameter " + store->buffer->name + " is seen by the caller",
            "name a later store that overwrites it");
    }
    std::vector<Expr> known = facts;
    known.push_back(store->may);
    const DeadStore dead(memory, *store, known, exempt);
    Established out;
    if (writers.empty()) {
        dead.unseen_before(nullptr, ctx.true_(), out.obligations);
        return out;
    }
    std::vector<Access> later;
    for (const Witness& writer : writers) {
        Result<Access> found = store_access(memory, writer);
        if (!found) return found.error();
        if (found->buffer != store->buffer) {
            return error("the store at " + writer.statement.str() + " writes " +
                         found->buffer->name);
        }
        later.push_back(*std::move(found));
    }
    std::vector<Expr> overwritten;
    std::string where;
    for (std::size_t i = 0; i < writers.size(); ++i) {
        overwritten.push_back(dead.overwrites(Instance{&later[i], writers[i].at, {}}));
        where += (where.empty() ? "" : ", ") + writers[i].statement.str();
    }
    out.obligations.push_back(
        claim("the cell is overwritten later, at " + where, known, ctx.any_of(overwritten)));
    for (std::size_t i = 0; i < writers.size(); ++i) {
        const Instance over{&later[i], writers[i].at, {}};
        dead.unseen_before(&over, writers.size() == 1 ? ctx.true_() : overwritten[i],
                           out.obligations);
    }
    return out;
}

std::vector<Obligation> race_freedom(const MemoryModel& memory,
                                     const std::vector<const Access*>& newcomers,
                                     const std::function<Expr(const Instance&)>& condition) {
    Context& ctx = memory.ctx();
    std::vector<Obligation> out;
    for (const Access* a : newcomers) {
        for (std::size_t depth = 0; depth < a->order.size(); ++depth) {
            const OrderStep& loop = a->order[depth];
            if (loop.kind != OrderStep::Kind::Loop || !loop.concurrent) continue;
            const std::vector<Expr>& own = memory.loops_around(a->buffer);
            if (std::find(own.begin(), own.end(), loop.var) != own.end()) continue;
            for (const Access& b : memory.all()) {
                if (b.buffer != a->buffer || (!a->is_store && !b.is_store)) continue;
                const bool inside = b.order.size() > depth && b.order[depth].site == loop.site &&
                                    b.order[depth].kind == loop.kind;
                if (!inside) continue;
                std::set<std::string> names = memory.taken_names();
                Instance other = renamed(ctx, b, names);
                // Loops outside the concurrent one are at the same iteration.
                for (std::size_t k = 0; k < depth; ++k) {
                    if (a->order[k].kind == OrderStep::Kind::Loop) {
                        other.at[a->order[k].var] = a->order[k].var;
                    }
                }
                const Instance self = itself(*a);
                std::vector<Expr> facts = parameter_facts(ctx, memory.function());
                facts.push_back(a->may);
                if (condition) facts.push_back(condition(self));
                out.push_back(impossible(
                    ctx,
                    "no race on " + a->buffer->name + " between iterations of " + *loop.var->name +
                        " (with " + b.site.str() + ")",
                    facts,
                    {other.may(ctx), ctx.ne(loop.var, substitute(ctx, loop.var, other.at)),
                     same_cell(ctx, self.index(ctx), other.index(ctx))}));
            }
        }
    }
    return out;
}

}  // namespace proviso::analysis
