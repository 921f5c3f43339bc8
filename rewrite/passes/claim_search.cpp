#include "rewrite/passes/claim_search.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/memory/claim_parts.h"
#include "rewrite/passes/invariant_search.h"
#include "rewrite/passes/witness.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

std::vector<Expr> loops_around(const Function& f, const Site& site) {
    std::vector<Expr> out;
    for (const PassedNode& step : passed_on_the_way(f, site)) {
        const For* loop = step.stmt == nullptr ? nullptr : step.stmt->as<For>();
        if (loop != nullptr && step.label == "body") out.push_back(loop->var);
    }
    return out;
}

json witness_json(const Site& statement, const Substitution& at) {
    json values = json::object();
    for (const auto& [var, value] : at) values[*var->name] = print(value);
    return json{{"statement", statement.str()}, {"at", values}};
}

nlohmann::json StoreWitness::json() const {
    return witness_json(statement, at);
}

json witnesses_json(const std::vector<StoreWitness>& stores) {
    if (stores.size() == 1) return stores[0].json();
    json out = json::array();
    for (const StoreWitness& w : stores) out.push_back(w.json());
    return out;
}

json one_a_statement(const std::vector<StoreWitness>& stores) {
    json out = json::array();
    std::optional<Site> last;
    for (const StoreWitness& w : stores) {
        if (last && *last == w.statement) continue;
        last = w.statement;
        out.push_back(w.json());
    }
    return out;
}

bool all_proved(Prover& prover, const std::vector<Obligation>& obligations) {
    return std::all_of(obligations.begin(), obligations.end(), [&](const Obligation& o) {
        return prover.prove(o).verdict == Verdict::Proved;
    });
}

std::vector<StoreWitness> stores_touching(const MemoryModel& memory, Prover& prover, Buffer buffer,
                                          const std::vector<Expr>& cell, const Site& site,
                                          const std::vector<Site>& not_in) {
    std::vector<StoreWitness> out;
    const std::vector<Expr> shared = loops_around(memory.function(), site);
    for (const Access& a : memory.all()) {
        if (!a.is_store || a.buffer != buffer || plainly_apart(cell, a.indices)) continue;
        const bool excluded = std::any_of(not_in.begin(), not_in.end(),
                                          [&](const Site& s) { return s.contains(a.statement); });
        if (excluded) continue;
        for (const Substitution& at :
             iterations_touching(prover, memory.function(), a, cell, shared)) {
            out.push_back(StoreWitness{a.statement, at});
        }
    }
    return out;
}

std::vector<StoreWitness> later_stores(const MemoryModel& memory, Prover& prover, Buffer buffer,
                                       const std::vector<Expr>& cell, const Site& site,
                                       const std::vector<Site>& not_in) {
    Context& ctx = memory.ctx();
    const Access* here = find_store(memory.all(), site);
    const std::vector<Expr> facts = facts_at(ctx, memory.function(), site);
    std::vector<StoreWitness> out = stores_touching(memory, prover, buffer, cell, site, not_in);
    std::erase_if(out, [&](const StoreWitness& w) {
        const Access* other = find_store(memory.all(), w.statement);
        const Instance over{other, w.at, {}};
        Expr later = must_be_before(ctx, itself(*here), over);
        std::vector<GuardOnData> guards;
        Expr runs = happens(memory, over, site, guards);
        if (is_false(later) || is_false(runs)) return true;
        return prover.proves_cheaply(facts, ctx.not_(ctx.all_of({later, runs})));
    });
    return out;
}

std::vector<StoreWitness> stores_before(const MemoryModel& memory, Prover& prover, Buffer buffer,
                                        const std::vector<Expr>& cell, const Site& site,
                                        const std::vector<Expr>& extra, const Site& within) {
    constexpr std::size_t kMost = 4;
    const ClaimPoint point = claim_point(memory, site, extra);
    std::vector<StoreWitness> possible;
    std::vector<Witness> witnesses;
    const auto shown = [&](const std::vector<Witness>& by, bool cheaply) {
        const Result<Established> e = written_before(memory, point, buffer, cell, by);
        if (!e) return false;
        if (!cheaply) return all_proved(prover, e->obligations);
        return std::all_of(e->obligations.begin(), e->obligations.end(), [&](const Obligation& o) {
            return prover.proves_cheaply(o.facts, o.goal);
        });
    };
    for (const StoreWitness& w : stores_touching(memory, prover, buffer, cell, site, {})) {
        if (!within.contains(w.statement)) continue;
        const Witness plain{w.statement, w.at};
        const Result<Established> e = written_before(memory, point, buffer, cell, {plain});
        if (!e || e->obligations.empty() || is_false(e->obligations[0].goal)) continue;
        if (shown({plain}, true)) return {w};
        if (prover.proves_cheaply(point.facts, memory.ctx().not_(e->obligations[0].goal))) continue;
        possible.push_back(w);
        witnesses.push_back(plain);
    }
    for (std::size_t k = 0; k < possible.size() && k < kMost; ++k) {
        if (shown({witnesses[k]}, false)) return {possible[k]};
    }
    if (possible.size() > kMost) {
        possible.resize(kMost);
        witnesses.resize(kMost);
    }
    if (possible.size() > 1 && !shown(witnesses, false)) possible.resize(1);
    return possible;
}

std::optional<StoreWitness> written_before_witness(const MemoryModel& memory, Prover& prover,
                                                   Buffer buffer, const std::vector<Expr>& cell,
                                                   const Site& site, const std::vector<Expr>& extra,
                                                   const Site& within) {
    std::vector<StoreWitness> all =
        stores_before(memory, prover, buffer, cell, site, extra, within);
    if (all.empty()) {
        all = stores_touching(memory, prover, buffer, cell, site, {});
        std::erase_if(all, [&](const StoreWitness& w) { return !within.contains(w.statement); });
    }
    return all.empty() ? std::nullopt : std::optional<StoreWitness>(all[0]);
}

namespace {

// By an assumption.
bool is_spoken_of(const Function& f, Buffer buffer) {
    bool found = false;
    for_each_stmt(f.body, [&](Stmt s) {
        const Assume* n = s->as<Assume>();
        if (n == nullptr || found) return;
        const std::vector<Buffer> read = loaded_buffers(n->cond);
        found = std::find(read.begin(), read.end(), buffer) != read.end();
    });
    return found;
}

}  // namespace

std::vector<StoreWitness> assumptions_of(const MemoryModel& memory, Prover& prover, Expr load,
                                         const Site& site, std::size_t limit) {
    Context& ctx = memory.ctx();
    std::vector<StoreWitness> out;
    // Before the places are named, which takes as long as they are deep.
    if (!is_spoken_of(memory.function(), load->buffer)) return out;
    const std::vector<Expr> shared = loops_around(memory.function(), site);
    for (const auto& [where, stmt] : all_statements(memory.function())) {
        const Assume* assume = stmt->as<Assume>();
        if (assume == nullptr || is_permission(assume->cond)) continue;
        const std::size_t before = out.size();
        for_each_node(assume->cond, [&, at_site = where](Expr n) {
            if (n->op != Op::Load || n->buffer != load->buffer) return;
            Access position = point_at(ctx, memory.function(), at_site);
            position.indices.clear();
            for (Expr i : n->args) position.indices.push_back(substitute(ctx, i, position.lets));
            for (const Substitution& at :
                 iterations_touching(prover, memory.function(), position,
                                     {load->args.begin(), load->args.end()}, shared, limit)) {
                const bool known =
                    std::any_of(out.begin() + static_cast<std::ptrdiff_t>(before), out.end(),
                                [&](const StoreWitness& w) { return w.at == at; });
                if (!known) out.push_back(StoreWitness{at_site, at});
            }
        });
    }
    return out;
}

namespace {

// The search at one statement: each claim knows what those before it have established, as it will
// in the kernel.
class Search {
  public:
    Search(const MemoryModel& memory, Prover& prover, const Site& site, const ClaimOptions& options)
        : memory_(memory),
          ctx_(memory.ctx()),
          prover_(prover),
          site_(site),
          options_(options),
          point_(claim_point(memory, site, options.extra)),
          at_site_(point_.facts) {}

    KnownMemory run(Expr e) {
        constexpr std::size_t kMostLoads = 12;
        bindings(e);
        for (const Observation& o : options_.observations) observation(o);
        std::vector<Expr> loads;
        add_loads(e, loads);
        const std::size_t own = loads.size();
        const std::size_t most = std::max(own, kMostLoads);
        // What was stored may have been read elsewhere: through a buffer, and another one.
        for (std::size_t k = 0, facts = 0; k < loads.size() && k < most; ++k) {
            assumptions(loads[k]);
            // What an accumulator holds is no earlier stage's.
            const bool stored = stores_to(memory_.function().body, loads[k]->buffer);
            const bool accumulates = options_.of_itself && buffer_of_store() == loads[k]->buffer;
            if (options_.stored_values && stored && !accumulates) stored_values(loads[k]);
            for (; facts < out_.facts.size() && loads.size() < most; ++facts) {
                add_others(out_.facts[facts], most, loads);
            }
        }
        loads.resize(own);
        for (Expr load : loads) {
            const bool itself = buffer_of_store() == load->buffer;
            if (!options_.properties && !(options_.of_itself && itself)) continue;
            InvariantEffort effort = InvariantEffort::NotNegativeZero;
            if (options_.hope && is_float_arithmetic(e)) effort = InvariantEffort::Hoped;
            // Of a sum of floats, nothing else helps.
            if (options_.properties && !(itself && is_float_arithmetic(e))) {
                effort = InvariantEffort::All;
            }
            keep(invariant_claim(memory_, prover_, load, site_, point_.facts, options_.extra,
                                 effort, options_.found == nullptr ? found_ : *options_.found));
        }
        return std::move(out_);
    }

  private:
    using Attempt = std::function<Result<Established>(const ClaimPoint&)>;

    void keep(std::optional<KnownMemory> found) {
        if (!found) return;
        for (json& claim : found->claims) out_.claims.push_back(std::move(claim));
        out_.hoped |= found->hoped;
        for (Expr fact : found->facts) {
            out_.facts.push_back(fact);
            point_.facts.push_back(fact);
        }
    }

    // All of them. Once solvers have left a few questions open they are asked no more: what is
    // known of the cell is beyond them, and each takes its whole budget.
    bool proved(const std::vector<Obligation>& obligations) {
        constexpr int kMostOpen = 2;
        return std::all_of(obligations.begin(), obligations.end(), [&](const Obligation& o) {
            if (open_ >= kMostOpen) return prover_.proves_cheaply(o.facts, o.goal);
            const Verdict verdict = asked(o.facts, o.goal);
            open_ += verdict == Verdict::Unknown ? 1 : 0;
            return verdict == Verdict::Proved;
        });
    }

    // Which iteration stored to a cell has little to do with what was computed of floats before,
    // and solvers take very long over that: it is left out where the goal computes none.
    Verdict asked(const std::vector<Expr>& facts, Expr goal) {
        if (computes_floats(goal)) return prover_.prove(facts, goal).verdict;
        std::vector<Expr> plain;
        std::copy_if(facts.begin(), facts.end(), std::back_inserter(plain),
                     [](Expr fact) { return !computes_floats(fact); });
        return prover_.prove(plain, goal).verdict;
    }

    static bool computes_floats(Expr e) {
        bool found = false;
        for_each_node(e, [&](Expr n) {
            const bool reads = n->op == Op::Load || n->op == Op::Var;
            found |= n->type.is_float() && !reads && !n->args.empty();
        });
        return found;
    }

    // Proved as it is, or under the condition that the first obligation (the witness ran before)
    // asks for.
    bool shown(json claim, const Attempt& attempt) {
        claim["point"] = site_.str();
        Result<Established> e = attempt(point_);
        if (!e) return false;
        if (proved(e->obligations)) {
            keep(KnownMemory{{std::move(claim)}, e->facts, false});
            return true;
        }
        if (e->obligations.empty()) return false;
        Expr when = e->obligations[0].goal;
        if (is_false(when) || !plain(when)) return false;
        if (asked(point_.facts, ctx_.not_(when)) == Verdict::Proved) return false;
        ClaimPoint narrow = point_;
        narrow.facts.push_back(when);
        e = attempt(narrow);
        if (!e || !proved(e->obligations)) return false;
        claim["when"] = print(when);
        std::vector<Expr> facts;
        for (Expr fact : e->facts) facts.push_back(ctx_.implies(when, fact));
        keep(KnownMemory{{std::move(claim)}, facts, false});
        return false;  // others may say something where this one does not
    }

    // The buffer that the statement stores to; null: it is no store.
    Buffer buffer_of_store() const {
        const Store* store = locate(memory_.function(), site_)->stmt->as<Store>();
        return store == nullptr ? nullptr : store->buffer;
    }

    static bool is_float_arithmetic(Expr e) {
        return e->type.is_float() && (e->op == Op::Add || e->op == Op::Sub || e->op == Op::Mul);
    }

    static void add_loads(Expr e, std::vector<Expr>& loads) {
        for_each_node(e, [&](Expr n) {
            const bool known = std::find(loads.begin(), loads.end(), n) != loads.end();
            if (n->op == Op::Load && !known) loads.push_back(n);
        });
    }

    // Those that are of no cell in the list, however its index is spelled, until it has `most`.
    void add_others(Expr e, std::size_t most, std::vector<Expr>& loads) {
        std::vector<Expr> found;
        add_loads(e, found);
        for (Expr load : found) {
            if (loads.size() >= most) return;
            const bool known = std::any_of(loads.begin(), loads.end(), [&](Expr other) {
                if (other == load) return true;
                if (other->buffer != load->buffer) return false;
                if (plainly_apart({other->args.begin(), other->args.end()},
                                  {load->args.begin(), load->args.end()})) {
                    return false;
                }
                Expr same = same_cell(ctx_, {other->args.begin(), other->args.end()},
                                      {load->args.begin(), load->args.end()});
                return is_true(same) || prover_.proves_cheaply(at_site_, same);
            });
            if (!known) loads.push_back(load);
        }
    }

    static bool plain(Expr c) {
        for (Op op : {Op::Load, Op::CallExtern, Op::Undef, Op::Let, Op::Defined, Op::Same}) {
            if (has_op(c, op)) return false;
        }
        return true;
    }

    void bindings(Expr e) {
        const std::vector<Expr> free = free_vars(e);
        auto end = site_.steps.begin();
        for (const PassedNode& step : passed_on_the_way(memory_.function(), site_)) {
            const auto here = end++;
            const LetStmt* let = step.stmt == nullptr ? nullptr : step.stmt->as<LetStmt>();
            if (let == nullptr || step.label != "body") continue;
            if (std::find(free.begin(), free.end(), let->var) == free.end()) continue;
            const Site at{{site_.steps.begin(), here}};
            shown(json{{"kind", "binding"}, {"statement", at.str()}},
                  [&](const ClaimPoint& p) { return known_by_binding(memory_, p, at); });
        }
    }

    // What the statement read is as it was; or what it tells without that.
    void observation(const Observation& o) {
        for (const bool unchanged : {true, false}) {
            std::vector<Buffer> kept;
            json names = json::array();
            for (Buffer b : o.reads) {
                if (!unchanged || !stores_to(memory_.function().body, b)) continue;
                kept.push_back(b);
                names.push_back(b->name);
            }
            if (unchanged && kept.empty()) continue;
            const Witness w{o.statement, o.at};
            const Result<Established> tells = known_by_observation(memory_, point_, w, kept);
            if (!tells || is_false(tells->obligations[0].goal)) continue;
            const bool news = std::any_of(tells->facts.begin(), tells->facts.end(), [&](Expr fact) {
                return !prover_.proves_cheaply(point_.facts, fact);
            });
            if (!news) continue;
            json claim = witness_json(o.statement, o.at);
            claim["kind"] = "observed";
            if (!kept.empty()) claim["unchanged"] = names;
            const std::size_t before = out_.claims.size();
            shown(claim,
                  [&](const ClaimPoint& p) { return known_by_observation(memory_, p, w, kept); });
            if (out_.claims.size() != before) return;
        }
    }

    // One that says something, of each place where an assumption speaks of the buffer.
    void assumptions(Expr load) {
        std::vector<StoreWitness> all = assumptions_of(memory_, prover_, load, site_);
        for (std::size_t k = 0; k < all.size();) {
            std::size_t end = k;
            while (end < all.size() && all[end].statement == all[k].statement) ++end;
            assumption(all, k, end);
            k = end;
        }
    }

    void assumption(const std::vector<StoreWitness>& all, std::size_t first, std::size_t end) {
        const std::size_t before = out_.claims.size();
        for (std::size_t k = first; k < end; ++k) {
            json claim = all[k].json();
            claim["kind"] = "assume";
            const Attempt attempt = [&](const ClaimPoint& p) {
                return known_by_assume(memory_, p, Witness{all[k].statement, all[k].at});
            };
            if (shown(claim, attempt)) return;
        }
        for (std::size_t k = first; k < end; ++k) {
            if (!options_.hope || out_.claims.size() != before) break;
            // No hope where what it says comes too late.
            if (!may_have_run(all[k].statement, all[k].at)) continue;
            json claim = all[k].json();
            claim["kind"] = "assume";
            claim["point"] = site_.str();
            keep(KnownMemory{{std::move(claim)}, {}, true});
        }
    }

    bool may_have_run(const Site& where, const Substitution& at) {
        const Result<Established> e = known_by_assume(memory_, point_, Witness{where, at});
        if (!e || e->obligations.empty()) return false;
        Expr has_run = e->obligations[0].goal;
        return !is_false(has_run) && !prover_.proves_cheaply(point_.facts, ctx_.not_(has_run));
    }

    void stored_values(Expr load) {
        const std::vector<Expr> cell(load->args.begin(), load->args.end());
        json indices = json::array();
        for (Expr i : cell) indices.push_back(print(i));
        for (const StoreWitness& w :
             stores_touching(memory_, prover_, load->buffer, cell, site_, {})) {
            if (!may_be_last(load->buffer, cell, Witness{w.statement, w.at})) continue;
            const json claim = {{"kind", "last-write"},
                                {"buffer", load->buffer->name},
                                {"indices", indices},
                                {"writer", w.json()}};
            const bool always = shown(claim, [&](const ClaimPoint& p) {
                return last_write(memory_, p, load->buffer, cell, Witness{w.statement, w.at});
            });
            if (always) return;
        }
    }

    // What a claim of a last write owes first is proved, or would do as its condition. The rest is
    // as long as there are stores.
    bool may_be_last(Buffer buffer, const std::vector<Expr>& cell, const Witness& writer) {
        const Result<Established> e = written_before(memory_, point_, buffer, cell, {writer});
        if (!e) return false;
        const Obligation& before = e->obligations[0];
        if (!is_false(before.goal) && plain(before.goal)) return true;
        return asked(before.facts, before.goal) == Verdict::Proved;
    }

    const MemoryModel& memory_;
    Context& ctx_;
    Prover& prover_;
    const Site& site_;
    const ClaimOptions& options_;
    ClaimPoint point_;
    std::vector<Expr> at_site_;  // the facts there without what claims add
    KnownMemory out_;
    InvariantsFound found_;  // of this search alone
    int open_ = 0;           // questions that solvers have left open
};

}  // namespace

KnownMemory known_memory(const MemoryModel& memory, Prover& prover, Expr e, const Site& site,
                         const ClaimOptions& options) {
    return Search(memory, prover, site, options).run(e);
}

}  // namespace proviso::rewrite
