// Store invariants: what every value stored to a buffer before a point has in common, proved store
// by store, by induction over execution. A store that runs before the point at no iteration owes
// nothing: those that do have read only what was stored before them, so before the point as well.
// The induction starts where the cell is stored to, or at an assumption that gives what it holds
// then the property:
//
//   for q in range(8): T.assume(0 <= A[q] and A[q] < 10)
//   for i in range(4): A[2 * i] = (A[2 * i] + 9) // 2         A[i] < 10 from here on, for every i
#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/facts/facts.h"
#include "analysis/facts/formula.h"
#include "analysis/facts/path.h"
#include "analysis/memory/claim_parts.h"
#include "ir/planted.h"
#include "ir/text.h"

namespace proviso::analysis {

using namespace ir;

namespace {

// "is not -0.0", or "has the property v < 10 of v": for people.
std::string in_words(const Invariant& invariant) {
    Expr p = invariant.property;
    const bool differs = p->op == Op::Not && p->arg(0)->op == Op::Same;
    if (differs && p->arg(0)->arg(0) == invariant.var && p->arg(0)->arg(1)->op == Op::FloatImm) {
        const double v = p->arg(0)->arg(1)->float_value();
        if (v == 0.0) return std::signbit(v) ? "is not -0.0" : "is not 0.0";
    }
    return "has the property " + print(p) + " of " + *invariant.var->name;
}

class InductiveStep {
  public:
    InductiveStep(const MemoryModel& memory, const Invariant& invariant, Established& out)
        : memory_(memory), ctx_(memory.ctx()), invariant_(invariant), out_(out) {}

    // The property of a value in a cell.
    Expr holds(Expr value, std::span<const Expr> cell) const {
        Substitution at = {{invariant_.var, value}};
        for (std::size_t d = 0; d < invariant_.index.size(); ++d) at[invariant_.index[d]] = cell[d];
        return substitute(ctx_, invariant_.property, at);
    }

    // Index variables stand for indices of their own type.
    Status fits(std::span<const Expr> cell) const {
        for (std::size_t d = 0; d < invariant_.index.size(); ++d) {
            if (cell[d]->type != invariant_.index[d]->type) {
                return error("the property speaks of an index of another type");
            }
        }
        return Unit{};
    }

    Status store(const Store& store, const Site& site) {
        const bool undefined = store.value->op == Op::Undef;
        if (undefined && !invariant_.definite) return Unit{};  // has every property
        if (has_op(store.value, Op::Undef)) {
            return error("the store at " + site.str() + " may store an undefined value");
        }
        if (const Status ok = fits(store.indices); !ok) return ok;
        const ClaimPoint here = claim_point(memory_, site);
        std::vector<Expr> facts = here.facts;
        const auto lemmas = invariant_.lemmas.find(site);
        if (lemmas != invariant_.lemmas.end()) {
            facts.insert(facts.end(), lemmas->second.begin(), lemmas->second.end());
        }
        Status loaded = hypotheses(store, site, here, facts);
        if (!loaded) return loaded;
        for (Expr e : definedness_facts(ctx_, memory_.function(), {store.value})) {
            facts.push_back(e);
        }
        Expr known = definite(ctx_, store.value);
        if (invariant_.definite && !is_true(known)) {
            out_.obligations.push_back(claim({Owed::Definite,
                                              "every value stored to " + invariant_.buffer->name +
                                                  " is definite (store at " + site.str() + ")",
                                              site, invariant_.buffer},
                                             facts, known));
        }
        if (!is_true(known)) facts.push_back(known);
        out_.obligations.push_back(claim(
            {Owed::Invariant,
             "every value stored to " + invariant_.buffer->name + " " + in_words(invariant_) +
                 " (store at " + site.str() + ")",
             site, invariant_.buffer},
            facts, ctx_.all_of({holds(store.value, store.indices), settled(ctx_, store.value)})));
        return Unit{};
    }

    // The cell was stored to before the point, or was assumed to have the property: each witness
    // may show it for its part of the cells.
    Result<Established> starts(const ClaimPoint& here, const std::vector<Expr>& cell,
                               const std::vector<Witness>& witnesses) const {
        if (const Status ok = fits(cell); !ok) return ok.error();
        if (witnesses.empty()) return error("no store has written " + invariant_.buffer->name);
        Established out;
        std::vector<Expr> any;
        std::string where;
        bool assumed = false;
        for (const Witness& w : witnesses) {
            const Result<Located> at = locate(memory_.function(), w.statement);
            const bool assume = at && at->stmt != nullptr && at->stmt->is<Assume>();
            Result<WrittenBefore> one =
                assume ? has_been_assumed(here, w)
                       : has_written(memory_, here, invariant_.buffer, cell, w);
            if (!one) return one.error();
            any.push_back(one->goal);
            for (Obligation& o : one->owed) out.obligations.push_back(std::move(o));
            where += (where.empty() ? "" : ", ") + w.statement.str();
            if (!assume) continue;
            assumed = true;
            Result<Obligation> gives = assumed_property(memory_, here, invariant_, cell, w);
            if (!gives) return gives.error();
            out.obligations.push_back(*std::move(gives));
        }
        const char* how =
            assumed ? " was written before, or assumed, at " : " was written before, at ";
        out.obligations.insert(
            out.obligations.begin(),
            claim({Owed::WrittenBefore, "the cell of " + invariant_.buffer->name + how + where,
                   here.site, invariant_.buffer},
                  here.facts, any.size() == 1 ? any[0] : ctx_.any_of(any)));
        return out;
    }

  private:
    Result<WrittenBefore> has_been_assumed(const ClaimPoint& here, const Witness& w) const {
        const Result<AssumedBefore> assumed = assumed_before(memory_, here.site, w);
        if (!assumed) return assumed.error();
        WrittenBefore out{ctx_.all_of(assumed->goals), {}};
        guards_unchanged(memory_, assumed->guards, w.at, here.site, false, here.facts, out.goal,
                         out.owed);
        return out;
    }

    // What the value reads of the buffer has the property, where it was stored or assumed before.
    Status hypotheses(const Store& store, const Site& site, const ClaimPoint& here,
                      std::vector<Expr>& facts) {
        const auto covered = invariant_.coverage.find(site);
        if (covered == invariant_.coverage.end()) return Unit{};
        std::size_t next = 0;
        Status failed = Unit{};
        for_each_node(store.value, [&](Expr e) {
            if (e->op != Op::Load || e->buffer != invariant_.buffer || !failed) return;
            const std::size_t k = next++;
            if (k >= covered->second.size() || covered->second[k].empty()) return;
            const std::vector<Expr> cell(e->args.begin(), e->args.end());
            Result<Established> before = starts(here, cell, covered->second[k]);
            if (!before) {
                failed = before.error();
                return;
            }
            for (Obligation& o : before->obligations) out_.obligations.push_back(std::move(o));
            const bool any = planted("claims:invariant-of-any-cell");
            Expr property = any ? holds(e, store.indices) : holds(e, cell);
            if (invariant_.definite) facts.push_back(ctx_.defined(e));
            facts.push_back(invariant_.definite ? property
                                                : ctx_.implies(ctx_.defined(e), property));
        });
        return failed;
    }

    const MemoryModel& memory_;
    Context& ctx_;
    const Invariant& invariant_;
    Established& out_;
};

}  // namespace

bool may_run_before(const MemoryModel& memory, const Site& store, const Site& point) {
    Context& ctx = memory.ctx();
    const Access* a = find_store(memory.all(), store);
    if (a == nullptr) return true;
    TakenNames names = memory.taken_names();
    // In a loop around both, what comes later in the body runs before the next iteration.
    const bool same = planted("claims:later-in-the-body");
    const Instance w = same ? itself(*a) : renamed(ctx, *a, names);
    const Access here = point_at(ctx, memory.function(), point);
    return !is_false(may_be_before(ctx, w, itself(here)));
}

Result<Obligation> assumed_property(const MemoryModel& memory, const ClaimPoint& point,
                                    const Invariant& invariant, const std::vector<Expr>& indices,
                                    const Witness& assume) {
    Context& ctx = memory.ctx();
    const auto reads_memory = [](Expr e) { return (e->within & kLoadWithin) != 0; };
    const bool moves = std::any_of(indices.begin(), indices.end(), reads_memory) ||
                       std::any_of(assume.at.begin(), assume.at.end(),
                                   [&](const auto& value) { return reads_memory(value.second); });
    if (moves) {
        return error("which cell the assume at " + assume.statement.str() +
                     " speaks of depends on memory");
    }
    const Result<AssumedBefore> assumed = assumed_before(memory, point.site, assume);
    if (!assumed) return assumed.error();
    // Loads in this obligation are those of the assumption's time: what is known of memory at the
    // point has no place in it.
    std::vector<Expr> facts;
    const auto add = [&](Expr e) {
        const bool now = reads_memory(e) && !planted("claims:memory-of-another-time");
        if (!now && !is_true(e)) facts.push_back(e);
    };
    for (Expr e : point.facts) add(e);
    for (Expr e : assumed->goals) add(e);
    facts.push_back(assumed->cond);
    facts.push_back(definite(ctx, assumed->cond));
    Established unused;
    const InductiveStep step(memory, invariant, unused);
    if (const Status ok = step.fits(indices); !ok) return ok.error();
    Expr first = ctx.load(invariant.buffer, indices);
    Expr goal = step.holds(first, indices);
    if (invariant.definite) goal = ctx.all_of({ctx.defined(first), goal});
    return claim({Owed::Assumed,
                  "the assume at " + assume.statement.str() + " gives the cell of " +
                      invariant.buffer->name + " the property: it " + in_words(invariant),
                  assume.statement, invariant.buffer},
                 std::move(facts), goal);
}

Result<Established> starts_of(const MemoryModel& memory, const ClaimPoint& point,
                              const Invariant& invariant, const std::vector<Expr>& indices,
                              const std::vector<Witness>& witnesses) {
    Established unused;
    return InductiveStep(memory, invariant, unused).starts(point, indices, witnesses);
}

Result<Established> store_invariant(const MemoryModel& memory, const ClaimPoint& point,
                                    const Invariant& invariant, const std::vector<Expr>& indices,
                                    const std::vector<Witness>& writers) {
    Context& ctx = memory.ctx();
    const std::vector<Expr> scalars = memory.function().scalar_params();
    for (Expr v : free_vars(invariant.property)) {
        const auto is = [&](const std::vector<Expr>& list) {
            return std::find(list.begin(), list.end(), v) != list.end();
        };
        if (v == invariant.var || is(invariant.index) || is(scalars)) continue;
        return error("an invariant speaks of the stored value, its cell and parameters only, not " +
                     *v->name);
    }
    if (!is_plain_term(invariant.property)) return error("an invariant reads no memory");
    Result<Established> out = starts_of(memory, point, invariant, indices, writers);
    if (!out) return out;
    InductiveStep step(memory, invariant, *out);
    for (const auto& [site, stmt] : all_statements(memory.function())) {
        const Store* store = stmt->as<Store>();
        if (store == nullptr || store->buffer != invariant.buffer) continue;
        if (!may_run_before(memory, site, point.site)) continue;
        const Status ok = step.store(*store, site);
        if (!ok) return ok.error();
    }
    // The last store may have been of an undefined value, of which nothing may be concluded.
    Expr load = ctx.load(invariant.buffer, indices);
    Expr property = step.holds(load, indices);
    if (invariant.definite) out->facts.push_back(ctx.defined(load));
    out->facts.push_back(invariant.definite ? property : ctx.implies(ctx.defined(load), property));
    return out;
}

}  // namespace proviso::analysis
