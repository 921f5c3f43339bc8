#include "verify/check/map/instances.h"

#include <algorithm>

#include "analysis/solve/equations.h"

namespace proviso::verify {

using namespace ir;

namespace {

constexpr std::size_t kMostGuesses = 4;

bool mentions_any(Expr e, const std::vector<Expr>& vars) {
    return std::any_of(vars.begin(), vars.end(), [&](Expr v) { return occurs_free(v, e); });
}

// Of the variables around the leaf.
bool mentions_none(Expr e, const Leaf& leaf) {
    return std::none_of(leaf.binders.begin(), leaf.binders.end(),
                        [&](const Binder& b) { return occurs_free(b.var, e); });
}

}  // namespace

Expr InstanceSolver::simplified(Expr e, const Leaf& at) {
    std::vector<Expr> facts = facts_;
    facts.insert(facts.end(), at.conditions.begin(), at.conditions.end());
    return simplifier_.simplify(e, facts).result;
}

Expr InstanceSolver::condition(const Leaf& of, const Substitution& instance, const Leaf& at,
                               const Substitution& back) {
    std::vector<Expr> facts = facts_;
    facts.insert(facts.end(), at.conditions.begin(), at.conditions.end());
    std::vector<Expr> left;
    std::vector<Expr> all;
    for (Expr c : conjuncts(of.conditions)) all.push_back(substitute(ctx_, c, instance));
    for (const Binder& b : at.binders) {
        Expr again = substitute(ctx_, back.at(b.var), instance);
        if (b.value == nullptr && again != b.var) all.push_back(ctx_.eq(again, b.var));
    }
    for (Expr c : all) {
        Expr here = simplifier_.simplify(c, facts).result;
        if (is_true(here) || prover_.proves_cheaply(facts, here)) continue;
        left.push_back(here);
        facts.push_back(here);
    }
    return ctx_.all_of(left);
}

std::vector<Substitution> InstanceSolver::values(const Leaf& unknown, const Leaf& known) {
    const IndexPairs all = index_pairs(unknown.stmt, known.stmt);
    const Substitution names = unknown.values(ctx_);
    const std::vector<Expr> loops = unknown.loops();
    // Variables of which equations say nothing.
    const auto open = [&](const Pairs& pairs) {
        std::vector<Expr> out;
        for (Expr v : loops) {
            const bool said = std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) {
                return occurs_free(v, substitute(ctx_, p.first, names));
            });
            if (!said) out.push_back(v);
        }
        return out;
    };
    const auto with_loads = [&](Pairs pairs) {
        const std::vector<Expr> left = open(pairs);
        for (const auto& p : all.loaded) {
            if (mentions_any(substitute(ctx_, p.first, names), left)) pairs.push_back(p);
        }
        return pairs;
    };
    // What nothing is said of counts as the loops of the other leaf do, in their order.
    const auto with_order = [&](Pairs pairs) {
        const Substitution known_names = known.values(ctx_);
        std::vector<Expr> there;
        for (Expr v : known.loops()) {
            const bool said = std::any_of(pairs.begin(), pairs.end(), [&](const auto& p) {
                return occurs_free(v, substitute(ctx_, p.second, known_names));
            });
            if (!said) there.push_back(v);
        }
        const std::vector<Expr> here = open(pairs);
        if (here.size() == there.size()) {
            for (std::size_t k = 0; k < here.size(); ++k) pairs.emplace_back(here[k], there[k]);
        }
        return pairs;
    };
    // Or as the first iteration.
    const auto with_first = [&](Pairs pairs) {
        for (Expr v : open(pairs)) {
            for (const Binder& b : unknown.binders) {
                if (b.var == v && mentions_none(b.lo, unknown)) pairs.emplace_back(v, b.lo);
            }
        }
        return pairs;
    };
    Pairs every = all.stored;
    every.insert(every.end(), all.loaded.begin(), all.loaded.end());
    std::vector<Pairs> tried;
    std::vector<Substitution> out;
    for (const Pairs& pairs :
         {with_order(with_loads(all.stored)), with_order(all.stored), with_order(every),
          with_first(with_loads(all.stored)), with_first(all.stored), with_loads(all.stored)}) {
        if (std::find(tried.begin(), tried.end(), pairs) != tried.end()) continue;
        tried.push_back(pairs);
        std::optional<Substitution> found = solve(unknown, known, pairs);
        const bool is_new = found && std::find(out.begin(), out.end(), *found) == out.end();
        if (is_new && out.size() < kMostGuesses) out.push_back(*std::move(found));
    }
    return out;
}

namespace {

// Divisions that round towards zero as those that round down, which they are where nothing is
// negative: the search knows more of these.
Expr rounded_down(Context& ctx, Expr e) {
    return rewrite_expr(ctx, e, [&](Expr n) {
        if (n->op == Op::TruncDiv) return ctx.floordiv(n->arg(0), n->arg(1));
        if (n->op == Op::TruncMod) return ctx.floormod(n->arg(0), n->arg(1));
        return n;
    });
}

}  // namespace

std::optional<Substitution> InstanceSolver::solve(const Leaf& unknown, const Leaf& known,
                                                  const Pairs& pairs) {
    analysis::solve::IndexMap map;
    map.facts = facts_;
    Substitution counted;  // loops by what they count from 0
    std::vector<std::pair<Expr, Expr>> starts;
    Substitution names;
    const auto over_counts = [&](Expr e) {
        return substitute(ctx_, substitute(ctx_, e, names), counted);
    };
    for (const Binder& b : unknown.binders) {
        if (b.value != nullptr) {
            names[b.var] = substitute(ctx_, b.value, names);
            continue;
        }
        if (!map.vars.empty() && b.var->type != map.type()) return std::nullopt;
        Expr lo = over_counts(b.lo);
        Expr hi = over_counts(b.hi);
        const bool from_zero = is_int_const(lo) && lo->int_value() == 0;
        Expr u = from_zero ? b.var : ctx_.var("counted_" + *b.var->name, b.var->type);
        if (!from_zero) counted[b.var] = ctx_.add(lo, u);
        starts.emplace_back(b.var, from_zero ? u : ctx_.add(lo, u));
        map.vars.push_back(u);
        map.extents.push_back(from_zero ? hi : ctx_.sub(hi, lo));
    }
    Substitution out;
    if (!map.vars.empty()) {
        for (Expr c : unknown.conditions) map.facts.push_back(over_counts(c));
        std::vector<Expr> physical;
        Substitution seen;
        for (const auto& [mine, theirs] : pairs) {
            if (mine->type != map.type() || theirs->type != map.type()) continue;
            if (mine->within != 0) continue;
            Expr p = ctx_.var("index_" + std::to_string(physical.size()), map.type());
            map.results.push_back(rounded_down(ctx_, over_counts(mine)));
            physical.push_back(p);
            seen[p] = rounded_down(ctx_, theirs);
        }
        const auto solved = analysis::solve::solve_equations(prover_, map, physical);
        if (!solved) return std::nullopt;
        Substitution found;
        for (std::size_t k = 0; k < map.vars.size(); ++k) {
            found[map.vars[k]] = substitute(ctx_, (*solved)[k], seen);
        }
        for (const auto& [v, e] : starts) {
            out[v] = simplified(substitute(ctx_, e, found), known);
            if (out[v]->type != v->type) return std::nullopt;
        }
    }
    for (const auto& [v, e] : names) out[v] = simplified(substitute(ctx_, e, out), known);
    return out;
}

}  // namespace proviso::verify
