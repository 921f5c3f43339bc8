// remove_no_op: tries, for each store, the three ways of `drop-store`; then, for each statement
// with stores in it, that they are missed by nobody but itself (`add-guard` with a condition that
// is false); then drops what is left without effect.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "analysis/memory/claim_parts.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/passes/structure.h"
#include "rewrite/rules/reschedule/left_out.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// Of later stores, so many are tried one by one, the nearest first; then all of them together.
constexpr std::size_t kMostTried = 8;

bool is_parameter(const Function& f, Buffer b) {
    return f.find_buffer_param(b->name) == b;
}

// Tries to drop one store. A refusal that tells more than those before it is kept where `why` is
// given; where nobody wants to know, what the rule will ask is asked of the model at hand first, as
// a refused step costs as much as an accepted one.
class StoreDropper {
  public:
    StoreDropper(Proposer& p, const MemoryModel& memory, const Site& site, const Store& store,
                 std::optional<Rejection>* why)
        : p_(p), memory_(memory), site_(site), store_(store), why_(why) {}

    // `gone`: stores of the model that the program has no longer.
    bool run(const std::set<Site>& gone) {
        if (store_.value->op == Op::Undef) return drop(json{{"mode", "indet"}});
        return drop_dead(gone) || drop_same(gone);
    }

  private:
    bool drop(const json& args) {
        std::optional<Rejection> no;
        if (p_.try_apply("drop-store", site_, args, &no)) return true;
        if (why_ != nullptr) keep_more_telling(*why_, std::move(no));
        return false;
    }

    const std::vector<Expr>& facts() {
        if (!facts_) facts_ = facts_at(p_.ctx(), memory_.function(), site_);
        return *facts_;
    }

    bool is_dead(const std::vector<StoreWitness>& later) {
        if (why_ != nullptr) return true;
        std::vector<Witness> writers;
        for (const StoreWitness& w : later) writers.push_back(Witness{w.statement, w.at});
        const Result<Established> e = dead_store(memory_, site_, facts(), writers, nullptr);
        return e.ok() && all_proved(p_.prover(), e->obligations);
    }

    bool drop_dead(const std::set<Site>& gone) {
        if (!is_parameter(p_.current(), store_.buffer) && is_dead({}) &&
            drop(json{{"mode", "dead"}})) {
            return true;
        }
        std::vector<StoreWitness> later =
            later_stores(memory_, p_.prover(), store_.buffer, store_.indices, site_, {site_});
        std::erase_if(later, [&](const StoreWitness& w) { return gone.count(w.statement) != 0; });
        for (std::size_t k = 0; k < later.size() && k < kMostTried; ++k) {
            if (is_dead({later[k]}) &&
                drop(json{{"mode", "dead"}, {"writers", {later[k].json()}}})) {
                return true;
            }
        }
        const json every = one_a_statement(later);
        return every.size() > 1 && drop(json{{"mode", "dead"}, {"writers", every}});
    }

    // Whether anything may be known of what the cell holds: somebody reads the buffer, and may have
    // found out; or this cell may have been written before, by a store that is not gone.
    bool may_be_known(const std::set<Site>& gone) {
        Context& ctx = p_.ctx();
        const Access here = point_at(ctx, memory_.function(), site_);
        for (const Access& a : memory_.all()) {
            if (a.buffer != store_.buffer) continue;
            if (!a.is_store) return true;
            if (gone.count(a.statement) != 0 || plainly_apart(store_.indices, a.indices)) continue;
            TakenNames names = memory_.taken_names();
            const Instance before = renamed(ctx, a, names);
            Expr earlier = may_be_before(ctx, before, itself(here));
            if (is_false(earlier)) continue;
            std::vector<Expr> all = facts();
            all.insert(all.end(), {before.may(ctx), earlier,
                                   same_cell(ctx, store_.indices, before.index(ctx))});
            if (!p_.prover().proves_cheaply(all, ctx.false_())) return true;
        }
        return p_.prover().proves_cheaply(facts(), ctx.false_());  // never runs: anything goes
    }

    bool drop_same(const std::set<Site>& gone) {
        if (why_ == nullptr && !may_be_known(gone)) return false;
        // What the cell holds, and what the value is.
        Expr cell = p_.ctx().load(store_.buffer, store_.indices);
        Expr both = p_.ctx().same(cell, store_.value);
        ClaimOptions options;
        options.found = &p_.invariants_found();
        options.of_itself = false;
        const KnownMemory known = known_memory(memory_, p_.prover(), both, site_, options);
        if (why_ == nullptr) {
            std::vector<Expr> all = facts();
            all.insert(all.end(), known.facts.begin(), known.facts.end());
            const Obligation o = holds_already(p_.ctx(), memory_.function(), store_, site_, all);
            if (p_.prover().prove(o).verdict != Verdict::Proved) return false;
        }
        return drop(json{{"mode", "same"}, {"claims", known.claims}});
    }

    Proposer& p_;
    const MemoryModel& memory_;
    const Site& site_;
    const Store& store_;
    std::optional<Rejection>* why_;
    std::optional<std::vector<Expr>> facts_;
};

// Tries each store once, in textual order, by one model of the program: what goes leaves the sites
// of all others as they are, and the kernel looks at the program as it is by then. Gives the number
// of those that went. A store that went may be why an earlier one had to stay: that is for the next
// sweep.
std::size_t drop_stores(Proposer& p, const std::string& block) {
    const Function f = p.current();
    const MemoryModel memory(p.ctx(), f);
    const PassScope scope(f, block);
    std::set<Site> gone;
    for (const auto& [site, stmt] : all_statements(f)) {
        const Store* store = stmt->as<Store>();
        if (store == nullptr || !scope.contains(site)) continue;
        if (StoreDropper(p, memory, site, *store, nullptr).run(gone)) gone.insert(site);
    }
    return gone.size();
}

using Statements = std::vector<std::pair<Site, Stmt>>;

// Why nobody misses what the statement at `nest` stores, if it does not run at all: each cell is
// overwritten by what comes after, or leaves its scope. Null: some store has no such reason.
std::optional<json> all_dead(Proposer& p, const MemoryModel& memory, const Statements& all,
                             std::size_t nest) {
    const Function& f = memory.function();
    const auto& [site, body] = all[nest];
    if (contains_assert(body) || contains_extern_call(body)) return std::nullopt;
    std::vector<Buffer> own;
    bool knows = false;
    for_each_stmt(body, [&](Stmt s) {
        if (const Allocate* n = s->as<Allocate>()) own.push_back(n->buffer);
        knows |= s->is<Assume>();
    });
    if (knows) return std::nullopt;
    json how = json::object();
    // What is below a statement follows it.
    for (std::size_t k = nest; k < all.size() && site.contains(all[k].first); ++k) {
        const auto& [where, s] = all[k];
        const Store* store = s->as<Store>();
        if (store == nullptr) continue;
        if (std::find(own.begin(), own.end(), store->buffer) != own.end()) continue;
        if (store->value->op == Op::Undef) {
            how[where.str()] = json{{"mode", "indet"}};
            continue;
        }
        const json writers = one_a_statement(
            later_stores(memory, p.prover(), store->buffer, store->indices, where, {site}));
        if (writers.empty() && is_parameter(f, store->buffer)) return std::nullopt;
        how[where.str()] = json{{"mode", "dead"}, {"writers", writers}};
    }
    if (how.empty()) return std::nullopt;
    return json{{"condition", "False"}, {"stores", how}};
}

// Whole loop nests, branches and blocks, each tried once: they may read what they wrote. What goes
// leaves one statement in its place, so the next one is found where it was.
std::size_t drop_nests(Proposer& p, const std::string& block) {
    std::size_t dropped = 0;
    std::size_t at = 0;
    for (bool again = true; again;) {
        again = false;
        const Function f = p.current();
        const MemoryModel memory(p.ctx(), f);
        const PassScope scope(f, block);
        const Statements all = all_statements(f);
        for (; at < all.size() && !again; ++at) {
            const auto& [site, stmt] = all[at];
            if (!stmt->is<For>() && !stmt->is<IfElse>() && !stmt->is<Block>()) continue;
            if (!scope.contains(site)) continue;
            const std::optional<json> why = all_dead(p, memory, all, at);
            if (!why || !p.try_apply("add-guard", site, *why)) continue;
            PROVISO_CHECK(p.try_apply("decide-branch", site, json::object()), "a branch on False");
            again = true;
            ++dropped;
        }
    }
    return dropped;
}

}  // namespace

bool drop_store(Proposer& p, const MemoryModel& memory, const Site& site,
                std::optional<Rejection>& why) {
    const Store store = *locate(p.current(), site)->stmt->as<Store>();
    return StoreDropper(p, memory, site, store, &why).run({});
}

bool drop_nest(Proposer& p, const Site& site, std::optional<Rejection>& why) {
    const MemoryModel& memory = p.memory();
    const Statements all = all_statements(p.current());
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const auto& entry) { return entry.first == site; });
    const auto dead = all_dead(p, memory, all, static_cast<std::size_t>(at - all.begin()));
    std::optional<Rejection> no;
    if (!dead || !p.try_apply("add-guard", site, *dead, &no)) {
        if (!no) {
            no = Rejection{};
            no->rule = "add-guard";
            no->site = site;
            no->diagnostic = error("what the statement at " + site.str() + " stores may be missed");
        }
        keep_more_telling(why, std::move(no));
        return false;
    }
    PROVISO_CHECK(p.try_apply("decide-branch", site, json::object()), "a branch on False");
    return true;
}

PassResult remove_no_op(Proposer& p, const std::string& block) {
    PassResult out;
    // A pass over a stage that disappears ends there: without its block, the scope is gone.
    for (bool again = true; again;) {
        const std::size_t dropped = drop_stores(p, block);
        out.steps += dropped;
        again = dropped != 0;
        if (again) continue;
        const std::size_t nests = drop_nests(p, block);
        out.steps += 2 * nests;
        again = nests != 0;
    }
    out.steps += decide_structure(p, block, StructureOptions{});
    return out;
}

}  // namespace proviso::rewrite
