// remove_branching_through_overcompute: for each guard, says why every store under it goes
// unnoticed where the guard is false. A store is overwritten later (by whatever writes the
// padding), or writes what the cell holds already (adding a padding of zero to an accumulator).
// Which of the two, and with which witnesses, is guessed here.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/children.h"
#include "ir/text.h"
#include "rewrite/derived/guards/remove_guard.h"
#include "rewrite/passes/block_domains.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"

namespace proviso::rewrite {

using namespace ir;
using namespace analysis;
using nlohmann::json;

namespace {

// The ways in which one store may go unnoticed, and what they need to know.
struct StoreOptions {
    Site site;
    json dead;  // null: no store overwrites the cell
    json same;
    bool unreachable = false;  // does not run where the guard is false, whatever the strategy
    bool accumulates = false;  // adds to what the cell holds
    json claims;               // for `same`
    bool hoped = false;        // some of them were not proved
};

// How far claims are looked for: what can be proved easily; what sums would need, proved or not, so
// that a refusal says what is missing; and what all values of a buffer have in common.
enum class Effort : std::uint8_t { Usual, Hope, Properties };

// `outside`: the guard is false.
StoreOptions options_for(const MemoryModel& memory, Prover& prover, const Site& site,
                         const Store& store, const std::vector<Site>& scopes, Expr outside,
                         Effort effort) {
    StoreOptions out;
    out.site = site;
    const bool parameter = memory.function().find_buffer_param(store.buffer->name) == store.buffer;
    const json writers =
        one_a_statement(later_stores(memory, prover, store.buffer, store.indices, site, scopes));
    if (!writers.empty()) {
        out.dead = json{{"mode", "dead"}, {"writers", writers}};
    } else if (!parameter) {
        out.dead = json{{"mode", "dead"}};
    }
    out.same = json{{"mode", "same"}};
    const auto before = stores_before(memory, prover, store.buffer, store.indices, site, {outside});
    if (before.size() > 1) {
        out.same["writer"] = witnesses_json(before);
    } else if (const auto one = written_before_witness(memory, prover, store.buffer, store.indices,
                                                       site, {outside})) {
        out.same["writer"] = one->json();
    }
    ClaimOptions options;
    options.extra = {outside};
    options.hope = effort == Effort::Hope;
    options.properties = effort == Effort::Properties;
    const KnownMemory known = known_memory(memory, prover, store.value, site, options);
    out.claims = known.claims;
    out.hoped = known.hoped;
    return out;
}

// "Adds nothing" first for accumulators, all-dead first for others where something overwrites the
// cells: of two refutations the first is reported, and its hint should be the one to follow.
std::vector<json> strategies(const std::vector<StoreOptions>& stores, const json& fixed,
                             Effort effort) {
    std::vector<json> out;
    const bool all_dead = std::all_of(stores.begin(), stores.end(), [](const StoreOptions& s) {
        return s.unreachable || !s.dead.is_null();
    });
    const bool some_dead = std::any_of(stores.begin(), stores.end(),
                                       [](const StoreOptions& s) { return !s.dead.is_null(); });
    // Whether a store that is overwritten is safe to make may depend on what memory holds: the sum
    // of a padding of zeros stays in its type's range.
    const auto build = [&](const auto& use_dead, bool with_claims = false) {
        json how = json::object();
        json claims = json::array();
        for (const StoreOptions& s : stores) {
            if (s.unreachable) {
                how[s.site.str()] = json{{"mode", "unreachable"}};
                continue;
            }
            const bool dead = use_dead(s);
            how[s.site.str()] = dead ? s.dead : s.same;
            if (dead && !with_claims && effort != Effort::Properties) continue;
            for (const json& claim : s.claims) claims.push_back(claim);
        }
        json args = fixed;
        args["stores"] = how;
        if (!claims.empty()) args["claims"] = claims;
        out.push_back(std::move(args));
    };
    const bool accumulates = std::any_of(stores.begin(), stores.end(),
                                         [](const StoreOptions& s) { return s.accumulates; });
    const bool dead_first = all_dead && !accumulates && effort != Effort::Hope;
    if (dead_first) build([](const StoreOptions&) { return true; });
    if (dead_first && effort == Effort::Usual)
        build([](const StoreOptions&) { return true; }, true);
    build([](const StoreOptions&) { return false; });
    if (all_dead && accumulates) build([](const StoreOptions&) { return true; });
    if (some_dead && !all_dead) build([](const StoreOptions& s) { return !s.dead.is_null(); });
    return out;
}

// Some store in the scopes has a value that reads what the function stores, and is not just a sum
// or product that goes on.
bool reads_what_is_stored(const Function& f, const std::vector<Site>& scopes) {
    bool found = false;
    for (const Site& scope : scopes) {
        for_each_stmt(locate(f, scope)->stmt, [&](Stmt s) {
            const Store* store = s->as<Store>();
            if (store == nullptr) return;
            const bool goes_on = store->value->type.is_float() && store->value->op != Op::Max &&
                                 store->value->op != Op::Min;
            for (Buffer b : loaded_buffers(store->value)) {
                found |= stores_to(f.body, b) && !(goes_on && b == store->buffer);
            }
        });
    }
    return found;
}

// With their sites in the function; the scopes are statements beside each other, in their order.
std::vector<std::pair<Site, Stmt>> statements_in(const Function& f,
                                                 const std::vector<Site>& scopes) {
    std::vector<std::pair<Site, Stmt>> out;
    for (const Site& scope : scopes) {
        Function part;
        part.body = locate(f, scope)->stmt;
        for (auto& [below, s] : all_statements(part)) {
            Site site = scope;
            site.steps.insert(site.steps.end(), below.steps.begin(), below.steps.end());
            out.emplace_back(std::move(site), s);
        }
    }
    return out;
}

// As keep_more_telling orders them.
int rank(const Rejection& r) {
    if (!r.failed) return 0;
    return r.answer.verdict == Verdict::Refuted ? 2 : 1;
}

// Removes the guard, or those parts of it that `fixed` does not keep.
bool drop_parts(Proposer& p, const Site& site, const json& fixed, Effort effort,
                std::optional<Rejection>& why) {
    const Function f = p.current();
    const Result<GuardRemoved> removed = remove_guard(p.ctx(), f, site, fixed);
    if (!removed) {
        if (!why) why = Rejection{"drop-guard", site, "{}", removed.error(), {}, {}, {}, {}};
        return false;
    }
    if (effort == Effort::Properties && !reads_what_is_stored(removed->after, removed->scopes)) {
        return false;
    }
    const MemoryModel memory(p.ctx(), removed->after);
    std::vector<StoreOptions> stores;
    for (const auto& [where, s] : statements_in(removed->after, removed->scopes)) {
        const Store* store = s->as<Store>();
        if (store == nullptr) continue;
        stores.push_back(options_for(memory, p.prover(), where, *store, removed->scopes,
                                     p.ctx().not_(removed->guard), effort));
        const std::vector<Buffer> read = loaded_buffers(store->value);
        stores.back().accumulates =
            std::find(read.begin(), read.end(), store->buffer) != read.end();
        std::vector<Expr> facts = facts_at(p.ctx(), removed->after, where);
        facts.push_back(p.ctx().not_(removed->guard));
        stores.back().unreachable = p.prover().proves_cheaply(facts, p.ctx().false_());
    }
    const bool hoped = std::any_of(stores.begin(), stores.end(),
                                   [](const StoreOptions& s) { return s.hoped && s.accumulates; });
    if (effort == Effort::Hope && !hoped) return false;
    const std::vector<std::string> granted = f.licences();
    const bool finite = std::any_of(granted.begin(), granted.end(),
                                    [](const auto& l) { return l.rfind("finite(", 0) == 0; });
    for (const json& args : strategies(stores, fixed, effort)) {
        std::optional<Rejection> no;
        if (finite) {  // what needs no licence asks nothing of the caller
            json strict = args;
            strict["strict"] = true;
            if (p.try_apply("drop-guard", site, strict)) return true;
        }
        if (p.try_apply("drop-guard", site, args, &no)) return true;
        if (effort == Effort::Hope) {  // "adds nothing" is the first, and says what is missing
            if (!why || rank(*no) >= rank(*why)) why = std::move(no);
            break;
        }
        keep_more_telling(why, std::move(no));
    }
    return false;
}

}  // namespace

// The whole guard, or else one part of a conjunction: what makes extra work harmless may differ
// from part to part (a padded sum adds nothing, a padded result is overwritten).
bool drop_guard(Proposer& p, const Site& site, std::optional<Rejection>& why) {
    const Function f = p.current();
    Stmt stmt = locate(f, site)->stmt;
    const Block* block = stmt->as<Block>();
    json fixed = json::object();
    if (block != nullptr) {
        const json domains = wider_domains(p, site, *block);
        if (!domains.empty()) fixed["domains"] = domains;
    }
    if (drop_parts(p, site, fixed, Effort::Usual, why)) return true;
    if (drop_parts(p, site, fixed, Effort::Properties, why)) return true;
    Expr guard = block != nullptr ? block->predicate : stmt->as<IfElse>()->cond;
    const std::size_t parts = guard_parts(guard).size();
    for (std::size_t dropped = 0; parts > 1 && dropped < parts; ++dropped) {
        json keep = json::array();
        for (std::size_t k = 0; k < parts; ++k) {
            if (k != dropped) keep.push_back(k);
        }
        json partly = fixed;
        partly["keep"] = keep;
        for (const Effort effort : {Effort::Usual, Effort::Properties}) {
            if (drop_parts(p, site, partly, effort, why)) return true;
        }
    }
    return drop_parts(p, site, fixed, Effort::Hope, why);
}

namespace {

// acc + T.if_then_else(p, A[i], 0.0) * w by acc + A[i] * w: the arms are not equal bit for bit, as
// padding of zeros may hold -0.0, but the stored values are, where the accumulator is never -0.0.
bool drop_choice_in_store(Proposer& p, const Site& statement, Expr choice,
                          std::optional<Rejection>& why) {
    const Function f = p.current();
    const Store* store = locate(f, statement)->stmt->as<Store>();
    if (store == nullptr || store->value == choice || !store->value->type.is_float()) return false;
    // One attempt: solvers take long over such sums where they fail.
    const std::size_t arm = is_const(choice->arg(2)) ? 1 : 2;
    if (!is_const(choice->arg(3 - arm))) return false;
    const MemoryModel memory(p.ctx(), f);
    Expr to = rewrite_expr(p.ctx(), store->value,
                           [&](Expr e) { return e == choice ? choice->arg(arm) : e; });
    const json claims = known_memory(memory, p.prover(), to, statement).claims;
    if (claims.empty()) return false;
    std::optional<Rejection> no;
    const json args = {{"to", print(to)}, {"claims", claims}};
    if (p.try_apply("replace", statement.child("value"), args, &no)) return true;
    keep_more_telling(why, std::move(no));
    return false;
}

}  // namespace

// T.if_then_else(p, x, y) by one of its arms, where the other is undefined or equal by what memory
// is known to hold.
bool drop_choice(Proposer& p, const Site& site, std::optional<Rejection>& why) {
    const Function f = p.current();
    Expr e = locate(f, site)->expr;
    const Site statement = statement_around(f, site);
    if (locate(f, statement)->stmt->is<Assume>()) return false;
    const MemoryModel memory(p.ctx(), f);
    const json claims = known_memory(memory, p.prover(), e, statement).claims;
    for (std::size_t arm = 1; arm <= 2; ++arm) {
        json args = {{"to", print(e->arg(arm))}};
        if (!claims.empty()) args["claims"] = claims;
        std::optional<Rejection> no;
        if (p.try_apply("replace", site, args, &no)) return true;
        keep_more_telling(why, std::move(no));
    }
    return drop_choice_in_store(p, statement, e, why);
}

namespace {

// The branch has no else part that does anything.
bool only_then(const IfElse& branch) {
    const Seq* rest = branch.else_body == nullptr ? nullptr : branch.else_body->as<Seq>();
    return branch.else_body == nullptr || (rest != nullptr && rest->body.empty());
}

}  // namespace

// Either both stores are of one value, by what memory is known to hold, or the other one is not
// missed, and what is left is a guard. The branch stays as it is where it cannot go.
bool drop_alternative(Proposer& p, const Site& site, std::optional<Rejection>& why) {
    const std::size_t start = p.derivation().steps().size();
    std::optional<Rejection> no;
    if (!p.try_apply("merge-stores", site, json::object(), &no)) {
        keep_more_telling(why, std::move(no));
    } else if (drop_choice(p, site.child("value"), why)) {
        return true;
    }
    p.derivation().roll_back(start);
    const Site other = site.child("else");
    if (!locate(p.current(), other)->stmt->is<Store>()) return false;
    const MemoryModel memory(p.ctx(), p.current());
    std::optional<Rejection> stays;
    if (!drop_store(p, memory, other, stays)) return false;
    Stmt left = locate(p.current(), site)->stmt;
    const IfElse* guard = left->as<IfElse>();
    if (guard != nullptr && only_then(*guard) && drop_guard(p, site, why)) return true;
    p.derivation().roll_back(start);
    return false;
}

namespace {

std::optional<Site> first_choice(Expr e, const Site& site, const std::set<Site>& tried) {
    if (e->op == Op::IfThenElse && tried.count(site) == 0) return site;
    for (std::size_t i = 0; i < e->args.size(); ++i) {
        const auto found = first_choice(e->arg(i), site.child("a" + std::to_string(i)), tried);
        if (found) return found;
    }
    return std::nullopt;
}

// The first that can go, of those that were not tried.
bool drop_one_choice(Proposer& p, const std::string& block, std::set<Site>& tried) {
    const Function f = p.current();
    const PassScope scope(f, block);
    for (const auto& [site, stmt] : all_statements(f)) {
        if (!scope.contains(site)) continue;
        for (const Child& c : children(stmt)) {
            if (c.expr == nullptr) continue;
            while (const auto found = first_choice(c.expr, site.child(c.label), tried)) {
                std::optional<Rejection> why;
                if (drop_choice(p, *found, why)) return true;
                tried.insert(*found);
            }
        }
    }
    return false;
}

// Branches with an else part.
void alternatives(Proposer& p, const std::string& block, PassResult& out) {
    for (bool again = true; again;) {
        again = false;
        const Function f = p.current();
        const PassScope scope(f, block);
        for (const auto& [site, stmt] : all_statements(f)) {
            const IfElse* branch = stmt->as<IfElse>();
            if (branch == nullptr || only_then(*branch)) continue;
            if (!scope.contains(site)) continue;
            std::optional<Rejection> why;
            if (!drop_alternative(p, site, why)) {  // nothing has changed
                if (why && why->failed) out.stays.push_back(std::move(*why));
                continue;
            }
            again = true;  // a branch around this one may be one between two stores now
            ++out.steps;
            out.stays.clear();
            break;
        }
    }
}

}  // namespace

PassResult remove_branching_through_overcompute(Proposer& p, const std::string& block) {
    PassResult out;
    std::set<Site> tried;
    while (drop_one_choice(p, block, tried)) ++out.steps;
    alternatives(p, block, out);
    for (bool again = true; again;) {
        again = false;
        const Function f = p.current();
        const PassScope scope(f, block);
        for (const auto& [site, stmt] : all_statements(f)) {
            if (!scope.contains(site)) continue;
            const IfElse* branch = stmt->as<IfElse>();
            const Block* guarded = stmt->as<Block>();
            const bool candidate = (branch != nullptr && only_then(*branch)) ||
                                   (guarded != nullptr && !is_true(guarded->predicate));
            if (!candidate) continue;
            std::optional<Rejection> why;
            if (!drop_guard(p, site, why)) {  // nothing has changed
                if (why) out.refused.push_back(std::move(*why));
                continue;
            }
            again = true;  // sites may have moved
            ++out.steps;
            out.refused.clear();
            break;
        }
    }
    for (const Rejection& no : out.refused) p.derivation().record(no);
    return out;
}

}  // namespace proviso::rewrite
