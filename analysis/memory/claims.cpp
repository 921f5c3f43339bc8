#include "analysis/memory/claims.h"

#include <algorithm>
#include <deque>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/memory/claim_parts.h"

namespace proviso::analysis {

using namespace ir;

namespace {

void note_loops(Stmt s, std::vector<Expr>& loops, std::map<Buffer, std::vector<Expr>>& out) {
    if (const Allocate* a = s->as<Allocate>()) out[a->buffer] = loops;
    const For* loop = s->as<For>();
    if (loop != nullptr) loops.push_back(loop->var);
    for (const Child& c : children(s)) {
        if (c.stmt != nullptr) note_loops(c.stmt, loops, out);
    }
    if (loop != nullptr) loops.pop_back();
}

}  // namespace

std::shared_ptr<const MemoryModel::Of> MemoryModel::made_for(Context& ctx, const Function& f) {
    auto out = std::make_shared<Of>(Of{f, accesses(ctx, f), {}});
    std::vector<Expr> loops;
    note_loops(f.body, loops, out->allocation_loops);
    return out;
}

MemoryModel::MemoryModel(Context& ctx, const Function& f) : ctx_(ctx) {
    constexpr std::size_t most = 4;  // a step asks about the programs before it and after it
    auto& last = ctx.kept<std::deque<std::shared_ptr<const Of>>>();
    const auto found =
        std::find_if(last.begin(), last.end(), [&](const auto& of) { return of->function == f; });
    of_ = found != last.end() ? *found : made_for(ctx, f);
    if (found != last.end()) last.erase(found);
    last.push_front(of_);
    if (last.size() > most) last.pop_back();
}

std::vector<const Access*> MemoryModel::inside(const Site& site) const {
    const std::set<Buffer> own = allocated_buffers(locate(function(), site)->stmt);
    std::vector<const Access*> out;
    for (const Access& a : all()) {
        if (site.contains(a.statement) && own.count(a.buffer) == 0) out.push_back(&a);
    }
    return out;
}

const std::vector<Expr>& MemoryModel::loops_around(Buffer buffer) const {
    static const std::vector<Expr> none;
    const auto found = of_->allocation_loops.find(buffer);
    return found == of_->allocation_loops.end() ? none : found->second;
}

ClaimPoint claim_point(const MemoryModel& memory, const Site& site,
                       const std::vector<Expr>& extra) {
    ClaimPoint point{site, facts_at(memory.ctx(), memory.function(), site)};
    point.facts.insert(point.facts.end(), extra.begin(), extra.end());
    return point;
}

Result<AssumedBefore> assumed_before(const MemoryModel& memory, const Site& point,
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
    AssumedBefore out{point_at(ctx, f, witness.statement), nullptr, {}, {}};
    const Status ok = check_witness(ctx, out.position, witness.at, point, {}, out.goals);
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
    const Access here = point_at(ctx, f, point);
    const Instance a{&out.position, witness.at, {}};
    out.goals.push_back(happens(memory, a, point, out.guards));
    out.goals.push_back(must_be_before(ctx, a, itself(here)));
    for (Buffer b : loaded_buffers(assume->cond)) same_allocation(memory, b, witness, out.goals);
    out.cond = substitute(ctx, assume->cond, witness.at);
    return out;
}

Result<Established> known_by_assume(const MemoryModel& memory, const ClaimPoint& point,
                                    const Witness& witness) {
    Context& ctx = memory.ctx();
    const Result<AssumedBefore> assumed = assumed_before(memory, point.site, witness);
    if (!assumed) return assumed.error();
    const Access here = point_at(ctx, memory.function(), point.site);
    const Instance a{&assumed->position, witness.at, {}};
    Established out;
    out.obligations.push_back(
        claim({Owed::HasRun, "the assume at " + witness.statement.str() + " has run before",
               witness.statement},
              point.facts, ctx.all_of(assumed->goals)));
    guards_unchanged(memory, assumed->guards, witness.at, point.site, false, point.facts,
                     ctx.all_of(assumed->goals), out.obligations);
    for_each_node(assumed->cond, [&](Expr e) {
        if (e->op != Op::Load) return;
        no_store_between(memory, point.facts, e->buffer,
                         std::vector<Expr>(e->args.begin(), e->args.end()), a, itself(here),
                         "the assumed cell of " + e->buffer->name + " is not written in between",
                         out.obligations);
    });
    out.facts.push_back(assumed->cond);
    out.facts.push_back(definite(ctx, assumed->cond));
    return out;
}

Result<Established> known_by_binding(const MemoryModel& memory, const ClaimPoint& point,
                                     const Site& statement) {
    Context& ctx = memory.ctx();
    const Function& f = memory.function();
    const Result<Located> at = locate(f, statement);
    if (!at) return at.error();
    const LetStmt* let = at->stmt == nullptr ? nullptr : at->stmt->as<LetStmt>();
    if (let == nullptr) return error("no let at " + statement.str());
    if (!statement.child("body").contains(point.site)) {
        return error("the let at " + statement.str() + " is not around " + point.site.str());
    }
    if (has_any(let->value, {Op::Undef, Op::CallExtern, Op::Let})) {
        return error("the value bound at " + statement.str() + " is not a known value");
    }
    const Access start = point_at(ctx, f, statement);
    const Access end = point_at(ctx, f, point.site);
    Established out;
    for_each_node(let->value, [&](Expr e) {
        if (e->op != Op::Load) return;
        no_store_between(memory, point.facts, e->buffer, {e->args.begin(), e->args.end()},
                         itself(start), itself(end),
                         "what the name " + *let->var->name + " was read from is unchanged",
                         out.obligations);
    });
    // An indeterminate value is frozen when it is bound: then the name says nothing of the cell.
    Expr known = definite(ctx, let->value);
    Expr equal = ctx.same(let->var, let->value);
    out.facts.push_back(is_true(known) ? equal : ctx.implies(known, equal));
    for (Expr e : definedness_facts(ctx, f, {let->value})) out.facts.push_back(e);
    return out;
}

Result<WrittenBefore> has_written(const MemoryModel& memory, const ClaimPoint& point, Buffer buffer,
                                  const std::vector<Expr>& indices, const Witness& writer) {
    Context& ctx = memory.ctx();
    std::vector<Expr> goals;
    const Result<Access> store = store_access(memory, writer, point.site, goals);
    if (!store) return store.error();
    if (store->buffer != buffer) return error("the witness writes " + store->buffer->name);
    const Access here = point_at(ctx, memory.function(), point.site);
    const Instance w{&*store, writer.at, {}};
    std::vector<GuardOnData> guards;
    goals.push_back(happens(memory, w, point.site, guards));
    goals.push_back(same_cell(ctx, indices, w.index(ctx)));
    goals.push_back(must_be_before(ctx, w, itself(here)));
    same_allocation(memory, buffer, writer, goals);
    WrittenBefore out{ctx.all_of(goals), {}};
    guards_unchanged(memory, guards, writer.at, point.site, false, point.facts, out.goal, out.owed);
    return out;
}

Result<Established> written_before(const MemoryModel& memory, const ClaimPoint& point,
                                   Buffer buffer, const std::vector<Expr>& indices,
                                   const std::vector<Witness>& writers) {
    Context& ctx = memory.ctx();
    if (writers.empty()) return error("no store is named that has written " + buffer->name);
    std::vector<Expr> any;
    std::string where;
    Established out;
    for (const Witness& writer : writers) {
        Result<WrittenBefore> one = has_written(memory, point, buffer, indices, writer);
        if (!one) return one.error();
        any.push_back(one->goal);
        for (Obligation& o : one->owed) out.obligations.push_back(std::move(o));
        where += (where.empty() ? "" : ", ") + writer.statement.str();
    }
    out.obligations.insert(
        out.obligations.begin(),
        claim({Owed::WrittenBefore,
               "the cell of " + buffer->name + " was written before, at " + where, point.site,
               buffer},
              point.facts, any.size() == 1 ? any[0] : ctx.any_of(any)));
    return out;
}

namespace {

// What the stored value read is still there at the point: it is known as an expression of memory
// as it is now.
Status reads_the_same(const MemoryModel& memory, const ClaimPoint& point, Expr value,
                      const Instance& w, const Witness& writer, std::vector<Obligation>& out) {
    Context& ctx = memory.ctx();
    const std::string where = writer.statement.str();
    const Scope scope = scope_at(ctx, memory.function(), point.site);
    const Access here = point_at(ctx, memory.function(), point.site);
    std::vector<Expr> goals;
    for (Buffer b : loaded_buffers(value)) {
        const auto found = scope.buffers.find(b->name);
        if (found == scope.buffers.end() || found->second != b) {
            return error("the value stored at " + where + " reads " + b->name +
                         ", which is not in scope any more");
        }
        same_allocation(memory, b, writer, goals);
    }
    if (!goals.empty()) {
        out.push_back(claim({Owed::SameIteration,
                             "the value stored at " + where + " read the buffer that is in scope",
                             writer.statement},
                            point.facts, ctx.all_of(goals)));
    }
    for_each_node(value, [&](Expr e) {
        if (e->op != Op::Load || !stores_to(ctx, memory.function(), e->buffer)) return;
        const std::vector<Expr> cell(e->args.begin(), e->args.end());
        if (e->buffer == w.access->buffer) {  // the store comes just after the load
            out.push_back(
                impossible(ctx,
                           {Owed::Unchanged, "the store at " + where + " reads another cell",
                            writer.statement, e->buffer},
                           point.facts, {same_cell(ctx, cell, w.index(ctx))}));
        }
        no_store_between(
            memory, point.facts, e->buffer, cell, w, itself(here),
            "what the store at " + where + " read of " + e->buffer->name + " is unchanged", out);
    });
    return Unit{};
}

}  // namespace

Result<Established> last_write(const MemoryModel& memory, const ClaimPoint& point, Buffer buffer,
                               const std::vector<Expr>& indices, const Witness& writer) {
    Context& ctx = memory.ctx();
    Result<Established> out = written_before(memory, point, buffer, indices, {writer});
    if (!out) return out;
    std::vector<Expr> goals;
    const Access store = *find_store(memory.all(), writer.statement);
    const Status ok = check_witness(ctx, store, writer.at, point.site, {store.value}, goals);
    if (!ok) return ok.error();
    if (!goals.empty()) {
        out->obligations.push_back(
            claim({Owed::SameIteration,
                   "the value stored at " + writer.statement.str() + " is of this iteration",
                   writer.statement},
                  point.facts, ctx.all_of(goals)));
    }
    const Instance w{&store, writer.at, {}};
    const Access here = point_at(ctx, memory.function(), point.site);
    no_store_between(memory, point.facts, buffer, indices, w, itself(here),
                     "nothing overwrites the cell of " + buffer->name + " in between",
                     out->obligations);
    Expr value = w.value(ctx);
    const bool lets = has_op(value, Op::Let) && !loaded_buffers(value).empty();
    if (has_op(value, Op::Undef) || has_op(value, Op::CallExtern) || lets) {
        return error("the value stored at " + writer.statement.str() + " is not a known value");
    }
    const Status same = reads_the_same(memory, point, value, w, writer, out->obligations);
    if (!same) return same.error();
    // The cell is definite exactly where the value is, and then holds it.
    Expr load = ctx.load(buffer, indices);
    Expr known = ctx.all_of({definite(ctx, value), settled(ctx, value)});
    Expr equal = ctx.all_of({ctx.same(load, value), ctx.defined(load)});
    out->facts.push_back(is_true(known) ? equal : ctx.implies(known, equal));
    if (!is_true(known)) out->facts.push_back(ctx.implies(ctx.defined(load), definite(ctx, value)));
    for (Expr e : definedness_facts(ctx, memory.function(), {value})) out->facts.push_back(e);
    return out;
}

}  // namespace proviso::analysis
