#include "verify/check/map/map.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/facts/facts.h"
#include "analysis/facts/path.h"
#include "ir/child_at.h"
#include "ir/text.h"
#include "rewrite/passes/claim_search.h"
#include "rewrite/passes/passes.h"
#include "rewrite/rules/fresh_copy.h"
#include "rewrite/schedule/restated.h"
#include "verify/check/map/carried.h"
#include "verify/check/map/instances.h"
#include "verify/check/map/spelling.h"

namespace proviso::verify {

using namespace ir;
using namespace rewrite;

namespace {

constexpr std::size_t kMostInstances = 3;  // of instances
constexpr std::size_t kMostPairs = 4096;   // of leaves that may correspond

// A leaf of the old text (`was`) some of whose instances are those of one of the new text (`is`).
struct Pair {
    std::size_t was, is;
    Substitution from, to;
    Expr when = nullptr;   // instances of `was` that go there
    Expr where = nullptr;  // instances of `is` that come from there
};

class Mapper {
  public:
    Mapper(Proposer& p, const Site& root, Stmt target, std::vector<std::string>& tried)
        : p_(p),
          ctx_(p.ctx()),
          root_(root),
          target_(target),
          tried_(tried),
          solver_(p.prover(), analysis::parameter_facts(p.ctx(), p.current())) {}

    bool run() {
        now_ = leaves_of(ctx_, target_);
        was_ = leaves_of(ctx_, old_text());
        carried_ = take_carried(was_, now_);
        if (now_.size() > kMostLeaves || was_.size() > kMostLeaves) {
            return fails(fmt::format("limit: a text has more than {} leaves", kMostLeaves));
        }
        for (const bool in_order : {true, false}) {
            const auto relation = related(in_order);
            if (!relation) return false;
            if (relation->size() > kMostPairs) {
                return fails(fmt::format("limit: leaves may correspond in {} ways, and {} at most",
                                         relation->size(), kMostPairs));
            }
            if (!in_order && *relation == first_) break;
            first_ = *relation;
            for (std::size_t guess = 0; guess < kMostInstances; ++guess) {
                const auto pairs = instances(*relation, guess);
                if (!pairs) break;
                if (attempt(*pairs)) return true;
            }
        }
        return false;
    }

  private:
    using Relation = std::vector<std::pair<std::size_t, std::size_t>>;

    Stmt old_text() const { return locate(p_.current(), root_)->stmt; }

    bool fails(std::string why) {
        if (std::find(tried_.begin(), tried_.end(), why) == tried_.end()) {
            tried_.push_back(std::move(why));
        }
        return false;
    }

    // Leaves that may correspond. `in_order`: as many on both sides correspond one by one.
    std::optional<Relation> related(bool in_order) {
        using Groups = std::map<std::string, std::pair<std::vector<std::size_t>,  // was
                                                       std::vector<std::size_t>>>;
        const auto grouped = [&](std::string (*key)(Stmt)) {
            Groups out;
            for (const Leaf& l : was_) out[key(l.stmt)].first.push_back(l.number);
            for (const Leaf& l : now_) out[key(l.stmt)].second.push_back(l.number);
            return out;
        };
        const auto complete = [](const Groups& g) {
            return std::all_of(g.begin(), g.end(), [](const auto& one) {
                return !one.second.first.empty() && !one.second.second.empty();
            });
        };
        Groups groups = grouped(shape_of);
        if (!complete(groups)) groups = grouped(weak_shape_of);
        for (const auto& [key, both] : groups) {
            if (both.second.empty()) {
                fails("nothing in the second program is " + told(was_[both.first.front()]));
                return std::nullopt;
            }
            if (both.first.empty()) {
                fails("nothing in the first program is " + told(now_[both.second.front()]));
                return std::nullopt;
            }
        }
        Relation out;
        for (const auto& [key, both] : groups) {
            const auto& [a, b] = both;
            bool one_by_one = in_order && a.size() == b.size();
            for (std::size_t k = 0; one_by_one && k < a.size(); ++k) {
                one_by_one = may_meet(was_[a[k]], now_[b[k]]);
            }
            if (one_by_one) {
                for (std::size_t k = 0; k < a.size(); ++k) out.emplace_back(a[k], b[k]);
                continue;
            }
            for (std::size_t was : a) {
                for (std::size_t is : b) {
                    if (may_meet(was_[was], now_[is])) out.emplace_back(was, is);
                }
            }
        }
        std::sort(out.begin(), out.end());
        return out;
    }

    // They store to one cell perhaps: no index is one constant here and another one there.
    static bool may_meet(const Leaf& a, const Leaf& b) {
        const IndexPairs pairs = index_pairs(a.stmt, b.stmt);
        return std::none_of(pairs.stored.begin(), pairs.stored.end(), [](const auto& pair) {
            return is_int_const(pair.first) && is_int_const(pair.second) &&
                   pair.first != pair.second;
        });
    }

    static std::string told(const Leaf& leaf) {
        std::string text = print(leaf.stmt);
        text = text.substr(0, text.find('\n'));
        constexpr std::size_t most = 70;
        return "`" + (text.size() > most ? text.substr(0, most) + "…" : text) + "`";
    }

    // Null: there are no further guesses, or none at all.
    std::optional<std::vector<Pair>> instances(const Relation& relation, std::size_t guess) {
        std::vector<Pair> out;
        bool further = guess == 0;
        std::map<std::size_t, std::size_t> places, origins;
        for (const auto& [was, is] : relation) {
            ++places[was];
            ++origins[is];
        }
        for (const auto& [was, is] : relation) {
            const Leaf& a = was_[was];
            const Leaf& b = now_[is];
            const auto from = solver_.values(a, b);
            const auto to = solver_.values(b, a);
            const bool one = places[was] == 1 && origins[is] == 1;
            if (from.empty() || to.empty()) {
                if (!one) continue;
                fails(fmt::format("which iteration of {} is one of {} was not found", told(b),
                                  told(a)));
                return std::nullopt;
            }
            further |= guess < from.size() || guess < to.size();
            Pair p{was, is, from[std::min(guess, from.size() - 1)],
                   to[std::min(guess, to.size() - 1)]};
            p.when = solver_.condition(b, p.to, a, p.from);
            p.where = solver_.condition(a, p.from, b, p.to);
            if (!is_false(p.where) && !is_false(p.when)) out.push_back(std::move(p));
        }
        if (!further) return std::nullopt;
        keep_apart(out);
        return out;
    }

    // Of two places of one instance, the later one has it: what the earlier one stores is
    // overwritten, if the second program is right.
    void keep_apart(std::vector<Pair>& pairs) {
        for (Pair& p : pairs) {
            for (const Pair& q : pairs) {
                if (p.was != q.was || p.is >= q.is) continue;
                std::vector<Expr> facts = facts_of(was_[p.was]);
                facts.push_back(p.when);
                facts.push_back(q.when);
                if (proves(facts, ctx_.false_())) continue;
                Expr other = ctx_.not_(q.when);
                p.when = ctx_.and_(p.when, other);
                p.where = solver_.simplified(ctx_.and_(p.where, substitute(ctx_, other, p.from)),
                                             now_[p.is]);
            }
            p.when = solver_.simplified(p.when, was_[p.was]);
        }
        std::erase_if(pairs, [](const Pair& p) { return is_false(p.when) || is_false(p.where); });
    }

    bool attempt(std::vector<Pair> pairs) {
        const std::size_t start = p_.derivation().steps().size();
        if (apply(std::move(pairs))) return true;
        p_.derivation().roll_back(start);
        return false;
    }

    bool apply(std::vector<Pair> pairs) {
        std::vector<Leaf> was = was_;
        if (!leave_out(pairs, was) || !separate(pairs, was)) return false;
        std::map<std::size_t, std::vector<const Pair*>> by_place;
        std::map<std::size_t, std::size_t> places_of;
        for (const Pair& p : pairs) {
            by_place[p.is].push_back(&p);
            ++places_of[p.was];
        }
        Restated r;
        r.after = target_;
        std::vector<Site> guards;
        std::vector<Site> places(now_.size());
        std::vector<Site> assumptions;
        std::vector<Stmt> origins;  // of the parts
        for (const auto& [is, from] : by_place) {
            const Leaf& leaf = now_[is];
            std::vector<Expr> where;
            for (const Pair* p : from) where.push_back(p->where);
            Expr guard = ctx_.any_of(where);
            if (from.size() > 1 && holds(guard, leaf)) guard = ctx_.true_();
            Stmt text = leaf.stmt;
            if (from.size() == 1) {
                text = substitute(ctx_, was[from[0]->was].stmt, from[0]->from);
                if (Stmt named = with_names_of(ctx_, text, leaf.stmt)) text = named;
            }
            places[is] = leaf.at;
            const auto carried = carried_.find(from[0]->was);
            const bool carries = from.size() == 1 && carried != carried_.end();
            if (carries || !is_true(guard)) {
                places[is] = leaf.at.child("then");
                guards.push_back(leaf.at);
            }
            if (carries) {
                std::vector<Stmt> list;
                for (const Leaf& one : carried->second) {
                    assumptions.push_back(places[is].child(std::to_string(list.size())));
                    list.push_back(substitute(ctx_, one.stmt, from[0]->from));
                    r.parts.push_back(
                        part_of(*from[0], assumptions.back(), one.at, places_of[from[0]->was] > 1));
                    origins.push_back(one.stmt);
                }
                places[is] = places[is].child(std::to_string(list.size()));
                list.push_back(text);
                text = ctx_.seq(list);
            }
            if (places[is] != leaf.at) text = ctx_.if_(guard, text);
            r.after = with_statement(ctx_, r.after, leaf.at, text);
        }
        for (const Pair& p : pairs) {
            r.parts.push_back(part_of(p, places[p.is], was[p.was].at, places_of[p.was] > 1));
            if (by_place[p.is].size() > 1) r.parts.back().where = p.where;
            origins.push_back(was[p.was].stmt);
        }
        for (std::size_t a = 0; a < r.parts.size(); ++a) {
            for (std::size_t b = a; b < r.parts.size(); ++b) {
                if (may_move(origins[a]) && may_move(origins[b])) r.apart.emplace(a, b);
            }
        }
        return put(r) && spell_leaves(by_place, places, was) && drop_assumptions(assumptions) &&
               drop_guards(guards);
    }

    static Part part_of(const Pair& p, const Site& now, const Site& origin, bool one_of_several) {
        return {now, origin, p.from, p.to, one_of_several ? p.when : nullptr, nullptr};
    }

    // What came along in front of leaves has told what it knows.
    bool drop_assumptions(const std::vector<Site>& all) {
        for (auto at = all.rbegin(); at != all.rend(); ++at) {
            if (!step("lower-assume", below(*at), nlohmann::json::object(), "an assumption")) {
                return false;
            }
        }
        return true;
    }

    // The step; with sums in any order only where that is needed.
    bool put(Restated& r) {
        const Stmt old = old_text();
        if (step("restate", root_, restate_arguments(old, r), "the map of iterations")) return true;
        if (!p_.current().has_licence("reassociate")) return false;
        r.reassociate = true;
        return step("restate", root_, restate_arguments(old, r),
                    "the map of iterations, with sums in any order");
    }

    bool spell_leaves(const std::map<std::size_t, std::vector<const Pair*>>& by_place,
                      const std::vector<Site>& places, const std::vector<Leaf>& was) {
        for (const auto& [is, from] : by_place) {
            if (spell(p_, below(places[is]), now_[is].stmt, why_)) continue;
            return fails(
                fmt::format("{} as {}: {}", told(was[from[0]->was]), told(now_[is]), reason()));
        }
        return true;
    }

    bool drop_guards(const std::vector<Site>& guards) {
        for (const Site& guard : guards) {
            std::optional<Rejection> no;
            const Result<Located> at = locate(p_.current(), below(guard));
            const IfElse* branch = at ? at->as<IfElse>() : nullptr;
            if (branch == nullptr) continue;
            Expr cond = branch->cond;
            if (is_true(cond)
                    ? p_.try_apply("decide-branch", below(guard), nlohmann::json::object(), &no)
                    : drop_guard(p_, below(guard), no)) {
                continue;
            }
            why_ = std::move(no);
            return fails(
                fmt::format("iterations that the first program does not have, where `{}` "
                            "is false, may be noticed: {}",
                            print(cond), reason()));
        }
        return true;
    }

    // Instances that have no place in the new text get a guard that leaves them out, where nobody
    // misses them.
    bool leave_out(const std::vector<Pair>& pairs, std::vector<Leaf>& was) {
        for (Leaf& leaf : was) {
            std::vector<Expr> goes;
            for (const Pair& p : pairs) {
                if (p.was == leaf.number) goes.push_back(p.when);
            }
            Expr condition = ctx_.any_of(goes);
            const Store* store = leaf.stmt->as<Store>();
            if (store == nullptr || is_false(condition) || holds(condition, leaf)) continue;
            const Site at = below(leaf.at);
            const nlohmann::json later = one_a_statement(
                later_stores(p_.memory(), p_.prover(), store->buffer, store->indices, at, {at}));
            nlohmann::json how = {{"mode", "dead"}};
            if (!later.empty()) how["writers"] = later;
            const nlohmann::json args = {{"condition", print(condition)},
                                         {"stores", {{at.str(), how}}}};
            if (!step("add-guard", at, args,
                      fmt::format("where `{}` is false, the second program does not run {}",
                                  print(condition), told(leaf)))) {
                return false;
            }
            leaf.at = leaf.at.child("then");
            leaf.conditions.push_back(condition);
        }
        return true;
    }

    // Where several leaves come to one place, each becomes one in the words of the new text, for
    // each of its places.
    bool separate(std::vector<Pair>& pairs, std::vector<Leaf>& was) {
        std::map<std::size_t, std::size_t> origins;
        for (const Pair& p : pairs) ++origins[p.is];
        for (std::size_t k = 0, count = was.size(); k < count; ++k) {
            std::vector<Pair*> mine;
            bool shares = false;
            for (Pair& p : pairs) {
                if (p.was != k) continue;
                mine.push_back(&p);
                shares = shares || origins[p.is] > 1;
            }
            if (shares && !copies(mine, was)) return false;
        }
        return true;
    }

    // A leaf as a chain of branches with a copy for each of these pairs, under lets that bind what
    // the variables around the new leaf are; each copy is spelled as the new leaf is.
    //
    //   B[j + h] = A[h + j]      →      v = j + h; B[v] = A[v]
    bool copies(const std::vector<Pair*>& mine, std::vector<Leaf>& was) {
        const Leaf leaf = was[mine[0]->was];
        std::set<std::string> used = bound_names(p_.current());
        for (const std::string& name : bound_names(target_)) used.insert(name);
        Restated r;
        std::vector<Stmt> texts;
        std::vector<Leaf> made;
        for (std::size_t k = 0; k < mine.size(); ++k) {
            Pair& p = *mine[k];
            Leaf copy = leaf;
            Part part;
            for (std::size_t up = 0; up < k; ++up) part.now = part.now.child("else");
            if (k + 1 < mine.size()) part.now = part.now.child("then");
            if (mine.size() > 1) {
                part.when = p.when;
                copy.conditions.push_back(p.when);
            }
            std::vector<std::pair<Expr, Expr>> lets;
            Substitution names;
            for (const Binder& v : now_[p.is].binders) {
                Expr w = ctx_.var(fresh_name(*v.var->name + "_was", used), v.var->type);
                names[v.var] = w;
                lets.emplace_back(w, p.to.at(v.var));
                part.to[w] = p.to.at(v.var);
                part.now = part.now.child("body");
                p.from[w] = v.var;
            }
            Stmt text = leaf.stmt;
            for (auto let = lets.rbegin(); let != lets.rend(); ++let) {
                text = ctx_.stmt(LetStmt{let->first, let->second, text});
            }
            texts.push_back(text);
            copy.at.steps.insert(copy.at.steps.end(), part.now.steps.begin(), part.now.steps.end());
            copy.stmt = substitute(ctx_, now_[p.is].stmt, names);
            made.push_back(std::move(copy));
            r.parts.push_back(std::move(part));
        }
        r.after = texts.back();
        for (std::size_t k = texts.size() - 1; k-- > 0;) {
            r.after = ctx_.if_(mine[k]->when, texts[k], r.after);
        }
        if (r.after != leaf.stmt &&
            !step("restate", below(leaf.at), restate_arguments(leaf.stmt, r),
                  "parts of " + told(leaf))) {
            return false;
        }
        for (std::size_t k = 0; k < mine.size(); ++k) {
            if (!spell(p_, below(made[k].at), made[k].stmt, why_)) {
                return fails(
                    fmt::format("{} as {}: {}", told(leaf), told(now_[mine[k]->is]), reason()));
            }
            mine[k]->was = was.size();
            was.push_back(std::move(made[k]));
        }
        return true;
    }

    Site below(const Site& at) const {
        Site out = root_;
        out.steps.insert(out.steps.end(), at.steps.begin(), at.steps.end());
        return out;
    }

    // Whether the theorem lets instances of the leaf change places at all.
    static bool may_move(Stmt leaf) {
        return !analysis::contains_assert(leaf) && !analysis::contains_extern_call(leaf);
    }

    std::vector<Expr> facts_of(const Leaf& at) {
        std::vector<Expr> facts = analysis::parameter_facts(ctx_, p_.current());
        facts.insert(facts.end(), at.conditions.begin(), at.conditions.end());
        return facts;
    }
    bool proves(const std::vector<Expr>& facts, Expr e) {
        return p_.prover().prove(facts, e).verdict == analysis::Verdict::Proved;
    }
    bool holds(Expr e, const Leaf& at) { return proves(facts_of(at), e); }

    bool step(const std::string& rule, const Site& site, const nlohmann::json& args,
              const std::string& what) {
        std::optional<Rejection> no;
        if (p_.try_apply(rule, site, args, &no)) return true;
        why_ = std::move(no);
        return fails(what + ": " + reason());
    }

    std::string reason() const { return why_ ? refusal_text(*why_) : "no step was found"; }

    Proposer& p_;
    Context& ctx_;
    const Site root_;
    Stmt target_;
    std::vector<std::string>& tried_;
    InstanceSolver solver_;
    std::vector<Leaf> was_, now_;
    Carried carried_;
    Relation first_;
    std::optional<Rejection> why_;
};

}  // namespace

bool map_onto(Proposer& p, const Site& root, Stmt target, std::vector<std::string>& tried) {
    return Mapper(p, root, target, tried).run();
}

}  // namespace proviso::verify
