// Dead stores: what is overwritten, or leaves its scope, before anything sees it. And races, which
// ask the same questions of iterations that run beside each other.
#include <algorithm>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/memory/claim_parts.h"

namespace proviso::analysis {

using namespace ir;

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

    // `over` does overwrite the cell later. What its guards read stays as it is until then, which
    // is owed.
    Expr overwrites(const Instance& over, std::vector<Expr> goals,
                    std::vector<Obligation>& owed) const {
        std::vector<GuardOnData> guards;
        goals.push_back(happens(memory_, over, store_.access->statement, guards));
        goals.push_back(same_cell(ctx_, cell_, over.index(ctx_)));
        goals.push_back(must_be_before(ctx_, store_, over));
        Expr all = ctx_.all_of(goals);
        guards_unchanged(memory_, guards, over.at, store_.access->statement, true, known_, all,
                         owed);
        return all;
    }

    // Nothing sees the cell before `over` (null: ever), where `when` holds.
    void unseen_before(const Instance* over, Expr when, std::vector<Obligation>& out) const {
        for (const Access& other : memory_.all()) {
            if (other.is_store || other.buffer != store_.access->buffer) continue;
            if (plainly_apart(cell_, other.indices)) continue;
            exclude(other, over, when, "the cell is not read at " + other.site.str(), true, out);
        }
        if (over == nullptr || !contains_assert(memory_.function().body)) return;
        for (const auto& [where, stmt] : all_statements(memory_.function())) {
            if (!stmt->is<Assert>()) continue;
            const Access stop = point_at(ctx_, memory_.function(), where);
            exclude(stop, over, when, "the function does not stop at " + where.str(), false, out);
        }
    }

  private:
    void exclude(const Access& other, const Instance* over, Expr when, const std::string& what,
                 bool is_load, std::vector<Obligation>& out) const {
        TakenNames names = memory_.taken_names();
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
        out.push_back(impossible(
            ctx_,
            {Owed::Unseen, what + " before it is overwritten", other.site, store_.access->buffer},
            known_, more));
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
    std::vector<std::vector<Expr>> goals(writers.size());
    for (std::size_t i = 0; i < writers.size(); ++i) {
        Result<Access> found = store_access(memory, writers[i], site, goals[i]);
        if (!found) return found.error();
        if (found->buffer != store->buffer) {
            return error("the store at " + writers[i].statement.str() + " writes " +
                         found->buffer->name);
        }
        later.push_back(*std::move(found));
    }
    std::vector<Expr> overwritten;
    std::string where;
    std::vector<Obligation> owed;
    for (std::size_t i = 0; i < writers.size(); ++i) {
        const Instance over{&later[i], writers[i].at, {}};
        overwritten.push_back(dead.overwrites(over, goals[i], owed));
        where += (where.empty() ? "" : ", ") + writers[i].statement.str();
    }
    out.obligations.push_back(claim(
        {Owed::Overwritten, "the cell is overwritten later, at " + where, site, store->buffer},
        known, ctx.any_of(overwritten)));
    for (Obligation& o : owed) out.obligations.push_back(std::move(o));
    // The first writer that overwrites the cell is the one that counts.
    std::vector<Expr> none_before;
    for (std::size_t i = 0; i < writers.size(); ++i) {
        const Instance over{&later[i], writers[i].at, {}};
        std::vector<Expr> when = none_before;
        if (writers.size() > 1) when.push_back(overwritten[i]);
        dead.unseen_before(&over, ctx.all_of(when), out.obligations);
        none_before.push_back(ctx.not_(overwritten[i]));
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
            std::vector<const Access*> inside;
            for (const Access& b : memory.all()) {
                const bool is_inside =
                    b.order.size() > depth && b.order[depth].depth == loop.depth &&
                    common_steps(a->site, b.site) >= loop.depth && b.order[depth].kind == loop.kind;
                if (is_inside) inside.push_back(&b);
            }
            for_each_conflict({a}, inside, [&](const Access&, const Access& b) {
                TakenNames names = memory.taken_names();
                Instance other = renamed(ctx, b, names);
                // Loops outside the concurrent one are at the same iteration.
                for (std::size_t k = 0; k < depth; ++k) {
                    if (a->order[k].kind == OrderStep::Kind::Loop) {
                        other.at[a->order[k].var] = a->order[k].var;
                    }
                }
                const Instance self = itself(*a);
                std::vector<Expr> facts = meeting(ctx, self, other);
                facts.push_back(ctx.ne(loop.var, substitute(ctx, loop.var, other.at)));
                if (condition) facts.push_back(condition(self));
                out.push_back(
                    impossible(ctx,
                               {Owed::NoRace,
                                "no race on " + a->buffer->name + " between iterations of " +
                                    *loop.var->name + " (with " + b.site.str() + ")",
                                a->site, a->buffer},
                               parameter_facts(ctx, memory.function()), facts));
            });
        }
    }
    return out;
}

}  // namespace proviso::analysis
